// SPDX-License-Identifier: BSD-3-Clause
// Bodies, their mass properties and markers.
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "picus/mechanism/assembler.h"

namespace picus {
namespace {

Matrix3 rotation_about(const Vector3& axis, double angle) {
  return rotation_matrix(quaternion_of(Vector3(angle * axis.normalized())));
}

struct MassProperties {
  double mass = 0.0;
  Vector3 center = Vector3::Zero();
  Matrix3 inertia = Matrix3::Zero();
};

const ShapePlace& place_of(const Shape& shape) {
  return std::visit([](const auto& s) -> const ShapePlace& { return s; }, shape);
}

// Inertia of the shape for unit mass, in the body's axes; `volume` comes back too.
Matrix3 unit_inertia(const Shape& shape, double& volume) {
  const VolumeProperties properties =
      std::visit([](const auto& s) { return s.properties(); }, shape);
  volume = properties.volume;
  const ShapePlace& place = place_of(shape);
  const Matrix3 axes = place.axis ? frame_along(*place.axis) : Matrix3(Matrix3::Identity());
  return axes * (properties.inertia / properties.volume).asDiagonal() * axes.transpose();
}

Matrix3 inertia_matrix(const std::vector<double>& j) {
  Matrix3 J = Matrix3::Zero();
  if (j.size() == 1) {
    J(2, 2) = j[0];
  } else {
    J.diagonal() << j[0], j[1], j[2];
    if (j.size() == 6) {
      J(0, 1) = J(1, 0) = j[3];
      J(0, 2) = J(2, 0) = j[4];
      J(1, 2) = J(2, 1) = j[5];
    }
  }
  return J;
}

// What is wrong with the mass properties; empty when nothing is.
std::string fault_of(const MassProperties& p, BodyKind kind) {
  if (!(p.mass > 0.0))
    return fmt::format(
        "found a mass of {:g}, expected a positive one: give mass, or shape and density", p.mass);
  if (kind == BodyKind::kPoint || kind == BodyKind::kPlanarPoint) return {};
  if (kind == BodyKind::kPlanar) {
    if (p.inertia(2, 2) > 0.0) return {};
    return "has no inertia about z: give inertia (one number) or a shape";
  }
  const Vector3 principal = Eigen::SelfAdjointEigenSolver<Matrix3>(p.inertia).eigenvalues();
  if (!(principal(0) > 0.0)) {
    return fmt::format(
        "has no inertia about one axis (principal inertias {:g}, {:g}, {:g}): give inertia with "
        "three "
        "or six numbers, or a shape with volume",
        principal(0), principal(1), principal(2));
  }
  if (principal(0) + principal(1) < principal(2) * (1.0 - 1e-9)) {
    return fmt::format(
        "has principal inertias {:g}, {:g}, {:g} that no real body has: the largest exceeds the "
        "sum of "
        "the others",
        principal(0), principal(1), principal(2));
  }
  return {};
}

}  // namespace

BodyKind Assembler::kind_of(const BodyPart& part) const {
  const BodyType type =
      part.type.value_or(model_.dimension == 2 ? BodyType::kPlanar : BodyType::kSpatial);
  switch (type) {
    case BodyType::kPlanar:
      return BodyKind::kPlanar;
    case BodyType::kPoint:
      return model_.dimension == 2 ? BodyKind::kPlanarPoint : BodyKind::kPoint;
    case BodyType::kSpatial:
      break;
  }
  return BodyKind::kSpatial;
}

void Assembler::add_bodies() {
  markers_["ground"] = {};
  for (const Named<Marker>& marker : model_.markers) {
    if (!is_new_name(marker.name, marker.place)) continue;
    const Matrix3 axes = frame_along(marker.value.axis.value_or(Vector3::UnitZ()),
                                     marker.value.x_axis.value_or(Vector3::Zero())) *
                         rotation_about(Vector3::UnitZ(), marker.value.angle);
    markers_[marker.name] =
        markers_["ground." + marker.name] = {Bodies::kGround, {marker.value.at, axes}};
  }
  for (const Named<BodyPart>& part : model_.bodies)
    if (is_new_name(part.name, part.place)) add_body(part);
}

void Assembler::add_body(const Named<BodyPart>& named) {
  const BodyPart& part = named.value;
  const BodyKind kind = kind_of(part);
  MassProperties p;
  Matrix3 of_shape = Matrix3::Zero();
  double volume = 0.0;
  if (part.shape) {
    of_shape = unit_inertia(*part.shape, volume);
    p.center = place_of(*part.shape).at;
  }
  if (part.center) p.center = *part.center;
  p.mass = part.mass.value_or(part.density.value_or(0.0) * volume);
  p.inertia = p.mass * of_shape;
  const std::size_t given = part.inertia.size();
  if (given == 1 || given == 3 || given == 6) {
    p.inertia = inertia_matrix(part.inertia);
  } else if (given != 0) {
    complain(named.place, fmt::format("body '{}': found {} numbers for inertia, expected 1, 3 or 6",
                                      named.name, given));
  }
  const std::string fault = fault_of(p, kind);
  if (!fault.empty()) complain(named.place, fmt::format("body '{}' {}", named.name, fault));
  if (kind == BodyKind::kPlanar || kind == BodyKind::kPlanarPoint) {
    if (!part.rotations.empty())
      complain(named.place,
               fmt::format("body '{}' is planar: use angle, not rotations", named.name));
    if (part.angular_velocity.head<2>().norm() > 0.0 || part.velocity(2) != 0.0)
      complain(named.place,
               fmt::format("body '{}' is planar and cannot move out of its plane", named.name));
  }

  Pose<double> pose;
  pose.angle = part.angle;
  pose.A = rotation_about(Vector3::UnitZ(), part.angle);
  for (const Rotation& rotation : part.rotations) {
    if (rotation.axis.norm() == 0.0)
      complain(named.place, fmt::format("body '{}': found a rotation about no axis", named.name));
    else
      pose.A = (pose.A * rotation_about(rotation.axis, rotation.angle)).eval();
  }
  const Vector3 arm = pose.A * p.center;
  pose.r = part.at + arm;
  const Vector3 omega = part.angular_velocity + part.spin * pose.A.col(2);
  SmallVector<double, 6> twist;
  twist << part.velocity + cross(omega, arm), pose.A.transpose() * omega;

  Body body{.name = named.name, .kind = kind, .mass = p.mass, .inertia = p.inertia};
  if (kind == BodyKind::kPlanar) {
    body.inertia.setZero();
    body.inertia(2, 2) = p.inertia(2, 2);
  }
  if (kind == BodyKind::kPoint || kind == BodyKind::kPlanarPoint) body.inertia.setZero();
  const int number = builder_.add_body(std::move(body), pose, twist, -p.center);
  markers_[named.name] = {number, {-p.center, Matrix3::Identity()}};
  for (const Named<Marker>& marker : part.markers) {
    const Matrix3 axes = frame_along(marker.value.axis.value_or(Vector3::UnitZ()),
                                     marker.value.x_axis.value_or(Vector3::Zero())) *
                         rotation_about(Vector3::UnitZ(), marker.value.angle);
    const std::string name = named.name + "." + marker.name;
    if (!markers_.emplace(name, PlacedFrame{number, {marker.value.at - p.center, axes}}).second)
      complain(marker.place, fmt::format("marker '{}' is given twice", name));
  }
}

}  // namespace picus
