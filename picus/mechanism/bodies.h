// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The frames of a mechanism and where their coordinates sit.
//
// A frame is what joints, forces, contacts, formulas and records look at: a pose and a twist. Most
// are bodies, whose twists are their velocities; the others are carried by coordinates of a part
// (carried_frame.h).

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "picus/elements/pose.h"
#include "picus/math/types.h"
#include "picus/mechanism/carried_frame.h"

namespace picus {

enum class BodyKind { kGround, kPoint, kPlanarPoint, kPlanar, kSpatial, kCarriedPoint, kCarried };

/// Cannot turn.
constexpr bool is_point(BodyKind kind) {
  return kind == BodyKind::kPoint || kind == BodyKind::kPlanarPoint ||
         kind == BodyKind::kCarriedPoint;
}
constexpr bool is_carried(BodyKind kind) {
  return kind == BodyKind::kCarriedPoint || kind == BodyKind::kCarried;
}

/// One body, or another frame that parts attach to, and the places of its coordinates. The frame of
/// a body sits at its centre of mass. It has six velocities on paper, (v, ω), its twist; those it
/// does not have are at -1, for they are zero. A carried frame has none of its own.
struct Body {
  std::string name = {};
  BodyKind kind = BodyKind::kGround;
  bool is_node = false;  ///< of a flexible part, which states its inertia
  double mass = 0.0;
  Matrix3 inertia = Matrix3::Zero();  ///< about the centre of mass, in the body's frame
  double height = 0.0;                ///< z of a planar body, constant
  int first_position = -1;            ///< of x; a quaternion follows x, y, z
  std::array<int, 6> velocity{-1, -1, -1, -1, -1, -1};
  std::shared_ptr<const CarriedFrame> carried = {};  ///< of a carried frame
};

/// A number of a part with its velocity: the amplitude of a mode, a displacement along a bar.
struct Coordinate {
  int position = -1, velocity = -1;
};

/// All bodies and other frames; number 0 is the ground.
class Bodies {
 public:
  static constexpr int kGround = 0;

  Bodies();
  /// Appends a body, gives it coordinates and returns its number.
  int add(Body body);
  /// Appends a frame whose coordinates there are already.
  int add(std::string name, std::shared_ptr<const CarriedFrame> frame);
  /// Appends a coordinate that belongs to no body.
  Coordinate add_coordinate();

  int size() const { return static_cast<int>(bodies_.size()); }
  int positions() const { return positions_; }
  int velocities() const { return velocities_; }
  const Body& operator[](int body) const { return bodies_[static_cast<std::size_t>(body)]; }
  /// Reserves a position without a velocity, for the memory of an angle.
  int reserve_position() { return positions_++; }

  bool has_carried() const { return has_carried_; }
  bool is_carried(int body) const { return has_carried_ && picus::is_carried((*this)[body].kind); }
  /// This velocity and the two that follow turn a body in space.
  bool begins_turn(int velocity) const {
    return begins_turn_[static_cast<std::size_t>(velocity)] != 0;
  }

  Pose<double> pose(int body, const Vector& q) const;
  /// The same into a pose that was that of this body before.
  void put_pose(int body, const Vector& q, Pose<double>& pose) const;
  /// Of all that was added so far; no other set of bodies ever has it.
  std::uint64_t id() const { return id_; }
  /// Writes a pose into q; carried frames have none of their own.
  void place(int body, const Pose<double>& pose, Vector& q) const;
  /// Velocity in space and angular velocity in the body's frame.
  Vector6 twist(int body, const Vector& q, const Vector& v) const;
  /// The same of a frame whose map is constant, and of accelerations.
  Vector6 twist(int body, const Vector& v) const;
  /// The entries of v at the places of the six velocities of a body.
  Vector6 entries(int body, const Vector& v) const;
  /// q ⊕ dq for all bodies and coordinates.
  void retract(const Vector& q, const Vector& dq, Vector& result) const;
  /// dq with from ⊕ dq = to for all bodies and coordinates.
  void difference(const Vector& from, const Vector& to, Vector& dq) const;
  /// Cannot leave a plane z = constant.
  bool is_planar(int body) const;

 private:
  void retract(int body, const Vector& q, const Vector& dq, Vector& result) const;
  void difference(int body, const Vector& from, const Vector& to, Vector& dq) const;

  std::vector<Body> bodies_;
  std::vector<Coordinate> coordinates_;
  std::vector<char> begins_turn_;  ///< of each velocity
  bool has_carried_ = false;
  int positions_ = 0, velocities_ = 0;
  std::uint64_t id_ = 0;
};

}  // namespace picus
