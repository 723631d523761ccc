// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Carried frames that state their pose alone; maps and curvatures follow by duals.

#include <array>
#include <utility>

#include "picus/mechanism/bodies.h"

namespace picus {

/// A frame on a base with six velocities of its own (or some of them) and with coordinates x of a
/// part. A Shape states
///
///   static constexpr int kCoordinates;
///   template <class T>
///   Pose<T> pose(const Pose<T>& base, const std::array<T, kCoordinates>& x) const;
///
/// Exact, but each function costs several poses of duals: a kind that shows up in profiles states
/// closed forms.
template <class Shape>
class DualFrame final : public CarriedFrame {
  static constexpr int kX = Shape::kCoordinates, kN = 6 + kX;
  template <class T>
  using X = std::array<T, kX>;

 public:
  DualFrame(const Bodies& bodies, int base, const std::array<Coordinate, kX>& x, Shape shape)
      : CarriedFrame(places_of(bodies, base, x)),
        bodies_(bodies),
        base_(base),
        coordinates_(x),
        shape_(std::move(shape)) {}

  Pose<double> pose(const Vector& q) const override {
    X<double> x;
    for (std::size_t k = 0; k < kX; ++k)
      x[k] = q(coordinates_[k].position);
    return shape_.pose(bodies_.pose(base_, q), x);
  }

  void map(const Vector& q, TwistMapRef B) const override {
    const auto [base, x] = still(q);
    const Pose<Dual<kN>> pose = shape_.pose(base, x);
    for (int c = 0; c < kN; ++c)
      B.col(c) = twist_along<double>(pose, c);
  }

  void map_tangent(const Vector& q, std::span<const double> u, TwistMapRef along) const override {
    const auto [base, x] = still(q);
    const auto pose = shape_.pose(moving(base, head(u)), moved(x, u));
    put_columns(twist_along<Dual<kN>>(pose, 0), along);
  }

  void curvature(const Vector& q, const Vector6& row, Eigen::Ref<Matrix> along) const override {
    SmallMatrix<double, 6, kN> tangent;
    std::array<double, kN> unit{};
    for (int r = 0; r < kN; ++r) {
      unit[static_cast<std::size_t>(r)] = 1.0;
      map_tangent(q, unit, tangent);
      unit[static_cast<std::size_t>(r)] = 0.0;
      along.row(r) = row.transpose() * tangent;
    }
  }

  void convective_tangent(const Vector& q, std::span<const double> u,
                          TwistMapRef along) const override {
    const auto [base, x] = still(q);
    const auto pose = shape_.pose(moving(moving(base, head(u)), head(u)), moved(moved(x, u), u));
    const SmallVector<Dual<1, Dual<kN>>, 6> twist = twist_along<Dual<1, Dual<kN>>>(pose, 0);
    SmallVector<Dual<kN>, 6> rate;
    for (int k = 0; k < 6; ++k)
      rate(k) = twist(k).d(0);
    put_columns(rate, along);
  }

 private:
  static std::vector<int> places_of(const Bodies& bodies, int base,
                                    const std::array<Coordinate, kX>& x) {
    std::vector<int> places(bodies[base].velocity.begin(), bodies[base].velocity.end());
    for (const Coordinate& coordinate : x)
      places.push_back(coordinate.velocity);
    return places;
  }
  static Vector6 head(std::span<const double> u) { return Eigen::Map<const Vector6>(u.data()); }

  // with all tangent directions as derivatives
  std::pair<Pose<Dual<kN>>, X<Dual<kN>>> still(const Vector& q) const {
    X<Dual<kN>> x;
    for (std::size_t k = 0; k < kX; ++k)
      x[k] = Dual<kN>::variable(q(coordinates_[k].position), 6 + static_cast<int>(k));
    return {perturbed<kN>(bodies_.pose(base_, q), 0), x};
  }
  template <class T>
  static X<Dual<1, T>> moved(const X<T>& x, std::span<const double> u) {
    X<Dual<1, T>> result;
    for (std::size_t k = 0; k < kX; ++k) {
      result[k] = Dual<1, T>(x[k]);
      result[k].grad[0] = T(u[6 + k]);
    }
    return result;
  }
  /// Of derivative c of the pose: ṙ and the vector of AᵀȦ.
  template <class T, int N>
  static SmallVector<T, 6> twist_along(const Pose<Dual<N, T>>& pose, int c) {
    SmallVector<T, 6> twist;
    for (int k = 0; k < 3; ++k) {
      twist(k) = pose.r(k).d(c);
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      T turn(0.0);
      for (int i = 0; i < 3; ++i)
        turn = turn + pose.A(i, m).value * pose.A(i, l).d(c);
      twist(3 + k) = turn;
    }
    return twist;
  }
  static void put_columns(const SmallVector<Dual<kN>, 6>& twist, TwistMapRef along) {
    for (int c = 0; c < kN; ++c)
      for (int k = 0; k < 6; ++k)
        along(k, c) = twist(k).d(c);
  }

  const Bodies& bodies_;
  int base_;
  std::array<Coordinate, kX> coordinates_;
  Shape shape_;
};

}  // namespace picus
