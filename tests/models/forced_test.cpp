// SPDX-License-Identifier: BSD-3-Clause
// Formulas of time against friction, floors and brakes: whatever they do while nothing moves, a run
// by any method sees it. Referee: the same law for one coordinate, in very small steps.
#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

using Function = std::function<double(double)>;

// Of a mass under a force and dry friction: where it is at the end.
double slid(double mass, double velocity, const Function& force, const Function& limit,
            double end) {
  const int steps = static_cast<int>(end / 2e-5);
  const double h = end / steps;
  double x = 0.0, v = velocity;
  for (int i = 0; i < steps; ++i) {
    const double t = (i + 0.5) * h, before = v;
    const double free = v + h * force(t) / mass, most = h * std::max(0.0, limit(t)) / mass;
    v = free > most ? free - most : free < -most ? free + most : 0.0;
    x += 0.5 * h * (before + v);
  }
  return x;
}

// Of a mass on a floor that is lifted by a force against its weight, and falls without a bounce:
// its largest height.
double lifted(double mass, const Function& force, double end) {
  const int steps = static_cast<int>(end / 2e-5);
  const double h = end / steps;
  double x = 0.0, v = 0.0, highest = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double before = v;
    v += h * (force((i + 0.5) * h) / mass - kG);
    x += 0.5 * h * (before + v);
    if (x <= 0.0) x = 0.0, v = std::max(0.0, v);
    highest = std::max(highest, x);
  }
  return highest;
}

struct Forced {
  const char* text;
  Function value;
  double end;
  const char* name;
};

void PrintTo(const Forced& it, std::ostream* out) {
  *out << it.name;
}

double power(double x, int n) {
  return std::pow(x, n);
}

// 2 kg on a floor with μ = 0.4: friction holds 7.848 N.
const std::vector<Forced>& pushes() {
  static const std::vector<Forced> all{
      {"20*sin(2*time)", [](double t) { return 20.0 * std::sin(2.0 * t); }, 10.2, "Sine"},
      {"10*sin(0.3*time)", [](double t) { return 10.0 * std::sin(0.3 * t); }, 10.2, "SlowSine"},
      {"3*time", [](double t) { return 3.0 * t; }, 4.0, "Ramp"},
      {"time^3", [](double t) { return t * t * t; }, 3.0, "Cubic"},
      {"12*sin(3*time)^9", [](double t) { return 12.0 * power(std::sin(3.0 * t), 9); }, 5.0,
       "Power9"},
      {"30*sin(0.7*time)^99", [](double t) { return 30.0 * power(std::sin(0.7 * t), 99); }, 4.0,
       "Power99"},
      {"40*sin(2*time)*sin(3*time)*sin(5*time)*cos(7*time)",
       [](double t) {
         return 40.0 * std::sin(2.0 * t) * std::sin(3.0 * t) * std::sin(5.0 * t) *
                std::cos(7.0 * t);
       },
       4.0, "Product"},
      {"30*exp(-(time - 5)^2/0.01)",
       [](double t) { return 30.0 * std::exp(-(t - 5.0) * (t - 5.0) / 0.01); }, 6.0, "Bell"},
      {"3000*max(0, sin(0.9*time) - 0.99)",
       [](double t) { return 3000.0 * std::max(0.0, std::sin(0.9 * t) - 0.99); }, 3.0, "Window"},
      {"30/(1 + ((time - 4.3)/0.02)^2)",
       [](double t) { return 30.0 / (1.0 + power((t - 4.3) / 0.02, 2)); }, 6.0, "Resonance"},
      {"if(sin(0.9*time) > 0.999, 30, 0)",
       [](double t) { return std::sin(0.9 * t) > 0.999 ? 30.0 : 0.0; }, 3.0, "Condition"},
  };
  return all;
}

std::string corners(const std::string& force, double end) {
  std::string text = fmt::format(R"model(
picus: 1
gravity: [0, 0, -9.81]
bodies:
  box:
    mass: 2
    inertia: [0.03, 0.03, 0.05]
    at: [0, 0, 0.1]
    markers: {{c1: {{at: [0.2, 0.2, -0.1]}}, c2: {{at: [0.2, -0.2, -0.1]}}, c3: {{at: [-0.2, 0.2, -0.1]}}, c4: {{at: [-0.2, -0.2, -0.1]}}}}
forces:
  push: {{type: force, body: box, force: {}}}
run: {{end_time: {}}}
contacts:
)model",
                                 force, end);
  for (int i = 1; i <= 4; ++i)
    text += fmt::format(
        "  f{}: {{type: ball_on_plane, between: [ground, box.c{}], radius: 0, friction: 0.4}}\n", i,
        i);
  return text;
}

std::string point(const std::string& force, double end) {
  return fmt::format(R"model(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies: {{box: {{mass: 2, type: point}}}}
contacts:
  floor: {{type: ball_on_plane, between: [ground, box], radius: 0, friction: 0.4}}
forces:
  push: {{type: force, body: box, force: {}}}
run: {{end_time: {}}}
)model",
                     force, end);
}

class Pushed : public ::testing::TestWithParam<Forced> {
 protected:
  double expected() const {
    const Forced& push = GetParam();
    return slid(
        2.0, 0.0, push.value, [](double) { return 0.8 * kG; }, push.end);
  }
};

// What the referee leaves in a run of 10 s.
constexpr double kReferee = 1e-4;

// Methods that step across events: errors of some steps, of the way it goes.
TEST_P(Pushed, BoxOnFourCornersSlidesAsFar) {
  const Forced& push = GetParam();
  for (const double tolerance : {1e-3, 1e-5}) {
    SCOPED_TRACE(tolerance);
    const ModelRun run =
        ModelRun::of_text(corners(fmt::format("[\"{}\", 0, 0]", push.text), push.end),
                          {fmt::format("run.tolerance={}", tolerance)});
    const double way = 0.2 + std::abs(expected());
    EXPECT_NEAR(run("bodies.box.position.x"), expected(), 30.0 * tolerance * way + kReferee);
  }
}

TEST_P(Pushed, PointSlidesAsFar) {
  const Forced& push = GetParam();
  for (const double tolerance : {1e-3, 1e-5, 1e-8}) {
    SCOPED_TRACE(tolerance);
    const ModelRun run = ModelRun::of_text(point(fmt::format("[\"{}\", 0]", push.text), push.end),
                                           {fmt::format("run.tolerance={}", tolerance)});
    const double way = 0.2 + std::abs(expected());
    EXPECT_NEAR(run("bodies.box.position.x"), expected(), 10.0 * tolerance * way + kReferee);
  }
}

INSTANTIATE_TEST_SUITE_P(By, Pushed, ::testing::ValuesIn(pushes()),
                         [](const auto& push) { return std::string(push.param.name); });

// --- floors that would have to pull --------------------------------------------------------------

const std::vector<Forced>& lifts() {
  static const std::vector<Forced> all{
      {"25*sin(2*time)", [](double t) { return 25.0 * std::sin(2.0 * t); }, 1.4, "Sine"},
      {"22*sin(0.6*time)", [](double t) { return 22.0 * std::sin(0.6 * t); }, 2.6, "SlowSine"},
      {"8*time", [](double t) { return 8.0 * t; }, 3.0, "Ramp"},
      {"60*sin(0.9*time)^49", [](double t) { return 60.0 * power(std::sin(0.9 * t), 49); }, 1.8,
       "Power49"},
      {"80*exp(-(time - 2)^2/0.01)",
       [](double t) { return 80.0 * std::exp(-(t - 2.0) * (t - 2.0) / 0.01); }, 2.3, "Bell"},
  };
  return all;
}

class Lifted : public ::testing::TestWithParam<Forced> {};

TEST_P(Lifted, BoxAndPointLeaveTheFloor) {
  const Forced& lift = GetParam();
  const double expected = lifted(2.0, lift.value, lift.end);
  for (const double tolerance : {1e-3, 1e-5})
    for (const bool in_space : {true, false}) {
      SCOPED_TRACE(fmt::format("{} {}", in_space ? "box" : "point", tolerance));
      double highest = 0.0;
      const auto visit = [&](const ModelRun& now) {
        highest = std::max(
            highest, in_space ? now("bodies.box.position.z") - 0.1 : now("bodies.box.position.y"));
      };
      if (in_space)
        (void)ModelRun::of_text(corners(fmt::format("[0, 0, \"{}\"]", lift.text), lift.end),
                                {fmt::format("run.tolerance={}", tolerance)}, visit);
      else
        (void)ModelRun::of_text(point(fmt::format("[0, \"{}\"]", lift.text), lift.end),
                                {fmt::format("run.tolerance={}", tolerance)}, visit);
      EXPECT_NEAR(highest, expected, 30.0 * tolerance * (0.2 + expected) + kReferee);
    }
}

INSTANTIATE_TEST_SUITE_P(By, Lifted, ::testing::ValuesIn(lifts()),
                         [](const auto& lift) { return std::string(lift.param.name); });

// --- brakes whose limit begins at zero
// ------------------------------------------------------------

struct Brake {
  const char* name;
  double velocity;
  const char *limit, *force;
  Function limit_value, force_value;
};

void PrintTo(const Brake& it, std::ostream* out) {
  *out << it.name;
}

const std::vector<Brake>& brakes() {
  const auto grows = [](double t) { return 2.0 * t; };
  const auto nothing = [](double) { return 0.0; };
  static const std::vector<Brake> all{
      {"Moving", 1.0, "2*time", "0", grows, nothing},
      {"MovingBack", -1.0, "2*time", "0.5", grows, [](double) { return 0.5; }},
      {"AtRest", 0.0, "2*time", "0", grows, nothing},
      {"Pushed", 0.0, "2*time", "1", grows, [](double) { return 1.0; }},
      {"PushedBack", 0.0, "2*time", "-1", grows, [](double) { return -1.0; }},
      {"PushedMoreAndMore", 0.0, "2*time", "4*sin(time)", grows,
       [](double t) { return 4.0 * std::sin(t); }},
      {"PushedBackMoreAndMore", 0.0, "2*time", "-4*sin(time)", grows,
       [](double t) { return -4.0 * std::sin(t); }},
      {"PushedLess", 0.0, "2*time", "sin(time)", grows, [](double t) { return std::sin(t); }},
      {"SlowAtFirst", 1.0, "time^2", "0", [](double t) { return t * t; }, nothing},
      {"Late", 0.0, "max(0, 5*(time - 1))", "2*time",
       [](double t) { return std::max(0.0, 5.0 * (t - 1.0)); }, [](double t) { return 2.0 * t; }},
      {"Never", 0.0, "0", "2*time", nothing, [](double t) { return 2.0 * t; }},
      {"AgainAndAgain", 1.0, "5*sin(2*time)^2", "2",
       [](double t) { return 5.0 * power(std::sin(2.0 * t), 2); }, [](double) { return 2.0; }},
  };
  return all;
}

class GrowingLimit : public ::testing::TestWithParam<Brake> {};

TEST_P(GrowingLimit, BrakesInEveryMethodThatKnowsFriction) {
  const Brake& brake = GetParam();
  const double expected = slid(3.0, brake.velocity, brake.force_value, brake.limit_value, 3.0);
  const std::string text = fmt::format(R"model(
picus: 1
dimension: 2
bodies: {{sled: {{mass: 3, inertia: [0.1], velocity: [{}, 0]}}}}
joints: {{rail: {{type: prismatic, between: [ground, sled]}}}}
contacts: {{shoe: {{type: friction, joint: rail, limit: "{}"}}}}
forces: {{push: {{type: force, body: sled, force: ["{}", 0]}}}}
run: {{end_time: 3}}
)model",
                                       brake.velocity, brake.limit, brake.force);
  for (const char* method : {"event_driven", "event_capturing"})
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      SCOPED_TRACE(fmt::format("{} {}", method, tolerance));
      const ModelRun run = ModelRun::of_text(text, {fmt::format("run.integrator={}", method),
                                                    fmt::format("run.tolerance={}", tolerance)});
      EXPECT_NEAR(run("bodies.sled.position.x"), expected, 100.0 * std::max(tolerance, 1e-7));
    }
  for (const char* method : {"moreau_jean", "nonsmooth_pva"}) {
    SCOPED_TRACE(method);
    const ModelRun run =
        ModelRun::of_text(text, {fmt::format("run.integrator={}", method), "run.step=1e-3"});
    EXPECT_NEAR(run("bodies.sled.position.x"), expected, 3e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(By, GrowingLimit, ::testing::ValuesIn(brakes()),
                         [](const auto& brake) { return std::string(brake.param.name); });

}  // namespace
}  // namespace picus::testing
