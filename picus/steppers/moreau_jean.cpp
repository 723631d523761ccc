// SPDX-License-Identifier: BSD-3-Clause
// Moreau–Jean: a θ-method for the smooth forces, and laws between impulses and velocities at the
// end of the step, so that impacts need not be located. acary (16):
//
//   M(q_θ) (v_{k+1} - v_k) - h F(t_θ, q_θ, v_θ) = Gᵀ P
//   q_{k+1} = q_k ⊕ h v_θ,      v_θ = (1-θ) v_k + θ v_{k+1},   q_θ = q_k ⊕ θ h v_θ
//   joints    G(q_{k+1}) v_{k+1} + g_t = 0
//   contacts  with g_k + h γ ġ_k ≤ 0:  0 ≤ ġ_{k+1} + e ġ_k ⊥ P ≥ 0, and Coulomb friction
//
// The paper takes joints at q_θ. There the velocity at the end is off by h(1-θ) Ġ v, which makes
// smooth motions with joints of first order whatever θ is; at q_{k+1} a step with θ = 1/2 is
// symmetric and of second order.
//
// directions: explicit takes those of contacts at q_k ⊕ θ h v_k in place of q_θ, so that a step
// with linear forces solves a single contact problem.
//
// positions: multiplier is (19):  q_{k+1} = q_k ⊕ (h v_θ + G(q_θ)ᵀ τ),  0 ≤ g(q_{k+1}) ⊥ τ ≥ 0 for
// all contacts and g = 0 for joints, with q_θ = q_k ⊕ θ (h v_θ + Gᵀτ) seeing the correction, too.
// positions: projected takes the step of (16) and then moves to the nearest position in the metric
// of the kinetic energy, q ⊕ M⁻¹ G(q_{k+1})ᵀ τ, looking at the contacts that were let act.
#include "picus/steppers/common/moreau_stepper.h"

namespace picus {
namespace {

class MoreauJean final : public MoreauStepper {
 public:
  MoreauJean(const MoreauJeanOptions& options, std::unique_ptr<ContactSolver> solver)
      : MoreauStepper("moreau_jean", options.theta, options.positions, std::move(solver),
                      {options.newton_tolerance, options.newton_max_iterations,
                       options.contact.contact_tolerance}),
        gamma_(options.gamma),
        looks_ahead_(options.directions == ContactDirections::kExplicit) {
    expect_fraction(options.theta, "theta");
    expect_fraction(options.gamma, "gamma");
    if (looks_ahead_) seen_from_ = &ahead_;
  }

  // The midpoint rule is symmetric; laws at the end of the step are not, nor are variables.
  int error_powers(const System& system) const override {
    const SystemSizes n = system.sizes();
    const bool is_free = n.constraints + n.nonholonomic + n.variables == 0;
    return theta_ == 0.5 && is_free ? 2 : 1;
  }

 private:
  // (16e)
  void forecast(const System& system) override {
    if (sizes_.laws() == 0) return;
    before_.evaluate_rates(system, begin_);
    system.constraint(begin_, gap_);
    activate(gap_, h_ * gamma_);
  }

  void look_ahead(const System& system) override {
    if (!looks_ahead_) return;
    ahead_ = begin_;
    ahead_.time = begin_.time + theta_ * h_;
    middle_increment_ = theta_ * h_ * begin_.velocity;
    system.retract(begin_.position, middle_increment_, ahead_.position);
    free_.evaluate_directions(system, ahead_);
  }

  // t_θ, q_θ, v_θ with the accelerations and reactions of the step
  void place(const System& system) override {
    advance();
    middle_.time = begin_.time + theta_ * h_;
    mean_velocity_ = (1.0 - theta_) * begin_.velocity + theta_ * velocity_;
    fill_middle(mean_velocity_);
    middle_increment_ = theta_ * increment_;
    system.retract(begin_.position, middle_increment_, middle_.position);
    if (sizes_.joints() + sizes_.rollings() > 0)
      system.retract(begin_.position, increment_, end_.position);
    if (!looks_ahead_ && contacts_.any()) free_.evaluate_directions(system, middle_);
  }

  const State& place_of_joints() const override { return end_; }

  // M + h²θ² K + hθ D along accelerations, bordered by joints and controls
  bool assemble(const System& system) override {
    const double dv = h_ * theta_, dq = dv * dv;
    system.mass_matrix(middle_, M_);
    system.momentum_tangent(middle_, middle_chart(), K_, D_);
    matrix_.begin();
    matrix_.add(kMotion, kMotion, 1.0, M_);
    matrix_.add(kMotion, kMotion, dq, K_);
    matrix_.add(kMotion, kMotion, dv, D_);
    border_joints(system);
    border_controls(system, dq, dv);
    return matrix_.factorize();
  }

  double gamma_;
  bool looks_ahead_;
  State ahead_;  ///< where contacts are seen from, with explicit directions
  Vector mean_velocity_;
  SparseMatrix K_, D_;
};

}  // namespace

std::unique_ptr<Stepper> make_moreau_jean(const MoreauJeanOptions& options) {
  return make_moreau_jean(options, make_contact_solver(options.contact));
}

std::unique_ptr<Stepper> make_moreau_jean(const MoreauJeanOptions& options,
                                          std::unique_ptr<ContactSolver> solver) {
  return std::make_unique<MoreauJean>(options, std::move(solver));
}

}  // namespace picus
