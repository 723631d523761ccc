// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/contact_watch.h"

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

ContactPlaces places_of(const AssembledContact& contact) {
  return {contact.gap.row, contact.first_slip, contact.slips};
}

// Simpson's rule twice over a step, for the impulse of compliant contacts.
constexpr std::array kWeights{1.0 / 12.0, 4.0 / 12.0, 2.0 / 12.0, 4.0 / 12.0, 1.0 / 12.0};

double compliant_force(const Bodies& bodies, const AssembledContact& contact, const State& state) {
  const MotionValue gap = value_of(bodies, contact.gap, state);
  return contact.law->force(gap.value, gap.rate);
}

}  // namespace

ContactStatus compliant_status(const Bodies& bodies, const AssembledContact& contact,
                               const State& state) {
  ContactStatus status{.force = compliant_force(bodies, contact, state)};
  if (status.force == 0.0) return status;
  status.mode = ContactMode::kClosed;
  if (contact.friction == 0.0) return status;
  std::array<double, 2> slip = {0, 0};
  for (std::size_t d = 0; d < contact.slip_rates.size(); ++d)
    slip[d] = value_of(bodies, contact.slip_rates[d], state).value;
  const double speed = std::hypot(slip[0], slip[1]);
  const double limit = contact.friction * status.force;
  for (std::size_t d = 0; d < 2; ++d)
    status.friction[d] = -limit * slip[d] / std::hypot(speed, contact.slip_speed);
  status.mode = speed < contact.slip_speed ? ContactMode::kStick : ContactMode::kSlip;
  return status;
}

double ContactWatch::Past::force() const {
  double impulse = 0.0, duration = 0.0;
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    impulse += impulses[k];
    duration += durations[k];
  }
  return duration > 0.0 ? impulse / duration : 0.0;
}

void ContactWatch::Past::add(double impulse, double duration) {
  impulses[oldest] = impulse;
  durations[oldest] = duration;
  oldest = (oldest + 1) % impulses.size();
}

ContactWatch::ContactWatch(const Mechanism& mechanism)
    : mechanism_(mechanism),
      status_(mechanism.contacts().size()),
      past_(mechanism.contacts().size()),
      since_sample_(mechanism.contacts().size()),
      phase_(mechanism) {}

// By the law that the step has solved, where it tells; friction alone does not know of stick.
ContactMode ContactWatch::mode_of(std::size_t index, const ContactImpulse& impulse,
                                  std::span<const LawMode> modes) const {
  const AssembledContact& contact = mechanism_.contacts()[index];
  if (impulse.normal <= kNone * past_[index].largest) return ContactMode::kOpen;
  const auto law = static_cast<std::size_t>(contact.contact);
  if (law < modes.size() && modes[law].mode != ContactMode::kOpen) return modes[law].mode;
  double slip = 0.0;
  for (int d = 0; d < contact.slips; ++d)
    slip = std::hypot(slip, rates_.slip(contact.first_slip + d));
  return impulse.mode(contact.friction, slip > std::max(kStill, kAtRest * fastest_));
}

void ContactWatch::add_to_interval(std::size_t index, ContactMode mode,
                                   const ContactImpulse& impulse) {
  ContactStatus& status = status_[index];
  ContactImpulse& sum = since_sample_[index];
  if (is_sampled_) {
    sum = {};
    status.mode = ContactMode::kOpen;
  }
  if (mode != ContactMode::kOpen) status.mode = mode;
  status.total_impulse += impulse.normal;
  sum.normal += impulse.normal;
  status.force = sum.normal / interval_;
  for (std::size_t d = 0; d < 2; ++d) {
    sum.tangential[d] += impulse.tangential[d];
    status.friction[d] = sum.tangential[d] / interval_;
  }
}

void ContactWatch::observe(const Moment& moment, const ReportImpact& report_impact) {
  if (status_.empty()) return;
  observe_rates(moment);
  if (moment.is_first()) {
    observe_first(moment);
  } else {
    interval_ = (is_sampled_ ? 0.0 : interval_) + moment.h;
    observe_compliant(moment);
    const std::optional<ImpulsesAtContacts> impact = ImpulsesAtContacts::of_impact(moment);
    if (impact) log_impact(moment, *impact, report_impact);
    add_work(moment, impact);
    for (std::size_t i = 0; i < status_.size(); ++i)
      if (!mechanism_.contacts()[i].law) observe_rigid(i, moment, report_impact);
  }
  is_sampled_ = is_sampled_ && moment.is_first();
  rates_.gap_before = rates_.gap;
  rates_.slip_before = rates_.slip;
  if (moment.stepper.traits().stops_at_events) phase_.observe(moment, status_);
}

std::span<const ContactStatus> ContactWatch::status_at(const Moment& moment, double fraction,
                                                       const State& state) {
  if (status_.empty() || !moment.stepper.traits().stops_at_events) return status_;
  return phase_.at(moment, fraction, state, status_);
}

void ContactWatch::observe_rates(const Moment& moment) {
  const System& system = moment.system;
  system.constraint_velocity(moment.state, rates_.gap);
  system.nonholonomic(moment.state, rates_.slip);
  // methods that know when an impact takes place know what was right before it
  const Vector* before =
      moment.is_first() ? nullptr : moment.stepper.impulses().impact.velocity_before;
  if (before != nullptr) {
    before_impact_ = moment.state;
    before_impact_.velocity = *before;
    system.constraint_velocity(before_impact_, rates_.gap_before);
    system.nonholonomic(before_impact_, rates_.slip_before);
  }
  fastest_ = std::max(fastest_, max_abs(rates_.gap_before));
}

bool ContactWatch::approaches(std::size_t index) const {
  const double rate = rates_.gap_before(mechanism_.contacts()[index].gap.row);
  return rate < -std::max(kStill, kAtRest * fastest_);
}

// At rest those slip that are about to.
ContactMode ContactWatch::first_mode(const AssembledContact& contact,
                                     const ContactImpulse& reaction) const {
  if (reaction.normal <= 0.0) return ContactMode::kOpen;
  bool moves = false;
  for (int d = 0; d < contact.slips; ++d)
    moves = moves || std::abs(rates_.slip(contact.first_slip + d)) > kStill ||
            std::abs(slip_rate_(contact.first_slip + d)) > kSteady;
  return reaction.mode(contact.friction, moves);
}

// The reactions of contacts at rest are what steps before the first would have given.
void ContactWatch::observe_first(const Moment& moment) {
  moment.system.nonholonomic_rate(moment.state, slip_rate_);
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const AssembledContact& contact = mechanism_.contacts()[i];
    if (contact.law) {
      status_[i] = compliant_status(mechanism_.bodies(), contact, moment.state);
      continue;
    }
    ContactImpulse reaction{.normal = moment.state.multiplier(contact.gap.row)};
    for (int d = 0; d < contact.slips; ++d)
      reaction.tangential[static_cast<std::size_t>(d)] =
          moment.state.nonholonomic_multiplier(contact.first_slip + d);
    past_[i].add(reaction.normal, 1.0);
    status_[i] = {.mode = first_mode(contact, reaction),
                  .force = reaction.normal,
                  .friction = reaction.tangential};
  }
}

void ContactWatch::observe_rigid(std::size_t index, const Moment& moment,
                                 const ReportImpact& report_impact) {
  const ContactImpulse impulse =
      ImpulsesAtContacts(moment).of(places_of(mechanism_.contacts()[index]));
  Past& past = past_[index];
  past.largest = std::max(past.largest, impulse.normal);
  const ContactMode mode = mode_of(index, impulse, moment.stepper.law_modes());
  if (!moment.stepper.traits().stops_at_events)
    look_for_impact(index, mode != ContactMode::kOpen, impulse, moment, report_impact);
  past.open_steps = mode == ContactMode::kOpen ? past.open_steps + 1 : 0;
  past.add(impulse.normal, moment.h);
  add_to_interval(index, mode, impulse);
}

void ContactWatch::observe_compliant(const Moment& moment) {
  const Bodies& bodies = mechanism_.bodies();
  bool any = false;
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const AssembledContact& contact = mechanism_.contacts()[i];
    if (!contact.law) continue;
    const bool was_closed = status_[i].mode != ContactMode::kOpen;
    const double impulse = status_[i].total_impulse;
    status_[i] = compliant_status(bodies, contact, moment.state);
    status_[i].total_impulse = impulse;
    any = any || was_closed || status_[i].mode != ContactMode::kOpen;
  }
  // steps end where compliant contacts open and close
  for (std::size_t k = 0; any && k < kWeights.size(); ++k) {
    const bool is_end = k + 1 == kWeights.size();
    if (!is_end) moment.interpolate(static_cast<double>(k) / (kWeights.size() - 1), between_);
    const State& state = is_end ? moment.state : between_;
    for (std::size_t i = 0; i < status_.size(); ++i)
      if (const AssembledContact& contact = mechanism_.contacts()[i]; contact.law)
        status_[i].total_impulse +=
            kWeights[k] * moment.h * compliant_force(bodies, contact, state);
  }
}

Impact ContactWatch::impact_of(const AssembledContact& contact, const ContactImpulse& impulse,
                               double time) const {
  const int row = contact.gap.row;
  return {time,
          contact.name,
          mechanism_.bodies()[contact.body_j].name,
          mechanism_.bodies()[contact.body_i].name,
          rates_.gap_before(row),
          rates_.gap(row),
          impulse.normal,
          impulse.friction(),
          rates_.energy_lost(places_of(contact), impulse),
          contact.is_angle};
}

void ContactWatch::log_impact(const Moment& moment, const ImpulsesAtContacts& impulses,
                              const ReportImpact& report_impact) const {
  double largest = 0.0;
  for (const AssembledContact& contact : mechanism_.contacts())
    if (!contact.law) largest = std::max(largest, impulses.normal(contact.gap.row));
  for (const AssembledContact& contact : mechanism_.contacts()) {
    if (contact.law) continue;
    const ContactImpulse impulse = impulses.of(places_of(contact));
    if (impulse.normal > kShare * largest)
      report_impact(impact_of(contact, impulse, moment.state.time));
  }
}

void ContactWatch::add_work(const Moment& moment, const std::optional<ImpulsesAtContacts>& impact) {
  const bool at_event = moment.stepper.traits().stops_at_events;
  if (at_event ? !impact : moment.stepper.smooth_part() == 1.0) return;
  const ImpulsesAtContacts impulses = impact ? *impact : ImpulsesAtContacts(moment);
  ImpactGains::Work work;
  bool any_approaches = false;  // else it is rounding
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const AssembledContact& contact = mechanism_.contacts()[i];
    if (contact.law) continue;
    any_approaches = any_approaches || approaches(i);
    const ContactPlaces places = places_of(contact);
    const ContactImpulse impulse = impulses.of(places);
    if (impulse.normal <= 0.0) continue;
    const double gained = -rates_.energy_lost(places, impulse);
    work.gained += gained;
    work.incoming += 0.5 * std::abs(impulse.normal * rates_.gap_before(places.gap));
    for (int d = 0; d < places.slips; ++d)
      work.incoming += 0.5 * std::abs(impulse.tangential[static_cast<std::size_t>(d)] *
                                      rates_.slip_before(places.first_slip + d));
    if (work.contact != nullptr && gained <= work.most) continue;
    work.most = gained;
    work.contact = &contact.name;
  }
  if (any_approaches) gains_.add(moment.state.time, work, at_event);
}

void ContactWatch::look_for_impact(std::size_t index, bool pushes, const ContactImpulse& impulse,
                                   const Moment& moment, const ReportImpact& report_impact) {
  Past& past = past_[index];
  if (past.blow && past.blow->impulse > kBlow * past.blow_duration * impulse.normal / moment.h)
    report_impact(*past.blow);
  past.blow.reset();
  if (!pushes) return;
  const AssembledContact& contact = mechanism_.contacts()[index];
  const bool strikes = past.open_steps >= kFlight && approaches(index);
  if (strikes) {
    report_impact(impact_of(contact, impulse, moment.state.time));
  } else if (impulse.normal > kBlow * moment.h * past.force()) {
    past.blow = impact_of(contact, impulse, moment.state.time);
    past.blow_duration = moment.h;
  }
}

}  // namespace picus
