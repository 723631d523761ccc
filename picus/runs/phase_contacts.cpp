// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/phase_contacts.h"

#include <algorithm>

#include "picus/dynamics/independent_constraints.h"

namespace picus {

void PhaseContacts::observe(const Moment& moment, std::span<ContactStatus> status) {
  begin_ = total_;
  if (!moment.is_first()) {
    add_reactions(moment, moment.stepper.smooth_part(), total_);
    add_impact(moment);
  }
  fill_status(moment.stepper.next_modes(), moment.state, total_, status);
}

std::span<const ContactStatus> PhaseContacts::at(const Moment& moment, double fraction,
                                                 const State& state,
                                                 std::span<const ContactStatus> last) {
  until_ = begin_;
  add_reactions(moment, std::min(fraction, moment.stepper.smooth_part()), until_);
  within_.assign(last.begin(), last.end());
  fill_status(moment.stepper.law_modes(), state, until_, within_);
  return within_;
}

void PhaseContacts::add_reactions(const Moment& moment, double until, std::vector<double>& total) {
  const std::span<const LawMode> modes = moment.stepper.law_modes();
  const std::vector<AssembledContact>& contacts = mechanism_.contacts();
  const bool is_flight =
      std::none_of(contacts.begin(), contacts.end(), [&](const AssembledContact& contact) {
        return !contact.law &&
               modes[static_cast<std::size_t>(contact.contact)].mode != ContactMode::kOpen;
      });
  if (is_flight) return;
  integral_.over(moment, until, [&](double weight, const State& state) {
    for (std::size_t i = 0; i < contacts.size(); ++i)
      if (!contacts[i].law) total[i] += weight * state.multiplier(contacts[i].gap.row);
  });
}

void PhaseContacts::add_impact(const Moment& moment) {
  const Vector* const impulse = moment.stepper.impulses().impact.normal;
  if (impulse == nullptr) return;
  const int left_out = moment.reduced == nullptr
                           ? 0
                           : moment.system.sizes().joints() - moment.reduced->sizes().joints();
  for (std::size_t i = 0; i < total_.size(); ++i) {
    const AssembledContact& contact = mechanism_.contacts()[i];
    if (!contact.law) total_[i] += (*impulse)(contact.gap.row - left_out);
  }
}

void PhaseContacts::fill_status(std::span<const LawMode> modes, const State& state,
                                std::span<const double> total,
                                std::span<ContactStatus> status) const {
  for (std::size_t i = 0; i < status.size(); ++i) {
    const AssembledContact& contact = mechanism_.contacts()[i];
    if (contact.law) continue;
    status[i] = {.mode = modes[static_cast<std::size_t>(contact.contact)].mode,
                 .total_impulse = total[i],
                 .force = state.multiplier(contact.gap.row)};
    for (int d = 0; d < contact.slips; ++d)
      status[i].friction[static_cast<std::size_t>(d)] =
          state.nonholonomic_multiplier(contact.first_slip + d);
  }
}

}  // namespace picus
