// SPDX-License-Identifier: BSD-3-Clause
// A mechanism holds no state: runs in two threads have the bits of runs one after the other.
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "picus/steppers/catalog.h"
#include "tests/runs/models.h"

namespace picus {
namespace {

// A beam with a corner and damped modes that swings in space, hung from a beam by a ball joint.
constexpr const char* kSwing = R"(gravity: [0, -10, 0]
beams:
  arm: {from: [0, 0, 0], to: [1, 0, 0.3], corners: [[0.5, 0.3, 0]], elements: 8, damping: 1e-4,
    section: {type: circle, radius: 5e-3}, material: steel}
  rod: {from: [1, 0, 0.3], to: [1, 0.2, 1], elements: 6, modal_damping: {ratios: [0.01, 0.02]},
    section: {type: circle, radius: 5e-3}, material: steel}
joints:
  pin: {type: spherical, between: [ground, arm.start], at: [0, 0, 0]}
  hook: {type: spherical, between: [arm.end, rod.start], at: [1, 0, 0.3]}
)";

Vector end_of_run(const Mechanism& mechanism, const State& start, const std::string& method,
                  double h) {
  State state = start, next = start;
  const auto stepper = make_stepper(method);
  stepper->start(mechanism.system(), state);
  for (int n = 0; n < 60; ++n) {
    if (!stepper->attempt(mechanism.system(), state, h, next).ok()) return {};
    stepper->accept();
    std::swap(state, next);
  }
  Vector end(state.position.size() + state.velocity.size() + state.acceleration.size());
  end << state.position, state.velocity, state.acceleration;
  return end;
}

TEST(Threads, ShareAMechanismWithBeams) {
  const LoadedModel loaded = model_of(kSwing);
  const Mechanism& mechanism = *loaded.mechanism;
  const State start = assemble_start(mechanism).state;
  for (const std::string method : {"hht_i3", "stabilized_index1"}) {
    const double steps[2] = {1e-4, 1.3e-4};
    Vector alone[2], together[2];
    for (int i = 0; i < 2; ++i)
      alone[i] = end_of_run(mechanism, start, method, steps[i]);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back(
          [&, i] { together[i] = end_of_run(mechanism, start, method, steps[i]); });
    for (std::thread& thread : threads)
      thread.join();
    for (int i = 0; i < 2; ++i) {
      ASSERT_GT(alone[i].size(), 0) << method;
      EXPECT_EQ(alone[i], together[i]) << method;
    }
    EXPECT_NE(alone[0], alone[1]);
  }
}

}  // namespace
}  // namespace picus
