// SPDX-License-Identifier: BSD-3-Clause
// Steps of mechanisms with frames that coordinates carry take no memory.
#include <gtest/gtest.h>

#include "picus/dynamics/consistent_state.h"
#include "picus/steppers/catalog.h"
#include "tests/mechanism/two_bodies.h"
#include "tests/support/allocation_counter.h"

namespace picus::testing {
namespace {

TEST(StepMemory, StepsOfCarriedFramesTakeNone) {
  std::vector<PartCase> cases = on_carried_frames(joint_cases());
  for (const auto& more : {on_carried_frames(force_cases()),
                           on_carried_frames(joint_cases(), PartCase::Carried::kFirst)})
    cases.insert(cases.end(), more.begin(), more.end());
  int tried = 0;
  for (const PartCase& part : cases) {
    const auto mechanism = part.assembled();
    const System& system = mechanism->system();
    State state = sized(*mechanism);
    if (!make_consistent(system, state).ok()) continue;
    State next = state;
    const auto stepper = make_stepper("stabilized_index1");
    if (system.sizes().controls > 0) continue;
    stepper->start(system, state);
    long before = 0;
    bool ok = true;
    for (int n = 0; n < 30 && ok; ++n) {
      if (n == 15) before = allocations();
      ok = stepper->attempt(system, state, 1e-4, next).ok();
      stepper->accept();
      std::swap(state, next);
    }
    const long used = allocations() - before;
    if (!ok) continue;
    ++tried;
    EXPECT_EQ(used, 0) << part.name;
  }
  EXPECT_GT(tried, 40);
}

}  // namespace
}  // namespace picus::testing
