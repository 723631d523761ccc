// SPDX-License-Identifier: BSD-3-Clause
// Moreau–Jean: a θ-method for the smooth forces, and laws between impulses and velocities at the
// end of the step, so that impacts need not be located. acary (16):
//
//   M(q_θ) (v_{k+1} - v_k) - h F(t_θ, q_θ, v_θ) = Gᵀ P
//   q_{k+1} = q_k ⊕ h v_θ,      v_θ = (1-θ) v_k + θ v_{k+1},   q_θ = q_k ⊕ θ h v_θ
//   joints    G(q_θ) v_{k+1} + g_t = 0
//   contacts  with g_k + h γ ġ_k ≤ 0:  0 ≤ ġ_{k+1} + e ġ_k ⊥ P ≥ 0, and Coulomb friction
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
  explicit MoreauJean(const MoreauJeanOptions& options)
      : MoreauStepper("moreau_jean", options.theta, options.positions, options.contact,
                      {options.newton_tolerance, options.newton_max_iterations}),
        gamma_(options.gamma) {
    expect_fraction(options.theta, "theta");
    expect_fraction(options.gamma, "gamma");
  }

 private:
  // (16e)
  void forecast(const System& system) override {
    zero_.setZero(sizes_.velocities);
    before_.see(system, begin_, {begin_.position, zero_});
    if (sizes_.contacts == 0) return;
    system.constraint(begin_, gap_);
    activate(gap_, h_ * gamma_);
  }

  // t_θ, q_θ, v_θ with the accelerations and reactions of the step
  void place(const System& system) override {
    advance();
    middle_.time = begin_.time + theta_ * h_;
    middle_.velocity = (1.0 - theta_) * begin_.velocity + theta_ * velocity_;
    middle_.acceleration = (velocity_ - begin_.velocity) / h_;
    set_joint_reactions(middle_);
    middle_increment_ = theta_ * increment_;
    system.retract(begin_.position, middle_increment_, middle_.position);
  }

  // M + h²θ² K + hθ D along accelerations, bordered by the joints
  bool assemble(const System& system) override {
    system.mass_matrix(middle_, M_);
    system.momentum_tangent(middle_, middle_chart(), K_, D_);
    matrix_.begin();
    matrix_.add(kMotion, kMotion, 1.0, M_);
    matrix_.add(kMotion, kMotion, h_ * h_ * theta_ * theta_, K_);
    matrix_.add(kMotion, kMotion, h_ * theta_, D_);
    border_joints(system);
    return matrix_.factorize();
  }

  double gamma_;
  SparseMatrix K_, D_;
  Vector zero_;
};

}  // namespace

std::unique_ptr<Stepper> make_moreau_jean(const MoreauJeanOptions& options) {
  return std::make_unique<MoreauJean>(options);
}

}  // namespace picus
