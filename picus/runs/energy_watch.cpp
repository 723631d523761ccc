// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/energy_watch.h"

#include <algorithm>

#include <fmt/format.h>

namespace picus {
namespace {

constexpr double kRiseOverTolerance = 100.0;  // of the largest kinetic energy: a rise that is told,
constexpr double kConstantSteps = 1e-2;       // and its part where there is no tolerance

// Gravity and springs have an energy, dampers take some; formulas, motions and controls may give.
bool is_undriven(const Mechanism& mechanism) {
  const auto& joints = mechanism.joints();
  const auto& forces = mechanism.forces();
  const auto& contacts = mechanism.contacts();
  return mechanism.controls().empty() && mechanism.frictions().empty() &&
         mechanism.collisions().empty() &&
         std::none_of(joints.begin(), joints.end(),
                      [](const AssembledJoint& joint) { return joint.type == "motion"; }) &&
         std::all_of(forces.begin(), forces.end(),
                     [](const AssembledForce& force) { return bool(force.potential); }) &&
         std::all_of(contacts.begin(), contacts.end(),
                     [](const AssembledContact& contact) { return contact.law.has_value(); });
}

}  // namespace

EnergyWatch::EnergyWatch(const Mechanism& mechanism)
    : mechanism_(mechanism), is_undriven_(is_undriven(mechanism)) {}

void EnergyWatch::see(const State& state) {
  if (!is_undriven_) return;
  const double kinetic = mechanism_.kinetic_energy(state);
  const double energy = kinetic + mechanism_.potential_energy(state);
  kinetic_ = std::max(kinetic_, kinetic);
  if (has_seen_ && energy - lowest_ > rise_) {
    rise_ = energy - lowest_;
    time_ = state.time;
  }
  lowest_ = has_seen_ ? std::min(lowest_, energy) : energy;
  has_seen_ = true;
}

std::optional<std::string> EnergyWatch::note(double tolerance) const {
  const double allowed = tolerance > 0.0 ? kRiseOverTolerance * tolerance : kConstantSteps;
  if (!(rise_ > allowed * kinetic_)) return std::nullopt;
  return fmt::format(
      "nothing drives the mechanism, and its energy rose by {:.3g} J until t = {:.6g} s, {:.2g} % "
      "of "
      "its largest kinetic energy: {}",
      rise_, time_, 100.0 * rise_ / kinetic_,
      tolerance > 0.0 ? "the motion is less accurate than its steps, as near a singular position; "
                        "--tolerance 10 times smaller tells"
                      : "a smaller --step tells, or error control");
}

}  // namespace picus
