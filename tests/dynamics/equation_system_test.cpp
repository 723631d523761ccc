// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/equation_system.h"

#include <gtest/gtest.h>

#include "picus/dynamics/consistent_state.h"
#include "studies/problems/chain.h"
#include "studies/problems/pendulum.h"

namespace picus {
namespace {

TEST(EquationSystem, NamesItsEquations) {
  const auto chain = problems::make_chain(3);
  EXPECT_EQ(chain->name_of(Equation::kConstraint, 0), "anchor.x");
  EXPECT_EQ(chain->name_of(Equation::kConstraint, 5), "pin 2.y");
  EXPECT_EQ(chain->name_of(Equation::kMomentum, 5), "momentum of link 1.angle");
}

TEST(EquationSystem, AnonymousSystemsHaveNumbers) {
  const auto system = make_system(problems::Pendulum{});
  EXPECT_EQ(system->name_of(Equation::kConstraint, 1), "constraint 1");
  EXPECT_EQ(system->name_of(Equation::kMomentum, 2), "momentum of coordinate 2");
}

TEST(EquationSystem, SparsityGrowsWithTheMechanismNotItsSquare) {
  for (const int links : {10, 100}) {
    const auto chain = problems::make_chain(links);
    State s = problems::chain_start(links);
    size_state(*chain, s);
    s.multiplier.setOnes();
    SparseMatrix M, G, K, D;
    const Vector zero = Vector::Zero(3 * links);
    chain->mass_matrix(s, M);
    chain->constraint_jacobian(s, G);
    chain->momentum_tangent(s, {s.position, zero}, K, D);
    EXPECT_EQ(M.nonzeros(), 3 * links);
    EXPECT_EQ(K.nonzeros(), links);  // only angles enter nonlinearly
    EXPECT_EQ(D.nonzeros(), 0);
    EXPECT_LE(G.nonzeros(), 8 * links);
  }
}

TEST(EquationSystem, OnePartAndManyPartsAgree) {
  // the chain of one link is a pendulum with the pin at its end
  const auto chain = problems::make_chain(1);
  const auto pendulum = make_system(
      problems::Pendulum{.mass_ = 1.0, .inertia = 1.0 / 12.0, .length = 0.5, .gravity = -9.81});
  State a = problems::chain_start(1), b = a;
  ASSERT_TRUE(make_consistent(*chain, a).ok());
  ASSERT_TRUE(make_consistent(*pendulum, b).ok());
  EXPECT_LT(max_abs(a.acceleration - b.acceleration), 1e-12);
  EXPECT_LT(max_abs(a.multiplier - b.multiplier), 1e-12);
}

// A derivative written by hand replaces the automatic one.
class HandWritten final : public EquationSystem {
 public:
  explicit HandWritten(EquationSystem&& base) : EquationSystem(std::move(base)) {}
  void constraint_jacobian(const State& s, SparseMatrix& G) const override {
    ++calls;
    G.begin(2, 3);
    G.add(0, 0, 1.0);
    G.add(1, 1, 1.0);
    G.add(0, 2, std::sin(s.position(2)));
    G.add(1, 2, -std::cos(s.position(2)));
    G.end();
  }
  mutable int calls = 0;
};

TEST(EquationSystem, CanBeOverriddenByHand) {
  const HandWritten system(std::move(*make_system(problems::Pendulum{})));
  State s = problems::Pendulum{}.at(0.7, 1.0);
  ASSERT_TRUE(make_consistent(system, s).ok());
  EXPECT_GT(system.calls, 0);
  EXPECT_LT(max_abs(s.multiplier - problems::Pendulum{}.reactions(0.7, 1.0)), 1e-12);
}

class Forgetful final : public System {
 public:
  SystemSizes sizes() const override { return {.positions = 1, .velocities = 1, .constraints = 1}; }
  void mass_matrix(const State&, SparseMatrix&) const override {}
  void force(const State&, Vector&) const override {}
  void momentum_tangent(const State&, const Chart&, SparseMatrix&, SparseMatrix&) const override {}
};

TEST(SystemDeathTest, AFeatureDeclaredButNotWrittenIsABrokenPromise) {
  const Forgetful system;
  Vector g;
  EXPECT_DEATH(system.constraint({}, g), "implements constraint");
}

}  // namespace
}  // namespace picus
