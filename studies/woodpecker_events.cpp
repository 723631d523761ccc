// SPDX-License-Identifier: BSD-3-Clause
#include "studies/woodpecker_events.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "studies/problems/woodpecker.h"

namespace picus::studies {
namespace {

constexpr int kWoodpeckerContacts = 3;

std::vector<Incident> all_incidents(const SwitchingRun& run) {
  constexpr double kJump = 1e-2;  // [m/s, rad/s], far above what forces do in a smallest step
  std::vector<Incident> incidents;
  for (std::size_t n = 2; n < run.size(); ++n) {
    const bool is_impact = (run.velocity[n] - run.velocity[n - 1]).cwiseAbs().maxCoeff() > kJump;
    for (int j = 0; j < kWoodpeckerContacts; ++j) {
      for (const int law : {j, j + kWoodpeckerContacts}) {
        const bool now = is_constraint_mode(run.modes[n], law);
        if (is_constraint_mode(run.modes[n - 1], law) == now) continue;
        incidents.push_back({.time = run.time[n],
                             .height = run.position[n](0),
                             .contact = j + 1,
                             .is_normal = law < kWoodpeckerContacts,
                             .is_constraint = now,
                             .is_impact = is_impact});
      }
    }
  }
  return incidents;
}

}  // namespace

State WoodpeckerReference::section() {
  return problems::Woodpecker().at({0.0, -0.10344827586206895, -0.20513534924352564},
                                   {0.0, 0.0, 17.574666205576456});
}

State WoodpeckerReference::closing() {
  return problems::Woodpecker().at(
      {-0.0062671832816092515, -0.10344827586206895, -0.11454111538593875},
      {-0.3137079239416642, 0.0, -6.274969895003408});
}

std::string Incident::text() const {
  return is_normal ? fmt::format("N{} {}", contact, is_constraint ? "closes" : "opens")
                   : fmt::format("F{} {}", contact, is_constraint ? "sticks" : "slips");
}

bool is_constraint_mode(std::span<const LawMode> modes, int law) {
  const ContactMode mode = modes[static_cast<std::size_t>(law % kWoodpeckerContacts)].mode;
  return law < kWoodpeckerContacts ? mode != ContactMode::kOpen : mode == ContactMode::kStick;
}

std::vector<Incident> incidents_of(const SwitchingRun& run, double h_min) {
  std::vector<Incident> kept;
  for (const Incident& one : all_incidents(run)) {
    const bool undoes = !kept.empty() && kept.back().contact == one.contact &&
                        kept.back().is_normal == one.is_normal && !kept.back().is_impact &&
                        one.time - kept.back().time < 100.0 * h_min;
    if (undoes)
      kept.pop_back();
    else
      kept.push_back(one);
  }
  return kept;
}

WoodpeckerEvents events_of(const SwitchingRun& run, double h_min) {
  WoodpeckerEvents events;
  events.end.position = run.position.back();
  events.end.velocity = run.velocity.back();
  for (const Incident& one : incidents_of(run, h_min)) {
    if (!events.time.empty() && one.time - events.time.back() <= 10.0 * h_min) continue;
    events.time.push_back(one.time);
    events.height.push_back(one.height);
  }
  return events;
}

// Modes are those of the phase a step was in: they changed where the step began.
WoodpeckerEvents run_to_events(const System& system, State start, Stepper& stepper,
                               Controller& controller, double end_time) {
  constexpr double kSame = 1e-9;  // [s]: an impact and the change of modes it brings
  WoodpeckerEvents events;
  std::vector<LawMode> before;
  double time = start.time, height = start.position(0);
  const auto add = [&](double at, double y) {
    if (!events.time.empty() && at - events.time.back() < kSame) return;
    events.time.push_back(at);
    events.height.push_back(y);
  };
  const Summary summary = simulate(
      system, start, stepper, controller, {.end_time = end_time}, [&](const Moment& moment) {
        if (moment.is_first()) return true;
        const std::span<const LawMode> modes = moment.stepper.law_modes();
        if (!before.empty() && !std::equal(modes.begin(), modes.end(), before.begin()))
          add(time, height);
        before.assign(modes.begin(), modes.end());
        time = moment.state.time;
        height = moment.state.position(0);
        if (moment.stepper.impulses().has_impact()) add(time, height);
        return true;
      });
  if (!summary.ok()) throw std::runtime_error(summary.message);
  events.end = start;
  return events;
}

double worst_event(const WoodpeckerEvents& events, std::span<const double> times) {
  if (events.time.size() < times.size()) return std::numeric_limits<double>::infinity();
  double worst = 0.0;
  for (std::size_t i = 0; i < times.size(); ++i)
    worst = std::max(worst, std::abs(events.time[i] - times[i]));
  return worst;
}

}  // namespace picus::studies
