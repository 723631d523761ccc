// SPDX-License-Identifier: BSD-3-Clause
// What is recorded between the events of methods that stop at them: modes, forces, impulses and
// work at the times of samples, which lie anywhere in long steps.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/run.h"

namespace picus::testing {
namespace {

constexpr double kGravity = 9.81;
using Overrides = std::vector<std::string>;

// All samples of a run, by channel.
struct Samples {
  std::vector<double> time;
  std::map<std::string, std::vector<double>> channels;
  RunOutcome outcome;

  const std::vector<double>& operator[](const std::string& name) const { return channels.at(name); }
};

Samples sampled(const LoadedModel& loaded) {
  const Mechanism& mechanism = *loaded.mechanism;
  const RunPlan plan = plan_of(loaded);
  MechanismRecord record(mechanism);
  std::vector<std::string> names;
  for (const Quantity& quantity : record.quantities())
    for (const std::string& name : channel_names(quantity))
      names.push_back(name);
  Samples samples;
  samples.outcome = run_mechanism(mechanism, assemble_start(mechanism), plan, [&](const Sample& s) {
    const auto values = record.values(s);
    samples.time.push_back(s.state.time);
    for (std::size_t i = 0; i < names.size(); ++i)
      samples.channels[names[i]].push_back(values[i]);
  });
  EXPECT_TRUE(samples.outcome.summary.ok()) << samples.outcome.summary.message;
  return samples;
}

Samples sampled(const std::string& model, Overrides overrides) {
  overrides.insert(overrides.begin(), "run.step=0");
  return sampled(load_model(PICUS_SOURCE_DIR "/models/" + model + ".yaml", overrides));
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values)
    result = std::max(result, std::abs(value));
  return result;
}

// The first contact is at 0.44 s, and the last flights end before 6 s. Impulse and momentum agree
// at every sample, so that those of impacts come when these do.
TEST(EventSamples, TellModesForcesAndImpulsesOfABouncingBallAtTheirTimes) {
  for (const char* integrator : {"event_driven", "event_capturing"}) {
    const Samples run = sampled(
        "spinning_ball", {fmt::format("run.integrator={}", integrator), "run.tolerance=1e-6"});
    const double m = 0.2;
    const auto& gap = run["contacts.floor.gap"];
    const auto& mode = run["contacts.floor.mode"];
    const auto& force = run["contacts.floor.force"];
    const auto& friction = run["contacts.floor.friction_1"];
    const auto& impulse = run["contacts.floor.impulse"];
    const auto& vx = run["bodies.ball.velocity.x"];
    const auto& vy = run["bodies.ball.velocity.y"];
    double flights = 0.0, pushed_x = 0.0;
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      const double t = run.time[i];
      EXPECT_NEAR(impulse[i], m * (vy[i] - vy[0]) + m * kGravity * t, 1e-9) << integrator << t;
      if (gap[i] > 1e-6) {
        ++flights;
        EXPECT_EQ(mode[i], 0.0) << integrator << " " << t << " " << gap[i];
        EXPECT_EQ(force[i], 0.0) << integrator << " " << t;
        EXPECT_EQ(friction[i], 0.0) << integrator << " " << t;
      } else if (mode[i] != 0.0) {
        EXPECT_NEAR(force[i], m * kGravity, 1e-9) << integrator << " " << t;
      }
      pushed_x = std::max(pushed_x, std::abs(vx[i] - vx[0]));
    }
    EXPECT_GT(flights, 300) << integrator;
    EXPECT_NE(mode.back(), 0.0) << integrator;
    EXPECT_GT(pushed_x, 0.1) << integrator;  // friction has turned spin into speed
  }
}

// A load that changes within steps presses a sliding disc to the floor, until it sticks: the
// impulse is the integral of its reaction m g + P + Q sin(w t).
TEST(EventSamples, IntegrateReactionsThatChangeWithinLongSteps) {
  const LoadedModel loaded = load_model_text("test.yaml", R"(picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  disc: {mass: 2, inertia: [0.01], at: [0, 0.1], velocity: [3, 0]}
forces:
  load: {type: force, body: disc, force: [0, -30 - 20*sin(12*time)]}
contacts:
  floor: {type: ball_on_plane, between: [ground, disc], radius: 0.1, friction: 0.2}
run: {end_time: 1, integrator: auto, tolerance: 1e-5}
)");
  const Samples run = sampled(loaded);
  const double m = 2.0, weight = m * kGravity + 30.0;
  const auto& mode = run["contacts.floor.mode"];
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double t = run.time[i];
    EXPECT_NEAR(run["contacts.floor.force"][i], weight + 20.0 * std::sin(12.0 * t), 1e-9) << t;
    EXPECT_NEAR(run["contacts.floor.impulse"][i],
                weight * t + 20.0 / 12.0 * (1.0 - std::cos(12.0 * t)), 1e-4)
        << t;
    EXPECT_NE(mode[i], 0.0) << t;  // from the start on
  }
  EXPECT_EQ(mode.front(), 2.0);
  EXPECT_EQ(mode.back(), 1.0);
}

// With an error of 1e-7 gaps of closed contacts are below 2 µm.
TEST(EventSamples, ShowTheWoodpeckerClosedWhereItTouches) {
  const Samples run =
      sampled("woodpecker", {"run.integrator=auto", "run.tolerance=1e-7", "run.end_time=0.2"});
  for (const char* contact : {"beak", "lower", "upper"}) {
    const std::string name = fmt::format("contacts.{}.", contact);
    const auto& mode = run[name + "mode"];
    const auto& force = run[name + "force"];
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      if (mode[i] == 0.0)
        EXPECT_EQ(force[i], 0.0) << contact << " " << run.time[i];
      else
        EXPECT_LT(std::abs(run[name + "gap"][i]), 2e-6) << contact << " " << run.time[i];
      EXPECT_GE(force[i], -1e-6) << contact << " " << run.time[i];
      EXPECT_LE(std::abs(run[name + "friction_1"][i]), 0.3 * force[i] + 1e-6)
          << contact << " " << run.time[i];
    }
  }
}

// −∫ F·slip dt is what the energy has lost, at every sample and at every tolerance, to the accuracy
// of the motion.
TEST(EventSamples, IntegrateTheWorkOfDryFrictionOverLongSteps) {
  struct Case {
    const char* tolerance;
    double allowed;
  };
  for (const Case& c : {Case{"1e-3", 1e-2}, Case{"1e-5", 1e-4}, Case{"1e-8", 1e-7}}) {
    const Samples run =
        sampled("dry_friction_pendulum",
                {"run.integrator=auto", fmt::format("run.tolerance={}", c.tolerance)});
    const auto& energy = run["energy.total"];
    const auto& dissipated = run["friction.dry.dissipated"];
    for (std::size_t i = 0; i < run.time.size(); ++i)
      EXPECT_NEAR(dissipated[i], energy[0] - energy[i], c.allowed * energy[0])
          << c.tolerance << " " << run.time[i];
    EXPECT_GT(dissipated.back(), 0.98 * energy[0]);
  }
}

// Reactions within steps follow from positions and velocities.
TEST(EventSamples, HaveReactionsAsAccurateAsTheMotion) {
  struct Case {
    const char *model, *joint, *tolerance, *end, *interval;
  };
  for (const Case& c :
       {Case{"newtons_cradle", "joints.pin1.force.y", "1e-5", "1", "0.01"},
        Case{"clearance_slider_crank", "joints.guide.force.y", "1e-7", "0.02", "2e-4"}}) {
    const auto run = [&](const char* tolerance) {
      return sampled(c.model, {"run.integrator=auto", fmt::format("run.tolerance={}", tolerance),
                               fmt::format("run.end_time={}", c.end), "run.options={}",
                               "run.output_interval=" + std::string(c.interval)});
    };
    const Samples rough = run(c.tolerance), exact = run("1e-10");
    const auto &a = rough[c.joint], &b = exact[c.joint];
    ASSERT_EQ(a.size(), b.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
      worst = std::max(worst, std::abs(a[i] - b[i]));
    EXPECT_LT(worst, 5e-3 * largest(b)) << c.model;
  }
}

// Friction of a disc that slides and then rolls, and a ball that hits, as events of their own.
TEST(EventLog, TellsWhenContactsStickSlipAndOpen) {
  const LoadedModel loaded = load_model_text("test.yaml", R"(picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  disc: {mass: 2, inertia: [0.01], at: [0, 0.1], velocity: [3, 0]}
forces:
  lift: {type: force, body: disc, force: [0, 30*time]}
contacts:
  floor: {type: ball_on_plane, between: [ground, disc], radius: 0.1, friction: 0.4}
run: {end_time: 1, integrator: auto, tolerance: 1e-9}
)");
  const Samples run = sampled(loaded);
  // v - r w falls with (1 + m r²/J) μ (g - 15 t/2 …)
  const double mu = 0.4, factor = 1.0 + 2.0 * 0.01 / 0.01;
  const double a = 0.5 * factor * mu * 15.0, b = -factor * mu * kGravity;
  const double stick = (-b - std::sqrt(b * b - 4.0 * a * 3.0)) / (2.0 * a);
  const auto& events = run.outcome.events;
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, "stick");
  EXPECT_EQ(events[0].text, "floor");
  EXPECT_NEAR(events[0].time, stick, 1e-7);
  EXPECT_EQ(events[1].kind, "opens");
  EXPECT_NEAR(events[1].time, 2.0 * kGravity / 30.0, 1e-7);
  EXPECT_EQ(run.outcome.impacts, 0);
}

// At the start it is held, whatever the method.
TEST(EventLog, ContactsAtRestAreClosedFromTheStartAndHaveNoImpacts) {
  for (const char* integrator : {"event_driven", "moreau_jean", "nonsmooth_pva"}) {
    const LoadedModel loaded = load_model_text("test.yaml", fmt::format(R"(picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  disc: {{mass: 2, inertia: [0.01], at: [0, 0.1]}}
contacts:
  floor: {{type: ball_on_plane, between: [ground, disc], radius: 0.1, friction: 0.4}}
run: {{end_time: 0.1, integrator: {}, step: 1e-3}}
)",
                                                                        integrator));
    const Samples run = sampled(loaded);
    for (const double mode : run["contacts.floor.mode"])
      EXPECT_EQ(mode, 1.0) << integrator;
    EXPECT_NEAR(run["contacts.floor.force"].front(), 2.0 * kGravity, 1e-9) << integrator;
    EXPECT_EQ(run.outcome.impacts, 0) << integrator;
  }
}

// What is left of an approach that was brought to rest is no impact.
TEST(EventLog, HasNoImpactsAtTheSpeedOfRounding) {
  const Samples run = sampled("woodpecker", {"run.integrator=extrapolation", "run.tolerance=1e-5",
                                             "run.options={h_min: 1e-11}", "run.end_time=0.125"});
  for (const Event& event : run.outcome.events)
    if (const auto impact = impact_of(event)) {
      EXPECT_LT(impact->before, -1e-9) << impact->contact << " " << event.time;
    }
}

}  // namespace
}  // namespace picus::testing
