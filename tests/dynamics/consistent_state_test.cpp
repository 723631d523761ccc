// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/consistent_state.h"

#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "picus/base/error.h"
#include "picus/dynamics/equation_system.h"
#include "picus/dynamics/independent_constraints.h"
#include "studies/problems/chain.h"
#include "studies/problems/pendulum.h"
#include "tests/support/problems.h"

namespace picus::testing {
namespace {

using Status = Consistency::Status;

TEST(ConsistentState, SatisfiesEveryLevelOfEveryProblem) {
  for (const TestProblem& problem : all_problems()) {
    const System& system = *problem.system;
    const State& s = problem.start;
    Vector g, rate, acceleration, k, k_rate, F, d;
    system.constraint(s, g);
    system.constraint_velocity(s, rate);
    system.constraint_acceleration(s, acceleration);
    system.nonholonomic(s, k);
    system.nonholonomic_rate(s, k_rate);
    system.force(s, F);
    system.control(s, d);
    SparseMatrix M;
    system.mass_matrix(s, M);
    M.multiply_add(-1.0, s.acceleration, F);
    const double fast = 1.0 + max_abs(s.acceleration);
    for (const Vector* r : {&g, &rate, &acceleration, &k, &k_rate, &F, &d})
      EXPECT_LT(max_abs(*r), 1e-12 * fast) << problem.name;
  }
}

TEST(ConsistentState, GivesTheClosedFormReactionsOfThePendulum) {
  const problems::Pendulum p;
  const auto system = make_system(p);
  State s = p.at(std::numbers::pi / 6.0, 10.0);
  ASSERT_TRUE(make_consistent(*system, s).ok());
  const Eigen::Vector2d wanted = p.reactions(std::numbers::pi / 6.0, 10.0);
  EXPECT_LT(max_abs(s.multiplier - wanted), 1e-12);
  EXPECT_NEAR(s.acceleration(2), p.angular_acceleration(std::numbers::pi / 6.0), 1e-12);
}

TEST(ConsistentState, ProjectsARoughGuessAndSaysHowFar) {
  const problems::Pendulum p;
  const auto system = make_system(p);
  State s = p.at(0.5, 2.0);
  s.position += Eigen::Vector3d(0.1, -0.05, 0.0);
  s.velocity += Eigen::Vector3d(0.3, 0.2, 0.0);
  const Consistency report = make_consistent(*system, s);
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_GT(report.position_moved, 0.01);
  EXPECT_LT(report.position_moved, 0.2);
  EXPECT_GT(report.velocity_moved, 0.01);
  Vector g;
  system->constraint(s, g);
  EXPECT_LT(max_abs(g), 1e-14);
}

TEST(ConsistentState, LeavesAConsistentStateAlone) {
  const problems::Pendulum p;
  const auto system = make_system(p);
  State s = p.at(0.5, 2.0);
  const State before = s;
  const Consistency report = make_consistent(*system, s);
  EXPECT_LT(report.position_moved, 1e-15);
  EXPECT_EQ(s.velocity, before.velocity);
}

TEST(ConsistentState, SolveAccelerationsKeepsPositionsAndVelocities) {
  const problems::Pendulum p;
  const auto system = make_system(p);
  State s = p.at(0.5, 2.0);
  s.position(0) += 0.1;
  const State before = s;
  ASSERT_TRUE(solve_accelerations(*system, s).ok());
  EXPECT_EQ(s.position, before.position);
  EXPECT_EQ(s.velocity, before.velocity);
  EXPECT_EQ(s.acceleration.size(), 3);
}

// --- redundant and contradictory constraints -------------------------------------------------

// A pin written twice, the second time with another weight and offset.
struct DoublePin {
  static constexpr int kCoordinates = 3, kConstraints = 3;
  static constexpr std::array<std::string_view, 3> kConstraintNames{"pin.x", "pin.y", "again.y"};
  double offset = 0.0, speed = 0.0;

  auto mass(const auto&) const { return diagonal(1.0, 1.0, 0.1); }
  auto force(const auto& s) const { return s.vector(0.0, -10.0, 0.0); }
  auto constraint(const auto& s) const {
    return s.vector(s.q(0) - cos(s.q(2)), s.q(1) - sin(s.q(2)),
                    2.0 * (s.q(1) - sin(s.q(2))) + offset + speed * s.t);
  }
};

TEST(RedundantConstraints, AreFoundNamedAndLeftOut) {
  const auto system = make_system(DoublePin{}, "link");
  State s = problems::Pendulum{}.at(0.4, 3.0);
  const Consistency report = make_consistent(*system, s);
  ASSERT_TRUE(report.ok()) << report.message;
  ASSERT_EQ(report.redundant.size(), 1u);
  ASSERT_EQ(report.redundant[0].follows_from.size(), 1u);
  const std::set<std::string> names{report.redundant[0].name, report.redundant[0].follows_from[0]};
  EXPECT_EQ(names, (std::set<std::string>{"link.pin.y", "link.again.y"}));
  EXPECT_EQ(report.independent.size(), 2u);

  // the motion is that of the single pin; the reactions are the shortest: (1, 2)/5 of the single
  // one
  const Eigen::Vector2d single = problems::Pendulum{}.reactions(0.4, 3.0);
  EXPECT_NEAR(s.acceleration(2), problems::Pendulum{}.angular_acceleration(0.4), 1e-12);
  EXPECT_NEAR(s.multiplier(0), single(0), 1e-12);
  EXPECT_NEAR(s.multiplier(1), single(1) / 5.0, 1e-12);
  EXPECT_NEAR(s.multiplier(2), 2.0 * single(1) / 5.0, 1e-12);
}

TEST(RedundantConstraints, ContradictionsAreErrorsThatNameBothSides) {
  const auto check = [](DoublePin pin, const char* level) {
    const auto system = make_system(pin, "link");
    State s = problems::Pendulum{}.at(0.4, 3.0);
    const Consistency report = make_consistent(*system, s);
    EXPECT_EQ(report.status, Status::kContradictory);
    EXPECT_NE(report.message.find(level), std::string::npos) << report.message;
    EXPECT_NE(report.message.find("link.pin.y"), std::string::npos) << report.message;
    EXPECT_NE(report.message.find("link.again.y"), std::string::npos) << report.message;
  };
  check({.offset = 0.1}, "at position level");
  check({.speed = 0.5}, "at velocity level");
}

struct Wall {
  static constexpr int kCoordinates = 3, kConstraints = 1;
  static constexpr std::array<std::string_view, 1> kConstraintNames{"reach"};
  auto constraint(const auto& s) const { return s.vector(s.q(0) + 0.5 * cos(s.q(2)) - 2.0); }
};

// A link of length one pinned to the ground must reach a wall two metres away.
TEST(RedundantConstraints, AnImpossibleAssemblyNamesWhatIsStillOff) {
  SystemBuilder builder;
  builder.add(problems::ChainLink{}, "link", {0, 1, 2});
  builder.add(problems::ChainAnchor{}, "left", {0, 1, 2});
  builder.add(Wall{}, "wall", {0, 1, 2});
  const auto system = builder.build();
  State s;
  s.position = Eigen::Vector3d(0.4, 0.3, 0.6);
  const Consistency report = make_consistent(*system, s);
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.message.find("reach"), std::string::npos) << report.message;
}

struct Massless {
  static constexpr int kCoordinates = 2, kConstraints = 1;
  auto mass(const auto&) const { return diagonal(1.0, 0.0); }
  auto force(const auto& s) const { return s.vector(0.0, 1.0); }
  auto constraint(const auto& s) const { return s.vector(s.q(0)); }
};

TEST(SingularMass, IsAnErrorOfItsOwn) {
  const auto system = make_system(Massless{});
  State s;
  s.position = Eigen::Vector2d::Zero();
  const Consistency report = make_consistent(*system, s);
  EXPECT_EQ(report.status, Status::kSingularMass);
  EXPECT_NE(report.message.find("mass"), std::string::npos);
}

struct NanConstraint {
  static constexpr int kCoordinates = 1, kConstraints = 1;
  auto mass(const auto&) const { return diagonal(1.0); }
  auto force(const auto& s) const { return s.vector(0.0); }
  auto constraint(const auto& s) const { return s.vector(sqrt(s.q(0) - 1.0)); }
};

TEST(NotFinite, IsReported) {
  const auto system = make_system(NanConstraint{}, "slot");
  State s;
  s.position = Vector::Constant(1, 0.5);
  const Consistency report = make_consistent(*system, s);
  EXPECT_EQ(report.status, Status::kNotFinite);
}

// A derivative that does not exist at the start is not a missing mass.
struct Kink {
  static constexpr int kCoordinates = 1, kConstraints = 1;
  auto mass(const auto&) const { return diagonal(1.0); }
  auto force(const auto& s) const { return s.vector(0.0); }
  auto constraint(const auto& s) const { return s.vector(sqrt(s.q(0)) * 0.0 + s.q(0)); }
};

TEST(NotFinite, ADerivativeIsNotMistakenForAMissingMass) {
  const auto system = make_system(Kink{}, "kink");
  State s;
  s.position = Vector::Zero(1);
  EXPECT_EQ(make_consistent(*system, s).status, Status::kNotFinite);
}

TEST(ConsistentState, AFailedStartLeavesTheStateAlone) {
  const auto system = make_system(DoublePin{.offset = 0.1}, "link");
  State s = problems::Pendulum{}.at(0.4, 3.0);
  s.position(0) += 0.3;
  const State before = s;
  ASSERT_FALSE(make_consistent(*system, s).ok());
  EXPECT_EQ(s.position, before.position);
  EXPECT_EQ(s.acceleration.size(), 0);
}

// Large coordinates and large mechanisms assemble like small ones.
TEST(ConsistentState, DoesNotDependOnTheUnitOfLength) {
  for (const double scale : {1e-3, 1.0, 500.0, 1e6}) {
    const problems::Pendulum p{.length = scale};
    const auto system = make_system(p);
    State s = p.at(0.5, 2.0);
    s.position(0) += 0.4 * scale;
    const Consistency report = make_consistent(*system, s);
    ASSERT_TRUE(report.ok()) << report.message;
    Vector g;
    system->constraint(s, g);
    EXPECT_LT(max_abs(g), 1e-12 * scale);
  }
}

// x² + y² = 1 and x = 1/2 have parallel gradients at the guess (1, 0), but not at the solution.
struct TangentGuess {
  static constexpr int kCoordinates = 2, kConstraints = 2;
  auto mass(const auto&) const { return diagonal(1.0, 1.0); }
  auto force(const auto& s) const { return s.vector(0.0, 0.0); }
  auto constraint(const auto& s) const {
    return s.vector(s.q(0) * s.q(0) + s.q(1) * s.q(1) - 1.0, s.q(0) - 0.5);
  }
};

TEST(ConsistentState, LeavesASingularGuess) {
  const auto system = make_system(TangentGuess{});
  State s;
  s.position = Eigen::Vector2d(1.0, 0.0);
  const Consistency report = make_consistent(*system, s);
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_TRUE(report.redundant.empty());
  EXPECT_NEAR(std::abs(s.position(1)), std::sqrt(0.75), 1e-12);
}

// pow with whole exponents has derivatives of every order at zero.
struct Circle {
  static constexpr int kCoordinates = 2, kConstraints = 1;
  auto mass(const auto&) const { return diagonal(1.0, 1.0); }
  auto force(const auto& s) const { return s.vector(0.0, -9.81); }
  auto constraint(const auto& s) const {
    return s.vector(pow(s.q(0), 2.0) + pow(s.q(1), 2.0) - 1.0);
  }
};

TEST(ConsistentState, PowersAtZeroAreSmooth) {
  const auto system = make_system(Circle{});
  State s;
  s.position = Eigen::Vector2d(0.0, -1.0);
  ASSERT_TRUE(make_consistent(*system, s).ok());
  EXPECT_NEAR(s.multiplier(0), -9.81 / 2.0, 1e-12);
  SparseMatrix along_q, along_v;
  const Vector zero = Vector::Zero(2);
  system->constraint_acceleration_tangent(s, {s.position, zero}, along_q, along_v);
  EXPECT_TRUE(along_q.dense().allFinite());
}

TEST(WrongSizes, AreInputErrorsThatGiveBothNumbers) {
  const auto system = make_system(problems::Pendulum{});
  State s;
  s.position = Vector::Zero(2);
  try {
    static_cast<void>(make_consistent(*system, s));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "state: position has 2 entries, the system expects 3");
  }
  s.position = Vector::Zero(3);
  s.velocity = Vector::Zero(4);
  EXPECT_THROW(static_cast<void>(make_consistent(*system, s)), InputError);
}

// --- the reduced system ----------------------------------------------------------------------

TEST(IndependentConstraints, IsASystemWithFewerRows) {
  const auto full = make_system(DoublePin{}, "link");
  const IndependentConstraints reduced(*full, {0, 2}, {});
  State s = problems::Pendulum{}.at(0.4, 3.0), part, back;
  ASSERT_TRUE(make_consistent(*full, s).ok());
  reduced.reduce(s, part);
  ASSERT_EQ(part.multiplier.size(), 2);
  EXPECT_EQ(reduced.name_of(Equation::kConstraint, 1), "link.again.y");
  SparseMatrix G, full_G, F_lambda, F_psi;
  reduced.constraint_jacobian(part, G);
  full->constraint_jacobian(s, full_G);
  EXPECT_EQ(G.dense().row(1), full_G.dense().row(2));
  reduced.multiplier_tangent(part, F_lambda, F_psi);
  EXPECT_EQ(F_lambda.dense(), G.dense().transpose());
  ASSERT_TRUE(solve_accelerations(reduced, part).ok());
  reduced.restore(part, back);
  EXPECT_LT(max_abs(back.multiplier - s.multiplier), 1e-12);
}

}  // namespace
}  // namespace picus::testing
