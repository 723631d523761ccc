// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/event_phases.h"

namespace picus {
namespace {

bool same_modes(const System& system, const std::vector<PhaseMode>& a,
                const std::vector<PhaseMode>& b) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (a[j].mode != b[j].mode) return false;
    if (a[j].slips() && system.contact_law(static_cast<int>(j)).slips == 1 &&
        a[j].direction.x() != b[j].direction.x())
      return false;
  }
  return true;
}

bool has_rank_of(const EventPhase& phase, const System& system, const State& state) {
  const ContactPhase all(system, phase.system.modes());
  State part;
  all.reduce(state, part);
  // which of several is chosen may be a matter of rounding
  return choose_independent(all, part, all.joints(), all.rollings()).count() == phase.rows.count();
}

}  // namespace

// One whose equations were dependent where it was made may be needed where they are not.
EventPhase& EventPhases::find(const System& system, const std::vector<PhaseMode>& modes,
                              const State& state, SmoothMethods& methods) {
  for (const auto& phase : phases_) {
    if (phase->is_stale || !same_modes(system, phase->system.modes(), modes)) continue;
    if (phase->system.shares_reactions()) phase->is_stale = !has_rank_of(*phase, system, state);
    if (phase->is_stale) continue;
    phase->system.set_directions(modes);
    return *phase;
  }
  phases_.push_back(std::make_unique<EventPhase>(system, modes));
  EventPhase& phase = *phases_.back();
  phase.system.reduce(state, phase.from);
  const SystemSizes n = phase.system.sizes();
  phase.rows =
      choose_independent(phase.system, phase.from, phase.system.joints(), phase.system.rollings());
  if (phase.rows.count() < n.constraints + n.nonholonomic)
    phase.system.keep_only(phase.rows.constraints, phase.rows.nonholonomic);
  phase.smooth = methods.make_smooth();
  if (phase.system.has_turning_slip()) phase.implicit = methods.make_implicit();
  phase.stepper = phase.smooth.get();
  phase.equations.start(phase.system);
  phase.within.start(phase.system);
  phase.events.watch(phase.system, state);
  phase.resting.watch(phase.system, state);
  return phase;
}

}  // namespace picus
