// SPDX-License-Identifier: BSD-3-Clause
// A step of a beam takes no memory, once the entries of its matrices are all there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/steppers/catalog.h"
#include "tests/runs/models.h"
#include "tests/support/allocation_counter.h"

namespace picus {
namespace {

TEST(BeamMemory, AStepTakesNone) {
  for (const int dimension : {2, 3}) {
    for (const std::string how :
         {"to: [1, 0]", "to: [1, 0], damping: 1e-4", "to: [1, 0], corners: [[0.5, 0.3]]",
          "to: [1, 0], modal_damping: {ratios: [0.01, 0.02]}"}) {
      const LoadedModel loaded = model_of(fmt::format(
          "dimension: {}\ngravity: [0, -10]\nbeams:\n  rod: {{from: [0, 0], {}, elements: 6, "
          "section: {{type: circle, radius: 5e-3}}, material: steel}}\njoints:\n  pin: {{type: "
          "revolute, between: [ground, rod.start], at: [0, 0, 0]}}\n",
          dimension, how));
      const System& system = loaded.mechanism->system();
      State state = assemble_start(*loaded.mechanism).state, next = state;
      for (const std::string method : {"hht_i3", "stabilized_index1", "radau_iia"}) {
        const auto stepper = make_stepper(method);
        stepper->start(system, state);
        long before = 0;
        for (int n = 0; n < 220; ++n) {
          if (n == 200) before = testing::allocations();
          ASSERT_TRUE(stepper->attempt(system, state, 1e-4, next).ok()) << how << " " << method;
          stepper->accept();
          std::swap(state, next);
        }
        EXPECT_EQ(testing::allocations() - before, 0) << how << " " << dimension << " " << method;
      }
    }
  }
}

}  // namespace
}  // namespace picus
