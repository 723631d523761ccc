// SPDX-License-Identifier: BSD-3-Clause
// Beams along corners, arcs and formulas, welded at angles; damped in their modes; cables.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/equilibrium.h"
#include "picus/runs/modes.h"
#include "tests/runs/models.h"
#include "tests/support/tangent_checks.h"

namespace picus {
namespace {

Pose<double> pose_of(const LoadedModel& loaded, const State& s, const std::string& body) {
  const Mechanism& m = *loaded.mechanism;
  return m.bodies().pose(m.find_body(body), s.position);
}

State resting_state(const LoadedModel& loaded) {
  const Equilibrium found = find_equilibrium(*loaded.mechanism, assemble_start(*loaded.mechanism));
  EXPECT_TRUE(found.found) << found.message;
  return found.state;
}

std::string fault_of(const std::string& text) {
  try {
    (void)model_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

constexpr const char* kSection =
    "section: {type: general, stiffness: [1e5, 4e4, 4e4, 70, 100, 100], line_mass: 1, "
    "line_inertia: [0.02, 0.01, 0.01]}";

// A quarter of a circle by a third point and by formulas is the same beam.
TEST(BeamLines, AFormulaMakesTheArc) {
  for (const int dimension : {2, 3}) {
    const auto arc = [&](const std::string& line) {
      return model_of(fmt::format("dimension: {}\nbeams:\n  rod: {{{}, elements: 7, {}}}\n",
                                  dimension, line, kSection));
    };
    const LoadedModel by_point = arc("from: [2, 0], via: [2*cos(pi/4), 2*sin(pi/4)], to: [0, 2]");
    // its speed is not constant: nodes are where the length says
    const LoadedModel constant = arc("path: [2*cos(pi/4*(s + s^2)), 2*sin(pi/4*(s + s^2))]");
    EXPECT_NE(fault_of("beams: {rod: {path: [s^2, 0], section: {type: circle, radius: 1e-3}, "
                       "material: steel}}")
                  .find("stands still"),
              std::string::npos);
    EXPECT_NEAR(constant.mechanism->flexible()[0]->extent(), std::acos(-1.0), 1e-12);
    for (int i = 0; i <= 7; ++i) {
      const std::string node = fmt::format("rod.node{}", i);
      const Pose<double> a = pose_of(by_point, by_point.mechanism->initial_state(), node),
                         b = pose_of(constant, constant.mechanism->initial_state(), node);
      EXPECT_LT((a.r - b.r).norm(), 1e-12) << node;
      EXPECT_LT((a.A - b.A).norm(), 1e-9) << node;
    }
  }
}

// κ = R/(R² + c²), and the length of n turns is 2 π n √(R² + c²).
TEST(BeamLines, AHelixKeepsItsLengthAndHasNoStress) {
  const LoadedModel loaded = model_of(fmt::format(
      "parameters: {{R: 0.5, c: 0.1}}\nbeams:\n  coil: {{path: [R*cos(4*pi*s), R*sin(4*pi*s), "
      "4*pi*c*s], elements: 64, {}}}\njoints:\n  clamp: {{type: fixed, between: [ground, "
      "coil.start]}}\n",
      kSection));
  const FlexiblePart& coil = *loaded.mechanism->flexible()[0];
  const double length = 4.0 * std::acos(-1.0) * std::sqrt(0.26);
  EXPECT_NEAR(coil.extent(), length, 1e-4 * length);  // helices between nodes
  EXPECT_NEAR(coil.elastic_energy(loaded.mechanism->initial_state()), 0.0, 1e-20);
  EXPECT_LT((pose_of(loaded, resting_state(loaded), "coil.node64").r -
             Vector3(0.5, 0.0, 0.4 * std::acos(-1.0)))
                .norm(),
            1e-9);
}

// A frame of two legs, a along x and b across it; a small load along x at the free end moves it by
// F (b³/3EI + a b²/EI + a/EA + b/GA), less 1/4n² of the bending of the second leg.
TEST(BeamLines, CornersAndWeldsCarryMoments) {
  const double a = 2.0, b = 3.0, load = 1e-4;
  const double bend = b * b * b / 300.0;
  for (const int dimension : {2, 3}) {
    const LoadedModel bent = model_of(fmt::format(
        "dimension: {}\nbeams:\n  rod: {{from: [0, 0], corners: [[2, 0]], to: [2, 3], "
        "elements: 10, {}}}\njoints:\n  clamp: {{type: fixed, between: [ground, "
        "rod.start]}}\nforces:\n  load: {{type: force, body: rod.end, force: [{}, 0]}}\n",
        dimension, kSection, load));
    const LoadedModel welded = model_of(fmt::format(
        "dimension: {0}\nbeams:\n  leg: {{from: [0, 0], to: [2, 0], elements: 4, {1}}}\n"
        "  arm: {{from: [2, 0], to: [2, 3], elements: 6, {1}}}\njoints:\n  clamp: {{type: fixed, "
        "between: [ground, leg.start]}}\n  corner: {{type: weld, between: [leg.end, arm.start]}}\n"
        "forces:\n  load: {{type: force, body: arm.end, force: [{2}, 0]}}\n",
        dimension, kSection, load));
    const double moved =
        load * (bend * (1.0 - 0.25 / 36.0) + a * b * b / 100.0 + a / 1e5 + b / 4e4);
    EXPECT_NEAR(pose_of(bent, resting_state(bent), "rod.node10").r(0) - 2.0, moved, 1e-5 * moved);
    EXPECT_NEAR(pose_of(welded, resting_state(welded), "arm.node6").r(0) - 2.0, moved,
                1e-5 * moved);
  }
}

// Three beams that leave a point in space at odd angles, under a large load: as one beam with a
// corner where two of them meet.
TEST(BeamLines, WeldsInSpaceAreCorners) {
  const std::string rest = "forces:\n  load: {type: force, body: TIP, force: [1, -2, 1.5]}\n";
  const auto with = [&](const std::string& tip) {
    std::string text = rest;
    return text.replace(text.find("TIP"), 3, tip);
  };
  const LoadedModel bent = model_of(
      fmt::format(
          "beams:\n  rod: {{from: [0, 0, 0], corners: [[1, 0.2, 0.1]], to: [1.3, 0.9, 0.7], "
          "up: [0, 0, 1], markers: {{c: {{s: 0.5}}}}, elements: 12, {}}}\njoints:\n  clamp: "
          "{{type: fixed, "
          "between: [ground, rod.start]}}\n",
          kSection) +
      with("rod.end"));
  const LoadedModel welded = model_of(
      fmt::format(
          "beams:\n  leg: {{from: [0, 0, 0], to: [1, 0.2, 0.1], elements: 12, {0}}}\n"
          "  arm: {{from: [1, 0.2, 0.1], to: [1.3, 0.9, 0.7], elements: 12, {0}}}\njoints:\n"
          "  clamp: {{type: fixed, between: [ground, leg.start]}}\n"
          "  corner: {{type: weld, between: [leg.end, arm.start]}}\n",
          kSection) +
      with("arm.end"));
  const auto tip = [](const LoadedModel& loaded) {
    const std::vector<int>& nodes = loaded.mechanism->flexible().back()->nodes();
    return loaded.mechanism->bodies().pose(nodes.back(), resting_state(loaded).position).r;
  };
  EXPECT_LT((tip(bent) - tip(welded)).norm(), 5e-3);  // other meshes
  EXPECT_GT((tip(bent) - Vector3(1.3, 0.9, 0.7)).norm(), 0.02);
}

TEST(BeamLines, SayWhatIsWrong) {
  const auto fault = [](const std::string& line) {
    return fault_of("beams: {rod: {" + line +
                    ", section: {type: circle, radius: 1e-3}, material: steel}}");
  };
  const std::pair<const char*, const char*> cases[] = {
      {"from: [0, 0, 0]", "has no 'to': expected 'from' and 'to', or 'path'"},
      {"to: [0, 0, 0]", "has no 'from'"},
      {"from: [0, 0, 0], to: [1, 0, 0], path: [s, 0]", "give one or the other"},
      {"from: [0, 0, 0], to: [1, 0, 0], via: [0, 1, 0], corners: [[1, 1, 1]]",
       "has 'via' and 'corners'"},
      {"from: [0, 0, 0], to: [1, 0, 0], corners: [[0, 0, 0]]", "has corner 1 twice"},
      {"from: [0, 0, 0], to: [1, 0, 0], corners: [[2, 0, 0]]", "turns straight back at corner 1"},
      {"path: [s]", "has path: found 1 formula, expected 2 or 3"},
      {"path: [time, s]", "found 'time' in the path of beam 'rod'"},
      {"path: [0, 0]", "stands still"},
      {"from: [0, 0, 0], to: [1, 0, 0], modal_damping: {ratios: [1.5]}", "expected 0 to 1"}};
  for (const auto& [line, message] : cases)
    EXPECT_NE(fault(line).find(message), std::string::npos) << line << ": " << fault(line);
}

// --- damping in modes ----------------------------------------------------------------------------

std::string damped(int dimension, const std::string& how, const std::string& joints) {
  return fmt::format(
      "dimension: {}\nbeams:\n  rod: {{from: [0, 0], to: [1, 0.4], elements: 8, section: {{type: "
      "rectangle, height: 8e-3, width: 20e-3}}, material: steel{}}}\n{}",
      dimension, how, joints);
}

// A clamped beam that is damped in its clamped modes has the ratios asked for, a free one in its
// free modes, and nothing beyond these.
TEST(BeamModalDamping, HasTheRatiosAskedFor) {
  const std::string clamp = "joints:\n  clamp: {type: fixed, between: [ground, rod.start]}\n";
  for (const int dimension : {2, 3}) {
    for (const bool is_clamped : {true, false}) {
      const LoadedModel loaded =
          model_of(damped(dimension,
                          fmt::format(", modal_damping: {{ratios: [0.01, 0.05, 0.002], held: {}}}",
                                      is_clamped ? "start" : "none"),
                          is_clamped ? clamp : ""));
      const Start start = assemble_start(*loaded.mechanism);
      const Modes found = find_modes(*loaded.mechanism, start.consistency, start.state);
      ASSERT_GE(found.modes.size(), 4U);
      const double ratios[] = {0.01, 0.05, 0.002, 0.0};
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_NEAR(found.modes[k].damping, ratios[k], 1e-6) << dimension << is_clamped << k;
    }
  }
}

// Rigid motions are not damped, however fast and wherever they have turned to.
TEST(BeamModalDamping, LeavesRigidMotionsAlone) {
  const std::string motion = ", velocity: [1, 2], angular_velocity: [0, 0, 50]";
  for (const int dimension : {2, 3}) {
    const LoadedModel with =
        model_of(damped(dimension, motion + ", modal_damping: {ratios: [0.1, 0.1]}", ""));
    const LoadedModel without = model_of(damped(dimension, motion, ""));
    const State s = with.mechanism->initial_state();
    Vector a, b;
    with.mechanism->system().force(s, a);
    without.mechanism->system().force(s, b);
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-9 * (1.0 + b.cwiseAbs().maxCoeff()));
  }
}

State sized(const Mechanism& m) {
  State s = m.initial_state();
  const SystemSizes n = m.system().sizes();
  s.acceleration.setZero(n.velocities);
  s.multiplier.setZero(n.constraints);
  s.nonholonomic_multiplier.setZero(n.nonholonomic);
  s.control_rate.setZero(n.controls);
  return s;
}

TEST(BeamTangents, AreThoseOfTheForces) {
  for (const int dimension : {2, 3}) {
    for (const std::string how :
         {"from: [0, 0], to: [1, 0.3], damping: 0.1",
          "from: [0, 0], to: [1, 0.3], modal_damping: {ratios: [0.3, 0.2]}",
          "from: [0, 0], to: [1, 0.3], modal_damping: {ratios: [0.3, 0.2], held: both}",
          "from: [0, 0], corners: [[0.5, 0.5]], to: [1, 0.3], damping: 0.1",
          "from: [0, 0], corners: [[0.5, 0.5]], to: [1, 0.3], modal_damping: {ratios: [0.1]}",
          "path: [s, s^2], damping: 0.1", "from: [0, 0], to: [1, 0.3], tension_only: true"}) {
      const LoadedModel loaded = model_of(
          fmt::format("dimension: {}\ngravity: [1, -2]\nbeams:\n  rod: {{{}, elements: 3, section: "
                      "{{type: general, stiffness: [30, 20, 15, 2, 3, 4], line_mass: 1.3, "
                      "line_inertia: [0.5, 0.2, 0.4]}}}}\n",
                      dimension, how));
      testing::TangentChecks(how, loaded.mechanism->system(), sized(*loaded.mechanism), 0.05).all();
    }
  }
}

// --- cables --------------------------------------------------------------------------------------

// A cable of 12 m that hangs over 10 m, in closed form; it bends as good as nothing.
TEST(BeamCables, HangAsACatenary) {
  const double half = 1.0267382913709697, depth = 6.0 / half * (1.0 - std::cos(half));
  for (const std::string option : {"", ", tension_only: true"}) {
    for (const double bending : {1e-3, 1e-7}) {
      const LoadedModel loaded = model_of(fmt::format(
          R"(dimension: 2
gravity: [0, -10]
beams:
  cable: {{from: [0, 0], via: [5, {:.17g}], to: [10, 0], elements: 64, section: {{type: general,
    stiffness: [1e4, 1e4, 1e4, {:g}, {:g}, {:g}], line_mass: 1, line_inertia: [2e-4, 1e-4, 1e-4]}}{}}}
joints:
  left: {{type: revolute, between: [ground, cable.start], at: [0, 0]}}
  right: {{type: revolute, between: [ground, cable.end], at: [10, 0]}}
)",
          -depth, bending, bending, bending, option));
      EXPECT_NEAR(pose_of(loaded, resting_state(loaded), "cable.node32").r(1), -2.979298712151,
                  5e-3)
          << option << bending;
    }
  }
}

// Between ends that come nearer a cable falls slack, where a beam pushes.
TEST(BeamCables, TakeNoCompression) {
  const auto pull = [](const std::string& option, double by) {
    const LoadedModel loaded = model_of(fmt::format(
        "dimension: 2\nbeams:\n  cable: {{from: [0, 0], to: [1, 0], elements: 1, {}{}}}\n",
        kSection, option));
    State s = loaded.mechanism->initial_state();
    const Mechanism& m = *loaded.mechanism;
    s.position(m.bodies()[m.find_body("cable.node1")].first_position) += by;
    Vector F;
    m.system().force(s, F);
    return F(m.bodies()[m.find_body("cable.node0")].velocity[0]);
  };
  EXPECT_NEAR(pull("", 0.01), 1e3, 1e-6);
  EXPECT_NEAR(pull(", tension_only: true", 0.01), 1e3, 1e-6);
  EXPECT_NEAR(pull("", -0.01), -1e3, 1e-6);
  EXPECT_NEAR(pull(", tension_only: true", -0.01), 0.0, 1e-6 * 1e3 * 1.01);
}

}  // namespace
}  // namespace picus
