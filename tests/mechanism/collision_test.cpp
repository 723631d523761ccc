// SPDX-License-Identifier: BSD-3-Clause
// Contacts that are found as bodies move.
#include <array>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "picus/mechanism/collision_batch.h"
#include "picus/simulation/simulate.h"
#include "picus/steppers/nonsmooth_methods.h"
#include "studies/problems/pile.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

// Three balls of two bodies, off their centres of mass, a free one, and a plane that is part of a
// body, in the middle of a motion.
struct Tumbling {
  std::unique_ptr<Mechanism> mechanism;
  std::unique_ptr<System> run = {};  ///< its contacts have been found
  State state = {};
};
Tumbling tumbling(bool in_space) {
  MechanismBuilder builder;
  CollisionGroup group;
  group.law = {.restitution = 0.2, .friction = 0.4};
  group.slack = 5.0;
  for (int i = 0; i < 3; ++i) {
    Body body;
    body.name = fmt::format("body {}", i);
    body.kind = in_space ? BodyKind::kSpatial : BodyKind::kPlanar;
    body.mass = 1.0 + i;
    body.inertia = Vector3(0.1, 0.2 + 0.1 * i, 0.3).asDiagonal();
    Pose<double> pose;
    pose.r = Vector3(0.9 * i, 0.2 * i * i, in_space ? 0.3 - 0.1 * i : 0.0);
    builder.add_body(body, pose, SmallVector<double, 6>::Zero());
  }
  group.balls = {{1, {0.1, 0.05, 0.0}, 0.4}, {2, {-0.1, 0.2, 0.0}, 0.3}, {2, {0.2, 0.0, 0.0}, 0.5}};
  group.planes = {{3, {0.1, -0.3, 0.0}, Vector3(-0.6, 0.8, 0.0), {.friction = 0.1}}};
  builder.add_collisions(std::move(group));
  Tumbling result{.mechanism = builder.build()};
  const System& system = result.mechanism->system();
  State& state = result.state = result.mechanism->initial_state();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> spread(-0.3, 0.3);
  Vector turn = Vector::NullaryExpr(state.velocity.size(), [&] { return spread(random); }), moved;
  system.retract(state.position, turn, moved);
  state.position = moved;
  state.velocity = Vector::NullaryExpr(state.velocity.size(), [&] { return 3.0 * spread(random); });
  ContactChange change;
  result.run = system.for_run();
  result.run->find_contacts(state, 1e-2, change);
  size_state(*result.run, state);
  for (Vector* x : {&state.acceleration, &state.multiplier, &state.nonholonomic_multiplier})
    *x = Vector::NullaryExpr(x->size(), [&] { return spread(random); });
  return result;
}

TEST(Collisions, HaveExactDerivatives) {
  for (const bool in_space : {false, true}) {
    const Tumbling found = tumbling(in_space);
    EXPECT_EQ(found.run->sizes().contacts, 5);  // 1-2, 1-3 of two bodies, three on a plane
    EXPECT_EQ(found.run->sizes().slips, in_space ? 10 : 5);
    TangentChecks(in_space ? "in space" : "in the plane", *found.run, found.state, 0.2).all();
  }
}

// What is written out for time steps is what the directions say.
TEST(Collisions, AgreeWithTheirDirections) {
  for (const bool in_space : {false, true}) {
    const Tumbling found = tumbling(in_space);
    const System& system = *found.run;
    const State& state = found.state;
    const Vector none = Vector::Zero(system.sizes().velocities);
    SparseMatrix G, Gt, k_v, k_q, kt, kt_psi;
    system.constraint_jacobian(state, G);
    system.multiplier_tangent(state, Gt, kt_psi);
    EXPECT_LT((G.dense() - Gt.dense().transpose()).norm(), 1e-13);
    system.nonholonomic_jacobian(state, k_v);
    system.nonholonomic_tangent(state, {state.position, none}, k_q, kt);
    EXPECT_LT((k_v.dense() - kt.dense()).norm(), 1e-13);
    Vector rate, slip;
    system.constraint_velocity(state, rate);
    system.nonholonomic(state, slip);
    EXPECT_LT(max_abs(rate - G.dense() * state.velocity), 1e-13);
    EXPECT_LT(max_abs(slip - k_v.dense() * state.velocity), 1e-13);
  }
}

// A moving list must hold, at every step, each pair that may close in it.
TEST(Collisions, ListsMissNothingAndFollowTheirContacts) {
  problems::Pile pile{.balls = 60, .in_space = true, .friction = 0.3};
  const auto mechanism = pile.mechanism();
  const auto run = mechanism->system().for_run();
  System& system = *run;
  State state = mechanism->initial_state(), next;
  std::mt19937 random(2);
  std::uniform_real_distribution<double> spread(-1.0, 1.0);
  for (int i = 0; i < state.velocity.size(); ++i)
    state.velocity(i) = spread(random);
  const auto balls = pile.start();
  const auto centre = [&](std::size_t i) {
    return mechanism->bodies().pose(static_cast<int>(i) + 1, state.position).r;
  };
  ContactChange change;
  std::vector<std::string> names;
  int changes = 0;
  const double h = 5e-3;
  for (int step = 0; step < 60; ++step) {
    const bool changed = system.find_contacts(state, h, change);
    std::vector<std::string> now;
    for (int i = 0; i < system.sizes().contacts; ++i)
      now.push_back(system.name_of(Equation::kConstraint, i));
    changes += changed ? 1 : 0;
    for (std::size_t i = 0; changed && i < now.size(); ++i) {
      if (change.contacts[i] >= 0) {
        EXPECT_EQ(names[static_cast<std::size_t>(change.contacts[i])], now[i]);
        EXPECT_EQ(change.slips[2 * i + 1], 2 * change.contacts[i] + 1);
      }
    }
    names = now;
    const std::set<std::string> listed(now.begin(), now.end());
    for (std::size_t i = 0; i < balls.size(); ++i)
      for (std::size_t j = i + 1; j < balls.size(); ++j) {
        const double speed = state.velocity.segment<3>(static_cast<int>(6 * i)).norm() +
                             state.velocity.segment<3>(static_cast<int>(6 * j)).norm();
        const double gap = (centre(i) - centre(j)).norm() - balls[i].radius - balls[j].radius;
        EXPECT_TRUE(gap > h * speed ||
                    listed.contains(fmt::format("gap between ball {} and ball {}", i + 1, j + 1)));
      }
    Vector increment = h * state.velocity;
    system.retract(state.position, increment, next.position);
    state.position.swap(next.position);
  }
  EXPECT_GT(changes, 3);
  EXPECT_LT(changes, 60) << "a list serves for several steps";
}

// Three seconds with residuals of one millionth.
State end_of(const Mechanism& mechanism, const Observer& observe = {}) {
  MoreauJeanOptions options;
  options.directions = ContactDirections::kExplicit;
  options.contact.contact_tolerance = 1e-6;
  const auto stepper = make_moreau_jean(options);
  FixedStep controller(4e-3);
  State state = mechanism.initial_state();
  const Summary summary =
      simulate(mechanism.system(), state, *stepper, controller, {.end_time = 3.0}, observe);
  EXPECT_TRUE(summary.ok()) << summary.message;
  return state;
}

// Energy of the way down to the floor.
double fall_of(const problems::Pile& pile) {
  double fall = 0.0;
  for (const auto& ball : pile.start())
    fall += ball.mass * pile.gravity * pile.up().dot(ball.centre);
  return fall;
}

TEST(Collisions, APileComesToRestInsideItsBox) {
  for (const bool in_space : {false, true}) {
    const problems::Pile pile{.balls = in_space ? 27 : 25, .in_space = in_space};
    const auto mechanism = pile.mechanism();
    int most = 0;
    const State state = end_of(*mechanism, [&](const Moment& m) {
      most = std::max(most, m.system.sizes().contacts);
      return true;
    });
    EXPECT_GT(most, 25);
    // nothing resists rolling: in space a single ball may go on for long
    EXPECT_LT(mechanism->kinetic_energy(state), (in_space ? 1e-6 : 1e-12) * fall_of(pile));
    const auto run = mechanism->system().for_run();
    ContactChange change;
    run->find_contacts(state, 0.0, change);
    Vector gaps;
    run->constraint(state, gaps);
    EXPECT_GT(gaps.minCoeff(), -0.2 * pile.radius);
  }
}

// Balls faster than a millionth of the speed of a fall from one metre.
int moving(const Mechanism& mechanism, const problems::Pile& pile, const State& state) {
  int count = 0;
  for (int i = 0; i < pile.balls; ++i)
    count += mechanism.bodies().twist(i + 1, state.velocity).norm() > 4e-6 ? 1 : 0;
  return count;
}

// Most of these steps are beyond what sweeps can do. In space some balls on top roll on with
// whatever energy they have, since nothing resists that, and how many is chance: other solvers and
// other seeds left none to two. All the others are at rest.
TEST(Collisions, PilesComeToRestWithResidualsOfOneMillionth) {
  for (const bool in_space : {false, true}) {
    const problems::Pile pile{
        .balls = in_space ? 64 : 100, .in_space = in_space, .seed = in_space ? 12u : 1u};
    const auto mechanism = pile.mechanism();
    const State state = end_of(*mechanism);
    EXPECT_LE(moving(*mechanism, pile, state), in_space ? 3 : 0);
    if (!in_space) {
      EXPECT_LT(mechanism->kinetic_energy(state), 1e-14 * fall_of(pile));
    }
  }
}

// Contacts belong to a run: two runs of one mechanism, one begun within the other, know nothing of
// each other, and the mechanism's own system finds none.
TEST(Collisions, RunsOfOneMechanismDoNotDisturbEachOther) {
  const auto mechanism = problems::Pile{.balls = 25, .in_space = false}.mechanism();
  const State alone = end_of(*mechanism);
  State within;
  int moments = 0;
  const State around = end_of(*mechanism, [&](const Moment&) {
    if (++moments == 200) within = end_of(*mechanism);
    return true;
  });
  EXPECT_EQ(alone.position, around.position);
  EXPECT_EQ(alone.velocity, within.velocity);
  EXPECT_EQ(mechanism->system().sizes().contacts, 0);
}

// The same in threads; ./dev test tsan looks for races.
TEST(Collisions, TwoThreadsMayShareAMechanism) {
  for (const bool in_space : {false, true}) {
    const auto mechanism = problems::Pile{.balls = 16, .in_space = in_space}.mechanism();
    std::array<State, 2> ends;
    std::thread other([&] { ends[1] = end_of(*mechanism); });
    ends[0] = end_of(*mechanism);
    other.join();
    EXPECT_EQ(ends[0].position, ends[1].position);
    EXPECT_EQ(ends[0].velocity, ends[1].velocity);
  }
}

// Once a pile has settled, neither the search nor a step touches the heap.
TEST(Collisions, AStepOfASettledPileAllocatesNothing) {
  const problems::Pile pile{.balls = 16, .in_space = false};
  const auto mechanism = pile.mechanism();
  const auto run = mechanism->system().for_run();
  System& system = *run;
  MoreauJeanOptions options;
  options.directions = ContactDirections::kExplicit;
  options.contact.contact_tolerance = 1e-3;
  const auto stepper = make_moreau_jean(options);
  FixedStep controller(4e-3);
  State state = mechanism->initial_state();
  ASSERT_TRUE(simulate(mechanism->system(), state, *stepper, controller, {.end_time = 2.0}).ok());
  ContactChange change;
  system.find_contacts(state, 4e-3, change);
  size_state(system, state);
  stepper->start(system, state);
  State next = state;
  const auto step = [&] {
    const bool changed = system.find_contacts(state, 4e-3, change);
    const bool ok = stepper->attempt(system, state, 4e-3, next).ok();
    std::swap(state, next);
    return ok && !changed;
  };
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(step());
  const long before = allocations();
  bool ok = true;
  for (int i = 0; i < 20; ++i)
    ok = ok && step();
  EXPECT_TRUE(ok);
  EXPECT_EQ(allocations() - before, 0);
}

}  // namespace
}  // namespace picus::testing
