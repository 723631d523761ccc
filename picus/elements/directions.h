// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The geometry of mechanisms in a dozen small formulas. A direction looks at two bodies I and J and
// states a row: twelve numbers that, times the velocities of the bodies, give a rate,
//
//   rate = row · (v_I, ω_I, v_J, ω_J)        v in space, ω in the body's own frame.
//
// A measure is a direction with a value whose rate that is. Joints set measures to zero, prescribed
// motions set them to a function of time, rolling sets rates to zero; forces and torques work along
// a row; formulas read values and rates. All further derivatives follow from the row by duals; a
// direction may state its Hessian ∂row/∂(pose) by hand where that pays, and what convective.h is
// about.
//
// Adding one: a struct here and its name in the list at the end.

#include <variant>

#include "picus/elements/ball_contact.h"
#include "picus/elements/feature_contact.h"
#include "picus/elements/rolling.h"
#include "picus/elements/rows.h"
#include "picus/elements/touching.h"

namespace picus {

/// Distance from a point of J to a point of I along an axis fixed in space.
struct Separation {
  Vector3 point_i, point_j, axis;

  template <class T>
  T value(const Pose<T>& i, const Pose<T>& j) const {
    return dot(axis, Vec3<T>(i.point(point_i) - j.point(point_j)));
  }
  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    Row<T> row;
    const Vec3<T> e = rows::lift<T>(axis);
    rows::set(row, 0, 1.0, e, i, point_i);
    rows::set(row, 6, -1.0, e, j, point_j);
    return row;
  }
  double convective(const Pose<double>& i, const Pose<double>& j, const Row<double>& v) const {
    const Vector3 w_i = v.segment<3>(3), w_j = v.segment<3>(9);
    return axis.dot(i.A * cross(w_i, cross(w_i, point_i)) - j.A * cross(w_j, cross(w_j, point_j)));
  }
  void hessian(const Pose<double>& i, const Pose<double>& j, Hessian& H) const {
    H.setZero();
    H.block<3, 3>(3, 3) = skew_product(point_i, i.A.transpose() * axis);
    H.block<3, 3>(9, 9) = -skew_product(point_j, j.A.transpose() * axis);
  }
  Row<double> along_acceleration(const Pose<double>& i, const Pose<double>& j,
                                 const Row<double>& v) const {
    Row<double> row = Row<double>::Zero();
    const Vector3 w_i = v.segment<3>(3), w_j = v.segment<3>(9);
    row.segment<3>(3) = cross(cross(w_i, cross(w_i, point_i)), rotate_back(i.A, axis));
    row.segment<3>(9) = -cross(cross(w_j, cross(w_j, point_j)), rotate_back(j.A, axis));
    return row;
  }

  bool operator==(const Separation&) const = default;
};

/// Distance from a point of J to a point of I along an axis fixed in J.
struct Offset {
  Vector3 point_i, point_j, axis_j;

  template <class T>
  T value(const Pose<T>& i, const Pose<T>& j) const {
    return dot(j.direction(axis_j), Vec3<T>(i.point(point_i) - j.point(point_j)));
  }
  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    Row<T> row;
    const Vec3<T> e = j.direction(axis_j);
    rows::set(row, 0, 1.0, e, i, point_i);
    // J pushes back at the place of the point of I
    rows::set(row, 6, -1.0, e, j, rotate_back(j.A, Vec3<T>(i.point(point_i) - j.r)));
    return row;
  }
  double convective(const Pose<double>& i, const Pose<double>& j, const Row<double>& v) const {
    return convective::of_product(
        Motion3::of_direction(j, v, 6, axis_j),
        Motion3::of_point(i, v, 0, point_i) - Motion3::of_point(j, v, 6, point_j));
  }
  void hessian(const Pose<double>& i, const Pose<double>& j, Hessian& H) const {
    const Vector3 e = j.direction(axis_j), arm = j.A.transpose() * (i.point(point_i) - j.r);
    const Matrix3 E = skew(axis_j), back_i = i.A.transpose() * j.A;  // J's axes in I
    H.setZero();
    H.block<3, 3>(0, 9) = -j.A * E;
    H.block<3, 3>(3, 3) = skew_product(point_i, i.A.transpose() * e);
    H.block<3, 3>(3, 9) = -skew(point_i) * back_i * E;
    H.block<3, 3>(6, 9) = j.A * E;
    // the turning part of J is axis × arm
    H.block<3, 3>(9, 0) = E * j.A.transpose();
    H.block<3, 3>(9, 3) = -E * back_i.transpose() * skew(point_i);
    H.block<3, 3>(9, 6) = -E * j.A.transpose();
    H.block<3, 3>(9, 9) = E * skew(arm);
  }
  Row<double> along_acceleration(const Pose<double>& i, const Pose<double>& j,
                                 const Row<double>& v) const {
    MovingVector apart, e;
    apart.add_point(1.0, i, v, 0, point_i);
    apart.add_point(-1.0, j, v, 6, point_j);
    e.add_direction(1.0, j, v, 6, axis_j);
    return convective::along_product(e, apart, 2);
  }

  bool operator==(const Offset&) const = default;
};

/// Cosine of the angle between an axis of I and an axis of J.
struct Alignment {
  Vector3 axis_i, axis_j;

  template <class T>
  T value(const Pose<T>& i, const Pose<T>& j) const {
    return dot(i.direction(axis_i), j.direction(axis_j));
  }
  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    Row<T> row = rows::zero<T>();
    row.template segment<3>(3) = cross(axis_i, rotate_back(i.A, j.direction(axis_j)));
    row.template segment<3>(9) = cross(axis_j, rotate_back(j.A, i.direction(axis_i)));
    return row;
  }
  double convective(const Pose<double>& i, const Pose<double>& j, const Row<double>& v) const {
    return convective::of_product(Motion3::of_direction(i, v, 0, axis_i),
                                  Motion3::of_direction(j, v, 6, axis_j));
  }
  void hessian(const Pose<double>& i, const Pose<double>& j, Hessian& H) const {
    const Matrix3 I = skew(axis_i), J = skew(axis_j), back_i = i.A.transpose() * j.A;
    H.setZero();
    H.block<3, 3>(3, 3) = skew_product(axis_i, back_i * axis_j);
    H.block<3, 3>(3, 9) = -I * back_i * J;
    H.block<3, 3>(9, 3) = -J * back_i.transpose() * I;
    H.block<3, 3>(9, 9) = skew_product(axis_j, back_i.transpose() * axis_i);
  }
  Row<double> along_acceleration(const Pose<double>& i, const Pose<double>& j,
                                 const Row<double>& v) const {
    MovingVector e_i, e_j;
    e_i.add_direction(1.0, i, v, 0, axis_i);
    e_j.add_direction(1.0, j, v, 6, axis_j);
    return convective::along_product(e_i, e_j, 2);
  }

  bool operator==(const Alignment&) const = default;
};

/// Angle from the x axis of a frame of J to that of I, about the z axis of J.
struct Turn {
  Vector3 x_i, x_j, y_j;

  template <class T>
  T value(const Pose<T>& i, const Pose<T>& j) const {
    using std::atan2;
    const Vec3<T> x = i.direction(x_i);
    return atan2(dot(x, j.direction(y_j)), dot(x, j.direction(x_j)));
  }
  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    const Vec3<T> x = i.direction(x_i);
    const T sine = dot(x, j.direction(y_j)), cosine = dot(x, j.direction(x_j));
    const T square = sine * sine + cosine * cosine;
    const T along_sine = cosine / square, along_cosine = -sine / square;
    Row<T> row = Alignment{x_i, y_j}.row(i, j);
    const Row<T> other = Alignment{x_i, x_j}.row(i, j);
    for (int k = 0; k < 12; ++k)
      row(k) = along_sine * row(k) + along_cosine * other(k);
    return row;
  }

  bool operator==(const Turn&) const = default;
};

/// Angle between two planar bodies, full turns counted by their own coordinates.
struct PlanarTurn {
  double zero = 0.0;   ///< subtracted [rad]
  double sense = 1.0;  ///< −1 to count clockwise, as mirrored parts do

  template <class T>
  T value(const Pose<T>& i, const Pose<T>& j) const {
    return sense * (i.angle - j.angle - zero);
  }
  template <class T>
  Row<T> row(const Pose<T>&, const Pose<T>&) const {
    Row<T> row = rows::zero<T>();
    row(5) = T(sense);
    row(11) = T(-sense);
    return row;
  }
  double convective(const Pose<double>&, const Pose<double>&, const Row<double>&) const {
    return 0.0;
  }
  void hessian(const Pose<double>&, const Pose<double>&, Hessian& H) const { H.setZero(); }
  Row<double> along_acceleration(const Pose<double>&, const Pose<double>&,
                                 const Row<double>&) const {
    return Row<double>::Zero();
  }

  bool operator==(const PlanarTurn&) const = default;
};

/// One component of the rotation vector from a frame of J to a frame of I, in J's frame.
struct Twist {
  Matrix3 frame_i, frame_j;  ///< axes of the frames as columns, in the bodies
  int component = 0;

  template <class T>
  T value(const Pose<T>& i, const Pose<T>& j) const {
    Mat3<T> relative;
    for (int c = 0; c < 3; ++c) {
      const Vec3<T> axis = i.direction(frame_i.col(c));
      for (int k = 0; k < 3; ++k)
        relative(k, c) = dot(j.direction(frame_j.col(k)), axis);
    }
    return rotation_vector(relative)(component);
  }
  /// By differentiation of the value; rows of duals are duals of duals.
  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const;

  bool operator==(const Twist&) const = default;
};

/// Relative angular velocity about an axis fixed in J. No value: rotations in space do not add up.
struct Spin {
  Vector3 axis_j;

  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    Row<T> row = rows::zero<T>();
    row.template segment<3>(3) = rotate_back(i.A, j.direction(axis_j));
    for (int k = 0; k < 3; ++k)
      row(9 + k) = T(-axis_j(k));
    return row;
  }

  bool operator==(const Spin&) const = default;
};

/// Velocity of a point of I relative to the point of J that is there now, along an axis fixed in I
/// or in space: what a force with that line of action works on.
struct Push {
  Vector3 point_i, axis;
  bool axis_in_i = false;

  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    Row<T> row;
    const Vec3<T> e = axis_in_i ? i.direction(axis) : rows::lift<T>(axis);
    rows::set(row, 0, 1.0, e, i, point_i);
    rows::set(row, 6, -1.0, e, j, rotate_back(j.A, Vec3<T>(i.point(point_i) - j.r)));
    return row;
  }

  bool operator==(const Push&) const = default;
};

template <class T>
Row<T> Twist::row(const Pose<T>& i, const Pose<T>& j) const {
  using D = Dual<12, T>;
  // perturb in the richer scalar: translation does not matter, rotations do
  const auto turned = [](const Pose<T>& pose, int first) {
    Pose<D> result;
    for (int k = 0; k < 3; ++k) {
      const Vec3<T> a(pose.A(k, 0), pose.A(k, 1), pose.A(k, 2));
      for (int c = 0; c < 3; ++c)
        result.A(k, c) = D(a(c));
      for (int m = 0; m < 3; ++m) {
        const auto slot = static_cast<std::size_t>(first) + static_cast<std::size_t>(m);
        result.A(k, (m + 1) % 3).grad[slot] = a((m + 2) % 3);
        result.A(k, (m + 2) % 3).grad[slot] = -a((m + 1) % 3);
      }
    }
    return result;
  };
  const D angle = value(turned(i, 3), turned(j, 9));
  Row<T> row;
  for (int k = 0; k < 12; ++k)
    row(k) = angle.d(k);
  return row;
}

using Direction = std::variant<Separation, Offset, Alignment, Distance, Turn, PlanarTurn, Twist,
                               Spin, Push, BallSlip, DiscHeight, DiscSlip, CentreDistance,
                               RoundSlip, BallPairSlip, BallPlaneSlip, FeatureGap, FeatureSlip>;

}  // namespace picus
