// SPDX-License-Identifier: BSD-3-Clause
// What the smooth motion of the nonsmooth generalized-α methods obeys, bruls-acary-cardona §3.2:
// strategy 1 nothing, 2 the joints, 3 the joints and the contacts that stay closed. Impulses do the
// rest, so that only reactions and accuracy differ.
#include <numbers>

#include "picus/simulation/simulate.h"
#include "picus/steppers/nonsmooth_methods.h"
#include "studies/problems/friction.h"
#include "tests/steppers/step_through.h"
#include "tests/support/impact_systems.h"

namespace picus::testing {
namespace {

constexpr SmoothSet kSets[] = {SmoothSet::kNone, SmoothSet::kJoints, SmoothSet::kJointsAndContacts};

std::unique_ptr<Stepper> with_smooth_set(bool is_pva, SmoothSet set) {
  NonsmoothAlphaOptions options;
  options.rho = 0.9;
  options.smooth_set = set;
  return is_pva ? make_nonsmooth_pva(options) : make_nonsmooth_pvv(options);
}

struct SmoothSetRun {
  std::vector<double> impacts;  ///< ends of their steps
  State end;
  Vector impulse;
};

SmoothSetRun bounce_with(bool is_pva, SmoothSet set, double h) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  const auto stepper = with_smooth_set(is_pva, set);
  SmoothSetRun run;
  run.end = step_through(*system, p.at(std::numbers::pi / 12.0, 0.0), *stepper, h, 4.0,
                         [&](const State& from, const State& to) {
                           if (from.velocity(0) < -0.3 && to.velocity(0) > 0.2)
                             run.impacts.push_back(to.time);
                         });
  run.impulse = *stepper->impulses().normal;
  return run;
}

// Joints that act by impulses alone add an error of first order to that of the impacts, 11 steps at
// the sixth.
TEST(SmoothSet, AllHaveTheSameImpactsAndWholeReactions) {
  const double h = 2e-3;
  const SmoothSetRun reference = bounce_with(true, SmoothSet::kJointsAndContacts, h);
  ASSERT_GE(reference.impacts.size(), 6u);
  for (const bool is_pva : {true, false}) {
    for (const SmoothSet set : kSets) {
      const SmoothSetRun run = bounce_with(is_pva, set, h);
      ASSERT_GE(run.impacts.size(), 6u);
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(run.impacts[i], reference.impacts[i],
                    (set == SmoothSet::kNone ? 12.0 : 0.1) * h)
            << is_pva << " " << static_cast<int>(set) << ": " << i;
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(run.impulse(i) / h, i < 2 ? -10.0 : 10.0, 1e-6)
            << is_pva << " " << static_cast<int>(set);
    }
  }
}

// At rest on the wall: all of the reactions, those of the joints to a free pendulum, or none.
TEST(SmoothSet, DecidesWhatReactionsOfTheSmoothMotionAre) {
  const double free = 10.0 / 2.2;
  const double wanted[3][3] = {{0.0, 0.0, 0.0}, {-free, free - 10.0, 0.0}, {-10.0, -10.0, 10.0}};
  for (int set = 0; set < 3; ++set) {
    const State end = bounce_with(true, kSets[set], 2e-3).end;
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(end.multiplier(i), wanted[set][i], 1e-6) << set << ": " << i;
  }
}

// A ladder that slides keeps its contacts closed, and has no joints.
TEST(SmoothSet, OfClosedContactsMakesTheMotionOfSecondOrder) {
  problems::Ladder ladder;
  ladder.mu = 0.2;
  const auto system = make_system(ladder);
  const auto angle = [&](SmoothSet set, double h) {
    return step_through(*system, ladder.at(1.0, -0.05), *with_smooth_set(true, set), h, 0.3)
        .position(2);
  };
  const double exact = angle(SmoothSet::kJointsAndContacts, 1e-4);
  const auto order = [&](SmoothSet set) {
    return std::log2(std::abs(angle(set, 1e-2) - exact) / std::abs(angle(set, 5e-3) - exact));
  };
  EXPECT_NEAR(order(SmoothSet::kJointsAndContacts), 2.0, 0.1);
  EXPECT_NEAR(order(SmoothSet::kJoints), 1.0, 0.1);
  EXPECT_NEAR(order(SmoothSet::kNone), 1.0, 0.1);
}

// A pendulum before it meets the wall.
TEST(SmoothSet, OfJointsMakesTheMotionOfSecondOrder) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  const auto angle = [&](SmoothSet set, double h) {
    return step_through(*system, p.at(std::numbers::pi / 12.0, 0.0), *with_smooth_set(true, set), h,
                        0.3)
        .position(2);
  };
  const double exact = angle(SmoothSet::kJoints, 1e-4);
  const auto order = [&](SmoothSet set) {
    return std::log2(std::abs(angle(set, 1e-2) - exact) / std::abs(angle(set, 5e-3) - exact));
  };
  EXPECT_NEAR(order(SmoothSet::kJointsAndContacts), 2.0, 0.1);
  EXPECT_NEAR(order(SmoothSet::kJoints), 2.0, 0.1);
  EXPECT_NEAR(order(SmoothSet::kNone), 1.0, 0.1);
}

// Painlevé's rod, where sliding and open alternate: simulate() counts what steps report.
TEST(ActiveSetCycles, AreCountedOverARun) {
  const problems::PainleveRod rod;
  const auto system = make_system(rod);
  State state = rod.at(1.1, 0.0, 3.0);
  FixedStep steps(1e-3);
  const auto stepper = make_nonsmooth_pva();
  const Summary summary = simulate(*system, state, *stepper, steps, {.end_time = 0.01});
  EXPECT_TRUE(summary.ok()) << summary.message;
  EXPECT_GE(summary.cycles, 1);
}

}  // namespace
}  // namespace picus::testing
