// SPDX-License-Identifier: BSD-3-Clause
// Laws of mechanics that hold for every method of the catalog.
#include <numbers>

#include "picus/dynamics/consistent_state.h"
#include "studies/problems/chain.h"
#include "studies/problems/motions.h"
#include "studies/problems/pendulum.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

class Laws : public StepperTest {};

// Two links and a pin in free space: reactions are internal, so no method may change the momentum.
TEST_P(Laws, AnIsolatedChainKeepsItsLinearMomentum) {
  SystemBuilder builder;
  builder.add(problems::ChainLink{.m = 1.0, .L = 1.0, .g = 0.0}, "a", {0, 1, 2});
  builder.add(problems::ChainLink{.m = 3.0, .L = 1.0, .g = 0.0}, "b", {3, 4, 5});
  builder.add(problems::ChainPin{1.0}, "pin", {0, 1, 2, 3, 4, 5});
  const auto system = builder.build();
  const auto stepper = make();
  if (!accepts(*stepper, *system)) GTEST_SKIP() << "the method refuses this system";
  State state;
  state.position.resize(6);
  state.position << 0.0, 0.0, 0.3, 0.9, 0.5, -0.4;
  state.velocity.resize(6);
  state.velocity << 1.0, 2.0, 5.0, -1.0, 0.5, -3.0;
  ASSERT_TRUE(make_consistent(*system, state).ok());
  const auto momentum = [](const State& s) {
    return Eigen::Vector2d(s.velocity.segment<2>(0) + 3.0 * s.velocity.segment<2>(3));
  };
  const Eigen::Vector2d before = momentum(state);
  FixedStep control(5e-3);
  const Summary summary = simulate(*system, state, *stepper, control, {.end_time = 2.0});
  ASSERT_TRUE(summary.ok()) << summary.message;
  EXPECT_LT((momentum(state) - before).cwiseAbs().maxCoeff(), 1e-9);
}

// What numerical damping takes from a smooth motion is of the order of the method.
TEST_P(Laws, EnergyOfThePendulumDriftsLessWithSmallerSteps) {
  const problems::Pendulum pendulum;
  const auto system = make_system(pendulum);
  if (!accepts(*make(), *system)) GTEST_SKIP() << "the method refuses this system";
  const auto drift = [&](double h) {
    const auto stepper = make();
    State state = pendulum.at(std::numbers::pi / 6.0, 10.0);
    const double before = pendulum.energy(state);
    FixedStep control(h);
    EXPECT_TRUE(simulate(*system, state, *stepper, control, {.end_time = 1.0}).ok());
    return std::abs(pendulum.energy(state) - before) / before;
  };
  const double coarse = drift(4e-3), fine = drift(2e-3);
  EXPECT_LT(coarse, 5e-3);
  EXPECT_LT(fine, 0.3 * coarse);
}

// The top stays on SO(3) to rounding, whatever the method: quaternions are never re-normalised.
TEST_P(Laws, RotationsStayOnTheManifold) {
  const TestProblem top = heavy_top();
  const auto stepper = make();
  if (!accepts(*stepper, *top.system)) GTEST_SKIP() << "the method refuses this system";
  const State end = run(top, *stepper, top.step);
  EXPECT_NEAR(end.position.tail<4>().norm(), 1.0, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Catalog, Laws, every_stepper_of_order(2), stepper_name);

// A sleeping-top regime: fast spin precesses slowly and regularly at about m g h / (J3 ω).
TEST(HeavyTop, PrecessesAtTheClassicalRate) {
  const problems::HeavyTop top;
  const double spin = 400.0, tilt = 0.4;
  const auto system = make_system(top, "top");
  State state = top.spinning(tilt, spin);
  const auto stepper = make_stepper("ggl", {{"rho", "0.9"}});
  FixedStep control(5e-4);
  const double duration = 0.5;
  const Summary summary = simulate(*system, state, *stepper, control, {.end_time = duration});
  ASSERT_TRUE(summary.ok()) << summary.message;
  const double angle = std::atan2(state.position(0), -state.position(1));
  const double expected = top.m * top.g * top.height / (top.J3 * spin) * duration;
  EXPECT_NEAR(angle, expected, 0.02 * expected);  // nutation and the next order in 1/ω
}

}  // namespace
}  // namespace picus::testing
