// SPDX-License-Identifier: BSD-3-Clause
// Models with flexible parts against closed forms.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

// d'Alembert: the pulse runs with the speed c, the clamp reflects it with its sign, so that it
// feels twice the pull, and the free end with the other sign.
TEST(ElasticBar, CarriesWavesUpAndDown) {
  double clamp = 0.0, when = 0.0, middle_high = 0.0, middle_low = 0.0, energy = 0.0;
  const ModelRun run = ModelRun::of("elastic_bar", {"run.step=L/c/300"}, [&](const ModelRun& at) {
    const double crossings = at.time() * at.parameter("c") / at.parameter("L");
    const double reaction = -at("joints.clamp.force.x"), force = at("elements.bar.50.axial_force");
    if (crossings < 2.0 && reaction > clamp) {
      clamp = reaction;
      when = crossings;
    }
    (crossings < 2.0 ? middle_high : middle_low) =
        crossings < 2.0 ? std::max(middle_high, force) : std::min(middle_low, force);
    energy = at("energy.total");
  });
  const double pull = run.parameter("pull"), half = 0.15;  // half a pulse, in crossings
  EXPECT_NEAR(clamp, 2.0 * pull, 0.01 * pull);
  EXPECT_NEAR(when, 1.0 + half, 0.01);
  EXPECT_NEAR(middle_high, pull, 0.02 * pull);
  EXPECT_NEAR(middle_low, -pull, 0.03 * pull);
  // the work of the pulse: ∫ F²/(ρ A c) dt
  const double impedance = run.parameter("rho") * 1e-4 * run.parameter("c");
  EXPECT_NEAR(energy, 0.375 * run.parameter("duration") * pull * pull / impedance, 1e-3 * energy);
  EXPECT_LT(run.violation(), 1e-12);
}

// Models of beams: the first part of each run ends with a green audit.
TEST(BeamModels, RunWithAGreenAudit) {
  const std::pair<const char*, const char*> ends[] = {
      {"rope_swing", "0.5"},   {"fishing_rod", "0.15"}, {"whirling_shaft", "0.05"},
      {"diving_board", "1.2"}, {"landing_gear", "0.3"}, {"bow_and_arrow", "0.05"}};
  for (const auto& [name, end] : ends) {
    SCOPED_TRACE(name);
    const ModelRun run = ModelRun::of(name, {fmt::format("run.end_time={}", end)});
    EXPECT_TRUE(run.outcome().audit.warnings.empty());
  }
}

// The board throws the diver up again, not as high as he came from.
TEST(BeamModels, TheDiverBounces) {
  double highest = -1.0, lowest = 1.0;
  (void)ModelRun::of("diving_board", {"run.end_time=2"}, [&](const ModelRun& now) {
    const double y = now("bodies.diver.position.y");
    lowest = std::min(lowest, y);
    if (lowest < 0.0) highest = std::max(highest, y);
  });
  EXPECT_LT(lowest, 0.0);
  EXPECT_GT(highest, 0.3);
  EXPECT_LT(highest, 0.85);
}

}  // namespace
}  // namespace picus::testing
