// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where an unstrained beam is: frames along its line, x along the line, y up.

#include <functional>
#include <vector>

#include "picus/elements/pose.h"
#include "picus/model/flexible/beam.h"

namespace picus {

/// Points of a curve at u in [0, 1], and their derivatives by u.
struct CurvePoint {
  Vector3 place = Vector3::Zero(), slope = Vector3::Zero();
};
using Curve = std::function<CurvePoint(double)>;

/// A line of straight pieces and arcs, or one along a curve. Its sections follow it without turning
/// about it, but for the twist that is asked for.
class BeamLine {
 public:
  /// Straight, or the arc of a circle through a third point, or with corners.
  BeamLine(const Beam& beam, int dimension);
  /// Along a curve that does not stop; `up` as the beam states it.
  BeamLine(const Beam& beam, int dimension, Curve curve);

  double length() const { return length_; }
  /// False when `up` points along the beam.
  bool has_up() const { return has_up_; }
  /// What is wrong with the line; empty when nothing is.
  const std::string& fault() const { return fault_; }
  /// Where the line has corners, as parts of the length.
  std::vector<double> corners() const;
  /// The frame at a part s of the length. At a corner it is that before or after it.
  enum class Side { kBefore, kAfter };
  Pose<double> at(double s, Side side = Side::kAfter) const;

 private:
  /// A straight piece, or an arc.
  struct Piece {
    double start = 0.0, length = 0.0;  ///< along the line
    Vector3 from = Vector3::Zero();
    Matrix3 axes = Matrix3::Identity();  ///< where it begins, not twisted
    Vector3 centre = Vector3::Zero(), axis = Vector3::UnitZ();
    double angle = 0.0;  ///< of an arc; 0: straight

    Matrix3 turn(double part) const;
  };
  /// A frame on a curve.
  struct Sample {
    double u = 0.0, start = 0.0;
    Vector3 place = Vector3::Zero();
    Matrix3 axes = Matrix3::Identity();
  };

  void bend(Piece& piece, const Vector3& chord, const Vector3& via, Vector3& tangent) const;
  Matrix3 first_axes(const Beam& beam, int dimension, const Vector3& tangent);
  void add_corners(const std::vector<Vector3>& points, const Vector3& to);
  Pose<double> on_pieces(double along, Side side) const;
  Pose<double> on_curve(double along) const;
  double curve_length(double from, double to) const;
  Sample moved(const Sample& from, double u) const;

  double length_ = 0.0, twist_ = 0.0;
  bool has_up_ = true;
  std::string fault_;
  std::vector<Piece> pieces_;
  Curve curve_;
  std::vector<Sample> samples_;
};

}  // namespace picus
