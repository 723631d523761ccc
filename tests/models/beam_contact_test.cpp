// SPDX-License-Identifier: BSD-3-Clause
// Beams as round lines that hit balls, walls and each other.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

// A disc on a stiff rail, in gravity that is inclined by 0.3 rad.
std::string disc_on_rail(double friction, int elements, const std::string& run) {
  return fmt::format(R"(
picus: 1
dimension: 2
gravity: [9.81*sin(0.3), -9.81*cos(0.3)]
bodies:
  disc: {{mass: 1, shape: {{type: cylinder, radius: 0.1, length: 0.1}}, at: [0.2, 0.15]}}
beams:
  rail: {{from: [0, 0], to: [4, 0], elements: {},
    section: {{type: general, stiffness: [1e9, 1e9, 1e9, 1e7, 1e7, 1e7], line_mass: 100,
      line_inertia: [1, 1, 1]}}, damping: 1e-3}}
joints:
  left: {{type: fixed, between: [ground, rail.start]}}
  right: {{type: fixed, between: [ground, rail.end]}}
collisions:
  all: {{balls: [{{at: disc}}], beams: [{{beam: rail, radius: 0.05}}], friction: {}}}
run: {{end_time: 1, {}}}
)",
                     elements, friction, run);
}

// It slides with g sin α, or rolls with two thirds of it, from element to element without a bump.
TEST(BeamContact, ADiscSlidesAndRollsAlongABeam) {
  const double down = kG * std::sin(0.3);
  for (const int elements : {2, 9}) {
    for (const std::string run :
         {"integrator: moreau_jean, step: 1e-3", "integrator: moreau_adaptive, tolerance: 1e-4"}) {
      const ModelRun slides = ModelRun::of_text(disc_on_rail(0.0, elements, run));
      EXPECT_NEAR(slides("bodies.disc.velocity.x"), down, 3e-3 * down) << elements << run;
      EXPECT_NEAR(slides("bodies.disc.position.x"), 0.2 + 0.5 * down, 5e-3) << elements << run;
      // the rail sags by 0.06 mm; moreau_adaptive lets contacts penetrate by some tolerances
      EXPECT_NEAR(slides("bodies.disc.position.y"), 0.15, 5e-4) << elements << run;
      const ModelRun rolls = ModelRun::of_text(disc_on_rail(0.5, elements, run));
      EXPECT_NEAR(rolls("bodies.disc.velocity.x"), down / 1.5, 3e-3 * down) << elements << run;
      EXPECT_NEAR(rolls("bodies.disc.angular_velocity.z"), -down / 1.5 / 0.1, 0.03 * down)
          << elements << run;
    }
  }
}

// A ball that hits a free beam in space between two nodes, with friction: momentum is kept.
TEST(BeamContact, AnImpactBetweenNodesKeepsMomentum) {
  const std::string text = R"(
picus: 1
bodies:
  ball: {mass: 0.5, shape: {type: sphere, radius: 0.05}, at: [0.37, 0.02, 0.1],
    velocity: [0.3, 0, -2], angular_velocity: [0, 30, 5]}
beams:
  rod: {from: [0, 0, 0], to: [1, 0, 0], elements: 6, section: {type: circle, radius: 0.01},
    material: steel, damping: 1e-5}
collisions:
  all: {balls: [{at: ball}], beams: [{beam: rod}], friction: 0.4, restitution: 0.5}
run: {end_time: 0.03, integrator: moreau_jean, step: 1e-5}
)";
  ModelRun run = ModelRun::of_text(text);
  const Mechanism& m = run.mechanism();
  const auto momentum = [&](const State& s) {
    SparseMatrix M;
    m.system().mass_matrix(s, M);
    Vector p = Vector::Zero(s.velocity.size());
    M.multiply_add(1.0, s.velocity, p);
    SmallVector<double, 6> sum = SmallVector<double, 6>::Zero();
    for (int body = 1; body < m.bodies().size(); ++body) {
      const auto& places = m.bodies()[body].velocity;
      const Pose<double> pose = m.bodies().pose(body, s.position);
      const Vector3 linear = p.segment<3>(places[0]), spin = p.segment<3>(places[3]);
      sum.head<3>() += linear;
      sum.tail<3>() += cross(pose.r, linear) + pose.A * spin;
    }
    return sum;
  };
  const SmallVector<double, 6> before = momentum(run.start().state),
                               after = momentum(run.outcome().end);
  EXPECT_LT((after - before).head<3>().norm(), 1e-9);
  EXPECT_LT((after - before).tail<3>().norm(), 1e-5);
  ASSERT_FALSE(impacts_of(run).empty());
  EXPECT_EQ(impacts_of(run)[0].first, "rod");
  EXPECT_EQ(impacts_of(run)[0].second, "ball");
  EXPECT_GT(run("bodies.ball.velocity.z"), -1.9);
}

// A beam that falls flat comes to rest on the floor with all its nodes.
TEST(BeamContact, ABeamLiesOnTheFloor) {
  const ModelRun run = ModelRun::of_text(R"(
picus: 1
gravity: [0, 0, -9.81]
beams:
  rod: {from: [-1, 0, 0.05], to: [1, 0, 0.07], elements: 8, section: {type: tube, radius: 0.02,
    bore: 0.018}, material: steel, damping: 1e-3}
collisions:
  all: {beams: [{beam: rod}], planes: [{body: ground}], friction: 0.3}
run: {end_time: 0.5, integrator: moreau_jean, step: 2e-4}
)");
  for (int i = 0; i <= 8; ++i) {
    EXPECT_NEAR(run(fmt::format("bodies.rod.node{}.position.z", i)), 0.02, 1e-3) << i;
    EXPECT_NEAR(run(fmt::format("bodies.rod.node{}.velocity.z", i)), 0.0, 1e-2) << i;
  }
}

// A stiff rocker, a third of a circle in elements that are longer than it is thick, stands on its
// lowest point, which lies between two nodes, and rolls over its nodes when it is let go tilted.
TEST(BeamContact, ABeamStandsAndRollsBetweenItsNodes) {
  const auto rocker = [](double tilt) {
    return fmt::format(R"(
picus: 1
dimension: 2
parameters: {{t: {}, y: 1.02}}
gravity: [0, -9.81]
beams:
  rod: {{from: [sin(-pi/3 + t), y - cos(-pi/3 + t)], via: [sin(t), y - cos(t)],
    to: [sin(pi/3 + t), y - cos(pi/3 + t)], elements: 5, section: {{type: general,
    stiffness: [1e7, 1e7, 1e7, 1e6, 1e6, 1e6], line_mass: 1, line_inertia: [2e-3, 1e-3, 1e-3]}},
    damping: 1e-4}}
collisions:
  all: {{beams: [{{beam: rod, radius: 0.02}}], planes: [{{body: ground, normal: [0, 1]}}],
    friction: 0.8}}
run: {{end_time: 0.6, integrator: moreau_jean, step: 2e-4}}
)",
                       tilt);
  };
  const ModelRun stands = ModelRun::of_text(rocker(0.0));
  EXPECT_NEAR(stands("bodies.rod.node2.position.y"), 1.02 - std::cos(std::acos(-1.0) / 15.0), 2e-4);
  double deepest = 0.0;
  (void)ModelRun::of_text(rocker(0.3), {}, [&](const ModelRun& now) {
    deepest = std::max(deepest, now("collisions.all.penetration"));
  });
  EXPECT_LT(deepest, 1e-3);
}

// Beams that cross, and beams side by side, carry each other at the sum of their radii.
TEST(BeamContact, BeamsCarryBeams) {
  for (const std::string high : {"from: [0.13, -0.5, 0.06], to: [0.13, 0.47, 0.06]",
                                 "from: [-0.4, 0.001, 0.06], to: [0.5, 0.001, 0.06]"}) {
    // the upper one bounces with the vibrations of the lower: count the steps in which they touch
    int touching = 0;
    double deepest = 0.0;
    const auto observe = [&](const ModelRun& now) {
      touching += now("collisions.all.contacts") > 0.0 ? 1 : 0;
      deepest = std::max(deepest, now("collisions.all.penetration"));
    };
    const std::string text = fmt::format(R"(
picus: 1
gravity: [0, 0, -9.81]
beams:
  low: {{from: [-1, 0, 0], to: [1, 0, 0], elements: 7, section: {{type: circle, radius: 0.02}},
    material: steel, damping: 1e-3}}
  high: {{{}, elements: 5, section: {{type: circle, radius: 0.02}}, material: steel,
    damping: 1e-3}}
joints:
  left: {{type: fixed, between: [ground, low.start]}}
  right: {{type: fixed, between: [ground, low.end]}}
collisions:
  all: {{beams: [{{beam: low}}, {{beam: high}}], friction: 0.5}}
run: {{end_time: 0.12, integrator: moreau_jean, step: 2e-4}}
)",
                                         high);
    const ModelRun run = ModelRun::of_text(text, {}, observe);
    EXPECT_LT(deepest, 1e-3) << high;
    EXPECT_GT(touching, 20) << high;
    EXPECT_NEAR(0.5 * (run("bodies.high.node2.position.z") + run("bodies.high.node3.position.z")),
                0.04, 3e-3)
        << high;
  }
}

// Nodes and markers along a soft strip lie on a hump, and a bead slides into a hollow that a marker
// within the strip carries.
TEST(BeamContact, PointsAlongABeamMeetCurves) {
  std::string text = R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  bead: {type: point, mass: 0.01, at: [0.06, 0.4]}
beams:
  strip: {from: [-0.5, 0.06], to: [0.5, 0.06], elements: 8, damping: 5e-2, section: {type: general,
    stiffness: [1e4, 1e4, 1e4, 1, 0.4, 0.4], line_mass: 1, line_inertia: [2e-4, 1e-4, 1e-4]},
    markers: {here: {s: 0.55}}}
contacts:
  hollow: {type: point_on_curve, between: [strip.here, bead], curve: "0.1 + 5*x^2", friction: 0.3}
)";
  for (int i = 0; i <= 9; ++i)
    text += fmt::format(
        "  hump{0}: {{type: point_on_curve, between: [ground, strip.node{0}], curve: "
        "\"0.05 - 0.4*x^2\", friction: 0.5}}\n",
        i);
  text += "run: {end_time: 1, integrator: moreau_jean, step: 5e-4}\n";
  const ModelRun run = ModelRun::of_text(text);
  int touching = 0;
  for (int i = 0; i <= 9; ++i) {
    const double x = run(fmt::format("bodies.strip.node{}.position.x", i)),
                 y = run(fmt::format("bodies.strip.node{}.position.y", i));
    const double above = y - (0.05 - 0.4 * x * x);
    EXPECT_GT(above, -1e-3) << i;
    touching += above < 1e-3 ? 1 : 0;
  }
  EXPECT_GE(touching, 3);
  // velocities are stopped at the end of a step: the bead falls at 2.5 m/s before it
  EXPECT_GT(run("contacts.hollow.gap"), -2.6 * 5e-4);
  EXPECT_LT(run("contacts.hollow.gap"), 1e-3);
  EXPECT_LT(std::abs(run("bodies.bead.velocity.x")), 0.05);
}

}  // namespace
}  // namespace picus::testing
