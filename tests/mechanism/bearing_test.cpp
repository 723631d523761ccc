// SPDX-License-Identifier: BSD-3-Clause
// Limits of friction from reactions: their derivatives, and those of the forces of a phase.
#include <gtest/gtest.h>

#include "picus/dynamics/contact_phase.h"
#include "picus/io/model_file.h"

namespace picus::testing {
namespace {

constexpr const char* kJoints = R"yaml(
picus: 1
gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 2, inertia: [0.1, 0.2, 0.3], at: [0.4, 0.1, -0.2], angular_velocity: [0.3, 1, -2], velocity: [1, 2, 3]}
  sled: {mass: 1, inertia: [0.02, 0.03, 0.04], at: [1, 0.3, 0.2], rotations: [{axis: [1, 2, 3], angle: 0.7}]}
  bead: {type: point, mass: 0.3, at: [2, 1, 1]}
joints:
  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: [1, 2, 2], friction: {coefficient: 0.3, radius: 0.05, length: 0.2, collar: 0.08, preload: 0.1 + time}}
  rail: {type: prismatic, between: [arm, sled], at: [0.8, 0.2, 0.1], axis: [2, -1, 2], friction: {coefficient: 0.2, radius: 0.1, length: 0.3}}
  wire: {type: inline, between: [ground, bead], at: [2, 1, 1], axis: [1, 0, 1], friction: {coefficient: 0.4}}
run: {end_time: 1}
)yaml";

/// A state with reactions of both signs, none of which is zero.
State loaded_state(const Mechanism& mechanism) {
  State state = mechanism.initial_state();
  size_state(mechanism.system(), state);
  for (int i = 0; i < state.multiplier.size(); ++i)
    state.multiplier(i) = 3.0 * std::sin(2.0 + 7.0 * i);
  return state;
}

template <class Value>
Matrix differences(State state, Value&& value) {
  constexpr double kStep = 1e-6;
  Matrix result;
  for (int i = 0; i < state.multiplier.size(); ++i) {
    const double at = state.multiplier(i);
    state.multiplier(i) = at + kStep;
    const Vector more = value(state);
    state.multiplier(i) = at - kStep;
    const Vector less = value(state);
    state.multiplier(i) = at;
    if (i == 0) result.resize(more.size(), state.multiplier.size());
    result.col(i) = (more - less) / (2.0 * kStep);
  }
  return result;
}

TEST(BearingLoad, HasTheDerivativesOfItsLimits) {
  const LoadedModel model = load_model_text("joints.yaml", kJoints);
  const System& system = model.mechanism->system();
  const State state = loaded_state(*model.mechanism);
  EXPECT_TRUE(system.limits_read_reactions());
  EXPECT_EQ(system.reaction_limits(), (std::vector<int>{0, 1, 2}));
  SparseMatrix tangent;
  system.friction_limit_tangent(state, tangent);
  const Matrix expected = differences(state, [&](const State& s) {
    Vector limits;
    system.friction_limits(s, limits);
    return limits;
  });
  EXPECT_GT(expected.cwiseAbs().maxCoeff(), 0.01);
  EXPECT_LT((tangent.dense() - expected).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(BearingLoad, IsHomogeneousInReactions) {
  const LoadedModel model = load_model_text("joints.yaml", kJoints);
  const System& system = model.mechanism->system();
  State state = loaded_state(*model.mechanism);
  Vector none, once, twice;
  system.friction_limits(state, once);
  state.multiplier *= -2.0;
  system.friction_limits(state, twice);
  state.multiplier.setZero();
  system.friction_limits(state, none);
  EXPECT_LT((twice - none - 2.0 * (once - none)).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_NEAR(none(0), 0.1, 1e-15);
  EXPECT_EQ(none(1), 0.0);
}

TEST(ContactPhase, HasTheDerivativesOfForcesWhoseLimitsReadReactions) {
  const LoadedModel model = load_model_text("joints.yaml", kJoints);
  const System& system = model.mechanism->system();
  const ContactPhase phase(system, {{ContactMode::kSlip, Vector2(1.0, 0.0)},
                                    {ContactMode::kSlip, Vector2(-1.0, 0.0)},
                                    {ContactMode::kStick}});
  EXPECT_FALSE(phase.has_linear_reactions());
  State state;
  phase.reduce(loaded_state(*model.mechanism), state);
  SparseMatrix along_multiplier, along_nonholonomic;
  phase.multiplier_tangent(state, along_multiplier, along_nonholonomic);
  const Matrix expected = differences(state, [&](const State& s) {
    Vector force;
    phase.force(s, force);
    return force;
  });
  EXPECT_LT((along_multiplier.dense() - expected).cwiseAbs().maxCoeff(), 1e-7);
}

}  // namespace
}  // namespace picus::testing
