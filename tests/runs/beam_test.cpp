// SPDX-License-Identifier: BSD-3-Clause
// Beams against closed forms and converged solutions: statics, frequencies, free flight.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/equilibrium.h"
#include "picus/runs/modes.h"
#include "tests/runs/models.h"

namespace picus {
namespace {

constexpr double kPi = std::numbers::pi;

Vector3 place_of(const Mechanism& m, const State& s, const std::string& body) {
  const int number = m.find_body(body);
  return m.bodies().pose(number, s.position).point(m.origin(number));
}

Equilibrium at_rest(const LoadedModel& loaded) {
  const Mechanism& m = *loaded.mechanism;
  Equilibrium found = find_equilibrium(m, assemble_start(m), {.max_iterations = 5000});
  EXPECT_TRUE(found.found) << found.message;
  return found;
}

// EA, G A, G A, G J, E I, E I; unit mass and inertia of rotation.
std::string general(double axial, double shear, double torsion, double bending) {
  return fmt::format(
      "{{type: general, stiffness: [{0}, {1}, {1}, {2}, {3}, {3}], line_mass: 1, line_inertia: "
      "[0.02, 0.01, 0.01]}}",
      axial, shear, torsion, bending);
}

std::string clamped_in_plane(int elements, const std::string& section, const std::string& load) {
  return fmt::format(R"(dimension: 2
beams:
  rod: {{from: [0, 0], to: [10, 0], elements: {}, section: {}}}
joints:
  clamp: {{type: fixed, between: [ground, rod.start]}}
forces:
  load: {}
)",
                     elements, section, load);
}

// An end moment of 2π E I/L bends a cantilever into a full circle, whatever the number of elements.
TEST(BeamStatics, AnEndMomentRollsACantileverUp) {
  for (const int elements : {5, 8, 16}) {
    for (const double part : {0.25, 1.0}) {
      const double moment = part * 2.0 * kPi * 100.0 / 10.0;
      const LoadedModel loaded = model_of(clamped_in_plane(
          elements, general(1e4, 5e3, 80.0, 100.0),
          fmt::format("{{type: torque, between: [ground, rod.end], torque: {:.17g}}}", moment)));
      const Equilibrium found = at_rest(loaded);
      const Vector3 tip =
          place_of(*loaded.mechanism, found.state, fmt::format("rod.node{}", elements));
      const double radius = 100.0 / moment, turn = part * 2.0 * kPi;
      EXPECT_NEAR(tip(0), radius * std::sin(turn), 1e-7) << elements << " " << part;
      EXPECT_NEAR(tip(1), radius * (1.0 - std::cos(turn)), 1e-7) << elements << " " << part;
    }
  }
}

// w = P L³/3EI + P L/GA for a small load; constant strains leave P L³/12EI n² of it out.
TEST(BeamStatics, ASmallTipLoadBendsAndShears) {
  const double load = 1e-3;
  for (const int elements : {2, 4, 8}) {
    const LoadedModel loaded = model_of(
        clamped_in_plane(elements, general(1e3, 500.0, 80.0, 100.0),
                         fmt::format("{{type: force, body: rod.end, force: [0, {}]}}", load)));
    const Equilibrium found = at_rest(loaded);
    const double tip =
        place_of(*loaded.mechanism, found.state, fmt::format("rod.node{}", elements))(1);
    const double bend = load * 1000.0 / 300.0, shear = load * 10.0 / 500.0;
    EXPECT_NEAR(tip, bend * (1.0 - 0.25 / (elements * elements)) + shear, 1e-6 * bend) << elements;
  }
}

// A load at a marker between nodes: w = P a³/3EI (1 − 1/4n²) + P a/GA below it, n elements from the
// clamp; beyond it the beam stays straight.
TEST(BeamMarkers, CarryLoadsAnywhere) {
  const double load = 1e-3;
  for (const double s : {0.0371, 0.37, 0.5, 0.93}) {
    for (const int elements : {1, 8, 20}) {
      const LoadedModel loaded = model_of(fmt::format(
          R"(dimension: 2
beams:
  rod: {{from: [0, 0], to: [10, 0], elements: {}, section: {},
    markers: {{here: {{s: {}}}, top: {{s: {}, at: [0, 0.5]}}}}}}
joints:
  clamp: {{type: fixed, between: [ground, rod.start]}}
forces:
  load: {{type: force, body: rod.here, force: [0, {}]}}
)",
          elements, general(1e3, 500.0, 80.0, 100.0), s, s, load));
      const Mechanism& m = *loaded.mechanism;
      const auto below = static_cast<int>(std::ceil(elements * s - 1e-6)),
                 above = static_cast<int>(std::ceil(elements * (1.0 - s) - 1e-6));
      ASSERT_EQ(m.flexible()[0]->nodes().size(), static_cast<std::size_t>(below + above + 1));
      const Equilibrium found = at_rest(loaded);
      const double a = 10.0 * s, bend = load * a * a * a / 300.0, shear = load * a / 500.0;
      const double here = bend * (1.0 - 0.25 / (below * below)) + shear;
      const double slope = load * a * a / 200.0;
      EXPECT_NEAR(place_of(m, found.state, fmt::format("rod.node{}", below))(1), here, 1e-6 * bend)
          << s << " " << elements;
      EXPECT_NEAR(place_of(m, found.state, fmt::format("rod.node{}", below + above))(1),
                  here + slope * (10.0 - a), 1e-5 * (bend + slope * (10.0 - a)))
          << s << " " << elements;
    }
  }
}

// Markers on nodes of the mesh change nothing, and those at one place share a node.
TEST(BeamMarkers, ShareNodes) {
  const auto nodes = [](const std::string& markers) {
    const LoadedModel loaded = model_of(fmt::format(
        "beams:\n  rod: {{from: [0, 0, 0], to: [1, 0, 0], elements: 10, section: {}, markers: {}}}",
        general(1e3, 500.0, 80.0, 100.0), markers));
    return loaded.mechanism->flexible()[0]->nodes().size();
  };
  EXPECT_EQ(nodes("{}"), 11U);
  EXPECT_EQ(nodes("{a: {s: 0}, b: {s: 0.3}, c: {s: 0.7}, d: {s: 1}}"), 11U);
  EXPECT_EQ(nodes("{a: {s: 0.33}, b: {s: 0.33, at: [0, 0.1, 0]}}"), 12U);
  EXPECT_EQ(nodes("{a: {s: 0.33}, b: {s: 0.34}}"), 13U);
}

// A beam on two supports with a load on its overhang: the reactions are those of the lever.
TEST(BeamMarkers, CarryJointsAndSprings) {
  const LoadedModel loaded = model_of(fmt::format(
      R"(gravity: [0, 0, 0]
beams:
  rod: {{from: [0, 0, 0], to: [4, 0, 0], elements: 6, section: {},
    markers: {{left: {{s: 0.13, axis: [0, 1, 0]}}, right: {{s: 0.61}}}}}}
joints:
  hinge: {{type: revolute, between: [ground, rod.left], at: [0.52, 0, 0], axis: [0, 1, 0]}}
forces:
  spring: {{type: spring_damper, between: [ground, rod.right], points: [[2.44, 0, -1], [2.44, 0, 0]],
    stiffness: 1e4, length: 1}}
  load: {{type: force, body: rod.end, force: [0, 0, -0.1]}}
)",
      general(1e6, 1e5, 80.0, 1e3)));
  const Mechanism& m = *loaded.mechanism;
  const Equilibrium found = at_rest(loaded);
  const Reaction hinge = m.reaction(m.joints()[0], found.state);
  const double arm = (4.0 - 0.52) / (2.44 - 0.52);
  EXPECT_NEAR(hinge.force(2), -0.1 * (arm - 1.0), 1e-5);
}

// Small loads: q bends the tip by q L⁴/8EI + q L²/2GA, for any number of elements since errors of
// load and bending cancel, and k x by 11 k L⁵/120EI + k L³/3GA, with an error of order two.
TEST(BeamLoads, BendACantilever) {
  const auto tip_under = [](const std::string& load, int elements) {
    const LoadedModel loaded = model_of(fmt::format(
        R"(dimension: 2
beams:
  rod: {{from: [0, 0], to: [10, 0], elements: {}, section: {}, {}}}
joints:
  clamp: {{type: fixed, between: [ground, rod.start]}}
)",
        elements, general(1e3, 500.0, 80.0, 100.0), load));
    const Equilibrium found = at_rest(loaded);
    return place_of(*loaded.mechanism, found.state, fmt::format("rod.node{}", elements))(1);
  };
  const double uniform = 1e-4 * (1e4 / 800.0 + 100.0 / 1000.0);
  for (const int elements : {1, 4, 16})
    for (const std::string load :
         {"load: [0, 1e-4]", "section_load: [0, 1e-4]", "load: [0, 1e-4 - vy]"})
      EXPECT_NEAR(tip_under(load, elements), uniform, 1e-6 * uniform) << load << elements;
  const double growing = 1e-5 * (11.0 * 1e5 / 12000.0 + 1000.0 / 1500.0);
  const double coarse = tip_under("load: [0, 1e-5*x]", 8) - growing,
               fine = tip_under("load: [0, 1e-5*x]", 16) - growing;
  EXPECT_LT(std::abs(fine), 1e-2 * growing);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
}

// Very slender beams do not lock: axial and shear stiffnesses that are up to 1e6 times as large
// change nothing but what they stretch and shear.
TEST(BeamStatics, SlenderBeamsDoNotLock) {
  std::vector<double> tips;
  for (const double stiff : {1e4, 1e7, 1e10}) {
    const LoadedModel loaded = model_of(clamped_in_plane(
        4, general(stiff, stiff, 80.0, 100.0), "{type: force, body: rod.end, force: [0, 0.3]}"));
    const Equilibrium found = at_rest(loaded);
    tips.push_back(place_of(*loaded.mechanism, found.state, "rod.node4")(1));
  }
  EXPECT_NEAR(tips[0], tips[2], 1e-3 * tips[2]);
  EXPECT_NEAR(tips[1], tips[2], 1e-6 * tips[2]);
}

// Bathe and Bolourchi's bend of 45 degrees under a dead load out of its plane; the reference is a
// solution of the rod's boundary-value problem by shooting, to 1e-8 (GA = 5e6, GJ = E/12).
TEST(BeamStatics, The45DegreeBendConvergesWithOrderTwo) {
  const Vector3 reference(-23.56023955, 13.60452135, 53.47485879);
  std::vector<double> errors;
  for (const int elements : {4, 8, 16}) {
    const double s = std::sqrt(0.5), t = kPi / 8.0;
    const LoadedModel loaded = model_of(fmt::format(
        R"(beams:
  bend:
    from: [0, 0, 0]
    via: [{:.17g}, {:.17g}, 0]
    to: [{:.17g}, {:.17g}, 0]
    elements: {}
    section: {{type: general, stiffness: [1e7, 5e6, 5e6, 833333.3333333334, 833333.3333333334,
      833333.3333333334], line_mass: 1, line_inertia: [0.2, 0.1, 0.1]}}
joints:
  clamp: {{type: fixed, between: [ground, bend.start]}}
forces:
  load: {{type: force, body: bend.end, force: [0, 0, 600]}}
)",
        100.0 * std::sin(t), -100.0 * (1.0 - std::cos(t)), 100.0 * s, -100.0 * (1.0 - s),
        elements));
    const Mechanism& m = *loaded.mechanism;
    const std::string end = fmt::format("bend.node{}", elements);
    const Vector3 before = place_of(m, m.initial_state(), end);
    const Equilibrium found = at_rest(loaded);
    errors.push_back((place_of(m, found.state, end) - before - reference).cwiseAbs().maxCoeff());
  }
  EXPECT_NEAR(errors[0], 0.570, 0.02);
  EXPECT_NEAR(errors[1], 0.142, 0.005);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.03);
}

// (β L)² √(E I/ρ A)/L² of the clamped-free beam, β L = 1.8751; shear and rotary inertia take 2e-4
// of it.
TEST(BeamModes, ACantileverHasItsFrequencyWithOrderTwo) {
  const double speed = std::sqrt(210e9 / 7850.0 * 1e-4) / 4.0;  // √(E I/ρ A)/L², I/A = r²/4
  const double exact = 1.875104069 * 1.875104069 * speed / (2.0 * kPi);
  for (const int dimension : {2, 3}) {
    std::vector<double> found;
    for (const int elements : {8, 16, 32}) {
      const LoadedModel loaded = model_of(fmt::format(
          R"(dimension: {}
beams:
  rod: {{from: [0, 0], to: [2, 0], elements: {}, section: {{type: circle, radius: 0.02}},
    material: steel}}
joints:
  clamp: {{type: fixed, between: [ground, rod.start]}}
)",
          dimension, elements));
      const Start start = assemble_start(*loaded.mechanism);
      const Modes modes = find_modes(*loaded.mechanism, start.consistency, start.state);
      found.push_back(modes.modes[0].frequency);
      if (dimension == 3) {  // both directions of bending are alike
        EXPECT_NEAR(modes.modes[1].frequency, found.back(), 1e-6 * exact);
      }
    }
    EXPECT_NEAR(std::log2((found[0] - found[1]) / (found[1] - found[2])), 2.0, 0.05) << dimension;
    const double limit = found[2] + (found[2] - found[1]) / 3.0;
    EXPECT_NEAR(limit, exact, 5e-4 * exact) << dimension;
  }
}

// A beam in free flight after a push: linear momentum exactly, energy and angular momentum within
// the tolerance.
TEST(BeamDynamics, FreeFlightKeepsEnergyAndMomentum) {
  const LoadedModel loaded = model_of(fmt::format(R"(beams:
  rod: {{from: [0, 0, 0], to: [4, 3, 1], elements: 6, section: {},
    velocity: [1, -2, 0.5], angular_velocity: [0.3, 0.9, -1.1]}}
run: {{end_time: 2, tolerance: 1e-8}}
)",
                                                  general(2e3, 1e3, 40.0, 50.0)));
  const Mechanism& m = *loaded.mechanism;
  const Start start = assemble_start(m);
  RunPlan plan = plan_of(loaded, false);
  const RunOutcome outcome = run_mechanism(m, start, plan, {}, {});
  ASSERT_TRUE(outcome.summary.ok()) << outcome.summary.message;
  SparseMatrix M;
  const auto momentum = [&](const State& s) {
    m.system().mass_matrix(s, M);
    Vector p = Vector::Zero(s.velocity.size());
    M.multiply_add(1.0, s.velocity, p);
    Vector3 sum = Vector3::Zero(), moment = Vector3::Zero();
    for (const int node : m.flexible()[0]->nodes()) {
      const auto& places = m.bodies()[node].velocity;
      const Pose<double> pose = m.bodies().pose(node, s.position);
      const Vector3 linear = p.segment<3>(places[0]), spin = p.segment<3>(places[3]);
      sum += linear;
      moment += cross(pose.r, linear) + pose.A * spin;
    }
    return std::pair(sum, moment);
  };
  const auto [p0, l0] = momentum(start.state);
  const auto [p1, l1] = momentum(outcome.end);
  EXPECT_LT((p1 - p0).norm(), 1e-9 * p0.norm());
  EXPECT_LT((l1 - l0).norm(), 1e-5 * l0.norm());
  const auto energy = [&](const State& s) { return m.kinetic_energy(s) + m.potential_energy(s); };
  EXPECT_NEAR(energy(outcome.end), energy(start.state), 1e-5 * energy(start.state));
}

}  // namespace
}  // namespace picus
