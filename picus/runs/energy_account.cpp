// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/energy_drift.h"

#include <algorithm>
#include <cmath>

#include "picus/mechanism/collision_batch.h"

namespace picus {
namespace {

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
  for (const CollisionBatch* batch : mechanism.collisions()) {
    if (!keeps_energy(batch->group().law)) return true;
    for (const CollisionPlane& plane : batch->group().planes)
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

}  // namespace

bool is_conservative(const Mechanism& mechanism, const State& start) {
  const System& system = mechanism.system();
  const SystemSizes n = system.sizes();
  if (n.controls + n.friction_elements > 0 || system.switches() > 0) return false;
  if (mechanism.depends_on_time() || !mechanism.frictions().empty()) return false;
  if (loses_at_contacts(mechanism)) return false;
  for (const AssembledJoint& joint : mechanism.joints())
    if (joint.type == "motion") return false;
  for (int trial = 0; trial < kTrials; ++trial)
    if (!is_of_potential(mechanism, start, trial)) return false;
  return true;
}

void EnergyDrift::see(const State& state) {
  if (!is_known_) return;
  const double kinetic = mechanism_.kinetic_energy(state);
  const double energy = kinetic + mechanism_.potential_energy(state);
  if (!has_begun_) begin_ = energy;
  has_begun_ = true;
  kinetic_ = std::max(kinetic_, kinetic);
  largest_ = std::max(largest_, std::abs(energy - begin_));
}

}  // namespace picus
