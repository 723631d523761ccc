// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Features: the pieces of a surface that touch. A feature is a core with a rounding radius around
// it: a vertex is a ball when it is rounded, an edge a capsule without ends or the side of a
// cylinder. Each core is known by its outermost point along a direction n, its support x(n), and by
// the directions n along which it is outermost at all:
//
//   vertex      x = p                                       any n
//   edge        x = p + u a                                 n · a = 0
//   cone        x = p + u g(n), p the apex, a towards it    n · a = slope
//   face        a plane through p                           n = a
//   rim         x = p + R m/‖m‖,  m = n − (n · a) a         n not along a
//   ellipsoid   x = p + S n/√(n · S n)                      any n

#include <cmath>
#include <cstdint>

#include "picus/math/rotation.h"

namespace picus {

/// Where a body is: all that features ask of a pose. Poses of mechanisms serve as well.
template <class T>
struct RigidPose {
  Vec3<T> r = Vec3<T>::Constant(T(0.0));
  Mat3<T> A = Mat3<T>::Identity();

  Vec3<T> point(const Vector3& local) const { return Vec3<T>(r + rotate(A, local)); }
  Vec3<T> direction(const Vector3& local) const { return rotate(A, local); }
};
using PoseInSpace = RigidPose<double>;

enum class FeatureKind : std::uint8_t { kVertex, kEdge, kCone, kFace, kRim, kEllipsoid };

/// In the frame of the body.
struct Feature {
  FeatureKind kind = FeatureKind::kVertex;
  Vector3 point = Vector3::Zero();    ///< vertex, apex, centre, or any point of edge or plane [m]
  Vector3 axis = Vector3::UnitZ();    ///< see above; of length one
  double radius = 0.0;                ///< R of a rim [m]
  double slope = 0.0;                 ///< of a cone: the sine of half its opening angle
  double rounding = 0.0;              ///< [m]
  Matrix3 squares = Matrix3::Zero();  ///< S of an ellipsoid: squared semi-axes along its axes

  bool is_line() const { return kind == FeatureKind::kEdge || kind == FeatureKind::kCone; }
  /// Its support moves with the direction.
  bool is_round() const { return kind == FeatureKind::kRim || kind == FeatureKind::kEllipsoid; }

  static Feature vertex(const Vector3& point, double rounding = 0.0) {
    return {.point = point, .rounding = rounding};
  }
  static Feature edge(const Vector3& point, const Vector3& along, double rounding = 0.0) {
    return {.kind = FeatureKind::kEdge, .point = point, .axis = along, .rounding = rounding};
  }
  static Feature face(const Vector3& point, const Vector3& normal, double rounding = 0.0) {
    return {.kind = FeatureKind::kFace, .point = point, .axis = normal, .rounding = rounding};
  }
  static Feature rim(const Vector3& centre, const Vector3& axis, double radius,
                     double rounding = 0.0) {
    return {.kind = FeatureKind::kRim,
            .point = centre,
            .axis = axis,
            .radius = radius,
            .rounding = rounding};
  }
  static Feature cone(const Vector3& apex, const Vector3& axis, double slope,
                      double rounding = 0.0) {
    return {.kind = FeatureKind::kCone,
            .point = apex,
            .axis = axis,
            .slope = slope,
            .rounding = rounding};
  }
  static Feature ellipsoid(const Vector3& centre, const Matrix3& axes, const Vector3& semi_axes,
                           double rounding = 0.0) {
    return {.kind = FeatureKind::kEllipsoid,
            .point = centre,
            .rounding = rounding,
            .squares = axes * semi_axes.cwiseAbs2().asDiagonal() * axes.transpose()};
  }
};

namespace features {

/// a + s b
template <class T>
Vec3<T> shifted(const Vec3<T>& a, const T& s, const Vec3<T>& b) {
  return Vec3<T>(a(0) + s * b(0), a(1) + s * b(1), a(2) + s * b(2));
}
template <class T>
Vec3<T> times(const T& s, const Vec3<T>& a) {
  return Vec3<T>(s * a(0), s * a(1), s * a(2));
}
template <class T>
T length(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
template <class T>
Vec3<T> normalized(const Vec3<T>& a) {
  const T size = length(a);
  return Vec3<T>(a(0) / size, a(1) / size, a(2) / size);
}
/// The part of a across a direction.
template <class T>
Vec3<T> across(const Vec3<T>& a, const Vec3<T>& direction) {
  return shifted(a, T(-dot(a, direction)), direction);
}
template <class T>
Vec3<T> lift(const Vector3& a) {
  return Vec3<T>(T(a(0)), T(a(1)), T(a(2)));
}
template <class T>
Vector3 plain(const Vec3<T>& a) {
  return {plain_value(a(0)), plain_value(a(1)), plain_value(a(2))};
}

/// A feature of a body that is somewhere. Not to outlive either.
template <class T>
class Placed {
 public:
  template <class Pose>
  Placed(const Feature& local, const Pose& pose)
      : feature(local),
        A(pose.A),
        point(pose.point(local.point)),
        axis(rotate(pose.A, local.axis)) {}

  /// x(n)
  Vec3<T> support(const Vec3<T>& n) const {
    using std::sqrt;
    if (feature.kind == FeatureKind::kRim) {
      const Vec3<T> m = cross(axis, cross(n, axis));  // across the axis to rounding
      return shifted(point, T(feature.radius / length(m)), m);
    }
    if (feature.kind == FeatureKind::kEllipsoid) {
      const Vec3<T> w = stretch(n);
      return shifted(point, T(1.0 / sqrt(dot(n, w))), w);
    }
    return point;
  }
  /// How the support moves while n moves by t.
  Vec3<T> bend(const Vec3<T>& n, const Vec3<T>& t) const {
    using std::sqrt;
    if (feature.kind == FeatureKind::kRim) {
      const Vec3<T> b = cross(axis, n);  // R b bᵀ/‖b‖³
      const T square = dot(b, b);
      return times(T(feature.radius * dot(b, t) / (square * sqrt(square))), b);
    }
    if (feature.kind == FeatureKind::kEllipsoid) {
      const Vec3<T> w = stretch(n);  // (S − w wᵀ/σ²)/σ,  σ² = n · w
      const T square = dot(n, w), size = sqrt(square);
      return times(T(1.0 / size), shifted(stretch(t), T(-dot(w, t) / square), w));
    }
    return lift<T>(Vector3::Zero());
  }

  const Feature& feature;
  const Mat3<T>& A;
  const Vec3<T> point, axis;

 private:
  Vec3<T> stretch(const Vec3<T>& n) const {
    return rotate(A, rotate(feature.squares, rotate_back(A, n)));
  }
};

}  // namespace features
}  // namespace picus
