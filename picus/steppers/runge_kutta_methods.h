// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runge–Kutta methods for smooth motions, on the equations with joints at acceleration level,
// acary (71)–(73): options and makers. Each method lives in its own file.
//
//   method          stages                                      orders
//   half_explicit   explicit in q, v and x, linear in v̇ and λ   2, 3, 4, 5, 6
//   radau_iia       implicit, all at once                       3, 5
//   lobatto_iiia    implicit, all at once                       2, 4, 6

#include <memory>

#include "picus/steppers/alpha_methods.h"

namespace picus {

/// What happens to constraints that hold at acceleration level only, and so drift.
enum class DriftProjection {
  kNone,
  kPositionsAndVelocities  ///< after each step, by the smallest change in kinetic energy
};
template <>
struct EnumNames<DriftProjection> {
  static constexpr std::array<std::string_view, 2> names{"none", "positions_and_velocities"};
};

/// Settings common to all methods of the family.
struct RungeKuttaOptions {
  DriftProjection projection = DriftProjection::kPositionsAndVelocities;
  WeightKind error_weights = WeightKind::kMotion;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("projection", self.projection,
          "projection onto the constraints after each step: none or positions_and_velocities");
    visit("error_weights", self.error_weights,
          "scales of errors, negrut-hht-i3 (35): motion or paper");
  }
};

struct HalfExplicitOptions {
  int order = 5;
  RungeKuttaOptions common = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("order", self.order,
          "2 (midpoint), 3 (Bogacki-Shampine), 4 (classical), 5 (Dormand-Prince) or 6 (Verner)");
    RungeKuttaOptions::for_each_field(self.common, visit);
  }
};

struct RadauOptions {
  int order = 5;
  RungeKuttaOptions common = {};
  NewtonOptions newton = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("order", self.order, "3 or 5, with 2 or 3 stages");
    RungeKuttaOptions::for_each_field(self.common, visit);
    NewtonOptions::for_each_field(self.newton, visit);
  }
};

struct LobattoOptions {
  int order = 4;
  RungeKuttaOptions common = {};
  NewtonOptions newton = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("order", self.order, "2 (trapezoidal rule), 4 or 6, with 2, 3 or 4 stages");
    RungeKuttaOptions::for_each_field(self.common, visit);
    NewtonOptions::for_each_field(self.newton, visit);
  }
};

// Makers throw InputError when an option is out of its range.
std::unique_ptr<Stepper> make_half_explicit(const HalfExplicitOptions& options = {});
std::unique_ptr<Stepper> make_radau_iia(const RadauOptions& options = {});
std::unique_ptr<Stepper> make_lobatto_iiia(const LobattoOptions& options = {});

}  // namespace picus
