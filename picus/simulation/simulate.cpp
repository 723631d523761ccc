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
#include "picus/simulation/clock.h"
#include "picus/simulation/switches.h"
#include "picus/steppers/resting_contacts.h"

namespace picus {
namespace {

using Action = Verdict::Action;
using Ending = Summary::Ending;

// A step that ends this close to the end time, relative to its size, ends there.
constexpr double kSliver = 1e-9;

// Beyond this, relative to the initial violation and the size of the state, a constraint that was
// left out as redundant has become independent.
constexpr double kLostConstraint = 1e-3;

std::string note_of(const RedundantConstraint& redundant) {
  if (redundant.follows_from.empty())
    return fmt::format("{} constrains nothing and was left out", redundant.name);
  return fmt::format("{} is redundant (it follows from {}); reactions are the shortest ones",
                     redundant.name, fmt::join(redundant.follows_from, ", "));
}

// Whether its squares, as in energies, are finite.
bool is_bounded(const Vector& x) {
  return std::isfinite(x.squaredNorm());
}

int first_unbounded(const Vector& x) {
  int i = 0;
  while (i + 1 < x.size() && std::isfinite(x(i) * x(i)))
    ++i;
  return i;
}

// No method looks at its result: a step that has grown beyond all bounds fails here.
void expect_bounded(const State& state, StepReport& report) {
  if (!is_bounded(state.control)) {
    report.worst_kind = Equation::kControl;
    report.worst_index = first_unbounded(state.control);
  } else if (!is_bounded(state.velocity)) {
    report.worst_kind = Equation::kMomentum;
    report.worst_index = first_unbounded(state.velocity);
  } else if (!is_bounded(state.acceleration)) {
    report.worst_kind = Equation::kMomentum;
    report.worst_index = first_unbounded(state.acceleration);
  } else if (!is_bounded(state.position)) {
    // positions may be more than coordinates: the fastest of these
    report.worst_kind = Equation::kMomentum;
    state.velocity.cwiseAbs().maxCoeff(&report.worst_index);
  } else {
    return;
  }
  report.status = StepReport::Status::kDiverged;
}

// What a run is made of, besides the system and its state.
struct Run {
  Stepper& stepper;
  Controller& controller;
  const SimulateOptions& options;
  Summary& summary;
};

// Fewer steps at the limit of stability, or less than half of all, are not worth a note.
constexpr long kUnstableSteps = 50;

// How a step is led up to a jump. The distances are parts of the step under way.
constexpr double kMargin = 0.01;    // by which it aims to end before the jump
constexpr double kClose = 1e-3;     // nearer to the jump than this is close enough
constexpr double kAtOnce = 1e-3;    // a jump nearer than this needs no step
constexpr int kMaxApproaches = 12;  // attempts to end before the jump
constexpr int kMaxNudges = 40;      // doublings of a tiny time, to end behind it
constexpr double kNudge = 1e-12;

// The loop proper, on a regular system and a consistent state.
class Loop {
 public:
  /// `finder` is the system, if its contacts are to be found.
  Loop(const System& system, System* finder, const Run& run, const Observer& observe)
      : system_(system),
        finder_(finder),
        stepper_(run.stepper),
        controller_(run.controller),
        options_(run.options),
        observe_(observe),
        summary_(run.summary),
        switches_(system) {}

  void run(State& state) {
    stepper_.control_error(controller_.tolerance());
    stepper_.start(system_, state);
    h_ = controller_.first_step(stepper_.traits(), options_.end_time - state.time);
    if (controller_.smallest_step() > 0.0) limit_division();
    trial_ = checkpoint_ = state;
    clock_ = Clock(state.time);
    switches_.begin(state);
    wanted_ = show(state, 0.0, {}, stepper_);

    while (wanted_ && state.time < options_.end_time) {
      if (summary_.attempts() >= options_.max_steps) {
        end(Ending::kTooManySteps, state, {}, {});
        break;
      }
      fit_to_end(options_.end_time - state.time, state.time);
      find_contacts(state);
      if (!step(state)) break;
    }
    show_pending(state);
    note_stability();
    if (!wanted_ && summary_.ending == Ending::kReachedEndTime)
      summary_.ending = Ending::kStoppedByObserver;
  }

 private:
  void limit_division() {
    if (finder_ != nullptr)
      throw InputError(
          "switching-point search: steps that may be undone need contacts that stay, and those of "
          "this system are found as it moves; use moreau_jean with a constant step");
    stepper_.limit_division(controller_.smallest_step());
  }

  static double rounding(double time) {
    return 4.0 * std::numeric_limits<double>::epsilon() * std::abs(time);
  }

  // Steps under error control share what is left instead of leaving a short last one.
  void fit_to_end(double left, double time) {
    if (left < h_ * (1.0 - kSliver) - rounding(time)) {
      h_ = left;
    } else if (controller_.tolerance() > 0.0 && left > h_ * (1.0 + kSliver) && left < 2.0 * h_) {
      h_ = 0.5 * left;
    }
  }

  // Contacts that may close in the step ahead.
  void find_contacts(State& state) {
    if (finder_ == nullptr) return;
    const SystemSizes before = system_.sizes();
    if (!finder_->find_contacts(state, h_, change_)) return;
    picus::follow_contacts(before, system_, change_, state);
    stepper_.follow_contacts(system_, state, change_);
    trial_ = state;
  }

  // One attempt and its consequences; false ends the run.
  bool step(State& state) {
    StepReport report = attempt(state, h_);
    if (report.taken > 0.0) h_ = report.taken;
    bool at_jump = false;
    if (switches_.any() && report.ok() && switches_.changed(trial_) >= 0) {
      const Approach approach = approach_jump(state, report);
      if (approach == Approach::kThere) return cross_jump(state, h_);
      at_jump = approach == Approach::kNear;
    }
    Verdict verdict = controller_.judge(report, h_);
    const double taken = h_;
    h_ = verdict.next_step;
    switch (verdict.action) {
      case Action::kGiveUp:
        h_ = taken;
        end(Ending::kStepFailed, state, report, verdict.reason);
        return false;
      case Action::kRetry:
        ++summary_.rejected;
        return true;
      case Action::kRollBack:
        ++summary_.rejected;
        if (has_pending_) {
          --summary_.accepted;
          ++summary_.rejected;
          has_pending_ = false;
        }
        state = checkpoint_;
        forget_contacts(system_, state);
        clock_ = Clock(state.time);
        stepper_.roll_back(system_, state);
        switches_.begin(state);
        return true;
      case Action::kAccept:
        show_pending(state);
        if (!wanted_) return true;
        accept(state, taken, report, verdict);
        return at_jump && wanted_ && state.time < options_.end_time ? cross_jump(state, taken)
                                                                    : true;
    }
    return true;
  }

  StepReport attempt(const State& state, double h) {
    stepper_.set_patience(controller_.patience());
    StepReport report = stepper_.attempt(system_, state, h, trial_);
    if (report.ok()) expect_bounded(trial_, report);
    summary_.newton_iterations += report.newton_iterations;
    summary_.factorizations += report.factorizations;
    summary_.refreshed.add(report.refreshed);
    summary_.cycles += report.cycles;
    return report;
  }

  void accept(State& state, double h, const StepReport& report, const Verdict& verdict) {
    stepper_.accept();
    ++summary_.accepted;
    if (report.too_fast > 0.0) {
      ++unstable_steps_;
      fastest_ = std::max(fastest_, report.too_fast);
    }
    ++steps_since_jump_;
    std::swap(state, trial_);
    state.time = clock_.advance(h);
    if (std::abs(options_.end_time - state.time) <= kSliver * h + rounding(state.time))
      state.time = options_.end_time;
    switches_.begin(state);
    if (verdict.checkpoint) checkpoint_ = state;
    if (verdict.provisional) {
      has_pending_ = true;
      pending_h_ = h;
      pending_report_ = report;
    } else {
      wanted_ = show(state, h, report, stepper_);
    }
  }

  void note_stability() {
    if (unstable_steps_ < kUnstableSteps || 2 * unstable_steps_ < summary_.accepted) return;
    summary_.notes.push_back(fmt::format(
        "{} of {} steps were at the limit of stability of the explicit method, which a motion of "
        "about {:.2g}/s sets: use auto or radau_iia (of methods that stop at events: smooth = "
        "radau_iia), whose steps are as long as the tolerance allows",
        unstable_steps_, summary_.accepted, fastest_));
  }

  // The provisional step, which has led to `state`, is final.
  void show_pending(const State& state) {
    if (!has_pending_) return;
    has_pending_ = false;
    checkpoint_ = state;
    wanted_ = show(state, pending_h_, pending_report_, stepper_.accepted());
  }

  enum class Approach { kNone, kNear, kThere };

  // The attempt h_ has ended behind a jump. Finds one that ends shortly before it (kNear); or the
  // jump is here already (kThere); or it was a ghost, seen by a step with the forces of two sides
  // (kNone, and the attempt is as good as any).
  Approach approach_jump(const State& state, StepReport& report) {
    const double whole = h_;
    double behind = h_, target = h_ * switches_.locate(stepper_), margin = kMargin * whole;
    for (int i = 0; i < kMaxApproaches; ++i) {
      if (target < kAtOnce * whole) {
        if (!is_ahead(state, whole, whole)) return Approach::kNone;
        h_ = whole;
        return Approach::kThere;
      }
      h_ = std::max(target - margin, 0.5 * target);
      ++summary_.rejected;
      report = attempt(state, h_);
      if (!report.ok() || switches_.changed(trial_) >= 0) {
        behind = h_;
        target = report.ok() ? std::min(switches_.locate(stepper_), 1.0 - kMargin) * h_ : 0.5 * h_;
        margin = std::min(2.0 * margin, kMargin * whole);
        continue;
      }
      if (!is_ahead(trial_, 2.0 * (behind - h_), whole)) return Approach::kNone;
      if (reach_ <= kClose * whole) return Approach::kNear;
      target = std::min(h_ + reach_, behind);
      margin = kMargin * reach_;
    }
    return Approach::kNone;
  }

  // Whether a sign changes within the limit, and after what time.
  bool is_ahead(const State& state, double limit, double h) {
    State there = state;
    const double time = switches_.cross(there, limit);
    reach_ = time + kSliver * h;
    return time >= 0.0;
  }

  // Steps over the jump, which is at most a short way ahead, and starts anew behind it.
  bool cross_jump(State& state, double h) {
    show_pending(state);
    if (!wanted_) return true;
    const State before = state;
    switches_.cross(state, reach_);
    Consistency consistency = make_consistent(system_, state);
    // the projection may have led back before the jump
    for (int i = 0; consistency.ok() && i < kMaxNudges && switches_.changed(state) < 0; ++i) {
      switches_.nudge(state, std::ldexp(kNudge * h, i));
      consistency = make_consistent(system_, state);
    }
    const int index = switches_.changed(state);
    if (!consistency.ok() || index < 0) {
      state = before;
      summary_.ending = Ending::kStepFailed;
      summary_.message = fmt::format("no start behind the jump at t = {:.9g}: {}", state.time,
                                     consistency.message);
      return false;
    }
    solve_resting_contacts(system_, state);
    clock_.advance(state.time - before.time);
    ++summary_.restarts;
    summary_.jumps.push_back({state.time, switches_.name(index)});
    in_a_row_ = steps_since_jump_ == 0 ? in_a_row_ + 1 : 0;
    steps_since_jump_ = 0;
    if (in_a_row_ >= options_.max_restarts_in_a_row) {
      summary_.ending = Ending::kChattering;
      summary_.message = fmt::format(
          "t = {:.9g}: {} changes its sign again and again without progress ({} restarts in a "
          "row); make the force continuous there, for instance by a steep ramp in place of the "
          "jump",
          state.time, switches_.name(index), in_a_row_);
      return false;
    }
    stepper_.start(system_, state);
    switches_.begin(state);
    h_ = controller_.restart(h);
    return true;
  }

  bool show(const State& state, double h, const StepReport& report, const StepView& step) {
    return !observe_ || observe_({state, h, report, system_, step});
  }

  void end(Ending ending, const State& state, const StepReport& report, std::string_view reason) {
    summary_.ending = ending;
    if (ending == Ending::kTooManySteps) {
      summary_.message = fmt::format(
          "stopped at t = {:.9g} after {} attempts (max_steps); the last step size was {:.3g}",
          state.time, summary_.attempts(), h_);
      return;
    }
    summary_.status = report.status;
    summary_.message = explain(system_, report, state.time, h_);
    if (!reason.empty()) summary_.message += fmt::format("; {}", reason);
  }

  const System& system_;
  System* finder_;
  ContactChange change_;
  Stepper& stepper_;
  Controller& controller_;
  const SimulateOptions& options_;
  const Observer& observe_;
  Summary& summary_;
  Switches switches_;
  Clock clock_{0.0};
  State checkpoint_, trial_;
  bool has_pending_ = false;  ///< a provisional step that observers have not seen
  double pending_h_ = 0.0;
  StepReport pending_report_;
  double h_ = 0.0;
  double reach_ = 0.0;  ///< time to the jump ahead, and a little
  bool wanted_ = true;
  int steps_since_jump_ = 0, in_a_row_ = 0;
  long unstable_steps_ = 0;  ///< accepted ones at the limit of stability
  double fastest_ = 0.0;     ///< |λ| that set it [1/s]
};

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
                 const Run& run, const Observer& observe) {
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
          "t = {:.9g}: {} was redundant at the start and is now violated by {:.3g}; the mechanism "
          "has left a singular position",
          state.time, system.name_of(Equation::kConstraint, index), worst);
      return false;
    }
    return !observe || observe({state, moment.h, moment.report, system, moment.stepper, &reduced});
  };
  Loop(reduced, finder == nullptr ? nullptr : &reduced, run, show_full).run(part);
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

void run_consistent(const System& system, System* finder, State& state, const Run& run,
                    const Observer& observe) {
  Summary& summary = run.summary;
  ContactChange change;
  if (finder != nullptr) {
    finder->find_contacts(state, 0.0, change);
    forget_contacts(system, state);  // those of another run have other numbers
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
  if (is_bare && !solve_resting_contacts(system, state))
    summary.notes.push_back(
        "no reactions of the contacts at rest agree with the laws of contact; they are zero at the "
        "start");
  for (const RedundantConstraint& redundant : start.redundant)
    summary.notes.push_back(note_of(redundant));
  if (!start.redundant.empty()) {
    run_reduced(system, finder, state, start, run, observe);
  } else {
    Loop(system, finder, run, observe).run(state);
  }
}

void check_end_time(const SimulateOptions& options, const State& state) {
  if (!(options.end_time >= state.time)) {
    throw InputError(fmt::format("end_time: found {:g}, expected at least the initial time {:g}",
                                 options.end_time, state.time));
  }
}

}  // namespace

Summary simulate(System& system, State& state, Stepper& stepper, Controller& controller,
                 const SimulateOptions& options, const Observer& observe) {
  check_end_time(options, state);
  Summary summary;
  run_consistent(system, system.finds_contacts() ? &system : nullptr, state,
                 {stepper, controller, options, summary}, observe);
  return summary;
}

Summary simulate(const System& system, State& state, Stepper& stepper, Controller& controller,
                 const SimulateOptions& options, const Observer& observe) {
  check_end_time(options, state);
  if (system.finds_contacts())
    throw InputError(
        "simulate: the contacts of this system are found as it moves, which changes it; pass a "
        "system that is not const");
  Summary summary;
  run_consistent(system, nullptr, state, {stepper, controller, options, summary}, observe);
  return summary;
}

}  // namespace picus
