// SPDX-License-Identifier: BSD-3-Clause
// Every solver of the catalog walks one collection of problems. The tables of
// docs/contact-solvers.md are what this test prints.
#include <cstdio>
#include <numeric>

#include <gtest/gtest.h>

#include "picus/solvers/contact_catalog.h"
#include "tests/solvers/contact_problems.h"

namespace picus::testing {
namespace {

constexpr double kTolerance = 1e-8;  // the default of every solver

struct Tally {
  int cases = 0, failures = 0, worst = 0;
  long iterations = 0;
};

Tally walk(const ContactSolverEntry& entry, const std::vector<ContactCase>& cases) {
  Tally tally;
  const auto solver = entry.make({});
  for (const ContactCase& c : cases) {
    Vector p = Vector::Zero(c.problem.b.size());
    const ContactReport report = solver->solve(c.problem, p);
    ++tally.cases;
    // whatever it says, it must be true
    EXPECT_NEAR(report.residual, contact_residual(c.problem, p), 1e-12 * (1.0 + report.residual))
        << entry.name << ", " << c.name;
    EXPECT_EQ(report.ok(), report.residual <= kTolerance) << entry.name << ", " << c.name;
    if (!report.ok()) {
      ++tally.failures;
      if (std::getenv("VERBOSE"))
        std::printf("   %s fails: %s residual %.2e status %d\n", std::string(entry.name).c_str(),
                    c.name.c_str(), report.residual, static_cast<int>(report.status));
    }
    tally.iterations += report.iterations;
    tally.worst = std::max(tally.worst, report.iterations);
  }
  std::printf("%-24s %5d problems %4d failures %8.1f iterations on average, %d at most\n",
              std::string(entry.name).c_str(), tally.cases, tally.failures,
              static_cast<double>(tally.iterations) / tally.cases, tally.worst);
  return tally;
}

TEST(ContactCollection, Mechanical) {
  for (const auto& entry : contact_solver_catalog())
    walk(entry, mechanical_cases());
}

TEST(ContactCollection, RandomScenes) {
  std::vector<ContactCase> cases;
  for (unsigned seed = 1; seed <= 400; ++seed)
    cases.push_back(random_scene(seed));
  for (const auto& entry : contact_solver_catalog())
    walk(entry, cases);
}

TEST(ContactCollection, RandomProblems) {
  std::vector<ContactCase> cases;
  for (unsigned seed = 1; seed <= 400; ++seed)
    cases.push_back(random_problem(seed));
  for (const auto& entry : contact_solver_catalog())
    walk(entry, cases);
}

}  // namespace
}  // namespace picus::testing
