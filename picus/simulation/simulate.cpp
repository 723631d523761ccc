// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/simulate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picus/base/error.h"
#include "picus/dynamics/consistent_state.h"
#include "picus/dynamics/independent_constraints.h"

namespace picus {
namespace {

using Action = Verdict::Action;
using Ending = Summary::Ending;

// A step that ends this close to the end time, relative to its size, ends there.
constexpr double kSliver = 1e-9;

// Sums of many step sizes without accumulation of rounding (Kahan), so that no sliver of a step is
// left before the end time.
class Clock {
 public:
  explicit Clock(double time) : time_(time) {}
  double advance(double h) {
    const double increment = h - lost_;
    const double next = time_ + increment;
    lost_ = (next - time_) - increment;
    return time_ = next;
  }

 private:
  double time_, lost_ = 0.0;
};

// Beyond this, relative to the initial violation and the size of the state, a constraint that was
// left out as redundant has become independent.
constexpr double kLostConstraint = 1e-3;

std::string note_of(const RedundantConstraint& redundant) {
  if (redundant.follows_from.empty())
    return fmt::format("{} constrains nothing and was left out", redundant.name);
  return fmt::format("{} is redundant (it follows from {}); reactions are the shortest ones",
                     redundant.name, fmt::join(redundant.follows_from, ", "));
}

// What a run is made of, besides the system and its state.
struct Run {
  Stepper& stepper;
  Controller& controller;
  const SimulateOptions& options;
  Summary& summary;
};

// The loop proper, on a regular system and a consistent state.
class Loop {
 public:
  Loop(const System& system, const Run& run, const Observer& observe)
      : system_(system),
        stepper_(run.stepper),
        controller_(run.controller),
        options_(run.options),
        observe_(observe),
        summary_(run.summary) {}

  void run(State& state) {
    stepper_.start(system_, state);
    double h = controller_.first_step(stepper_.traits(), options_.end_time - state.time);
    State trial = state;
    Clock clock(state.time);
    checkpoint_ = state;
    bool wanted = show(state, 0.0, {});

    while (wanted && state.time < options_.end_time) {
      if (summary_.attempts() >= options_.max_steps)
        return end(Ending::kTooManySteps, state, h, {});
      const double left = options_.end_time - state.time;
      if (left < h * (1.0 - kSliver) - rounding(state.time)) h = left;
      const StepReport report = stepper_.attempt(system_, state, h, trial);
      summary_.newton_iterations += report.newton_iterations;
      summary_.factorizations += report.factorizations;
      const Verdict verdict = controller_.judge(report, h);

      switch (verdict.action) {
        case Action::kGiveUp:
          return end(Ending::kStepFailed, state, h, report);
        case Action::kRetry:
          ++summary_.rejected;
          break;
        case Action::kRollBack:
          ++summary_.rejected;
          state = checkpoint_;
          clock = Clock(state.time);
          stepper_.start(system_, state);
          break;
        case Action::kAccept:
          stepper_.accept();
          ++summary_.accepted;
          std::swap(state, trial);
          state.time = clock.advance(h);
          if (std::abs(options_.end_time - state.time) <= kSliver * h + rounding(state.time))
            state.time = options_.end_time;
          if (verdict.checkpoint) checkpoint_ = state;
          wanted = show(state, h, report);
          break;
      }
      h = verdict.next_step;
    }
    if (!wanted && summary_.ending == Ending::kReachedEndTime)
      summary_.ending = Ending::kStoppedByObserver;
  }

 private:
  static double rounding(double time) {
    return 4.0 * std::numeric_limits<double>::epsilon() * std::abs(time);
  }

  bool show(const State& state, double h, const StepReport& report) {
    return !observe_ || observe_({state, h, report, system_, stepper_});
  }

  void end(Ending ending, const State& state, double h, const StepReport& report) {
    summary_.ending = ending;
    summary_.message = ending == Ending::kStepFailed
                           ? explain(system_, report, state.time, h)
                           : fmt::format(
                                 "stopped at t = {:.9g} after {} attempts (max_steps); the "
                                 "last step size was {:.3g}",
                                 state.time, summary_.attempts(), h);
  }

  const System& system_;
  Stepper& stepper_;
  Controller& controller_;
  const SimulateOptions& options_;
  const Observer& observe_;
  Summary& summary_;
  State checkpoint_;
};

// Largest violation of all constraints, with its index.
std::pair<double, int> violation(const System& system, const State& state, Vector& g) {
  system.constraint(state, g);
  int index = 0;
  const double worst = g.size() == 0 ? 0.0 : g.cwiseAbs().maxCoeff(&index);
  return {worst, index};
}

// Runs without the redundant constraints, shows observers the full state, and watches that what was
// left out stays satisfied.
void run_reduced(const System& system, State& state, const Consistency& start, const Run& run,
                 const Observer& observe) {
  const IndependentConstraints reduced(system, start.independent, start.independent_nonholonomic);
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
          "t = {:.9g}: {} was redundant at the start and is now violated by {:.3g}; the mechanism "
          "has left a singular position",
          state.time, system.name_of(Equation::kConstraint, index), worst);
      return false;
    }
    return !observe || observe({state, moment.h, moment.report, system, moment.stepper, &reduced});
  };
  Loop(reduced, run, show_full).run(part);
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

Summary simulate(const System& system, State& state, Stepper& stepper, Controller& controller,
                 const SimulateOptions& options, const Observer& observe) {
  if (!(options.end_time >= state.time)) {
    throw InputError(fmt::format("end_time: found {:g}, expected at least the initial time {:g}",
                                 options.end_time, state.time));
  }
  Summary summary;
  const bool is_bare = state.acceleration.size() == 0;
  if (!is_bare) size_state(system, state);
  const Consistency start =
      is_bare ? make_consistent(system, state) : find_redundant_constraints(system, state);
  if (!start.ok()) {
    summary.ending = Ending::kInconsistentStart;
    summary.message = start.message;
    return summary;
  }
  for (const RedundantConstraint& redundant : start.redundant)
    summary.notes.push_back(note_of(redundant));
  const Run run{stepper, controller, options, summary};
  if (!start.redundant.empty()) {
    run_reduced(system, state, start, run, observe);
  } else {
    Loop(system, run, observe).run(state);
  }
  return summary;
}

}  // namespace picus
