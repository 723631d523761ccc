// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The bodies of a mechanism and where their coordinates sit.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "picus/elements/pose.h"
#include "picus/math/types.h"

namespace picus {

enum class BodyKind { kGround, kPoint, kPlanarPoint, kAxialPoint, kPlanar, kSpatial };

constexpr bool is_point(BodyKind kind) {
  return kind == BodyKind::kPoint || kind == BodyKind::kPlanarPoint ||
         kind == BodyKind::kAxialPoint;
}

/// One body: its inertia and the places of its coordinates. The frame of a body sits at its centre
/// of mass. Every body has six velocities on paper, (v, ω); those a body does not have are at -1.
/// Those of an axial point are components of one and share its place.
struct Body {
  std::string name = {};
  BodyKind kind = BodyKind::kGround;
  bool is_node = false;  ///< of a flexible part, which states its inertia
  double mass = 0.0;
  Matrix3 inertia = Matrix3::Zero();  ///< about the centre of mass, in the body's frame
  double height = 0.0;                ///< z of a planar body, constant
  Vector3 anchor = Vector3::Zero();   ///< where an axial point is when its position is zero
  Vector3 axis = Vector3::Zero();     ///< along which it moves, of length one
  int first_position = -1;            ///< of x; a quaternion follows x, y, z
  std::array<int, 6> velocity{-1, -1, -1, -1, -1, -1};

  /// The place of the one velocity of an axial point.
  int coordinate() const { return std::max({velocity[0], velocity[1], velocity[2]}); }
};

/// All bodies; number 0 is the ground.
class Bodies {
 public:
  static constexpr int kGround = 0;

  Bodies();
  /// Appends a body, gives it coordinates and returns its number.
  int add(Body body);

  int size() const { return static_cast<int>(bodies_.size()); }
  int positions() const { return positions_; }
  int velocities() const { return velocities_; }
  const Body& operator[](int body) const { return bodies_[static_cast<std::size_t>(body)]; }
  /// Reserves a position without a velocity, for the memory of an angle.
  int reserve_position() { return positions_++; }

  Pose<double> pose(int body, const Vector& q) const;
  /// Writes a pose into q.
  void place(int body, const Pose<double>& pose, Vector& q) const;
  /// Velocity in space and angular velocity in the body's frame; the same of accelerations.
  SmallVector<double, 6> twist(int body, const Vector& v) const;
  /// The entries of v at the places of the six velocities.
  SmallVector<double, 6> entries(int body, const Vector& v) const;
  /// twist = shares × entries, one by one; all are 1 but those of an axial point.
  SmallVector<double, 6> shares(int body) const;
  /// q ⊕ dq for this body.
  void retract(int body, const Vector& q, const Vector& dq, Vector& result) const;
  /// dq with from ⊕ dq = to for this body.
  void difference(int body, const Vector& from, const Vector& to, Vector& dq) const;
  /// Cannot leave a plane z = constant.
  bool is_planar(int body) const;

 private:
  std::vector<Body> bodies_;
  int positions_ = 0, velocities_ = 0;
};

}  // namespace picus
