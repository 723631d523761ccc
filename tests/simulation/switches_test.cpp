// SPDX-License-Identifier: BSD-3-Clause
// Forces that jump: steps end at the jump and the methods start anew behind it.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "picus/dynamics/equation_system.h"
#include "picus/simulation/adaptive_step.h"
#include "picus/simulation/recorder.h"
#include "picus/simulation/simulate.h"
#include "picus/steppers/catalog.h"
#include "studies/problems/pendulum.h"

namespace picus::testing {
namespace {

/// ẍ = -sign(x): parabolas, period 4 √(2 x0) from rest at x0.
struct BangBang {
  static constexpr int kCoordinates = 1;
  auto mass(const auto&) const { return diagonal(1.0); }
  auto force(const auto& s) const { return s.vector(plain_value(s.q(0)) >= 0.0 ? -1.0 : 1.0); }
};

/// A system with one switch, given as a function of the state.
class Switched final : public EquationSystem {
 public:
  using Value = double (*)(const State&);
  Switched(EquationSystem&& equations, Value value)
      : EquationSystem(std::move(equations)), value_(value) {}
  int switches() const override { return 1; }
  void switch_values(const State& s, Vector& values) const override {
    resize(values, 1);
    values(0) = value_(s);
  }
  std::string name_of_switch(int) const override { return "relay"; }

 private:
  Value value_;
};

double position(const State& s) {
  return s.position(0);
}

State at_rest(double x) {
  State state;
  state.position = Vector::Constant(1, x);
  return state;
}

/// The exact x(t) from rest at 1.
double bang_bang(double t) {
  const double quarter = std::sqrt(2.0), u = std::fmod(t, 4.0 * quarter);
  const double sign = u < quarter || u > 3.0 * quarter ? 1.0 : -1.0;
  const double from_top = u < quarter         ? u
                          : u > 3.0 * quarter ? u - 4.0 * quarter
                                              : u - 2.0 * quarter;
  return sign * (1.0 - 0.5 * from_top * from_top);
}

TEST(Switches, ABangBangForceIsIntegratedAsIfItWereSmooth) {
  // between the jumps the motion is a parabola, which the methods integrate exactly
  const double end = 20.0;
  for (const char* method : {"hht_i3", "soi2", "hht_soi2", "generalized_alpha", "index3", "ggl"}) {
    const Switched system(std::move(*make_system(BangBang{})), position);
    State state = at_rest(1.0);
    const auto stepper = make_stepper(method);
    const bool adaptive = stepper->traits().estimates_error;
    AdaptiveStep control({.tolerance = 1e-5});
    FixedStep fixed(0.07);
    const Summary summary =
        simulate(system, state, *stepper,
                 adaptive ? static_cast<Controller&>(control) : static_cast<Controller&>(fixed),
                 {.end_time = end});
    ASSERT_TRUE(summary.ok()) << method << ": " << summary.message;
    EXPECT_EQ(summary.restarts, 7) << method;  // at √2, 3√2, … 13√2
    ASSERT_EQ(summary.jumps.size(), 7U) << method;
    for (std::size_t i = 0; i < 7; ++i)
      EXPECT_NEAR(summary.jumps[i].time, static_cast<double>(2 * i + 1) * std::sqrt(2.0), 1e-6)
          << method;
    EXPECT_NEAR(state.position(0), bang_bang(end), 1e-8) << method;
    if (adaptive) {
      EXPECT_LT(summary.attempts(), 300) << method;
    }
  }
}

TEST(Switches, WithoutThemTheSameForceCostsAccuracy) {
  const auto system = make_system(BangBang{});
  State state = at_rest(1.0);
  const auto stepper = make_stepper("hht_i3");
  FixedStep control(0.07);
  ASSERT_TRUE(simulate(*system, state, *stepper, control, {.end_time = 20.0}).ok());
  EXPECT_GT(std::abs(state.position(0) - bang_bang(20.0)), 1e-4);
}

TEST(Switches, RecordedTimesPassThroughRestarts) {
  const Switched system(std::move(*make_system(BangBang{})), position);
  State state = at_rest(1.0);
  const auto stepper = make_stepper("hht_i3");
  AdaptiveStep control;
  Recorder recorder(0.01);
  ASSERT_TRUE(
      simulate(system, state, *stepper, control, {.end_time = 6.0}, recorder.observer()).ok());
  ASSERT_EQ(recorder.states().size(), 601u);
  for (const State& s : recorder.states())
    EXPECT_NEAR(s.position(0), bang_bang(s.time), 1e-7) << s.time;
}

/// A pendulum with a torque that jumps when the rod passes the vertical.
struct KickedPendulum : problems::Pendulum {
  auto force(const auto& s) const {
    return s.vector(0.0, mass_ * gravity, plain_value(s.q(0)) >= 0.0 ? 2.0 : -1.0);
  }
};

double reference_angle(double end, double& rate) {
  // the same in the minimal coordinate, by Runge–Kutta between bisected jumps
  const problems::Pendulum p;
  const double J = p.inertia + p.mass_ * p.length * p.length;
  double angle = 0.3, t = 0.0;
  rate = 0.0;
  const auto advance = [&](double h, double sign, double& a, double& w) {
    const auto f = [&](double x) {
      return p.angular_acceleration(x) + (sign > 0 ? 2.0 : -1.0) / J;
    };
    const double k1 = f(a), v2 = w + 0.5 * h * k1, k2 = f(a + 0.5 * h * w);
    const double v3 = w + 0.5 * h * k2, k3 = f(a + 0.5 * h * v2), v4 = w + h * k3,
                 k4 = f(a + h * v3);
    a += h / 6.0 * (w + 2.0 * v2 + 2.0 * v3 + v4);
    w += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  };
  while (t < end) {
    double h = std::min(1e-4, end - t);
    const double sign = std::cos(angle) >= 0.0 ? 1.0 : -1.0;
    const auto ends_beyond = [&](double step) {
      double a = angle, w = rate;
      advance(step, sign, a, w);
      return (std::cos(a) >= 0.0 ? 1.0 : -1.0) != sign;
    };
    if (ends_beyond(h)) {
      double low = 0.0;
      for (int i = 0; i < 60; ++i)
        (ends_beyond(0.5 * (low + h)) ? h : low) = 0.5 * (low + h);
    }
    advance(h, sign, angle, rate);
    t += h;
  }
  return angle;
}

TEST(Switches, AConstrainedMechanismKeepsItsAccuracyOverJumps) {
  double rate = 0.0;
  const double angle = reference_angle(3.0, rate);
  for (const char* method : {"hht_i3", "soi2", "hht_soi2"}) {
    double last = 0.0;
    for (const double tolerance : {1e-5, 1e-7}) {
      const KickedPendulum p;
      const Switched system(std::move(*make_system(p)), position);
      State state = p.at(0.3, 0.0);
      const auto stepper = make_stepper(method);
      AdaptiveStep control({.tolerance = tolerance});
      const Summary summary = simulate(system, state, *stepper, control, {.end_time = 3.0});
      ASSERT_TRUE(summary.ok()) << summary.message;
      EXPECT_GE(summary.restarts, 2);
      const double error = std::hypot(state.position(2) - angle, state.velocity(2) - rate);
      // two decades of tolerance are 10^(4/3) = 21 in the error
      if (last > 0.0) {
        EXPECT_LT(error, last / 10.0) << method;
        EXPECT_LT(error, 2e-3) << method;
      }
      last = error;
    }
  }
}

/// Dry friction that is larger than the force: the mass comes to rest, and the sign of its velocity
/// has no end of changes.
struct Stick {
  static constexpr int kCoordinates = 1;
  auto mass(const auto&) const { return diagonal(1.0); }
  auto force(const auto& s) const {
    return s.vector(0.3 - (plain_value(s.v(0)) >= 0.0 ? 1.0 : -1.0));
  }
};

TEST(Switches, ChatteringEndsTheRunWithTheNameOfTheSwitch) {
  const Switched system(std::move(*make_system(Stick{})),
                        [](const State& s) { return s.velocity(0); });
  State state = at_rest(0.0);
  state.velocity = Vector::Constant(1, 1.0);
  for (const char* method : {"hht_i3", "soi2"}) {
    State s = state;
    const auto stepper = make_stepper(method);
    AdaptiveStep control;
    const Summary summary = simulate(system, s, *stepper, control, {.end_time = 5.0});
    EXPECT_EQ(summary.ending, Summary::Ending::kChattering) << summary.message;
    EXPECT_FALSE(summary.ok());
    EXPECT_NE(summary.message.find("relay"), std::string::npos) << summary.message;
    EXPECT_NEAR(s.time, 1.0 / 0.7, 1e-6);  // v = 1 - 0.7 t
    EXPECT_NEAR(s.velocity(0), 0.0, 1e-6);
    EXPECT_LT(summary.attempts(), 200);
  }
}

struct Doubled {
  static constexpr int kCoordinates = 2, kConstraints = 2;
  auto mass(const auto&) const { return diagonal(1.0, 1.0); }
  auto force(const auto& s) const { return s.vector(plain_value(s.q(0)) >= 0.0 ? -1.0 : 1.0, 0.0); }
  auto constraint(const auto& s) const { return s.vector(s.q(1), 2.0 * s.q(1)); }
};

TEST(Switches, AreForwardedWhenConstraintsAreRedundant) {
  const Switched system(std::move(*make_system(Doubled{})), position);
  State state;
  state.position = Eigen::Vector2d(1.0, 0.0);
  const auto stepper = make_stepper("hht_i3");
  AdaptiveStep control;
  const Summary summary = simulate(system, state, *stepper, control, {.end_time = 6.0});
  ASSERT_TRUE(summary.ok()) << summary.message;
  EXPECT_EQ(summary.notes.size(), 1u);
  EXPECT_EQ(summary.restarts, 2);
  EXPECT_NEAR(state.position(0), bang_bang(6.0), 1e-8);
}

/// Stops early and does not say so.
class LateStepper final : public Stepper {
 public:
  StepperTraits traits() const override { return {}; }
  void start(const System&, const State&) override {}
  StepReport attempt(const System&, const State& from, double h, State& to) override {
    to = from;
    to.time += 0.999 * h;
    return {};
  }
  void accept() override {}
  void interpolate(const System&, double, State&) const override {}
};

TEST(SimulateDeathTest, AStateMustHaveTheTimeOfTheClock) {
  const auto system = make_system(BangBang{});
  State state = at_rest(1.0);
  LateStepper stepper;
  FixedStep control(0.1);
  EXPECT_DEATH((void)simulate(*system, state, stepper, control, {.end_time = 1.0}),
               "a step that ends when the clock says so");
}

}  // namespace
}  // namespace picus::testing
