// SPDX-License-Identifier: BSD-3-Clause
// Coulomb friction across impacts, against closed forms.
#include "studies/problems/friction.h"

#include <Eigen/LU>

#include "picus/steppers/common/friction_rows.h"
#include "picus/steppers/nonsmooth_methods.h"
#include "studies/problems/impacts.h"
#include "tests/steppers/step_through.h"
#include "tests/support/allocation_counter.h"

namespace picus::testing {
namespace {

class Friction : public ::testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<Stepper> make() { return make_stepper(GetParam()); }
  static bool is_pva() { return GetParam() == "nonsmooth_pva"; }
};

double order_of(double coarse, double fine) {
  return std::log2(coarse / fine);
}

// Velocities are continuous when a block stops or begins to slide, so that positions are of second
// order throughout.
TEST_P(Friction, ABlockSlidesSticksAndSlidesAgain) {
  const problems::PushedBlock block;
  const auto system = make_system(block);
  const auto errors = [&](double h) {
    double position = 0.0, velocity = 0.0;
    step_through(*system, block.start(), *make(), h, 2.0, [&](const State&, const State& s) {
      const auto exact = block.at(s.time);
      position = std::max(position, std::abs(s.position(0) - exact.position));
      velocity = std::max(velocity, std::abs(s.velocity(0) - exact.velocity));
      if (s.time > block.stop() + h && s.time < block.slip_again()) {
        EXPECT_LT(std::abs(s.velocity(0)), 1e-9) << "at " << s.time;
      }
    });
    return std::array{position, velocity};
  };
  const auto coarse = errors(4e-3), fine = errors(1e-3);
  if (finds_events(GetParam())) {
    EXPECT_LT(fine[0], 1e-12);
  } else {
    EXPECT_GT(order_of(coarse[0], fine[0]) / 2.0, 1.8) << coarse[0] << " " << fine[0];
  }
  EXPECT_LT(fine[0], 1e-6);
  EXPECT_LT(fine[1], 1e-5);
}

// The whole impulse of friction is the force of the closed form, integrated.
TEST_P(Friction, TellsTheForceOfABlockThatSlidesAndSticks) {
  const problems::PushedBlock block;
  const auto system = make_system(block);
  const auto stepper = make();
  const double h = 1e-3;
  step_through(*system, block.start(), *stepper, h, 2.0, [&](const State& from, const State& to) {
    const bool sliding = to.time < block.stop() - h || from.time > block.slip_again() + h;
    const bool sticking = from.time > block.stop() + h && to.time < block.slip_again() - h;
    if (!sliding && !sticking) return;
    const double mean = 0.5 * (block.at(from.time).friction + block.at(to.time).friction);
    EXPECT_NEAR((*stepper->impulses().tangential)(0) / h, mean, 2e-2) << to.time;
  });
}

TEST_P(Friction, ABlockUnderASmallPushDoesNotCreep) {
  problems::SlidingBlock block;
  block.push = 0.9 * block.mu * block.m * block.g;
  const auto system = make_system(block);
  const State end = step_through(*system, block.at(0.0), *make(), 1e-3, 1.0);
  EXPECT_LT(std::abs(end.position(0)), 1e-6);
  EXPECT_LT(std::abs(end.velocity(0)), 1e-10);
}

// Friction in two directions: on a slope of tan⁻¹ μ the particle turns downhill. The direction of
// friction is integrated to second order by PVA only.
TEST_P(Friction, TheDirectionOfSlipTurns) {
  const problems::SlidingParticle particle;
  const auto system = make_system(particle);
  const auto error = [&](double h) {
    double worst = 0.0;
    step_through(*system, particle.start(), *make(), h, 0.6, [&](const State&, const State& s) {
      const auto [across, down] = particle.velocity(s.time);
      worst = std::max(worst, std::hypot(s.velocity(0) - across, s.velocity(1) - down));
    });
    return worst;
  };
  const double coarse = error(1e-2), fine = error(5e-3);
  if (is_of_high_order(GetParam())) {
    EXPECT_LT(fine, 1e-8);
  } else {
    EXPECT_NEAR(order_of(coarse, fine), is_pva() ? 2.0 : 1.0, 0.1) << coarse << " " << fine;
  }
  EXPECT_LT(fine, is_pva() ? 1e-4 : 6e-3);
}

TEST_P(Friction, AParticleStopsAndSticksOnASlope) {
  problems::SlidingParticle particle;
  particle.mu *= 1.5;
  const auto system = make_system(particle);
  const State end = step_through(*system, particle.start(), *make(), 2e-3, 3.0);
  EXPECT_LT(max_abs(end.velocity), 1e-8);
}

// Newton's law along the normal, Coulomb's along the ground: slips, sticks, slips the other way.
TEST_P(Friction, ASpinningDiskBounces) {
  const problems::SpinningDisk disk;
  const auto system = make_system(disk);
  for (const double spin : {40.0, 2.0, -60.0}) {
    Vector before, after;
    step_through(*system, disk.at(0.5, 1.0, spin), *make(), 1e-3, 0.4,
                 [&](const State& from, const State& to) {
                   if (after.size() > 0 || to.velocity(1) < 0.0) return;
                   before = from.velocity;
                   after = to.velocity;
                 });
    ASSERT_EQ(after.size(), 3) << spin;
    const Vector expected = disk.after_impact(before);
    // the weight acts in the same step: its impulse m g h is friction's, too
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(after(i), expected(i), i == 2 ? 0.1 : 1e-2) << spin << ": " << i;
  }
}

// A reference for the ladder while both ends slide: Runge and Kutta on its one equation.
double ladder_angle(const problems::Ladder& ladder, double angle, double rate, double end) {
  constexpr int kSteps = 500;
  const double h = end / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const auto f = [&](double a, double w) { return ladder.acceleration(a, w); };
    const double a1 = f(angle, rate);
    const double a2 = f(angle + 0.5 * h * rate, rate + 0.5 * h * a1);
    const double a3 = f(angle + 0.5 * h * (rate + 0.5 * h * a1), rate + 0.5 * h * a2);
    const double a4 = f(angle + h * (rate + 0.5 * h * a2), rate + h * a3);
    angle += h * rate + h * h / 6.0 * (a1 + a2 + a3);
    rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return angle;
}

// What the angle of a sliding ladder is off by after 0.3 s.
double ladder_error(double mu, Stepper& stepper, double h) {
  problems::Ladder ladder;
  ladder.mu = mu;
  const auto system = make_system(ladder);
  const State end = step_through(*system, ladder.at(1.0, -0.05), stepper, h, 0.3);
  return std::abs(end.position(2) - ladder_angle(ladder, 1.0, -0.05, 0.3));
}

TEST(FrictionOfNonsmoothAlpha, ALadderSlidesDownAWallToSecondOrder) {
  for (const double mu : {0.0, 0.2}) {
    const double coarse = ladder_error(mu, *make_nonsmooth_pva(), 1e-2);
    const double fine = ladder_error(mu, *make_nonsmooth_pva(), 5e-3);
    EXPECT_NEAR(order_of(coarse, fine), 2.0, 0.1) << coarse << " " << fine;
    EXPECT_LT(fine, 1e-5);
  }
}

// Its contacts act by impulses alone.
TEST(FrictionOfNonsmoothAlpha, ALadderSlidesDownAWallToFirstOrderWithPvv) {
  for (const double mu : {0.0, 0.2}) {
    const double coarse = ladder_error(mu, *make_nonsmooth_pvv(), 1e-2);
    const double fine = ladder_error(mu, *make_nonsmooth_pvv(), 5e-3);
    EXPECT_NEAR(order_of(coarse, fine), 1.0, 0.1) << coarse << " " << fine;
    EXPECT_LT(fine, 1e-3);
  }
}

// Without friction the head leaves the wall when its height is two thirds of that at rest.
TEST(FrictionOfNonsmoothAlpha, ALadderLeavesTheWall) {
  const problems::Ladder ladder;
  const auto system = make_system(ladder);
  double leaves = 0.0;
  Vector gap;
  step_through(*system, ladder.at(1.0), *make_nonsmooth_pva(), 1e-3, 0.9,
               [&](const State&, const State& s) {
                 system->constraint(s, gap);
                 if (leaves == 0.0 && gap(1) > 1e-9) leaves = std::sin(s.position(2));
               });
  EXPECT_NEAR(leaves / std::sin(1.0), 2.0 / 3.0, 3e-3);
}

// A block rolls over from corner to corner, and at last rests on both, where the reactions along
// the ground are not determined.
TEST_P(Friction, ABlockRocksAsHousnerSays) {
  const problems::RockingBlock block;
  const auto system = make_system(block);
  const double h = 1e-3;
  double before = 0.0, after = 0.0;
  const State end = step_through(
      *system, block.at(0.1), *make(), h, 4.0, [&](const State& from, const State& to) {
        if (before == 0.0 && to.velocity(2) > 0.9 * from.velocity(2) && from.velocity(2) < -0.1) {
          before = from.velocity(2);
          after = to.velocity(2);
        }
      });
  // the energy of the fall about a corner, and Housner's ratio
  const double lean = std::atan2(block.width, block.height);
  const double fall = block.m * block.g * block.arm() * (std::cos(lean - 0.1) - std::cos(lean));
  EXPECT_NEAR(before, -std::sqrt(2.0 * fall / block.corner_inertia()), 5e-3);
  // within the step of the impact gravity turns the block by up to 2 m g width/2 h/inertia
  EXPECT_NEAR(after / before, block.housner(), 1e-2);
  EXPECT_LT(std::abs(end.position(2)), 1e-4);
  EXPECT_LT(max_abs(end.velocity), 1e-6);
}

// Painlevé's paradox: while the rod slides no normal force agrees with the ground. What is left is
// an impact without collision, which ends the slip: impulses p = -W⁻¹ u for u = (0, slip).
TEST_P(Friction, PainlevesRodStopsSlidingByAnImpactWithoutCollision) {
  const problems::PainleveRod rod;
  const double angle = 1.1, speed = 3.0, h = 1e-4;
  ASSERT_LT(rod.slope(angle), 0.0);
  ASSERT_LT(rod.free(angle, 0.0), 0.0) << "and no separation";
  const auto system = make_system(rod);
  State start = rod.at(angle, 0.0, speed);
  const double c = 0.5 * rod.L * std::cos(angle), s = 0.5 * rod.L * std::sin(angle);
  SmallMatrix<double, 2, 2> W;  // gap and slip
  W << 1.0 / rod.m + c * c / rod.inertia(), -c * s / rod.inertia(), -c * s / rod.inertia(),
      1.0 / rod.m + s * s / rod.inertia();
  const Vector2 impulse = W.inverse() * Vector2(0.0, speed);
  ASSERT_LT(impulse(1), rod.mu * impulse(0)) << "sticking is within the cone";
  const auto stepper = make();
  Vector pushed = Vector::Zero(2);
  const State after = step_through(*system, start, *stepper, h, h, [&](const State&, const State&) {
    pushed(0) += (*stepper->impulses().normal)(0);
    pushed(1) += (*stepper->impulses().tangential)(0);
  });
  EXPECT_NEAR(rod.kinetic_energy(start) - rod.kinetic_energy(after), 0.5 * speed * impulse(1),
              1e-2);
  EXPECT_NEAR(pushed(0), impulse(0), 1e-2);
  EXPECT_NEAR(pushed(1), impulse(1), 1e-2);
  step_through(*system, start, *make(), 1e-3, 0.5);  // and it goes on
}

// Every entry of the rows against differences, in all states.
TEST(FrictionRows, HaveExactDerivatives) {
  const SystemSizes sizes{.constraints = 1, .nonholonomic = 2, .contacts = 1, .slips = 2};
  FrictionRows rows;
  rows.start(sizes, {{.friction = 0.4, .first_slip = 0, .slips = 2}});
  SlipValues at{.reaction = 3.0, .impulse = 1.3, .past = 0.4};
  at.friction << 0.7, -1.1;
  at.friction_impulse << 0.2, 0.5;
  at.friction_past << -0.3, 0.1;
  at.slip << 2.0, -1.0;
  at.slip_rate << 0.6, 1.7;
  const LawMode all[] = {{ContactMode::kOpen}, {ContactMode::kStick}, {ContactMode::kSlip}};
  for (const LawMode velocity : all) {
    for (const LawMode smooth : all) {
      for (const bool slides_on : {false, true}) {
        const SlipModes modes{velocity, smooth, slides_on};
        const SlipEquations exact = rows.evaluate(0, modes, at);
        const auto check = [&](auto change, const Vector2& by_smooth, const Vector2& by_velocity) {
          constexpr double kStep = 1e-6;
          SlipValues up = at, down = at;
          change(up, kStep);
          change(down, -kStep);
          const SlipEquations a = rows.evaluate(0, modes, up), b = rows.evaluate(0, modes, down);
          EXPECT_LT(((a.smooth - b.smooth) / (2.0 * kStep) - by_smooth).norm(), 1e-8);
          EXPECT_LT(((a.velocity - b.velocity) / (2.0 * kStep) - by_velocity).norm(), 1e-8);
        };
        const Vector2 none = Vector2::Zero();
        for (int i = 0; i < 2; ++i) {
          check([&](SlipValues& v, double d) { v.friction(i) += d; },
                exact.smooth_by.friction.col(i), exact.velocity_by.friction.col(i));
          check([&](SlipValues& v, double d) { v.friction_impulse(i) += d; },
                exact.smooth_by.impulse.col(i), exact.velocity_by.impulse.col(i));
          check([&](SlipValues& v, double d) { v.slip(i) += d; }, exact.smooth_by.slip.col(i),
                exact.velocity_by.slip.col(i));
          check([&](SlipValues& v, double d) { v.slip_rate(i) += d; }, exact.smooth_by.rate.col(i),
                none);
        }
        check([&](SlipValues& v, double d) { v.reaction += d; }, exact.smooth_by.reaction,
              exact.velocity_by.reaction);
        check([&](SlipValues& v, double d) { v.impulse += d; }, none,
              exact.velocity_by.normal_impulse);
      }
    }
  }
}

// Matrices keep their patterns while contacts open, close, stick and slip; contact problems are
// kept by their sizes.
TEST_P(Friction, StepsAllocateNothing) {
  const problems::SpinningDisk disk;
  const auto bouncing = make_system(disk);
  const problems::RockingBlock block;
  const auto rocking = make_system(block);
  const auto run = [&](const System& system, State s) {
    ASSERT_TRUE(make_consistent(system, s).ok());
    const auto stepper = make();
    stepper->start(system, s);
    State to = s;
    long used = 0;
    bool ok = true;
    for (int n = 0; n < 1200; ++n) {
      const long before = allocations();
      const StepReport report = stepper->attempt(system, s, 2e-3, to);
      // those that find events may, where the modes of contacts change
      if (n >= 600 && report.taken == 0.0) used += allocations() - before;
      ok = ok && report.ok();
      stepper->accept();
      std::swap(s, to);
    }
    EXPECT_TRUE(ok);
    EXPECT_EQ(used, 0);
  };
  run(*bouncing, disk.at(0.5, 1.0, 40.0));
  run(*rocking, block.at(0.1));
}

// The part of the slip that the law of restitution returns.
TEST_P(Friction, ASuperballTurnsItsSlipRound) {
  problems::SpinningDisk disk;
  disk.mu = 2.0;
  disk.e_t = 0.6;
  const auto system = make_system(disk);
  double before = 0.0, after = 0.0;
  step_through(*system, disk.at(0.5, 1.0, 10.0), *make(), 1e-3, 0.4,
               [&](const State& from, const State& to) {
                 if (after != 0.0 || to.velocity(1) < 0.0) return;
                 before = from.velocity(0) + disk.r * from.velocity(2);
                 after = to.velocity(0) + disk.r * to.velocity(2);
               });
  EXPECT_NEAR(before, 2.0, 1e-9);
  EXPECT_NEAR(after, -0.6 * before, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Catalog, Friction, ::testing::ValuesIn(methods_with_friction()),
                         [](const auto& method) { return method.param; });

}  // namespace
}  // namespace picus::testing
