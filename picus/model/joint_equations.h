// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a joint states its equations: in words, about its two frames. Frame J belongs to the first
// body of `between`, frame I to the second, which moves relative to it; z is the joint's axis. In
// mirrored submodels both frames are left-handed: measures keep their values, rotations their
// sense.

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "picus/elements/directions.h"
#include "picus/model/values.h"

namespace picus {

/// A frame on a body: its origin and its axes (columns), in the body's own frame.
struct BodyFrame {
  Vector3 point = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();
};

/// One scalar equation between the two bodies.
struct JointRow {
  std::string name;  ///< "x", "axis x"
  std::vector<std::pair<double, Direction>> terms = {};
  double constant = 0.0;       ///< Σ weight · value = constant
  bool keeps_initial = false;  ///< the constant is the value at the assembled start instead
};

/// A coordinate that a joint leaves free and that motions, couplers and formulas may name.
struct JointCoordinate {
  std::string name;
  Direction direction;
  Dimension unit;
};

class JointEquations {
 public:
  enum Axis { kX, kY, kZ };

  /// `initial_turn` is the initial angle of a planar body I less that of J.
  JointEquations(BodyFrame i, BodyFrame j, bool planar, double initial_turn)
      : i_(std::move(i)), j_(std::move(j)), planar_(planar), initial_turn_(initial_turn) {}

  /// Both bodies move in the plane: equations that hold by themselves are left out.
  bool is_planar() const { return planar_; }
  const BodyFrame& frame_i() const { return i_; }
  const BodyFrame& frame_j() const { return j_; }

  /// In the plane, a joint that turns about its axis needs it normal to the plane,
  void turns_about_axis() {
    if (planar_ && !is_out_of_plane(j_.axes.col(kZ)))
      fault_ = "its axis must be normal to the plane of motion";
  }
  /// and one that slides along its axis needs it in the plane.
  void slides_along_axis() {
    if (planar_ && std::abs(j_.axes(2, kZ)) > kInPlane)
      fault_ = "its axis must be in the plane of motion";
  }

  /// A joint that means nothing between planar bodies.
  void needs_space() {
    if (planar_) fault_ = "it needs spatial bodies, not planar ones";
  }

  /// The origins of the frames coincide.
  void hold_point() {
    hold("x", Separation{i_.point, j_.point, Vector3::UnitX()});
    hold("y", Separation{i_.point, j_.point, Vector3::UnitY()});
    if (!planar_) hold("z", Separation{i_.point, j_.point, Vector3::UnitZ()});
  }
  /// The origin of I stays in the plane through the origin of J normal to an axis of J.
  void hold_offset(Axis axis, const std::string& name) {
    if (planar_ && is_out_of_plane(j_.axes.col(axis))) return;
    hold(name, offset(axis));
  }
  /// An axis of I stays at right angles to an axis of J.
  void hold_perpendicular(Axis axis_i, Axis axis_j, const std::string& name) {
    const Vector3 i = i_.axes.col(axis_i), j = j_.axes.col(axis_j);
    if (planar_ && is_out_of_plane(i) != is_out_of_plane(j)) return;  // holds by itself
    hold(name, Alignment{i, j});
  }
  /// The z axes stay parallel.
  void hold_parallel() {
    hold_perpendicular(kZ, kX, "axis x");
    hold_perpendicular(kZ, kY, "axis y");
  }
  /// No relative rotation.
  void hold_orientation() {
    if (planar_) {
      hold("angle", turn());
      return;
    }
    hold_perpendicular(kX, kY, "rotation z");
    hold_perpendicular(kY, kZ, "rotation x");
    hold_perpendicular(kZ, kX, "rotation y");
  }
  void hold(std::string name, Direction direction, double constant = 0.0) {
    rows_.push_back({std::move(name), {{1.0, std::move(direction)}}, constant});
  }
  /// The measure keeps the value it has at the start.
  void hold_initial(std::string name, Direction direction) {
    rows_.push_back({std::move(name), {{1.0, std::move(direction)}}, 0.0, true});
  }
  /// weight_a · a + weight_b · b keeps its initial value.
  void couple(std::string name, double weight_a, Direction a, double weight_b, Direction b) {
    rows_.push_back(
        {std::move(name), {{weight_a, std::move(a)}, {weight_b, std::move(b)}}, 0.0, true});
  }

  /// Rates that vanish although their measures do not.
  void roll(std::string name, Direction direction) {
    rolling_.push_back({std::move(name), {{1.0, std::move(direction)}}});
  }

  /// −1 for the left-handed frames of mirrored submodels, else 1.
  double handedness() const { return j_.axes.determinant() < 0.0 ? -1.0 : 1.0; }

  Direction offset(Axis axis) const { return Offset{i_.point, j_.point, j_.axes.col(axis)}; }
  /// Rotation of I relative to J about z.
  Direction turn() const {
    if (planar_) return PlanarTurn{planar_zero(), handedness()};
    return Turn{i_.axes.col(kX), j_.axes.col(kX), j_.axes.col(kY)};
  }
  /// Angular velocity of I relative to J about an axis of J.
  Direction spin(int axis) const { return Spin{handedness() * j_.axes.col(axis)}; }
  void free_angle(const std::string& name = "angle") {
    coordinates_.push_back({name, turn(), unit::kAngle});
  }
  void free_offset(Axis axis, const std::string& name = "position") {
    coordinates_.push_back({name, offset(axis), unit::kLength});
  }
  void free(std::string name, Direction direction, Dimension unit) {
    coordinates_.push_back({std::move(name), std::move(direction), unit});
  }

  /// What is wrong with the joint between planar bodies, or nothing.
  std::string_view fault() const { return fault_; }
  const std::vector<JointRow>& rows() const { return rows_; }
  const std::vector<JointRow>& rolling() const { return rolling_; }
  const std::vector<JointCoordinate>& coordinates() const { return coordinates_; }

 private:
  /// The difference of the bodies' angles at which the frames are aligned, nearest to the start.
  double planar_zero() const {
    const int axis = is_out_of_plane(j_.axes.col(kX)) ? kZ : kX;
    const auto angle = [&](const Matrix3& axes) {
      return std::atan2(axes(1, axis), axes(0, axis));
    };
    const double zero = angle(j_.axes) - angle(i_.axes), turn = 2.0 * std::numbers::pi;
    return zero + turn * std::round((initial_turn_ - zero) / turn);
  }
  static bool is_out_of_plane(const Vector3& axis) { return axis.head<2>().norm() < kInPlane; }

  static constexpr double kInPlane = 1e-9;  ///< sine of an angle that counts as zero

  BodyFrame i_, j_;
  bool planar_;
  double initial_turn_;
  std::string_view fault_ = {};
  std::vector<JointRow> rows_, rolling_;
  std::vector<JointCoordinate> coordinates_;
};

}  // namespace picus
