// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Averaged forces with one acceleration: the unconstrained α-methods, and HHT-I3 where position
// constraints g(q_1) = 0 are solved for λ with their rows divided by β h².

#include "picus/steppers/common/averaged_alpha.h"

namespace picus {

/// The methods newmark, hht and generalized_alpha, which refuse constraints, and hht_i3, which
/// enforces them at position level: one class, since nothing else differs.
class AveragedPosition : public AveragedAlpha {
 public:
  enum class Constraints { kRefused, kAtPositionLevel };

  AveragedPosition(const char* name, Constraints constraints, const AlphaParameters& parameters,
                   PreviousMass previous_mass, MassPoint mass_point, const AlphaOptions& options)
      : AveragedAlpha(parameters, previous_mass, options),
        name_(name),
        constraints_(constraints),
        mass_point_(mass_point) {}

  StepperTraits traits() const override {
    const bool accepts = constraints_ == Constraints::kAtPositionLevel;
    // a second-order rule needs γ = 1/2 - α
    const bool second = std::abs(alpha_.gamma - 0.5 + alpha_.shift()) < 1e-12;
    return {.order = second ? 2 : 1,
            .holonomic = accepts,
            .nonholonomic = accepts,
            .general_reactions = accepts,
            .estimates_error = second,
            .velocity_drift = true};
  }

 protected:
  const char* name() const override { return name_; }
  std::vector<Block> blocks() const override;
  void guess(const State& state, Vector& x) const override;
  void move(const Vector& x) override;
  void equations(const Vector& x, Vector& r) override;
  void assemble(const Vector& x) override;
  void end_step(const Vector& x) override;
  void load_error(const Vector& error, Vector& r) override;
  void position_acceleration(const Vector& x, Vector& a) const override { a = part(x, kMotion); }

 private:
  enum Part { kMotion, kReaction, kRolling };

  const char* name_;
  Constraints constraints_;
  MassPoint mass_point_;
  SparseMatrix F_lambda_, F_psi_;
};

}  // namespace picus
