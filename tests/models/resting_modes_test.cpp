// SPDX-License-Identifier: BSD-3-Clause
// Modes are those of the laws: what does not slide sticks, also where friction that nothing
// determines is at its limit in some of the contacts.
#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing::resting_modes {
namespace {

// A box of 2 kg on its corners, pushed by a part of what friction can hold.
std::string box(bool planar, double b, double c, double part, bool reversed, double height = 0.0) {
  const int corners = planar ? 2 : 4;
  std::string markers, contacts;
  for (int i = 0; i < corners; ++i) {
    const int k = reversed ? corners - 1 - i : i;
    const double x = k & 1 ? b : -b, y = k & 2 ? 0.15 : -0.15;
    markers += fmt::format("{}c{}: {{at: [{}, {}]}}", i > 0 ? ", " : "", k, x,
                           planar ? fmt::format("{}", -c) : fmt::format("{}, {}", y, -c));
    contacts += fmt::format(
        "  k{}: {{type: ball_on_plane, between: [ground, box.c{}], friction: 0.5}}\n", k, k);
  }
  const std::string zeros = planar ? "" : "0, ";
  return fmt::format(R"yaml(
picus: 1
dimension: {}
gravity: [{}0, -9.81]
bodies:
  box:
    mass: 2
    inertia: {}
    at: [0, {}{}]
    markers: {{{}}}
forces:
  push: {{type: force, body: box, force: [{}, {}0]}}
contacts:
{}run: {{end_time: 0.1}}
)yaml",
                     planar ? 2 : 3, zeros, planar ? "0.03" : "[0.03, 0.04, 0.05]", zeros,
                     c + height, markers, part * 0.5 * 2.0 * kG, zeros, contacts);
}

struct Method {
  const char* name;
  const char* setting;
};
constexpr Method kMethods[] = {
    {"event_driven", "run.step=0"},       {"event_capturing", "run.step=0"},
    {"event_driven", "run.step=1e-3"},    {"moreau_jean", "run.step=1e-3"},
    {"moreau_midpoint", "run.step=1e-3"}, {"moreau_adaptive", "run.step=0"},
    {"nonsmooth_pva", "run.step=1e-3"},   {"nonsmooth_pvv", "run.step=1e-3"}};

// The modes at every step are all `expected`, after the first few.
void expect_modes(const Method& method, const std::string& text, int corners, double expected,
                  double from) {
  long seen = 0;
  const ModelRun run =
      ModelRun::of_text(text, {fmt::format("run.integrator={}", method.name), method.setting},
                        [&](const ModelRun& now) {
                          if (now.time() < from) return;
                          ++seen;
                          for (int k = 0; k < corners; ++k)
                            ASSERT_EQ(now(fmt::format("contacts.k{}.mode", k)), expected)
                                << method.name << ", corner " << k << " at " << now.time();
                        });
  EXPECT_GT(seen, 0);
  for (const Event& event : run.outcome().events)
    EXPECT_TRUE(event.time < from || event.kind != "slip") << method.name << " " << event.text;
}

TEST(ABoxAtRest, SticksWithAllItsCornersInThePlane) {
  for (const Method& method : kMethods)
    for (const auto& [b, c] : {std::pair{0.2, 0.1}, {0.1, 0.05}, {0.3, 0.25}})
      for (const double part : {0.0, 0.3, 0.8, 0.97})
        for (const bool reversed : {false, true}) {
          SCOPED_TRACE(fmt::format("{} {}, b {}, part {}, {}", method.name, method.setting, b, part,
                                   reversed));
          expect_modes(method, box(true, b, c, part, reversed), 2, 1.0, 0.0);
        }
}

TEST(ABoxAtRest, SticksWithAllItsCornersInSpace) {
  for (const Method& method : kMethods)
    for (const double part : {0.0, 0.5, 0.9})
      for (const bool reversed : {false, true}) {
        SCOPED_TRACE(
            fmt::format("{} {}, part {}, {}", method.name, method.setting, part, reversed));
        expect_modes(method, box(false, 0.2, 0.1, part, reversed), 4, 1.0, 0.0);
      }
}

TEST(ABoxThatIsPushedHard, SlipsWithAllItsCorners) {
  for (const Method& method : kMethods)
    for (const bool planar : {true, false}) {
      SCOPED_TRACE(fmt::format("{} {}, {}", method.name, method.setting, planar));
      expect_modes(method, box(planar, 0.2, 0.1, 1.3, false), planar ? 2 : 4, 2.0, 0.01);
    }
}

// The same after a fall without restitution.
TEST(ABoxThatHasFallen, SticksWithAllItsCorners) {
  for (const Method& method : kMethods)
    for (const double part : {0.0, 0.5})
      expect_modes(method, box(true, 0.2, 0.1, part, false, 1e-3), 2, 1.0, 0.06);
}

}  // namespace
}  // namespace picus::testing::resting_modes
