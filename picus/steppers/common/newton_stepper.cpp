// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/newton_stepper.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/base/error.h"

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
  const NewtonOptions& newton = options.newton;
  check(newton.newton_tolerance > 0.0 && newton.newton_tolerance < 1.0, "newton_tolerance",
        newton.newton_tolerance, "a number between 0 and 1");
  check(newton.newton_max_iterations >= 1, "newton_max_iterations", newton.newton_max_iterations,
        "at least 1");
  check(newton.slow_rate > 0.0 && newton.slow_rate < 1.0, "slow_rate", newton.slow_rate,
        "a number between 0 and 1");
  check(options.control_weight >= 0.5 && options.control_weight <= 1.0, "control_weight",
        options.control_weight, "a number in [0.5, 1]");
}

void NewtonStepper::refuse_unsupported(const System& system) const {
  const StepperTraits can = traits();
  const SystemSizes n = system.sizes();
  const auto refuse = [&](const char* what, const char* instead) {
    throw InputError(fmt::format("{} does not accept {}; use {}", name(), what, instead));
  };
  if (n.constraints > 0 && !can.holonomic)
    refuse("holonomic constraints", "index3, ggl, stabilized_index1, soi2 or hht_i3");
  if (n.nonholonomic > 0 && !can.nonholonomic)
    refuse("nonholonomic constraints", "index2, ggl, stabilized_index1 or soi2");
  if (!system.has_linear_reactions() && !can.general_reactions)
    refuse("forces that are nonlinear in the multipliers", "soi2");
}

void NewtonStepper::start(const System& system, const State& state) {
  refuse_unsupported(system);
  system_ = &system;
  sizes_ = system.sizes();
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

  x_ = Vector::Zero(matrix_.size());
  guess(now_, x_);
  part(x_, control_block()) = now_.control_rate;
  x_accepted_ = x_before_ = r_scratch_ = x_;
  has_slope_ = false;
  last_h_ = matrix_h_ = 0.0;
  start_history(now_);
}

void NewtonStepper::predict() {
  x_ = x_accepted_;
  if (has_slope_) x_ += (h_ / last_h_) * (x_accepted_ - x_before_);
}

StepReport NewtonStepper::attempt(const System& system, const State& from, double h, State& to) {
  expects(system_ != nullptr, "start() before attempt()");
  expects(h > 0.0 && std::isfinite(h), "a positive step size");
  system_ = &system;
  from_ = &from;
  h_ = h;
  if (h_ != matrix_h_) newton_.forget_matrix();
  matrix_h_ = h_;
  now_.time = from.time + h;
  begin_step();
  predict();

  NewtonReport total = newton_.solve(*this, x_);
  for (int pass = 0; total.ok() && refine_start() && pass < kMaxStartRefinements; ++pass) {
    begin_step();
    const NewtonReport again = newton_.solve(*this, x_);
    total.status = again.status;
    total.iterations += again.iterations;
    total.factorizations += again.factorizations;
  }
  const StepReport report = report_of(total);
  if (!report.ok()) return report;

  move(x_);
  end_step(x_);
  start_ = from;
  to = now_;
  return report;
}

void NewtonStepper::accept() {
  std::swap(x_before_, x_accepted_);
  x_accepted_ = x_;
  has_slope_ = last_h_ > 0.0;  // the guess of the first step is no solution
  last_h_ = h_;
  accept_history();
}

StepReport NewtonStepper::report_of(const NewtonReport& newton) const {
  StepReport report;
  report.newton_iterations = newton.iterations;
  report.factorizations = newton.factorizations;
  report.newton_rate = newton.rate;
  switch (newton.status) {
    case NewtonReport::Status::kConverged:
      return report;
    case NewtonReport::Status::kSingular:
      report.status = matrix_.is_finite() ? StepReport::Status::kSingularMatrix
                                          : StepReport::Status::kNotFinite;
      break;
    case NewtonReport::Status::kNotFinite:
      report.status = StepReport::Status::kNotFinite;
      break;
    default:
      report.status = StepReport::Status::kNotConverged;
      break;
  }
  const int row = newton.status == NewtonReport::Status::kSingular ? matrix_.weakest_column()
                                                                   : newton.worst_row;
  for (int b = 0; b < matrix_.blocks(); ++b) {
    if (row < matrix_.offset(b) || row >= matrix_.offset(b + 1)) continue;
    report.equation = blocks_[static_cast<std::size_t>(b)].name;
    report.worst_kind = blocks_[static_cast<std::size_t>(b)].kind;
    report.worst_index = row - matrix_.offset(b);
  }
  report.worst_residual = newton.worst_residual;
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
  equations(x, r);
  if (sizes_.controls > 0) {
    system_->control(now_, r_scratch_);
    part(r, control_block()) = r_scratch_;
  }
}

bool NewtonStepper::linearize(const Vector& x) {
  if (sizes_.controls > 0) system_->control_tangent(now_, chart(), control_);
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

double NewtonStepper::error_norm(const Vector& correction, const Vector& x) const {
  const Sizes change = largest_of(correction);
  Sizes unit = largest_of(x);
  unit.reaction = std::max(unit.reaction, inertia_ * unit.acceleration);
  const auto ratio = [&](double size, double of) {
    return size == 0.0 ? 0.0 : size / (options_.newton.newton_tolerance * of);
  };
  return std::max({ratio(change.acceleration, unit.acceleration),
                   ratio(change.reaction, unit.reaction), ratio(change.rate, unit.rate)});
}

bool NewtonStepper::is_rounding(const Vector& correction) const {
  const Sizes change = largest_of(correction);
  const double noise = kRounding * (max_abs(now_.position) / (h_ * h_) +
                                    max_abs(now_.velocity) / h_ + max_abs(now_.acceleration));
  const double control_noise =
      kRounding * (max_abs(now_.control) / h_ + max_abs(now_.control_rate));
  return change.acceleration <= noise &&
         change.reaction <= inertia_ * noise + kRounding * max_abs(now_.multiplier) &&
         change.rate <= control_noise;
}

void NewtonStepper::interpolate(const System& system, double fraction, State& result) const {
  const double s = fraction;
  const double h = now_.time - start_.time;
  result = now_;
  result.time = start_.time + s * h;
  // cubic Hermite increment with the right values and slopes at both ends
  const Vector along = s * (1.0 - s) * (1.0 - s) * h * start_.velocity -
                       s * s * (1.0 - s) * h * now_.velocity + s * s * (3.0 - 2.0 * s) * increment_;
  system.retract(start_.position, along, result.position);
  const auto mix = [s](const Vector& a, const Vector& b) { return Vector((1.0 - s) * a + s * b); };
  result.velocity = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s) * start_.velocity +
                    s * (1.0 - s) * (1.0 - s) * h * start_.acceleration +
                    s * s * (3.0 - 2.0 * s) * now_.velocity -
                    s * s * (1.0 - s) * h * now_.acceleration;
  result.acceleration = mix(start_.acceleration, now_.acceleration);
  result.multiplier = mix(start_.multiplier, now_.multiplier);
  result.nonholonomic_multiplier =
      mix(start_.nonholonomic_multiplier, now_.nonholonomic_multiplier);
  result.control = mix(start_.control, now_.control);
  result.control_rate = mix(start_.control_rate, now_.control_rate);
}

}  // namespace picus
