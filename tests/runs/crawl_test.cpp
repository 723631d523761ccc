// SPDX-License-Identifier: BSD-3-Clause
// Runs that would never end say so: steps that switching points keep short, steps that the clock
// does not see.
#include <gtest/gtest.h>

#include "picus/steppers/catalog.h"
#include "tests/runs/models.h"

namespace picus::testing {
namespace {

LoadedModel rocking_block(double angle) {
  return model_of("dimension: 2\nparameters: {phi: " + std::to_string(angle) + R"(}
gravity: [0, -9.81]
bodies:
  block:
    mass: 1
    shape: {type: box, size: [0.2, 0.6, 0.1]}
    at: [0, 0.32]
    angle: phi
    markers: {l: {at: [-0.1, -0.3]}, r: {at: [0.1, -0.3]}}
contacts:
  a: {type: ball_on_plane, between: [ground, block.l], radius: 0, friction: 0.6}
  b: {type: ball_on_plane, between: [ground, block.r], radius: 0, friction: 0.6}
)");
}

LoadedModel sliding_rod(double friction) {
  return model_of("dimension: 2\nparameters: {mu: " + std::to_string(friction) + R"(}
gravity: [0, -9.81]
bodies:
  rod:
    mass: 1
    shape: {type: rod, length: 2}
    at: [-0.5, 0.866]
    angle: 2.0944
    velocity: [3, 0]
    markers: {l: {at: [-1, 0]}}
contacts:
  a: {type: ball_on_plane, between: [ground, rod.l], radius: 0, friction: mu}
)");
}

TEST(Extrapolation, EndsOrSaysThatItCrawls) {
  LoadedModel models[] = {rocking_block(0.1), rocking_block(0.02), sliding_rod(0.3),
                          sliding_rod(1.5)};
  for (LoadedModel& loaded : models) {
    loaded.model.run.integrator.text = "extrapolation";
    loaded.model.run.end_time = 2.0;
    const RunOutcome outcome =
        run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan_of(loaded), {});
    // a crawl is called one when 20 000 attempts lead on by less than 4 ms; the block that comes to
    // rest makes ten times as many before that, within a second or two
    EXPECT_LE(outcome.summary.attempts(), 400'000);
    if (outcome.summary.ok()) continue;
    EXPECT_NE(outcome.summary.message.find("attempts advanced"), std::string::npos)
        << outcome.summary.message;
  }
}

TEST(Clock, ThatStandsStillEndsTheRun) {
  LoadedModel rod = pendulum("0");
  for (const char* method : {"ggl", "half_explicit", "moreau_jean"}) {
    State state = assemble_start(*rod.mechanism).state;
    state.time = 1e6;
    const auto stepper = make_stepper(method);
    FixedStep control(1e-15);
    const Summary summary = simulate(static_cast<const System&>(rod.mechanism->system()), state,
                                     *stepper, control, {.end_time = 1e6 + 1.0});
    EXPECT_EQ(summary.ending, Summary::Ending::kStepFailed) << method;
    EXPECT_NE(summary.message.find("time no longer advances"), std::string::npos)
        << summary.message;
    EXPECT_LE(summary.accepted, 2000) << method;
  }
}

}  // namespace
}  // namespace picus::testing
