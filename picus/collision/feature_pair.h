// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The gap between two features in closed form, for numbers and for duals. With d(n) = x_a(−n) −
// x_b(n), the cores of A and B are apart by n · d(n) along n, and the gap is the largest of these,
//
//   gap = max n · d(n) − r_a − r_b,     n · a_a = −slope_a,  n · a_b = slope_b  where they bind n.
//
// n points from B to A. ∂gap is n times what the points of contact move by, since n is the best
// one. Where no closed form is known n is a root that Newton's method finds: to rounding in
// numbers, and by two more steps with duals, each of which doubles the number of derivatives that
// are exact.

#include <array>
#include <type_traits>

#include "picus/collision/features.h"

namespace picus {

/// Where two features are nearest, in space; points are on their surfaces, normals push A.
template <class T>
struct FeatureTouch {
  Vec3<T> normal, point_a, point_b;
  T gap;
};

/// Two features, each in the frame of its body. No pair of an edge, a cone or a face with a face
/// has a gap: there is no single point where they touch, their ends do.
struct FeaturePair {
  Feature a, b;
  /// The normal when the pair was found, in the frame of B: which side A is on.
  Vector3 hint = Vector3::UnitZ();

  template <class Pose>
  auto touch(const Pose& pose_a, const Pose& pose_b) const {
    using T = std::decay_t<decltype(pose_a.r(0))>;
    using namespace features;
    const Placed<T> at_a(a, pose_a), at_b(b, pose_b);
    Vector3 guess = plain(pose_b.direction(hint));
    if constexpr (!std::is_same_v<T, double>)
      if (is_iterated()) guess = touch(plain_pose(pose_a), plain_pose(pose_b)).normal;
    const Vec3<T> n = normal(at_a, at_b, guess);
    const Vec3<T> minus(-n(0), -n(1), -n(2));
    const Vec3<T> x_a = at_a.support(minus), x_b = at_b.support(n);
    const T apart = dot(n, Vec3<T>(x_a - x_b));
    // the point of that core which has one, the point of the other one across
    FeatureTouch<T> touch{.normal = n, .point_a = x_a, .point_b = x_b, .gap = apart};
    const bool is_point_a = !a.is_line() && a.kind != FeatureKind::kFace;
    const bool is_point_b = !b.is_line() && b.kind != FeatureKind::kFace;
    if (!is_point_a && is_point_b)
      touch.point_a = shifted(x_b, apart, n);
    else if (!is_point_a)
      touch.point_a = nearest(at_a, at_b, n);
    if (!is_point_b) touch.point_b = shifted(touch.point_a, T(-apart), n);
    touch.point_a = shifted(touch.point_a, T(-a.rounding), n);
    touch.point_b = shifted(touch.point_b, T(b.rounding), n);
    touch.gap = apart - (a.rounding + b.rounding);
    return touch;
  }
  template <class Pose>
  auto gap(const Pose& pose_a, const Pose& pose_b) const {
    return touch(pose_a, pose_b).gap;
  }
  /// Remembers the normal of a new state, so that pairs may turn as far as they like.
  template <class Pose>
  void settle(const Pose& pose_a, const Pose& pose_b) {
    hint = rotate_back(pose_b.A, touch(pose_a, pose_b).normal);
  }

 private:
  static constexpr int kDualSteps = 2;

  template <class T>
  using Placed = features::Placed<T>;

  bool is_iterated() const { return a.is_round() || b.is_round(); }
  template <class Pose>
  static PoseInSpace plain_pose(const Pose& pose) {
    PoseInSpace result{features::plain(pose.r), {}};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        result.A(i, k) = plain_value(pose.A(i, k));
    return result;
  }

  template <class T>
  static Vec3<T> normal(const Placed<T>& a, const Placed<T>& b, const Vector3& guess) {
    using namespace features;
    if (b.feature.kind == FeatureKind::kFace) return b.axis;
    if (a.feature.kind == FeatureKind::kFace) return times(T(-1.0), a.axis);
    if (a.feature.is_line() && b.feature.is_line()) return across_lines(a, b, guess);
    if (a.feature.is_line())
      return b.feature.is_round() ? along_line(a, b, a.axis, -a.feature.slope, guess)
                                  : towards_line(a, b, a.axis, -a.feature.slope, guess);
    if (b.feature.is_line())
      return a.feature.is_round() ? along_line(a, b, b.axis, b.feature.slope, guess)
                                  : towards_line(a, b, b.axis, b.feature.slope, guess);
    const bool is_rim_a = a.feature.kind == FeatureKind::kRim,
               is_rim_b = b.feature.kind == FeatureKind::kRim;
    if (!a.feature.is_round() && !b.feature.is_round())
      return sided(normalized(Vec3<T>(a.point - b.point)), guess);
    if (is_rim_b && !a.feature.is_round()) return towards_rim(b, a.point, T(1.0), guess);
    if (is_rim_a && !b.feature.is_round()) return towards_rim(a, b.point, T(-1.0), guess);
    return freely(a, b, guess);
  }

  template <class T>
  static Vec3<T> sided(const Vec3<T>& n, const Vector3& guess) {
    return features::plain(n).dot(guess) < 0.0 ? features::times(T(-1.0), n) : n;
  }

  // Two edges or cones bind n: n = α a_a + β a_b ± γ a_a × a_b.
  template <class T>
  static Vec3<T> across_lines(const Placed<T>& a, const Placed<T>& b, const Vector3& guess) {
    using namespace features;
    using std::sqrt;
    const Vec3<T> c = cross(a.axis, b.axis);
    if (a.feature.slope == 0.0 && b.feature.slope == 0.0) return sided(normalized(c), guess);
    const T both = dot(a.axis, b.axis), square = 1.0 - both * both;
    const double of_a = -a.feature.slope, of_b = b.feature.slope;
    const T alpha = (of_a - both * of_b) / square, beta = (of_b - both * of_a) / square;
    const T rest = sqrt((1.0 - alpha * of_a - beta * of_b) / square);
    const T side = plain(c).dot(guess) < 0.0 ? T(-1.0 * rest) : rest;
    return shifted(shifted(times(alpha, a.axis), beta, b.axis), side, c);
  }

  // A vertex and a line that binds n · axis: n lies in the plane of both.
  template <class T>
  static Vec3<T> towards_line(const Placed<T>& a, const Placed<T>& b, const Vec3<T>& axis,
                              double bound, const Vector3& guess) {
    using namespace features;
    const Vec3<T> out = sided(normalized(across(Vec3<T>(a.point - b.point), axis)), guess);
    return shifted(times(T(bound), axis), T(std::sqrt(1.0 - bound * bound)), out);
  }

  template <class T>
  static Vec3<T> towards_rim(const Placed<T>& rim, const Vec3<T>& point, const T& sign,
                             const Vector3& guess) {
    using namespace features;
    const Vec3<T> d = point - rim.point, out = normalized(across(d, rim.axis));
    return sided(times(sign, normalized(shifted(d, T(-rim.feature.radius), out))), guess);
  }

  // One angle around a line is free: n = bound a + s m with m ⟂ a, and d · (a × m) = 0.
  template <class T>
  static Vec3<T> along_line(const Placed<T>& a, const Placed<T>& b, const Vec3<T>& axis,
                            double bound, const Vector3& guess) {
    using namespace features;
    const double s = std::sqrt(1.0 - bound * bound);
    const auto from = [&](const Vec3<T>& m) { return shifted(times(T(bound), axis), T(s), m); };
    Vec3<T> m = normalized(across(lift<T>(guess), axis));
    iterate<T>(m, [&](Vec3<T>& at) {
      const Vec3<T> n = from(at), minus = times(T(-1.0), n), t = cross(axis, at);
      const Vec3<T> d = a.support(minus) - b.support(n);
      const T turn = s * dot(t, Vec3<T>(a.bend(minus, t) + b.bend(n, t)));
      const T step = dot(d, t) / steep(turn, T(dot(d, at)));
      at = normalized(shifted(at, limited(step), t));
      return std::abs(plain_value(step));
    });
    return from(m);
  }

  // d ∥ n: both tangents t of n have t · d = 0.
  template <class T>
  static Vec3<T> freely(const Placed<T>& a, const Placed<T>& b, const Vector3& guess) {
    using namespace features;
    int least = 0;
    guess.cwiseAbs().minCoeff(&least);
    const Vec3<T> aside = lift<T>(Vector3::Unit(least));
    Vec3<T> n = normalized(lift<T>(guess));
    iterate<T>(n, [&](Vec3<T>& at) {
      const Vec3<T> minus = times(T(-1.0), at);
      const Vec3<T> t = normalized(cross(aside, at)), u = cross(at, t);
      const Vec3<T> d = a.support(minus) - b.support(at);
      const Vec3<T> by_t = a.bend(minus, t) + b.bend(at, t),
                    by_u = a.bend(minus, u) + b.bend(at, u);
      T tt = dot(t, by_t), uu = dot(u, by_u);
      const T tu = dot(t, by_u), apart = dot(at, d);
      // where n is no maximum the distance counts less
      const T least_bend = 0.5 * (tt + uu - features::length(Vec3<T>(tt - uu, 2.0 * tu, T(0.0))));
      const T shift = steep(least_bend, apart) - least_bend;
      tt += shift;
      uu += shift;
      const T f = dot(t, d), g = dot(u, d), determinant = tt * uu - tu * tu;
      const T along_t = (uu * f - tu * g) / determinant, along_u = (tt * g - tu * f) / determinant;
      const double size = std::hypot(plain_value(along_t), plain_value(along_u));
      const double part = size > kLongest ? kLongest / size : 1.0;
      at = normalized(shifted(shifted(at, T(part * along_t), t), T(part * along_u), u));
      return size;
    });
    return n;
  }

  static constexpr double kLongest = 0.5;  ///< step of a normal
  static constexpr int kSteps = 60;
  static constexpr double kConverged = 1e-9;  ///< the step after is below rounding

  // −∂²(n · d) where it is positive; something positive elsewhere.
  template <class T>
  static T steep(const T& bend, const T& apart) {
    const T sum = bend + apart;
    if (plain_value(sum) > 1e-3 * std::abs(plain_value(apart))) return sum;
    return T(0.5 * std::abs(plain_value(apart)) + 1e-300);
  }
  template <class T>
  static T limited(const T& step) {
    const double size = std::abs(plain_value(step));
    return size > kLongest ? T(step * (kLongest / size)) : step;
  }

  // Newton's method, `step` improves n and returns by how much.
  template <class T, class Step>
  static void iterate(Vec3<T>& n, Step&& step) {
    if constexpr (std::is_same_v<T, double>) {
      for (int k = 0; k < kSteps; ++k)
        if (step(n) < kConverged) return;
    } else {
      for (int k = 0; k < kDualSteps; ++k)
        step(n);
    }
  }

  // The point of A's core where it and B's are nearest, both lines.
  template <class T>
  static Vec3<T> nearest(const Placed<T>& a, const Placed<T>& b, const Vec3<T>& n) {
    using namespace features;
    const Vec3<T> along_a = generator(a, times(T(-1.0), n)), along_b = generator(b, n);
    const Vec3<T> c = cross(along_a, along_b);
    const T u = dot(cross(Vec3<T>(b.point - a.point), along_b), c) / dot(c, c);
    return shifted(a.point, u, along_a);
  }
  // Of an edge, or of a cone where its normal is `out`, towards the apex.
  template <class T>
  static Vec3<T> generator(const Placed<T>& line, const Vec3<T>& out) {
    if (line.feature.slope == 0.0) return line.axis;
    const double cosine = std::sqrt(1.0 - line.feature.slope * line.feature.slope);
    return features::times(T(1.0 / cosine),
                           features::shifted(line.axis, T(-line.feature.slope), out));
  }
};

/// The sums of the curvatures of both surfaces where they touch [1/m], the smaller one first;
/// infinite where one of them is sharp.
std::array<double, 2> relative_curvatures(const FeaturePair& pair, const PoseInSpace& a,
                                          const PoseInSpace& b);

}  // namespace picus
