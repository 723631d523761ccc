// SPDX-License-Identifier: BSD-3-Clause
// Explicit Runge–Kutta methods on the equations with joints at acceleration level: positions,
// velocities and states of a stage are known from the stages before, and
//
//     [M -Gᵀ; G 0] (v̇, λ) = (f, -Ġ v - …)
//
// gives accelerations and reactions; likewise with rolling, controls and general reactions
// [HairerWanner1996, VII.6].
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/steppers/common/explicit_tableaux.h"
#include "picus/steppers/common/runge_kutta.h"

namespace picus {
namespace {

// Of the changes of the stages with weight: larger ones of those without are not smooth.
constexpr double kPlausible = 10.0;

class HalfExplicit final : public RungeKutta {
 public:
  HalfExplicit(const ExplicitTableau& tableau, const RungeKuttaOptions& options)
      : RungeKutta("half_explicit", options), tableau_(tableau) {
    difference_ = row(tableau.b) - row(tableau.other);
    for (int j = 1; j <= stages(); ++j)
      (has_weight(j) ? weighty_ : weightless_).push_back(j);
  }

 private:
  using Weights = Eigen::Map<const Eigen::Matrix<double, ExplicitTableau::kMaxStages + 1, 1>>;
  static Weights row(const ExplicitTableau::Row& weights) { return Weights(weights.data()); }
  int stages() const { return tableau_.stages; }

  int order() const override { return tableau_.order; }
  int error_order() const override { return tableau_.error_order; }

  void start_stages(const System&) override {
    stage_ = begin_;
    if (rates_.rows() != y_.size() || rates_.cols() != stages() + 1)
      rates_ = Matrix::Zero(y_.size(), stages() + 1);
    if (increment_rate_of_stage_.size() != velocities())
      increment_of_stage_ = increment_rate_of_stage_ = Vector::Zero(velocities());
    fastest_ = 0.0;
  }

  double fastest() const override { return fastest_; }

  bool run_stages(const System& system, StepReport& report) override {
    rate_at(begin_, begin_.velocity, rates_.col(0));
    stage_ = begin_;
    for (int i = 1; i < stages(); ++i) {
      y_ = y_begin_;
      add_rates(i, row(tableau_.a[static_cast<std::size_t>(i)]), y_);
      place(system, y_, increment_of_stage_, stage_);
      stage_.time = begin_.time + tableau_.node(i) * h_;
      if (!equations_.solve(system, stage_, report)) return false;
      system.increment_rate({begin_.position, increment_of_stage_}, stage_.velocity,
                            increment_rate_of_stage_);
      rate_at(stage_, increment_rate_of_stage_, rates_.col(i));
    }
    y_ = y_begin_;
    add_rates(stages(), row(tableau_.b), y_);
    // the guess of what the end solves for
    end_.acceleration = stage_.acceleration;
    end_.multiplier = stage_.multiplier;
    end_.nonholonomic_multiplier = stage_.nonholonomic_multiplier;
    end_.control = stage_.control;
    end_.control_rate = stage_.control_rate;
    return true;
  }

  void local_error(Vector& error) override {
    rate_at(end_, increment_rate_, rates_.col(stages()));
    error.setZero();
    add_rates(stages() + 1, difference_, error);
    add_weightless_stages(error);
    estimate_fastest();
  }

  // From the last stage and the end, which lie at the same time [HairerWanner1996, IV.2]. For
  // equations of second order, with differences δq, δv, δv̇: |λ|⁴ δq² + |λ|² δv² = δv̇², which is
  // true of fast oscillations and fast decays alone, and low where both mix.
  void estimate_fastest() {
    constexpr double kSameTime = 1e-12;
    fastest_ = 0.0;
    if (std::abs(tableau_.node(stages() - 1) - 1.0) > kSameTime) return;
    const double dq = scaled(increment_of_stage_ - increment_);
    const double dv = scaled(stage_.velocity - end_.velocity);
    const double da =
        scaled(rates_.col(stages() - 1).segment(velocities(), velocities()) - end_.acceleration);
    if (!(dq > 0.0)) return;
    const double half = 0.5 * dv * dv;
    const double squared = (std::sqrt(half * half + dq * dq * da * da) - half) / (dq * dq);
    fastest_ = h_ * std::sqrt(squared);
  }

  // From order five on b₂ = 0 and Σ b_j a_j2 = 0 for both solutions: what the second stage alone
  // meets, as a stiff floor whose reaction hurls all later stages away from it, leaves no trace. Of
  // order six the rate at the end has no weight either. Their nodes lie among those of the others:
  // accelerations that differ from the first by more than that itself, and by many times what all
  // of theirs do, are no part of a smooth motion.
  void add_weightless_stages(Vector& error) const {
    if (weightless_.empty()) return;
    const int n = velocities();
    const auto acceleration = [&](int j) { return rates_.col(j).segment(n, n); };
    double others = 0.0;
    for (const int j : weighty_)
      others = std::max(others, scaled(acceleration(j) - acceleration(0)));
    const double usual = std::max(kPlausible * others, scaled(acceleration(0)));
    for (const int j : weightless_) {
      if (!(scaled(acceleration(j) - acceleration(0)) > usual)) continue;
      for (int i = n; i < 2 * n; ++i)
        error(i) =
            std::max(std::abs(error(i)), h_ * node(j) * std::abs(rates_(i, j) - rates_(i, 0)));
    }
  }

  // The largest of accelerations relative to the scales of their coordinates.
  template <class Accelerations>
  double scaled(const Accelerations& a) const {
    double largest = 0.0;
    for (int i = 0; i < velocities(); ++i)
      if (scales()(i) > 0.0) largest = std::max(largest, std::abs(a(i)) / scales()(i));
    return largest;
  }

  bool has_weight(int stage) const {
    const auto j = static_cast<std::size_t>(stage);
    return tableau_.b[j] != 0.0 || tableau_.other[j] != 0.0;
  }
  double node(int stage) const { return stage < stages() ? tableau_.node(stage) : 1.0; }

  // y += h Σ w_j ẏ_j over the first stages, many of whose weights are zero
  template <class W>
  void add_rates(int count, const W& weights, Vector& y) const {
    for (int j = 0; j < count; ++j)
      if (weights(j) != 0.0) y += (h_ * weights(j)) * rates_.col(j);
  }

  ExplicitTableau tableau_;
  std::vector<int> weighty_, weightless_;  ///< stages but the first, in both solutions; the end too
  Eigen::Matrix<double, ExplicitTableau::kMaxStages + 1, 1> difference_;
  State stage_;
  Matrix rates_;  ///< ẏ of the stages, then of the end
  Vector increment_of_stage_, increment_rate_of_stage_;
  double fastest_ = 0.0;
};

}  // namespace

std::unique_ptr<Stepper> make_half_explicit(const HalfExplicitOptions& options) {
  for (const ExplicitTableau& tableau : explicit_tableaux())
    if (tableau.order == options.order)
      return std::make_unique<HalfExplicit>(tableau, options.common);
  throw InputError(
      fmt::format("option 'order': found {}, expected 2, 3, 4, 5 or 6", options.order));
}

}  // namespace picus
