// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/runge_kutta.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/base/contract.h"
#include "picus/steppers/common/refusal.h"

namespace picus {
namespace {

// Steps of explicit methods that move the model by less than a part of its size, and last so long
// that h|λ| of its fastest motion is between these two, come to the limit of stability. The
// estimate of |λ| is low where motions mix: it is noticed before.
constexpr double kShort = 100.0;
constexpr double kNoticed = 0.25;
constexpr double kStable = 0.5;
constexpr double kUnstable = 1.0;
constexpr double kLasting = 10.0;     // errors of fast motions stay for so many steps, at least
constexpr double kLeastMove = 1e-14;  // of positions, by which the smallest errors are recognised
constexpr int kWithinOrder = 4;       // of the interpolated increment
constexpr double kGapRounding = 64.0 * std::numeric_limits<double>::epsilon();  // of gaps of joints

}  // namespace

StepperTraits RungeKutta::traits() const {
  return {.order = order(),
          .holonomic = true,
          .nonholonomic = true,
          .general_reactions = true,
          .controls = true,
          .estimates_error = true,
          .position_drift = options_.projection == DriftProjection::kNone,
          .velocity_drift = options_.projection == DriftProjection::kNone};
}

void RungeKutta::start(const System& system, const State& state) {
  refuse_unsupported(name_, traits(), system);
  sizes_ = system.sizes();
  is_flat_ = system.is_flat();
  begin_ = state;
  size_state(system, begin_);
  end_ = begin_;
  const int size = 2 * sizes_.velocities + states();
  if (y_.size() != size) y_begin_ = y_ = error_ = Vector::Zero(size);
  if (increment_.size() != sizes_.velocities)
    increment_ = increment_rate_ = Vector::Zero(sizes_.velocities);
  is_driven_ = sizes_.joints() > 0 && system.has_forcing();
  if (is_driven_ && gap_.size() != sizes_.constraints) gap_ = Vector::Zero(sizes_.constraints);
  if (is_driven_) middle_ = begin_;
  equations_.start(system);
  start_stages(system);
  if (controls_error()) weights_.start(system, begin_, options_.error_weights);
}

StepReport RungeKutta::attempt(const System& system, const State& from, double h, State& to) {
  expects(h > 0.0 && std::isfinite(h), "a positive step size");
  h_ = h;
  begin_ = from;
  end_.time = from.time + h;
  y_begin_.head(velocities()).setZero();
  y_begin_.segment(velocities(), velocities()) = from.velocity;
  y_begin_.tail(states()) = from.control.head(states());
  equations_.begin_step();
  StepReport report;
  if (!run_stages(system, report)) return report;
  place(system, y_, increment_, end_);
  if (projects() &&
      !equations_.project(system, begin_.position, increment_, end_, report, metric()))
    return report;
  if ((projects() || !knows_end()) && !equations_.solve(system, end_, report)) return report;
  system.increment_rate({begin_.position, increment_}, end_.velocity, increment_rate_);
  if (controls_error()) estimate_error(report);
  if (controls_error() && is_driven_) look_within(system, report);
  to = end_;
  return report;
}

void RungeKutta::place(const System& system, const Vector& y, Vector& increment, State& s) const {
  increment = y.head(velocities());
  s.velocity = y.segment(velocities(), velocities());
  if (states() > 0) s.control.head(states()) = y.tail(states());
  system.retract(begin_.position, increment, s.position);
}

void RungeKutta::accept() {
  if (controls_error()) weights_.accept();
  accept_stages();
}

// Velocities by what their error would move in a step.
//
// Explicit methods do not damp the fast motions of stiff parts; with steps as long as these allow,
// errors of them grow until they are seen. Relative to the size of the model they are then small in
// positions, but not in velocities: there h δv is judged by what the motion itself moves in a step,
// down to what rounding leaves to be judged. The change from one to the other is gradual.
void RungeKutta::weigh_velocities(StepReport& report) {
  double moved = 0.0;  // the largest way in the step, over its scale
  for (int i = 0; i < velocities(); ++i)
    if (weights_.position()(i) > 0.0)
      moved = std::max(moved, h_ * weights_.speed(i) / weights_.position()(i));
  double weight = 1.0;
  if (kShort * moved < 1.0 && fastest() > kNoticed) {
    const double part = std::clamp((fastest() - kStable) / (kUnstable - kStable), 0.0, 1.0);
    weight = std::pow(kLasting / std::max(moved, kLeastMove / tolerance_), part);
    report.too_fast = fastest() / h_;
  }
  auto position = error_.head(velocities());
  position = position.cwiseAbs().cwiseMax(weight * h_ *
                                          error_.segment(velocities(), velocities()).cwiseAbs());
}

// Positions and velocities; states by their own scale.
void RungeKutta::estimate_error(StepReport& report) {
  weights_.include(increment_, end_);
  local_error(error_);
  weigh_velocities(report);
  const auto position = error_.head(velocities());
  const double of_position = weights_.position_norm(position) / tolerance_;
  const double of_control =
      states() > 0 ? weights_.control_norm(error_.tail(states())) / tolerance_ : 0.0;
  report.error = std::max(of_position, of_control);
  const auto factor = [](double error, int order) {
    constexpr double kLargest = 1e6;
    return error > 0.0 ? std::min(kLargest, std::pow(error, -1.0 / (order + 1.0))) : kLargest;
  };
  report.step_factor =
      std::min(factor(of_position, position_error_order()), factor(of_control, error_order()));
  const bool is_position = of_position >= of_control;
  report.equation = is_position ? "position" : "control state";
  report.worst_kind = is_position ? Equation::kMomentum : Equation::kControl;
  if (is_position && velocities() > 0)
    position.cwiseQuotient(weights_.position()).maxCoeff(&report.worst_index);
}

// Joints that formulas of time drive hold at the ends of a step, whatever the formulas do between
// them: errors of the free motion do not tell whether the dense output follows.
void RungeKutta::look_within(const System& system, StepReport& report) {
  interpolate(system, 0.5, middle_);
  system.constraint(middle_, gap_);
  Eigen::Index worst = 0;
  const double apart = gap_.head(sizes_.joints()).cwiseAbs().maxCoeff(&worst);
  const double noise = kGapRounding * (1.0 + max_abs(middle_.position));
  const double error = (apart - noise) / (tolerance_ * scales().maxCoeff());
  if (!(error > report.error && std::isfinite(error))) return;
  report.error = error;
  report.step_factor = std::min(report.step_factor, std::pow(error, -1.0 / (kWithinOrder + 1.0)));
  report.equation = "joint between the ends of the step";
  report.worst_kind = Equation::kConstraint;
  report.worst_index = static_cast<int>(worst);
}

void RungeKutta::interpolate(const System& system, double fraction, State& result) const {
  const double s = fraction, r = 1.0 - s;
  result = end_;
  result.time = begin_.time + s * h_;
  if (!motion_within(s, along_, result))
    is_flat_ ? interpolate_flat(s, result) : interpolate_curved(s, result);
  system.retract(begin_.position, along_, result.position);
  if (has_reactions_within()) {
    reactions_within(s, result);
  } else {
    result.multiplier = r * begin_.multiplier + s * end_.multiplier;
    result.nonholonomic_multiplier =
        r * begin_.nonholonomic_multiplier + s * end_.nonholonomic_multiplier;
  }
  if (sizes_.controls == 0) return;
  // states by Hermite's cubic, variables along a line
  result.control = r * begin_.control + s * end_.control;
  const auto x0 = begin_.control.head(states()), x1 = end_.control.head(states());
  const auto d0 = begin_.control_rate.head(states()), d1 = end_.control_rate.head(states());
  result.control.head(states()) =
      r * r * (1.0 + 2.0 * s) * x0 + s * s * (3.0 - 2.0 * s) * x1 + h_ * s * r * (r * d0 - s * d1);
  result.control_rate.head(states()) =
      6.0 * s * r / h_ * (x1 - x0) + r * (1.0 - 3.0 * s) * d0 + s * (3.0 * s - 2.0) * d1;
}

// The polynomial of degree five with the positions, velocities and accelerations of both ends, and
// its derivatives.
void RungeKutta::interpolate_flat(double s, State& result) const {
  const double s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
  const auto mix = [&](double p, double v0, double v1, double a0, double a1, double scale) {
    return scale * (p * increment_ + h_ * (v0 * begin_.velocity + v1 * end_.velocity) +
                    0.5 * h_ * h_ * (a0 * begin_.acceleration + a1 * end_.acceleration));
  };
  along_.noalias() =
      mix(10.0 * s3 - 15.0 * s4 + 6.0 * s5, s - 6.0 * s3 + 8.0 * s4 - 3.0 * s5,
          -4.0 * s3 + 7.0 * s4 - 3.0 * s5, s2 - 3.0 * s3 + 3.0 * s4 - s5, s3 - 2.0 * s4 + s5, 1.0);
  result.velocity =
      mix(30.0 * s2 - 60.0 * s3 + 30.0 * s4, 1.0 - 18.0 * s2 + 32.0 * s3 - 15.0 * s4,
          -12.0 * s2 + 28.0 * s3 - 15.0 * s4, 2.0 * s - 9.0 * s2 + 12.0 * s3 - 5.0 * s4,
          3.0 * s2 - 8.0 * s3 + 5.0 * s4, 1.0 / h_);
  result.acceleration =
      mix(60.0 * s - 180.0 * s2 + 120.0 * s3, -36.0 * s + 96.0 * s2 - 60.0 * s3,
          -24.0 * s + 84.0 * s2 - 60.0 * s3, 2.0 - 18.0 * s + 36.0 * s2 - 20.0 * s3,
          6.0 * s - 24.0 * s2 + 20.0 * s3, 1.0 / (h_ * h_));
}

// The increment by the polynomial of degree four with its values and rates at both ends and its
// second derivative at the beginning, which is the acceleration; velocities by Hermite's cubic.
void RungeKutta::interpolate_curved(double s, State& result) const {
  const double r = 1.0 - s, s2 = s * s, s3 = s2 * s, s4 = s3 * s;
  along_ = (4.0 * s3 - 3.0 * s4) * increment_ +
           h_ * ((s - 3.0 * s3 + 2.0 * s4) * begin_.velocity + (s4 - s3) * increment_rate_) +
           0.5 * h_ * h_ * (s2 - 2.0 * s3 + s4) * begin_.acceleration;
  const Vector &v0 = begin_.velocity, &v1 = end_.velocity;
  const Vector &a0 = begin_.acceleration, &a1 = end_.acceleration;
  result.velocity =
      r * r * (1.0 + 2.0 * s) * v0 + s2 * (3.0 - 2.0 * s) * v1 + h_ * s * r * (r * a0 - s * a1);
  result.acceleration =
      6.0 * s * r / h_ * (v1 - v0) + r * (1.0 - 3.0 * s) * a0 + s * (3.0 * s - 2.0) * a1;
}

}  // namespace picus
