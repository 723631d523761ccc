// SPDX-License-Identifier: BSD-3-Clause
// Energy in impacts with friction: Newton's law may give some, and the run says so; Poisson's does
// not.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/base/error.h"
#include "tests/support/model_run.h"

namespace picus::testing::restitution_law {
namespace {

// The rod of PoissonImpact.OfARodIsThatOfItsTwoPhases, a centimetre above the floor.
std::string rod(const char* law, double e, double friction) {
  return fmt::format(R"yaml(
picus: 1
dimension: 2
parameters: {{phi: 0.8, above: 0.01}}
bodies:
  rod:
    mass: 1
    inertia: 1/12
    at: [0, 0.5*sin(phi) + above]
    angle: phi
    velocity: [0.5, -1]
    markers: {{tip: {{at: [-0.5, 0]}}}}
contacts:
  tip: {{type: ball_on_plane, between: [ground, rod.tip], restitution: {}, friction: {}, restitution_law: {}}}
run: {{end_time: 0.02}}
)yaml",
                     e, friction, law);
}

ModelRun run_by(const char* method, const std::string& text) {
  std::vector<std::string> overrides{fmt::format("run.integrator={}", method)};
  const bool adapts = std::string_view(method).starts_with("event") ||
                      std::string_view(method) == "moreau_adaptive";
  overrides.emplace_back(adapts ? "run.step=0" : "run.step=1e-5");
  return ModelRun::of_text(text, overrides);
}

std::string notes_of(const ModelRun& run) {
  std::string text;
  for (const std::string& note : run.outcome().summary.notes)
    text += note + "\n";
  return text;
}

// 0.1107 J of 0.625 J, as the laws worked out by hand say.
TEST(NewtonsRestitution, GivesEnergyAndTheRunSaysSo) {
  for (const char* method : {"event_driven", "event_capturing", "moreau_jean", "moreau_midpoint",
                             "moreau_adaptive", "nonsmooth_pva", "nonsmooth_pvv"}) {
    const ModelRun run = run_by(method, rod("newton", 1.0, 0.5));
    EXPECT_NEAR(run("energy.kinetic"), 0.625 + 0.11066, 2e-3) << method;
    const std::string notes = notes_of(run);
    EXPECT_NE(notes.find("an impact added energy: 0.11"), std::string::npos) << method << notes;
    EXPECT_NE(notes.find("'tip'"), std::string::npos) << method << notes;
    EXPECT_NE(notes.find("restitution_law: poisson"), std::string::npos) << method << notes;
  }
}

TEST(PoissonsRestitution, GivesNone) {
  for (const char* method :
       {"event_driven", "event_capturing", "moreau_jean", "moreau_midpoint", "moreau_adaptive"}) {
    const ModelRun run = run_by(method, rod("poisson", 1.0, 0.5));
    EXPECT_NEAR(run("energy.kinetic"), 0.625 - 0.047093, 2e-3) << method;
    EXPECT_EQ(notes_of(run), "") << method;
  }
}

// Without friction, and with e = 0, the laws are the same.
TEST(PoissonsRestitution, IsNewtonsWithoutFrictionOrRestitution) {
  for (const char* method : {"event_driven", "moreau_jean"})
    for (const auto& [e, friction] : {std::pair{0.0, 0.5}, {0.6, 0.0}, {1.0, 0.0}}) {
      const ModelRun newton = run_by(method, rod("newton", e, friction));
      const ModelRun poisson = run_by(method, rod("poisson", e, friction));
      for (const char* channel :
           {"bodies.rod.velocity.x", "bodies.rod.velocity.y", "bodies.rod.angular_velocity.z"})
        EXPECT_NEAR(newton(channel), poisson(channel), 1e-9) << method << " " << e << channel;
      EXPECT_EQ(notes_of(newton), "") << method << e;
    }
}

TEST(PoissonsRestitution, IsRefusedByMethodsThatDoNotKnowIt) {
  for (const char* method : {"nonsmooth_pva", "nonsmooth_pvv", "schatzman_paoli"}) {
    const std::vector<std::string> overrides{fmt::format("run.integrator={}", method),
                                             "run.step=1e-3"};
    const LoadedModel loaded = load_model_text("test.yaml", rod("poisson", 1.0, 0.0), overrides);
    try {
      run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan_of(loaded), {});
      FAIL() << method;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("restitution_law: poisson"), std::string::npos) << message;
      EXPECT_NE(message.find("event_driven"), std::string::npos) << message;
    }
  }
}

// At rest nothing is given back: a block that has been dropped lies still, and bounces before.
TEST(PoissonsRestitution, LetsABlockComeToRest) {
  const char* text = R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  box: {mass: 2, inertia: 0.03, at: [0, 0.2], velocity: [0.5, 0], markers: {l: {at: [-0.2, -0.1]}, r: {at: [0.2, -0.1]}}}
contacts:
  l: {type: ball_on_plane, between: [ground, box.l], restitution: 0.5, friction: 0.4, restitution_law: poisson}
  r: {type: ball_on_plane, between: [ground, box.r], restitution: 0.5, friction: 0.4, restitution_law: poisson}
run: {end_time: 2}
)yaml";
  for (const char* method : {"moreau_jean", "moreau_midpoint"}) {
    const ModelRun run =
        ModelRun::of_text(text, {fmt::format("run.integrator={}", method), "run.step=1e-3"});
    EXPECT_LT(run("energy.kinetic"), 1e-12) << method;
    EXPECT_NEAR(run("contacts.l.force") + run("contacts.r.force"), 2.0 * kG, 1e-6) << method;
    EXPECT_GT(run.outcome().impacts, 2) << method;
  }
}

}  // namespace
}  // namespace picus::testing::restitution_law
