// SPDX-License-Identifier: BSD-3-Clause
// Neither impacts nor friction add energy, for every method that steps across impacts and every
// problem of impacts.h.
#include <algorithm>
#include <numbers>

#include "picus/base/error.h"
#include "picus/dynamics/consistent_state.h"
#include "studies/problems/friction_elements.h"
#include "tests/support/impact_systems.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

// Steps an impact takes. Only schatzman_paoli spreads it: the positions before and after appear in
// its second differences and in the velocity (22b), which in between is a mean of both sides.
int steps_of_an_impact(std::string_view stepper) {
  return stepper == "schatzman_paoli" ? 3 : 1;
}

class ImpactLaws : public StepperTest {
 protected:
  // What a step may add: a method that does not locate impacts cannot know better than a step when
  // a force begins to be balanced by a contact, and until then the force F gives a mass m at rest
  // the energy (F t)²/2m, t being the duration of an impact. It falls with h².
  template <class Problem>
  void expect_no_rise(const Problem& problem, State start, double end, double force) {
    const auto system = make_system(problem);
    ASSERT_TRUE(make_consistent(*system, start).ok());
    for (const double h : {1e-2, 5e-3}) {
      const auto stepper = make();
      try {
        stepper->start(*system, start);
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("friction"), std::string::npos) << error.what();
        return;
      }
      const int window = steps_of_an_impact(GetParam().name);
      const double impulse = window * h * force;
      std::vector<double> energies{problem.energy(start)};
      State s = start, to = start;
      for (long n = 1; n <= std::lround(end / h); ++n) {
        const StepReport report = stepper->attempt(*system, s, h, to);
        ASSERT_TRUE(report.ok()) << explain(*system, report, s.time, h);
        stepper->accept();
        std::swap(s, to);
        const auto recent = std::min<std::ptrdiff_t>(window, std::ssize(energies));
        const double before = *std::max_element(energies.end() - recent, energies.end());
        energies.push_back(problem.energy(s));
        EXPECT_LE(energies.back() - before, impulse * impulse / (2.0 * problem.m))
            << "h = " << h << ", t = " << s.time;
      }
      EXPECT_LT(energies.back(), energies.front());
    }
  }
};

TEST_P(ImpactLaws, EnergyOfTheBallDoesNotRise) {
  const problems::BouncingBall ball;
  expect_no_rise(ball, ball.at(1.0, 0.0), 4.0, -ball.m * ball.f);
}

TEST_P(ImpactLaws, EnergyOfTheOscillatorDoesNotRise) {
  const problems::ImpactOscillator oscillator;
  expect_no_rise(oscillator, oscillator.at(1.0, 0.0), 5.0, oscillator.k);
}

TEST_P(ImpactLaws, EnergyOfThePendulumDoesNotRise) {
  const problems::BouncingPendulum p;
  expect_no_rise(p, p.at(std::numbers::pi / 12.0, 0.0), 4.0, p.m * p.g);
}

TEST_P(ImpactLaws, EnergyOfTheSlidingBlockDoesNotRise) {
  const problems::SlidingBlock block;
  expect_no_rise(block, block.at(1.5), 1.0, block.m * block.g);
}

TEST_P(ImpactLaws, EnergyOfTheSpinningDiskDoesNotRise) {
  const problems::SpinningDisk disk;
  for (const double spin : {40.0, 2.0})  // slips and sticks
    expect_no_rise(disk, disk.at(0.5, 1.0, spin), 3.0, disk.m * disk.g);
}

// Its limit is given: the friction of an element takes energy as that of a contact does.
TEST_P(ImpactLaws, EnergyOfTheDryPendulumDoesNotRise) {
  const problems::DryPendulum pendulum;
  expect_no_rise(pendulum, pendulum.start(), 4.0, pendulum.k * pendulum.angle);
}

INSTANTIATE_TEST_SUITE_P(Catalog, ImpactLaws, every_stepper_across_impacts(), stepper_name);

}  // namespace
}  // namespace picus::testing
