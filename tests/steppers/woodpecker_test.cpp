// SPDX-License-Identifier: BSD-3-Clause
// The woodpecker toy with every method that knows friction, against its event-driven solution:
// matrix exponentials between events that are found to 1e-15 s.
#include "tests/steppers/step_through.h"
#include "tests/support/impact_systems.h"

namespace picus::testing {
namespace {

using problems::Woodpecker;

class WoodpeckerToy : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> methods_that_know_friction() {
  std::vector<std::string> names = methods_for_impacts();
  std::erase_if(names,
                [](const std::string& name) { return !make_stepper(name)->traits().friction; });
  return names;
}

// Two periods: it has pecked twice and sticks for the third time.
TEST_P(WoodpeckerToy, ComesDownAsItsEventDrivenSolutionDoes) {
  const Woodpecker toy;
  const auto system = make_system(toy);
  const State end = step_through(*system, toy.start(), *make_stepper(GetParam()), 5e-5, 0.35);
  // of first order, and a late peck shifts the phase of what follows
  EXPECT_NEAR(end.position(0), -0.043270536, 5e-4);
  EXPECT_NEAR(end.position(1), -0.103448276, 5e-4);
  EXPECT_NEAR(end.position(2), -0.260281365, 1e-2);
  EXPECT_NEAR(end.velocity(0), 0.0, 1e-6);
  EXPECT_NEAR(end.velocity(2), 17.482757507, 1e-1);
}

// The energy that is lost is the work of the contacts on the mean of their velocities.
TEST_P(WoodpeckerToy, LosesTheEnergyThatItsContactsTake) {
  const Woodpecker toy;
  const auto system = make_system(toy);
  const auto stepper = make_stepper(GetParam());
  const State start = toy.start();
  double work = 0.0, highest_rise = 0.0;
  Vector rate, rate_after, slip, slip_after;
  const State end =
      step_through(*system, start, *stepper, 5e-5, 0.13, [&](const State& from, const State& to) {
        system->constraint_velocity(from, rate);
        system->constraint_velocity(to, rate_after);
        system->nonholonomic(from, slip);
        system->nonholonomic(to, slip_after);
        work += 0.5 * stepper->impulses().normal->dot(rate + rate_after) +
                0.5 * stepper->impulses().tangential->dot(slip + slip_after);
        highest_rise = std::max(highest_rise, toy.energy(to) - toy.energy(from));
      });
  const double lost = toy.energy(start) - toy.energy(end);
  EXPECT_GT(lost, 4e-4);  // J, most of it by friction on the way down
  EXPECT_NEAR(-work, lost, 0.02 * lost);
  EXPECT_LT(highest_rise, 1e-3 * lost);
}

INSTANTIATE_TEST_SUITE_P(Catalog, WoodpeckerToy, ::testing::ValuesIn(methods_that_know_friction()),
                         [](const auto& tested) { return tested.param; });

// The moment at which the upper edge lets go, after a peck. The error depends on where in its step
// an impact falls: means over several step sizes.
TEST(WoodpeckerMidpoint, IsOfFirstOrderThroughImpactsAndFriction) {
  const Woodpecker toy;
  const auto system = make_system(toy);
  const double end = 0.083441641037, height = -0.007279337295;
  const auto error = [&](int steps) {
    double sum = 0.0;
    for (int k = 0; k < 6; ++k) {
      const double h = end / (steps + 37 * k * steps / 800);
      const auto stepper = make_stepper("moreau_midpoint");
      sum += std::abs(step_through(*system, toy.start(), *stepper, h, end).position(0) - height);
    }
    return sum / 6.0;
  };
  const double coarse = error(800), fine = error(3200);
  EXPECT_NEAR(0.5 * std::log2(coarse / fine), 1.0, 0.3) << coarse << " " << fine;
  EXPECT_LT(fine, 5e-5);
}

}  // namespace
}  // namespace picus::testing
