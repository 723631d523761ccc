// SPDX-License-Identifier: BSD-3-Clause
// What contacts and friction elements may do: push, and oppose slip within a limit.
#include <algorithm>
#include <cmath>

#include "picus/dynamics/independent_constraints.h"
#include "picus/runs/audit.h"
#include "picus/runs/contact_impulse.h"

namespace picus {
namespace {

// Bounds, relative to the largest normal force; docs/adr/0044-audit.md says why.
constexpr double kErrorsOfForce = 1e3;  // tolerances
constexpr double kTightestForce = 1e-6, kLoosestForce = 1e-1;
constexpr double kForceOfSteps = 1e-2;    // of methods without error control
constexpr double kAlongSlip = 0.1;        // of limit times speed
constexpr double kSlides = 1e-2;          // of the speed
constexpr double kTakesPart = 1e-6;       // of the largest impulse of an impact
constexpr double kOffRestitution = 1e-2;  // of the fastest approach
// Of the fastest velocity: gap rates that methods take for none.
constexpr double kNoRate = 1e-9;
// Of normal forces: what solvers leave of the friction of smooth surfaces.
constexpr double kNoFriction = 1e-6;
// Of the momentum: impulses that solvers do not resolve (contact_tolerance is 1e-10 by default),
// at least.
constexpr double kUnsolved = 1e-9;

// Of a bound: below, what solvers leave need not be known.
constexpr double kWorthALook = 0.05;

double norm_of(const Vector& x, int first, int count) {
  return count > 0 ? x.segment(first, count).norm() : 0.0;
}

double power_of(const Vector& force, int first, const Vector& slip, int first_slip, int count) {
  double power = 0.0;
  for (int d = 0; d < count; ++d)
    power += force(first + d) * slip(first_slip + d);
  return power;
}

}  // namespace

// Impulses of steps are as good as the solver of contacts, and worse where they are extrapolated.
double Audit::force_part() const {
  if (options_.tolerance <= 0.0) return kForceOfSteps;
  return std::clamp(kErrorsOfForce * options_.tolerance,
                    traits_.stops_at_events ? kTightestForce : kForceOfSteps, kLoosestForce);
}

// What solvers of contacts leave is a part of the momentum. Asked for only where a bound is missed.
double Audit::unsolved_impulse(const Moment& moment) {
  moment.system.mass_matrix(moment.state, M_);
  momentum_ = Vector::Zero(moment.state.velocity.size());
  M_.multiply_add(1.0, moment.state.velocity, momentum_);
  return std::max(kUnsolved, traits_.contact_tolerance) * max_abs(momentum_);
}

// Of all friction within its limit that of the law takes the most power: ψ·k + limit ‖k‖ is zero.
// At a moment, and where it slides for certain, friction is as large as its limit.
void Audit::judge_friction(const Friction& f, const Moment& moment, double time) {
  const double scale = f.scale > 0.0 ? f.scale : f.size, limit = std::max(f.limit, 0.0);
  const bool slides = traits_.stops_at_events && f.slip > std::max(kSlides, force_part()) * speed_;
  const double off = slides ? std::abs(f.size - limit) : f.size - limit;
  double bound = force_part() * scale;
  if (off > kWorthALook * bound)
    bound += unsolved_impulse(moment) / (f.is_impulse ? 1.0 : options_.span);
  note({f.is_element ? AuditCheck::kElementFriction : AuditCheck::kContactFriction,
        Equation::kNonholonomic, f.row, f.is_impulse},
       off, bound, moment, time);
  const double missing = f.knows_slip ? f.power + limit * f.slip : 0.0;
  bound = kAlongSlip * scale * speed_;
  if (f.is_impulse && missing > bound) bound += unsolved_impulse(moment) * speed_;
  note({f.is_element ? AuditCheck::kElementSlip : AuditCheck::kContactSlip, Equation::kNonholonomic,
        f.row, f.is_impulse},
       missing, bound, moment, time);
}

void Audit::look_at_forces(const Moment& moment, const State& state) {
  const System& system = moment.system;
  const SystemSizes n = system.sizes();
  const Vector &normal = state.multiplier, &friction = state.nonholonomic_multiplier;
  double largest = force_;
  for (int j = 0; j < n.contacts; ++j)
    largest = std::max(largest, std::abs(normal(n.joints() + j)));
  if (n.slips > 0) system.nonholonomic(state, k_);
  if (n.friction_elements > 0) system.friction_limits(state, limit_);
  for (int j = 0; j < n.laws(); ++j) {
    const ContactLaw law = system.contact_law(j);
    const bool is_element = j >= n.contacts;
    Friction f{.is_element = is_element,
               .row = law.first_slip,
               .size = norm_of(friction, law.first_slip, law.slips),
               .power = power_of(friction, law.first_slip, k_, law.first_slip, law.slips),
               .slip = norm_of(k_, law.first_slip, law.slips)};
    if (is_element) {
      f.limit = limit_(j - n.contacts);
      f.scale = largest_limits_(j - n.contacts) =
          std::max(largest_limits_(j - n.contacts), f.limit);
    } else {
      const double push = normal(n.joints() + j);
      double bound = force_part() * largest;
      // over the whole run it is no more than what impacts do not resolve
      if (-push > kWorthALook * bound) bound += unsolved_impulse(moment) / options_.span;
      note({AuditCheck::kPull, Equation::kConstraint, n.joints() + j}, -push, bound, moment,
           state.time);
      f.limit = law.friction * push;
      f.scale = std::max(law.friction, kNoFriction) * largest;
    }
    if (law.slips > 0) judge_friction(f, moment, state.time);
  }
  if (state.time < moment.state.time) return;
  force_time_ += moment.h;
  force_ += (largest - force_) * std::min(1.0, moment.h / force_time_);
}

// Impulses are those of the system that the method sees, whose numbers lack redundant joints.
void Audit::look_at_impulses(const Moment& moment) {
  const StepImpulses impulses = moment.stepper.impulses();
  if (impulses.normal == nullptr || impulses.tangential == nullptr) return;
  const System& system = moment.system;
  const SystemSizes n = system.sizes();
  const Vector &normal = *impulses.normal, &tangential = *impulses.tangential;
  const int rows_out = n.constraints - static_cast<int>(normal.size());
  const int slips_out = n.nonholonomic - static_cast<int>(tangential.size());
  double largest = force_ * moment.h;
  for (int j = 0; j < n.contacts; ++j)
    largest = std::max(largest, std::abs(normal(n.joints() + j - rows_out)));
  // extrapolated impulses of a step over a switching point mix those of both sides; the short steps
  // that lead up to it have the errors of the longer ones
  if (traits_.finds_switches) largest = largest_impulse_ = std::max(largest, largest_impulse_);
  if (n.slips > 0) system.nonholonomic(moment.state, k_);
  for (int j = 0; j < n.laws(); ++j) {
    const ContactLaw law = system.contact_law(j);
    const bool is_element = j >= n.contacts;
    if (is_element && (impulses.friction_limit == nullptr ||
                       impulses.friction_limit->size() != n.friction_elements))
      continue;
    if (law.slips > 0 && law.first_slip < slips_out) continue;
    const int first = law.first_slip - slips_out;
    Friction f{.is_element = is_element,
               .row = law.first_slip,
               .size = norm_of(tangential, first, law.slips),
               .power = power_of(tangential, first, k_, law.first_slip, law.slips),
               .slip = norm_of(k_, law.first_slip, law.slips),
               .knows_slip = law.tangential_restitution == 0.0,
               .is_impulse = true};
    if (is_element) {
      f.limit = (*impulses.friction_limit)(j - n.contacts);
      double& limit = largest_limits_(j - n.contacts);
      limit = std::max(limit, f.limit / moment.h);
      f.scale = limit * moment.h;
    } else {
      const double push = normal(n.joints() + j - rows_out);
      double bound = force_part() * largest;
      if (-push > kWorthALook * bound) bound += unsolved_impulse(moment);
      note({AuditCheck::kPull, Equation::kConstraint, n.joints() + j, true}, -push, bound, moment,
           moment.state.time);
      f.limit = law.friction * push;
      f.scale = std::max(law.friction, kNoFriction) * largest;
    }
    if (law.slips > 0) judge_friction(f, moment, moment.state.time);
  }
  force_time_ += moment.h;
  force_ += (largest / moment.h - force_) * std::min(1.0, moment.h / force_time_);
}

// Behind an impact no contact that took part comes nearer, and none leaves faster than the fastest
// has come: e ≤ 1. Each contact for itself may do what its law does not say, where others push it.
void Audit::look_at_impact(const Moment& moment) {
  const StepImpulses impulses = moment.stepper.impulses();
  if (!impulses.has_impact()) return;
  const System& system = moment.system;
  const SystemSizes n = system.sizes();
  before_impact_ = moment.state;
  before_impact_.velocity = *impulses.impact.velocity_before;
  if (options_.energy) energy_.add_impact(moment, before_impact_, moment.state);
  if (n.contacts == 0) return;
  system.constraint_velocity(before_impact_, rate_before_);
  system.constraint_velocity(moment.state, rate_);
  const Vector& normal = *impulses.impact.normal;
  const int rows_out = n.constraints - static_cast<int>(normal.size());
  const double largest = normal.tail(n.contacts).maxCoeff();
  double fastest = 0.0;
  for (int row = n.joints(); row < n.constraints; ++row)
    if (normal(row - rows_out) > kTakesPart * largest)
      fastest = std::max(fastest, -rate_before_(row));
  if (fastest <= 0.0) return;  // an impact without a collision
  for (int j = 0; j < n.contacts; ++j) {
    const int row = n.joints() + j;
    if (normal(row - rows_out) <= kTakesPart * largest) continue;
    const double off = std::max(rate_(row) - fastest, -rate_(row));
    note({AuditCheck::kRestitution, Equation::kConstraint, row}, off,
         std::max(kOffRestitution, force_part()) * fastest + kNoRate * speed_, moment,
         moment.state.time);
  }
}

}  // namespace picus
