// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/contact_phase.h"

#include <functional>

#include <gtest/gtest.h>

#include "picus/dynamics/equation_system.h"

namespace picus::testing {
namespace {

// A particle on a curved floor with friction in two directions, a second contact and a brake.
struct CurvedFloor {
  static constexpr int kCoordinates = 3, kContacts = 2, kSlips = 5, kFrictionElements = 1;
  auto mass(const auto&) const { return diagonal(1.5, 1.5, 2.0); }
  auto force(const auto& s) const { return s.vector(sin(s.q(0)), -s.v(1) * s.v(0), -9.81); }
  auto gap(const auto& s) const {
    return s.vector(s.q(2) - 0.3 * s.q(0) * s.q(0) - 0.1 * s.q(0) * s.q(1), 2.0 - s.q(0));
  }
  auto slip(const auto& s) const {
    return s.vector(s.v(0) + 0.6 * s.q(0) * s.v(2), s.v(1) + 0.1 * s.q(0) * s.v(2), s.v(1), s.v(2),
                    s.v(1) - 0.2 * s.q(1) * s.v(2));
  }
  ContactLaw law(int contact) const { return {.friction = contact == 0 ? 0.4 : 0.2}; }
  double friction_limit(int, const auto&) const { return 1.3; }
};

std::vector<PhaseMode> slipping() {
  return {{ContactMode::kSlip, Vector2(1.0, 0.0)},
          {ContactMode::kOpen},
          {ContactMode::kSlip, Vector2(-1.0, 0.0)}};
}

State some_state(const System& system) {
  State s;
  s.position = Vector(3);
  s.position << 0.7, -0.4, 0.2;
  s.velocity = Vector(3);
  s.velocity << 0.9, -0.5, 0.3;
  size_state(system, s);
  s.acceleration << 0.1, 0.2, -0.3;
  s.multiplier.setConstant(11.0);
  s.nonholonomic_multiplier.setConstant(0.7);
  return s;
}

// Columns by central differences.
Matrix differences(const std::function<Vector(double, int)>& f, int columns) {
  constexpr double kStep = 1e-6;
  Matrix result;
  for (int j = 0; j < columns; ++j) {
    const Vector column = (f(kStep, j) - f(-kStep, j)) / (2.0 * kStep);
    if (j == 0) result.resize(column.size(), columns);
    result.col(j) = column;
  }
  return result;
}

TEST(ContactPhase, ClosedContactsAreJointsAndOpenOnesAreGone) {
  const auto system = make_system(CurvedFloor{});
  const ContactPhase sliding(*system, slipping());
  EXPECT_EQ(sliding.sizes().constraints, 1);
  EXPECT_EQ(sliding.sizes().joints(), 1);
  EXPECT_EQ(sliding.sizes().nonholonomic, 0);
  EXPECT_EQ(sliding.sizes().laws(), 0);
  EXPECT_FALSE(sliding.has_linear_reactions());
  const ContactPhase sticking(*system,
                              {{ContactMode::kStick}, {ContactMode::kOpen}, {ContactMode::kStick}});
  EXPECT_EQ(sticking.sizes().constraints, 1);
  EXPECT_EQ(sticking.sizes().nonholonomic, 3);
  EXPECT_EQ(sticking.sizes().rollings(), 3);
  EXPECT_TRUE(sticking.has_linear_reactions());
}

TEST(ContactPhase, FrictionOpposesSlipWithTheLimit) {
  const auto system = make_system(CurvedFloor{});
  const ContactPhase phase(*system, slipping());
  const State s = some_state(phase);
  State full;
  phase.expand(s, full);
  Vector slip;
  system->nonholonomic(full, slip);
  const Vector2 friction = full.nonholonomic_multiplier.head<2>();
  EXPECT_NEAR(friction.norm(), 0.4 * 11.0, 1e-9);
  EXPECT_NEAR(friction.dot(slip.head<2>()), -0.4 * 11.0 * slip.head<2>().norm(), 1e-9);
  EXPECT_EQ(full.multiplier(1), 0.0);
  EXPECT_NEAR(full.nonholonomic_multiplier(4), 1.3, 1e-12);
}

TEST(ContactPhase, HasExactDerivatives) {
  const auto system = make_system(CurvedFloor{});
  const ContactPhase phase(*system, slipping());
  const State s = some_state(phase);
  const Vector zero = Vector::Zero(3);
  SparseMatrix K, D, F_lambda, F_psi;
  phase.momentum_tangent(s, {s.position, zero}, K, D);
  phase.multiplier_tangent(s, F_lambda, F_psi);
  const auto force = [&](auto change) {
    State moved = s;
    change(moved);
    Vector F;
    phase.force(moved, F);
    return F;
  };
  const Matrix by_position =
      differences([&](double d, int j) { return force([&](State& m) { m.position(j) += d; }); }, 3);
  const Matrix by_velocity =
      differences([&](double d, int j) { return force([&](State& m) { m.velocity(j) += d; }); }, 3);
  const Matrix by_multiplier = differences(
      [&](double d, int j) { return force([&](State& m) { m.multiplier(j) += d; }); }, 1);
  EXPECT_LT((K.dense() + by_position).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((D.dense() + by_velocity).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((F_lambda.dense() - by_multiplier).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_EQ(F_psi.cols(), 0);
}

TEST(ContactPhase, KeepsAGapThatIsGiven) {
  const auto system = make_system(CurvedFloor{});
  ContactPhase phase(*system, slipping());
  const State s = some_state(phase);
  Vector before, after;
  phase.constraint(s, before);
  phase.set_gaps(Vector(before(0) * Vector::Unit(2, 0)));
  phase.constraint(s, after);
  EXPECT_NE(before(0), 0.0);
  EXPECT_EQ(after(0), 0.0);
}

}  // namespace
}  // namespace picus::testing
