// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "picus/base/fields.h"
#include "picus/model/values.h"

namespace picus {

enum class MassMatrix { kConsistent, kLumped };
template <>
struct EnumNames<MassMatrix> {
  static constexpr std::array<std::string_view, 2> names{"consistent", "lumped"};
};

/// A straight bar that moves and stretches along its axis.
struct Bar {
  static constexpr std::string_view kType = "bar";
  static constexpr std::string_view kSummary =
      "a linear elastic bar: moves, stretches and carries waves along its axis";
  Vector3 from = Vector3::Zero(), to = Vector3::Zero();
  double area = 0.0, modulus = 0.0, density = 0.0;
  double damping = 0.0;
  int elements = 10;
  MassMatrix mass_matrix = MassMatrix::kConsistent;
  Vector3 velocity = Vector3::Zero();

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("from", self.from, "its start, unstressed: node `start`",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("to", self.to, "its end, unstressed: node `end`",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("area", self.area, "area of its cross section",
          FieldTraits{.unit = unit::kArea, .required = true});
    visit("modulus", self.modulus, "Young's modulus",
          FieldTraits{.unit = unit::kStress, .required = true});
    visit("density", self.density, "density",
          FieldTraits{.unit = unit::kDensity, .required = true});
    visit("damping", self.damping, "time τ in the stress E (strain + τ strain rate)",
          FieldTraits{.unit = unit::kTime});
    visit("elements", self.elements, "number of elements of equal length", FieldTraits{});
    visit("mass_matrix", self.mass_matrix,
          "consistent with linear displacements, or lumped at the nodes", FieldTraits{});
    visit("velocity", self.velocity, "initial velocity, along the axis",
          FieldTraits{.unit = unit::kSpeed});
  }
};

}  // namespace picus
