// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/collision_watch.h"

#include <algorithm>
#include <cmath>

#include "picus/dynamics/independent_constraints.h"
#include "picus/mechanism/collision_batch.h"
#include "picus/runs/contact_watch.h"

namespace picus {
namespace {

// Group, ball and partner in one number.
std::uint64_t key_of(std::size_t group, const CloseBall& pair) {
  return (static_cast<std::uint64_t>(group) << 56) ^ (static_cast<std::uint64_t>(pair.ball) << 28) ^
         static_cast<std::uint64_t>(pair.other);
}

}  // namespace

void CollisionWatch::see(const Moment& moment, const std::function<void(const Impact&)>& tell) {
  if (status_.empty()) return;
  const System& system = mechanism_.system();
  system.constraint(moment.state, gap_);
  if (!moment.is_first()) {
    // contacts are numbered as in the step, also for the velocities before it
    system.constraint_velocity(moment.state, rate_);
    system.constraint_velocity(before_, rate_before_);
    system.nonholonomic(moment.state, slip_);
    system.nonholonomic(before_, slip_before_);
    ++step_;
  }
  for (std::size_t group = 0; group < status_.size(); ++group)
    see_group(group, moment, tell);
  before_ = moment.state;
}

void CollisionWatch::see_group(std::size_t group, const Moment& moment,
                               const std::function<void(const Impact&)>& tell) {
  const CollisionBatch& batch = *mechanism_.collisions()[group];
  const Vector* impulses = moment.is_first() ? nullptr : moment.stepper.internal("impulse");
  const int left_out = moment.reduced == nullptr
                           ? 0
                           : moment.system.sizes().joints() - moment.reduced->sizes().joints();
  CollisionStatus status;
  for (int i = 0; i < batch.contacts(); ++i) {
    const int row = batch.first_gap() + i;
    status.penetration = std::max(status.penetration, -gap_(row));
    if (impulses == nullptr) continue;
    const double impulse = (*impulses)(row - left_out);
    largest_ = std::max(largest_, impulse);
    if (impulse <= ContactWatch::kNone * largest_) continue;
    ++status.contacts;
    status.force = std::max(status.force, impulse / moment.h);
    long& last =
        last_acted_.try_emplace(key_of(group, batch.pair(i)), -ContactWatch::kFlight).first->second;
    if (step_ - last > ContactWatch::kFlight && rate_before_(row) < 0.0)
      tell(impact(batch, i, moment, impulse));
    last = step_;
  }
  status_[group] = status;
}

Impact CollisionWatch::impact(const CollisionBatch& batch, int contact, const Moment& moment,
                              double impulse) const {
  const int row = batch.first_gap() + contact;
  const Vector* tangential = moment.stepper.internal("tangential_impulse");
  const int left_out = moment.reduced == nullptr
                           ? 0
                           : moment.system.sizes().rollings() - moment.reduced->sizes().rollings();
  double friction = 0.0, lost = -0.5 * impulse * (rate_(row) + rate_before_(row));
  for (int d = 0; tangential != nullptr && d < batch.slips_each(); ++d) {
    const int slip = batch.first_slip() + contact * batch.slips_each() + d;
    const double along = (*tangential)(slip - left_out);
    friction = std::hypot(friction, along);
    lost -= 0.5 * along * (slip_(slip) + slip_before_(slip));
  }
  const auto [i, j] = batch.bodies_of(contact);
  const Bodies& bodies = mechanism_.bodies();
  return {moment.state.time, batch.group_name(), bodies[j].name,
          bodies[i].name,    rate_before_(row),  rate_(row),
          impulse,           friction,           lost};
}

}  // namespace picus
