// SPDX-License-Identifier: BSD-3-Clause
// Dry friction with a given limit, against closed forms, for every method that knows friction.
#include "studies/problems/friction_elements.h"

#include "picus/base/error.h"
#include "picus/simulation/choose.h"
#include "tests/steppers/step_through.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

class FrictionElements : public StepperTest {
 protected:
  static bool is(std::string_view name) { return GetParam().name == name; }
  static bool is_alpha() { return GetParam().name.starts_with("nonsmooth"); }
  static bool finds_events() { return testing::finds_events(GetParam().name); }
  static bool is_of_high_order() { return testing::is_of_high_order(GetParam().name); }
};

double observed_order(double coarse, double fine) {
  return std::log2(coarse / fine);
}

// a h²/8 is what a step can miss that does not see where the block stops.
TEST_P(FrictionElements, ABlockSlidesToRestAtTheExactTimeAndStays) {
  problems::PressedBlock block;
  block.of.ramp = 0.0;
  const auto system = make_system(block, "block");
  const double a = (block.of.limit() - block.of.push) / block.of.m, v = block.of.speed;
  const double h = 7e-3, stop = v / a;
  double rest = 0.0;
  step_through(*system, block.start(), *make(), h, 2.0, [&](const State&, const State& s) {
    if (s.time < stop) {
      EXPECT_NEAR(s.velocity(0), v - a * s.time, 1e-9) << s.time;
    } else if (s.time < stop + h) {
      EXPECT_LE(std::abs(s.velocity(0)), a * h) << s.time;
      rest = s.position(0);
    } else {
      EXPECT_NEAR(s.velocity(0), 0.0, 1e-12) << s.time;
      EXPECT_NEAR(s.position(0), rest, is_alpha() ? a * h * h : 1e-12) << s.time;
    }
  });
  EXPECT_NEAR(rest, 0.5 * v * v / a, a * h * h);
}

TEST_P(FrictionElements, ABlockSlidesSticksAndSlidesAgain) {
  const problems::PressedBlock block;
  const auto system = make_system(block);
  const auto error = [&](double h) {
    double worst = 0.0;
    step_through(*system, block.start(), *make(), h, 2.0, [&](const State&, const State& s) {
      worst = std::max(worst, std::abs(s.position(0) - block.of.at(s.time).position));
      if (s.time > block.of.stop() + h && s.time < block.of.slip_again()) {
        EXPECT_LT(std::abs(s.velocity(0)), 1e-9) << "at " << s.time;
      }
    });
    return worst;
  };
  const double coarse = error(4e-3), fine = error(1e-3);
  if (finds_events()) {
    EXPECT_LT(fine, 1e-12);
    return;
  }
  EXPECT_GT(observed_order(coarse, fine) / 2.0, 1.8) << coarse << " " << fine;
  EXPECT_LT(fine, 1e-6);
}

// The amplitude falls by 4 T/k in each cycle, on a straight line, and ends within the dead band.
TEST_P(FrictionElements, ATorsionalPendulumLosesTheSameAmplitudeInEveryCycle) {
  const problems::DryPendulum pendulum;
  ASSERT_EQ(pendulum.rest(), 5);
  const auto system = make_system(pendulum);
  const double h = pendulum.half_period() / 100.0, amplitude = pendulum.angle;
  double worst = 0.0, last = 0.0;
  const auto stepper = make();
  const State end =
      step_through(*system, pendulum.start(), *stepper, h, 8.0 * pendulum.half_period(),
                   [&](const State&, const State& s) {
                     worst = std::max(worst, std::abs(s.position(0) - pendulum.at(s.time)));
                     if (s.time > 5.5 * pendulum.half_period())
                       last = std::max(last, std::abs(s.velocity(0)));
                   });
  EXPECT_LT(worst, 3e-3 * amplitude);
  EXPECT_LT(last, 1e-10);
  EXPECT_LE(std::abs(end.position(0)), pendulum.T / pendulum.k);
  EXPECT_NEAR(end.position(0), pendulum.extreme(5), 3e-3 * amplitude);
  // the spring is held by less than the limit
  EXPECT_NEAR((*stepper->impulses().tangential)(0) / h, pendulum.k * end.position(0), 1e-9);
}

// The limit is seen where the step is expected to go, so that order two needs no derivatives of it.
// PVV expects the smooth motion, of which friction is no part.
TEST_P(FrictionElements, ABrakeThatGripsWithSpeedIsOfTheOrderOfItsMethod) {
  const problems::BrakedWheel wheel;
  const auto system = make_system(wheel);
  const auto error = [&](double h) {
    double worst = 0.0;
    step_through(*system, wheel.start(), *make(), h, 0.96, [&](const State&, const State& s) {
      worst = std::max(worst, std::abs(s.velocity(0) - wheel.at(s.time)));
    });
    return worst;
  };
  ASSERT_GT(wheel.stop(), 0.96);
  const double coarse = error(1e-2), fine = error(5e-3);
  if (is_of_high_order()) {
    EXPECT_LT(fine, finds_events() ? 1e-10 : 1e-8);  // extrapolation ends at its tolerance
    return;
  }
  EXPECT_NEAR(observed_order(coarse, fine), is("nonsmooth_pva") ? 2.0 : 1.0, 0.1)
      << coarse << " " << fine;
}

TEST_P(FrictionElements, ABlockSticksToABeltUntilItsSpringPullsHarder) {
  const problems::BlockOnBelt block;
  const auto system = make_system(block);
  const double h = 2e-3;
  double worst = 0.0;
  step_through(*system, block.start(), *make(), h, 4.0, [&](const State&, const State& s) {
    worst = std::max(worst, std::abs(s.position(0) - block.at(s.time)));
    if (s.time < block.leaves() - h) {
      EXPECT_NEAR(s.velocity(0), block.belt, 1e-9) << s.time;
    }
  });
  EXPECT_GT(4.0, block.leaves() + 2.0 * std::numbers::pi * std::sqrt(block.m / block.k));
  EXPECT_LT(worst, 1e-4);
}

TEST_P(FrictionElements, TheDirectionOfSlipTurns) {
  const problems::PressedParticle particle;
  const auto system = make_system(particle);
  const auto error = [&](double h) {
    double worst = 0.0;
    step_through(*system, particle.start(), *make(), h, 0.6, [&](const State&, const State& s) {
      const auto [across, down] = particle.of.velocity(s.time);
      worst = std::max(worst, std::hypot(s.velocity(0) - across, s.velocity(1) - down));
    });
    return worst;
  };
  const double coarse = error(1e-2), fine = error(5e-3);
  if (is_of_high_order()) {
    EXPECT_LT(fine, 1e-8);
    return;
  }
  EXPECT_NEAR(observed_order(coarse, fine), is("nonsmooth_pva") ? 2.0 : 1.0, 0.1)
      << coarse << " " << fine;
}

TEST_P(FrictionElements, AllocateNothingWhenTheyStickAndSlip) {
  const problems::PressedParticle particle;
  problems::PressedBlock block;
  SystemBuilder builder;
  builder.add(particle, "particle", {0, 1});
  builder.add(block, "block", {2});
  const auto system = builder.build();
  State state;
  state.position = Vector::Zero(3);
  state.velocity = Vector(3);
  state.velocity << particle.of.speed, 0.0, block.of.speed;
  const auto stepper = make();
  const bool may_allocate = finds_events();  // where they stick and slip
  long before = -1;
  step_through(*system, state, *stepper, 1e-2, 2.0, [&](const State&, const State& s) {
    if (before < 0 && s.time > 0.9) before = allocations();  // it has stuck
    if (s.time > 1.95 && !may_allocate) {
      EXPECT_EQ(allocations(), before) << s.time;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Catalog, FrictionElements, ::testing::ValuesIn([] {
                           std::vector<StepperEntry> entries;
                           for (const StepperEntry& entry : stepper_catalog())
                             if (entry.make({})->traits().friction) entries.push_back(entry);
                           return entries;
                         }()),
                         stepper_name);

class WithoutFriction : public StepperTest {};

TEST_P(WithoutFriction, RefusesFrictionElementsByName) {
  const problems::PressedBlock block;
  const auto system = make_system(block, "brake");
  State state = block.start();
  ASSERT_TRUE(make_consistent(*system, state).ok());
  try {
    make()->start(*system, state);
    FAIL() << "was not refused";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("cannot handle friction elements ('brake.0')"), std::string::npos)
        << message;
    EXPECT_NE(message.find("; use "), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, WithoutFriction, ::testing::ValuesIn([] {
                           std::vector<StepperEntry> entries;
                           for (const StepperEntry& entry : stepper_catalog())
                             if (!entry.make({})->traits().friction) entries.push_back(entry);
                           return entries;
                         }()),
                         stepper_name);

TEST(ChooseMethod, TakesOneThatKnowsFrictionElements) {
  const auto system = make_system(problems::PressedBlock{}, "brake");
  const Choice choice = choose_method(*system);
  EXPECT_TRUE(make_stepper(choice.stepper, choice.options)->traits().friction);
  EXPECT_NE(choice.reason.find("brake"), std::string::npos) << choice.reason;
}

TEST(FrictionElementsOfASystem, ComeBehindContactsWhateverTheOrderOfTheParts) {
  SystemBuilder builder;
  builder.add(problems::PressedBlock{}, "brake", {0});
  builder.add(problems::PushedBlock{}, "block", {1, 2});
  builder.add(problems::PressedParticle{}, "particle", {3, 4});
  const auto system = builder.build();
  const SystemSizes n = system->sizes();
  EXPECT_EQ(n.contacts, 1);
  EXPECT_EQ(n.slips, 4);
  EXPECT_EQ(n.friction_elements, 2);
  EXPECT_EQ(system->contact_law(0).first_slip, 0);
  EXPECT_EQ(system->contact_law(1).first_slip, 1);
  EXPECT_EQ(system->contact_law(2).first_slip, 2);
  EXPECT_EQ(system->contact_law(2).slips, 2);
  State s;
  s.position = Vector::Zero(5);
  size_state(*system, s);
  s.velocity << 1.0, 2.0, 0.0, 3.0, 4.0;
  Vector k, limits;
  system->nonholonomic(s, k);
  EXPECT_EQ(k, (Vector(4) << 2.0, 1.0, 3.0, 4.0).finished());
  system->friction_limits(s, limits);
  EXPECT_EQ(limits(0), problems::PushedBlock{}.limit());
}

}  // namespace
}  // namespace picus::testing
