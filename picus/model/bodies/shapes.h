// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shapes: what a body looks like, and its mass properties when a density is given. Lengths lie
// along z of the shape's own frame unless stated.

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "picus/model/values.h"

namespace picus {

/// Volume, and inertia about the centre for unit density, in the shape's own axes.
struct VolumeProperties {
  double volume = 0.0;
  Vector3 inertia = Vector3::Zero();
};

/// Where a shape sits on its body.
struct ShapePlace {
  Vector3 at = Vector3::Zero();
  std::optional<Vector3> axis;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("at", self.at, "its centre, in the body's frame", FieldTraits{.unit = unit::kLength});
    visit("axis", self.axis, "its z axis, in the body's frame; default z", FieldTraits{});
  }
};

struct Box : ShapePlace {
  static constexpr std::string_view kType = "box";
  static constexpr std::string_view kSummary = "a cuboid";
  Vector3 size = Vector3::Zero();

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("size", self.size, "lengths along x, y, z",
          FieldTraits{.unit = unit::kLength, .required = true});
    ShapePlace::for_each_field(self, visit);
  }
  VolumeProperties properties() const {
    const Vector3 s = size.cwiseAbs2();
    const double volume = size.prod();
    return {volume, volume / 12.0 * Vector3(s(1) + s(2), s(0) + s(2), s(0) + s(1))};
  }
};

struct Sphere : ShapePlace {
  static constexpr std::string_view kType = "sphere";
  static constexpr std::string_view kSummary = "a solid ball";
  double radius = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("radius", self.radius, "radius", FieldTraits{.unit = unit::kLength, .required = true});
    ShapePlace::for_each_field(self, visit);
  }
  VolumeProperties properties() const {
    const double volume = 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
    return {volume, Vector3::Constant(0.4 * volume * radius * radius)};
  }
};

/// A tube; a cylinder when the bore is zero.
struct Cylinder : ShapePlace {
  static constexpr std::string_view kType = "cylinder";
  static constexpr std::string_view kSummary = "a cylinder, disc or tube along its z axis";
  double radius = 0.0, length = 0.0, bore = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("radius", self.radius, "outer radius",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("length", self.length, "length along z",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("bore", self.bore, "inner radius of a tube", FieldTraits{.unit = unit::kLength});
    ShapePlace::for_each_field(self, visit);
  }
  VolumeProperties properties() const {
    const double squares = radius * radius + bore * bore;
    const double volume = std::numbers::pi * (radius * radius - bore * bore) * length;
    const double across = volume * (3.0 * squares + length * length) / 12.0;
    return {volume, {across, across, 0.5 * volume * squares}};
  }
};

struct Capsule : ShapePlace {
  static constexpr std::string_view kType = "capsule";
  static constexpr std::string_view kSummary = "a cylinder along its z axis with round ends";
  double radius = 0.0, length = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("radius", self.radius, "radius", FieldTraits{.unit = unit::kLength, .required = true});
    visit("length", self.length, "length of the cylindrical part",
          FieldTraits{.unit = unit::kLength, .required = true});
    ShapePlace::for_each_field(self, visit);
  }
  VolumeProperties properties() const {
    const double r2 = radius * radius;
    const double cylinder = std::numbers::pi * r2 * length;
    const double ball = 4.0 / 3.0 * std::numbers::pi * r2 * radius;
    const double half = 0.5 * length;
    // a half ball has its centre 3/8 r beyond the end of the cylinder
    const double across = cylinder * (3.0 * r2 + length * length) / 12.0 +
                          ball * (0.4 * r2 + half * half + 0.75 * half * radius);
    return {cylinder + ball, {across, across, 0.5 * cylinder * r2 + 0.4 * ball * r2}};
  }
};

/// A slender rod along its x axis: mass per length would be a density, so give the mass.
struct Rod : ShapePlace {
  static constexpr std::string_view kType = "rod";
  static constexpr std::string_view kSummary =
      "a rod along x (not z), slender or of square section: the link of a mechanism";
  double length = 0.0, width = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("length", self.length, "length along x",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("width", self.width, "side of the section; 0 for a slender rod, which needs a mass",
          FieldTraits{.unit = unit::kLength});
    ShapePlace::for_each_field(self, visit);
  }
  /// A slender rod has unit "volume", so that only a given mass scales it.
  VolumeProperties properties() const {
    const double volume = width > 0.0 ? length * width * width : 1.0;
    const double along = volume * width * width / 6.0;
    const double across = volume * (length * length + width * width) / 12.0;
    return {volume, {along, across, across}};
  }
};

/// Triangles over shared points.
struct Triangles {
  std::vector<Vector3> points;
  std::vector<std::array<int, 3>> corners;
};

/// A surface from a file. Where it is closed, mass properties follow from what it encloses.
struct MeshShape : ShapePlace {
  static constexpr std::string_view kType = "mesh";
  static constexpr std::string_view kSummary =
      "a surface from an OBJ or STL file; closed ones give volume, centre of mass and inertia";
  std::string file;
  double scale = 1.0;
  Triangles surface;  ///< set by the reader, scaled

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("file", self.file, "file (.obj or .stl), relative to the model file that names it",
          FieldTraits{.required = true});
    visit("scale", self.scale, "metres per unit of the file: 0.001 if it is in millimetres",
          FieldTraits{});
    ShapePlace::for_each_field(self, visit);
  }
};

using Shape = std::variant<Box, Sphere, Cylinder, Capsule, Rod, MeshShape>;

}  // namespace picus
