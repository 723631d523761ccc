// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/contact_impulse.h"

#include <cmath>

#include "picus/dynamics/independent_constraints.h"

namespace picus {

double ContactImpulse::friction() const {
  return std::hypot(tangential[0], tangential[1]);
}

StepImpulses::StepImpulses(const Moment& moment)
    : moment_(moment),
      normal_(moment.stepper.internal("impulse")),
      tangential_(moment.stepper.internal("tangential_impulse")) {
  if (moment.reduced == nullptr) return;
  const SystemSizes all = moment.system.sizes(), seen = moment.reduced->sizes();
  joints_left_out_ = all.joints() - seen.joints();
  rollings_left_out_ = all.rollings() - seen.rollings();
}

double StepImpulses::normal(int gap) const {
  return normal_ != nullptr ? (*normal_)(gap - joints_left_out_)
                            : moment_.h * moment_.state.multiplier(gap);
}

ContactImpulse StepImpulses::of(const ContactPlaces& places) const {
  ContactImpulse result{.normal = normal(places.gap)};
  for (int d = 0; d < places.slips; ++d) {
    const int slip = places.first_slip + d;
    result.tangential[static_cast<std::size_t>(d)] =
        tangential_ != nullptr ? (*tangential_)(slip - rollings_left_out_)
                               : moment_.h * moment_.state.nonholonomic_multiplier(slip);
  }
  return result;
}

double ContactRates::energy_lost(const ContactPlaces& places, const ContactImpulse& impulse) const {
  double lost = -0.5 * impulse.normal * (gap(places.gap) + gap_before(places.gap));
  for (int d = 0; d < places.slips; ++d) {
    const int at = places.first_slip + d;
    lost -= 0.5 * impulse.tangential[static_cast<std::size_t>(d)] * (slip(at) + slip_before(at));
  }
  return lost;
}

}  // namespace picus
