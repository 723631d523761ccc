// SPDX-License-Identifier: BSD-3-Clause
// Neither impacts nor friction add energy, for every method that steps across impacts: not in a
// step, and not over a run.
#include <algorithm>
#include <functional>
#include <limits>
#include <numbers>

#include "picus/base/error.h"
#include "picus/dynamics/consistent_state.h"
#include "studies/problems/bar.h"
#include "studies/problems/cradle.h"
#include "studies/problems/friction.h"
#include "studies/problems/friction_elements.h"
#include "tests/support/impact_systems.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

// A method with its options, and what it is known for.
struct ImpactMethod {
  std::string name;
  std::string_view stepper;
  OptionValues options = {};
  /// Steps an impact takes. Only schatzman_paoli spreads it: the positions before and after appear
  /// in its second differences and in the velocity (22b), which in between is a mean of both sides.
  int window = 1;
  /// Of F v h: see allowance_of_a_run.
  double share = 0.1;
  /// Of the energy of what hits: where the velocity is a mean, vibrations that an impact starts
  /// last longer than the impact.
  double ringing = 0.0;
  /// Lifts positions out of penetrations, by as much as a step moves them: acary (19).
  bool lifts = false;
};

std::vector<ImpactMethod> impact_methods() {
  std::vector<ImpactMethod> methods;
  for (const StepperEntry& entry : stepper_catalog()) {
    if (!entry.make({})->traits().handles_impacts) continue;
    ImpactMethod method{.name = std::string(entry.name), .stepper = entry.name};
    if (entry.name == "schatzman_paoli") {
      method.window = 3;
      method.ringing = 0.01;
    }
    // closed contacts act by impulses alone, and the positions are corrected in every step
    if (entry.name == "nonsmooth_pvv") method.share = 0.2;
    methods.push_back(std::move(method));
  }
  methods.push_back({.name = "moreau_jean_multiplier",
                     .stepper = "moreau_jean",
                     .options = {{"positions", "multiplier"}},
                     .share = 0.5,
                     .lifts = true});
  return methods;
}

// A problem: force F and speed v are the largest of its motion, m is the mass that F moves.
struct ImpactRun {
  std::unique_ptr<System> system;
  State start;
  std::function<double(const State&)> energy;
  double m, force, speed, end;
  double h = 1e-2;        ///< and half of it
  double hit_mass = 0.0;  ///< that hits, where it is not m
};

// A method that does not locate impacts cannot know better than a step when a force begins to be
// balanced by a contact, and until then the force F gives a mass m at rest the energy (F t)²/2m, t
// being the duration of an impact. It falls with h². Positions that are lifted while they move with
// v gain F v h.
double allowance_of_a_step(const ImpactRun& run, const ImpactMethod& method, double h) {
  const double impulse = method.window * h * run.force;
  const double hit = run.hit_mass > 0.0 ? run.hit_mass : run.m;
  return impulse * impulse / (2.0 * run.m) + method.ringing * 0.5 * hit * run.speed * run.speed +
         (method.lifts ? method.share * run.force * run.speed * h : 0.0);
}

// All methods are of first order at impacts, and many where contacts stay closed: over a run the
// energy may be off by a share of F v h, the work of the force in one step. With E₀ = F v T that is
// E₀ h/T, T being the time in which the force could spend the energy of the start. What is steady
// and does not fall with h is not allowed.
double allowance_of_a_run(const ImpactRun& run, const ImpactMethod& method, double h) {
  return method.share * method.window * run.force * run.speed * h;
}

class ImpactLaws : public ::testing::TestWithParam<ImpactMethod> {
 protected:
  static void expect_no_rise(const ImpactRun& run) {
    State start = run.start;
    ASSERT_TRUE(make_consistent(*run.system, start).ok());
    for (const double h : {run.h, 0.5 * run.h}) {
      const auto stepper = make_stepper(GetParam().stepper, GetParam().options);
      try {
        stepper->start(*run.system, start);
      } catch (const InputError& error) {
        ASSERT_NE(std::string(error.what()).find("friction"), std::string::npos) << error.what();
        GTEST_SKIP() << "the method refuses friction";
      }
      expect_no_rise(run, start, *stepper, h);
    }
  }

 private:
  static void expect_no_rise(const ImpactRun& run, const State& start, Stepper& stepper, double h) {
    const ImpactMethod& method = GetParam();
    std::vector<double> energies{run.energy(start)};
    State s = start, to = start;
    double lowest = std::numeric_limits<double>::infinity();
    double step_rise = 0.0, run_rise = 0.0, step_time = 0.0, run_time = 0.0;
    while (s.time < run.end - 0.5 * h) {
      const StepReport report = stepper.attempt(*run.system, s, h, to);
      ASSERT_TRUE(report.ok()) << explain(*run.system, report, s.time, h);
      stepper.accept();
      std::swap(s, to);
      // the energy before, where an impact under way does not count
      const auto recent = std::min<std::ptrdiff_t>(method.window, std::ssize(energies));
      const double before = *std::max_element(energies.end() - recent, energies.end());
      lowest = std::min(lowest, before);
      energies.push_back(run.energy(s));
      const auto visit = [&](double rise, double& most, double& time) {
        if (rise <= most) return;
        most = rise;
        time = s.time;
      };
      visit(energies.back() - before, step_rise, step_time);
      visit(energies.back() - lowest, run_rise, run_time);
    }
    EXPECT_LE(step_rise, allowance_of_a_step(run, method, h)) << "h " << h << ", t " << step_time;
    EXPECT_LE(run_rise, allowance_of_a_run(run, method, h))
        << "h " << h << ", t " << run_time << ", of " << energies.front() << " J";
    EXPECT_LT(energies.back(), energies.front());
  }
};

template <class Problem>
auto energy_of(const Problem& problem) {
  return [problem](const State& s) { return problem.energy(s); };
}

TEST_P(ImpactLaws, EnergyOfTheBallDoesNotRise) {
  const problems::BouncingBall ball;
  expect_no_rise(
      {make_system(ball), ball.at(1.0, 0.0), energy_of(ball), ball.m, -ball.m * ball.f, 2.0, 4.0});
}

TEST_P(ImpactLaws, EnergyOfTheOscillatorDoesNotRise) {
  const problems::ImpactOscillator oscillator;
  expect_no_rise({make_system(oscillator), oscillator.at(1.0, 0.0), energy_of(oscillator),
                  oscillator.m, oscillator.k, 1.0, 5.0});
}

TEST_P(ImpactLaws, EnergyOfThePendulumDoesNotRise) {
  const problems::BouncingPendulum p;
  expect_no_rise(
      {make_system(p), p.at(std::numbers::pi / 12.0, 0.0), energy_of(p), p.m, p.m * p.g, 2.9, 4.0});
}

TEST_P(ImpactLaws, EnergyOfTheSlidingBlockDoesNotRise) {
  const problems::SlidingBlock block;
  expect_no_rise(
      {make_system(block), block.at(1.5), energy_of(block), block.m, block.m * block.g, 1.5, 1.0});
}

TEST_P(ImpactLaws, EnergyOfTheSpinningDiskDoesNotRise) {
  const problems::SpinningDisk disk;
  for (const double spin : {40.0, 2.0})  // slips and sticks
    expect_no_rise({make_system(disk), disk.at(0.5, 1.0, spin), energy_of(disk), disk.m,
                    disk.m * disk.g, 3.1, 3.0});
}

// Its limit is given: the friction of an element takes energy as that of a contact does.
TEST_P(ImpactLaws, EnergyOfTheDryPendulumDoesNotRise) {
  const problems::DryPendulum pendulum;
  expect_no_rise({make_system(pendulum), pendulum.start(), energy_of(pendulum), pendulum.m,
                  pendulum.k * pendulum.angle, 3.0, 4.0});
}

// From corner to corner, which fall with 0.32 m/s.
TEST_P(ImpactLaws, EnergyOfTheRockingBlockDoesNotRise) {
  const problems::RockingBlock block;
  expect_no_rise({make_system(block), block.at(0.1), energy_of(block), block.m, block.m * block.g,
                  0.32, 1.0, 2e-3});
}

TEST_P(ImpactLaws, EnergyOfTheLadderDoesNotRise) {
  problems::Ladder ladder;
  ladder.mu = 0.2;
  expect_no_rise({make_system(ladder), ladder.at(1.0, -0.05), energy_of(ladder), ladder.m,
                  ladder.m * ladder.g, 1.0, 0.6});
}

// An impact without collision, then a tip that sticks.
TEST_P(ImpactLaws, EnergyOfPainlevesRodDoesNotRise) {
  const problems::PainleveRod rod;
  expect_no_rise({make_system(rod), rod.at(1.1, 0.0, 3.0), energy_of(rod), rod.m, rod.m * rod.g,
                  3.0, 0.5, 2e-3});
}

// A wave runs through the bar and back; steps follow its fastest vibration, 180 rad/s. The node at
// the wall hits it.
TEST_P(ImpactLaws, EnergyOfTheElasticBarDoesNotRise) {
  problems::ElasticBar bar;
  bar.elements = 30;
  bar.distance = 0.5;
  expect_no_rise({bar.make(), bar.start(), energy_of(bar), bar.total_mass(), bar.force(), bar.speed,
                  0.9, 1e-3, 0.5 * bar.mass_of_element()});
}

// Impacts that follow each other through the row.
TEST_P(ImpactLaws, EnergyOfTheCradleDoesNotRise) {
  const problems::Cradle cradle;
  expect_no_rise(
      {cradle.make(), cradle.start(1.0), energy_of(cradle), cradle.m, cradle.k, 3.2, 4.0});
}

INSTANTIATE_TEST_SUITE_P(Catalog, ImpactLaws, ::testing::ValuesIn(impact_methods()),
                         [](const auto& method) { return method.param.name; });

void PrintTo(const ImpactMethod& method, std::ostream* out) {
  *out << method.name;
}

}  // namespace
}  // namespace picus::testing
