// SPDX-License-Identifier: BSD-3-Clause
// Where the constant step of a method without error control comes from: from what the mechanism
// does in a second, and not from how long it is watched.
#include "picus/runs/step_scale.h"

#include <cmath>

#include <gtest/gtest.h>

#include "picus/base/error.h"
#include "tests/runs/models.h"

namespace picus::testing {
namespace {

RunPlan plan_for(const LoadedModel& loaded, double end_time, double tolerance,
                 const std::string& integrator = "auto") {
  RunPart run = loaded.model.run;
  run.end_time = end_time;
  run.tolerance = tolerance;
  run.step = 0.0;
  run.integrator.text = integrator;
  run.options.clear();
  return plan_of(run, *loaded.mechanism);
}

// Dominoes and discs of a given size in a row, all lengths in proportion.
LoadedModel row_of(double size) {
  return model_of("dimension: 2\nparameters: {r: " + std::to_string(size) + R"(}
gravity: [0, -9.81]
bodies:
  disc[i]:
    for: {i: 1..5}
    shape: {type: cylinder, radius: r, length: r}
    density: 1000
    at: [3*r*i, r*(1.1 + i)]
collisions:
  row:
    balls:
      - {for: {i: 1..5}, at: "disc[i]"}
    planes:
      - {body: ground, normal: [0, 1]}
    friction: 0.3
)");
}

const char* const kOscillator = R"(
dimension: 2
parameters: {k: 400, w: 2.5}
bodies:
  cart: {mass: 1, inertia: 1, at: [0.1, 0]}
joints:
  rail: {type: prismatic, between: [ground, cart], at: [0, 0], axis: [1, 0]}
forces:
  spring: {type: force, body: cart, force: [-k*cart.x + sin(w*time), 0]
}
)";

TEST(ConstantStep, IsTheSameForAnyEndTime) {
  const LoadedModel discs = row_of(0.02);
  const LoadedModel oscillator = model_of(kOscillator);
  const LoadedModel rod = pendulum("0");
  const std::pair<const LoadedModel*, const char*> runs[] = {{&discs, "auto"},
                                                             {&discs, "nonsmooth_pva"},
                                                             {&oscillator, "ggl"},
                                                             {&oscillator, "moreau_jean"},
                                                             {&rod, "index3"}};
  for (const auto& [model, method] : runs) {
    for (const double tolerance : {1e-3, 1e-5, 1e-6}) {
      const RunPlan short_run = plan_for(*model, 30.0, tolerance, method);
      ASSERT_FALSE(short_run.adaptive) << method;
      EXPECT_GT(short_run.step, 0.0);
      for (const double end_time : {60.0, 100.0, 200.0})
        EXPECT_EQ(plan_for(*model, end_time, tolerance, method).step, short_run.step) << method;
      // a run that is over soon has steps all the same
      EXPECT_LE(plan_for(*model, 1e-4, tolerance, method).step, 1e-6) << method;
      EXPECT_NE(short_run.reason.find("/s (--step sets another)"), std::string::npos)
          << short_run.reason;
    }
  }
}

// From millimetres to kilometres: times go like the root of lengths where bodies fall.
TEST(ConstantStep, GoesLikeTheRootOfSizesThatFall) {
  const double step = plan_for(row_of(1.0), 1000.0, 1e-5).step;
  for (const double size : {1e-3, 1e-2, 10.0, 1000.0})
    EXPECT_NEAR(plan_for(row_of(size), 1000.0 * std::sqrt(size), 1e-5).step / std::sqrt(size), step,
                1e-4 * step)
        << size;
}

TEST(ConstantStep, FollowsTheFastestOfForcesDrivesAndMotion) {
  const auto step = [](const std::string& set) {
    LoadedModel loaded = load_model_text("test.yaml", std::string("picus: 1\n") + kOscillator,
                                         std::vector<std::string>{set});
    return plan_for(loaded, 100.0, 1e-6, "ggl");
  };
  const double slow = step("k=400").step;
  EXPECT_NEAR(step("k=40000").step, 0.1 * slow, 0.01 * slow);  // ten times the frequency
  const RunPlan driven = step("w=300");
  EXPECT_NEAR(driven.step, std::cbrt(1e-6) / 300.0, 1e-9);
  EXPECT_NE(driven.reason.find("formulas of time, 300/s"), std::string::npos) << driven.reason;
}

TEST(ConstantStep, GoesLikeTheRootOfTheToleranceByTheOrder) {
  const LoadedModel oscillator = model_of(kOscillator), discs = row_of(0.02);
  EXPECT_NEAR(plan_for(oscillator, 100.0, 1e-6, "ggl").step,
              10.0 * plan_for(oscillator, 100.0, 1e-9, "ggl").step, 1e-9);
  EXPECT_NEAR(plan_for(discs, 100.0, 1e-5).step, 10.0 * plan_for(discs, 100.0, 1e-7).step, 1e-9);
}

// x = 0.1 cos 20t, to the tolerance times the number of steps that add up, and not much better.
TEST(ConstantStep, LeavesErrorsOfTheOrderOfTheToleranceInAStep) {
  const char* text = R"(
dimension: 2
bodies:
  cart: {mass: 1, inertia: 1, at: [0.1, 0]}
joints:
  rail: {type: prismatic, between: [ground, cart], at: [0, 0], axis: [1, 0]}
forces:
  spring: {type: force, body: cart, force: [-400*cart.x, 0]}
)";
  for (const char* method : {"ggl", "index3", "moreau_jean", "nonsmooth_pva"}) {
    for (const double tolerance : {1e-4, 1e-6}) {
      LoadedModel loaded = model_of(text);
      const RunPlan plan = plan_for(loaded, 1.0, tolerance, method);
      const RunOutcome outcome =
          run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan, {});
      ASSERT_TRUE(outcome.summary.ok()) << outcome.summary.message;
      const double error = std::abs(outcome.end.position(0) - 0.1 * std::cos(20.0)) / 0.1;
      EXPECT_LE(error, tolerance * static_cast<double>(outcome.summary.accepted)) << method;
    }
  }
}

// A pulse of some milliseconds at t = 0.5 s on a mass that nothing else moves, which has its
// impulse afterwards. `per_newton` is that of a pulse of 1 N.
struct Pulse {
  const char* force;
  double per_newton;
};

TEST(ConstantStep, FollowsPulsesThatComeLate) {
  const double pi = std::acos(-1.0);
  const Pulse pulses[] = {
      {"exp(-((time - 0.5)/0.005)^2)", 0.005 * std::sqrt(pi)},
      {"step5(time, 0.5, 0, 0.5025, 1) - step5(time, 0.5025, 0, 0.505, 1)", 0.0025},
      {"max(0, 1 - ((time - 0.5)/0.005)^2)", 4.0 / 3.0 * 0.005},
      {"1/(1 + ((time - 0.5)/0.002)^2)", 0.002 * (std::atan(250.0) + std::atan(50.0))},
      {"bump(time)", 0.004},
      {"shape", 0.005 * std::sqrt(pi)},
      {"if(time > 0.5 and time < 0.505, 1, 0)", 0.005},
  };
  for (const Pulse& pulse : pulses) {
    for (const char* method : {"moreau_jean", "ggl"}) {
      SCOPED_TRACE(std::string(pulse.force) + " by " + method);
      LoadedModel loaded = model_of(std::string(R"(
dimension: 2
bodies:
  cart: {mass: 1, inertia: 1, at: [1, 0]}
joints:
  rail: {type: prismatic, between: [ground, cart], at: [0, 0], axis: [1, 0]}
tables:
  bump: {x: [0, 0.2, 0.496, 0.5, 0.504, 1], y: [0, 0, 0, 1, 0, 0], interpolation: linear}
controls:
  late: {type: variable, value: time - 0.5}
  shape: {type: variable, value: exp(-(late/0.005)^2)}
forces:
  push: {type: force, body: cart, force: [")") +
                                    pulse.force + R"(", 0]
}
)");
      const RunPlan plan = plan_for(loaded, 0.6, 1e-3, method);
      const RunOutcome outcome =
          run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan, {});
      ASSERT_TRUE(outcome.summary.ok()) << outcome.summary.message;
      EXPECT_NEAR(outcome.end.velocity(0), pulse.per_newton, 0.01 * pulse.per_newton);
      EXPECT_LT(outcome.summary.accepted, 100000) << plan.reason;
    }
  }
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

// --- steps that no run has the time for ----------------------------------------------------------

TEST(RunLength, IsRefusedWhereStepsOrSamplesAreTooManyOrTheClockDoesNotSeeThem) {
  const LoadedModel rod = pendulum("0");
  const auto with = [&](auto&& change) {
    RunPart run = rod.model.run;
    run.end_time = 10.0;
    change(run);
    return refusal([&] { (void)plan_of(run, *rod.mechanism); });
  };
  for (const double step : {1e-17, 1e-300, 5e-324, 1e-12, 0.9e-6}) {
    for (const char* method : {"auto", "ggl", "moreau_jean", "half_explicit"}) {
      const std::string message = with([&](RunPart& run) {
        run.step = step;
        run.integrator.text = method;
      });
      EXPECT_EQ(message.find("step: steps of "), 0u) << message;
      EXPECT_NE(message.find("give at least 1e-06 s"), std::string::npos) << message;
    }
  }
  EXPECT_EQ(with([](RunPart& run) { run.step = 1.1e-6; }), "");
  EXPECT_EQ(
      with([](RunPart& run) { run.output_interval = 1e-17; }).find("output_interval: samples"), 0u);
  EXPECT_EQ(with([](RunPart& run) { run.output_interval = -1.0; }), "");
  EXPECT_EQ(with([](RunPart& run) { run.end_time = HUGE_VAL; }).find("end_time: found inf"), 0u);
  EXPECT_EQ(with([](RunPart& run) { run.end_time = NAN; }).find("end_time: found nan"), 0u);
  EXPECT_EQ(with([](RunPart& run) { run.step = HUGE_VAL; }).find("step: found inf"), 0u);
  EXPECT_EQ(with([](RunPart& run) { run.tolerance = 1e-300; }).find("tolerance: found 1e-300"), 0u);
  EXPECT_EQ(with([](RunPart& run) { run.tolerance = 1e-14; }), "");
  const std::string loose = with([](RunPart& run) {
    run.tolerance = 1e-15;
    run.end_time = 1000.0;
    run.integrator.text = "moreau_jean";
  });
  EXPECT_EQ(loose.find("tolerance: 1e-15 with moreau_jean"), 0u) << loose;
}

}  // namespace
}  // namespace picus::testing
