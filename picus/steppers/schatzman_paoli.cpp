// SPDX-License-Identifier: BSD-3-Clause
// Schatzman–Paoli: second differences of positions, and contacts that are closed at a mean of the
// positions after and before, so that the velocity turns around by itself. acary (22)-(24):
//
//   M(q_{k+1}) (q_{k+1} - 2 q_k + q_{k-1}) - h² F(t_θ, q_θ, v_θ) = G(q̂)ᵀ P           (22a)
//   v_{k+1} = (q_{k+1} - q_{k-1}) / 2h                                              (22b)
//   0 ≤ g(q̂) ⊥ P ≥ 0,      q̂ = (q_{k+1} + e q_{k-1}) / (1 + e)                      (24)
//   x_θ = (1-θ) x_k + θ x_{k+1}
//   joints    g(q_{k+1}) = 0, their reactions a part of F
//
// Written with the mean velocity w of a step, q_{k+1} = q_k ⊕ h w, and that of the last one, w₋
// over h₋, which also serves manifolds and steps that change. Their equal-step forms are the above:
//
//   M(q_{k+1}) (w - w₋) = (h + h₋)/2 F + Gᵀ p,       v_{k+1} = (h w + h₋ w₋)/(h + h₋)
//   q̂ = q_k ⊕ h (w - e w₋)/(1 + e h/h₋)
//
// The first step sees a smooth past: w₋ = v₀ - h/2 v̇₀. (22b) is the velocity at t_k rather than at
// t_{k+1}, and F is not centred where the second difference is: the method is of first order in
// smooth motion, too.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/steppers/common/impulse_stepper.h"

namespace picus {
namespace {

// A gap below minus this, relative to 1 + the positions, penetrates.
constexpr double kPenetrates = 1e-12;
// Positions are known to this, relative to their size, and velocities to this over h.
constexpr double kPositionRounding = 4.0 * std::numeric_limits<double>::epsilon();

class SchatzmanPaoli final : public ImpulseStepper {
 public:
  explicit SchatzmanPaoli(const SchatzmanPaoliOptions& options)
      : ImpulseStepper("schatzman_paoli", make_contact_solver(options.contact),
                       {options.newton_tolerance, options.newton_max_iterations}),
        theta_(options.theta) {
    expect_fraction(options.theta, "theta");
  }

  StepperTraits traits() const override {
    return {.order = 1,
            .holonomic = true,
            .controls = false,
            .handles_impacts = true,
            .velocity_drift = true,
            .penetration = true};
  }

  void start(const System& system, const State& state) override {
    if (system.sizes().rollings() > 0)
      throw InputError("schatzman_paoli cannot handle nonholonomic constraints; use moreau_jean");
    if (system.sizes().friction_elements > 0)
      throw InputError(fmt::format("schatzman_paoli cannot handle {}; use moreau_jean",
                                   friction_elements_of(system)));
    if (system.sizes().controls > 0)
      throw InputError("schatzman_paoli cannot handle controls; use moreau_jean");
    read_laws(system);
    ImpulseStepper::start(system, state);
    size_contacts();
    last_step_ = 0.0;
  }

  void follow_contacts(const System& system, const State& state,
                       const ContactChange& change) override {
    read_laws(system);
    ImpulseStepper::follow_contacts(system, state, change);
    size_contacts();
  }

  void accept() override {
    last_velocity_ = velocity_;
    last_step_ = h_;
  }

 private:
  void read_laws(const System& system) {
    restitution_.clear();
    for (int j = 0; j < system.sizes().contacts; ++j) {
      const ContactLaw law = system.contact_law(j);
      if (law.friction > 0.0)
        throw InputError("schatzman_paoli cannot handle friction; use moreau_jean");
      restitution_.push_back(law.restitution);
    }
    levels_ = restitution_;
    std::sort(levels_.begin(), levels_.end());
    levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
  }

  void size_contacts() {
    middle_ = mean_ = begin_;
    gap_ = before_.gap_rate = free_.gap_rate = Vector::Zero(sizes_.constraints);
    before_.slip = free_.slip = Vector::Zero(sizes_.nonholonomic);
    free_.slip_rows.begin(sizes_.nonholonomic, sizes_.velocities);
    free_.slip_rows.end();
  }

  void begin_step(const System& system) override {
    const bool is_first = last_step_ == 0.0;
    h_before_ = is_first ? h_ : last_step_;
    if (is_first)
      velocity_before_ = begin_.velocity - 0.5 * h_ * begin_.acceleration;
    else
      velocity_before_ = last_velocity_;
    span_ = 0.5 * (h_ + h_before_);
    velocity_ = velocity_before_ + span_ * begin_.acceleration;
    contacts_.active().clear();
    evaluate_gaps(system);
    activate_penetrating();
  }

  void place(const System& system) override {
    advance();
    system.retract(begin_.position, increment_, end_.position);
    end_.acceleration = (velocity_ - velocity_before_) / span_;
    end_.multiplier.setZero();
    end_.nonholonomic_multiplier.setZero();
    middle_.time = begin_.time + theta_ * h_;
    middle_.velocity = (1.0 - theta_) * begin_.velocity + theta_ * end_.velocity;
    middle_.acceleration.setZero();
    set_joint_reactions(middle_);
    middle_increment_ = theta_ * increment_;
    system.retract(begin_.position, middle_increment_, middle_.position);
  }

  // Along the mean acceleration (w - w₋)/s positions change by h s, v_{k+1} by h/2.
  bool assemble(const System& system) override {
    const Chart middle_chart{begin_.position, middle_increment_};
    const Chart end_chart{begin_.position, increment_};
    system.mass_matrix(end_, M_);
    system.correction_tangent(end_, end_chart, inertia_q_, inertia_v_);
    system.momentum_tangent(middle_, middle_chart, K_, D_);
    matrix_.begin();
    matrix_.add(kMotion, kMotion, 1.0, M_);
    matrix_.add(kMotion, kMotion, h_ * span_, inertia_q_);
    matrix_.add(kMotion, kMotion, theta_ * h_ * span_, K_);
    matrix_.add(kMotion, kMotion, 0.5 * theta_ * h_, D_);
    if (sizes_.joints() > 0) {
      system.constraint_jacobian(middle_, G_);
      head_rows(G_, sizes_.joints(), reaction_rows_);
      system.constraint_tangent(end_, end_chart, G_);
      head_rows(G_, sizes_.joints(), joint_rows_);
      border(kJoints, reaction_rows_, joint_rows_);
    }
    return matrix_.factorize();
  }

  void state_equations(const System& system) override {
    system.force(middle_, F_);
    residual_ = -F_;
    M_.multiply_add(1.0, end_.acceleration, residual_);
    x_.head(sizes_.velocities) = -residual_;
    if (sizes_.joints() == 0) return;
    system.constraint(end_, g_);
    x_.tail(sizes_.joints()) = -g_.head(sizes_.joints()) / (h_ * span_);
  }

  // Gaps at q̂ as velocities: (1 + e h/h₋)/h g(q̂) changes with w as G w does.
  void evaluate_contacts(const System& system) override {
    evaluate_gaps(system);
    velocity_change_ = span_ * x_.head(sizes_.velocities);
    free_.gap_rate.setZero();
    free_.gap_rows.multiply_add(1.0, velocity_change_, free_.gap_rate);
    for (int j = 0; j < sizes_.contacts; ++j) {
      const int row = sizes_.joints() + j;
      free_.gap_rate(row) += weight(restitution_[static_cast<std::size_t>(j)]) / h_ * gap_(row);
    }
  }

  bool is_settled(const System& system, double change) override {
    const double rounding = kPositionRounding * max_abs(begin_.position) / h_;
    if (change > std::max(limits().tolerance * scale_, rounding)) return false;
    evaluate_gaps(system);
    return !activate_penetrating();
  }

  bool end_step(const System&) override { return true; }  // placed already
  // (22b) is a mean over two steps: an impact is spread over them, and no velocity jumps
  bool has_impact() const override { return false; }

  double weight(double e) const { return 1.0 + e * h_ / h_before_; }

  // h w, and (22b)
  void advance() {
    increment_ = h_ * velocity_;
    end_.velocity = (increment_ + h_before_ * velocity_before_) / (h_ + h_before_);
  }

  // gap_ and free_.gap_rows at q̂, which is another one for each coefficient of restitution.
  void evaluate_gaps(const System& system) {
    free_.gap_rows.begin(sizes_.constraints, sizes_.velocities);
    for (const double e : levels_) {
      mean_.time = begin_.time + h_ * (1.0 - e) / weight(e);
      mean_increment_ = h_ * (velocity_ - e * velocity_before_) / weight(e);
      system.retract(begin_.position, mean_increment_, mean_.position);
      system.constraint(mean_, g_);
      system.constraint_jacobian(mean_, G_mean_);
      const auto is_of_level = [&](int row) {
        return row >= sizes_.joints() &&
               restitution_[static_cast<std::size_t>(row - sizes_.joints())] == e;
      };
      for (int row = sizes_.joints(); row < sizes_.constraints; ++row)
        if (is_of_level(row)) gap_(row) = g_(row);
      G_mean_.for_each([&](int row, int col, double value) {
        if (is_of_level(row)) free_.gap_rows.add(row, col, value);
      });
    }
    free_.gap_rows.end();
  }

  // Lets contacts act that would penetrate otherwise; false when there are no new ones.
  bool activate_penetrating() {
    const double limit = -kPenetrates * (1.0 + max_abs(begin_.position));
    std::vector<int>& active = contacts_.active();
    const std::size_t before = active.size();
    for (int j = 0; j < sizes_.contacts; ++j) {
      const auto at = std::lower_bound(active.begin(), active.end(), j);
      if (gap_(sizes_.joints() + j) < limit && (at == active.end() || *at != j))
        active.insert(at, j);
    }
    return active.size() > before;
  }

  double theta_;
  std::vector<double> restitution_;  ///< of each contact
  std::vector<double> levels_;       ///< its values, each once
  double last_step_ = 0.0;           ///< 0 before the first accepted step
  double h_before_ = 0.0;            ///< h₋ of the step under way
  Vector last_velocity_;             ///< w of the last accepted step
  State middle_;                     ///< t_θ, q_θ, v_θ
  State mean_;                       ///< q̂
  Vector middle_increment_, mean_increment_, velocity_change_, gap_, g_, F_;
  SparseMatrix M_, inertia_q_, inertia_v_, K_, D_, G_, G_mean_, reaction_rows_, joint_rows_;
};

}  // namespace

std::unique_ptr<Stepper> make_schatzman_paoli(const SchatzmanPaoliOptions& options) {
  return std::make_unique<SchatzmanPaoli>(options);
}

}  // namespace picus
