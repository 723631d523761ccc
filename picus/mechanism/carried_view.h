// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A term, or a contact of lines, at least one of whose frames is carried (carried_frame.h): what
// TermView and LineView are to bodies, with as many columns as the frames have velocities.
//
//   ρ  = Bᵀ r                                       r between twists, V = B u
//   ∂ρ = Bᵀ H B + Σ_k r_k ∂B_k
//   ∂(V · H V + r · C) = Bᵀ (∂(V · H V) + Hᵀ C) + (∂V)ᵀ (H + Hᵀ) V + (∂C)ᵀ r
//
// with the blocks of all frames side by side in B.

#include <array>
#include <span>

#include "picus/dynamics/system.h"
#include "picus/math/scratch.h"
#include "picus/mechanism/bodies.h"

namespace picus {

/// Places of numbers whose count is known at run time only (scatter.h).
struct PlaceList : std::span<const int> {
  explicit PlaceList(std::span<const int> places) : std::span<const int>(places) {}
};

/// A Geometry says between poses what is looked at; weights are included:
///
///   static constexpr int kFrames;
///   std::array<int, kFrames> frames() const;
///   double value(poses, q) const;
///   Numbers row(poses) const;                             along all twists
///   void hessian(poses, H) const;                         ∂row along poses
///   Numbers along_acceleration(poses, V) const;           ∂(V · H V) along poses
template <class Geometry>
class CarriedView {
  static constexpr int kFrames = Geometry::kFrames, kTwists = 6 * kFrames;
  using Twists = SmallVector<double, kTwists>;
  using TwistHessian = SmallMatrix<double, kTwists, kTwists>;

 public:
  using Numbers = Eigen::Map<Vector>;

  /// Takes its room from the scratch. Derivatives are along the increment of the chart, if there is
  /// one.
  CarriedView(const Bodies& bodies, const Geometry& geometry, const State& s, const Chart* chart,
              Scratch& scratch);

  double value() const { return geometry_.value(poses_, state_.position); }
  const Numbers& row() const { return row_; }
  double rate() const { return row_.dot(velocity_); }
  /// row · v̇ + v · ∂row · v
  double acceleration() const;

  const Numbers& value_tangent() const;
  const Eigen::Map<Matrix>& row_tangent() const;  ///< ∂row/∂q
  const Numbers& rate_tangent() const;            ///< ∂(row · v)/∂q
  const Numbers& acceleration_tangent() const;
  const Numbers& acceleration_along_velocity() const;

  /// Of its columns in the system; -1 for those that do not exist.
  PlaceList places() const { return PlaceList({places_, static_cast<std::size_t>(size_)}); }

 private:
  const CarriedFrame* carried(int f) const { return bodies_[frames_[at(f)]].carried.get(); }
  static std::size_t at(int f) { return static_cast<std::size_t>(f); }
  int columns(int f) const { return first_[at(f + 1)] - first_[at(f)]; }
  auto map_of(int f) const { return map_.middleCols(first_[at(f)], columns(f)); }
  /// The velocities of one frame.
  std::span<const double> velocity_of(int f) const {
    return {velocity_.data() + first_[at(f)], static_cast<std::size_t>(columns(f))};
  }
  TwistMapRef room(int f) const;
  void find_hessian() const;
  void gather(const Vector& v, Numbers x) const;
  /// ∂/∂(increment of the chart) from ∂/∂(tangent at q).
  template <class Rows>
  void apply_chart(Rows&& columns) const;

  const Bodies& bodies_;
  const Geometry geometry_;
  const State& state_;
  const Chart* chart_;
  std::array<int, kFrames> frames_;
  std::array<Pose<double>, kFrames> poses_;
  std::array<int, kFrames + 1> first_;  ///< column of each frame
  int size_ = 0;
  int* places_ = nullptr;
  Eigen::Map<TwistMap> map_, room_;
  mutable Numbers velocity_, row_, numbers_, value_tangent_, rate_tangent_, tangent_, along_v_;
  mutable Eigen::Map<Matrix> local_, charted_;  ///< ∂row
  Twists twist_row_;
  mutable TwistHessian hessian_;
  mutable bool has_hessian_ = false;
};

}  // namespace picus
