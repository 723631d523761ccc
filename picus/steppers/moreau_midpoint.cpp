// SPDX-License-Identifier: BSD-3-Clause
// Moreau's midpoint rule, studer-leine-glocker §3. Everything is seen from the midpoint, which the
// velocity at the beginning gives, so that a step is linear but for its contacts:
//
//   q_M = q_B ⊕ h/2 u_B,   t_M = t_B + h/2
//   M(q_M) (u_E - u_B) - h F(t_M, q_M, u_B) = W_M P                               (15)
//   contacts with g(q_M) ≤ 0 and friction:  -(γ_E + ε γ_B) ∈ N(P),                (17)
//             γ = W_Mᵀ u + ζ_M for both;  as P = prox(P - r (G P + c))            (18), (19)
//   q_E = q_B ⊕ h/2 (u_B + u_E)                                                   (21)
//
// (19) is solved by the contact solver; projected_jacobi is (22), projected_gauss_seidel (23).
// (18) adds ζ_M to γ_B once more, which is a misprint: γ_B contains it.
// Joints and rolling are laws without inequality, γ_E = 0.
#include "picus/steppers/common/moreau_stepper.h"

namespace picus {
namespace {

// Of rolling that is not linear in velocities and of controls this much may be left, relative to
// velocities and rates.
constexpr double kTolerance = 1e-12;
constexpr int kMaxIterations = 30;

class MoreauMidpoint final : public MoreauStepper {
 public:
  explicit MoreauMidpoint(const MoreauMidpointOptions& options)
      : MoreauStepper("moreau_midpoint", 0.5, options.positions,
                      make_contact_solver(options.contact),
                      {kTolerance, kMaxIterations, options.contact.contact_tolerance}) {}

 private:
  void forecast(const System& system) override {
    middle_.time = begin_.time + 0.5 * h_;
    middle_.velocity = begin_.velocity;
    middle_increment_ = 0.5 * h_ * begin_.velocity;
    system.retract(begin_.position, middle_increment_, middle_.position);
    if (sizes_.laws() == 0) return;
    before_.evaluate_rates(system, middle_);
    system.constraint(middle_, gap_);
    activate(gap_, 0.0);
  }

  void look_ahead(const System& system) override { free_.evaluate_directions(system, middle_); }

  void place(const System&) override { fill_middle(begin_.velocity); }

  bool assemble(const System& system) override {
    system.mass_matrix(middle_, M_);
    matrix_.begin();
    matrix_.add(kMotion, kMotion, 1.0, M_);
    border_joints(system);
    border_controls(system, 0.0, 0.0);
    return matrix_.factorize();
  }

  bool matrix_depends_on_step() const override { return sizes_.controls > 0; }

  bool is_exact() const override {
    return sizes_.rollings() + sizes_.controls == 0 && !shifts_positions();
  }

  // Positions do not act back on the velocities.
  bool is_settled(const System& system, double) override {
    return is_balanced(system) && find_shift(system);
  }
};

}  // namespace

std::unique_ptr<MoreauStepper> make_midpoint_step(const MoreauMidpointOptions& options) {
  return std::make_unique<MoreauMidpoint>(options);
}

std::unique_ptr<Stepper> make_moreau_midpoint(const MoreauMidpointOptions& options) {
  return std::make_unique<MoreauMidpoint>(options);
}

}  // namespace picus
