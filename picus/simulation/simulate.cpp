// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/simulate.h"

#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picus/base/error.h"
#include "picus/dynamics/consistent_state.h"
#include "picus/dynamics/independent_constraints.h"
#include "picus/dynamics/unique_limits.h"
#include "picus/simulation/loop.h"
#include "picus/steppers/resting_contacts.h"

namespace picus {
namespace {

using Ending = Summary::Ending;

// Beyond this, relative to the initial violation and the size of the state, a constraint that was
// left out as redundant has become independent.
constexpr double kLostConstraint = 1e-3;
// The part of its gradient that is not one of the others, where it has.
constexpr double kIndependent = 0.01;

std::string note_of(const RedundantConstraint& redundant) {
  if (redundant.follows_from.empty())
    return fmt::format("{} constrains nothing and was removed", redundant.name);
  return fmt::format("{} is redundant (it follows from {}); the reactions are those of least norm",
                     redundant.name, fmt::join(redundant.follows_from, ", "));
}

// Largest violation of the joints, with its index.
std::pair<double, int> violation(const System& system, const State& state, Vector& g) {
  system.constraint(state, g);
  int index = 0;
  const int joints = system.sizes().joints();
  const double worst = joints == 0 ? 0.0 : g.head(joints).cwiseAbs().maxCoeff(&index);
  return {worst, index};
}

// Runs without the redundant constraints, shows observers the full state, and watches that what was
// left out stays satisfied.
void run_reduced(const System& system, System* finder, State& state, const Consistency& start,
                 const LoopParts& run, const Observer& observe) {
  IndependentConstraints reduced =
      finder == nullptr
          ? IndependentConstraints(system, start.independent, start.independent_nonholonomic)
          : IndependentConstraints(*finder, start.independent, start.independent_nonholonomic);
  State part;
  reduced.reduce(state, part);
  Vector g;
  const double allowed = kLostConstraint * (1.0 + max_abs(state.position));
  const Observer show_full = [&](const Moment& moment) {
    reduced.restore(moment.state, state);
    const auto [worst, index] = violation(system, state, g);
    if (worst > allowed) {
      run.summary.ending = Ending::kConstraintLost;
      run.summary.message = fmt::format(
          "t = {:.9g} s: {} was redundant at the start and is now violated by {:.3g}; {}",
          state.time, system.name_of(Equation::kConstraint, index), worst,
          reduced.independent_part() > kIndependent
              ? "the mechanism has left a singular position"
              : "it still follows from the other constraints, which this integrator lets drift: "
                "tighten the tolerance, or use an integrator that corrects positions");
      return false;
    }
    return !observe ||
           observe({state, moment.h, moment.report, system, moment.stepper, &reduced, moment.ends});
  };
  run_loop(reduced, finder == nullptr ? nullptr : &reduced, &reduced, run, show_full, part);
}

}  // namespace

void Moment::interpolate(double fraction, State& result) const {
  if (reduced == nullptr) {
    stepper.interpolate(system, fraction, result);
    return;
  }
  State part;
  stepper.interpolate(*reduced, fraction, part);
  reduced->restore(part, result);
}

namespace {

void run_consistent(const System& system, System* finder, State& state, const LoopParts& run,
                    const Observer& observe) {
  Summary& summary = run.summary;
  ContactChange change;
  if (finder != nullptr) {
    finder->find_contacts(state, 0.0, change);
    forget_contacts(system, state);  // gives those that are found their places
  }
  const bool is_bare = state.acceleration.size() == 0;
  if (!is_bare) size_state(system, state);
  const Consistency start =
      is_bare ? make_consistent(system, state) : find_redundant_constraints(system, state);
  if (!start.ok()) {
    summary.ending = Ending::kInconsistentStart;
    summary.message = start.message;
    return;
  }
  if (const std::string fault = undetermined_limit(system, state, start); !fault.empty())
    throw InputError(fault);
  if (is_bare && !solve_resting_contacts(system, state))
    summary.notes.emplace_back(
        "no reactions of the resting contacts satisfy the contact laws; they start at zero");
  for (const RedundantConstraint& redundant : start.redundant)
    summary.notes.push_back(note_of(redundant));
  if (!start.redundant.empty()) {
    run_reduced(system, finder, state, start, run, observe);
  } else {
    run_loop(system, finder, nullptr, run, observe, state);
  }
}

void check_end_time(const SimulateOptions& options, const State& state) {
  if (!(options.end_time >= state.time)) {
    throw InputError(
        fmt::format("end_time: found {:g} s, expected at least the initial time, {:g} s",
                    options.end_time, state.time));
  }
}

}  // namespace

Summary simulate(const System& system, State& state, Stepper& stepper, Controller& controller,
                 const SimulateOptions& options, const Observer& observe) {
  check_end_time(options, state);
  Summary summary;
  const LoopParts run{stepper, controller, options, summary};
  if (const std::unique_ptr<System> own = system.for_run()) {
    run_consistent(*own, own.get(), state, run, observe);
    forget_contacts(system, state);
  } else {
    run_consistent(system, nullptr, state, run, observe);
  }
  return summary;
}

}  // namespace picus
