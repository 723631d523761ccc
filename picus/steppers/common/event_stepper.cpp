// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/event_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/base/error.h"
#include "picus/dynamics/consistent_state.h"
#include "picus/steppers/catalog.h"

namespace picus {
namespace {

using Status = StepReport::Status;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kLongestWindow = 0.25;  // of the step, within which an event is known
// The same, of the time in which a round body may be passed: beyond its middle it would push on.
constexpr double kOfPassing = 0.25;
constexpr double kShorter = 0.25;  // of a step that passed events it cannot tell apart
constexpr int kMaxShorter = 24;
constexpr int kShortestReaction = 4;  // the same for one that passed a reaction that never was
constexpr double kLetGo = 1e3;        // times what is no reaction: that of a contact about to open
constexpr int kMaxAttempts = 60;      // to end at an event
constexpr int kMostEvents = 2000;     // events within one step size are too many,
constexpr int kMostInstantEvents = 200;  // and so are these one after the other at one time
constexpr double kOneTime = 64.0;        // ε t
// A spatial slip is led to its end by steps of this part of the time left, until that is a small
// part of the step size.
constexpr double kTowardsStop = 0.8;
constexpr double kStopped = 1e-7;
constexpr double kTogether = 10.0;  // times that: slips that end at one time, but for their errors
// Step size times the rate at which a spatial slip turns, up to which steps are explicit. The slip
// may get slower by 1 - kTowardsStop within the step; stable is 3.3.
constexpr double kSlowTurn = 0.5;
// A bounce below this part of the tolerated error is not followed.
constexpr double kUnseen = 0.1;
// Of friction a moment later: less is none, and has no direction.
constexpr double kNoFriction = 1e-9;

std::string_view name_of(SmoothMethod method) {
  return EnumNames<SmoothMethod>::names[static_cast<std::size_t>(method)];
}

}  // namespace

EventStepper::EventStepper(std::string_view name, double critical,
                           const EventDrivenOptions& options, OptionValues smooth_options)
    : name_(name),
      critical_(critical),
      options_(options),
      smooth_options_(std::move(smooth_options)),
      transition_(options.impact) {
  if (!std::isfinite(critical))
    throw InputError(
        fmt::format("option 'critical': found {:g}, expected a positive number", critical));
  if (!(options.shortest_flight >= 0.0 && options.shortest_flight < 1.0))
    throw InputError(
        fmt::format("option 'shortest_flight': found {:g}, expected a fraction in [0, 1)",
                    options.shortest_flight));
  first_smooth_ = make_stepper(name_of(options_.smooth), smooth_options_);
  smooth_traits_ = first_smooth_->traits();
}

std::unique_ptr<Stepper> EventStepper::make_smooth() {
  auto stepper = first_smooth_ ? std::move(first_smooth_)
                               : make_stepper(name_of(options_.smooth), smooth_options_);
  if (tolerance_ > 0.0) stepper->control_error(tolerance_);
  return stepper;
}

// Of the order of the explicit one, as far as there is one.
std::unique_ptr<Stepper> EventStepper::make_implicit() {
  if (options_.smooth != SmoothMethod::kHalfExplicit) return nullptr;
  constexpr int kHigh = 5, kLow = 3;
  OptionValues values = smooth_options_;
  for (auto& [name, value] : values)
    if (name == "order") value = fmt::format("{}", smooth_traits_.order > kLow ? kHigh : kLow);
  auto stepper = make_stepper(name_of(SmoothMethod::kRadauIia), values);
  if (tolerance_ > 0.0) stepper->control_error(tolerance_);
  return stepper;
}

// Sliding friction is a force that is not linear in the multipliers, sticking one rolls.
StepperTraits EventStepper::traits() const {
  StepperTraits traits = smooth_traits_;
  traits.friction = traits.reaction_limits = traits.general_reactions && traits.nonholonomic;
  traits.general_reactions = false;
  traits.handles_impacts = true;
  traits.stops_at_events = true;
  traits.poisson = true;
  return traits;
}

void EventStepper::start(const System& system, const State& state) {
  const SystemSizes n = system.sizes();
  if (system.finds_contacts())
    throw InputError(fmt::format(
        "{} cannot handle collisions, whose contacts come and go; use moreau_jean", name_));
  if (!system.has_linear_reactions())
    throw InputError(fmt::format(
        "{} cannot handle forces that are nonlinear in the multipliers; use soi2", name_));
  if (n.slips > 0 && !traits().friction)
    throw InputError(
        fmt::format("{} over {} cannot handle friction; use half_explicit or soi2 as 'smooth'",
                    name_, name_of(options_.smooth)));
  if (system_ != &system) phases_.clear();
  system_ = &system;
  transition_.start(system, state);
  std::vector<PhaseMode> modes;
  end_ = state;
  paradox_ = !transition_.settle(system, end_, modes).ok();
  now_ = &phase_of(system, modes, end_);
  shares_ = end_;
  keep_gaps(system, state, modes);
  now_->system.set_gaps(gaps_);
  now_->system.hold(shares_);
  next_ = nullptr;
  shown_ = now_;
  begin_ = smooth_end_ = end_ = within_ = state;
  starts_ = true;
  impulse_ = Vector::Zero(n.constraints);
  tangential_impulse_ = Vector::Zero(n.nonholonomic);
  velocity_before_impact_ = state.velocity;
  motion_.start(system, state, WeightKind::kMotion);
  moved_ = Vector::Zero(n.velocities);
  fastest_ = 0.0;
  event_count_ = instant_events_ = 0;
  count_begin_ = state.time;
  begins_ = next_begins_ = false;
  find_modes(*now_, state, begins_, modes_);
  next_modes_ = modes_;
}

void EventStepper::follow_constraints(const System& system, const State& state) {
  transition_.start(system, state);
  begin_ = smooth_end_ = end_ = state;
  starts_ = true;
}

void EventStepper::restart(const System& system, State& state) {
  expects(system_ == &system && now_ != nullptr, "a stepper that has been started");
  begin_ = smooth_end_ = state;
  next_begins_ = false;
  const double close = window(smooth_end_);
  const StepReport crossed = transition_.cross(now_->system, {EventKind::kJump, -1}, smooth_end_,
                                               {.duration = close, .flight = close}, end_);
  if (!crossed.ok() || !enter(end_).ok()) {
    Stepper::restart(system, state);
    return;
  }
  now_ = shown_ = next_;
  next_ = nullptr;
  gaps_ = next_gaps_;
  shares_ = next_shares_;
  begins_ = false;
  starts_ = true;
  smooth_h_ = taken_ = 0.0;
  shown_impact_ = false;
  state = begin_ = smooth_end_ = end_;
}

EventStepper::Phase& EventStepper::phase_of(const System& system,
                                            const std::vector<PhaseMode>& modes,
                                            const State& state) {
  return phases_.find(system, modes, state, *this);
}

double EventStepper::least_time(double h) const {
  return 8.0 * kEpsilon * (std::abs(begin_.time) + h);
}

double EventStepper::window(const State& s) const {
  const double rounding = least_time(h_);
  double length = critical_ * h_;
  length *= tolerance_ > 0.0 ? tolerance_ : std::pow(h_, smooth_traits_.order);
  length = std::min(length, kOfPassing * system_->passing_time(s, 1.0));
  return std::clamp(length, rounding, std::max(rounding, kLongestWindow * h_));
}

bool EventStepper::advance(double h, StepReport& report) {
  const StepReport smooth = now_->stepper->attempt(now_->system, now_->from, h, now_->to);
  const int iterations = report.newton_iterations, factorizations = report.factorizations;
  RefreshCounts<int> refreshed = report.refreshed;
  refreshed.add(smooth.refreshed);
  report = smooth;
  report.newton_iterations += iterations;
  report.factorizations += factorizations;
  report.refreshed = refreshed;
  smooth_h_ = h;
  if (!report.ok()) return false;
  now_->system.expand(now_->to, smooth_end_);
  return true;
}

StepReport EventStepper::attempt(const System&, const State& from, double h, State& to) {
  expects(h > 0.0 && std::isfinite(h), "a positive step size");
  begin_ = from;
  h_ = taken_ = h;
  smooth_h_ = 0.0;
  unresolved_law_ = -1;
  next_ = nullptr;
  shown_ = now_;
  shown_impact_ = false;
  now_->system.reduce(from, now_->from);
  ContactEvents& events = now_->events;
  if (paradox_) return cross_here({EventKind::kParadox}, to, {});
  set_least_slip(from);
  if (starts_) start_phase(from);
  find_modes(*now_, from, begins_, modes_);
  next_modes_ = modes_;
  if (events.struck() >= 0) return cross_here(events.event(events.struck(), window(from)), to, {});
  const double stop = events.time_to_stop();
  const double stopped = std::max(window(from), kStopped * h);
  if (stop <= stopped) return cross_here(events.stop(kTogether * stopped), to, {});
  double tried = std::min(h, kTowardsStop * stop);
  const int aim = events.time_to_aim() <= tried ? events.aim() : -1;
  if (aim >= 0) tried = std::max(window(from), events.time_to_aim());
  choose_method(tried);
  StepReport report;
  if (!advance_resolved(tried, report)) return report;
  if (report.error <= 1.0 && events.is_too_long())
    return cross_here(with_direction(events.event(events.too_long())), to, report);
  const int function = report.error <= 1.0 ? find_resolved(tried, aim, report) : -1;
  if (!report.ok()) return report;
  taken_ = smooth_h_;
  if (unresolved_law_ >= 0 && is_accumulating()) return accumulation_report(unresolved_law_);
  if (function >= 0 && report.error <= 1.0)
    return cross(events.event(function, window(smooth_end_)), to, report);
  if (smooth_h_ < h) report.taken = smooth_h_;
  std::swap(end_, smooth_end_);
  to = end_;
  sum_impulses();
  return report;
}

// One whose limit was zero has no friction here that says where it will slide; that of a moment
// later does.
ContactEvent EventStepper::with_direction(ContactEvent event) const {
  if (event.kind != EventKind::kSlide || event.is_driven) return event;
  const ContactLaw law = system_->contact_law(event.law);
  const auto friction = [&law](const State& s) {
    Vector2 all = Vector2::Zero();
    for (int i = 0; i < law.slips; ++i)
      all(i) = s.nonholonomic_multiplier(law.first_slip + i);
    return all;
  };
  const Vector2 later = friction(smooth_end_);
  if (friction(begin_).stableNorm() <= kNoFriction * later.stableNorm())
    event.dragged = -later.stableNormalized();
  return event;
}

StepReport EventStepper::cross_here(const ContactEvent& event, State& to,
                                    const StepReport& report) {
  smooth_end_ = begin_;
  smooth_h_ = 0.0;
  return cross(event, to, report);
}

void EventStepper::start_phase(const State& from) {
  now_->system.set_gaps(gaps_);
  now_->system.hold(shares_);
  now_->system.set_least_extent(motion_.length());
  now_->smooth->start(now_->system, now_->from);
  if (now_->implicit) now_->implicit->start(now_->system, now_->from);
  now_->stepper = now_->smooth.get();
  now_->events.begin_phase(from);
  starts_ = false;
  chooses_ = true;
}

// What is tried again is tried by the same method.
void EventStepper::choose_method(double h) {
  if (!now_->implicit || !chooses_) return;
  chooses_ = false;
  const bool is_fast = h * now_->system.turning_rate(now_->from) > kSlowTurn;
  Stepper* const chosen = is_fast ? now_->implicit.get() : now_->smooth.get();
  if (chosen == now_->stepper) return;
  now_->stepper = chosen;
  now_->system.set_least_extent(motion_.length());
  chosen->start(now_->system, now_->from);
}

// What is left of such a slip moves nothing by as much as the tolerated error.
void EventStepper::set_least_slip(const State& from) {
  fastest_ = std::max(fastest_, max_abs(from.velocity));
  now_->events.set_least_slip(kUnseen * tolerance_ * fastest_);
}

// Steps that fail may do so because they lead past an event, into where the modes make no sense.
bool EventStepper::advance_resolved(double& tried, StepReport& report) {
  const bool may_change = system_->sizes().laws() > 0;
  for (int shorter = 0;; ++shorter, tried *= kShorter) {
    const bool is_last = shorter >= kMaxShorter;
    if (!advance(tried, report)) {
      if (!may_change || is_last) return false;
      continue;
    }
    if (report.error > 1.0) return true;
    now_->events.evaluate_step(smooth_end_, tried, this);
    if (!now_->events.is_too_long() || is_last) return true;
    // one that had no reaction, and none in a short time, has let go at the beginning
    if (now_->events.is_reaction_too_long() && shorter >= kShortestReaction) return true;
    unresolved_law_ = now_->events.event(now_->events.too_long()).law;
  }
}

// A contact that has just lost its reaction has neither gap nor rate. The interpolated gap of a
// long step may rise or dip a little near such a beginning, and what is found there is no impact:
// the contact does not approach.
int EventStepper::find_resolved(double& tried, int aim, StepReport& report) {
  const ContactEvents& events = now_->events;
  int function = find(tried, aim, report);
  for (int shorter = 0; shorter < kMaxShorter && function >= 0; ++shorter) {
    const ContactEvent event = events.event(function);
    if (event.kind != EventKind::kImpact || !(events.rate(function) > 0.0)) break;
    unresolved_law_ = event.law;
    tried *= kShorter;
    if (!advance_resolved(tried, report) || report.error > 1.0) return -1;
    function = find(tried, -1, report);
  }
  return function;
}

int EventStepper::find(double h, int aim, StepReport& report) {
  const ContactEvents& events = now_->events;
  const int first = events.first();
  const int function = first >= 0 ? first : aim;
  if (function < 0) return -1;
  const double value = events.value(function), rate = events.rate(function);
  if (rate < 0.0 && std::abs(value) <= -rate * window(smooth_end_)) return function;
  const double begin = events.begin_value(function);
  if (first >= 0) return locate_within(h, events.first_crossing(), report);
  // aimed too short: go on if the event is still within the step
  const double guess = h - value / rate;
  if (!(rate < 0.0 && guess < h_)) return -1;
  return locate({aim, h, h_, guess, false, begin}, report);
}

// What dense output tells of the inside of a step, a step to that place must confirm; if it does
// not, it is as good as the longer one.
int EventStepper::locate_within(double h, ScanCrossing found, StepReport& report) {
  ContactEvents& events = now_->events;
  if (found.high < h) {
    if (!advance(found.high, report)) return -1;
    events.evaluate_step(smooth_end_, found.high);
    if (events.value(found.function) >= 0.0) found = events.first_crossing();
    if (!found.exists()) return -1;
  }
  EventBracket bracket{found.function,
                       0.0,
                       found.high,
                       found.time,
                       events.value(found.function) < 0.0,
                       events.begin_value(found.function)};
  bracket.last_time = found.low;
  bracket.last_value = found.low_value;
  return locate(bracket, report);
}

// The last attempt is the one that ends the step.
int EventStepper::locate(EventBracket bracket, StepReport& report) {
  using Found = EventBracket::Found;
  ContactEvents& events = now_->events;
  for (int i = 0; i < kMaxAttempts; ++i) {
    if (!bracket.confine() || !advance(bracket.time, report)) return -1;
    events.evaluate_step(smooth_end_, bracket.time);
    const int earlier = events.first();
    if (earlier >= 0 && earlier != bracket.function &&
        events.value(earlier) < -events.zero(earlier)) {
      bracket = {
          earlier, 0.0, bracket.time, events.first_time(), true, events.begin_value(earlier)};
      continue;
    }
    const int function = bracket.function;
    const Found found =
        bracket.take(events.value(function), events.rate(function), window(smooth_end_));
    if (found == Found::kYes) return function;
    if (found == Found::kNothing) return -1;
  }
  return bracket.function;
}

StepReport EventStepper::cross(const ContactEvent& event, State& to, StepReport report) {
  if (event.kind == EventKind::kJam) return jam_report(event.law);
  const double close = window(smooth_end_);
  const double flight = std::max(close, options_.shortest_flight * h_);
  // corners of one face let go together
  const double zero_force =
      event.kind == EventKind::kRelease ? kLetGo * now_->events.zero_force() : 0.0;
  now_->resting.evaluate(now_->system, smooth_end_, begins_);
  const StepReport crossed = transition_.cross(now_->system, event, smooth_end_,
                                               {close, flight, zero_force, &now_->resting}, end_);
  if (!crossed.ok()) return crossed;
  taken_ = smooth_h_ + transition_.duration();
  if (taken_ == 0.0) {
    taken_ = least_time(h_);
    end_.time += taken_;
  }
  shown_impact_ = transition_.had_impact();
  velocity_before_impact_ = smooth_end_.velocity;
  next_begins_ = event.kind == EventKind::kSlide;
  if (const StepReport entered = enter(end_); !entered.ok()) return entered;
  if (transition_.had_impact()) {
    const StepReport closed = close_bounces(event, flight, end_);
    if (!closed.ok()) return closed;
  }
  if (is_accumulating()) return accumulation_report(event.law);
  report.taken = taken_;
  to = end_;
  sum_impulses();
  return report;
}

StepReport EventStepper::close_bounces(const ContactEvent& event, double flight, State& state) {
  const double size = motion_.length() > 0.0 ? motion_.length() : 1.0;  // angles alone: one radian
  const ContactTransition::LeastBounce least{flight, kUnseen * tolerance_ * size};
  if (transition_.find_least_bounces(*system_, least, state) == 0) return {};
  if (options_.accumulation == Accumulation::kRefuse) {
    StepReport refused = accumulation_report(transition_.striking());
    refused.step_factor = 0.0;
    return refused;
  }
  const StepReport closed = transition_.close_bounces(now_->system, event, smooth_end_, state);
  return closed.ok() ? enter(state) : closed;
}

bool EventStepper::is_accumulating() {
  if (begin_.time - count_begin_ > h_) {
    count_begin_ = begin_.time;
    event_count_ = 0;
  }
  instant_events_ = taken_ <= kOneTime * kEpsilon * std::abs(begin_.time) ? instant_events_ + 1 : 0;
  return ++event_count_ > kMostEvents || instant_events_ > kMostInstantEvents;
}

StepReport EventStepper::enter(State& state) {
  close_gaps(now_->system.modes(), transition_.modes());
  next_ = &phase_of(*system_, transition_.modes(), state);
  next_->system.reduce(state, next_->from);
  next_->system.set_gaps(next_gaps_);
  next_shares_ = state;
  next_->system.hold(next_shares_);
  StepReport report;
  if (!place(*next_)) {
    next_->system.reduce(state, next_->from);
    next_->is_stale = true;  // it may be of another rank here, and is not met again
    const Consistency consistency = transition_.needs_projection()
                                        ? make_consistent(next_->system, next_->from)
                                        : solve_accelerations(next_->system, next_->from);
    if (!consistency.ok()) report.status = Status::kNoModes;
  }
  next_->system.expand(next_->from, state);
  now_->system.hold(shares_);  // it may be the same, and the step be shown or taken again
  find_modes(*next_, state, next_begins_, next_modes_);
  return report;
}

bool EventStepper::place(Phase& phase) {
  StepReport report;
  phase.equations.begin_step();
  if (transition_.needs_projection()) {
    between_.position = phase.from.position;
    moved_.setZero();
    if (!phase.equations.project(phase.system, between_.position, moved_, phase.from, report))
      return false;
  }
  return phase.equations.solve(phase.system, phase.from, report);
}

void EventStepper::accept() {
  paradox_ = false;
  shown_ = now_;
  system_->difference(begin_.position, end_.position, moved_);
  motion_.include(moved_, end_);
  motion_.accept();
  if (next_ != nullptr) {
    now_ = next_;
    next_ = nullptr;
    gaps_ = next_gaps_;
    shares_ = next_shares_;
    starts_ = true;
    begins_ = next_begins_;
    return;
  }
  begins_ = false;
  chooses_ = true;
  now_->stepper->accept();
  now_->events.begin_step(end_);
}

}  // namespace picus
