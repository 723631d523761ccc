// SPDX-License-Identifier: BSD-3-Clause
// Generalized-α-SOI2, "stabilized overdetermined index 2": holonomic constraints at position and
// velocity level, nonholonomic ones, forces of any form F(t,y,z,λ,ψ). jay-negrut (13)
//
// Two accelerations and two sets of multipliers: those with a tilde move the positions, the others
// the velocities; only the latter are carried on.
//
//   y_1 from ã,  z̃_1 from ã,  z_1 from a                                  (13a)–(13c)
//   averaged momentum of ã with F(t_1, y_1, z_1, λ̃, ψ̃)                    (13d)
//   averaged momentum of a with F(t_1, y_1, z_1, λ, ψ)                    (13e)
//   g(y_1) = 0,  G z_1 + g_t = 0,  k(y_1, z̃_1) = 0,  k(y_1, z_1) = 0      (13f)–(13i)
#include "picus/steppers/common/averaged_alpha.h"

namespace picus {
namespace {

class Soi2 final : public AveragedAlpha {
 public:
  Soi2(const AlphaParameters& parameters, const GeneralizedAlphaOptions& options)
      : AveragedAlpha(parameters, options.previous_mass, options.common) {}

  StepperTraits traits() const override {
    return {.order = 2,
            .holonomic = true,
            .nonholonomic = true,
            .general_reactions = true,
            .estimates_error = true};
  }

 private:
  enum Part {
    kTildeMotion,    // ã
    kMotion,         // a
    kPositionLevel,  // λ̃
    kVelocityLevel,  // λ
    kTildeRolling,   // ψ̃
    kRolling         // ψ
  };

  const char* name() const override { return "soi2"; }

  std::vector<Block> blocks() const override {
    return {{Equation::kMomentum, "averaged momentum balance for the positions"},
            {Equation::kMomentum, "averaged momentum balance"},
            {Equation::kConstraint, "constraint at position level"},
            {Equation::kConstraint, "constraint at velocity level"},
            {Equation::kNonholonomic, "nonholonomic constraint for the positions"},
            {Equation::kNonholonomic, "nonholonomic constraint"}};
  }

  void guess(const State& state, Vector& x) const override {
    part(x, kTildeMotion) = part(x, kMotion) = state.acceleration;
    part(x, kPositionLevel) = part(x, kVelocityLevel) = state.multiplier;
    part(x, kTildeRolling) = part(x, kRolling) = state.nonholonomic_multiplier;
  }

  void move(const Vector& x) override {
    set_acceleration(part(x, kMotion));
    move_by(part(x, kTildeMotion), part(x, kMotion));
    now_.multiplier = part(x, kVelocityLevel);
    now_.nonholonomic_multiplier = part(x, kRolling);
  }

  // point_ = now_ with the multipliers of (13d)
  void set_tilde(const Vector& x) {
    point_ = now_;
    point_.multiplier = part(x, kPositionLevel);
    point_.nonholonomic_multiplier = part(x, kTildeRolling);
  }

  // and with z̃_1 of (13h)
  void set_tilde_velocity(const Vector& x) {
    point_.velocity = free_velocity_ + dv_ * part(x, kTildeMotion);
  }

  void equations(const Vector& x, Vector& r) override {
    system_->force(now_, F_);
    momentum(part(x, kMotion), F_, scratch_);
    part(r, kMotion) = scratch_;
    set_tilde(x);
    system_->force(point_, F_);
    momentum(part(x, kTildeMotion), F_, scratch_);
    part(r, kTildeMotion) = scratch_;

    system_->constraint(now_, g_);
    part(r, kPositionLevel) = g_ / dq_;
    system_->constraint_velocity(now_, g_);
    part(r, kVelocityLevel) = g_ / dv_;
    if (sizes_.nonholonomic > 0) {
      system_->nonholonomic(now_, k_);
      part(r, kRolling) = k_ / dv_;
      set_tilde_velocity(x);
      system_->nonholonomic(point_, k_);
      part(r, kTildeRolling) = k_ / dv_;
    }
  }

  void assemble(const Vector& x) override {
    differentiate_constraints();
    point_ = now_;
    add_momentum_rows(kMotion, kVelocityLevel, kRolling, K_, D_, F_lambda_, F_psi_);
    set_tilde(x);
    add_momentum_rows(kTildeMotion, kPositionLevel, kTildeRolling, tilde_K_, tilde_D_,
                      tilde_F_lambda_, tilde_F_psi_);
    if (sizes_.constraints > 0) {
      system_->constraint_velocity_tangent(now_, chart(), Gv_q_);
      matrix_.add(kPositionLevel, kTildeMotion, 1.0, constraint_tangent());
      matrix_.add(kVelocityLevel, kMotion, 1.0, G_);
      matrix_.add(kVelocityLevel, kTildeMotion, dq_ / dv_, Gv_q_);
    }
    if (sizes_.nonholonomic > 0) {
      matrix_.add(kRolling, kMotion, 1.0, k_v_);
      matrix_.add(kRolling, kTildeMotion, dq_ / dv_, k_q_);
      set_tilde_velocity(x);
      system_->nonholonomic_tangent(point_, chart(), tilde_k_q_, tilde_k_v_);
      matrix_.add(kTildeRolling, kTildeMotion, 1.0, tilde_k_v_);
      matrix_.add(kTildeRolling, kTildeMotion, dq_ / dv_, tilde_k_q_);
    }
    add_control_rows(kTildeMotion, dq_, 0.0, 0.0);
    add_control_rows(kMotion, 0.0, dv_, da());
    add_control_rates(kVelocityLevel);
  }

  // gain M a + known - F(q(ã), v(a), λ, ψ), evaluated at point_
  void add_momentum_rows(int row, int multiplier, int rolling, SparseMatrix& K, SparseMatrix& D,
                         SparseMatrix& F_lambda, SparseMatrix& F_psi) {
    point_.acceleration.setZero();  // M_{1+α} does not move with the unknowns
    system_->momentum_tangent(point_, chart(), K, D);
    matrix_.add(row, row, gain_, M_);
    matrix_.add(row, kTildeMotion, dq_, K);
    matrix_.add(row, kMotion, dv_, D);
    if (sizes_.constraints + sizes_.nonholonomic > 0) {
      system_->multiplier_tangent(point_, F_lambda, F_psi);
      matrix_.add(row, multiplier, -1.0, F_lambda);
      matrix_.add(row, rolling, -1.0, F_psi);
    }
    add_control_force(row);
  }

  void end_step(const Vector& x) override {
    scratch_ = part(x, kMotion);
    finish(scratch_);
  }

  void load_error(const Vector& error, Vector& r) override {
    multiply_mass(error, scratch_);
    part(r, kTildeMotion) = scratch_;
    if (sizes_.nonholonomic == 0) return;
    multiply_rolling(tilde_k_q_, tilde_k_v_, error, k_);
    part(r, kTildeRolling) = k_;
  }
  void position_acceleration(const Vector& x, Vector& a) const override {
    a = part(x, kTildeMotion);
  }

  SparseMatrix Gv_q_, F_lambda_, F_psi_, tilde_K_, tilde_D_, tilde_F_lambda_, tilde_F_psi_;
  SparseMatrix tilde_k_q_, tilde_k_v_;
};

}  // namespace

std::unique_ptr<Stepper> make_soi2(const GeneralizedAlphaOptions& options) {
  return std::make_unique<Soi2>(chung_hulbert_parameters(options.rho), options);
}

}  // namespace picus
