// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/beam_line.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace picus {
namespace {

constexpr double kParallel = 1e-9;  // sine of an angle that counts as zero
constexpr int kSamplesPerElement = 32, kMostSamples = 200000, kFewestSamples = 256;
constexpr double kSlowest = 1e-9;  // speed along a curve, of its mean: below, it stops
constexpr int kMostSteps = 50;

Matrix3 turned(const Vector3& axis, double angle) {
  return rotation_matrix(quaternion_of(Vector3(angle * axis)));
}

// The least rotation that takes one direction to another; both have length one.
Matrix3 least_turn(const Vector3& from, const Vector3& to) {
  const Vector3 axis = cross(from, to);
  const double sine = axis.norm();
  if (sine == 0.0) return Matrix3::Identity();
  return turned(axis / sine, std::atan2(sine, from.dot(to)));
}

Vector3 mirrored(const Vector3& v, const Vector3& normal) {
  return v - 2.0 * normal.dot(v) / normal.squaredNorm() * normal;
}

}  // namespace

Matrix3 BeamLine::Piece::turn(double part) const {
  return turned(axis, part * angle);
}

BeamLine::BeamLine(const Beam& beam, int dimension) : twist_(beam.twist) {
  const Vector3 from = *beam.from, to = *beam.to;
  Piece piece{.from = from};
  const Vector3 chord = (beam.corners.empty() ? to : beam.corners.front()) - from;
  Vector3 tangent = chord.normalized();
  piece.length = chord.norm();
  if (beam.via) bend(piece, chord, *beam.via - from, tangent);
  piece.axes = first_axes(beam, dimension, tangent);
  pieces_.push_back(piece);
  length_ = piece.length;
  if (!beam.corners.empty()) add_corners(beam.corners, to);
}

Matrix3 BeamLine::first_axes(const Beam& beam, int dimension, const Vector3& tangent) {
  const Vector3 normal = Vector3::UnitZ();
  Vector3 up = beam.up ? *beam.up : dimension == 2 ? cross(normal, tangent) : normal;
  if (cross(tangent, up).norm() <= kParallel * up.norm()) {
    has_up_ = !beam.up;
    up = Vector3::UnitY();
  }
  const Vector3 z = cross(tangent, up).normalized();
  Matrix3 axes;
  axes << tangent, cross(z, tangent), z;
  return axes;
}

// The circle through three points; straight when they are on a line.
void BeamLine::bend(Piece& piece, const Vector3& chord, const Vector3& via,
                    Vector3& tangent) const {
  const Vector3 normal = cross(via, chord);
  const double area2 = normal.squaredNorm();
  if (std::sqrt(area2) <= kParallel * chord.norm() * via.norm()) return;
  const Vector3 weighted = via.squaredNorm() * chord - chord.squaredNorm() * via;
  const Vector3 to_centre = cross(weighted, normal) / (2.0 * area2);
  piece.centre = piece.from + to_centre;
  piece.axis = normal.normalized();
  const Vector3 start = -to_centre, end = chord - to_centre;
  piece.angle = std::atan2(piece.axis.dot(cross(start, end)), start.dot(end));
  if (piece.angle <= 0.0) piece.angle += 2.0 * std::numbers::pi;
  piece.length = piece.angle * start.norm();
  tangent = cross(piece.axis, start).normalized();
}

void BeamLine::add_corners(const std::vector<Vector3>& points, const Vector3& to) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3 chord = (i + 1 < points.size() ? points[i + 1] : to) - points[i];
    const Vector3 before = pieces_.back().axes.col(0), after = chord.normalized();
    if (!(chord.norm() > 0.0) || !(pieces_.back().length > 0.0)) {
      fault_ = fmt::format("has corner {} twice, or at an end of the beam", i + 1);
      return;
    }
    if (cross(before, after).norm() <= kParallel && before.dot(after) < 0.0) {
      fault_ = fmt::format("turns straight back at corner {}", i + 1);
      return;
    }
    pieces_.push_back({.start = length_,
                       .length = chord.norm(),
                       .from = points[i],
                       .axes = least_turn(before, after) * pieces_.back().axes});
    length_ += chord.norm();
  }
}

std::vector<double> BeamLine::corners() const {
  std::vector<double> all;
  for (std::size_t i = 1; i < pieces_.size(); ++i)
    all.push_back(pieces_[i].start / length_);
  return all;
}

Pose<double> BeamLine::on_pieces(double along, Side side) const {
  const Piece* piece = &pieces_.front();
  const double rounding = 1e-12 * length_;
  for (const Piece& next : pieces_)
    if (side == Side::kAfter ? next.start <= along + rounding : next.start < along - rounding)
      piece = &next;
  const double part = (along - piece->start) / piece->length;
  Pose<double> pose;
  const Matrix3 turn = piece->turn(part);
  pose.A = turn * piece->axes;
  pose.r = piece->angle == 0.0 ? Vector3(piece->from + part * piece->length * piece->axes.col(0))
                               : Vector3(piece->centre + turn * (piece->from - piece->centre));
  return pose;
}

// --- curves ------------------------------------------------------------------------------------

BeamLine::BeamLine(const Beam& beam, int dimension, Curve curve)
    : twist_(beam.twist), curve_(std::move(curve)) {
  const int count = std::clamp(kSamplesPerElement * beam.elements, kFewestSamples, kMostSamples);
  double slowest = INFINITY;
  for (int k = 0; k <= count; ++k) {
    const double u = static_cast<double>(k) / count;
    const CurvePoint here = curve_(u);
    const double speed = here.slope.norm();
    if (!std::isfinite(speed) || !here.place.allFinite()) {
      fault_ = fmt::format("has a path that is not a finite number at s = {:g}", u);
      return;
    }
    slowest = std::min(slowest, speed);
    if (k == 0)
      samples_.push_back(
          {.place = here.place, .axes = first_axes(beam, dimension, here.slope.normalized())});
    else
      samples_.push_back(moved(samples_.back(), u));
  }
  length_ = samples_.back().start;
  if (!(slowest > kSlowest * length_)) fault_ = "has a path that stands still: its slope by s is 0";
}

// Gauss' rule of three points.
double BeamLine::curve_length(double from, double to) const {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  const double away = std::sqrt(0.6) * half;
  return half / 9.0 *
         (5.0 * curve_(middle - away).slope.norm() + 8.0 * curve_(middle).slope.norm() +
          5.0 * curve_(middle + away).slope.norm());
}

// Axes follow the tangent without turning about it: Wang, Jüttler, Zheng, Liu 2008, two mirrors.
BeamLine::Sample BeamLine::moved(const Sample& from, double u) const {
  const CurvePoint here = curve_(u);
  const Vector3 tangent = here.slope.normalized(), chord = here.place - from.place;
  Sample to{.u = u, .start = from.start + curve_length(from.u, u), .place = here.place};
  Vector3 up = from.axes.col(1), before = from.axes.col(0);
  if (chord.squaredNorm() > 0.0) {
    up = mirrored(up, chord);
    before = mirrored(before, chord);
  }
  if (const Vector3 across = tangent - before; across.squaredNorm() > 0.0)
    up = mirrored(up, across);
  up = (up - tangent.dot(up) * tangent).normalized();
  to.axes << tangent, up, cross(tangent, up);
  return to;
}

Pose<double> BeamLine::on_curve(double along) const {
  const auto after = std::upper_bound(samples_.begin() + 1, samples_.end() - 1, along,
                                      [](double x, const Sample& s) { return x < s.start; });
  const Sample &low = *(after - 1), &high = *after;
  double u = low.u + (high.u - low.u) * (along - low.start) / (high.start - low.start);
  for (int step = 0; step < kMostSteps; ++step) {
    const double excess = low.start + curve_length(low.u, u) - along;
    const double next =
        std::clamp(u - excess / curve_(u).slope.norm(), low.u, std::max(high.u, low.u));
    const bool is_there = std::abs(next - u) <= 1e-15;
    u = next;
    if (is_there) break;
  }
  const Sample here = moved(low, u);
  Pose<double> pose;
  pose.r = here.place;
  pose.A = here.axes;
  return pose;
}

Pose<double> BeamLine::at(double s, Side side) const {
  Pose<double> pose = curve_ ? on_curve(s * length_) : on_pieces(s * length_, side);
  pose.A = (pose.A * turned(Vector3::UnitX(), s * twist_)).eval();
  pose.angle = std::atan2(pose.A(1, 0), pose.A(0, 0));
  return pose;
}

}  // namespace picus
