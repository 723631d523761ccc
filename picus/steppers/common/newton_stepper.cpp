// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/newton_stepper.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/base/error.h"
#include "picus/steppers/common/newton_use.h"
#include "picus/steppers/common/refusal.h"

namespace picus {
namespace {

// What roundings in positions, velocities and forces amount to, relative to them and amplified by
// the geometry of the mechanism: about 1e-12.
constexpr double kRounding = 4096.0 * std::numeric_limits<double>::epsilon();

constexpr int kMaxStartRefinements = 50;

// Like std::max, but NaN wins.
void keep_larger(double& largest, double candidate) {
  if (!(candidate <= largest)) largest = candidate;
}

}  // namespace

NewtonStepper::NewtonStepper(const AlphaOptions& options)
    : options_(options), newton_(options.newton) {
  const auto check = [](bool good, const char* option, double found, const char* expected) {
    if (good) return;
    throw InputError(fmt::format("option '{}': found {:g}, expected {}", option, found, expected));
  };
  check_newton(options.newton);
  check(options.error.newton_share > 0.0 && options.error.newton_share < 1.0, "newton_share",
        options.error.newton_share, "a number between 0 and 1");
  check(options.control_weight >= 0.5 && options.control_weight <= 1.0, "control_weight",
        options.control_weight, "a number in [0.5, 1]");
}

void NewtonStepper::control_error(double tolerance) {
  tolerance_ = traits().estimates_error ? tolerance : 0.0;
}

void NewtonStepper::start(const System& system, const State& state) {
  refuse_unsupported(name(), traits(), system);
  system_ = &system;
  sizes_ = system.sizes();
  is_linear_ = system.is_linear() && sizes_.slips == 0;  // friction is not
  now_ = state;
  size_state(system, now_);
  start_ = now_;
  increment_ = Vector::Zero(sizes_.velocities);

  blocks_ = blocks();
  blocks_.push_back({Equation::kControl, "control equation"});
  std::vector<int> block_sizes;
  for (const Block& block : blocks_) {
    switch (block.kind) {
      case Equation::kMomentum:
        block_sizes.push_back(sizes_.velocities);
        break;
      case Equation::kConstraint:
        block_sizes.push_back(sizes_.constraints);
        break;
      case Equation::kNonholonomic:
        block_sizes.push_back(sizes_.nonholonomic);
        break;
      case Equation::kControl:
        block_sizes.push_back(sizes_.controls);
        break;
    }
  }
  matrix_.reset(block_sizes);
  newton_.reset(matrix_.size());

  SparseMatrix M;
  system.mass_matrix(now_, M);
  inertia_ = 0.0;
  for (const double entry : M.values())
    inertia_ = std::max(inertia_, std::abs(entry));
  size_ = size_of_positions(system, now_);

  x_ = Vector::Zero(matrix_.size());
  guess(now_, x_);
  part(x_, control_block()) = now_.control_rate;
  r_scratch_ = x_;
  start_prediction();
  last_h_ = matrix_h_ = 0.0;
  rate_before_ = now_.control_rate;
  error_ = half_ = increment_;
  halfway_ = by_halves_ = now_.position;
  weights_.start(system, now_, options_.error.error_weights);
  start_history(now_);
}

void NewtonStepper::start_prediction() {
  Vector is_shifted = Vector::Zero(x_.size());
  for (int b = 0; b < matrix_.blocks(); ++b)
    if (blocks_[static_cast<std::size_t>(b)].kind == Equation::kMomentum)
      part(is_shifted, b).setOnes();
  predictor_.start(x_, is_shifted);
  is_open_ = false;
}

StepReport NewtonStepper::attempt(const System& system, const State& from, double h, State& to) {
  expects(system_ != nullptr, "start() before attempt()");
  expects(h > 0.0 && std::isfinite(h), "a positive step size");
  system_ = &system;
  from_ = &from;
  h_ = h;
  // old matrices are for steps of about the same size
  if (std::abs(h_ - matrix_h_) > options_.newton.reuse_band * matrix_h_)
    newton_.forget_matrix(matrix_h_ == 0.0 ? Refresh::kStart : Refresh::kStepSize);
  if (is_open_ && controls_error()) predictor_.reject();
  is_open_ = true;
  now_.time = from.time + h;
  refining_start_ = false;
  begin_step();
  predictor_.predict(h_, unknown_shift() * h_, x_);

  StepReport report = report_of(solve_step());
  if (!report.ok()) return report;

  move(x_);
  end_step(x_);
  if (controls_error()) estimate_error(report);
  start_ = from;
  to = now_;
  return report;
}

NewtonReport NewtonStepper::solve_step() {
  NewtonReport total = solve_equations(x_);
  for (int pass = 0; total.ok() && refine_start(); ++pass) {
    refining_start_ = true;
    begin_step();
    total.follow_by(solve_equations(x_));
    if (pass >= kMaxStartRefinements) total.status = NewtonReport::Status::kTooManyIterations;
  }
  return total;
}

void NewtonStepper::accept() {
  const Sizes unit = largest_of(x_);
  predictor_.accept(x_, [&](const Vector& difference) {
    const Sizes d = largest_of(difference);
    const auto ratio = [](double size, double of) { return of > 0.0 ? size / of : size; };
    return std::max({ratio(d.acceleration, unit.acceleration), ratio(d.reaction, unit.reaction),
                     ratio(d.rate, unit.rate)});
  });
  if (controls_error()) weights_.accept();
  rate_before_ = start_.control_rate;
  last_h_ = h_;
  is_open_ = false;
  accept_history();
}

StepReport NewtonStepper::report_of(const NewtonReport& newton) const {
  int row = -1;
  StepReport report = picus::report_of(newton, matrix_, row);
  report.cycles = cycles();
  for (int b = 0; row >= 0 && b < matrix_.blocks(); ++b) {
    if (row < matrix_.offset(b) || row >= matrix_.offset(b + 1)) continue;
    report.equation = blocks_[static_cast<std::size_t>(b)].name;
    report.worst_kind = blocks_[static_cast<std::size_t>(b)].kind;
    report.worst_index = row - matrix_.offset(b);
  }
  return report;
}

void NewtonStepper::residual(const Vector& x, Vector& r) {
  if (sizes_.controls > 0) {
    // (9a): x = x0 + h (1-ρ) ẋ0 + h ρ ẋ; variables have no rate to remember
    const int states = sizes_.controls - sizes_.variables;
    now_.control_rate = part(x, control_block());
    now_.control = from_->control + control_gain() * now_.control_rate;
    now_.control.head(states) += (h_ - control_gain()) * from_->control_rate.head(states);
  }
  move(x);
  if (controls_error()) weights_.include(increment_, now_);
  equations(x, r);
  if (sizes_.controls > 0) {
    system_->control(now_, r_scratch_);
    part(r, control_block()) = r_scratch_;
  }
}

bool NewtonStepper::linearize(const Vector& x) {
  matrix_h_ = h_;
  if (sizes_.controls > 0) system_->control_tangent(now_, chart(), control_);
  matrix_.begin();
  assemble(x);
  if (matrix_.factorize()) return true;
  if (!matrix_.is_finite() || !soften()) return false;
  matrix_.begin();
  assemble(x);
  return matrix_.factorize();
}

void NewtonStepper::add_control_force(int momentum_row) {
  if (sizes_.controls == 0) return;
  matrix_.add(momentum_row, control_block(), -control_gain(), control_.force);
}

void NewtonStepper::add_control_rows(int acceleration_block, double dq, double dv, double da) {
  if (sizes_.controls == 0) return;
  matrix_.add(control_block(), acceleration_block, dq, control_.position);
  matrix_.add(control_block(), acceleration_block, dv, control_.velocity);
  matrix_.add(control_block(), acceleration_block, da, control_.acceleration);
}

void NewtonStepper::add_control_rates(int multiplier_block) {
  if (sizes_.controls == 0) return;
  matrix_.add(control_block(), multiplier_block, 1.0, control_.multiplier);
  matrix_.add(control_block(), control_block(), 1.0, control_.rate);
  matrix_.add(control_block(), control_block(), control_gain(), control_.control);
}

NewtonStepper::Sizes NewtonStepper::largest_of(const Vector& x) const {
  Sizes sizes;
  for (int b = 0; b < matrix_.blocks(); ++b) {
    if (matrix_.block_size(b) == 0) continue;
    const double largest = part(x, b).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    switch (blocks_[static_cast<std::size_t>(b)].kind) {
      case Equation::kMomentum:
        keep_larger(sizes.acceleration, largest);
        break;
      case Equation::kControl:
        keep_larger(sizes.rate, largest);
        break;
      default:
        keep_larger(sizes.reaction, largest);
        break;
    }
  }
  return sizes;
}

double NewtonStepper::relative_tolerance() const {
  const double tight = options_.newton.newton_tolerance;
  // where (46) alone would stop for a step as large as the tolerance allows
  return controls_error() ? std::max(tight, options_.error.newton_share * std::cbrt(tolerance_))
                          : tight;
}

double NewtonStepper::error_norm(const Vector& correction, const Vector& x) const {
  const double relative = relative_norm(correction, x);
  return controls_error() ? std::max(relative, controlled_norm(correction)) : relative;
}

double NewtonStepper::relative_norm(const Vector& correction, const Vector& x) const {
  const Sizes change = largest_of(correction);
  Sizes unit = largest_of(x);
  unit.reaction = std::max(unit.reaction, inertia_ * unit.acceleration);
  const double tolerance = relative_tolerance();
  const auto ratio = [&](double size, double of) {
    // a solution of exactly zero is measured by the way that led there; what has faded to the
    // smallest numbers must not be multiplied by the tolerance
    return size == 0.0 ? 0.0 : size / std::max(of, size) / tolerance;
  };
  return std::max({ratio(change.acceleration, unit.acceleration),
                   ratio(change.reaction, unit.reaction), ratio(change.rate, unit.rate)});
}

// negrut-hht-i3 (46) and (47): what corrections change in the estimated errors, as a multiple of
// c ε. In place of ρ - 1/2 the weight of controls is ρ, their whole change, so that it serves
// ρ = 1/2, too.
double NewtonStepper::controlled_norm(const Vector& correction) const {
  const double share = options_.error.newton_share * tolerance_;
  double largest = 0.0;
  for (int b = 0; b < matrix_.blocks(); ++b) {
    const Equation kind = blocks_[static_cast<std::size_t>(b)].kind;
    if (kind == Equation::kMomentum)
      keep_larger(largest,
                  error_constant() * h_ * h_ * weights_.position_norm(part(correction, b)));
    if (kind == Equation::kControl)
      keep_larger(largest, control_gain() * weights_.control_norm(part(correction, b)));
  }
  return largest / share;
}

void NewtonStepper::estimate_error(StepReport& report) {
  weights_.include(increment_, now_);
  local_error(error_);
  // forces that cancel leave accelerations of the order of their rounding
  const double cancelled = inertia_ > 0.0 ? max_abs(now_.multiplier) / inertia_ : 0.0;
  const double noise = error_constant() * h_ * h_ * kRounding * cancelled;
  const double position =
      std::hypot(weights_.position_norm(error_, noise), estimate_curvature_error()) / tolerance_;
  const double control = estimate_control_error() / tolerance_;
  const bool is_second_order = options_.control_weight == 0.5;
  const auto factor = [](double error, double exponent) {
    constexpr double kLargest = 1e6;
    return error > 0.0 ? std::min(kLargest, std::pow(error, -exponent)) : kLargest;
  };
  // (38b) and (39b) without their safety factor
  report.step_factor = std::min(factor(position, 1.0 / 3.0),
                                factor(control, is_second_order ? 1.0 / 3.0 : 1.0 / 2.0));
  report.error = std::max(position, control);
  report.equation = position >= control ? "position" : "control state";
  report.worst_kind = position >= control ? Equation::kMomentum : Equation::kControl;
  if (position >= control && error_.size() > 0)
    error_.cwiseAbs().cwiseQuotient(weights_.position()).maxCoeff(&report.worst_index);
}

// On a manifold rotations do not commute: the exact increment of a step contains h³ [v, v̇] / 12,
// which no method of the family has. Two half steps along the same velocities have a quarter of
// that error, so 4/3 of what they change is an estimate. Lengths commute; what changes are
// quaternions, by half the angle.
double NewtonStepper::estimate_curvature_error() {
  if (system_->is_flat()) return 0.0;
  half_ = 0.125 * h_ * (from_->velocity - now_.velocity) + 0.5 * increment_;
  system_->retract(from_->position, half_, halfway_);
  half_ = increment_ - half_;
  system_->retract(halfway_, half_, by_halves_);
  return 4.0 / 3.0 * 2.0 * (by_halves_ - now_.position).norm() /
         std::sqrt(static_cast<double>(sizes_.velocities));
}

// (34) and the next term of Taylor's series, the same for every ρ: (ρ - 1/2) h (ẋ_1 - ẋ_0) +
// h³ x⃛ / 12, with x⃛ from the rates of three times. A first step has two; it takes their difference
// for h² x⃛, which is cautious.
double NewtonStepper::estimate_control_error() {
  const int states = sizes_.controls - sizes_.variables;
  if (states == 0) return 0.0;
  auto change = now_.control_rate.head(states) - from_->control_rate.head(states);
  auto error = r_scratch_.head(states);
  if (last_h_ > 0.0) {
    error = change / h_ - (from_->control_rate.head(states) - rate_before_.head(states)) / last_h_;
    error *= h_ * h_ * h_ / (6.0 * (h_ + last_h_));
  } else {
    error = change * h_ / 12.0;
  }
  const double first = (options_.control_weight - 0.5) * h_;
  if (options_.error.error_constant == ErrorConstant::kPaper && first > 0.0) error.setZero();
  error += first * change;
  return weights_.control_norm(error);
}

double NewtonStepper::rounding() const {
  return kRounding * (max_abs(now_.position) / (h_ * h_) + max_abs(now_.velocity) / h_ +
                      max_abs(now_.acceleration));
}

// Where a mechanism has come to rest, accelerations and variables are differences of larger
// numbers, and rounding is a part of those.
bool NewtonStepper::is_rounding(const Vector& correction) const {
  const Sizes change = largest_of(correction);
  const double place = std::max(max_abs(now_.position), size_);
  ControlTerms terms;
  if (sizes_.controls > 0)
    terms = control_rounding_.terms_of(control_, now_, sizes_.variables, place, place / h_);
  const double cancelled =
      inertia_ > 0.0 ? (max_abs(now_.multiplier) + terms.force) / inertia_ : 0.0;
  const double noise = rounding() + kRounding * (place / (h_ * h_) + cancelled);
  const double control_noise =
      kRounding * (max_abs(now_.control) / h_ + max_abs(now_.control_rate) + terms.rate +
                   terms.value / control_gain());
  return change.acceleration <= noise &&
         change.reaction <= inertia_ * noise + kRounding * max_abs(now_.multiplier) &&
         change.rate <= control_noise;
}

void NewtonStepper::interpolate(const System& system, double fraction, State& result) const {
  const double s = fraction;
  const double h = now_.time - start_.time;
  result = now_;
  if (s >= 1.0) return;
  result.time = start_.time + s * h;
  const Vector* const jump = velocity_jump();
  const Vector end_velocity = jump != nullptr ? now_.velocity - *jump : now_.velocity;
  // cubic Hermite increment with the values at both ends, and on a vector space their slopes
  along_ = s * (1.0 - s) * (1.0 - s) * h * start_.velocity - s * s * (1.0 - s) * h * end_velocity +
           s * s * (3.0 - 2.0 * s) * increment_;
  system.retract(start_.position, along_, result.position);
  const auto mix = [s](const Vector& a, const Vector& b, Vector& to) {
    to = (1.0 - s) * a + s * b;
  };
  result.velocity = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s) * start_.velocity +
                    s * (1.0 - s) * (1.0 - s) * h * start_.acceleration +
                    s * s * (3.0 - 2.0 * s) * end_velocity -
                    s * s * (1.0 - s) * h * now_.acceleration;
  mix(start_.acceleration, now_.acceleration, result.acceleration);
  mix(start_.multiplier, now_.multiplier, result.multiplier);
  mix(start_.nonholonomic_multiplier, now_.nonholonomic_multiplier, result.nonholonomic_multiplier);
  mix(start_.control, now_.control, result.control);
  mix(start_.control_rate, now_.control_rate, result.control_rate);
}

}  // namespace picus
