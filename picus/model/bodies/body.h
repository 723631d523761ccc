// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "picus/base/fields.h"
#include "picus/model/bodies/shapes.h"

namespace picus {

enum class BodyType { kSpatial, kPlanar, kPoint };
template <>
struct EnumNames<BodyType> {
  static constexpr std::array<std::string_view, 3> names{"spatial", "planar", "point"};
};

/// A turn about an axis through the origin.
struct Rotation {
  Vector3 axis = Vector3::UnitZ();
  double angle = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("axis", self.axis, "axis of the rotation", FieldTraits{});
    visit("angle", self.angle, "angle of the rotation",
          FieldTraits{.unit = unit::kAngle, .required = true});
  }
};

/// A named frame on a body or on the ground.
struct Marker {
  Vector3 at = Vector3::Zero();
  std::optional<Vector3> axis = {}, x_axis = {};
  double angle = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("at", self.at, "its origin, in the body's frame", FieldTraits{.unit = unit::kLength});
    visit("axis", self.axis, "its z axis, in the body's frame; default z", FieldTraits{});
    visit("x_axis", self.x_axis, "direction near its x axis, in the body's frame", FieldTraits{});
    visit("angle", self.angle, "rotation of its x axis about its z axis",
          FieldTraits{.unit = unit::kAngle});
  }
};

/// A rigid body or a particle.
struct BodyPart {
  std::optional<BodyType> type;
  std::optional<double> mass;
  std::vector<double> inertia;
  std::optional<double> density;
  std::optional<Shape> shape;
  std::optional<Vector3> center;
  Vector3 at = Vector3::Zero();
  double angle = 0.0;
  std::vector<Rotation> rotations;
  Vector3 velocity = Vector3::Zero();
  Vector3 angular_velocity = Vector3::Zero();
  double spin = 0.0;
  std::vector<Named<Marker>> markers;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("type", self.type,
          "spatial, planar or point; default: planar in a 2D model, else spatial", FieldTraits{});
    visit("mass", self.mass, "mass; default: from shape and density",
          FieldTraits{.unit = unit::kMass});
    visit("inertia", self.inertia,
          "about the centre of mass: one number (planar), Jxx, Jyy, Jzz, or also Jxy, Jxz, Jyz "
          "(entries of the matrix); default: from the shape",
          FieldTraits{.unit = unit::kInertia});
    visit("density", self.density, "density of the shape", FieldTraits{.unit = unit::kDensity});
    visit("shape", self.shape, "shape, for mass properties and pictures", FieldTraits{});
    visit("center", self.center,
          "centre of mass, in the body's frame; default: the centre of the shape, or the origin",
          FieldTraits{.unit = unit::kLength});
    visit("at", self.at, "initial position of the body's origin",
          FieldTraits{.unit = unit::kLength});
    visit("angle", self.angle, "initial rotation about z", FieldTraits{.unit = unit::kAngle});
    visit("rotations", self.rotations,
          "initial orientation: successive rotations, each about the axes of the body as rotated "
          "so far; applied after `angle`",
          FieldTraits{});
    visit("velocity", self.velocity, "initial velocity of the body's origin",
          FieldTraits{.unit = unit::kSpeed});
    visit("angular_velocity", self.angular_velocity,
          "initial angular velocity, along axes in space",
          FieldTraits{.unit = unit::kAngularVelocity});
    visit("spin", self.spin,
          "initial angular velocity about the body's z axis, added to angular_velocity",
          FieldTraits{.unit = unit::kAngularVelocity});
    visit("markers", self.markers, "named frames on the body", FieldTraits{});
  }
};

}  // namespace picus
