// SPDX-License-Identifier: BSD-3-Clause
// Explicit Runge–Kutta methods on the equations with joints at acceleration level: positions,
// velocities and states of a stage are known from the stages before, and
//
//     [M -Gᵀ; G 0] (v̇, λ) = (f, -Ġ v - …)
//
// gives accelerations and reactions; likewise with rolling, controls and general reactions
// [HairerWanner1996, VII.6].
#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/steppers/common/explicit_tableaux.h"
#include "picus/steppers/common/runge_kutta.h"

namespace picus {
namespace {

class HalfExplicit final : public RungeKutta {
 public:
  HalfExplicit(const ExplicitTableau& tableau, const RungeKuttaOptions& options)
      : RungeKutta("half_explicit", options), tableau_(tableau) {
    difference_ = row(tableau.b) - row(tableau.other);
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
  }

  bool run_stages(const System& system, StepReport& report) override {
    rate_at(begin_, begin_.velocity, rates_.col(0));
    stage_ = begin_;
    for (int i = 1; i < stages(); ++i) {
      add_rates(i, row(tableau_.a[static_cast<std::size_t>(i)]));
      place(system, y_, increment_of_stage_, stage_);
      stage_.time = begin_.time + tableau_.node(i) * h_;
      if (!equations_.solve(system, stage_, report)) return false;
      system.increment_rate({begin_.position, increment_of_stage_}, stage_.velocity,
                            increment_rate_of_stage_);
      rate_at(stage_, increment_rate_of_stage_, rates_.col(i));
    }
    add_rates(stages(), row(tableau_.b));
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
    error.noalias() = h_ * (rates_ * difference_.head(stages() + 1));
  }

  // y = y_0 + h Σ w_j ẏ_j over the first stages
  void add_rates(int count, const Weights& weights) {
    y_ = y_begin_;
    y_.noalias() += h_ * (rates_.leftCols(count) * weights.head(count));
  }

  ExplicitTableau tableau_;
  Eigen::Matrix<double, ExplicitTableau::kMaxStages + 1, 1> difference_;
  State stage_;
  Matrix rates_;  ///< ẏ of the stages, then of the end
  Vector increment_of_stage_, increment_rate_of_stage_;
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
