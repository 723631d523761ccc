// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/resting_slips.h"

namespace picus {
namespace {

constexpr double kRestingSlip = 1e-11;     // of 1 + velocities
constexpr double kRestingSlipRate = 1e-9;  // of 1 + accelerations
constexpr double kDraggedSlip = 5e-11;     // of 1 + velocities: where dragged slips rest

}  // namespace

void RestingSlips::watch(const ContactPhase& phase, const State& state) {
  const System& full = phase.full();
  const SystemSizes all = full.sizes();
  sliding_.clear();
  rests_.assign(static_cast<std::size_t>(all.laws()), 0);
  for (int j = 0; j < all.laws(); ++j) {
    const ContactLaw law = full.contact_law(j);
    const bool rubs = law.slips > 0 && (law.friction > 0.0 || j >= all.contacts);
    if (phase.modes()[static_cast<std::size_t>(j)].slips() && rubs)
      sliding_.push_back({j, law.first_slip, law.slips});
  }
  if (!sliding_.empty()) driven_.find(phase, state);
}

void RestingSlips::evaluate(const ContactPhase& phase, const State& state, bool begins) {
  if (sliding_.empty()) return;
  phase.full().nonholonomic(state, slip_);
  phase.full().nonholonomic_rate(state, rate_);
  driven_.evaluate(state);
  const double speed = 1.0 + max_abs(state.velocity);
  const double steady = kRestingSlipRate * (1.0 + max_abs(state.acceleration));
  for (const Sliding& law : sliding_) {
    const bool moves =
        driven_.has_slip(law.law)
            ? driven_.slip(law.law).norm() > kDraggedSlip * speed
            : begins || slip_.segment(law.first_slip, law.slips).norm() > kRestingSlip * speed ||
                  rate_.segment(law.first_slip, law.slips).norm() > steady;
    rests_[static_cast<std::size_t>(law.law)] = !moves;
  }
}

}  // namespace picus
