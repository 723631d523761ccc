// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Generalized-α with one multiplier per constraint, bruls-acary-cardona (71): the constraint
// equation is a weighted sum of its position, velocity and acceleration forms.

#include "picus/steppers/common/auxiliary_alpha.h"

namespace picus {

/// Weights of g, ġ, g̈ and of k, k̇ in the equation that a method enforces.
struct LevelWeights {
  double position = 0.0, velocity = 0.0, acceleration = 0.0;
  double rolling = 0.0, rolling_rate = 0.0;
};

/// The base of index1, index2, index3 and baumgarte. A method defines weights(), and the name of
/// its constraint equation for failure reports in level().
class SingleLevel : public AuxiliaryAlpha {
 public:
  using AuxiliaryAlpha::AuxiliaryAlpha;

  StepperTraits traits() const override {
    const LevelWeights levels = weights(1.0, 1.0);
    const bool is_mixed = levels.acceleration != 0.0;
    return {.order = 2,
            .holonomic = true,
            .nonholonomic = true,
            .general_reactions = true,
            .position_drift = is_mixed || levels.position == 0.0,
            .velocity_drift = is_mixed || levels.velocity == 0.0};
  }

 protected:
  /// The weights for a step in which the positions and velocities move by dq and dv per unit of
  /// acceleration; chosen so that the matrix does not depend on h, as negrut-hht-i3 recommends.
  virtual LevelWeights weights(double dq, double dv) const = 0;
  virtual const char* level() const = 0;

  std::vector<Block> blocks() const override {
    return {{Equation::kMomentum, "momentum balance"},
            {Equation::kConstraint, level()},
            {Equation::kNonholonomic, "nonholonomic constraint"}};
  }
  void guess(const State& state, Vector& x) const override;
  void move(const Vector& x) override;
  void equations(const Vector& x, Vector& r) override;
  void assemble(const Vector& x) override;

 private:
  enum Part { kMotion, kReaction, kRolling };
  void add_constraint_rows(const LevelWeights& w);
  void add_rolling_rows(const LevelWeights& w);
};

}  // namespace picus
