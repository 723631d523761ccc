// SPDX-License-Identifier: BSD-3-Clause
// The derivatives of the test problems, one by one.
#include <gtest/gtest.h>

#include "tests/support/problems.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

class Tangents : public ::testing::TestWithParam<int> {
 protected:
  TestProblem problem_ = std::move(all_problems()[static_cast<std::size_t>(GetParam())]);
  TangentChecks checks_{problem_.name, *problem_.system, problem_.start};
};

TEST_P(Tangents, OfTheMomentum) {
  checks_.of_the_momentum();
}

TEST_P(Tangents, OfTheConstraintsAtEveryLevel) {
  checks_.of_the_constraints_at_every_level();
}

TEST_P(Tangents, OfTheConstraintsInTime) {
  checks_.of_the_constraints_in_time();
}

TEST_P(Tangents, OfTheNonholonomicConstraints) {
  checks_.of_the_nonholonomic_constraints();
}

TEST_P(Tangents, OfTheCorrections) {
  checks_.of_the_corrections();
}

TEST_P(Tangents, OfTheControls) {
  checks_.of_the_controls();
}

INSTANTIATE_TEST_SUITE_P(AllProblems, Tangents,
                         ::testing::Range(0, static_cast<int>(all_problems().size())),
                         [](const auto& test) {
                           return all_problems()[static_cast<std::size_t>(test.param)].name;
                         });

}  // namespace
}  // namespace picus::testing
