// SPDX-License-Identifier: BSD-3-Clause
// Loops with more joints than they need: which of them integrators see is a choice that must be
// made again as the loop moves, and nobody may notice.
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/dynamics/consistent_state.h"
#include "picus/dynamics/independent_constraints.h"
#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

// Six revolute joints in a loop, Bricard's threefold symmetric linkage: links of one length, twists
// ±twist in turn. Denavit–Hartenberg frames; angles first, second in turn close the loop.
class Bricard {
 public:
  Bricard(double twist, double first, double guess) : twist_(twist) {
    angles_ << first, guess;
    for (int i = 0; i < 100; ++i) {
      const double e = miss(angles_(1));
      const double slope = (miss(angles_(1) + 1e-7) - miss(angles_(1) - 1e-7)) / 2e-7;
      angles_(1) -= e / slope;
      if (std::abs(e) < 1e-15) break;
    }
  }
  bool is_closed() const { return (frame(6).matrix() - Eigen::Matrix4d::Identity()).norm() < 1e-9; }

  std::string text() const {
    std::string out = "picus: 1\ngravity: [0.3, -0.4, -9.81]\nbodies:\n";
    for (int i = 1; i < 6; ++i)
      out += fmt::format("  link{}: {{mass: {}, inertia: [0.02, 0.03, 0.025], at: {}}}\n", i,
                         1.0 + 0.1 * i, list(0.5 * (origin(i) + origin(i + 1))));
    out += "joints:\n";
    for (int i = 0; i < 6; ++i)
      out +=
          fmt::format("  pin{}: {{type: revolute, between: [{}, {}], at: {}, axis: {}}}\n", i + 1,
                      link(i + 5), link(i), list(origin(i)), list(frame(i).linear().col(2)));
    return out + "run: {end_time: 2}\n";
  }

 private:
  Eigen::Isometry3d frame(int joints) const {
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    for (int i = 0; i < joints; ++i)
      T = T * Eigen::AngleAxisd(angles_(i % 2), Eigen::Vector3d::UnitZ()) *
          Eigen::Translation3d(0.5, 0.0, 0.0) *
          Eigen::AngleAxisd(i % 2 == 0 ? twist_ : -twist_, Eigen::Vector3d::UnitX());
    return T;
  }
  // Two links make a screw; a third of a turn about its axis, without translation, closes the loop.
  double miss(double second) const {
    Bricard at = *this;
    at.angles_(1) = second;
    return at.frame(2).linear().trace() - (1.0 + 2.0 * std::cos(2.0 * std::numbers::pi / 3.0));
  }
  Eigen::Vector3d origin(int i) const { return frame(i).translation(); }
  static std::string link(int i) { return i % 6 == 0 ? "ground" : fmt::format("link{}", i % 6); }
  static std::string list(const Eigen::Vector3d& v) {
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z());
  }

  double twist_;
  Eigen::Vector2d angles_;
};

const Bricard kLoops[] = {{70.0 / 180.0 * std::numbers::pi, 1.6, 0.98},
                          {90.0 / 180.0 * std::numbers::pi, 1.2, -1.84},
                          {110.0 / 180.0 * std::numbers::pi, 1.3, -1.5}};

// The place of a link at the end, by an implicit method of high order on all of it.
double place_of(const ModelRun& run) {
  return run("bodies.link3.position.z");
}

TEST(BricardLinkage, SwingsWithMethodsOfHighOrderAtEveryTolerance) {
  for (std::size_t i = 0; i < std::size(kLoops); ++i) {
    ASSERT_TRUE(kLoops[i].is_closed()) << i;
    const std::string text = kLoops[i].text();
    const double reference =
        place_of(ModelRun::of_text(text, {"run.integrator=radau_iia", "run.tolerance=1e-11"}));
    for (const char* method : {"radau_iia", "half_explicit", "auto"})
      for (const char* tolerance : {"1e-4", "1e-7", "1e-9"}) {
        SCOPED_TRACE(fmt::format("loop {}, {}, tolerance {}", i, method, tolerance));
        const ModelRun run = ModelRun::of_text(text, {fmt::format("run.integrator={}", method),
                                                      fmt::format("run.tolerance={}", tolerance)});
        EXPECT_NEAR(place_of(run), reference, 300.0 * std::stod(tolerance));
        EXPECT_LT(run.violation(), 1e-6);
        EXPECT_FALSE(run.outcome().summary.notes.empty());
      }
  }
}

TEST(BricardLinkage, SwingsWithEveryMethodOfSecondOrder) {
  const std::string text = kLoops[0].text();
  const double reference =
      place_of(ModelRun::of_text(text, {"run.integrator=radau_iia", "run.tolerance=1e-11"}));
  for (const char* method : {"ggl", "index3", "index2", "stabilized_index1", "hht_soi2", "soi2",
                             "hht_i3", "nonsmooth_pva", "nonsmooth_pvv"}) {
    SCOPED_TRACE(method);
    const ModelRun run =
        ModelRun::of_text(text, {fmt::format("run.integrator={}", method), "run.step=1e-3"});
    EXPECT_NEAR(place_of(run), reference, 5e-4);
    EXPECT_LT(run.violation(), 2e-3);  // of index2, which drifts
  }
}

// First order, so that the place says little: the loop stays closed.
TEST(BricardLinkage, StaysClosedWithMethodsOfMoreauThatCorrectPositions) {
  for (const Bricard& loop : kLoops)
    for (const char* positions : {"projected", "multiplier"}) {
      SCOPED_TRACE(positions);
      const ModelRun run =
          ModelRun::of_text(loop.text(), {"run.integrator=moreau_jean", "run.step=2e-3",
                                          fmt::format("run.options={{positions: {}}}", positions)});
      EXPECT_LT(run.violation(), 1e-9);
    }
}

// Whose steps are provisional.
TEST(BricardLinkage, SwingsUnderExtrapolation) {
  for (const Bricard& loop : kLoops) {
    const double reference = place_of(
        ModelRun::of_text(loop.text(), {"run.integrator=radau_iia", "run.tolerance=1e-10"}));
    const ModelRun run =
        ModelRun::of_text(loop.text(), {"run.integrator=extrapolation", "run.tolerance=1e-6"});
    EXPECT_NEAR(place_of(run), reference, 1e-3);
    EXPECT_LT(run.violation(), 1e-3);
  }
}

// The choice is made again without a jump: motion and total reactions are continuous, and what is
// kept stays well away from a loss of rank.
TEST(BricardLinkage, ChoosesItsConstraintsAgainWithoutAJump) {
  const ModelRun run =
      ModelRun::of_text(kLoops[0].text(), {"run.integrator=radau_iia", "run.tolerance=1e-9"});
  const System& system = run.mechanism().system();
  State full = run.start().state;
  const Consistency start = make_consistent(system, full);
  ASSERT_EQ(start.redundant.size(), 1u);
  IndependentConstraints reduced(system, start.independent, start.independent_nonholonomic);
  State part;
  reduced.gather(full, part);
  State there = full;
  there.position = run.outcome().end.position;
  there.velocity = run.outcome().end.velocity;
  ASSERT_TRUE(make_consistent(system, there).ok());
  reduced.gather(there, part);
  State shown;
  reduced.restore(part, shown);
  EXPECT_LT(max_abs(Vector(shown.multiplier - there.multiplier)), 1e-7 * max_abs(there.multiplier));
  const State before = shown;
  if (reduced.choose_again(there)) {
    reduced.gather(there, part);
    reduced.restore(part, shown);
  }
  EXPECT_FALSE(reduced.is_poor_choice());
  EXPECT_LT(reduced.independent_part(), 1e-6);
  Vector force, force_before;
  system.force(shown, force);
  system.force(before, force_before);
  EXPECT_LT(max_abs(Vector(force - force_before)), 1e-8 * (1.0 + max_abs(force)));
  EXPECT_LT(max_abs(Vector(shown.multiplier - before.multiplier)),
            1e-7 * max_abs(before.multiplier));
}

// Three parallel cranks and a coupler: a pendulum, with a crank too many.
std::string parallelogram(double start) {
  return fmt::format(R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
parameters: {{a: {}, l: 0.5}}
bodies:
  crank1: {{mass: 1, inertia: [l^2/12], at: [l/2*sin(a), -l/2*cos(a)], angle: a}}
  crank2: {{mass: 1, inertia: [l^2/12], at: [1 + l/2*sin(a), -l/2*cos(a)], angle: a}}
  crank3: {{mass: 1, inertia: [l^2/12], at: [2 + l/2*sin(a), -l/2*cos(a)], angle: a}}
  coupler: {{mass: 2, inertia: [0.7], at: [1 + l*sin(a), -l*cos(a)]}}
joints:
  a1: {{type: revolute, between: [ground, crank1], at: [0, 0]}}
  a2: {{type: revolute, between: [ground, crank2], at: [1, 0]}}
  a3: {{type: revolute, between: [ground, crank3], at: [2, 0]}}
  b1: {{type: revolute, between: [crank1, coupler], at: [l*sin(a), -l*cos(a)]}}
  b2: {{type: revolute, between: [crank2, coupler], at: [1 + l*sin(a), -l*cos(a)]}}
  b3: {{type: revolute, between: [crank3, coupler], at: [2 + l*sin(a), -l*cos(a)]}}
run: {{end_time: 2}}
)",
                     start);
}

// (m_c + Σ m/3) l φ̈ = -(m_c + Σ m/2) g sin φ, by Runge and Kutta.
double pendulum_angle(double angle, double time) {
  constexpr int kSteps = 20000;
  const double h = time / kSteps, k = 3.5 / 3.0 * kG / 0.5;
  double rate = 0.0;
  const auto f = [&](double x) { return -k * std::sin(x); };
  for (int i = 0; i < kSteps; ++i) {
    const double a1 = f(angle), v2 = rate + 0.5 * h * a1;
    const double a2 = f(angle + 0.5 * h * rate), v3 = rate + 0.5 * h * a2;
    const double a3 = f(angle + 0.5 * h * v2), v4 = rate + h * a3;
    const double a4 = f(angle + h * v3);
    angle += h / 6.0 * (rate + 2.0 * v2 + 2.0 * v3 + v4);
    rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return angle;
}

TEST(Parallelogram, IsAPendulumWithEveryMethod) {
  for (const double start : {0.3, 1.4}) {
    const double expected = pendulum_angle(start, 2.0);
    for (const char* method : {"auto", "radau_iia", "half_explicit", "event_driven"})
      for (const char* tolerance : {"1e-4", "1e-8"}) {
        SCOPED_TRACE(fmt::format("{} from {}, tolerance {}", method, start, tolerance));
        const ModelRun run = ModelRun::of_text(
            parallelogram(start),
            {fmt::format("run.integrator={}", method), fmt::format("run.tolerance={}", tolerance)});
        EXPECT_NEAR(start + run("joints.a1.angle"), expected, 300.0 * std::stod(tolerance));
      }
    for (const char* method : {"ggl", "index3", "nonsmooth_pva", "nonsmooth_pvv"}) {
      SCOPED_TRACE(fmt::format("{} from {}", method, start));
      const ModelRun run = ModelRun::of_text(
          parallelogram(start), {fmt::format("run.integrator={}", method), "run.step=1e-3"});
      EXPECT_NEAR(start + run("joints.a1.angle"), expected, 2e-2);
    }
  }
}

// Two hinges on one axis, and balls that fall on the door: contacts come and go beside equations
// that are left out.
TEST(RedundantJoints, StandCollisions) {
  for (const char* method : {"moreau_jean", "moreau_midpoint", "nonsmooth_pva"}) {
    SCOPED_TRACE(method);
    const std::string text = fmt::format(R"(
picus: 1
gravity: [0, 0, -9.81]
bodies:
  door: {{mass: 2, at: [0.5, 0, 1], inertia: [0.2, 0.2, 0.2]}}
  one: {{mass: 0.5, at: [0.8, 0, 1.3], inertia: [0.01, 0.01, 0.01]}}
  two: {{mass: 0.5, at: [0.9, 0.05, 1.6], inertia: [0.01, 0.01, 0.01]}}
joints:
  hinge1: {{type: revolute, between: [ground, door], at: [0, 0, 1], axis: [0, 1, 0]}}
  hinge2: {{type: revolute, between: [ground, door], at: [0, 0.3, 1], axis: [0, 1, 0]}}
collisions:
  all:
    balls:
      - {{at: door, radius: 0.2}}
      - {{at: one, radius: 0.1}}
      - {{at: two, radius: 0.1}}
    planes: [{{body: ground, normal: [0, 0, 1]}}]
    friction: 0.3
run: {{end_time: 0.6, step: 1e-3, integrator: {}}}
)",
                                         method);
    const ModelRun run = ModelRun::of_text(text);
    EXPECT_LT(run.violation(), 4e-3);  // of Moreau's methods, which drift
    EXPECT_GE(impacts_of(run).size(), 2u);
    EXPECT_EQ(run.outcome().summary.notes.size(), 5u);  // of ten equations five follow
  }
}

}  // namespace
}  // namespace picus::testing
