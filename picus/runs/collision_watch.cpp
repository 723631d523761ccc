// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/collision_watch.h"

#include <algorithm>
#include <functional>

#include "picus/mechanism/collision_batch.h"
#include "picus/runs/contact_watch.h"

namespace picus {
namespace {

// Group and partners in one number.
std::uint64_t key_of(std::size_t group, const CollisionBatch& batch, int contact) {
  return (static_cast<std::uint64_t>(group) << 56) ^ batch.partners_of(contact);
}

ContactPlaces places_of(const CollisionBatch& batch, int contact) {
  return {batch.first_gap() + contact, batch.first_slip() + contact * batch.slips_each(),
          batch.slips_each()};
}

}  // namespace

void CollisionWatch::observe(const Moment& moment,
                             const std::function<void(const Impact&)>& report_impact) {
  if (status_.empty()) return;
  const System& system = moment.system;
  system.constraint(moment.state, gap_);
  if (!moment.is_first()) {
    // contacts are numbered as in the step, also for the velocities before it
    system.constraint_velocity(moment.state, rates_.gap);
    system.constraint_velocity(before_, rates_.gap_before);
    system.nonholonomic(moment.state, rates_.slip);
    system.nonholonomic(before_, rates_.slip_before);
    ++step_;
  }
  for (std::size_t group = 0; group < status_.size(); ++group)
    observe_group(group, moment, report_impact);
  before_ = moment.state;
}

void CollisionWatch::observe_group(std::size_t group, const Moment& moment,
                                   const std::function<void(const Impact&)>& report_impact) {
  const CollisionBatch& batch = CollisionBatch::of(moment.system, group);
  CollisionStatus& status = status_[group];
  status = {.touches = std::move(status.touches)};
  status.touches.clear();
  acting_.clear();
  const ImpulsesAtContacts impulses(moment);
  for (int i = 0; i < batch.contacts(); ++i) {
    const int row = batch.first_gap() + i;
    status.penetration = std::max(status.penetration, -gap_(row));
    if (moment.is_first()) continue;
    const double impulse = impulses.normal(row);
    largest_ = std::max(largest_, impulse);
    if (impulse <= ContactWatch::kNone * largest_) continue;
    acting_.emplace_back(impulse, i);
    status.force = std::max(status.force, impulse / moment.h);
    long& last =
        last_acted_.try_emplace(key_of(group, batch, i), -ContactWatch::kFlight).first->second;
    if (step_ - last > ContactWatch::kFlight && rates_.gap_before(row) < 0.0)
      report_impact(impact(batch, i, moment, impulses));
    last = step_;
  }
  status.contacts = static_cast<int>(acting_.size());
  tell_touches(batch, moment, status);
}

void CollisionWatch::tell_touches(const CollisionBatch& batch, const Moment& moment,
                                  CollisionStatus& status) {
  const auto count = static_cast<std::ptrdiff_t>(std::min(kMostTouches, acting_.size()));
  std::partial_sort(acting_.begin(), acting_.begin() + count, acting_.end(), std::greater<>());
  const ImpulsesAtContacts impulses(moment);
  for (auto acting = acting_.begin(); acting != acting_.begin() + count; ++acting) {
    const CollisionBatch::ContactFrame place = batch.frame_of(moment.state, acting->second);
    const ContactImpulse impulse = impulses.of(places_of(batch, acting->second));
    Vector3 total = impulse.normal * place.normal;
    for (std::size_t d = 0; d < static_cast<std::size_t>(batch.slips_each()); ++d)
      total += impulse.tangential[d] * place.tangents[d];
    status.touches.push_back(
        {place.point, total / moment.h, mode_of(batch, acting->second, moment, impulse)});
  }
}

ContactMode CollisionWatch::mode_of(const CollisionBatch& batch, int contact, const Moment& moment,
                                    const ContactImpulse& impulse) const {
  const ContactPlaces places = places_of(batch, contact);
  const std::span<const LawMode> modes = moment.stepper.law_modes();
  const auto law = static_cast<std::size_t>(places.gap - moment.system.sizes().joints());
  if (law < modes.size() && modes[law].mode != ContactMode::kOpen) return modes[law].mode;
  const double slip = rates_.slip.segment(places.first_slip, places.slips).norm();
  return impulse.mode(batch.friction_of(contact), slip > ContactWatch::kStill);
}

Impact CollisionWatch::impact(const CollisionBatch& batch, int contact, const Moment& moment,
                              const ImpulsesAtContacts& impulses) const {
  const ContactPlaces places = places_of(batch, contact);
  const ContactImpulse impulse = impulses.of(places);
  const auto [i, j] = batch.names_of(contact);
  return {moment.state.time,
          batch.group_name(),
          j,
          i,
          rates_.gap_before(places.gap),
          rates_.gap(places.gap),
          impulse.normal,
          impulse.friction(),
          rates_.energy_lost(places, impulse)};
}

}  // namespace picus
