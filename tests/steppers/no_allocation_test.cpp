// SPDX-License-Identifier: BSD-3-Clause
#include <numbers>
#include <vector>

#include "picus/dynamics/consistent_state.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/impact_systems.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

class NoAllocation : public StepperTest {};

TEST(AllocationCounter, SeesVectorsAndEigen) {
  const long before = allocations();
  std::vector<double> a(100);
  const long after_vector = allocations();
  Vector b = Vector::Zero(100);
  EXPECT_GT(after_vector, before);
  EXPECT_GT(allocations(), after_vector);
  EXPECT_EQ(a[0], b(0));
}

// A few steps find the patterns (entries that were exactly zero at the start fill in); from then on
// neither an attempt nor its acceptance may touch the heap.
TEST_P(NoAllocation, StepAllocatesNothing) {
  std::vector<TestProblem> problems = all_problems();
  problems.push_back(chain(40));  // large enough for the sparse solver
  for (const TestProblem& problem : problems) {
    const auto stepper = make();
    if (!accepts(*stepper, *problem.system)) continue;
    State state = problem.start, next = problem.start;
    stepper->start(*problem.system, state);
    const auto step = [&](double h) {
      const StepReport report = stepper->attempt(*problem.system, state, h, next);
      stepper->accept();
      std::swap(state, next);
      return report.ok();
    };
    const double h = 0.5 * problem.step;
    for (int i = 0; i < 10; ++i)
      ASSERT_TRUE(step(h)) << problem.name;
    const long before = allocations();
    bool ok = true;
    for (int i = 0; i < 20; ++i)
      ok = ok && step(i % 3 == 0 ? 0.8 * h : h);  // a changed step size is no excuse
    const long used = allocations() - before;
    EXPECT_TRUE(ok) << problem.name;
    EXPECT_EQ(used, 0) << problem.name;
  }
}

// Once contacts have closed and opened, they may do so again without the heap.
class NoAllocationAcrossImpacts : public StepperTest {};

TEST_P(NoAllocationAcrossImpacts, StepAllocatesNothing) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  State state = p.at(std::numbers::pi / 12.0, 0.0);
  ASSERT_TRUE(make_consistent(*system, state).ok());
  State next = state;
  const auto stepper = make();
  stepper->start(*system, state);
  long used = 0;
  bool ok = true;
  for (int n = 1; n <= 300; ++n) {  // impacts at 0.35, 0.94, 1.44, … s
    const long before = allocations();
    const StepReport report = stepper->attempt(*system, state, 1e-2, next);
    // those that find events may, where the modes of contacts change
    if (n >= 120 && report.taken == 0.0) used += allocations() - before;
    ok = report.ok() && ok;
    stepper->accept();
    std::swap(state, next);
  }
  EXPECT_EQ(used, 0);
  EXPECT_TRUE(ok);
}

INSTANTIATE_TEST_SUITE_P(Catalog, NoAllocationAcrossImpacts, every_stepper_across_impacts(),
                         stepper_name);

INSTANTIATE_TEST_SUITE_P(Catalog, NoAllocation, every_stepper(), stepper_name);

}  // namespace
}  // namespace picus::testing
