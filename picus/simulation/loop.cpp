// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/loop.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/base/error.h"
#include "picus/dynamics/consistent_state.h"
#include "picus/simulation/bounded_state.h"
#include "picus/simulation/clock.h"
#include "picus/simulation/endings.h"
#include "picus/simulation/finite_laws.h"
#include "picus/simulation/forcing_limit.h"
#include "picus/simulation/switches.h"
#include "picus/steppers/resting_contacts.h"

namespace picus {
namespace {

class Loop {
 public:
  Loop(const System& system, System* finder, IndependentConstraints* reduced, const LoopParts& run,
       const Observer& observe)
      : system_(system),
        finder_(finder),
        reduced_(reduced),
        stepper_(run.stepper),
        controller_(run.controller),
        options_(run.options),
        observe_(observe),
        summary_(run.summary),
        switches_(system),
        endings_(system, run.options.until),
        forcing_(system) {}

  void run(State& state) {
    stepper_.control_error(controller_.tolerance());
    stepper_.start(system_, state);
    h_ = controller_.first_step(stepper_.traits(), options_.end_time - state.time);
    if (controller_.smallest_step() > 0.0) limit_division();
    trial_ = checkpoint_ = state;
    clock_ = Clock(state.time);
    switches_.start(state, stepper_.traits().handles_impacts);
    looks_inside_ = !stepper_.traits().handles_impacts || stepper_.traits().stops_at_events;
    if (controller_.tolerance() > 0.0) forcing_.start(options_.end_time - state.time);
    if (!looks_inside_) forcing_.step_across_events(controller_.tolerance());
    wanted_ = show(state, 0.0, {}, stepper_);
    begin_endings(state);

    while (wanted_ && ending_ < 0 && state.time < options_.end_time) {
      if (summary_.attempts() >= options_.max_steps) {
        end(Ending::kTooManySteps, state, {}, {});
        break;
      }
      if (clock_.stands_still()) {
        summary_.ending = Ending::kStepFailed;
        summary_.message = fmt::format(
            "t = {:.17g} s: time no longer advances; the last step, {:.3g} s, is below the "
            "resolution of t",
            state.time, h_);
        break;
      }
      h_ = forcing_.limited(h_, state);
      fit_to_end(options_.end_time - state.time, state.time);
      choose_constraints(state);
      find_contacts(state);
      // contacts that a longer step has brought into the list
      if (finder_ != nullptr) h_ = forcing_.limited(h_, state);
      if (!step(state)) break;
    }
    show_pending(state);
    note_stability();
    forcing_.note(summary_.notes);
    if (summary_.ending != Ending::kReachedEndTime) return;
    if (!wanted_)
      summary_.ending = Ending::kStoppedByObserver;
    else if (ending_ >= 0)
      summary_.ending = Ending::kReachedCondition;
    else if (endings_.any())
      summary_.notes.emplace_back("the end time came before any condition of 'until'");
    if (ending_ >= 0) summary_.condition = endings_.name(ending_);
  }

 private:
  using Action = Verdict::Action;
  using Ending = Summary::Ending;

  // A step that ends this close to the end time, relative to its size, ends there.
  static constexpr double kSliver = 1e-9;
  // Of a step: by which the time of its end may differ from the sum of all steps.
  static constexpr double kClockError = 1e-6;
  // Fewer steps at the limit of stability, or less than half of all, are not worth a note.
  static constexpr long kUnstableSteps = 50;
  // How a step is led up to a jump. The distances are parts of the step under way.
  static constexpr double kMargin = 0.01;    // by which it aims to end before the jump
  static constexpr double kClose = 1e-3;     // nearer to the jump than this is close enough
  static constexpr double kAtOnce = 1e-4;    // a jump nearer than this needs no step
  static constexpr int kMaxApproaches = 12;  // attempts to end before the jump
  static constexpr int kMaxNudges = 27;      // doublings of a tiny time, to end after it
  static constexpr double kNudge = 1e-12;

  void limit_division() {
    if (finder_ != nullptr)
      throw InputError(
          "switching-point search: cannot be used with collisions, whose contacts come and go; use "
          "moreau_jean with a constant step");
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

  // Equations that were left out take the place of others that have become worse. The motion does
  // not notice: neither positions nor velocities nor the total reactions change.
  void choose_constraints(State& state) {
    if (reduced_ == nullptr || !reduced_->is_poor_choice()) return;
    if (has_pending_) {
      show_pending(state);
      h_ = controller_.restart(h_);
      if (!wanted_ || !reduced_->is_poor_choice()) return;
    }
    State here, there;
    reduced_->expand(state, here);
    forget_contacts(system_, checkpoint_);
    reduced_->expand(checkpoint_, there);
    if (!reduced_->choose_again(here)) return;
    reduced_->gather(there, checkpoint_);
    reduced_->gather(here, state);
    stepper_.follow_constraints(system_, state);
    trial_ = state;
  }

  // One attempt and its consequences; false ends the run.
  bool step(State& state) {
    StepReport report = attempt(state);
    bool at_jump = false;
    const double jump = passes_jump_ ? -1.0 : find_jump(report);
    passes_jump_ = false;
    if (jump >= 0.0) {
      const Approach approach = approach_jump(state, jump, report);
      if (approach == Approach::kThere) return cross_jump(state, h_);
      at_jump = approach == Approach::kNear;
    }
    if (report.ok() && endings_.any() && lead_to_ending(state, report)) at_jump = false;
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
        switches_.start(state, stepper_.traits().handles_impacts);
        endings_.begin(state);
        return true;
      case Action::kAccept:
        show_pending(state);
        if (!wanted_) return true;
        accept(state, taken, report, verdict);
        return at_jump && wanted_ && ending_ < 0 && state.time < options_.end_time
                   ? cross_jump(state, taken)
                   : true;
    }
    return true;
  }

  // Of size h_, which becomes what it took where an event ends it.
  StepReport attempt(const State& state) {
    stepper_.set_search_effort(controller_.search_effort());
    StepReport report = stepper_.attempt(system_, state, h_, trial_);
    if (report.taken > 0.0) h_ = report.taken;
    if (report.ok()) expect_bounded(trial_, report);
    if (report.ok()) laws_.expect(system_, trial_, report);
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
    const double reached = state.time;
    state.time = clock_.advance(h);
    expects(std::abs(reached - state.time) <= kClockError * h + 16.0 * rounding(state.time),
            "a step that ends when the clock says so");
    if (std::abs(options_.end_time - state.time) <= kSliver * h + rounding(state.time))
      state.time = options_.end_time;
    switches_.begin(state);
    ending_ = endings_.reached(state);
    endings_.begin(state);
    if (verdict.checkpoint) checkpoint_ = state;
    if (verdict.provisional) {
      has_pending_ = true;
      pending_h_ = h;
      pending_report_ = report;
    } else {
      wanted_ = show(state, h, report, stepper_);
    }
  }

  void begin_endings(const State& state) {
    endings_.begin(state);
    for (const std::string& name : endings_.holding())
      summary_.notes.push_back(fmt::format(
          "until '{}' holds at the start: the run ends when it becomes true again", name));
  }

  // Where the attempt h_ has passed a change of a condition, takes it again so that it ends right
  // behind the first one. False when there is none, or an event comes before it.
  bool lead_to_ending(const State& state, StepReport& report) {
    const double part = endings_.find(stepper_, stepper_.smooth_part(), trial_, looks_inside_);
    if (part < 0.0) return false;
    EndingSearch search(part, h_, endings_.distance(state));
    for (int i = 0; i < EndingSearch::kMaxAttempts; ++i) {
      h_ = search.next();
      ++summary_.rejected;
      report = attempt(state);
      if (!report.ok() || report.taken > 0.0) return false;
      const bool is_behind = endings_.changed(trial_);
      if (search.ends_at(is_behind, endings_.distance(trial_))) return is_behind;
    }
    return true;
  }

  void note_stability() {
    if (unstable_steps_ < kUnstableSteps || 2 * unstable_steps_ < summary_.accepted) return;
    summary_.notes.push_back(fmt::format(
        "{} of {} steps were at the stability limit of the explicit method, set by a rate of about "
        "{:.2g}/s: use auto or radau_iia (event_driven and event_capturing: smooth = radau_iia), "
        "whose steps are limited by the tolerance only",
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

  // When in the attempt h_ forces jump first [s], or -1; behind_ is a time after that. What an
  // impact at its end switches is no jump on the way to it.
  double find_jump(const StepReport& report) {
    if (!switches_.any() || !report.ok()) return -1.0;
    behind_ = 1.0;
    const double until = stepper_.smooth_part();
    const State* const end = until < 1.0 ? nullptr : &trial_;
    const double part = looks_inside_ ? switches_.find(stepper_, h_, until, end, behind_)
                                      : switches_.find_at_end(stepper_, trial_);
    behind_ *= h_;
    return part < 0.0 ? -1.0 : part * h_;
  }

  // The attempt h_ has passed a jump at `target`. Finds one that ends shortly before it (kNear); or
  // the jump is here already (kThere); or it was a ghost, seen by a step with the forces of two
  // sides, or an event ends the step before it (kNone, and the attempt is as good as any).
  Approach approach_jump(const State& state, double target, StepReport& report) {
    const double whole = h_;
    double behind = behind_, margin = kMargin * whole;
    for (int i = 0; i < kMaxApproaches; ++i) {
      if (target < kAtOnce * whole) {
        const Approach here = look_ahead(state, i == 0 ? behind : whole, whole);
        if (here != Approach::kNear) return here;
        target = reach_;  // an attempt that was no good has seen it too early
      }
      h_ = std::max(target - margin, 0.5 * target);
      ++summary_.rejected;
      report = attempt(state);
      const double jump = find_jump(report);
      if (!report.ok() || jump >= 0.0) {
        behind = report.ok() ? behind_ : h_;
        target = report.ok() ? std::min(jump, (1.0 - kMargin) * h_) : 0.5 * h_;
        margin = std::min(2.0 * margin, kMargin * whole);
        continue;
      }
      if (report.taken > 0.0) return Approach::kNone;
      if (!is_ahead(trial_, 2.0 * (behind - h_), whole)) return Approach::kNone;
      if (reach_ <= kClose * h_) return Approach::kNear;
      target = std::min(h_ + reach_, behind);
      margin = kMargin * reach_;
    }
    return Approach::kNone;
  }

  // A jump that seems to be at the beginning of a step of size `whole` is there (kThere), a way
  // ahead (kNear), or nowhere (kNone).
  Approach look_ahead(const State& state, double limit, double whole) {
    if (!is_ahead(state, limit, whole)) return Approach::kNone;
    if (reach_ >= kAtOnce * whole) return Approach::kNear;
    h_ = whole;
    return Approach::kThere;
  }

  // Whether a sign changes within the limit, and after what time.
  bool is_ahead(const State& state, double limit, double h) {
    State there = state;
    const double time = switches_.cross(there, limit);
    reach_ = time + kSliver * h;
    return time >= 0.0 && there.time <= options_.end_time;
  }

  // Steps over the jump, which is at most a short way ahead, and restarts after it.
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
    if (!consistency.ok()) {
      state = before;
      summary_.ending = Ending::kStepFailed;
      summary_.message = fmt::format("no consistent state after the jump at t = {:.9g} s: {}",
                                     state.time, consistency.message);
      return false;
    }
    if (index < 0) {  // joints and friction lead back: the value does not pass zero here
      state = before;
      passes_jump_ = true;
      return true;
    }
    switches_.begin_behind(state);
    stepper_.restart(system_, state);
    clock_.advance(state.time - before.time);
    ++summary_.restarts;
    summary_.jumps.push_back({state.time, switches_.name(index)});
    in_a_row_ = steps_since_jump_ == 0 ? in_a_row_ + 1 : 0;
    steps_since_jump_ = 0;
    if (in_a_row_ >= options_.max_restarts_in_a_row) {
      summary_.ending = Ending::kChattering;
      summary_.message = fmt::format(
          "t = {:.9g} s: {} keeps changing sign without progress ({} restarts in a row); make the "
          "force continuous there, for instance with a steep ramp instead of the jump",
          state.time, switches_.name(index), in_a_row_);
      return false;
    }
    h_ = controller_.restart(h);
    return true;
  }

  bool show(const State& state, double h, const StepReport& report, const StepView& step) {
    return !observe_ || observe_({state, h, report, system_, step, nullptr, ending_ >= 0});
  }

  void end(Ending ending, const State& state, const StepReport& report, std::string_view reason) {
    summary_.ending = ending;
    if (ending == Ending::kTooManySteps) {
      summary_.message = fmt::format(
          "stopped at t = {:.9g} s after {} attempts (max_steps); the last step size was {:.3g} s",
          state.time, summary_.attempts(), h_);
      return;
    }
    summary_.status = report.status;
    summary_.message = explain(system_, report, state.time, h_);
    if (!reason.empty()) summary_.message += fmt::format("; {}", reason);
  }

  const System& system_;
  System* finder_;
  IndependentConstraints* reduced_;
  ContactChange change_;
  Stepper& stepper_;
  Controller& controller_;
  const SimulateOptions& options_;
  const Observer& observe_;
  Summary& summary_;
  Switches switches_;
  Endings endings_;
  ForcingLimit forcing_;
  FiniteLaws laws_;
  Clock clock_{0.0};
  State checkpoint_, trial_;
  bool has_pending_ = false;  ///< a provisional step that observers have not seen
  double pending_h_ = 0.0;
  StepReport pending_report_;
  double h_ = 0.0;
  double reach_ = 0.0;        ///< time to the jump ahead, and a little
  double behind_ = 0.0;       ///< a time of the attempt after the jump
  bool looks_inside_ = true;  ///< dense output of the stepper serves
  bool passes_jump_ = false;  ///< the next step need not stop where a value only touches zero
  bool wanted_ = true;
  int ending_ = -1;  ///< the condition that ended the run
  int steps_since_jump_ = 0, in_a_row_ = 0;
  long unstable_steps_ = 0;  ///< accepted ones at the limit of stability
  double fastest_ = 0.0;     ///< |λ| that set it [1/s]
};

}  // namespace

void run_loop(const System& system, System* finder, IndependentConstraints* reduced,
              const LoopParts& run, const Observer& observe, State& state) {
  Loop(system, finder, reduced, run, observe).run(state);
}

}  // namespace picus
