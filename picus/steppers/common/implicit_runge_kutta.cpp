// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/implicit_runge_kutta.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/math/decompositions.h"
#include "picus/steppers/common/newton_use.h"

namespace picus {
namespace {

// What roundings in positions, velocities and forces amount to, relative to them.
constexpr double kStageRounding = 4096.0 * std::numeric_limits<double>::epsilon();
constexpr double kFarthestGuess = 2.5;  // steps that grow by more begin with constants
constexpr double kNewtonShare = 1e-3;   // of the tolerance under error control

double largest(double a, double b) {
  return b <= a ? a : b;  // NaN wins
}

double largest_entry(const SparseMatrix& A) {
  double size = 0.0;
  for (const double entry : A.values())
    size = std::max(size, std::abs(entry));
  return size;
}

}  // namespace

Collocation choose_collocation(std::span<const Collocation> methods, int order) {
  std::string orders;
  for (const Collocation& method : methods) {
    if (method.order == order) return method;
    orders += fmt::format("{}{}", orders.empty() ? "" : " or ", method.order);
  }
  throw InputError(fmt::format("option 'order': found {}, expected {}", order, orders));
}

ImplicitRungeKutta::ImplicitRungeKutta(const char* name, Collocation method,
                                       const RungeKuttaOptions& options,
                                       const NewtonOptions& newton)
    : RungeKutta(name, options),
      order_(method.order),
      newton_options_(newton),
      knows_first_(method.nodes.front() == 0.0),
      newton_(newton) {
  check_newton(newton);
  nodes_ =
      Eigen::Map<const Vector>(method.nodes.data(), static_cast<Eigen::Index>(method.nodes.size()));
  find_weights();
}

// The weights integrate polynomials exactly: Σ_j a_ij c_j^(k-1) = c_i^k / k [HairerWanner1996,
// IV.5].
void ImplicitRungeKutta::find_weights() {
  const Eigen::Index n = nodes_.size();
  Matrix powers(n, n), integrals(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      powers(i, k) = std::pow(nodes_(i), k);
      integrals(i, k) = std::pow(nodes_(i), k + 1) / (k + 1);
    }
  }
  const Matrix all = integrals * inverse_of(powers);
  const Eigen::Index first = knows_first_ ? 1 : 0, solved = n - first;
  const Vector c = nodes_.tail(solved);
  a_ = all.bottomRightCorner(solved, solved);
  a0_ = knows_first_ ? Vector(all.col(0).tail(solved)) : Vector(Vector::Zero(solved));
  a2_ = a_ * a_;
  a20_ = a_ * a0_;
  nodes_ = c;
  at_beginning_ = Vector::Ones(solved);
  for (Eigen::Index i = 0; i < solved; ++i)
    for (Eigen::Index j = 0; j < solved; ++j)
      if (j != i) at_beginning_(i) *= c(j) / (c(j) - c(i));
  gamma_ = std::pow(std::abs(determinant_of(a_)), 1.0 / static_cast<double>(solved));
  coefficients_ = inverse_of(powers);
}

void ImplicitRungeKutta::start_stages(const System& system) {
  const int count = stages();
  const int sizes[] = {is_flat_ ? 0 : sizes_.velocities, sizes_.velocities, sizes_.constraints,
                       sizes_.nonholonomic, sizes_.controls};
  bool fits = matrix_.blocks() == kKinds * count;
  for (int k = 0; fits && k < kKinds; ++k)
    fits = matrix_.block_size(k) == sizes[k];
  if (!fits) {
    std::vector<int> blocks;
    for (int i = 0; i < count; ++i)
      blocks.insert(blocks.end(), std::begin(sizes), std::end(sizes));
    matrix_.reset(blocks);
    x_ = last_x_ = Vector::Zero(matrix_.size());
    begin_x_ = last_begin_ = x_;
    stages_.resize(static_cast<std::size_t>(count));
  }
  newton_.reset(matrix_.size());
  for (Stage& at : stages_) {
    at.s = begin_;
    at.increment.setZero(sizes_.velocities);
    at.increment_rate = at.increment;
  }
  is_linear_ = system.is_linear();
  last_h_ = matrix_h_ = 0.0;
  system.mass_matrix(begin_, stage(0).M);
  inertia_ = largest_entry(stage(0).M);
  size_ = size_of_positions(system, begin_);
}

bool ImplicitRungeKutta::run_stages(const System& system, StepReport& report) {
  system_ = &system;
  if (std::abs(h_ - matrix_h_) > newton_options_.reuse_band * matrix_h_)
    newton_.forget_matrix(matrix_h_ == 0.0 ? Refresh::kStart : Refresh::kStepSize);
  predict();
  int row = -1;
  report = report_of(newton_.solve(*this, x_), matrix_, row);
  if (!report.ok()) {
    static constexpr Equation kEquations[] = {Equation::kMomentum, Equation::kMomentum,
                                              Equation::kConstraint, Equation::kNonholonomic,
                                              Equation::kControl};
    static constexpr const char* kNames[] = {
        "kinematics", "momentum balance", "constraint at acceleration level",
        "rate of the nonholonomic constraint", "control equation"};
    for (int b = 0; row >= 0 && b < matrix_.blocks(); ++b) {
      if (row < matrix_.offset(b) || row >= matrix_.offset(b + 1)) continue;
      report.worst_kind = kEquations[b % kKinds];
      report.equation = kNames[b % kKinds];
      report.worst_index = row - matrix_.offset(b);
    }
    return false;
  }
  move(x_);
  complete_end();
  find_stiffness();
  return true;
}

void ImplicitRungeKutta::complete_end() {
  const Stage& last = stages_.back();
  y_.head(velocities()) = last.increment;
  y_.segment(velocities(), velocities()) = last.s.velocity;
  y_.tail(states()) = last.s.control.head(states());
  end_.acceleration = last.s.acceleration;
  end_.multiplier = last.s.multiplier;
  end_.nonholonomic_multiplier = last.s.nonholonomic_multiplier;
  end_.control = last.s.control;
  end_.control_rate = last.s.control_rate;
}

// --- the guess -----------------------------------------------------------------------------------

void ImplicitRungeKutta::guess(const State& s, int i, Vector& x) const {
  part(x, i, kMotion) = s.acceleration;
  part(x, i, kReaction) = s.multiplier;
  part(x, i, kRolling) = s.nonholonomic_multiplier;
  auto controls = part(x, i, kControls);
  controls.head(states()) = s.control_rate.head(states());
  controls.tail(sizes_.variables) = s.control.tail(sizes_.variables);
}

// The polynomial through the beginning and the stages of the last step, continued; increments grow
// at about the velocity.
void ImplicitRungeKutta::predict() {
  for (int i = 0; i < stages(); ++i)
    guess(begin_, i, begin_x_);
  if (last_h_ == 0.0 || h_ > kFarthestGuess * last_h_) {
    x_ = begin_x_;
  } else {
    const int n = matrix_.size() / stages();
    for (int i = 0; i < stages(); ++i) {
      const double t = 1.0 + nodes_(i) * h_ / last_h_;
      auto to = x_.segment(i * n, n);
      double weight = 1.0;  // of the beginning
      for (int m = 0; m < stages(); ++m)
        weight *= (nodes_(m) - t) / nodes_(m);
      to = weight * last_begin_.head(n);
      for (int k = 0; k < stages(); ++k) {
        weight = t / nodes_(k);
        for (int m = 0; m < stages(); ++m)
          if (m != k) weight *= (t - nodes_(m)) / (nodes_(k) - nodes_(m));
        to += weight * last_x_.segment(k * n, n);
      }
    }
  }
  if (is_flat_) return;
  for (int i = 0; i < stages(); ++i) {
    auto rate = part(x_, i, kIncrement);
    rate = begin_.velocity + h_ * a0_(i) * begin_.acceleration;
    for (int j = 0; j < stages(); ++j)
      rate += h_ * a_(i, j) * part(x_, j, kMotion);
  }
}

void ImplicitRungeKutta::accept_stages() {
  last_h_ = h_;
  last_x_ = x_;
  last_begin_ = begin_x_;
}

// --- the equations -------------------------------------------------------------------------------

void ImplicitRungeKutta::move(const Vector& x) {
  for (int i = 0; i < stages(); ++i) {
    Stage& at = stage(i);
    at.s.time = begin_.time + nodes_(i) * h_;
    at.s.velocity = begin_.velocity + h_ * a0_(i) * begin_.acceleration;
    if (is_flat_)
      at.increment = h_ * nodes_(i) * begin_.velocity + h_ * h_ * a20_(i) * begin_.acceleration;
    else
      at.increment = h_ * a0_(i) * begin_.velocity;
    at.s.control.head(states()) =
        begin_.control.head(states()) + h_ * a0_(i) * begin_.control_rate.head(states());
    for (int j = 0; j < stages(); ++j) {
      at.s.velocity += h_ * a_(i, j) * part(x, j, kMotion);
      if (is_flat_)
        at.increment += h_ * h_ * a2_(i, j) * part(x, j, kMotion);
      else
        at.increment += h_ * a_(i, j) * part(x, j, kIncrement);
      at.s.control.head(states()) += h_ * a_(i, j) * part(x, j, kControls).head(states());
    }
    system_->retract(begin_.position, at.increment, at.s.position);
    at.s.acceleration = part(x, i, kMotion);
    at.s.multiplier = part(x, i, kReaction);
    at.s.nonholonomic_multiplier = part(x, i, kRolling);
    at.s.control_rate.head(states()) = part(x, i, kControls).head(states());
    at.s.control.tail(sizes_.variables) = part(x, i, kControls).tail(sizes_.variables);
  }
}

void ImplicitRungeKutta::residual(const Vector& x, Vector& r) {
  move(x);
  for (int i = 0; i < stages(); ++i) {
    Stage& at = stage(i);
    if (!is_flat_) {
      system_->increment_rate({begin_.position, at.increment}, at.s.velocity, at.increment_rate);
      part(r, i, kIncrement) = part(x, i, kIncrement) - at.increment_rate;
    }
    system_->mass_matrix(at.s, at.M);
    system_->force(at.s, F_);
    at.M.multiply_add(-1.0, at.s.acceleration, F_);
    part(r, i, kMotion) = -F_;
    if (sizes_.constraints > 0) {
      system_->constraint_acceleration(at.s, g_);
      part(r, i, kReaction) = g_;
    }
    if (sizes_.nonholonomic > 0) {
      system_->nonholonomic_rate(at.s, k_);
      part(r, i, kRolling) = k_;
    }
    if (sizes_.controls > 0) {
      system_->control(at.s, d_);
      part(r, i, kControls) = d_;
    }
  }
}

bool ImplicitRungeKutta::linearize(const Vector&) {
  matrix_h_ = h_;
  matrix_.begin();
  for (int i = 0; i < stages(); ++i) {
    differentiate(stage(i));
    add_stage(i);
  }
  return matrix_.factorize();
}

void ImplicitRungeKutta::differentiate(Stage& at) {
  const Chart chart{begin_.position, at.increment};
  if (!is_flat_) system_->increment_rate_tangent(chart, at.s.velocity, at.rate_q, at.rate_v);
  system_->momentum_tangent(at.s, chart, at.K, at.D);
  if (sizes_.constraints > 0) {
    system_->constraint_jacobian(at.s, at.G);
    system_->constraint_acceleration_tangent(at.s, chart, at.G_q, at.G_v);
  }
  if (sizes_.nonholonomic > 0) {
    system_->nonholonomic_jacobian(at.s, at.k_v);
    system_->nonholonomic_rate_tangent(at.s, chart, at.k_q, at.k_qv);
  }
  if (!system_->has_linear_reactions()) system_->multiplier_tangent(at.s, at.F_lambda, at.F_psi);
  if (sizes_.controls > 0) {
    system_->control_tangent(at.s, chart, at.control);
    split_controls(at);
  }
}

void ImplicitRungeKutta::split_controls(Stage& at) {
  const int first_variable = states(), all = sizes_.controls;
  const auto keep = [](const SparseMatrix& from, int first, int last, SparseMatrix& to) {
    from.for_each([&](int row, int col, double value) {
      if (col >= first && col < last) to.add(row, col, value);
    });
  };
  at.d_now.begin(all, all);
  keep(at.control.rate, 0, first_variable, at.d_now);
  keep(at.control.control, first_variable, all, at.d_now);
  at.d_now.end();
  at.d_state.begin(all, all);
  keep(at.control.control, 0, first_variable, at.d_state);
  at.d_state.end();
  at.F_now.begin(velocities(), all);
  keep(at.control.force, first_variable, all, at.F_now);
  at.F_now.end();
  at.F_state.begin(velocities(), all);
  keep(at.control.force, 0, first_variable, at.F_state);
  at.F_state.end();
}

void ImplicitRungeKutta::add_stage(int i) {
  const Stage& at = stage(i);
  if (!is_flat_) {
    if (identity_.rows() != velocities()) identity_ = SparseMatrix::identity(velocities());
    matrix_.add(block(i, kIncrement), block(i, kIncrement), 1.0, identity_);
  }
  matrix_.add(block(i, kMotion), block(i, kMotion), 1.0, at.M);
  const bool is_mechanical = system_->has_linear_reactions();
  if (sizes_.constraints > 0) {
    if (is_mechanical)
      matrix_.add(block(i, kMotion), block(i, kReaction), -1.0, at.G, Transposed::kYes);
    else
      matrix_.add(block(i, kMotion), block(i, kReaction), -1.0, at.F_lambda);
    matrix_.add(block(i, kReaction), block(i, kMotion), 1.0, at.G);
  }
  if (sizes_.nonholonomic > 0) {
    if (is_mechanical)
      matrix_.add(block(i, kMotion), block(i, kRolling), -1.0, at.k_v, Transposed::kYes);
    else
      matrix_.add(block(i, kMotion), block(i, kRolling), -1.0, at.F_psi);
    matrix_.add(block(i, kRolling), block(i, kMotion), 1.0, at.k_v);
  }
  for (int j = 0; j < stages(); ++j) {
    if (!is_flat_) add_through_motion(i, j, kIncrement, -1.0, at.rate_q, at.rate_v);
    add_through_motion(i, j, kMotion, 1.0, at.K, at.D);
    if (sizes_.constraints > 0) add_through_motion(i, j, kReaction, 1.0, at.G_q, at.G_v);
    if (sizes_.nonholonomic > 0) add_through_motion(i, j, kRolling, 1.0, at.k_q, at.k_qv);
    if (sizes_.controls > 0) add_controls(i, j);
  }
}

void ImplicitRungeKutta::add_through_motion(int i, int j, int kind, double sign,
                                            const SparseMatrix& along_position,
                                            const SparseMatrix& along_velocity) {
  const double velocity = sign * h_ * a_(i, j);
  matrix_.add(block(i, kind), block(j, kMotion), velocity, along_velocity);
  if (is_flat_)
    matrix_.add(block(i, kind), block(j, kMotion), sign * h_ * h_ * a2_(i, j), along_position);
  else
    matrix_.add(block(i, kind), block(j, kIncrement), velocity, along_position);
}

void ImplicitRungeKutta::add_controls(int i, int j) {
  const Stage& at = stage(i);
  add_through_motion(i, j, kControls, 1.0, at.control.position, at.control.velocity);
  matrix_.add(block(i, kMotion), block(j, kControls), -h_ * a_(i, j), at.F_state);
  matrix_.add(block(i, kControls), block(j, kControls), h_ * a_(i, j), at.d_state);
  if (i != j) return;
  matrix_.add(block(i, kMotion), block(i, kControls), -1.0, at.F_now);
  matrix_.add(block(i, kControls), block(i, kControls), 1.0, at.d_now);
  matrix_.add(block(i, kControls), block(i, kMotion), 1.0, at.control.acceleration);
  if (sizes_.constraints > 0)
    matrix_.add(block(i, kControls), block(i, kReaction), 1.0, at.control.multiplier);
}

// --- errors --------------------------------------------------------------------------------------

// γ h (ẏ_0 - p(0)), where p is the polynomial through the rates of the stages: the difference to
// the method that uses the rate at the beginning as well [HairerWanner1996, IV.8]. Positions follow
// from velocities: their own difference would be of one order less than what errors of velocities
// move.
void ImplicitRungeKutta::local_error(Vector& error) {
  rate_at(begin_, begin_.velocity, error);
  for (int i = 0; i < stages(); ++i) {
    const State& s = stage(i).s;
    error.segment(velocities(), velocities()) -= at_beginning_(i) * s.acceleration;
    error.tail(states()) -= at_beginning_(i) * s.control_rate.head(states());
  }
  error *= gamma_ * h_;
  error.head(velocities()).setZero();
}

ImplicitRungeKutta::Sizes ImplicitRungeKutta::largest_of(const Vector& x) const {
  Sizes sizes;
  double* const kinds[] = {&sizes.velocity, &sizes.acceleration, &sizes.reaction, &sizes.reaction,
                           &sizes.control};
  for (int b = 0; b < matrix_.blocks(); ++b) {
    if (matrix_.block_size(b) == 0) continue;
    double& size = *kinds[b % kKinds];
    size = largest(size, x.segment(matrix_.offset(b), matrix_.block_size(b))
                             .cwiseAbs()
                             .maxCoeff<Eigen::PropagateNaN>());
  }
  return sizes;
}

double ImplicitRungeKutta::relative_tolerance() const {
  return std::max(newton_options_.newton_tolerance, kNewtonShare * tolerance());
}

double ImplicitRungeKutta::error_norm(const Vector& correction, const Vector& x) const {
  const Sizes change = largest_of(correction);
  Sizes unit = largest_of(x);
  unit.reaction = std::max(unit.reaction, inertia_ * unit.acceleration);
  const auto ratio = [&](double size, double of) {
    return size == 0.0 ? 0.0 : size / largest(of, size) / relative_tolerance();
  };
  return largest(
      largest(ratio(change.velocity, unit.velocity), ratio(change.acceleration, unit.acceleration)),
      largest(ratio(change.reaction, unit.reaction), ratio(change.control, unit.control)));
}

// Where a mechanism has come to rest, accelerations and variables are differences of larger
// numbers, and rounding is a part of those.
bool ImplicitRungeKutta::is_rounding(const Vector& correction) const {
  const Sizes change = largest_of(correction);
  const Stage& at = stages_.back();
  const State& s = at.s;
  const double place = std::max(max_abs(s.position), size_);
  const double reaction = max_abs(s.multiplier);
  ControlTerms terms;
  if (sizes_.controls > 0)
    terms = control_rounding_.terms_of(at.control, s, sizes_.variables, place, place / h_);
  const double forces = reaction + terms.force + largest_entry(at.K) * place;
  const double cancelled = inertia_ > 0.0 ? forces / inertia_ : 0.0;
  const double velocity = kStageRounding * (max_abs(s.velocity) + place / h_);
  const double acceleration =
      velocity / h_ + kStageRounding * (max_abs(s.acceleration) + cancelled);
  const double control = kStageRounding * (max_abs(s.control) / h_ + max_abs(s.control_rate) +
                                           max_abs(s.control) + terms.rate + terms.value);
  return change.velocity <= velocity && change.acceleration <= acceleration &&
         change.reaction <= inertia_ * acceleration + kStageRounding * reaction &&
         change.control <= control;
}

}  // namespace picus
