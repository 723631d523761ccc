// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "picus/base/text.h"
#include "picus/runs/contact_impulse.h"
#include "picus/runs/energy_account.h"
#include "picus/runs/formula_fault.h"
#include "picus/runs/mode_log.h"
#include "picus/steppers/catalog.h"
#include "picus/steppers/resting_contacts.h"

namespace picus {
namespace {

// Moves below this are rounding, not assembly.
constexpr double kNoticeable = 1e-9;
constexpr int kDefaultSamples = 500;
// Fraction of the run after its failure in which formulas are examined.
constexpr double kNear = 1e-3;

constexpr std::array kEndings{
    "reached the end time", "reached a condition", "stopped",
    "inconsistent start",   "step failed",         "redundant constraint violated",
    "chattering",           "too many steps",      "audit failed"};

const char* word_of(Summary::Ending ending) {
  return kEndings[static_cast<std::size_t>(ending)];
}

// What contacts, friction and collisions do in the steps of a run.
struct Watches {
  explicit Watches(const Mechanism& mechanism)
      : contacts(mechanism), frictions(mechanism), collisions(mechanism), modes(mechanism) {}

  /// `sampled`: the moment before was recorded, and means start over.
  void observe(const Moment& moment, bool sampled,
               const std::function<void(const Impact&)>& report_impact,
               const std::function<void(const Event&)>& report_event) {
    if (sampled) {
      contacts.begin_interval();
      steps = {};
      audit = {};
    }
    if (!moment.is_first()) steps.add(moment.h);
    contacts.observe(moment, report_impact);
    frictions.observe(moment);
    collisions.observe(moment, report_impact);
    modes.observe(moment, report_event);
  }
  // At the end of the step.
  Sample sample(const Moment& moment, const State& state) const {
    return {.state = state,
            .h = moment.h,
            .shortest = steps.shortest,
            .longest = steps.longest,
            .report = moment.report,
            .order = moment.report.order > 0 ? moment.report.order : moment.stepper.traits().order,
            .contacts = contacts.status(),
            .frictions = frictions.status(),
            .collisions = collisions.status(),
            .audit = audit};
  }
  // Within the step; `state` is its dense output at the fraction.
  Sample sample(const Moment& moment, double fraction, const State& state) {
    Sample within = sample(moment, state);
    within.contacts = contacts.status_at(moment, fraction, state);
    within.frictions = frictions.status_at(moment, fraction, state);
    return within;
  }

  void add_audit(const AuditRatios& ratios) {
    for (std::size_t i = 0; i < ratios.size(); ++i)
      audit[i] = std::max(audit[i], ratios[i]);
  }

  ContactWatch contacts;
  FrictionWatch frictions;
  CollisionWatch collisions;
  ModeLog modes;
  StepRange steps;         ///< since the last sample
  AuditRatios audit = {};  ///< the same
};

// Hands samples out at regular times, by dense output, or at every step.
class Sampler {
 public:
  Sampler(double interval, double end, const std::function<void(const Sample&)>& record,
          Watches& watches)
      : interval_(interval), end_(end), record_(record), watches_(watches) {}

  void observe(const Moment& moment) {
    has_recorded_ = false;
    if (!record_) return;
    const State& state = moment.state;
    if (moment.is_first()) begin_ = state.time;
    if (moment.is_first() || interval_ < 0.0) {
      record_at_end(moment);
      return;
    }
    const double start = state.time - moment.h;
    for (; next_time() < state.time; ++count_) {
      const double fraction = (next_time() - start) / moment.h;
      moment.interpolate(fraction, between_);
      if (is_coarse(moment)) (void)solve_accelerations(moment.system, between_);
      set_mean_reactions(moment, between_);
      record_(watches_.sample(moment, fraction, between_));
      has_recorded_ = true;
    }
    const bool at_sample = state.time == next_time();
    if (at_sample || state.time >= end_ || moment.ends) {
      record_at_end(moment);
      count_ += at_sample ? 1 : 0;
    }
  }
  /// Whether the last moment gave a sample.
  bool has_recorded() const { return has_recorded_; }

 private:
  // Between the long steps of methods of high order positions and velocities are good, reactions
  // and accelerations linear: they are found from the former. A failure leaves them as they were.
  // Methods that stop at events do so themselves: they know the modes.
  static bool is_coarse(const Moment& moment) {
    const StepperTraits traits = moment.stepper.traits();
    return traits.order > 2 && !traits.stops_at_events && moment.system.sizes().laws() == 0 &&
           !moment.system.finds_contacts();
  }
  void record_at_end(const Moment& moment) {
    has_recorded_ = true;
    if (!has_mean_reactions(moment)) {
      record_(watches_.sample(moment, moment.state));
      return;
    }
    shown_ = moment.state;
    set_mean_reactions(moment, shown_);
    record_(watches_.sample(moment, shown_));
  }
  double next_time() const { return begin_ + static_cast<double>(count_) * interval_; }

  double interval_, end_;
  const std::function<void(const Sample&)>& record_;
  Watches& watches_;
  double begin_ = 0.0;
  long count_ = 1;  ///< of the next sample
  bool has_recorded_ = false;
  State between_, shown_;
};

// Messages about contacts say themselves what to try, and error control is no remedy for them.
bool has_advice(StepReport::Status status) {
  using Status = StepReport::Status;
  return status == Status::kNoActiveSet || status == Status::kNoImpulses ||
         status == Status::kNoModes || status == Status::kAccumulation || status == Status::kJammed;
}

std::string meaning_of_tolerance(const RunOutcome& outcome) {
  if (outcome.tolerance == 0.0) return {};
  std::string text = fmt::format(
      "tolerance {:g}: bounds the error of each step in positions, relative to the size of the "
      "model and to 1 rad; errors accumulate",
      outcome.tolerance);
  if (outcome.energy_drift)
    text += fmt::format("; energy drifted by {:.2g} of the largest kinetic energy",
                        *outcome.energy_drift);
  return text + "\n";
}

std::unique_ptr<Controller> make_controller(const RunPlan& plan) {
  if (!plan.adaptive) return std::make_unique<FixedStep>(plan.step);
  if (plan.searches) return std::make_unique<SwitchingSearch>(plan.search);
  return std::make_unique<AdaptiveStep>(plan.control);
}

// A run that broke a law has not succeeded, however it ended.
void take_audit(AuditReport report, const RunPlan& plan, RunOutcome& outcome) {
  outcome.audit = std::move(report);
  if (plan.audit != AuditMode::kFail || outcome.audit.failure.empty()) return;
  if (!outcome.summary.ok()) return;
  outcome.summary.ending = Summary::Ending::kAudit;
  outcome.summary.message = outcome.audit.failure;
}

double span_of(const RunPlan& plan, const Start& start) {
  return plan.end_time - start.state.time;
}

double interval_of(const RunPlan& plan, double span) {
  return plan.output_interval == 0.0 ? span / kDefaultSamples : plan.output_interval;
}

AuditOptions audit_options(const RunPlan& plan, double span) {
  return {.mode = plan.audit, .tolerance = plan.tolerance(), .span = span > 0.0 ? span : 1.0};
}

// All that looks at the moments of a run: what they show goes to the outcome, to `record` and to
// `report_event`.
class Observers {
 public:
  Observers(const Mechanism& mechanism, const Start& start, const RunPlan& plan,
            const std::function<void(const Sample&)>& record,
            const std::function<void(const Event&)>& report_event, RunOutcome& outcome)
      : plan_(plan),
        report_(report_event),
        outcome_(outcome),
        watches_(mechanism),
        energy_(mechanism, start.state, plan.tolerance()),
        record_(with_energy(record)),
        sampler_(interval_of(plan, span_of(plan, start)), plan.end_time, record_, watches_),
        audit_(audit_options(plan, span_of(plan, start))) {}

  /// False when a law is broken so badly that the run should end.
  bool observe(const Moment& moment) {
    if (!moment.is_first()) outcome_.steps.add(moment.h);
    watches_.observe(
        moment, sampler_.has_recorded(), [this](const Impact& impact) { add_impact(impact); },
        [this](const Event& event) { add_event(event); });
    const bool is_right = audit_.observe(moment);
    watches_.add_audit(audit_.take_ratios());
    sampler_.observe(moment);
    energy_.add_step(moment.state);
    return is_right;
  }

  void add_event(const Event& event) {
    outcome_.events.push_back(event);
    if (report_) report_(event);
  }

  /// After the last moment; the summary of the outcome is that of the simulation.
  void conclude() {
    take_audit(audit_.report(), plan_, outcome_);
    for (const auto& note : {watches_.contacts.gains().note(), energy_.note()})
      if (note) outcome_.summary.notes.push_back(*note);
    outcome_.tolerance = plan_.tolerance();
    if (plan_.adaptive) outcome_.energy_drift = energy_.drift();
  }

 private:
  std::function<void(const Sample&)> with_energy(const std::function<void(const Sample&)>& record) {
    if (!record) return {};
    return [this, &record](const Sample& sample) {
      energy_.add_sample(sample.state);
      record(sample);
    };
  }
  void add_impact(const Impact& impact) {
    ++outcome_.impacts;
    add_event(to_event(impact));
  }

  const RunPlan& plan_;
  const std::function<void(const Event&)>& report_;
  RunOutcome& outcome_;
  Watches watches_;
  EnergyAccount energy_;
  std::function<void(const Sample&)> record_;
  Sampler sampler_;
  Audit audit_;
};

std::vector<EndingCondition> endings_of(const Mechanism& mechanism) {
  std::vector<EndingCondition> conditions;
  for (const AssembledEnding& ending : mechanism.endings()) {
    const Formulation* value = &ending.value;
    const Bodies* bodies = &mechanism.bodies();
    conditions.push_back({ending.text, [=](const State& s) { return value->evaluate(*bodies, s); },
                          value->switches,
                          [=](const State& s, std::span<double> values) {
                            value->switch_values(*bodies, s, values);
                          }});
  }
  return conditions;
}

// What is known of a run only when it is over.
std::vector<Event> last_events(const RunOutcome& outcome) {
  const Summary& summary = outcome.summary;
  std::vector<Event> events;
  for (const Jump& jump : summary.jumps)
    events.push_back({jump.time, "restart", jump.name + " changed sign"});
  if (!summary.ok()) events.push_back({outcome.end.time, "failure", summary.message});
  if (!summary.condition.empty())
    events.push_back({outcome.end.time, "condition", "until " + summary.condition});
  if (summary.ending == Summary::Ending::kStoppedByObserver)
    events.push_back({outcome.end.time, "stopped", "before the end time"});
  return events;
}

}  // namespace

std::vector<MovedBody> moved_bodies(const Mechanism& mechanism, const Vector& from,
                                    const Vector& to) {
  std::vector<MovedBody> all;
  for (int b = 1; b < mechanism.bodies().size(); ++b) {
    const Pose<double> before = mechanism.bodies().pose(b, from),
                       after = mechanism.bodies().pose(b, to);
    const Matrix3 turn = before.A.transpose() * after.A;
    const MovedBody moved{mechanism.bodies()[b].name, (after.r - before.r).norm(),
                          rotation_vector(turn).norm()};
    if (moved.distance > kNoticeable || moved.angle > kNoticeable) all.push_back(moved);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const MovedBody& a, const MovedBody& b) { return a.distance > b.distance; });
  return all;
}

void StepRange::add(double h) {
  shortest = total == 0.0 ? h : std::min(shortest, h);
  longest = std::max(longest, h);
  total += h;
}

Start assemble_start(const Mechanism& mechanism) {
  Start start;
  start.state = mechanism.initial_state();
  start.consistency = make_consistent(mechanism.system(), start.state);
  if (start.consistency.status == Consistency::Status::kNotFinite)
    if (const std::string fault = formula_at_fault_at_start(mechanism); !fault.empty())
      start.consistency.message += ". " + fault;
  if (!start.consistency.ok()) {
    size_state(mechanism.system(), start.state);  // reactions are zero
    return start;
  }
  solve_resting_contacts(mechanism.system(), start.state);
  start.moved = moved_bodies(mechanism, mechanism.initial_state().position, start.state.position);
  return start;
}

RunOutcome run_mechanism(const Mechanism& mechanism, const Start& start, const RunPlan& plan,
                         const std::function<void(const Sample&)>& record,
                         const std::function<bool(const Moment&)>& watch,
                         const std::function<void(const Event&)>& report_event) {
  RunOutcome outcome;
  outcome.end = start.state;
  if (!start.consistency.ok()) {
    outcome.summary.ending = Summary::Ending::kInconsistentStart;
    outcome.summary.message = start.consistency.message;
    return outcome;
  }
  const auto stepper = make_stepper(plan.integrator, plan.options);
  const auto controller = make_controller(plan);
  Observers observers(mechanism, start, plan, record, report_event, outcome);
  const auto begin = std::chrono::steady_clock::now();
  outcome.summary = simulate(mechanism.system(), outcome.end, *stepper, *controller,
                             {.end_time = plan.end_time, .until = endings_of(mechanism)},
                             [&](const Moment& moment) {
                               const bool is_right = observers.observe(moment);
                               return (!watch || watch(moment)) && is_right;
                             });
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  observers.conclude();
  if (outcome.summary.ending == Summary::Ending::kStepFailed) {
    const double near = std::max(kNear * span_of(plan, start), plan.adaptive ? 0.0 : plan.step);
    const std::string fault = formula_at_fault_behind(mechanism, outcome.end, near);
    if (!fault.empty()) {
      outcome.has_formula_fault = true;
      outcome.summary.message =
          fmt::format("{}; no step leads on from t = {:.9g} s", fault, outcome.end.time);
    }
  }
  for (const Event& event : last_events(outcome))
    observers.add_event(event);
  return outcome;
}

std::string to_json(const RunOutcome& outcome, const RunPlan& plan) {
  const Summary& summary = outcome.summary;
  nlohmann::ordered_json json;
  json["ending"] = word_of(summary.ending);
  json["ok"] = summary.ok();
  json["message"] = summary.message;
  if (!summary.condition.empty()) json["condition"] = summary.condition;
  json["notes"] = plan.notes;
  for (const std::string& note : summary.notes)
    json["notes"].push_back(note);
  json["integrator"] = plan.integrator;
  json["reason"] = plan.reason;
  json["end_time"] = outcome.end.time;
  json["accepted"] = summary.accepted;
  json["rejected"] = summary.rejected;
  json["newton_iterations"] = summary.newton_iterations;
  json["factorizations"] = summary.factorizations;
  json["restarts"] = summary.restarts;
  json["active_set_cycles"] = summary.cycles;
  json["impacts"] = outcome.impacts;
  for (std::size_t i = 0; i < summary.refreshed.counts.size(); ++i)
    json["factorized_by_reason"][std::string(EnumNames<Refresh>::names[i])] =
        summary.refreshed.counts[i];
  json["shortest_step"] = outcome.steps.shortest;
  json["longest_step"] = outcome.steps.longest;
  json["seconds"] = outcome.seconds;
  if (outcome.tolerance > 0.0) json["tolerance"] = outcome.tolerance;
  if (outcome.energy_drift) json["energy_drift"] = *outcome.energy_drift;
  const auto audit = nlohmann::ordered_json::parse(outcome.audit.json, nullptr, false);
  if (audit.is_object()) json["audit"] = audit;
  return json.dump();
}

std::string advice_of(const RunOutcome& outcome, const RunPlan& plan) {
  switch (outcome.summary.ending) {
    case Summary::Ending::kInconsistentStart:
      return "'picus check' reports more about the model";
    case Summary::Ending::kStepFailed:
      if (outcome.has_formula_fault)
        return "keep what the formula reads in its range, as in sqrt(max(0, x)), or end the run "
               "before";
      if (has_advice(outcome.summary.status)) return {};
      return plan.adaptive
                 ? "look at the named part just before that time: a force that jumps or grows "
                   "without bound, or a joint that reaches a singular position; a --tolerance 10 "
                   "times smaller keeps steps short where the motion is rough"
                 : fmt::format(
                       "try a smaller step (--step {:g}), or error control (--step 0 "
                       "--integrator auto)",
                       0.1 * plan.step);
    case Summary::Ending::kConstraintLost:
      return "start from another position, or remove the redundant constraint";
    case Summary::Ending::kAudit:
      return outcome.audit.advice;
    case Summary::Ending::kTooManySteps:
      return "use a larger --tolerance, or find out what moves so fast";
    default:
      return {};
  }
}

std::string details_of(const RunOutcome& outcome) {
  const Summary& s = outcome.summary;
  std::string text;
  if (s.accepted > 0)
    text +=
        fmt::format("steps from {:.3g} to {:.3g} s, mean {:.3g} s\n", outcome.steps.shortest,
                    outcome.steps.longest, outcome.steps.total / static_cast<double>(s.accepted));
  text += "factorizations by cause:";
  for (std::size_t i = 0; i < s.refreshed.counts.size(); ++i)
    if (s.refreshed.counts[i] > 0)
      text += fmt::format(" {} {}", s.refreshed.counts[i], EnumNames<Refresh>::names[i]);
  text += fmt::format("\nrestarts at jumps: {}\n", s.restarts);
  if (s.cycles > 0)
    text += fmt::format("cycles of active sets: {}, each resolved or ending its step\n", s.cycles);
  return text;
}

std::string headline_of(const RunOutcome& outcome) {
  const Summary& s = outcome.summary;
  std::string text = s.ending == Summary::Ending::kReachedEndTime
                         ? fmt::format("simulated {:.6g} s", outcome.steps.total)
                         : fmt::format("{} at t = {:.6g} s", word_of(s.ending), outcome.end.time);
  text += fmt::format(" in {}", counted(s.accepted, "step"));
  if (outcome.impacts > 0) text += fmt::format(", {}", counted(outcome.impacts, "impact"));
  if (outcome.tolerance > 0.0) text += fmt::format(", tolerance {:g}", outcome.tolerance);
  if (outcome.energy_drift) text += fmt::format(", energy drift {:.1g}", *outcome.energy_drift);
  if (!outcome.audit.text.empty())  // "audit: amber, …": the rest is among the warnings
    text += ", " + outcome.audit.text.substr(0, outcome.audit.text.find(','));
  return text;
}

std::string to_text(const RunOutcome& outcome) {
  const Summary& s = outcome.summary;
  const std::string condition = s.condition.empty() ? "" : fmt::format(" (until {})", s.condition);
  std::string text = fmt::format("{}{} at t = {:.6g} s: {}, {} rejected, {}, {}", word_of(s.ending),
                                 condition, outcome.end.time, counted(s.accepted, "step"),
                                 s.rejected, counted(s.newton_iterations, "Newton iteration"),
                                 counted(s.factorizations, "factorization"));
  if (s.restarts > 0) text += fmt::format(", {} at jumps", counted(s.restarts, "restart"));
  if (s.cycles > 0) text += fmt::format(", {} of active sets", counted(s.cycles, "cycle"));
  if (outcome.impacts > 0) text += ", " + counted(outcome.impacts, "impact");
  return text + fmt::format(", {:.3g} s\n", outcome.seconds) + meaning_of_tolerance(outcome);
}

}  // namespace picus
