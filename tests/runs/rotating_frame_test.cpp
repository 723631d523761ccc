// SPDX-License-Identifier: BSD-3-Clause
// Equilibria and modes seen from a frame that turns, against closed forms.
#include "picus/runs/rotating_frame.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/modes.h"
#include "tests/runs/models.h"

namespace picus {
namespace {

constexpr double kTwoPi = 6.283185307179586;

Modes modes_at(const LoadedModel& loaded, const Vector3& spin) {
  const Mechanism& m = *loaded.mechanism;
  const Start start = assemble_start(m);
  const Equilibrium rest = find_equilibrium(m, start, {.spin = spin});
  EXPECT_TRUE(rest.found) << rest.message;
  return find_modes(m, start.consistency, rest.state, spin);
}

// A symmetric body that spins freely: its axis stays in space, so that the frame sees it turn with
// Ω, and nutates with |C/A − 1| Ω in its own axes.
TEST(RotatingFrame, SeesTheNutationOfATop) {
  const double speed = 7.0;
  const LoadedModel top = model_of(R"(gravity: [0, 0, -9.81]
bodies:
  top: {mass: 2, inertia: [0.5, 0.5, 0.8], at: [0, 0, 1]}
joints:
  pivot: {type: spherical, between: [ground, top], at: [0, 0, 1]}
)");
  const Modes modes = modes_at(top, {0.0, 0.0, speed});
  ASSERT_EQ(modes.modes.size(), 2U);
  EXPECT_NEAR(kTwoPi * modes.modes[0].frequency, 0.6 * speed, 1e-6);
  EXPECT_NEAR(kTwoPi * modes.modes[1].frequency, speed, 1e-6);
  EXPECT_EQ(modes.zero_eigenvalues, 2);  // about the axis
}

// A disc on an isotropic spring whose mass is off by e: it bows out by e/((ω/Ω)² − 1), and the
// frame sees its frequencies ω as |ω ± Ω|.
TEST(RotatingFrame, SeesAnUnbalancedDiscBowOut) {
  const double omega = 10.0, off = 0.01;
  for (const double speed : {3.0, 8.0}) {
    const LoadedModel disc = model_of(fmt::format(R"(dimension: 2
bodies:
  disc: {{mass: 2, inertia: [0.1], at: [{0}, 0], markers: {{middle: {{at: [-{0}, 0]}}}}}}
forces:
  shaft: {{type: force, body: disc.middle, force: ["-200*disc.middle.x", "-200*disc.middle.y"]}}
constraints:
  drive: {{formula: disc.angle - {1}*time}}
)",
                                                  off, speed));
    const Mechanism& m = *disc.mechanism;
    const Vector3 spin(0.0, 0.0, speed);
    const Equilibrium rest = find_equilibrium(m, assemble_start(m), {.spin = spin});
    ASSERT_TRUE(rest.found) << rest.message;
    const double bow = off / (omega * omega / (speed * speed) - 1.0);
    EXPECT_NEAR(m.bodies().pose(1, rest.state.position).r(0), off + bow, 1e-9);
    EXPECT_NEAR(m.bodies().twist(1, rest.state.position, rest.state.velocity)(1),
                speed * (off + bow), 1e-8);
    const Modes modes = modes_at(disc, spin);
    ASSERT_EQ(modes.modes.size(), 2U);
    EXPECT_NEAR(kTwoPi * modes.modes[0].frequency, omega - speed, 1e-6);
    EXPECT_NEAR(kTwoPi * modes.modes[1].frequency, omega + speed, 1e-6);
  }
}

// Its tangents are those of its force and of its constraints at accelerations, where it rests.
TEST(RotatingFrame, HasTheTangentsOfItsEquations) {
  const LoadedModel loaded = model_of(R"(gravity: [0, 0, -9.81]
bodies:
  hub: {mass: 1, inertia: [0.2, 0.3, 0.4], at: [0, 0, 0]}
  arm: {mass: 2, inertia: [0.1, 0.2, 0.25], at: [0.8, 0.1, 0.2]}
beams:
  rod: {from: [0, 0, 0], to: [0, 1, 0.2], elements: 2, damping: 0.01, section: {type: general,
    stiffness: [1e3, 500, 400, 20, 30, 40], line_mass: 1, line_inertia: [0.2, 0.1, 0.15]}}
joints:
  axle: {type: revolute, between: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1]}
  elbow: {type: universal, between: [hub, arm], at: [0.3, 0, 0], axis: [0, 1, 0], x_axis: [0, 0, 1]}
  root: {type: fixed, between: [hub, rod.start]}
)");
  const System& full = loaded.mechanism->system();
  const RotatingFrame frame(full, loaded.mechanism->bodies(), {0.0, 0.0, 1.7});
  State s = loaded.mechanism->initial_state();
  size_state(full, s);
  const int n = frame.sizes().velocities;
  Vector away(n);
  for (int i = 0; i < n; ++i) {
    away(i) = 0.05 * std::sin(1.0 + 3.0 * i);
    s.acceleration(i) = std::sin(5.0 * i);
  }
  Vector q = s.position;
  frame.retract(s.position, away, q);
  s.position = q;
  s.multiplier.setConstant(frame.sizes().constraints, 2.0);
  const auto residual = [&](const State& at) {
    Vector F, g;
    SparseMatrix M;
    frame.force(at, F);
    frame.mass_matrix(at, M);
    F = -F;
    M.multiply_add(1.0, at.acceleration, F);
    frame.constraint_acceleration(at, g);
    Vector both(F.size() + g.size());
    both << F, g;
    return both;
  };
  const Vector zero = Vector::Zero(n);
  SparseMatrix K, D, g_q, g_v;
  frame.momentum_tangent(s, {s.position, zero}, K, D);
  frame.constraint_acceleration_tangent(s, {s.position, zero}, g_q, g_v);
  Matrix along_q(n + g_q.rows(), n), along_v(n + g_v.rows(), n);
  along_q << K.dense(), g_q.dense();
  along_v << D.dense(), g_v.dense();
  const double h = 1e-6;
  for (int i = 0; i < n; ++i) {
    State plus = s, minus = s;
    frame.retract(s.position, Vector(h * Vector::Unit(n, i)), plus.position);
    frame.retract(s.position, Vector(-h * Vector::Unit(n, i)), minus.position);
    const Vector q_column = (residual(plus) - residual(minus)) / (2.0 * h);
    EXPECT_LT((along_q.col(i) - q_column).cwiseAbs().maxCoeff(), 1e-5 * max_abs(q_column) + 1e-5)
        << i;
    plus = minus = s;
    plus.velocity(i) += h;
    minus.velocity(i) -= h;
    const Vector v_column = (residual(plus) - residual(minus)) / (2.0 * h);
    EXPECT_LT((along_v.col(i) - v_column).cwiseAbs().maxCoeff(), 1e-6 * max_abs(v_column) + 1e-6)
        << i;
  }
}

// A beam on a hub, driven: across the plane of rotation it is stiffened, ω₁ = 7.3604 at Ω = 6
// (Wright et al. 1982), within it ω² is less by Ω².
TEST(RotatingFrame, StiffensABeam) {
  const auto found = [](int elements) {
    const LoadedModel loaded = model_of(fmt::format(R"(beams:
  rod: {{from: [0, 0, 0], to: [1, 0, 0], elements: {}, section: {{type: general,
    stiffness: [1e7, 1e7, 1e7, 1e3, 1, 1], line_mass: 1, line_inertia: [2e-6, 1e-6, 1e-6]}}}}
joints:
  axle: {{type: revolute, between: [ground, rod.start], at: [0, 0, 0], axis: [0, 0, 1]}}
motions:
  drive: {{joint: axle, value: 6*time}}
)",
                                                    elements));
    const Modes modes = modes_at(loaded, {0.0, 0.0, 6.0});
    return std::pair(kTwoPi * modes.modes[0].frequency, kTwoPi * modes.modes[1].frequency);
  };
  const auto [in_coarse, out_coarse] = found(5);
  const auto [in_fine, out_fine] = found(10);
  const double out = out_fine + (out_fine - out_coarse) / 3.0,
               in = in_fine + (in_fine - in_coarse) / 3.0;
  EXPECT_NEAR(out, 7.36037302, 5e-3 * 7.36);
  EXPECT_NEAR(in, std::sqrt(7.36037302 * 7.36037302 - 36.0), 1e-2 * 4.26);
}

TEST(RotatingFrame, SaysWhatDoesNotTurn) {
  const auto message = [](const std::string& text, const Vector3& spin) -> std::string {
    const LoadedModel loaded = model_of(text);
    try {
      const Equilibrium rest =
          find_equilibrium(*loaded.mechanism, assemble_start(*loaded.mechanism), {.spin = spin});
      return rest.message;
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const std::string body = "bodies:\n  arm: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}\n";
  EXPECT_NE(message("gravity: [0, 0, -9.81]\n" + body +
                        "joints:\n  pin: {type: fixed, between: [ground, arm]}\n",
                    {0.0, 0.0, 2.0})
                .find("does not turn with the frame"),
            std::string::npos);
  EXPECT_NE(message("gravity: [0, -9.81, 0]\n" + body +
                        "joints:\n  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0], "
                        "axis: [0, 0, 1]}\n",
                    {0.0, 0.0, 2.0})
                .find("a force on arm does not turn"),
            std::string::npos);
  EXPECT_NE(message("dimension: 2\nbodies:\n  arm: {mass: 1, inertia: [1]}\n", {1.0, 0.0, 0.0})
                .find("about z"),
            std::string::npos);
}

}  // namespace
}  // namespace picus
