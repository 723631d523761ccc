// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Frames of the general kind: their twist is a linear map of velocities that are not its
// components.

#include <memory>
#include <span>
#include <vector>

#include "picus/elements/pose.h"
#include "picus/math/types.h"

namespace picus {

/// A twist (v in space, ω in the frame) for each of n velocities.
using TwistMap = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using TwistMapRef = Eigen::Ref<TwistMap>;

/// A frame that is carried by coordinates of a part: an axial point of a bar, the interface of a
/// modal body. With the n velocities u at its places
///
///   twist = B(q) u,      twist rate = B u̇ + C,   C = ∂(B u)/∂q · u
///
/// where ∂/∂q are derivatives along the tangent directions of these n velocities. Joints, forces,
/// contacts and formulas state rows between twists; CarriedView turns them into rows of u by what
/// is stated here. Frames do not change after their construction.
class CarriedFrame {
 public:
  explicit CarriedFrame(std::vector<int> places) : places_(std::move(places)) {}
  CarriedFrame(const CarriedFrame&) = delete;
  CarriedFrame& operator=(const CarriedFrame&) = delete;
  virtual ~CarriedFrame() = default;

  /// Of its velocities in the system; -1 for those that do not exist. Three that turn a body follow
  /// each other.
  std::span<const int> places() const { return places_; }
  int size() const { return static_cast<int>(places_.size()); }

  /// Never turns: its map has no angular velocities.
  virtual bool is_point() const { return false; }
  /// Cannot leave a plane z = constant.
  virtual bool is_planar() const { return false; }

  virtual Pose<double> pose(const Vector& q) const = 0;
  virtual void map(const Vector& q, TwistMapRef B) const = 0;

  /// B is the same everywhere; then nothing below is called.
  virtual bool has_constant_map() const { return false; }
  /// ∂(B u)/∂q.
  virtual void map_tangent(const Vector& q, std::span<const double> u, TwistMapRef along) const;
  /// Σ_k row(k) ∂B_k/∂q: derivatives of rowᵀB, one in each column.
  virtual void curvature(const Vector& q, const Vector6& row, Eigen::Ref<Matrix> along) const;
  /// ∂C/∂q.
  virtual void convective_tangent(const Vector& q, std::span<const double> u,
                                  TwistMapRef along) const;

 private:
  std::vector<int> places_;
};

/// A point that moves along a line: anchor + q axis.
class AxialPoint final : public CarriedFrame {
 public:
  /// Its coordinate is at `position` of q and `velocity` of v; the axis has length one.
  AxialPoint(const Vector3& anchor, const Vector3& axis, int position, int velocity)
      : CarriedFrame({velocity}), anchor_(anchor), axis_(axis), position_(position) {}

  bool is_point() const override { return true; }
  bool is_planar() const override { return axis_(2) == 0.0; }
  bool has_constant_map() const override { return true; }
  Pose<double> pose(const Vector& q) const override;
  void map(const Vector& q, TwistMapRef B) const override;

 private:
  Vector3 anchor_, axis_;
  int position_;
};

}  // namespace picus
