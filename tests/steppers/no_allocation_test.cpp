// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "tests/support/allocation_counter.h"
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

INSTANTIATE_TEST_SUITE_P(Catalog, NoAllocation, every_stepper(), stepper_name);

}  // namespace
}  // namespace picus::testing
