// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "picus/model/bodies/body.h"
#include "picus/model/flexible/section.h"
#include "picus/model/values.h"

namespace picus {

/// A named frame on a section of a beam.
struct BeamMarker : Marker {
  double s = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("s", self.s,
          "where on the beam, as a part of its length: 0 is `from`, 1 is `to`; a node is put there",
          FieldTraits{.required = true});
    visit("at", self.at, "its origin, in the frame of the section: x along the beam, y up",
          FieldTraits{.unit = unit::kLength});
    visit("axis", self.axis, "its z axis, in the frame of the section; default z", FieldTraits{});
    visit("x_axis", self.x_axis, "direction near its x axis, in the frame of the section",
          FieldTraits{});
    visit("angle", self.angle, "rotation of its x axis about its z axis",
          FieldTraits{.unit = unit::kAngle});
  }
};

/// Which ends of a beam stand still in the modes that are damped.
enum class HeldEnds { kNone, kStart, kEnd, kBoth };
template <>
struct EnumNames<HeldEnds> {
  static constexpr std::array<std::string_view, 4> names{"none", "start", "end", "both"};
};

struct ModalDampingPart {
  std::vector<double> ratios;
  HeldEnds held = HeldEnds::kNone;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("ratios", self.ratios,
          "damping ratios of the lowest modes in turn; modes beyond these are not damped by it",
          FieldTraits{.required = true});
    visit("held", self.held,
          "the ends that stand still in these modes: none (a free beam), start, end or both",
          FieldTraits{});
  }
};

/// A beam that stretches, shears, twists and bends through large rotations.
struct Beam {
  static constexpr std::string_view kSummary =
      "a geometrically exact beam: stretches, shears, twists and bends through large rotations";
  std::optional<Vector3> from, to, via;
  std::vector<Vector3> corners;
  std::vector<Formula> path;
  int elements = 10;
  Section section = CircleSection{};
  std::optional<Name> material;
  std::optional<double> modulus, poisson, density;
  std::optional<Vector3> up;
  double twist = 0.0;
  std::vector<double> offset, shear_centre;
  double damping = 0.0;
  std::optional<ModalDampingPart> modal_damping;
  bool tension_only = false;
  Vector3 velocity = Vector3::Zero(), angular_velocity = Vector3::Zero();
  std::vector<Named<BeamMarker>> markers;
  std::vector<Formula> load, section_load;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("from", self.from, "where it begins, unstrained: its node `start`; not with `path`",
          FieldTraits{.unit = unit::kLength});
    visit("to", self.to, "where it ends: its node `end`; not with `path`",
          FieldTraits{.unit = unit::kLength});
    visit("via", self.via, "a third point; the unstrained beam is the arc of a circle through it",
          FieldTraits{.unit = unit::kLength});
    visit("corners", self.corners,
          "points between `from` and `to`, in turn; the unstrained beam is the polyline through "
          "them, with rigid corners",
          FieldTraits{.unit = unit::kLength});
    visit(
        "path", self.path,
        "the unstrained beam as a curve: formulas of s for x, y (and z), s from 0 at its start to "
        "1 at its end",
        FieldTraits{.unit = unit::kLength});
    visit("elements", self.elements,
          "number of elements of equal length; between markers, as many as keep them no longer",
          FieldTraits{});
    visit("section", self.section, "cross-section", FieldTraits{.required = true});
    visit("material", self.material, "steel, stainless_steel, aluminium or titanium",
          FieldTraits{.is_keyword = true});
    visit("modulus", self.modulus, "Young's modulus; default: that of the material",
          FieldTraits{.unit = unit::kStress});
    visit("poisson", self.poisson,
          "Poisson's ratio; default: that of the material, or 0.3 where modulus and density are "
          "given",
          FieldTraits{});
    visit("density", self.density, "density; default: that of the material",
          FieldTraits{.unit = unit::kDensity});
    visit("up", self.up,
          "direction near the y axis of the section at `from`; default: z in space, the plane's "
          "normal × the beam in a model of dimension 2",
          FieldTraits{});
    visit("twist", self.twist, "turn of the unstrained section about the beam from `from` to `to`",
          FieldTraits{.unit = unit::kAngle});
    visit("offset", self.offset,
          "[y, z] of the centroid in the section, seen from the line between `from` and `to`",
          FieldTraits{.unit = unit::kLength});
    visit("shear_centre", self.shear_centre, "[y, z] of the shear centre, seen from the centroid",
          FieldTraits{.unit = unit::kLength});
    visit("damping", self.damping, "time τ of section forces K (strain + τ strain rate)",
          FieldTraits{.unit = unit::kTime});
    visit("modal_damping", self.modal_damping,
          "further damping, of the lowest modes about the unstrained beam", FieldTraits{});
    visit("tension_only", self.tension_only,
          "no axial force where it is shorter than unstrained, as of a cable", FieldTraits{});
    visit("velocity", self.velocity, "initial velocity of its start",
          FieldTraits{.unit = unit::kSpeed});
    visit("angular_velocity", self.angular_velocity, "initial angular velocity about its start",
          FieldTraits{.unit = unit::kAngularVelocity});
    visit(
        "load", self.load,
        "force per length, components along x, y (and z) of space: numbers or formulas, which may "
        "read place and velocity of the section as x, y, z, vx, vy, vz",
        FieldTraits{.unit = unit::kStiffness});
    visit("section_load", self.section_load,
          "the same along the axes of the section, which turn with it",
          FieldTraits{.unit = unit::kStiffness});
    visit("markers", self.markers, "named frames anywhere on it, BEAM.MARKER", FieldTraits{});
  }
};

}  // namespace picus
