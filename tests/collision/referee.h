// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What shapes are, said a second time and without the code under test: how far they reach along a
// direction, and whether they contain a point. With both a distance is proven: no plane may
// separate two bodies farther than they are apart, and no two of their points may be closer.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "picus/collision/solid.h"

namespace picus::testing {

/// A convex body in its own frame.
struct RefereeBody {
  std::string name;
  ShapeOnBody shape;
  std::vector<Vector3> corners;  ///< of polytopes

  /// How far it reaches along n, of any length.
  double reach(const Vector3& n) const {
    const auto round = [&](double core) { return core + shape.rounding * n.norm(); };
    const Vector3 m = shape.axes.transpose() * n;
    const double at = shape.at.dot(n);
    if (!corners.empty()) {
      double most = -1e300;
      for (const Vector3& x : corners)
        most = std::max(most, m.dot(x));
      return round(at + most);
    }
    const double out = std::hypot(m(0), m(1));
    if (const auto* s = std::get_if<shapes::Sphere>(&shape.geometry))
      return round(at + s->radius * n.norm());
    if (const auto* s = std::get_if<shapes::Capsule>(&shape.geometry))
      return round(at + 0.5 * s->length * std::abs(m(2)) + s->radius * n.norm());
    if (const auto* s = std::get_if<shapes::Cylinder>(&shape.geometry))
      return round(at + 0.5 * s->length * std::abs(m(2)) + s->radius * out);
    if (const auto* s = std::get_if<shapes::Cone>(&shape.geometry))
      return round(at +
                   std::max(0.75 * s->length * m(2), s->radius * out - 0.25 * s->length * m(2)));
    const auto& s = std::get<shapes::Ellipsoid>(shape.geometry);
    return round(at + s.semi_axes.cwiseProduct(m).norm());
  }
};

/// One of each kind, sizes around `scale`.
std::vector<RefereeBody> referee_bodies(double scale, std::mt19937& random);
PoseInSpace random_pose(std::mt19937& random, double distance);

/// How far the plane across n separates A and B.
inline double separation(const RefereeBody& a, const PoseInSpace& at_a, const RefereeBody& b,
                         const PoseInSpace& at_b, const Vector3& n) {
  return n.dot(at_a.r - at_b.r) - a.reach(-(at_a.A.transpose() * n)) -
         b.reach(at_b.A.transpose() * n);
}

/// By how much a point is outside of a body; not the distance, but zero on its surface: the
/// farthest that any of some directions puts it out, those near `about` closely.
double outside(const RefereeBody& body, const PoseInSpace& pose, const Vector3& x,
               const Vector3& about);

}  // namespace picus::testing
