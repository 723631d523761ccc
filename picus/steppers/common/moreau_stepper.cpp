// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/moreau_stepper.h"

#include <algorithm>

namespace picus {
namespace {

// A gap below this, relative to 1 + the positions, is closed: projections leave as much.
constexpr double kTouching = 1e-11;

}  // namespace

MoreauStepper::MoreauStepper(std::string_view name, double theta, PositionCorrection correction,
                             const ContactOptions& contact, Limits limits)
    : ImpulseStepper(name, contact, limits), theta_(theta), correction_(correction) {}

void MoreauStepper::start(const System& system, const State& state) {
  ImpulseStepper::start(system, state);
  middle_ = begin_;
  middle_increment_ = shift_ = shift_change_ = Vector::Zero(sizes_.velocities);
}

void MoreauStepper::begin_step(const System& system) {
  span_ = h_;
  velocity_before_ = velocity_ = begin_.velocity;
  shift_.setZero();
  contacts_.active().clear();
  forecast(system);
  activate_friction(system);
}

void MoreauStepper::activate_friction(const System& system) {
  if (sizes_.friction_elements == 0) return;
  placed_ = begin_;
  placed_.time = begin_.time + theta_ * h_;
  shift_change_ = theta_ * h_ * begin_.velocity;
  system.retract(begin_.position, shift_change_, placed_.position);
  contacts_.activate_friction(system, placed_, h_);
}

void MoreauStepper::activate(const Vector& gaps, double lead) {
  const double touching = kTouching * (1.0 + max_abs(begin_.position));
  for (int j = 0; j < sizes_.contacts; ++j) {
    const int row = sizes_.joints() + j;
    if (gaps(row) + lead * before_.gap_rate(row) <= touching) contacts_.active().push_back(j);
  }
}

void MoreauStepper::border_joints(const System& system) {
  if (sizes_.joints() > 0) {
    system.constraint_jacobian(middle_, G_);
    head_rows(G_, sizes_.joints(), joints_);
    border(kJoints, joints_, joints_);
  }
  if (sizes_.rollings() > 0) {
    system.nonholonomic_tangent(middle_, middle_chart(), k_q_, k_v_);
    head_rows(k_v_, sizes_.rollings(), rollings_);
    border(kRollings, rollings_, rollings_);
  }
}

void MoreauStepper::state_equations(const System& system) {
  system.force(middle_, F_);
  residual_ = -F_;
  M_.multiply_add(1.0, middle_.acceleration, residual_);
  x_.head(sizes_.velocities) = -residual_;
  const State& s = middle_with(velocity_);
  system.constraint_velocity(s, rate_);
  x_.segment(sizes_.velocities, sizes_.joints()) = -rate_.head(sizes_.joints()) / h_;
  if (sizes_.nonholonomic > 0) {
    system.nonholonomic(s, rolling_rate_);
    x_.tail(sizes_.rollings()) = -rolling_rate_.head(sizes_.rollings()) / h_;
  }
}

void MoreauStepper::see_contacts(const System& system) {
  free_.see(system, middle_with(velocity_ + h_ * x_.head(sizes_.velocities)), middle_chart());
}

double MoreauStepper::rolling_left(const System& system) {
  if (sizes_.rollings() == 0) return 0.0;
  system.nonholonomic(middle_with(velocity_), rolling_rate_);
  return rolling_rate_.head(sizes_.rollings()).cwiseAbs().maxCoeff();
}

void MoreauStepper::advance() {
  end_.velocity = velocity_;
  increment_ = h_ * ((1.0 - theta_) * begin_.velocity + theta_ * velocity_) + shift_;
}

// acary (19): positions and velocities are found together.
bool MoreauStepper::is_settled(const System& system, double change) {
  if (is_linear() && correction_ != PositionCorrection::kMultiplier) return true;
  shift_change_ = -shift_;
  if (!find_shift(system)) return false;
  shift_change_ += shift_;
  return std::max(change, max_abs(shift_change_) / h_) <= tolerance() * scale_;
}

bool MoreauStepper::end_step(const System& system) {
  advance();
  system.retract(begin_.position, increment_, end_.position);
  return correction_ != PositionCorrection::kProjected ||
         projection_.project(system, contacts_.active_contacts(), end_);
}

// (19b), (19e) with G at q_m
bool MoreauStepper::find_shift(const System& system) {
  if (correction_ != PositionCorrection::kMultiplier) return true;
  shift_.setZero();
  advance();
  system.constraint_jacobian(middle_, G_);
  return projection_.shift_along(system, G_, {begin_.position, increment_}, end_, shift_);
}

}  // namespace picus
