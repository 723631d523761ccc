// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/static_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/runs/names.h"

namespace picus {
namespace {

enum Block { kMotion, kReaction, kRolling, kControls };

constexpr double kLongestTurn = 0.3;   // of one step [rad]
constexpr double kLongestShift = 0.2;  // of one step, relative to the extent of the system
constexpr double kClosed = 1e-10;      // violation of joints, relative to 1 + the extent
constexpr int kNewtonSteps = 60;       // at one load
constexpr double kShortestLoad = 1.0 / 512.0;

}  // namespace

StaticSearch::StaticSearch(const System& system, const std::vector<const FlexiblePart*>& parts,
                           State& s, const EquilibriumOptions& options)
    : system_(system), parts_(parts), s_(s), options_(options), n_(system.sizes()) {
  zero_ = Vector::Zero(n_.velocities);
  withheld_ = zero_;
  s_.velocity = s_.acceleration = zero_;
  s_.control_rate.setZero();
  extent_ = std::max(system_.extent(s_), 1e-6);
  if (extent_ <= 1e-6) extent_ = 1.0;
  matrix_.reset({n_.velocities, n_.constraints, n_.nonholonomic, n_.controls});
}

bool StaticSearch::has_stresses() const {
  Vector stress;
  return std::any_of(parts_.begin(), parts_.end(), [&](const FlexiblePart* part) {
    part->foresee_stress(s_, zero_, stress);
    return stress.size() > 0;
  });
}

bool StaticSearch::relax() {
  evaluate();
  delta_ = first_delta();
  for (int n = 0; n < options_.max_iterations; ++n, ++iterations_) {
    if (!is_finite()) return false;
    if (is_balanced()) return true;
    if (!step()) return false;
  }
  return is_balanced();
}

bool StaticSearch::load() {
  s_.multiplier.setZero();
  s_.nonholonomic_multiplier.setZero();
  evaluate();
  const Vector all = F_;
  double part = 1.0;
  while (reached_ < 1.0 && part >= kShortestLoad && iterations_ < options_.max_iterations) {
    const State from = s_;
    const double next = std::min(1.0, reached_ + part);
    withheld_ = (1.0 - next) * all;
    if (balance_load()) {
      reached_ = next;
      ++load_steps_;
      part *= 2.0;
    } else {
      s_ = from;
      part *= 0.5;
    }
  }
  withheld_ = zero_;
  look();
  return reached_ >= 1.0;
}

void StaticSearch::look() {
  scale_ = 0.0;
  evaluate();
}

// Newton's method with stresses as iterates (Magisano, Leonetti, Garcea 2017): the tangent takes
// the stresses that the last step foresaw, the residual those of the positions.
bool StaticSearch::balance_load() {
  stress_.assign(parts_.size(), {});
  for (std::size_t p = 0; p < parts_.size(); ++p)
    parts_[p]->foresee_stress(s_, zero_, stress_[p]);
  bool is_done = false;
  for (int n = 0; n < kNewtonSteps && !is_done; ++n, ++iterations_) {
    scale_ = max_abs(withheld_);  // forces on the way may be far larger than those at the end
    evaluate();
    if (!is_finite()) break;
    if (!factorize(0.0) || !solve()) break;
    is_done = is_balanced();
    if (is_done) break;
    const State from = s_;
    const Vector dq = apply(from) * x_.head(n_.velocities);
    for (std::size_t p = 0; p < parts_.size(); ++p)
      parts_[p]->foresee_stress(from, dq, stress_[p]);
  }
  stress_.clear();
  return is_done;
}

bool StaticSearch::is_closed() const {
  return max_abs(g_) <= kClosed * (1.0 + extent_);
}

bool StaticSearch::is_finite() const {
  return F_.allFinite() && g_.allFinite() && d_.allFinite();
}

bool StaticSearch::solve() {
  x_.resize(matrix_.size());
  x_ << F_, -g_, Vector::Zero(n_.nonholonomic), -d_;
  matrix_.solve(x_);
  return x_.allFinite();
}

void StaticSearch::evaluate() {
  system_.force(s_, F_);
  F_ -= withheld_;
  system_.constraint(s_, g_);
  system_.control(s_, d_);
  // the largest of all forces met so far, reactions and applied ones
  State bare = s_;
  bare.multiplier.setZero();
  bare.nonholonomic_multiplier.setZero();
  Vector applied;
  system_.force(bare, applied);
  applied -= withheld_;
  scale_ = std::max({scale_, max_abs(applied), max_abs(Vector(F_ - applied))});
}

// Forces of stiff parts cannot be balanced better than positions are rounded.
bool StaticSearch::is_balanced() const {
  return max_abs(F_) <= std::max(options_.tolerance * scale_, rounding_) && is_closed() &&
         max_abs(d_) <= options_.tolerance * (1.0 + max_abs(s_.control));
}

double StaticSearch::merit() const {
  const double force = scale_ > 0.0 ? max_abs(F_) / scale_ : 0.0;
  return std::max(
      {force, max_abs(g_) / (1.0 + extent_), max_abs(d_) / (1.0 + max_abs(s_.control))});
}

// By which the first step moves a tenth of what a step may.
double StaticSearch::first_delta() {
  system_.mass_matrix(s_, M_);
  const Vector weights = kinetic_weights(system_, s_);
  double fastest = 0.0;
  for (int i = 0; i < n_.velocities; ++i)
    if (weights(i) > 0.0)
      fastest = std::max(fastest, std::abs(F_(i)) / (weights(i) * weights(i)) / reach(i));
  return fastest > 0.0 ? 0.1 / fastest : 1.0;
}

double StaticSearch::reach(int coordinate) const {
  return system_.unit_of(coordinate) == Unit::kAngle ? kLongestTurn : kLongestShift * extent_;
}

bool StaticSearch::factorize(double inverse_delta) {
  const Chart here{s_.position, zero_};
  system_.mass_matrix(s_, M_);
  system_.momentum_tangent(s_, here, K_, D_);
  rounding_ = force_of_rounding();
  system_.constraint_jacobian(s_, G_);
  system_.multiplier_tangent(s_, F_lambda_, F_psi_);
  system_.nonholonomic_tangent(s_, here, k_q_, k_v_);
  matrix_.begin();
  if (inverse_delta > 0.0) matrix_.add(kMotion, kMotion, inverse_delta, M_);
  matrix_.add(kMotion, kMotion, 1.0, K_);
  if (!stress_.empty()) {
    K_stress_.begin(n_.velocities, n_.velocities);
    for (std::size_t p = 0; p < parts_.size(); ++p)
      parts_[p]->add_stress_tangent(s_, stress_[p], K_stress_);
    K_stress_.end();
    matrix_.add(kMotion, kMotion, 1.0, K_stress_);
  }
  matrix_.add(kMotion, kReaction, -1.0, F_lambda_);
  matrix_.add(kMotion, kRolling, -1.0, F_psi_);
  matrix_.add(kReaction, kMotion, 1.0, G_);
  matrix_.add(kRolling, kMotion, 1.0, k_v_);
  if (n_.controls > 0) {
    system_.control_tangent(s_, here, control_);
    matrix_.add(kMotion, kControls, -1.0, control_.force);
    matrix_.add(kControls, kMotion, 1.0, control_.position);
    matrix_.add(kControls, kReaction, 1.0, control_.multiplier);
    if (inverse_delta > 0.0) matrix_.add(kControls, kControls, inverse_delta, control_.rate);
    matrix_.add(kControls, kControls, 1.0, control_.control);
  }
  return matrix_.factorize();
}

// What a rounding of all lengths changes: ε times the largest sum of a row of |K|, times the
// extent.
double StaticSearch::force_of_rounding() const {
  Vector sums = Vector::Zero(n_.velocities);
  K_.for_each([&](int row, int col, double value) {
    if (system_.unit_of(col) != Unit::kAngle) sums(row) += std::abs(value);
  });
  return std::numeric_limits<double>::epsilon() * extent_ * max_abs(sums);
}

// dqᵀ (M/δ + K) dq: negative when the step would climb towards an unstable position.
double StaticSearch::curvature(const Vector& dq) const {
  Vector product = Vector::Zero(n_.velocities);
  M_.multiply_add(1.0 / delta_, dq, product);
  K_.multiply_add(1.0, dq, product);
  return dq.dot(product);
}

// One step of the iteration; false when no step can be made.
bool StaticSearch::step() {
  constexpr int kMaxTries = 60;
  const double before = merit();
  for (int attempt = 0; attempt < kMaxTries; ++attempt, delta_ *= 0.25) {
    if (!factorize(1.0 / delta_) || !solve()) continue;
    const Vector dq = x_.head(n_.velocities);
    if (curvature(dq) < 0.0) continue;
    const State from = s_;
    const double part = apply(from);
    evaluate();
    if (merit() <= 4.0 * before || attempt + 1 == kMaxTries) {
      const double gain = before / std::max(merit(), 1e-300);
      delta_ *= part < 1.0 ? 1.0 : 1.2 * std::clamp(gain, 1.0, 10.0);
      return true;
    }
    s_ = from;
    evaluate();
  }
  return false;
}

// Moves by x_, shortened to what one step may do; returns the part taken.
double StaticSearch::apply(const State& from) {
  double longest = 0.0;
  for (int i = 0; i < n_.velocities; ++i)
    longest = std::max(longest, std::abs(x_(i)) / reach(i));
  const double part = longest > 1.0 ? 1.0 / longest : 1.0;
  const int nv = n_.velocities, nc = n_.constraints, nn = n_.nonholonomic;
  const Vector dq = part * x_.head(nv);
  system_.retract(from.position, dq, s_.position);
  s_.multiplier = from.multiplier + part * x_.segment(nv, nc);
  s_.nonholonomic_multiplier = from.nonholonomic_multiplier + part * x_.segment(nv + nc, nn);
  s_.control = from.control + part * x_.tail(n_.controls);
  return part;
}

}  // namespace picus
