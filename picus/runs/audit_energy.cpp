// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/audit_energy.h"

#include <algorithm>
#include <cmath>

#include "picus/dynamics/independent_constraints.h"

namespace picus {
namespace {

// Of what the rule and the midpoint rule differ by: the error of the better one.
constexpr double kBetter = 0.25;

}  // namespace

double AuditEnergy::kinetic(const System& system, const State& state) {
  system.mass_matrix(state, M_);
  momentum_ = Vector::Zero(state.velocity.size());
  M_.multiply_add(1.0, state.velocity, momentum_);
  const double energy = 0.5 * momentum_.dot(state.velocity);
  largest_ = std::max(largest_, energy);
  return energy;
}

// The least energy that counts is that of a motion through the extent in the time of the run.
void AuditEnergy::begin(const System& system, const State& state, double speed) {
  kinetic(system, state);
  double mass = 0.0;
  M_.for_each([&](int row, int col, double value) {
    if (row == col) mass = std::max(mass, value);
  });
  least_ = 0.5 * mass * speed * speed;
}

void AuditEnergy::begin_step(const System& system, const State& before) {
  before_ = kinetic(system, before);
  velocity_before_ = before.velocity;
  work_ = middle_ = effort_ = 0.0;
}

void AuditEnergy::add_point(const System& system, const State& state, double s, double duration,
                            bool is_mid) {
  system.force(state, F_);
  const double power = F_.dot(state.velocity);
  const double outer = 1.0 / (6.0 * (1.0 - 2.0 * s) * (1.0 - 2.0 * s));
  work_ += duration * power * (is_mid ? 1.0 - 2.0 * outer : outer);
  if (is_mid) middle_ = duration * power;
  effort_ = std::max(effort_, duration * std::abs(power));
}

void AuditEnergy::end_step(const System& system, const State& after, bool jumps) {
  gain_ += kinetic(system, after) - before_ - work_;
  if (jumps) {
    velocity_before_ -= after.velocity;
    momentum_.setZero();
    M_.multiply_add(1.0, velocity_before_, momentum_);
    doubt_ += 0.5 * momentum_.dot(velocity_before_);
  }
  doubt_ += kBetter * std::abs(work_ - middle_);
  work_done_ += effort_;
  ++seen_;
}

// ΔT = P·G(v⁺ + v⁻)/2. Rates are linear in v, but for what motions of surfaces add: g_t, which is
// the rate at rest.
void AuditEnergy::add_impact(const Moment& moment, const State& before, const State& after) {
  const StepImpulses impulses = moment.stepper.impulses();
  const System& seen = moment.reduced != nullptr ? *moment.reduced : moment.system;
  const double lost = kinetic(seen, before);
  double gained = kinetic(seen, after) - lost;
  at_rest_ = after;
  at_rest_.velocity.setZero();
  const auto add_work = [&](const Vector* impulse, auto read) {
    if (impulse == nullptr || impulse->size() == 0) return;
    read(before, rate_before_);
    read(after, rate_);
    read(at_rest_, rate_at_rest_);
    if (rate_.size() == impulse->size())
      gained -= impulse->dot(0.5 * (rate_ + rate_before_) - rate_at_rest_);
  };
  add_work(impulses.impact.normal,
           [&](const State& s, Vector& rate) { seen.constraint_velocity(s, rate); });
  add_work(impulses.impact.tangential,
           [&](const State& s, Vector& rate) { seen.nonholonomic(s, rate); });
  impact_gain_ += gained;
}

double AuditEnergy::gain(long steps) const {
  const double share = seen_ > 0 ? static_cast<double>(steps) / static_cast<double>(seen_) : 0.0;
  return share * gain_ + impact_gain_;
}

double AuditEnergy::doubt(long steps) const {
  return seen_ > 0 ? static_cast<double>(steps) / static_cast<double>(seen_) * doubt_ : 0.0;
}

double AuditEnergy::scale() const {
  return std::max({largest_, work_done_, least_});
}

}  // namespace picus
