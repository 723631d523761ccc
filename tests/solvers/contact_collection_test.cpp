// SPDX-License-Identifier: BSD-3-Clause
// Every solver of the catalog walks one collection of problems, from zero and with its defaults.
// The table of docs/contact-solvers.md is what these tests print.
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include <gtest/gtest.h>

#include "picus/solvers/contact_catalog.h"
#include "tests/solvers/contact_problems.h"

namespace picus::testing {
namespace {

// All of them in a release build; sanitizers look at the same code with fewer.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr unsigned kSeeds = 25;
#else
constexpr unsigned kSeeds = 250;
#endif
#else
constexpr unsigned kSeeds = 250;
#endif

constexpr double kDefaultTolerance = 1e-8;  // of every solver

struct Tally {
  int cases = 0, failures = 0;
  double iterations = 0.0;
};

// [0] in space, [1] in the plane, where polygons of friction are exact
using Tallies = std::array<Tally, 2>;

Tallies walk(const ContactSolverEntry& entry, const std::vector<ContactCase>& cases) {
  Tallies tallies;
  const auto solver = entry.make({});
  for (const ContactCase& c : cases) {
    Vector p = Vector::Zero(c.problem.b.size());
    const ContactReport report = solver->solve(c.problem, p);
    // whatever it says must be true
    const double residual = contact_residual(c.problem, p);
    EXPECT_NEAR(report.residual, residual, 1e-12 * (1.0 + residual)) << entry.name << c.name;
    EXPECT_EQ(report.ok(), residual <= kDefaultTolerance) << entry.name << ", " << c.name;
    EXPECT_NE(report.status, ContactReport::Status::kNoSolution) << entry.name << ", " << c.name;
    Tally& tally = tallies[c.planar ? 1 : 0];
    ++tally.cases;
    tally.failures += report.ok() ? 0 : 1;
    tally.iterations += report.iterations;
  }
  return tallies;
}

/// The failures allowed, in space and in the plane.
using Allowed = std::map<std::string_view, std::array<int, 2>>;

void expect_failures(const char* collection, const std::vector<ContactCase>& cases,
                     const Allowed& allowed) {
  for (const ContactSolverEntry& entry : contact_solver_catalog()) {
    const Tallies tallies = walk(entry, cases);
    ASSERT_TRUE(allowed.contains(entry.name)) << "state how often " << entry.name << " may fail";
    for (const std::size_t planar : {0u, 1u}) {
      const Tally& tally = tallies[planar];
      std::printf("| %s, %s | `%s` | %d of %d | %.0f |\n", collection, planar ? "plane" : "space",
                  std::string(entry.name).c_str(), tally.failures, tally.cases,
                  tally.iterations / std::max(1, tally.cases));
      EXPECT_LE(tally.failures, allowed.at(entry.name)[planar]) << entry.name << ", " << collection;
    }
  }
}

// The allowances are what was measured; those of relaxation, which ends at its limit of sweeps,
// leave room for another order of rounding. Relaxation cannot do stacks of ten storeys or mass
// ratio 4.
TEST(ContactCollection, StacksWedgesTablesAndHeapsAreSolved) {
  expect_failures("mechanical", mechanical_cases(),
                  {{"projected_jacobi", {5, 4}},
                   {"projected_gauss_seidel", {6, 5}},
                   {"nonsmooth_gauss_seidel", {2, 1}},
                   {"semismooth_newton", {0, 0}},
                   {"interior_point", {0, 0}},
                   {"proximal_pivoting", {0, 0}},
                   {"automatic", {0, 0}},
                   {"lemke", {0, 0}}});
}

TEST(ContactCollection, EveryRandomCaseHasFriction) {
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    for (const ContactCase& c : {random_scene(seed), random_problem(seed)}) {
      double most = 0.0;
      for (const ImpulseLaw& law : c.problem.laws)
        most = std::max(most, law.coefficient);
      EXPECT_GT(most, 0.0) << c.name;
    }
  }
}

TEST(ContactCollection, RandomScenesOfBodiesAreSolved) {
  std::vector<ContactCase> cases;
  for (unsigned seed = 1; seed <= kSeeds; ++seed)
    cases.push_back(random_scene(seed));
  expect_failures("random scenes", cases,
                  {{"projected_jacobi", {11, 12}},
                   {"projected_gauss_seidel", {2, 6}},
                   {"nonsmooth_gauss_seidel", {4, 3}},
                   {"semismooth_newton", {0, 0}},
                   {"interior_point", {1, 2}},
                   {"proximal_pivoting", {0, 0}},
                   {"automatic", {0, 0}},
                   {"lemke", {9, 0}}});
}

TEST(ContactCollection, RandomProblemsAreSolved) {
  std::vector<ContactCase> cases;
  for (unsigned seed = 1; seed <= kSeeds; ++seed)
    cases.push_back(random_problem(seed));
  expect_failures("random problems", cases,
                  {{"projected_jacobi", {9, 4}},
                   {"projected_gauss_seidel", {4, 3}},
                   {"nonsmooth_gauss_seidel", {3, 1}},
                   {"semismooth_newton", {0, 0}},
                   {"interior_point", {1, 2}},
                   {"proximal_pivoting", {1, 0}},
                   {"automatic", {0, 0}},
                   {"lemke", {8, 0}}});
}

// A hundred contacts, with the sparse factorisation; no other solver does all of these.
TEST(ContactCollection, NewtonSolvesHeapsOfAHundredContacts) {
  const auto solver = make_contact_solver("semismooth_newton");
  for (const bool planar : {false, true})
    for (const double mu : {0.0, 0.1, 0.2, 0.3, 0.4, 0.7}) {
      const ContactCase c = pyramid(10, planar, mu);
      Vector p = Vector::Zero(c.problem.b.size());
      const ContactReport report = solver->solve(c.problem, p);
      EXPECT_TRUE(report.ok()) << c.name << ", mu " << mu << ": " << report.residual;
      std::printf("| %s, mu %.1f | %d |\n", c.name.c_str(), mu, report.iterations);
    }
}

}  // namespace
}  // namespace picus::testing
