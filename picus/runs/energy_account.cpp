// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/energy_account.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace picus {
namespace {

// Parts of the largest kinetic energy that are worth a note.
constexpr double kMuchInTolerances = 100.0;
constexpr double kMuchAtConstantSteps = 1e-2;

constexpr int kTrials = 3;
constexpr double kSmallTurn = 1e-4;  // along which the potential is differentiated
constexpr double kElsewhere = 0.1;   // of the size and of a radian
constexpr double kSamePower = 1e-5;  // of powers that agree, relative to their terms

bool keeps_energy(const ContactLaw& law) {
  return law.restitution == 1.0 && law.friction == 0.0;
}

bool loses_at_contacts(const Mechanism& mechanism) {
  const System& system = mechanism.system();
  for (int j = 0; j < system.sizes().contacts; ++j)
    if (!keeps_energy(system.contact_law(j))) return true;
  for (const AssembledContact& contact : mechanism.contacts())
    if (contact.law) return true;
  for (const auto& group : mechanism.collisions()) {
    if (!keeps_energy(group->law)) return true;
    for (const CollisionPlane& plane : group->planes)
      if (!keeps_energy(plane.law)) return true;
  }
  return false;
}

/// F·v and −dV/dt along a velocity.
bool is_of_potential(const Mechanism& mechanism, State s, int trial) {
  const System& system = mechanism.system();
  const auto n = s.velocity.size();
  const double size = std::max(system.extent(s), 1e-300);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double number = std::sin(1.0 + 12.9898 * static_cast<double>((trial + 1) * (i + 1)));
    s.velocity(i) = system.unit_of(static_cast<int>(i)) == Unit::kAngle ? number : number * size;
  }
  // elsewhere, too: what acts there may not act at the start
  const Vector start = s.position;
  system.retract(start, Vector(kElsewhere * trial * s.velocity), s.position);
  s.multiplier.setZero();
  s.nonholonomic_multiplier.setZero();
  Vector force;
  system.force(s, force);
  State before = s, behind = s;
  system.retract(s.position, Vector(-kSmallTurn * s.velocity), before.position);
  system.retract(s.position, Vector(kSmallTurn * s.velocity), behind.position);
  const double potential =
      (mechanism.potential_energy(behind) - mechanism.potential_energy(before)) /
      (2.0 * kSmallTurn);
  const double power = force.dot(s.velocity);
  const double terms = force.cwiseProduct(s.velocity).cwiseAbs().sum() + std::abs(potential);
  return std::abs(power + potential) <= kSamePower * terms;
}

bool is_driven(const Mechanism& mechanism) {
  const SystemSizes n = mechanism.system().sizes();
  const auto& joints = mechanism.joints();
  return n.controls > 0 || mechanism.depends_on_time() ||
         std::any_of(joints.begin(), joints.end(),
                     [](const AssembledJoint& joint) { return joint.type == "motion"; });
}

bool has_dry_friction(const Mechanism& mechanism) {
  return mechanism.system().sizes().friction_elements > 0 || !mechanism.frictions().empty();
}

bool is_conservative(const Mechanism& mechanism, const State& start) {
  if (mechanism.system().switches() > 0 || loses_at_contacts(mechanism)) return false;
  for (int trial = 0; trial < kTrials; ++trial)
    if (!is_of_potential(mechanism, start, trial)) return false;
  return true;
}

bool has_impacts(const Mechanism& mechanism) {
  const auto& contacts = mechanism.contacts();
  return !mechanism.collisions().empty() ||
         std::any_of(contacts.begin(), contacts.end(),
                     [](const AssembledContact& contact) { return !contact.law; });
}

// All that acts has an energy, and may take some besides.
bool is_passive(const Mechanism& mechanism) {
  const auto& forces = mechanism.forces();
  return !has_impacts(mechanism) &&
         std::all_of(forces.begin(), forces.end(),
                     [](const AssembledForce& force) { return bool(force.potential); });
}

}  // namespace

EnergyLaw energy_law_of(const Mechanism& mechanism, const State& start) {
  if (is_driven(mechanism) || has_dry_friction(mechanism)) return EnergyLaw::kOpen;
  if (is_conservative(mechanism, start)) return EnergyLaw::kConstant;
  return is_passive(mechanism) ? EnergyLaw::kFalls : EnergyLaw::kOpen;
}

EnergyAccount::EnergyAccount(const Mechanism& mechanism, const State& start, double tolerance)
    : mechanism_(mechanism), law_(energy_law_of(mechanism, start)), tolerance_(tolerance) {}

void EnergyAccount::add_step(const State& state) {
  if (law_ == EnergyLaw::kOpen) return;
  const double kinetic = mechanism_.kinetic_energy(state);
  const double energy = kinetic + mechanism_.potential_energy(state);
  add_energy(energy, state.time);
  kinetic_ = std::max(kinetic_, kinetic);
  change_ = std::max(change_, std::abs(energy - begin_));
}

void EnergyAccount::add_sample(const State& state) {
  if (law_ == EnergyLaw::kOpen) return;
  add_energy(mechanism_.kinetic_energy(state) + mechanism_.potential_energy(state), state.time);
}

void EnergyAccount::add_energy(double energy, double time) {
  if (!has_begun_) begin_ = lowest_ = energy;
  has_begun_ = true;
  if (energy - lowest_ > rise_) {
    rise_ = energy - lowest_;
    risen_at_ = time;
  }
  lowest_ = std::min(lowest_, energy);
}

std::optional<double> EnergyAccount::drift() const {
  if (law_ != EnergyLaw::kConstant) return std::nullopt;
  return kinetic_ > 0.0 ? change_ / kinetic_ : 0.0;
}

// Methods may take energy at constant steps, and many are meant to: only a rise tells there.
std::optional<std::string> EnergyAccount::note() const {
  const bool controls_error = tolerance_ > 0.0;
  const double allowed = controls_error ? kMuchInTolerances * tolerance_ : kMuchAtConstantSteps;
  if (const double drifted = drift().value_or(0.0); controls_error && drifted >= allowed)
    return fmt::format(
        "the energy should be constant but drifted by {:.2g} of the largest kinetic energy, {:.0f} "
        "times the tolerance of a step: errors have accumulated; compare with a tenth of the "
        "tolerance",
        drifted, drifted / tolerance_);
  if (has_impacts(mechanism_) || !(rise_ > allowed * kinetic_)) return std::nullopt;
  return fmt::format(
      "nothing drives the mechanism, but its energy rose by {:.3g} J until t = {:.6g} s, {:.2g} % "
      "of its largest kinetic energy: {}",
      rise_, risen_at_, 100.0 * rise_ / kinetic_,
      controls_error ? "the motion is less accurate than its steps, for instance near a singular "
                       "position; check with a --tolerance 10 times smaller"
                     : "check with a smaller --step, or with error control");
}

}  // namespace picus
