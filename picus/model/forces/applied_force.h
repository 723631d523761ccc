// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "picus/base/fields.h"
#include "picus/model/force_equations.h"

namespace picus {

/// The axes that components of a force refer to.
enum class ForceAxes { kGround, kBody };
template <>
struct EnumNames<ForceAxes> {
  static constexpr std::array<std::string_view, 2> names{"ground", "body"};
};

/// A force on a point of a body.
struct PointForce {
  static constexpr std::string_view kType = "force";
  static constexpr std::string_view kSummary =
      "a force on a point of a body, by formulas, along axes of the ground or of the body";

  Name body;
  std::optional<Vector3> at;
  std::vector<Formula> force;
  ForceAxes axes = ForceAxes::kGround;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("body", self.body, "body or marker", FieldTraits{.required = true, .former = "on"});
    visit("at", self.at,
          "the point, in space, at the initial position; default: the marker or the body's origin",
          FieldTraits{.unit = unit::kLength});
    visit("force", self.force, "components along x, y (and z): numbers or formulas",
          FieldTraits{.unit = unit::kForce, .required = true});
    visit("axes", self.axes, "ground, or body for a force that rotates with it", FieldTraits{});
  }

  void state(ForceEquations& e) const {
    static constexpr std::array names{"fx", "fy", "fz"};
    for (std::size_t k = 0; k < force.size() && k < 3; ++k) {
      const Vector3 axis = axes == ForceAxes::kBody
                               ? Vector3(e.frame_i().axes.col(static_cast<int>(k)))
                               : Vector3(e.frame_j().axes.col(static_cast<int>(k)));
      e.add({names[k], Push{e.frame_i().point, axis, axes == ForceAxes::kBody},
             FormulaLaw{force[k], unit::kForce}});
    }
  }
};

/// A torque on a body.
struct Torque {
  static constexpr std::string_view kType = "torque";
  static constexpr std::string_view kSummary =
      "a torque on a body or between two bodies, by formulas about the axes of the first";

  std::vector<Name> between;
  std::vector<Formula> torque;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("between", self.between,
          "the body (or marker) that takes the reaction, then the body that the torque acts on; "
          "axes of the first",
          FieldTraits{.required = true});
    visit("torque", self.torque, "components about x, y, z, or one about z: numbers or formulas",
          FieldTraits{.unit = unit::kTorque, .required = true});
  }

  void state(ForceEquations& e) const {
    static constexpr std::array names{"tx", "ty", "tz"};
    const std::size_t first = torque.size() == 1 ? 2 : 0;
    for (std::size_t k = 0; k < torque.size() && k < 3; ++k)
      e.add({names[first + k], e.geometry().spin(static_cast<int>(first + k)),
             FormulaLaw{torque[k], unit::kTorque}});
  }
};

/// A force and a torque between two markers, the VFORCE and GFORCE of multibody programs.
struct GeneralForce {
  static constexpr std::string_view kType = "general_force";
  static constexpr std::string_view kSummary =
      "forces and torques between two markers by formulas, along the axes of the first";

  std::vector<Name> between;
  std::vector<Formula> force, torque;
  bool states = false;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("between", self.between,
          "two markers or bodies; the force acts on the second at its point, the reaction on the "
          "first at the same point",
          FieldTraits{.required = true});
    visit("force", self.force,
          "components along x, y (and z): numbers or formulas of `x`, `y`, `z` (position of the "
          "second marker in the axes of the first), their rates `vx`, `vy`, `vz`, and all other "
          "names",
          FieldTraits{.unit = unit::kForce});
    visit("torque", self.torque, "components about x, y, z, or one about z: numbers or formulas",
          FieldTraits{.unit = unit::kTorque});
    visit("states", self.states,
          "true: the components are unknowns F of the equations, and formulas may name them",
          FieldTraits{});
  }

  void state(ForceEquations& e) const {
    static constexpr std::array names{"fx", "fy", "fz"}, torques{"tx", "ty", "tz"};
    const std::vector<FormulaLaw::LocalName> sight = local_names(e.geometry());
    for (std::size_t k = 0; k < force.size() && k < 3; ++k)
      e.add({names[k], e.geometry().offset(static_cast<JointEquations::Axis>(k)),
             FormulaLaw{force[k], unit::kForce, sight}});
    const std::size_t first = torque.size() == 1 ? 2 : 0;
    for (std::size_t k = 0; k < torque.size() && k < 3; ++k)
      e.add({torques[first + k], e.geometry().spin(static_cast<int>(first + k)),
             FormulaLaw{torque[k], unit::kTorque, sight}});
  }

 private:
  /// x, y, z of the second marker in the axes of the first, and their rates.
  static std::vector<FormulaLaw::LocalName> local_names(const JointEquations& geometry) {
    static constexpr std::array values{"x", "y", "z"}, rates{"vx", "vy", "vz"};
    std::vector<FormulaLaw::LocalName> result;
    for (std::size_t k = 0; k < 3; ++k) {
      const Direction offset = geometry.offset(static_cast<JointEquations::Axis>(k));
      result.push_back({values[k], offset, false, unit::kLength});
      result.push_back({rates[k], offset, true, unit::kSpeed});
    }
    return result;
  }
};

}  // namespace picus
