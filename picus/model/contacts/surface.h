// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "picus/base/fields.h"
#include "picus/model/values.h"

namespace picus {

/// Hunt and Crossley's force N = max(0, k δⁿ (1 + c δ̇)) of the penetration δ.
struct HuntCrossley {
  double stiffness = 0.0, exponent = 1.5, dissipation = 0.0;

  /// From gap and gap rate, for numbers and duals.
  template <class T>
  T force(const T& gap, const T& rate) const {
    using std::pow;
    if (!(gap < T(0.0))) return T(0.0);
    const T force = stiffness * pow(-gap, exponent) * (1.0 - dissipation * rate);
    return force < T(0.0) ? T(0.0) : force;
  }
  /// Energy stored, had it no damping.
  double energy(double gap) const {
    const double depth = gap < 0.0 ? -gap : 0.0;
    return stiffness * std::pow(depth, exponent + 1.0) / (exponent + 1.0);
  }

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("stiffness", self.stiffness, "k in k δⁿ, in SI units (N/mⁿ)",
          FieldTraits{.required = true});
    visit("exponent", self.exponent, "n in k δⁿ", FieldTraits{});
    visit("dissipation", self.dissipation, "c in 1 + c δ̇, in s/m", FieldTraits{});
  }
};

/// A contact that gives way.
struct Compliance {
  HuntCrossley normal;
  double slip_speed = 1e-3;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    HuntCrossley::for_each_field(self.normal, visit);
    visit("slip_speed", self.slip_speed, "sliding speed at which friction is close to its limit",
          FieldTraits{.unit = unit::kSpeed});
  }
};

/// What the coefficient of restitution is a ratio of.
enum class RestitutionLaw {
  kNewton,  ///< velocities after and before
  kPoisson  ///< impulses of expansion and compression
};
template <>
struct EnumNames<RestitutionLaw> {
  static constexpr std::array<std::string_view, 2> names{"newton", "poisson"};
};

/// How surfaces meet, whatever their shape.
struct Surface {
  double restitution = 0.0, friction = 0.0, tangential_restitution = 0.0;
  RestitutionLaw restitution_law = RestitutionLaw::kNewton;
  std::optional<Compliance> compliance;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("restitution", self.restitution,
          "e in [0, 1]: ratio of the velocities after and before an impact", FieldTraits{});
    visit("friction", self.friction, "Coulomb's coefficient of friction", FieldTraits{});
    visit("tangential_restitution", self.tangential_restitution,
          "restitution of the sliding velocity of sticking contacts, in [0, 1]", FieldTraits{});
    visit("restitution_law", self.restitution_law,
          "newton: restitution is a ratio of velocities; poisson: a ratio of impulses, which adds "
          "no energy with friction",
          FieldTraits{});
    visit("compliance", self.compliance,
          "a force law of penetration instead of impacts; restitution is then ignored",
          FieldTraits{});
  }
};

}  // namespace picus
