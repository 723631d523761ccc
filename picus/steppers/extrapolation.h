// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Extrapolation of methods that step across impacts, where there is no impact: options and maker.

#include <memory>

#include "picus/steppers/nonsmooth_methods.h"

namespace picus {

/// The method that is repeated with smaller steps.
enum class BaseMethod { kMoreauMidpoint, kMoreauJean };
template <>
struct EnumNames<BaseMethod> {
  static constexpr std::array<std::string_view, 2> names{"moreau_midpoint", "moreau_jean"};
};

/// Into how many substeps a step is divided, one number per order.
enum class SubstepSequence {
  kOdd,  ///< 1, 3, 5, …: what is left of ġ at closed contacts keeps its sign and decays
  kAll   ///< 1, 2, 3, …: it alternates, and extrapolation makes it grow, (47)
};
template <>
struct EnumNames<SubstepSequence> {
  static constexpr std::array<std::string_view, 2> names{"odd", "all"};
};

/// The restitution of contacts in steps larger than the smallest, studer-leine-glocker §8.2.
enum class RestitutionRule {
  kConstant,
  kFading  ///< e^(h/h_min): none where contacts endure
};
template <>
struct EnumNames<RestitutionRule> {
  static constexpr std::array<std::string_view, 2> names{"constant", "fading"};
};

struct ExtrapolationOptions {
  BaseMethod base = BaseMethod::kMoreauMidpoint;
  int order = 0;      ///< rows of the tableau of every smooth step; 0: as many as accuracy takes
  int max_order = 6;  ///< of those
  double atol = 0.0;  ///< of positions and of velocities; 0: the tolerance of the run, or 1e-8
  double rtol = 0.0;  ///< the same, relative to the largest of them
  SubstepSequence substeps = SubstepSequence::kOdd;
  RestitutionRule restitution = RestitutionRule::kConstant;
  ContactOptions contact = {.contact_tolerance = 1e-12};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("base", self.base, "base method: moreau_midpoint or moreau_jean");
    visit(
        "order", self.order,
        "rows of the tableau in steps without switching points; 0: as many as the tolerance needs");
    visit("max_order", self.max_order, "largest number of rows");
    visit("atol", self.atol,
          "error of a step in positions and velocities; 0: the tolerance of the run, or 1e-8");
    visit("rtol", self.rtol, "the same, relative to the largest position and velocity");
    visit("substeps", self.substeps, "odd (1, 3, 5, …) or all (1, 2, 3, …)");
    visit("restitution", self.restitution,
          "constant, or fading as e^(h/h_min) where contacts persist");
    ContactOptions::for_each_field(self.contact, visit);
  }
};

/// Throws InputError when an option is out of its range.
std::unique_ptr<Stepper> make_extrapolation(const ExtrapolationOptions& options = {});
/// Over any method that is a BaseScheme; of the options `base` and `contact` are not read. Throws
/// InputError when the method declares no expansion of its error.
std::unique_ptr<Stepper> make_extrapolation(const ExtrapolationOptions& options,
                                            std::unique_ptr<Stepper> base);

}  // namespace picus
