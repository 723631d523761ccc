// SPDX-License-Identifier: BSD-3-Clause
// Joints stay closed in whatever `auto` takes among collisions and many contacts, and in every
// method of Moreau; smooth motions with joints are of second order.
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/runs/models.h"

namespace picus::testing {
namespace {

struct Closure {
  double worst = 0.0;  ///< violation of a joint, in any step
  RunOutcome outcome;
  std::string integrator;
};

Closure run_closed(LoadedModel& loaded, const std::string& integrator, double end_time,
                   double step = 0.0) {
  loaded.model.run.integrator.text = integrator;
  loaded.model.run.end_time = end_time;
  loaded.model.run.step = step;
  const RunPlan plan = plan_of(loaded);
  Closure closure;
  closure.integrator = plan.integrator;
  Vector g;
  closure.outcome = run_mechanism(
      *loaded.mechanism, assemble_start(*loaded.mechanism), plan, {}, [&](const Moment& moment) {
        moment.system.constraint(moment.state, g);
        const int joints = moment.system.sizes().joints();
        if (joints > 0) closure.worst = std::max(closure.worst, max_abs(Vector(g.head(joints))));
        return true;
      });
  return closure;
}

/// Rods in a row from the ground, some of them closed to a loop, with balls at their ends that meet
/// discs and a floor.
std::string random_mechanism(unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](double a, double b) {
    return a + (b - a) * static_cast<double>(random()) / static_cast<double>(random.max());
  };
  const int rods = 1 + static_cast<int>(random() % 3), discs = 1 + static_cast<int>(random() % 4);
  std::string bodies, joints, balls;
  double x = 0.0, y = between(0.6, 1.2);
  for (int i = 0; i < rods; ++i) {
    const double length = between(0.1, 0.4), angle = between(-1.5, 1.5);
    const double c = std::cos(angle), s = std::sin(angle);
    bodies += fmt::format(
        "  rod{0}: {{mass: {1}, shape: {{type: rod, length: {2}}}, at: [{3}, {4}], angle: {5}, "
        "spin: {6}, markers: {{a: {{at: [-{2}/2, 0]}}, b: {{at: [{2}/2, 0]}}}}}}\n",
        i, between(0.5, 3.0), length, x + 0.5 * length * c, y + 0.5 * length * s, angle,
        i == 0 ? between(-3.0, 3.0) : 0.0);
    joints += i == 0 ? fmt::format(
                           "  pin0: {{type: revolute, between: [ground, rod0.a], at: [{}, "
                           "{}]}}\n",
                           x, y)
                     : fmt::format("  pin{0}: {{type: revolute, between: [rod{1}.b, rod{0}.a]}}\n",
                                   i, i - 1);
    balls += fmt::format("      - {{at: rod{}.b, radius: {}}}\n", i, between(0.01, 0.04));
    x += length * c;
    y += length * s;
  }
  for (int i = 0; i < discs; ++i) {
    const double radius = between(0.03, 0.08);
    bodies += fmt::format(
        "  disc{0}: {{shape: {{type: cylinder, radius: {1}, length: 0.1}}, density: 1000, at: "
        "[{2}, "
        "{3}], velocity: [{4}, 0]}}\n",
        i, radius, 1.2 + 0.2 * i, between(0.1, 1.0), between(-2.0, 0.0));
    balls += fmt::format("      - {{at: disc{}}}\n", i);
  }
  return fmt::format(
      "dimension: 2\ngravity: [0, -9.81]\nbodies:\n{}joints:\n{}collisions:\n  all:\n    balls:\n{}"
      "    planes:\n      - {{body: ground, normal: [0, 1]}}\n    friction: {}\n    restitution: "
      "{}\n",
      bodies, joints, balls, between(0.0, 0.6), between(0.0, 0.8));
}

TEST(Joints, StayClosedAmongCollisions) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    LoadedModel loaded = model_of(random_mechanism(seed));
    loaded.model.run.tolerance = 1e-4;
    const Closure closure = run_closed(loaded, "auto", 2.0);
    EXPECT_TRUE(closure.outcome.summary.ok()) << seed << ": " << closure.outcome.summary.message;
    // to 1e-12 of the positions, among which are turns of discs that roll away
    EXPECT_LE(closure.worst, 2e-12 * (1.0 + max_abs(closure.outcome.end.position))) << seed;
  }
}

// A rod that touches nothing, for a minute.
TEST(Joints, KeepTheLengthOfAPendulumBesideCollisions) {
  LoadedModel loaded = model_of(R"(dimension: 2
gravity: [0, -9.81]
bodies:
  rod: {mass: 2, shape: {type: rod, length: 0.2}, at: [0.1, 0]}
  ball: {mass: 1, shape: {type: sphere, radius: 0.05}, at: [5, 0.05]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
collisions:
  c:
    balls:
      - {at: ball}
    planes:
      - {body: ground, normal: [0, 1]}
)");
  const Closure closure = run_closed(loaded, "auto", 20.0);
  ASSERT_TRUE(closure.outcome.summary.ok()) << closure.outcome.summary.message;
  EXPECT_EQ(closure.integrator, "moreau_jean");
  EXPECT_LE(closure.worst, 1e-11);
  EXPECT_NEAR(loaded.mechanism->bodies().pose(1, closure.outcome.end.position).r.norm(), 0.1,
              1e-10);
}

// A chain whose middle hangs onto a floor of many contacts: more laws than events are looked for.
TEST(Joints, StayClosedAcrossManyContacts) {
  const std::string text = R"(dimension: 2
gravity: [0, -9.81]
parameters: {N: 24, L: 0.1}
bodies:
  rod[i]:
    for: {i: 1..N}
    mass: 0.1
    shape: {type: rod, length: L}
    at: [L*(i - 0.5), 0.2]
    markers: {a: {at: [-L/2, 0]}, b: {at: [L/2, 0]}}
joints:
  pin[i]: {for: {i: 2..N}, type: revolute, between: ["rod[i-1].b", "rod[i].a"]}
  wall: {type: revolute, between: [ground, "rod[1].a"], at: [0, 0.2]}
contacts:
  floor[i]: {for: {i: 1..N}, type: ball_on_plane, between: [ground, "rod[i].b"], radius: 0.005,
             friction: 0.3}
)";
  LoadedModel loaded = model_of(text);
  loaded.model.run.tolerance = 1e-3;
  const Closure closure = run_closed(loaded, "auto", 0.4);
  EXPECT_EQ(closure.integrator, "moreau_jean");
  EXPECT_TRUE(closure.outcome.summary.ok()) << closure.outcome.summary.message;
  EXPECT_LE(closure.worst, 1e-11);
}

TEST(Joints, StayClosedInAllMethodsOfMoreau) {
  for (const char* method : {"moreau_jean", "moreau_midpoint", "moreau_adaptive"}) {
    LoadedModel loaded = load_model(PICUS_SOURCE_DIR "/models/double_pendulum.yaml");
    loaded.model.run.tolerance = 1e-5;
    const Closure closure =
        run_closed(loaded, method, 2.0, method == std::string("moreau_adaptive") ? 0.0 : 1e-3);
    EXPECT_TRUE(closure.outcome.summary.ok()) << closure.outcome.summary.message;
    EXPECT_LE(closure.worst, 1e-11) << method;
  }
}

// The end of a motion with joints against one by an error-controlled method of order five.
double error_at(const char* model, const std::string& method, double step,
                const std::vector<std::pair<std::string, std::string>>& options = {}) {
  const auto end = [&](const std::string& integrator, double h, double tolerance) {
    LoadedModel loaded = load_model(std::string(PICUS_SOURCE_DIR "/models/") + model + ".yaml");
    RunPart run = loaded.model.run;
    run.integrator.text = integrator;
    run.step = h;
    run.tolerance = tolerance;
    run.end_time = 0.5;
    run.options.clear();
    RunPlan plan = plan_of(run, *loaded.mechanism);
    if (h > 0.0) plan.options = options;
    const RunOutcome outcome =
        run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan, {});
    EXPECT_TRUE(outcome.summary.ok()) << outcome.summary.message;
    return outcome.end;
  };
  const State exact = end("half_explicit", 0.0, 1e-12), found = end(method, step, 1e-6);
  return max_abs(Vector(exact.position - found.position)) +
         max_abs(Vector(exact.velocity - found.velocity));
}

TEST(MoreauJean, IsOfSecondOrderOnSmoothMotionsWithJoints) {
  for (const char* model : {"pendulum", "double_pendulum", "slider_crank", "spinning_top"}) {
    const double coarse = error_at(model, "moreau_jean", 2e-3);
    const double fine = error_at(model, "moreau_jean", 1e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.25) << model;
  }
}

// θ = 1 damps: first order.
TEST(MoreauJean, IsOfFirstOrderWhereItDamps) {
  const double coarse = error_at("pendulum", "moreau_jean", 2e-3, {{"theta", "1"}});
  const double fine = error_at("pendulum", "moreau_jean", 1e-3, {{"theta", "1"}});
  EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.25);
}

}  // namespace
}  // namespace picus::testing
