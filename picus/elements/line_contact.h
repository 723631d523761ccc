// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Contact of round lines. Between two frames A and B a line is the cubic curve that leaves A along
// its x axis and arrives at B along that of B, so a line through many frames has a continuous
// tangent:
//
//   x(s) = x_A + s a + s² (3 c − 2 a − b) + s³ (a + b − 2 c),   c = x_B − x_A, a = L A_A e_x, b = L
//   A_B e_x
//
// A point of the line keeps its s while the line moves; the section there turns with the angular
// velocity (1 − s) ω_A + s ω_B. A contact is between a ball, or such a line, of I and a line of J,
// or between a line of I and a plane of J, at the nearest points: their parameters are functions of
// the frames, which duals find by steps of Newton's method from the solution in numbers.

#include <array>
#include <cmath>

#include "picus/elements/ball_contact.h"

namespace picus {

inline constexpr int kLineColumns = 24;
/// Along the velocities of the frames of I (one for a ball, two for a line) and the two of J.
template <class T>
using LineRow = SmallVector<T, kLineColumns>;
using LineHessian = SmallMatrix<double, kLineColumns, kLineColumns>;
template <class T>
using LineFrames = std::array<Pose<T>, 4>;

/// A point of a line, and its derivatives by s.
template <class T>
struct LinePoint {
  Vec3<T> x, slope, bend;

  LinePoint(const Pose<T>& a, const Pose<T>& b, double length, const T& s) {
    for (int k = 0; k < 3; ++k) {
      const T chord = b.r(k) - a.r(k), start = length * a.A(k, 0), end = length * b.A(k, 0);
      const T square = 3.0 * chord - 2.0 * start - end, cube = start + end - 2.0 * chord;
      x(k) = a.r(k) + s * (start + s * (square + s * cube));
      slope(k) = start + s * (2.0 * square + s * (3.0 * cube));
      bend(k) = 2.0 * square + 6.0 * s * cube;
    }
  }
};

/// Two parts that face each other: a ball or line of I, a line of J; or a line of I and a plane.
struct LineContact {
  bool is_ball = true;    ///< I is one
  bool is_plane = false;  ///< J is one, through `point` of its body, the third frame
  Vector3 point = Vector3::Zero(), plane_normal = Vector3::UnitZ();
  Vector3 centre = Vector3::Zero();       ///< of the ball, in its body
  double length_i = 0.0, length_j = 0.0;  ///< of the pieces of line, unstrained
  double radius_i = 0.0, radius_j = 0.0;
  double s_i = 0.0, s_j = 0.0;               ///< where they are nearest
  bool is_free_i = false, is_free_j = true;  ///< false at the end of a line, and of a ball
  Vector3 axis = Vector3::UnitZ();           ///< of the tangents, see ball_contact.h

  /// The nearest points, and the normal that pushes I.
  template <class T>
  struct Touch {
    T s_i, s_j, distance;
    Vec3<T> x_i = {}, x_j = {}, normal = {};
  };

  template <class T>
  Touch<T> touch(const LineFrames<T>& f) const {
    using std::sqrt;
    Touch<T> touch{.s_i = T(s_i), .s_j = T(s_j), .distance = T(0.0)};
    if (is_plane) {
      touch_plane(f, touch);
      return touch;
    }
    for (int step = 0; step < kNewtonSteps; ++step)
      improve(f, touch);
    touch.x_i = is_ball ? f[0].point(centre) : LinePoint<T>(f[0], f[1], length_i, touch.s_i).x;
    touch.x_j = LinePoint<T>(f[2], f[3], length_j, touch.s_j).x;
    const Vec3<T> apart = touch.x_i - touch.x_j;
    touch.distance = sqrt(dot(apart, apart));
    for (int k = 0; k < 3; ++k)
      touch.normal(k) = apart(k) / touch.distance;
    return touch;
  }

  double gap(const LineFrames<double>& f) const { return touch(f).distance - radius_i - radius_j; }

  /// Velocity of the surface of I relative to that of J: along the normal (which = -1, the rate of
  /// the gap), or along a tangent (0, 1).
  template <class T>
  LineRow<T> row(const LineFrames<T>& f, int which) const {
    const Touch<T> here = touch(f);
    const Vec3<T> e = which < 0 ? here.normal : rows::tangent(here.normal, axis, which);
    LineRow<T> row = LineRow<T>::Constant(T(0.0));
    Vec3<T> arm_i, arm_j;
    for (int k = 0; k < 3; ++k) {
      arm_i(k) = -radius_i * here.normal(k);
      arm_j(k) = radius_j * here.normal(k);
    }
    if (is_ball)
      add_point(row, 0, 1.0, e, f[0].A, Vec3<T>(here.x_i + arm_i - f[0].r));
    else
      add_line(row, 0, 1.0, Ends<T>{f[0].A, f[1].A, length_i}, here.s_i, e, arm_i);
    if (is_plane)
      add_point(row, 12, -1.0, e, f[2].A, Vec3<T>(here.x_i + arm_i - f[2].r));
    else
      add_line(row, 12, -1.0, Ends<T>{f[2].A, f[3].A, length_j}, here.s_j, e, arm_j);
    return row;
  }

 private:
  /// Each doubles the number of derivatives that are exact; second ones are the highest asked for.
  static constexpr int kNewtonSteps = 2;

  // Where the height above the plane is smallest.
  template <class T>
  void touch_plane(const LineFrames<T>& f, Touch<T>& touch) const {
    touch.normal = f[2].direction(plane_normal);
    const Vec3<T> from = f[2].point(point);
    for (int step = 0; step < (is_free_i ? kNewtonSteps : 0); ++step) {
      const LinePoint<T> i(f[0], f[1], length_i, touch.s_i);
      touch.s_i = touch.s_i - dot(touch.normal, i.slope) / dot(touch.normal, i.bend);
    }
    touch.x_i = LinePoint<T>(f[0], f[1], length_i, touch.s_i).x;
    touch.distance = dot(touch.normal, Vec3<T>(touch.x_i - from));
    for (int k = 0; k < 3; ++k)
      touch.x_j(k) = touch.x_i(k) - touch.distance * touch.normal(k);
  }

  // A step of Newton's method for (x_i − x_j)·∂x_i = 0 and (x_i − x_j)·∂x_j = 0.
  template <class T>
  void improve(const LineFrames<T>& f, Touch<T>& touch) const {
    const LinePoint<T> j(f[2], f[3], length_j, touch.s_j);
    if (!is_free_i) {
      if (!is_free_j) return;
      const Vec3<T> apart =
          Vec3<T>(is_ball ? f[0].point(centre) : LinePoint<T>(f[0], f[1], length_i, touch.s_i).x) -
          j.x;
      touch.s_j = touch.s_j + dot(apart, j.slope) / (dot(j.slope, j.slope) - dot(apart, j.bend));
      return;
    }
    const LinePoint<T> i(f[0], f[1], length_i, touch.s_i);
    const Vec3<T> apart = i.x - j.x;
    const T ii = dot(i.slope, i.slope) + dot(apart, i.bend), f_i = dot(apart, i.slope);
    if (!is_free_j) {
      touch.s_i = touch.s_i - f_i / ii;
      return;
    }
    const T jj = dot(j.slope, j.slope) - dot(apart, j.bend), ij = -dot(i.slope, j.slope);
    const T f_j = -dot(apart, j.slope), determinant = ii * jj - ij * ij;
    touch.s_i = touch.s_i - (jj * f_i - ij * f_j) / determinant;
    touch.s_j = touch.s_j - (ii * f_j - ij * f_i) / determinant;
  }

  // δ(point at `arm` in space from the centre of a body with the axes A) · e
  template <class T>
  static void add_point(LineRow<T>& row, int first, double sign, const Vec3<T>& e, const Mat3<T>& A,
                        const Vec3<T>& arm) {
    const Vec3<T> turn = rotate_back(A, cross(arm, e));
    for (int k = 0; k < 3; ++k) {
      row(first + k) = sign * e(k);
      row(first + 3 + k) = sign * turn(k);
    }
  }

  /// Axes at both ends of a piece, and how long it is.
  template <class T>
  struct Ends {
    const Mat3<T>&A, &B;
    double length;
  };

  // The same of a point at `arm` from the line, fixed in the section at s.
  template <class T>
  static void add_line(LineRow<T>& row, int first, double sign, const Ends<T>& ends, const T& s,
                       const Vec3<T>& e, const Vec3<T>& arm) {
    const double length = ends.length;
    const T end = s * s * (3.0 - 2.0 * s), start = 1.0 - end;
    const T along_a = length * (s * (1.0 - s) * (1.0 - s)), along_b = length * (s * s * (s - 1.0));
    const Vec3<T> moment = cross(arm, e);
    const auto add = [&](int at, const Mat3<T>& axes, const T& share, const T& along,
                         const T& turn) {
      const Vec3<T> inside = rotate_back(axes, e), twist = rotate_back(axes, moment);
      const Vec3<T> tilt(T(0.0), -inside(2), inside(1));  // e_x × Aᵀ e
      for (int k = 0; k < 3; ++k) {
        row(at + k) = sign * share * e(k);
        row(at + 3 + k) = sign * (along * tilt(k) + turn * twist(k));
      }
    };
    add(first, ends.A, start, along_a, T(1.0 - s));
    add(first + 6, ends.B, end, along_b, s);
  }
};

}  // namespace picus
