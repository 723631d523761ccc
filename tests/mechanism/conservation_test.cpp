// SPDX-License-Identifier: BSD-3-Clause
// Laws of mechanics for every joint and force between two free bodies, with every integrator that
// takes them.
#include <cmath>

#include <gtest/gtest.h>

#include "picus/dynamics/consistent_state.h"
#include "picus/simulation/simulate.h"
#include "tests/mechanism/two_bodies.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

struct Invariants {
  Vector3 momentum = Vector3::Zero(), spin = Vector3::Zero();
  double energy = 0.0;
};

Invariants invariants_of(const Mechanism& m, const State& s) {
  Invariants result;
  for (int b = 1; b < m.bodies().size(); ++b) {
    const Pose<double> pose = m.bodies().pose(b, s.position);
    const SmallVector<double, 6> twist = m.bodies().twist(b, s.position, s.velocity);
    const Vector3 p = m.bodies()[b].mass * twist.head<3>();
    result.momentum += p;
    result.spin += cross(pose.r, p) + pose.A * (m.bodies()[b].inertia * twist.tail<3>());
  }
  result.energy = m.kinetic_energy(s) + m.potential_energy(s);
  return result;
}

// How far the invariants are from their start after a run with constant steps.
Invariants drift(const Mechanism& mechanism, const StepperEntry& method, double h, double end) {
  const auto stepper = method.make({});
  State state = mechanism.initial_state();
  EXPECT_TRUE(make_consistent(mechanism.system(), state).ok());
  const Invariants before = invariants_of(mechanism, state);
  FixedStep control(h);
  const Summary summary = simulate(mechanism.system(), state, *stepper, control, {.end_time = end});
  EXPECT_TRUE(summary.ok()) << method.name << ": " << summary.message;
  const Invariants after = invariants_of(mechanism, state);
  return {after.momentum - before.momentum, after.spin - before.spin, after.energy - before.energy};
}

// Half the step, a quarter of the drift; below `floor` it is rounding and Newton's tolerance.
void expect_second_order(double coarse, double fine, double floor, const std::string& what) {
  EXPECT_LT(std::abs(coarse), 2e-2) << what;
  if (std::abs(coarse) < floor) return;
  EXPECT_LT(std::abs(fine), 0.32 * std::abs(coarse)) << what << ", " << coarse << " " << fine;
}

void expect_conservation(const Mechanism& mechanism, double h, double end) {
  int walked = 0;
  for (const StepperEntry& method : stepper_catalog()) {
    if (method.make({})->traits().order < 2) continue;
    if (!accepts(*method.make({}), mechanism.system())) continue;
    ++walked;
    SCOPED_TRACE(method.name);
    const Invariants coarse = drift(mechanism, method, h, end),
                     fine = drift(mechanism, method, 0.5 * h, end);
    EXPECT_LT(coarse.momentum.norm(), 1e-8) << "reactions are equal and opposite";
    expect_second_order(coarse.spin.norm(), fine.spin.norm(), 1e-8, "angular momentum");
    expect_second_order(coarse.energy, fine.energy, 1e-8, "energy");
  }
  EXPECT_GE(walked, 1);
}

bool is_free(const PartCase& part) {
  bool free = part.model.motions.empty() && part.model.constraints.empty();
  for (const Named<Joint>& joint : part.model.joints) {
    std::visit(
        [&](const auto& j) {
          if constexpr (requires { j.between; }) free = free && j.between[0].text != "ground";
        },
        joint.value);
  }
  return free;
}

std::vector<PartCase> free_joints() {
  std::vector<PartCase> cases;
  for (PartCase part : joint_cases()) {
    if (!is_free(part)) continue;
    part.model.gravity.setZero();
    cases.push_back(std::move(part));
  }
  return cases;
}

class FreeJoints : public ::testing::TestWithParam<PartCase> {};

TEST_P(FreeJoints, KeepMomentumAndEnergy) {
  const auto mechanism = GetParam().assembled();
  expect_conservation(*mechanism, 5e-3, 0.2);
}

INSTANTIATE_TEST_SUITE_P(Laws, FreeJoints, ::testing::ValuesIn(free_joints()), name_of);

// Frames whose maps follow by duals are slow: one joint stands for all.
std::vector<PartCase> carried_joint() {
  for (const PartCase& part : on_carried_frames(free_joints()))
    if (part.name == "carried_spatial_spherical") return {part};
  return {};
}

INSTANTIATE_TEST_SUITE_P(CarriedLaws, FreeJoints, ::testing::ValuesIn(carried_joint()), name_of);

// Dzhanibekov's: about its middle axis the body tumbles over.
TEST(FreeBody, KeepsMomentumAndEnergyWhileItTumbles) {
  Model model;
  BodyPart part;
  part.mass = 2.0;
  part.inertia = {0.1, 0.2, 0.3};
  part.velocity = {1.0, -0.5, 0.2};
  part.angular_velocity = {0.05, 6.0, 0.05};
  model.bodies = {{"nut", {}, part}};
  const auto mechanism = assemble(model, AssemblyContext::throwing());
  expect_conservation(*mechanism, 4e-3, 2.0);
}

// --- forces --------------------------------------------------------------------------------------

bool is_between_bodies(const PartCase& part) {
  return !std::holds_alternative<PointForce>(part.model.forces.front().value);
}

std::vector<PartCase> internal_forces() {
  std::vector<PartCase> cases;
  for (PartCase part : force_cases()) {
    if (!is_between_bodies(part)) continue;
    part.model.gravity.setZero();
    cases.push_back(std::move(part));
  }
  return cases;
}

class InternalForces : public ::testing::TestWithParam<PartCase> {};

// Total force and total moment about the origin vanish.
TEST_P(InternalForces, AreEqualAndOpposite) {
  const auto mechanism = GetParam().assembled();
  State state = mechanism->initial_state();
  ASSERT_TRUE(make_consistent(mechanism->system(), state).ok());
  // at rest no gyroscopic moment enters; force states keep what they had in motion
  State rest = state;
  rest.velocity.setZero();
  rest.multiplier.setZero();  // joints are open there, and only the force counts
  // away from the start, where springs between frames that coincide are at ease
  const Vector away = Vector::LinSpaced(mechanism->system().sizes().velocities, 0.1, 0.3);
  mechanism->system().retract(state.position, away, rest.position);
  Vector F;
  mechanism->system().force(rest, F);
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
  double largest = 0.0;
  for (int b = 1; b < mechanism->bodies().size(); ++b) {
    const Pose<double> pose = mechanism->bodies().pose(b, rest.position);
    const Vector6 f = mechanism->bodies().entries(b, F);
    force += f.head<3>();
    moment += cross(pose.r, Vector3(f.head<3>())) + pose.A * f.tail<3>();
    largest = std::max(largest, f.norm());
  }
  EXPECT_GT(largest, 1e-3) << "the force acts";
  EXPECT_LT(force.norm(), 1e-12 * largest);
  EXPECT_LT(moment.norm(), 1e-12 * largest);
}

INSTANTIATE_TEST_SUITE_P(Laws, InternalForces, ::testing::ValuesIn(internal_forces()), name_of);
INSTANTIATE_TEST_SUITE_P(CarriedLaws, InternalForces,
                         ::testing::ValuesIn(on_carried_frames(internal_forces())), name_of);

// The part of a linear or contact force that depends on velocities never gives power.
TEST(Dampers, OnlyDissipate) {
  int checked = 0;
  for (const PartCase& part : force_cases()) {
    if (part.name.find("formula") != std::string::npos) continue;
    const Force& force = part.model.forces.front().value;
    if (std::holds_alternative<PointForce>(force) || std::holds_alternative<Torque>(force) ||
        std::holds_alternative<GeneralForce>(force))
      continue;
    ++checked;
    Model model = part.model;
    model.gravity.setZero();
    const auto mechanism = assemble(model, AssemblyContext::throwing());
    // without inertia in F: spheres have no gyroscopic moment, and it gives no power anyway
    State moving = sized(*mechanism), rest = moving;
    rest.velocity.setZero();
    Vector with, without;
    for (int sample = 1; sample <= 20; ++sample) {
      for (int k = 0; k < moving.velocity.size(); ++k)
        moving.velocity(k) = std::sin(1.7 * sample * (k + 1));
      mechanism->system().force(moving, with);
      mechanism->system().force(rest, without);
      EXPECT_LE((with - without).dot(moving.velocity), 1e-12) << part.name;
    }
  }
  EXPECT_GE(checked, 8);
}

TEST(ConservativeForces, KeepEnergy) {
  std::vector<std::pair<std::string, Force>> forces;
  SpringDamper spring;
  spring.between = {{"a.tip", {}}, {"b.tip", {}}};
  spring.stiffness = 12.0;
  spring.length = 0.2;
  spring.preload = 1.5;
  forces.emplace_back("spring", spring);
  Connection connection;
  connection.between = {{"a", {}}, {"b", {}}};
  connection.at = Vector3(0.5, 0.2, 0.1);
  TorsionSpring torsion;
  static_cast<Connection&>(torsion) = connection;
  torsion.stiffness = 3.0;
  forces.emplace_back("torsion_spring", torsion);
  Bushing bushing;
  static_cast<Connection&>(bushing) = connection;
  bushing.stiffness = {10.0, 20.0, 30.0};
  bushing.torsional_stiffness = {2.0, 2.0, 2.0};
  forces.emplace_back("bushing", bushing);
  ContactForce contact;
  contact.between = {{"a", {}}, {"b", {}}};
  contact.radius = 3.0;
  contact.normal.stiffness = 10.0;
  contact.other_radius = 1.0;
  forces.emplace_back("contact_force", contact);
  for (Model model : {two_spatial_bodies(), two_planar_bodies()}) {
    for (const auto& [name, force] : forces) {
      SCOPED_TRACE(name + (model.dimension == 2 ? " in the plane" : " in space"));
      model.forces = {{"force", {}, force}};
      model.gravity.setZero();
      expect_conservation(*assemble(model, AssemblyContext::throwing()), 4e-3, 0.2);
    }
  }
}

}  // namespace
}  // namespace picus::testing
