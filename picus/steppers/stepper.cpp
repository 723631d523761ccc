// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/stepper.h"

#include <algorithm>

#include <fmt/format.h>

#include "picus/steppers/resting_contacts.h"

namespace picus {

namespace {

// "slider.x" rather than "momentum of slider.x"
std::string unknown_of(const System& system, const StepReport& report) {
  const std::string name = system.name_of(report.worst_kind, report.worst_index);
  constexpr std::string_view kMomentum = "momentum of ";
  return name.starts_with(kMomentum) ? name.substr(kMomentum.size()) : name;
}

}  // namespace

void Stepper::restart(const System& system, State& state) {
  solve_resting_contacts(system, state);
  start(system, state);
}

std::string friction_elements_of(const System& system) {
  constexpr int kShown = 3;
  const SystemSizes n = system.sizes();
  std::string names;
  for (int j = 0; j < std::min(kShown, n.friction_elements); ++j)
    names += fmt::format(
        "{}'{}'", j > 0 ? ", " : "",
        system.name_of(Equation::kNonholonomic, system.contact_law(n.contacts + j).first_slip));
  return fmt::format("friction elements ({}{})", names, n.friction_elements > kShown ? ", …" : "");
}

std::string explain(const System& system, const StepReport& report, double time, double h) {
  const std::string where = fmt::format("{} ({}), scaled residual {:.3g}",
                                        system.name_of(report.worst_kind, report.worst_index),
                                        report.equation, report.worst_residual);
  switch (report.status) {
    case StepReport::Status::kOk:
      if (report.error > 1.0)
        return fmt::format(
            "step from t = {:.9g} s with h = {:.3g} s: the estimated error is {:.3g} times the "
            "tolerance, most of it in the {} {}",
            time, h, report.error, report.equation, unknown_of(system, report));
      return fmt::format("step from t = {:.9g} s with h = {:.3g} s succeeded", time, h);
    case StepReport::Status::kNotConverged:
      return fmt::format(
          "step from t = {:.9g} s with h = {:.3g} s did not converge in {} iterations (rate "
          "{:.2g}); "
          "worst equation: {}. Try a smaller step, consistent initial values, or, if the residual "
          "is small, a larger newton_tolerance",
          time, h, report.newton_iterations, report.newton_rate, where);
    case StepReport::Status::kSingularMatrix:
      return fmt::format(
          "step from t = {:.9g} s with h = {:.3g} s: the matrix is singular near {}. Constraints "
          "have become dependent, or a coordinate has no inertia",
          time, h, where);
    case StepReport::Status::kNotFinite:
      return fmt::format(
          "step from t = {:.9g} s with h = {:.3g} s: {} is not a finite number. Check the forces "
          "and "
          "constraints there, or try a smaller step",
          time, h, system.name_of(report.worst_kind, report.worst_index));
    case StepReport::Status::kDiverged:
      return fmt::format(
          "step from t = {:.9g} s with h = {:.3g} s: {} has grown without bound: the step is too "
          "long for this integrator to be stable, or a force grows without limit. Try a shorter "
          "step or an implicit integrator (radau_iia, nonsmooth_pva, moreau_jean with theta = 1)",
          time, h, unknown_of(system, report));
    case StepReport::Status::kNoActiveSet:
      return fmt::format(
          "step from t = {:.9g} s with h = {:.3g} s: no consistent set of active contacts found: "
          "{} alternates between open and closed ({} cycles, {} iterations). Try another step "
          "size, "
          "another r, or moreau_jean; with open_contacts = paper try open_contacts = complementary",
          time, h, system.name_of(report.worst_kind, report.worst_index), report.cycles,
          report.newton_iterations);
    case StepReport::Status::kNoImpulses:
      return fmt::format(
          "step from t = {:.9g} s with h = {:.3g} s: no impulses found that satisfy all contact "
          "laws; the residual is {:.2e}, largest at {}. Try a smaller step, another "
          "contact_solver, or, if the residual is small, a larger contact_tolerance. A jammed "
          "contact cannot bounce: give it restitution 0",
          time, h, report.worst_residual, system.name_of(report.worst_kind, report.worst_index));
    case StepReport::Status::kNoModes:
      return fmt::format(
          "step from t = {:.9g} s with h = {:.3g} s: no accelerations and reactions found that "
          "satisfy the laws of all closed contacts, {} among them; large friction can be the cause "
          "(Painlevé's paradox). Try moreau_jean, which needs no accelerations",
          time, h, system.name_of(report.worst_kind, report.worst_index));
    case StepReport::Status::kJammed:
      return fmt::format(
          "t = {:.9g} s: joints and motions drive contact {} into penetration, and no force can "
          "prevent it; end the motion there, or drive with a force or a spring",
          time, system.name_of(report.worst_kind, report.worst_index));
    case StepReport::Status::kAccumulation:
      return fmt::format(
          "step from t = {:.9g} s with h = {:.3g} s: events of {} accumulate and cannot be "
          "resolved one by one. Use moreau_adaptive or moreau_jean, which step across them; for a "
          "single contact, accumulation = close with a longer shortest_flight works too",
          time, h, system.name_of(report.worst_kind, report.worst_index));
  }
  return {};
}

}  // namespace picus
