// SPDX-License-Identifier: BSD-3-Clause
// The planar models of models/ against closed forms. Where there is none, the reference is another
// integrator with a tolerance 100 times tighter.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

using std::numbers::pi;

std::string end_at(double time) {
  return "run.end_time=" + std::to_string(time);
}

TEST(Pendulum, HasThePeriodOfTheEllipticIntegral) {
  const double L = 1.0;
  const double period = 4.0 * std::comp_ellint_1(std::sqrt(0.5)) * std::sqrt(2.0 * L / (3.0 * kG));
  // at its lowest point after a quarter of a period and two whole ones: the angle counts best there
  const ModelRun run = ModelRun::of("pendulum", {end_at(2.25 * period), "run.tolerance=1e-7"});
  EXPECT_NEAR(run("joints.pin.angle"), -pi / 2.0, 2e-3);
  EXPECT_LT(run.energy_drift(), 1e-3);
  EXPECT_LT(run.violation(), 1e-9);
}

TEST(DoublePendulum, KeepsItsEnergy) {
  const ModelRun run = ModelRun::of("double_pendulum", {end_at(2), "run.tolerance=1e-9"});
  EXPECT_LT(run.energy_drift(), 5e-4);
  EXPECT_LT(run.violation(), 1e-9);
  const ModelRun other =
      ModelRun::of("double_pendulum", {end_at(2), "run.integrator=soi2", "run.tolerance=1e-11"});
  EXPECT_NEAR(run("joints.elbow.angle"), other("joints.elbow.angle"), 1e-3);
}

// Minimal coordinates, DOP853 with tolerance 1e-12.
TEST(SliderCrank, FollowsTheReference) {
  const ModelRun run = ModelRun::of("slider_crank", {"run.tolerance=1e-10"});
  EXPECT_NEAR(run("joints.main.angle"), -0.8586768421720, 2e-4);
  EXPECT_NEAR(run("joints.main.angle_rate"), -8.342298075653, 2e-3);
  EXPECT_NEAR(run("bodies.slider.position.x"), 0.6072163479567, 2e-4);
  EXPECT_LT(run.energy_drift(), 1e-4);
}

// Lengths and masses of the file say where everything is; here they come in mm, g and ms.
TEST(SliderCrank, IsTheSameInOtherUnits) {
  const char* const text = R"(
picus: 1
dimension: 2
units: {length: mm, mass: g, time: ms, angle: deg, force: mN}
gravity: [0, -9.81e-3]
bodies:
  crank: {mass: 1e3, shape: {type: rod, length: 200}, at: [100, 0], velocity: [0, 1], spin: 0.572957795130823}
  rod: {mass: 2e3, shape: {type: rod, length: 500}, at: [450, 0], velocity: [0, 1], spin: -0.229183118052329}
  slider: {mass: 1e3, inertia: [1e7], at: [700, 0]}
joints:
  main: {type: revolute, between: [ground, crank], at: [0, 0]}
  pin: {type: revolute, between: [crank, rod], at: [200, 0]}
  gudgeon: {type: revolute, between: [rod, slider], at: [700, 0]}
  guide: {type: prismatic, between: [ground, slider], at: [0, 0], axis: [1, 0]}
run: {end_time: 500, tolerance: 1e-7}
)";
  const ModelRun other = ModelRun::of_text(text), run = ModelRun::of("slider_crank", {end_at(0.5)});
  EXPECT_NEAR(other("joints.main.angle"), run("joints.main.angle"), 1e-9);
  EXPECT_NEAR(other("joints.main.force.x"), run("joints.main.force.x"), 1e-6);
}

// Freudenstein's equation for the rocker, on the branch of the file.
TEST(FourBar, ClosesFromRoughPlacesAndFollowsTheCrank) {
  const auto check = [](const ModelRun& run) {
    const double a = run.parameter("a"), b = run.parameter("b"), c = run.parameter("c"),
                 d = run.parameter("base"), crank = run.parameter("speed") * run.time();
    const double x = a * std::cos(crank) - d, y = a * std::sin(crank);
    // the rocker's tip is at distance c from its foot and b from the crank's tip at (x, y)
    const double r = std::hypot(x, y), cosine = (r * r + c * c - b * b) / (2.0 * r * c);
    const double rocker = std::atan2(y, x) - std::acos(cosine);
    EXPECT_NEAR(std::remainder(run("joints.crank_pin.angle") - crank, 2.0 * pi), 0.0, 1e-9);
    EXPECT_NEAR(std::remainder(run("joints.rocker_pin.angle") - rocker, 2.0 * pi), 0.0, 1e-6);
  };
  const ModelRun run = ModelRun::of("four_bar", {}, check);
  ASSERT_GE(run.start().moved.size(), 2u);
  EXPECT_NEAR(run("joints.crank_pin.angle"), 4.0 * pi, 1e-9) << "full turns count";
  EXPECT_GT(run.start().moved.front().distance, 0.01);
}

TEST(NFourBar, PassesItsSingularPositionsAndKeepsItsEnergy) {
  double lowest = 1.0, highest = -1.0;
  const ModelRun run = ModelRun::of("n_four_bar", {}, [&](const ModelRun& now) {
    lowest = std::min(lowest, now("bodies.post0.position.y"));
    highest = std::max(highest, now("bodies.post0.position.y"));
  });
  EXPECT_LT(lowest, -0.499) << "went through the lower half, past θ = 0";
  EXPECT_GT(highest, 0.49);
  EXPECT_LT(run.energy_drift(), 0.1) << "the bound of the benchmark";
  EXPECT_LT(run.violation(), 1e-8);
}

TEST(Chain, OfTwentyLinksKeepsItsEnergy) {
  const ModelRun run = ModelRun::of("chain", {end_at(0.5)});
  EXPECT_LT(run.energy_drift(), 1e-3);
  EXPECT_LT(run.violation(), 1e-8);
}

// The curves of the whole run are checked by `picus reproduce hht-belt`.
TEST(PolyVBelt, HasTheSizeOfThePaperAndStarts) {
  const ModelRun run = ModelRun::of("poly_v_belt", {end_at(0.001)});
  int general = 0;
  for (const AssembledForce& force : run.mechanism().forces())
    general += force.type == "general_force" ? 1 : 0;
  EXPECT_EQ(general, 400);
  EXPECT_GE(run.mechanism().bodies().size(), 100 + 4);
  EXPECT_LT(run.violation(), 1e-8);
}

TEST(GearTrain, SpeedsUpWithTheReducedInertia) {
  const ModelRun run = ModelRun::of("gear_train");
  const double i1 = run.parameter("ratio1"), i2 = run.parameter("ratio2");
  const double J = run.parameter("J") + i1 * i1 * run.parameter("J_between") +
                   i1 * i1 * i2 * i2 * run.parameter("J_drum");
  const double speed = run.parameter("torque") / J * run.time();
  EXPECT_NEAR(run("joints.motor_axle.angle_rate"), speed, 1e-9 * speed);
  EXPECT_NEAR(run("joints.drum_axle.angle_rate"), i1 * i2 * speed, 1e-9 * speed);
  EXPECT_GT(run("joints.motor_axle.angle"), 50.0 * pi) << "over many turns";
  EXPECT_NEAR(run("joints.drum_axle.angle"), i1 * i2 * run("joints.motor_axle.angle"), 1e-8);
}

TEST(RackAndPinion, OscillatesWithTheReducedMass) {
  const ModelRun run = ModelRun::of("rack_and_pinion", {}, [](const ModelRun& now) {
    EXPECT_NEAR(now("joints.slide.position"), now.parameter("r") * now("joints.axle.angle"), 1e-10);
  });
  const double r = run.parameter("r"), m = run.parameter("m") + run.parameter("J") / (r * r);
  const double omega = std::sqrt(run.parameter("k") / m);
  const double expected = r * run.parameter("speed") / omega * std::sin(omega * run.time());
  EXPECT_NEAR(run("joints.slide.position"), expected, 1e-4);
}

TEST(Cam, NeedsTheForceOfTheMovedMass) {
  const double h = 1e-3;  // central differences of the height that the table prescribes
  std::vector<std::pair<double, double>> heights;
  const ModelRun run =
      ModelRun::of("cam", {"run.step=0.001", end_at(0.25)}, [&](const ModelRun& now) {
        heights.emplace_back(now("joints.guide.position"), now("joints.cam.force.y"));
      });
  EXPECT_NEAR(run("joints.guide.position"), 0.024, 1e-6) << "half a turn: a point of the table";
  for (std::size_t k = 10; k + 1 < heights.size(); k += 20) {
    const double y = heights[k].first;
    const double a = (heights[k + 1].first - 2.0 * y + heights[k - 1].first) / (h * h);
    const double force =
        run.parameter("m") * (a + kG) + run.parameter("preload") + run.parameter("k") * y;
    EXPECT_NEAR(heights[k].second, force, 0.02 * std::abs(force)) << k;
  }
}

TEST(QuarterCar, FollowsItsReference) {
  const ModelRun run = ModelRun::of("quarter_car", {end_at(1)});
  const ModelRun other =
      ModelRun::of("quarter_car", {end_at(1), "run.integrator=soi2", "run.tolerance=1e-8"});
  EXPECT_NEAR(run("bodies.body.position.y"), other("bodies.body.position.y"), 2e-5);
  EXPECT_NEAR(run("bodies.wheel.position.y"), other("bodies.wheel.position.y"), 2e-5);
  EXPECT_NEAR(run("controls.skyhook.value"), other("controls.skyhook.value"), 1.0);
}

TEST(QuarterCar, ShakesLessWithTheController) {
  const auto largest = [](const char* sky) {
    double result = 0.0;
    ModelRun::of("quarter_car", {sky}, [&](const ModelRun& now) {
      result = std::max(result, std::abs(now("bodies.body.position.y") - 0.9));
    });
    return result;
  };
  EXPECT_LT(largest("sky=2500"), 0.8 * largest("sky=0"));
}

}  // namespace
}  // namespace picus::testing
