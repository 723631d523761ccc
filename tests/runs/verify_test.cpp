// SPDX-License-Identifier: BSD-3-Clause
// What a verification says of runs whose true errors are known.
#include "picus/runs/verify.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/divergence.h"
#include "picus/runs/recorded_run.h"
#include "tests/runs/models.h"

namespace picus {
namespace {

LoadedModel with_run(const std::string& text, const std::string& run) {
  return model_of(text + "run: {" + run + "}\n");
}

const ChannelTrust& trust_in(const Verification& verification, const std::string& channel) {
  for (const ChannelTrust& trust : verification.channels)
    if (trust.channel == channel) return trust;
  ADD_FAILURE() << "no channel " << channel;
  static const ChannelTrust kNone;
  return kNone;
}

// A model with one channel that is known in closed form.
struct KnownMotion {
  std::string name, text, channel;
  std::function<double(double t)> exact;
  std::vector<std::string> runs;  ///< methods and their accuracy
};

// x = cos(3 t)
KnownMotion spring_motion() {
  return {
      "spring",
      "dimension: 2\nbodies:\n  ball: {type: point, mass: 1, at: [1, 0]}\n"
      "forces:\n  spring: {type: force, body: ball, force: [-9*ball.x, 0]}\n",
      "bodies.ball.position.x",
      [](double t) { return std::cos(3.0 * t); },
      {"end_time: 5, tolerance: 1e-4", "end_time: 5, tolerance: 1e-7",
       "end_time: 5, tolerance: 1e-9", "end_time: 5, integrator: radau_iia, tolerance: 1e-5",
       "end_time: 5, integrator: generalized_alpha, step: 5e-3",
       "end_time: 5, integrator: newmark, step: 1e-3", "end_time: 5, integrator: ggl, step: 2e-3"}};
}

// A block that friction brings to rest after 2 s.
KnownMotion sliding_motion() {
  return {"slide",
          "dimension: 2\nbodies:\n  block: {mass: 2, inertia: [1], velocity: [4, 0]}\n"
          "joints:\n  rail: {type: prismatic, between: [ground, block]}\n"
          "contacts:\n  shoe: {type: friction, joint: rail, limit: 4 + 2*sin(3*time)}\n",
          "bodies.block.position.x",
          [](double t) {
            // v = 4 - 2 t - (1 - cos(3 t))/3 until it is zero
            const auto x = [](double s) { return 4 * s - s * s - s / 3 + std::sin(3 * s) / 9; };
            double low = 1.0, high = 3.0;
            for (int i = 0; i < 200; ++i) {
              const double s = 0.5 * (low + high);
              (4 - 2 * s - (1 - std::cos(3 * s)) / 3 > 0 ? low : high) = s;
            }
            return x(std::min(t, low));
          },
          {"end_time: 3, integrator: moreau_jean, step: 2e-3",
           "end_time: 3, integrator: nonsmooth_pva, step: 1e-2"}};
}

// A ball that bounces, restitution 0.7, until 1.1 s: three impacts.
KnownMotion bouncing_motion(const char* channel, bool velocity) {
  return {"bounce",
          "dimension: 2\ngravity: [0, -9.81]\n"
          "bodies:\n  ball: {type: point, mass: 1, at: [0, 0.5], velocity: [1, 0]}\n"
          "contacts:\n  floor: {type: ball_on_plane, between: [ground, ball], restitution: 0.7}\n",
          channel,
          [velocity](double t) {
            double y = 0.5, v = 0.0, begin = 0.0;
            for (;;) {
              const double flight = (v + std::sqrt(v * v + 2 * 9.81 * y)) / 9.81;
              const double s = t - begin;
              if (s < flight) return velocity ? v - 9.81 * s : y + v * s - 0.5 * 9.81 * s * s;
              begin += flight;
              v = -0.7 * (v - 9.81 * flight);
              y = 0.0;
            }
          },
          {"end_time: 1.1, integrator: moreau_jean, step: 1e-3",
           "end_time: 1.1, integrator: nonsmooth_pva, step: 2e-3"}};
}

void expect_true_errors(const KnownMotion& motion, double below, double above) {
  for (const std::string& run : motion.runs) {
    const LoadedModel loaded = with_run(motion.text, run);
    const Start start = assemble_start(*loaded.mechanism);
    const RunPlan plan = plan_of(loaded);
    const Trace trace = trace_run(loaded, start, plan, {.channels = {motion.channel}});
    double error = 0.0;
    for (std::size_t i = 0; i < trace.times.size(); ++i)
      error = std::max(error, std::abs(trace.columns[0][i] - motion.exact(trace.times[i])));
    const Verification verification = verify(loaded, start, plan, {.channels = {motion.channel}});
    const ChannelTrust& trust = trust_in(verification, motion.channel);
    const std::string where = motion.name + ", " + run + "\n" + to_text(verification);
    EXPECT_GE(trust.error, below * error) << where;
    EXPECT_LE(trust.error, above * error + 1e-14) << where;
    EXPECT_TRUE(verification.ok()) << where << verification.problem();
    // what is quoted is right: half a unit of the last digit and a little
    EXPECT_LE(error, std::pow(10.0, -trust.digits) * trust.largest / below) << where;
    EXPECT_FALSE(verification.other.empty()) << where;
  }
}

TEST(Verify, TellsTheErrorOfAnOscillatorWithinAFactor) {
  expect_true_errors(spring_motion(), 0.5, 5.0);
}

TEST(Verify, TellsTheErrorOfABlockThatComesToRest) {
  expect_true_errors(sliding_motion(), 0.3, 10.0);
}

TEST(Verify, TellsTheErrorOfABouncingBall) {
  expect_true_errors(bouncing_motion("bodies.ball.position.y", false), 0.3, 10.0);
}

// Between impacts event_driven is exact for a parabola: every digit may be quoted.
TEST(Verify, QuotesManyDigitsOfAnExactRun) {
  const KnownMotion motion = bouncing_motion("bodies.ball.velocity.y", true);
  const LoadedModel loaded = with_run(motion.text, "end_time: 1.1, tolerance: 1e-8");
  const Start start = assemble_start(*loaded.mechanism);
  const Verification verification =
      verify(loaded, start, plan_of(loaded), {.channels = {"bodies.ball.*"}});
  const ChannelTrust& velocity = trust_in(verification, "bodies.ball.velocity.y");
  EXPECT_TRUE(velocity.jumps);
  EXPECT_GE(velocity.digits, 7) << to_text(verification);
  EXPECT_GE(trust_in(verification, "bodies.ball.position.y").digits, 7);
  EXPECT_EQ(verification.impacts.impacts, 3);  // at 0.319, 0.766 and 1.079 s
  EXPECT_EQ(verification.impacts.alike, 3);
  EXPECT_LT(verification.impacts.time_error, 1e-8);
  EXPECT_TRUE(verification.ok()) << verification.problem();
}

constexpr const char* kDoublePendulum = R"(dimension: 2
gravity: [0, -9.81]
bodies:
  upper: {mass: 1, shape: {type: rod, length: 1}, at: [0, 0.5], angle: pi/2}
  lower: {mass: 1, shape: {type: rod, length: 1}, at: [0.5, 1]}
joints:
  pin: {type: revolute, between: [ground, upper], at: [0, 0]}
  elbow: {type: revolute, between: [upper, lower], at: [0, 1]}
)";

TEST(Verify, SaysWhenAMotionIsChaoticAndNoDigitIsLeft) {
  const LoadedModel loaded = with_run(kDoublePendulum, "end_time: 30, tolerance: 1e-6");
  const Start start = assemble_start(*loaded.mechanism);
  const Verification verification = verify(loaded, start, plan_of(loaded));
  ASSERT_TRUE(verification.divergence.has_value()) << to_text(verification);
  EXPECT_TRUE(verification.divergence->is_chaotic) << to_text(verification);
  EXPECT_GT(verification.divergence->rate, 0.3);
  EXPECT_LT(verification.divergence->rate, 10.0);
  EXPECT_GT(verification.divergence->time, 2.0);
  EXPECT_FALSE(verification.ok());
  EXPECT_NE(verification.problem().find("no correct digit"), std::string::npos);
  EXPECT_NE(to_text(verification).find("chaotic"), std::string::npos);
  // energy is conserved all the same
  EXPECT_GE(trust_in(verification, "energy.total").digits, 3) << to_text(verification);
}

TEST(Verify, ChaoticRunsAreUnrelatedLaterWhenTheToleranceIsSmaller) {
  double before = 0.0;
  for (const char* tolerance : {"1e-4", "1e-6", "1e-8"}) {
    const LoadedModel loaded =
        with_run(kDoublePendulum, fmt::format("end_time: 40, tolerance: {}", tolerance));
    const Start start = assemble_start(*loaded.mechanism);
    const Verification verification =
        verify(loaded, start, plan_of(loaded), {.channels = {}, .by_another_method = false});
    ASSERT_TRUE(verification.divergence.has_value()) << tolerance;
    EXPECT_GT(verification.divergence->time, before + 0.5) << tolerance;
    before = verification.divergence->time;
  }
}

TEST(Verify, ChannelsThatNobodyHasAreNamed) {
  const LoadedModel loaded = with_run(spring_motion().text, "end_time: 1");
  const Start start = assemble_start(*loaded.mechanism);
  EXPECT_THROW(verify(loaded, start, plan_of(loaded), {.channels = {"bodies.bal.*"}}), InputError);
}

TEST(Verify, MethodsThatDisagreeAreAProblem) {
  Verification verification;
  verification.runs = {{"event_driven, tolerance 1e-06", "", 0.0, 0},
                       {"event_driven, tolerance 1e-07", "", 0.0, 0}};
  verification.other = "moreau_jean";
  verification.channels.push_back({.channel = "bodies.box.position.x", .unit = "m"});
  ChannelTrust& trust = verification.channels.front();
  trust.largest = 1.0;
  trust.digits = 6;
  trust.explained = 1e-4;
  trust.between = 5e-4;
  EXPECT_TRUE(verification.ok());
  trust.between = 0.2;
  EXPECT_FALSE(verification.ok());
  EXPECT_NE(verification.problem().find("bodies.box.position.x"), std::string::npos);
  EXPECT_NE(to_json(verification).find("\"ok\":false"), std::string::npos);
}

TEST(Verify, AnotherMethodIsOfAnotherFamily) {
  const LoadedModel smooth = with_run(spring_motion().text, "end_time: 1");
  for (const RunPlan& plan : other_plans(smooth, plan_of(smooth)))
    EXPECT_NE(plan.integrator, "half_explicit");
  const LoadedModel bounce = with_run(bouncing_motion("", false).text, "end_time: 1");
  const auto others = other_plans(bounce, plan_of(bounce));
  ASSERT_FALSE(others.empty());
  for (const RunPlan& plan : others)
    EXPECT_FALSE(plan.integrator.starts_with("event_"));
}

TEST(RecordedRun, IsThePlanAndTheModelOfItsResult) {
  for (const char* run : {"end_time: 0.4, tolerance: 1e-5, options: {h_max: 0.01}",
                          "end_time: 0.4, integrator: soi2, step: 1e-3, options: {rho: 0.8}",
                          "end_time: 0.4, integrator: extrapolation, tolerance: 1e-4"}) {
    const std::vector<std::string> overrides{"bodies.ball.mass=3", "k=5"};
    const LoadedModel loaded = load_model_text(
        "swing.yaml",
        fmt::format("picus: 1\ndimension: 2\nparameters: {{k: 9}}\nbodies:\n  ball: {{type: point, "
                    "mass: 1, at: [1, 0]}}\nforces:\n  spring: {{type: force, body: ball, force: "
                    "[-k*ball.x, 0]}}\nrun: {{{}}}\n",
                    run),
        overrides);
    const RunPlan plan = plan_of(loaded);
    const ResultHeader header = header_of(loaded, plan, MechanismRecord(*loaded.mechanism));
    const RunPlan again = recorded_plan(header);
    EXPECT_EQ(again.integrator, plan.integrator);
    EXPECT_EQ(again.adaptive, plan.adaptive);
    EXPECT_EQ(again.step, plan.adaptive ? again.step : plan.step);
    EXPECT_EQ(again.end_time, plan.end_time);
    EXPECT_EQ(again.options, plan.options);
    EXPECT_EQ(again.control_values(), plan.control_values());
    const LoadedModel model = recorded_model(header);
    EXPECT_EQ(model.model.bodies.front().value.mass, loaded.model.bodies.front().value.mass);
    EXPECT_EQ(model.document.find_parameter("k")->value, 5.0);
  }
}

std::vector<double> grid(int count, double dt) {
  std::vector<double> times;
  for (int i = 0; i <= count; ++i)
    times.push_back(i * dt);
  return times;
}

TEST(Divergence, ReadsTheRateOffExponentialGrowth) {
  const std::vector<double> times = grid(1000, 0.02);
  for (const double rate : {0.8, 2.0, 5.0}) {
    std::vector<double> difference;
    for (const double t : times)
      difference.push_back(std::min(1.0, 1e-9 * std::exp(rate * t)) *
                           (0.3 + std::pow(std::sin(7.0 * t), 2)));
    const auto found = divergence_of(times, difference);
    ASSERT_EQ(found.has_value(), rate > 0.9) << rate;
    if (!found) continue;
    EXPECT_TRUE(found->is_chaotic);
    EXPECT_NEAR(found->rate, rate, 0.15 * rate);
    EXPECT_NEAR(found->time, std::log(1e8) / rate, 0.6 / rate + 0.3);
    ASSERT_EQ(found->digits_until.size(), 3u);
    EXPECT_LT(found->digits_until[0].second, found->digits_until[2].second);
  }
}

TEST(Divergence, DoesNotCallGrowthWithTimeChaos) {
  const std::vector<double> times = grid(1000, 0.02);
  std::vector<double> linear, square, leap;
  for (const double t : times) {
    linear.push_back(0.01 * t);
    square.push_back(5e-4 * t * t);
    leap.push_back(t < 9.0 ? 1e-9 * (1.0 + t) : 0.5);
  }
  EXPECT_FALSE(divergence_of(times, linear)->is_chaotic);
  EXPECT_FALSE(divergence_of(times, square)->is_chaotic);
  EXPECT_FALSE(divergence_of(times, leap)->is_chaotic);
  EXPECT_TRUE(divergence_of(times, leap)->at_once);
  EXPECT_EQ(divergence_of(times, leap)->time, 9.0);
  EXPECT_FALSE(divergence_of(times, std::vector<double>(times.size(), 0.01)).has_value());
}

}  // namespace
}  // namespace picus
