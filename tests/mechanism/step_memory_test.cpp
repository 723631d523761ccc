// SPDX-License-Identifier: BSD-3-Clause
// Steps of mechanisms with frames that coordinates carry take no memory.
#include <gtest/gtest.h>

#include "picus/dynamics/consistent_state.h"
#include "picus/steppers/catalog.h"
#include "tests/mechanism/two_bodies.h"
#include "tests/support/allocation_counter.h"

namespace picus::testing {
namespace {

// Some of the joints and forces: all go through the same views.
TEST(StepMemory, StepsOfCarriedFramesTakeNone) {
  std::vector<PartCase> cases;
  for (const auto& all : {on_carried_frames(joint_cases()), on_carried_frames(force_cases()),
                          on_carried_frames(joint_cases(), PartCase::Carried::kFirst)})
    for (std::size_t k = 0; k < all.size(); k += 8)
      cases.push_back(all[k]);
  int tried = 0;
  for (const PartCase& part : cases) {
    const auto mechanism = part.assembled();
    const System& system = mechanism->system();
    State state = sized(*mechanism);
    if (system.sizes().controls > 0 || !make_consistent(system, state).ok()) continue;
    State next = state;
    const auto stepper = make_stepper("hht_i3");
    stepper->start(system, state);
    long before = 0;
    for (int n = 0; n < 8; ++n) {
      if (n == 4) before = allocations();
      ASSERT_TRUE(stepper->attempt(system, state, 1e-4, next).ok()) << part.name;
      stepper->accept();
      std::swap(state, next);
    }
    EXPECT_EQ(allocations() - before, 0) << part.name;
    ++tried;
  }
  EXPECT_GE(tried, 5);
}

}  // namespace
}  // namespace picus::testing
