// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/audit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/dynamics/consistent_state.h"
#include "picus/dynamics/independent_constraints.h"
#include "picus/runs/contact_impulse.h"

namespace picus {
namespace {

// Bounds, relative to the scales of the run; docs/adr/0044-audit.md says why.
constexpr double kTimesTolerance = 1e3;  // errors of steps add up
constexpr double kTightest = 1e-8;       // of lengths, whatever the tolerance is
constexpr double kLeastLength = 1e-6;    // m: below, it is a point at the origin, not a mechanism
constexpr double kVisible = 1e-3;        // an open joint that one sees
constexpr double kDrifted = 1e-2;        // of methods that let joints drift
constexpr double kLoosest = 50.0;        // times a tolerance that is larger than that
constexpr double kDriftedTolerances = 10.0;
constexpr double kDriftedSpeed = 0.5;
constexpr double kWithin = 10.0;  // times the bound of velocities: dense output has a lower order
constexpr long kDrivenDraws = 8;  // of them one balances the energy of a driven mechanism
constexpr double kClockPart = 2e-2;   // of a step
constexpr double kSameTime = 1e-9;    // of a step
constexpr double kEnergyPart = 5e-2;  // of the energy in play, of methods without error control
constexpr double kTightestEnergy = 1e-5;
constexpr double kStepsOfEnergy = 1e3;  // tolerances that may add up
constexpr long kEnergySteps = 8;        // that must have been looked at

constexpr long kRates = 4;  // steps, of which one is looked at for velocities; all of the first
constexpr long kFirstSteps = 16;
constexpr double kLongStep = 1.0 / 64.0;    // of the run: looked into in any case
constexpr double kEverySixteenth = 0.0625;  // of the others
constexpr double kGolden = 0.6180339887498949;

// The fractions of multiples of the golden ratio, the sequence of least discrepancy.
double golden(long n) {
  const double x = static_cast<double>(n) * kGolden;
  return x - std::floor(x);
}

double rounding_of(double time) {
  return 64.0 * std::numeric_limits<double>::epsilon() * (1.0 + std::abs(time));
}

const System& seen_by_method(const Moment& moment) {
  return moment.reduced != nullptr ? *moment.reduced : moment.system;
}

}  // namespace

// The part of a scale that a method may be off which holds what is asked for.
double Audit::held(double at_constant_steps) const {
  const double tolerance = options_.tolerance;
  if (tolerance <= 0.0) return at_constant_steps;
  return std::max(std::clamp(kTimesTolerance * tolerance, kTightest, at_constant_steps),
                  kLoosest * tolerance);
}

double Audit::drifted() const {
  return std::max(kDrifted, kDriftedTolerances * options_.tolerance);
}

// Whether reactions do work or forces follow variables, while the dense output of a method of high
// order has straight lines for both.
bool Audit::is_coarsely_driven(const Moment& moment) {
  const SystemSizes n = moment.system.sizes();
  if (traits_.order <= 2 || traits_.stops_at_events || n.laws() > 0 ||
      moment.system.finds_contacts())
    return false;
  if (is_driven_ || n.variables > 0) return true;
  if (n.joints() + n.rollings() == 0) return false;
  before_impact_ = moment.state;
  before_impact_.velocity.setZero();
  moment.system.constraint_velocity(before_impact_, rate_);
  is_driven_ = max_abs(rate_) > 0.0;
  if (n.nonholonomic > 0) {
    moment.system.nonholonomic(before_impact_, k_);
    is_driven_ = is_driven_ || max_abs(k_) > 0.0;
  }
  return is_driven_;
}

void Audit::begin(const Moment& moment) {
  const System& system = moment.system;
  const SystemSizes n = system.sizes();
  is_angle_.resize(static_cast<std::size_t>(n.velocities));
  for (int i = 0; i < n.velocities; ++i)
    is_angle_[static_cast<std::size_t>(i)] = system.unit_of(i) == Unit::kAngle;
  find_angular_rows(system, moment.state);
  update_scales(system, moment.state);
  system.constraint(moment.state, g_);
  first_gaps_ = g_.tail(n.contacts).cwiseMin(0.0);
  first_depth_ = n.contacts > 0 ? -first_gaps_.minCoeff() : 0.0;
  largest_limits_ = Vector::Zero(n.friction_elements);
  last_time_ = moment.state.time;
  before_ = moment.state;
  if (options_.energy) energy_.begin(system, moment.state, speed_);
}

void Audit::find_angular_rows(const System& system, const State& state) {
  const SystemSizes n = system.sizes();
  const auto find = [&](int rows, const SparseMatrix& jacobian, std::vector<bool>& angular) {
    angular.assign(static_cast<std::size_t>(rows), false);
    std::vector<bool> moves(angular);
    jacobian.for_each([&](int row, int col, double value) {
      if (value == 0.0) return;
      (is_angle_[static_cast<std::size_t>(col)] ? angular : moves)[static_cast<std::size_t>(row)] =
          true;
    });
    for (std::size_t row = 0; row < angular.size(); ++row)
      angular[row] = angular[row] && !moves[row];
  };
  SparseMatrix jacobian;
  if (n.constraints > 0) system.constraint_jacobian(state, jacobian);
  find(n.constraints, jacobian, angular_);
  if (n.nonholonomic > 0) system.nonholonomic_jacobian(state, jacobian);
  find(n.nonholonomic, n.nonholonomic > 0 ? jacobian : SparseMatrix(), angular_slip_);
}

// Contacts that came later are between bodies that move.
bool Audit::is_angular(Equation kind, int row) const {
  const std::vector<bool>& angular = kind == Equation::kNonholonomic ? angular_slip_ : angular_;
  const auto at = static_cast<std::size_t>(row);
  return row >= 0 && at < angular.size() && angular[at];
}

// Of the model; of a point at the origin, 1.
double Audit::length() const {
  return length_ > 0.0 ? std::max(length_, kLeastLength) : 1.0;
}

void Audit::update_scales(const System& system, const State& state) {
  length_ = std::max(length_, system.extent(state));
  speed_ = std::max(speed_, length() / options_.span);
  for (int i = 0; i < state.velocity.size(); ++i) {
    const double v = std::abs(state.velocity(i));
    speed_ = std::max(speed_, is_angle_[static_cast<std::size_t>(i)] ? length() * v : v);
  }
}

void Audit::note(const Offender& who, double size, double bound, const Moment& moment,
                 double time) {
  const auto at = static_cast<std::size_t>(who.check);
  const double ratio = size > 0.0 ? (bound > 0.0 ? size / bound : 2.0) : 0.0;
  // what is not a number is as wrong as can be
  const double found = std::isfinite(ratio) ? ratio : std::numeric_limits<double>::max();
  recent_[at] = std::max(recent_[at], found);
  AuditFinding& worst = findings_[at];
  if (found <= worst.ratio) return;
  const bool is_another = worst.row != who.row || moment.system.finds_contacts();
  worst.ratio = found;
  worst.size = size;
  worst.bound = bound;
  worst.time = time;
  worst.row = who.row;
  worst.unit = unit_of(who.check, is_angular(who.kind, who.row), who.is_impulse);
  if (who.row >= 0 && (is_another || worst.part.empty()))
    worst.part = moment.system.name_of(who.kind, who.row);
}

bool Audit::observe(const Moment& moment) {
  if (options_.mode == AuditMode::kOff) return true;
  traits_ = moment.stepper.traits();
  if (moment.is_first()) {
    begin(moment);
    return true;
  }
  ++steps_;
  const bool at_rates = steps_ < kFirstSteps || steps_ % kRates == 0;
  if (at_rates) update_scales(moment.system, moment.state);
  look_at_clock(moment);
  look_at_gaps(moment, moment.state, {.is_end = true, .rates = at_rates});
  if (moment.system.sizes().laws() > 0) {
    if (traits_.stops_at_events) {
      look_at_forces(moment, moment.state);
      look_at_impact(moment);
    } else {
      look_at_impulses(moment);
    }
  }
  const bool is_drawn = golden(steps_) < kEverySixteenth;
  const bool is_long = moment.h >= kLongStep * options_.span && !hides_impacts();
  if (is_drawn || is_long) look_within(moment, is_drawn);
  if (golden(steps_ + 1) < kEverySixteenth) before_ = moment.state;
  last_time_ = moment.state.time;
  return options_.mode != AuditMode::kFail || verdict() != AuditVerdict::kRed;
}

void Audit::look_at_clock(const Moment& moment) {
  const double time = moment.state.time, longest = std::max(moment.h, last_h_);
  const double bound = kClockPart * longest + rounding_of(time);
  unaccounted_ = std::abs(time - moment.h - last_time_);
  note({AuditCheck::kClock}, unaccounted_, bound, moment, time);
  last_h_ = moment.h;
  if (!traits_.stops_at_events) return;
  moment.stepper.interpolate(seen_by_method(moment), 1.0, within_);
  note({AuditCheck::kClock}, std::abs(within_.time - time), bound, moment, time);
}

// Within such steps velocities jump, and bodies move on until they end.
bool Audit::hides_impacts() const {
  return traits_.handles_impacts && !traits_.stops_at_events;
}

void Audit::look_at_gaps(const Moment& moment, const State& state, const Look& look) {
  const bool in_jumping_step = !look.is_end && hides_impacts();
  if (moment.system.sizes().constraints > 0) {
    moment.system.constraint(state, g_);
    judge_joint_positions(moment, state.time, in_jumping_step);
    judge_penetration(moment, state.time, in_jumping_step);
  }
  if (look.rates && !in_jumping_step) look_at_joint_rates(moment, state, look.is_end);
}

void Audit::judge_joint_positions(const Moment& moment, double time, bool in_jumping_step) {
  const int joints = moment.system.sizes().joints();
  if (joints == 0) return;
  int row = 0;
  const double open = g_.head(joints).cwiseAbs().maxCoeff(&row);
  const double part = traits_.position_drift ? drifted() : held(kVisible);
  const double straight = in_jumping_step ? moment.h * speed_ : 0.0;  // lines between two ends
  note({AuditCheck::kJointPosition, Equation::kConstraint, row}, open, part * length() + straight,
       moment, time);
}

void Audit::judge_penetration(const Moment& moment, double time, bool in_jumping_step) {
  const SystemSizes n = moment.system.sizes();
  const double bound = (traits_.penetration ? drifted() : held(kVisible)) * length() +
                       (traits_.penetration || in_jumping_step ? 2.0 * moment.h * speed_ : 0.0);
  const bool knows_first = first_gaps_.size() == n.contacts && !moment.system.finds_contacts();
  double deepest = 0.0;
  int row = -1;
  for (int j = 0; j < n.contacts; ++j) {
    const double first = knows_first ? -first_gaps_(j) : first_depth_;
    const double depth = -g_(n.joints() + j) - first;
    if (depth <= deepest) continue;
    deepest = depth;
    row = n.joints() + j;
  }
  note({AuditCheck::kPenetration, Equation::kConstraint, row}, deepest, bound, moment, time);
}

void Audit::look_at_joint_rates(const Moment& moment, const State& state, bool is_end) {
  const System& system = moment.system;
  const SystemSizes n = system.sizes();
  const double bound =
      (is_end ? 1.0 : kWithin) * (traits_.velocity_drift ? kDriftedSpeed : held(kVisible)) * speed_;
  int row = 0;
  if (n.joints() > 0) {
    system.constraint_velocity(state, rate_);
    const double moves = rate_.head(n.joints()).cwiseAbs().maxCoeff(&row);
    note({AuditCheck::kJointVelocity, Equation::kConstraint, row}, moves, bound, moment,
         state.time);
  }
  if (n.rollings() > 0) {
    system.nonholonomic(state, k_);
    const double slides = k_.head(n.rollings()).cwiseAbs().maxCoeff(&row);
    note({AuditCheck::kRolling, Equation::kNonholonomic, row}, slides, bound, moment, state.time);
  }
}

void Audit::look_at_point(const Moment& moment, double fraction, bool with_gaps) {
  moment.interpolate(fraction, within_);
  if (!traits_.stops_at_events) {
    const double expected = moment.state.time - (1.0 - fraction) * moment.h;
    note({AuditCheck::kClock}, std::abs(within_.time - expected),
         kClockPart * moment.h + rounding_of(expected), moment, expected);
  }
  if (with_gaps) look_at_gaps(moment, within_, {.is_end = false, .rates = true});
  if (traits_.stops_at_events && moment.system.sizes().laws() > 0) look_at_forces(moment, within_);
}

void Audit::look_within(const Moment& moment, bool is_drawn) {
  const double until = moment.stepper.smooth_part();
  if (until <= 0.0) return;
  if (is_drawn)
    look_at_points(moment, until);
  else
    look_at_point(moment, until * golden(steps_), true);
}

// The middle is one of them; the others are elsewhere in every step.
void Audit::look_at_points(const Moment& moment, double until) {
  const double s = 0.05 + 0.2 * golden(7 * steps_ + 3);
  const bool is_driven = is_coarsely_driven(moment);
  const bool balances = options_.energy && unaccounted_ <= kSameTime * moment.h &&
                        (!is_driven || ++driven_draws_ % kDrivenDraws == 0);
  if (balances) energy_.begin_step(moment.system, before_);
  for (const double fraction : {s, 0.5, 1.0 - s}) {
    look_at_point(moment, until * fraction, fraction == (steps_ % 2 == 0 ? s : 1.0 - s));
    if (!balances) continue;
    if (is_driven) static_cast<void>(solve_accelerations(moment.system, within_));
    set_mean_reactions(moment, within_);
    energy_.add_point(moment.system, within_, s, until * moment.h, fraction == 0.5);
  }
  if (!balances) return;
  within_ = moment.state;
  if (const StepImpulses impulses = moment.stepper.impulses(); impulses.has_impact())
    within_.velocity = *impulses.impact.velocity_before;
  energy_.end_step(moment.system, within_, hides_impacts());
  judge_energy(moment);
}

void Audit::judge_energy(const Moment& moment) {
  if (energy_.seen() < kEnergySteps) return;
  const double part =
      options_.tolerance > 0.0
          ? std::clamp(options_.tolerance * std::max(kStepsOfEnergy, static_cast<double>(steps_)),
                       kTightestEnergy, kEnergyPart)
          : kEnergyPart;
  const double off = std::abs(energy_.gain(steps_)) - energy_.doubt(steps_);
  note({AuditCheck::kEnergy}, off, part * energy_.scale(), moment, moment.state.time);
  // of driven mechanisms the energy that comes and goes may be more than what is in play
  const System& system = moment.system;
  if (energy_.gain(steps_) > 0.0 && !system.has_forcing() && system.sizes().controls == 0)
    note({AuditCheck::kEnergyInPlay}, off, energy_.scale(), moment, moment.state.time);
}

AuditRatios Audit::take_ratios() {
  using enum AuditCheck;
  constexpr std::array groups{AuditGroup::kJoints,   AuditGroup::kJoints,   AuditGroup::kJoints,
                              AuditGroup::kContacts, AuditGroup::kContacts, AuditGroup::kFriction,
                              AuditGroup::kFriction, AuditGroup::kFriction, AuditGroup::kFriction,
                              AuditGroup::kContacts, AuditGroup::kEnergy,   AuditGroup::kEnergy,
                              AuditGroup::kClock};
  AuditRatios ratios = {};
  for (std::size_t i = 0; i < kAuditChecks; ++i) {
    double& ratio = ratios[static_cast<std::size_t>(groups[i])];
    ratio = std::max(ratio, recent_[i]);
  }
  recent_ = {};
  return ratios;
}

}  // namespace picus
