// SPDX-License-Identifier: BSD-3-Clause
// One law of impact for all methods: Newton's, for all contacts that are closed when one of them is
// struck, whether a force holds them together or not.
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing::impact_law {
namespace {

// Every method that steps across impacts, and one that is no method of the nonsmooth kind.
struct Method {
  const char* name;
  std::vector<std::string> settings;
};

std::vector<Method> methods() {
  std::vector<Method> all;
  for (const char* name :
       {"moreau_jean", "moreau_midpoint", "schatzman_paoli", "nonsmooth_pva", "nonsmooth_pvv"})
    for (const char* step : {"1e-3", "1.37e-3"})
      all.push_back({name, {fmt::format("run.step={}", step)}});
  for (const char* name : {"event_driven", "event_capturing", "moreau_adaptive"})
    for (const char* tolerance : {"1e-3", "1e-6", "1e-10"})
      all.push_back({name, {"run.step=0", fmt::format("run.tolerance={}", tolerance)}});
  all.push_back({"extrapolation", {"run.step=0", "run.tolerance=1e-6"}});
  return all;
}

ModelRun run_by(const Method& method, const std::string& text,
                std::vector<std::string> overrides = {}) {
  overrides.push_back(fmt::format("run.integrator={}", method.name));
  overrides.insert(overrides.end(), method.settings.begin(), method.settings.end());
  return ModelRun::of_text(text, overrides);
}

// Balls in a row, which touch but for the first: it comes with 1 m/s.
std::string row_of_balls(const char* body, const char* joints, int dimension) {
  const char* rest = dimension == 2 ? "0" : "0, 0";
  return fmt::format(R"yaml(
picus: 1
dimension: {}
parameters: {{N: 3, r: 0.05, e: 1, apart: 0, way: 0.03137, grows: 0}}
bodies:
  b[i]:
    for: {{i: 1..N}}
    {}
    mass: 1 + grows*(i - 1)
    at: ["(i - 1)*(2*r + apart) - if(i == 1, way, 0)", {}]
    velocity: ["if(i == 1, 1, 0)", {}]
{}
contacts:
  c[i]:
    for: {{i: 2..N}}
    type: ball_on_ball
    between: ["b[i-1]", "b[i]"]
    radius: r
    other_radius: r
    restitution: e
run: {{end_time: 0.06}}
)yaml",
                     dimension, body, rest, rest, joints);
}

// All contacts act: the first has ġ⁺ = e v, the others have no rate before and none behind.
void expect_newton(const Method& method, const std::string& text, int count, double e,
                   double grows) {
  const ModelRun run =
      run_by(method, text,
             {fmt::format("N={}", count), fmt::format("e={}", e), fmt::format("grows={}", grows)});
  double mass = 0.0;
  for (int i = 0; i < count; ++i)
    mass += 1.0 + grows * i;
  const double others = (1.0 + e) / mass;
  for (int i = 1; i <= count; ++i)
    EXPECT_NEAR(run(fmt::format("bodies.b{}.velocity.x", i)), i == 1 ? others - e : others, 2e-8)
        << method.name << " " << method.settings.back() << " ball " << i << " of " << count
        << ", e " << e << ", masses by " << grows;
}

TEST(ImpactOnARow, IsNewtonsForAllContactsThatTouchInThePlane) {
  const std::string text = row_of_balls("type: point", "", 2);
  for (const Method& method : methods()) {
    expect_newton(method, text, 3, 1.0, 0.0);
    expect_newton(method, text, 3, 0.3, 1.0);
    expect_newton(method, text, 5, 0.8, -0.2);
  }
}

TEST(ImpactOnARow, IsNewtonsForAllContactsThatTouchInSpace) {
  const std::string text = row_of_balls("type: point", "", 3);
  for (const Method& method : methods())
    expect_newton(method, text, 4, 0.9, 0.5);
}

TEST(ImpactOnARow, IsNewtonsForAllContactsThatTouchOnARail) {
  const std::string text = row_of_balls("inertia: 0.01", R"(
joints:
  rail[i]: {for: {i: 1..N}, type: prismatic, between: [ground, "b[i]"], axis: [1, 0]}
)",
                                        2);
  for (const Method& method : methods())
    expect_newton(method, text, 4, 1.0, 0.5);
}

// Gaps and their signs at rounding make no difference.
TEST(ImpactOnARow, DoesNotMindTheRoundingOfGaps) {
  const std::string text = row_of_balls("type: point", "", 2);
  for (const char* apart : {"1e-16", "-1e-16", "2e-14", "-2e-14"})
    for (const char* name : {"event_driven", "event_capturing", "moreau_jean", "nonsmooth_pva"}) {
      const Method method{name, {"run.step=1e-3"}};
      const ModelRun run = run_by(method, text, {fmt::format("apart={}", apart)});
      EXPECT_NEAR(run("bodies.b1.velocity.x"), -1.0 / 3.0, 1e-8) << name << " " << apart;
      EXPECT_NEAR(run("bodies.b3.velocity.x"), 2.0 / 3.0, 1e-8) << name << " " << apart;
    }
}

// Balls that are apart hand the speed on, whatever the method, when steps can tell.
TEST(ImpactOnARow, RunsThroughBallsThatAreApart) {
  const std::string text = row_of_balls("type: point", "", 2);
  for (const Method& method : methods()) {
    if (std::string_view(method.name) == "extrapolation") continue;
    const ModelRun run = run_by(method, text, {"apart=5e-3"});
    for (int i = 1; i <= 3; ++i)
      EXPECT_NEAR(run(fmt::format("bodies.b{}.velocity.x", i)), i == 3 ? 1.0 : 0.0, 1e-6)
          << method.name << " " << method.settings.back() << " " << i;
  }
  for (const char* apart : {"1e-9", "1e-6", "1e-4"})
    for (const char* name : {"event_driven", "event_capturing"})
      EXPECT_NEAR(run_by({name, {"run.step=0", "run.tolerance=1e-9"}}, text,
                         {fmt::format("apart={}", apart)})("bodies.b3.velocity.x"),
                  1.0, 1e-9)
          << name << " " << apart;
}

// The sequential answer is had by its name, for balls that touch as for balls that hardly do not.
TEST(ImpactOnARow, RunsThroughBallsThatTouchWhereThatIsAskedFor) {
  const std::string text = row_of_balls("type: point", "", 2);
  for (const char* name : {"event_driven", "event_capturing"}) {
    const Method method{name,
                        {"run.step=0", "run.tolerance=1e-9", "run.options={impact: sequential}"}};
    for (const int count : {3, 5}) {
      const ModelRun run = run_by(method, text, {fmt::format("N={}", count)});
      for (int i = 1; i <= count; ++i)
        EXPECT_NEAR(run(fmt::format("bodies.b{}.velocity.x", i)), i == count ? 1.0 : 0.0, 1e-9)
            << name << " " << i;
      EXPECT_EQ(run.outcome().impacts, count - 1) << name;
    }
    const std::vector<std::string> lossy{"e=0.6", "grows=0.5"};
    const ModelRun touching = run_by(method, text, lossy);
    const Method simultaneous{name, {"run.step=0", "run.tolerance=1e-9", "apart=1e-8"}};
    const ModelRun apart = run_by(simultaneous, text, lossy);
    for (int i = 1; i <= 3; ++i) {
      const std::string velocity = fmt::format("bodies.b{}.velocity.x", i);
      EXPECT_NEAR(touching(velocity), apart(velocity), 1e-7) << name << " " << i;
    }
  }
}

TEST(ImpactOnARow, IsNotSequentialByMethodsThatCannotBe) {
  const std::string text = row_of_balls("type: point", "", 2);
  const std::vector<std::string> overrides{"run.integrator=moreau_jean",
                                           "run.options={impact: sequential}"};
  const LoadedModel loaded = load_model_text("test.yaml", text, overrides);
  EXPECT_THROW(plan_of(loaded), InputError);
}

// A row that moves as one against a wall comes back as one: the balls touch without a force.
TEST(ImpactOnARow, TurnsARowThatFlies) {
  const std::string text = R"(
picus: 1
dimension: 2
parameters: {N: 4, r: 0.05, e: 0.7}
bodies:
  b[i]: {for: {i: 1..N}, type: point, mass: i, at: [-0.0317 - (2*i - 1)*r, 0], velocity: [1, 0]}
markers:
  wall: {at: [0, 0]}
contacts:
  w: {type: ball_on_plane, between: [wall, b1], normal: [-1, 0], radius: r, restitution: e}
  c[i]:
    for: {i: 2..N}
    type: ball_on_ball
    between: ["b[i-1]", "b[i]"]
    radius: r
    other_radius: r
    restitution: e
run: {end_time: 0.06}
)";
  for (const Method& method : methods())
    for (const ModelRun run = run_by(method, text); const int i : {1, 2, 3, 4})
      EXPECT_NEAR(run(fmt::format("bodies.b{}.velocity.x", i)), -0.7, 1e-7)
          << method.name << " " << method.settings.back() << " " << i;
}

// A box without weight that turns about one lower edge strikes the floor with the other. The edge
// that touches is pushed down where 2 b² > c² (half width, half height) and stays; else it rises.
TEST(ImpactOfABox, InvolvesTheEdgeThatTouches) {
  const double e = 0.5, turn = 2.0, m = 3.0;
  for (const auto& [b, c] : {std::pair{0.2, 0.1}, {0.2, 0.25}, {0.1, 0.3}, {0.1, 0.2}}) {
    const double J = m * (b * b + c * c) / 3.0;
    const double own = 1.0 / m + b * b / J, other = 1.0 / m - b * b / J;
    const double struck = 2.0 * b * turn * e;
    const double held = other < 0.0 ? 0.0 : other / own * (1.0 + e) * 2.0 * b * turn;
    for (const int dimension : {2, 3}) {
      const bool planar = dimension == 2;
      std::string corners, contacts;
      for (int k = 0; k < (planar ? 2 : 4); ++k) {
        const double x = k & 1 ? b : -b, y = k & 2 ? 0.1 : -0.1;
        corners += planar ? fmt::format("c{}: {{at: [{}, {}]}}, ", k, x, -c)
                          : fmt::format("c{}: {{at: [{}, {}, {}]}}, ", k, x, y, -c);
        contacts += fmt::format(
            "  k{}: {{type: ball_on_plane, between: [ground, box.c{}], restitution: {}}}\n", k, k,
            e);
      }
      const std::string text = fmt::format(
          R"(
picus: 1
dimension: {}
bodies:
  box:
    mass: {}
    {}
    markers: {{{}}}
contacts:
{}run: {{end_time: 0.001}}
)",
          dimension, m,
          planar ? fmt::format("inertia: {}\n    at: [0, {}]\n    velocity: [{}, {}]\n    "
                               "angular_velocity: [0, 0, {}]",
                               J, c, turn * c, -turn * b, -turn)
                 : fmt::format("inertia: [1, {}, 1]\n    at: [0, 0, {}]\n    velocity: [{}, 0, "
                               "{}]\n    angular_velocity: [0, {}, 0]",
                               J, c, turn * c, -turn * b, turn),
          corners.substr(0, corners.size() - 2), contacts);
      // moreau_midpoint looks at gaps in the middle of the step, where this edge has risen
      for (const char* name :
           {"event_driven", "event_capturing", "moreau_jean", "nonsmooth_pva", "nonsmooth_pvv"}) {
        const ModelRun run = run_by({name, {"run.step=1e-5"}}, text);
        const double rise = run(planar ? "bodies.box.velocity.y" : "bodies.box.velocity.z");
        const double spin =
            planar ? -run("bodies.box.angular_velocity.z") : run("bodies.box.angular_velocity.y");
        // corners turn by 2e-3 rad at most, and with them the arms
        const double slack = 5e-3 * turn * (b + c);
        EXPECT_NEAR(rise - b * spin, struck, slack) << name << " " << dimension << " " << b;
        EXPECT_NEAR(rise + b * spin, held, slack) << name << " " << dimension << " " << b;
      }
    }
  }
}

// Two balls that touch fly on together after an impact, without force, and both take part in the
// next one a hundred steps later: 2u + w = 2v, w - u = e v.
TEST(ImpactOnARow, BallsThatFlyTogetherTakePartInTheNextImpact) {
  for (const Method& method : methods()) {
    const std::string_view name = method.name;
    if (name == "schatzman_paoli") continue;  // its laws are of positions
    if (name == "extrapolation") continue;    // says that it does not get past the second impact
    for (const double e : {0.0, 0.6, 1.0}) {
      const std::string text = fmt::format(R"(
picus: 1
dimension: 2
bodies:
  a: {{type: point, mass: 1, at: [-0.13137, 0], velocity: [1, 0]}}
  b: {{type: point, mass: 1, at: [0, 0]}}
  c: {{type: point, mass: 1, at: [0.1, 0]}}
  d: {{type: point, mass: 1, at: [0.251731, 0]}}
contacts:
  ab: {{type: ball_on_ball, between: [a, b], radius: 0.05, other_radius: 0.05, restitution: {0}}}
  bc: {{type: ball_on_ball, between: [b, c], radius: 0.05, other_radius: 0.05, restitution: 0.7}}
  cd: {{type: ball_on_ball, between: [c, d], radius: 0.05, other_radius: 0.05, restitution: {0}}}
run: {{end_time: 0.25}}
)",
                                           e);
      const double v = (1.0 + e) / 3.0, u = v * (2.0 - e) / 3.0;
      const ModelRun run = run_by(method, text);
      if (e == 0.0) {  // all four fly on together
        for (const char* ball : {"a", "b", "c", "d"})
          EXPECT_NEAR(run(fmt::format("bodies.{}.velocity.x", ball)), 0.25, 1e-7)
              << method.name << " " << method.settings.back();
        continue;
      }
      EXPECT_NEAR(run("bodies.b.velocity.x"), u, 1e-7)
          << method.name << " " << method.settings.back() << ", e " << e;
      EXPECT_NEAR(run("bodies.c.velocity.x"), u, 1e-7)
          << method.name << " " << method.settings.back() << ", e " << e;
      EXPECT_NEAR(run("bodies.d.velocity.x"), u + e * v, 1e-7)
          << method.name << " " << method.settings.back() << ", e " << e;
    }
  }
}

}  // namespace
}  // namespace picus::testing::impact_law
