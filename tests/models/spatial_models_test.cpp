// SPDX-License-Identifier: BSD-3-Clause
// The spatial models of models/ against closed forms and laws.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

using std::numbers::pi;

// The slider is where the rod's length puts it; the rod was placed by eye.
TEST(SpatialSliderCrank, ClosesFromRoughPlacesAndKeepsItsEnergy) {
  const auto check = [](const ModelRun& run) {
    const double angle = run("joints.main.angle"), crank = run.parameter("crank_length");
    // the crank points up at the start
    const double y = run.parameter("y") - crank * std::sin(angle),
                 z = run.parameter("z") + crank * std::cos(angle);
    const double x = std::sqrt(std::pow(run.parameter("rod_length"), 2) - y * y - z * z);
    EXPECT_NEAR(run("bodies.slider.position.x"), x, 1e-6);
  };
  const ModelRun run =
      ModelRun::of("spatial_slider_crank", {"run.end_time=1", "run.tolerance=1e-8"}, check);
  ASSERT_FALSE(run.start().moved.empty());
  EXPECT_EQ(run.start().moved.front().name, "rod");
  EXPECT_LT(run.energy_drift(), 1e-4);
}

TEST(SpinningTop, PrecessesSteadily) {
  const ModelRun run = ModelRun::of(
      "spinning_top", {"run.end_time=0.3", "run.tolerance=1e-9"}, [](const ModelRun& now) {
        EXPECT_NEAR(now("bodies.top.position.z"), 0.1 * std::cos(pi / 6.0), 1e-6);
      });
  const double angle = std::atan2(run("bodies.top.position.y"), run("bodies.top.position.x"));
  EXPECT_NEAR(angle, run.parameter("precession") * run.time(), 1e-3);
  EXPECT_LT(run.energy_drift(), 1e-5 * std::abs(run("energy.total")));
}

TEST(SpinningTop, NutatesWhenKickedAndKeepsItsEnergy) {
  double lowest = 1.0, highest = 0.0;
  const ModelRun run =
      ModelRun::of("spinning_top", {"run.end_time=0.3", "kick=40"}, [&](const ModelRun& now) {
        lowest = std::min(lowest, now("bodies.top.position.z"));
        highest = std::max(highest, now("bodies.top.position.z"));
      });
  EXPECT_GT(highest - lowest, 1e-3);
  EXPECT_LT(run.energy_drift(), 1e-5 * std::abs(run("energy.total")));
}

TEST(Gyroscope, GoesRoundInsteadOfFalling) {
  const ModelRun run = ModelRun::of(
      "gyroscope", {"run.end_time=0.5", "run.tolerance=1e-9"},
      [](const ModelRun& now) { EXPECT_NEAR(now("joints.inner_bearing.angle"), 0.0, 1e-5); });
  EXPECT_NEAR(run("joints.outer_bearing.angle"), 0.5 * run.parameter("precession"), 1e-4);
}

TEST(RollingDisc, RollsInACircle) {
  const ModelRun run = ModelRun::of("rolling_disc", {"run.end_time=2"}, [](const ModelRun& now) {
    const double radius = now.parameter("r") * now.parameter("spin") / now.parameter("turning");
    EXPECT_NEAR(std::hypot(now("bodies.disc.position.x"), now("bodies.disc.position.y")),
                std::abs(radius), 1e-4);
    EXPECT_NEAR(now("bodies.disc.position.z"), now.parameter("r") * std::sin(70.0 * pi / 180.0),
                1e-5);
  });
  EXPECT_LT(run.energy_drift(), 1e-5 * std::abs(run("energy.total")));
  EXPECT_LT(run.violation(), 1e-9);
}

TEST(SpatialChain, KeepsItsEnergy) {
  const ModelRun run = ModelRun::of("spatial_chain", {"run.end_time=0.4"});
  EXPECT_LT(run.energy_drift(), 1e-3);
  EXPECT_LT(run.violation(), 1e-8);
}

TEST(Screw, RunsDownByItsPitch) {
  const ModelRun run = ModelRun::of("screw", {}, [](const ModelRun& now) {
    EXPECT_NEAR(now("joints.thread.position"),
                now.parameter("pitch") / (2.0 * pi) * now("joints.thread.angle"), 1e-9);
  });
  const double lead = run.parameter("pitch") / (2.0 * pi), m = run.parameter("m");
  const double alpha = -m * kG * lead / (run.parameter("J") + m * lead * lead);
  EXPECT_NEAR(run("joints.thread.angle"), 0.5 * alpha, 1e-6 * std::abs(alpha));
  EXPECT_LT(run("joints.thread.angle"), -4.0 * pi) << "over several turns";
}

TEST(BouncingBall, ComesBackToItsHeightWithoutLoss) {
  const ModelRun run = ModelRun::of("bouncing_ball", {"loss=0", "run.end_time=0.6"});
  const double v = run("bodies.ball.velocity.z");
  EXPECT_GT(v, 0.1) << "on its way up";
  EXPECT_NEAR(run("bodies.ball.position.z") + v * v / (2.0 * kG), run.parameter("height"), 2e-3);
  EXPECT_LT(run.energy_drift(), 2e-3 * run("energy.total"));
}

TEST(BouncingBall, LosesHeightWithEveryBounce) {
  double low = 1.0, last = 1.0;
  std::vector<double> peaks;
  bool rises = false;
  ModelRun::of("bouncing_ball", {}, [&](const ModelRun& now) {
    const double z = now("bodies.ball.position.z");
    if (rises && z < last) peaks.push_back(last);
    rises = z > last;
    low = std::min(low, z);
    last = z;
  });
  ASSERT_GE(peaks.size(), 3u);
  for (std::size_t k = 1; k < 3; ++k)
    EXPECT_LT(peaks[k], 0.95 * peaks[k - 1]);
  EXPECT_GT(low, 0.04) << "the floor holds";
}

TEST(BushingMount, SettlesByItsWeight) {
  const ModelRun run = ModelRun::of("bushing_mount");
  const double sag = run.parameter("m") * kG / (4.0 * run.parameter("k"));
  EXPECT_NEAR(run("bodies.machine.position.z"), 0.25 - sag, 1e-6);
}

TEST(Models, AreAllListedAndTested) {
  std::ostringstream text;
  text << std::ifstream(PICUS_SOURCE_DIR "/models/README.md").rdbuf() << '\0';
  for (const auto& entry : std::filesystem::directory_iterator(PICUS_SOURCE_DIR "/tests/models"))
    if (entry.path().extension() == ".cpp") text << std::ifstream(entry.path()).rdbuf() << '\0';
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PICUS_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    const std::string name = entry.path().stem().string();
    EXPECT_NE(text.str().find("(" + name + ".yaml)"), std::string::npos) << name << ": list it";
    EXPECT_NE(text.str().find("\"" + name + "\""), std::string::npos) << name << ": test it";
  }
  EXPECT_GE(count, 18);
}

}  // namespace
}  // namespace picus::testing
