// SPDX-License-Identifier: BSD-3-Clause
// The woodpecker toy, against its event-driven solution: matrix exponentials between events that
// are found to 1e-15 s.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/steppers/catalog.h"
#include "tests/support/impact_systems.h"
#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

struct KnownImpact {
  const char* contact;
  double time, impulse, lost;
};
// from the published initial state; s, N s, J
constexpr KnownImpact kFirstImpacts[] = {
    {"upper", 0.077907193992, 4.859255e-05, 3.956146e-06},
    {"beak", 0.081013497384, 1.286381e-03, 9.655635e-05},
    {"upper", 0.081597240004, 1.875078e-04, 1.467814e-05},
    {"lower", 0.118696833642, 8.074479e-05, 8.902379e-06},
};

// All of its events until the lower edge sticks for the second time: stick, slip, open, the upper
// edge hits, the beak pecks, the upper edge closes, opens, the lower edge hits, closes, sticks.
constexpr double kEvents[] = {0.021649270167, 0.061228686737, 0.067038548573, 0.077907193992,
                              0.081013497384, 0.081597240004, 0.083441641037, 0.118696833642,
                              0.121348982865, 0.167405603343};

// What the log says of them; of an impact behind which the contact stays closed also its mode.
constexpr const char* kWords[] = {"stick lower",  "slip lower",   "opens lower",
                                  "impact upper", "impact beak",  "impact upper, slip upper",
                                  "opens upper",  "impact lower", "impact lower, slip lower",
                                  "stick lower"};

ModelRun::Overrides with_steps(double h, const char* end) {
  return {fmt::format("run.end_time={}", end), fmt::format("run.step={}", h),
          "run.integrator=moreau_midpoint"};
}

// What the log says, and when: once where it says several things of one moment.
struct Logged {
  std::vector<double> times;
  std::vector<std::string> words;
};

Logged events_of(const std::string& integrator) {
  const ModelRun run = ModelRun::of(
      "woodpecker", {"run.end_time=0.17", "run.integrator=" + integrator, "run.tolerance=1e-10"});
  Logged logged;
  for (const Event& event : run.outcome().events) {
    const auto impact = impact_of(event);
    const std::string word = event.kind + " " + (impact ? impact->contact : event.text);
    if (!logged.times.empty() && event.time == logged.times.back()) {
      logged.words.back() += ", " + word;
      continue;
    }
    logged.times.push_back(event.time);
    logged.words.push_back(word);
  }
  return logged;
}

TEST(Woodpecker, MeetsTheTimesOfAllEventsWithMethodsThatStopAtThem) {
  for (const char* integrator : {"auto", "event_capturing"}) {
    const auto [times, words] = events_of(integrator);
    ASSERT_EQ(times.size(), std::size(kEvents)) << integrator;
    for (std::size_t k = 0; k < times.size(); ++k) {
      EXPECT_NEAR(times[k], kEvents[k], 1e-8) << integrator << " " << k;
      EXPECT_EQ(words[k], kWords[k]) << integrator << " " << k;
    }
  }
}

TEST(Woodpecker, HitsThePoleAsItsEventDrivenSolutionDoes) {
  const double h = 1e-4;
  const ModelRun run = ModelRun::of("woodpecker", with_steps(h, "0.12"));
  const std::vector<Impact> impacts = impacts_of(run);
  ASSERT_EQ(impacts.size(), std::size(kFirstImpacts));
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    const KnownImpact& known = kFirstImpacts[k];
    EXPECT_EQ(impacts[k].contact, known.contact) << k;
    EXPECT_NEAR(impacts[k].time, known.time, 3.0 * h) << k;
    // of first order: the smallest impulse is off by 5.6 % with this step
    EXPECT_NEAR(impacts[k].impulse, known.impulse, 0.1 * known.impulse) << k;
    EXPECT_NEAR(impacts[k].lost, known.lost, 0.1 * known.lost) << k;
  }
}

// The mechanism of carriages and a coupler has the equations of the three coordinates.
TEST(Woodpecker, IsThatOfThePublishedEquations) {
  const problems::Woodpecker toy;
  const auto system = make_system(toy);
  const auto stepper = make_stepper("moreau_midpoint");
  State from = toy.start(), to = from;
  ASSERT_TRUE(make_consistent(*system, from).ok());
  stepper->start(*system, from);
  const double h = 1e-4;
  ModelRun::of("woodpecker", with_steps(h, "0.09"), [&](const ModelRun& run) {
    if (run.time() > 0.0) {
      ASSERT_TRUE(stepper->attempt(*system, from, h, to).ok());
      stepper->accept();
      std::swap(from, to);
    }
    EXPECT_NEAR(run("bodies.sleeve.position.y"), from.position(0), 1e-9) << run.time();
    EXPECT_NEAR(run("joints.sleeve_pin.angle") + toy.start().position(1), from.position(1), 1e-8)
        << run.time();
    EXPECT_NEAR(run("joints.bird_pin.angle_rate"), from.velocity(2), 1e-6) << run.time();
  });
  EXPECT_NEAR(from.time, 0.09, 1e-9);
}

// Steps are chosen, short at impacts only; the log has the impulses of both halves of a step.
TEST(Woodpecker, PecksTheSameWithStepsOfItsOwnChoice) {
  const ModelRun run = ModelRun::of(
      "woodpecker", {"run.end_time=0.1", "run.integrator=moreau_adaptive", "run.tolerance=1e-5"});
  const KnownImpact& known = kFirstImpacts[1];
  int pecks = 0;
  for (const Impact& impact : impacts_of(run)) {
    if (impact.contact != "beak") continue;
    ++pecks;
    EXPECT_NEAR(impact.time, known.time, 1e-4);
    EXPECT_NEAR(impact.impulse, known.impulse, 0.01 * known.impulse);
    EXPECT_NEAR(impact.lost, known.lost, 0.01 * known.lost);
  }
  EXPECT_EQ(pecks, 1);
  EXPECT_LT(run.outcome().summary.attempts(), 300);  // of the model's own size: 2000
}

TEST(WoodpeckerGeometric, FindsALimitCycleOfItsOwn) {
  double highest = -1.0, deepest = 0.0;
  const ModelRun run =
      ModelRun::of("woodpecker_geometric", with_steps(1e-4, "0.34"), [&](const ModelRun& now) {
        if (now.time() == 0.0) highest = now("energy.total");
        EXPECT_LT(now("energy.total"), highest + 1e-6) << now.time();  // of 5e-4 J
        highest = now("energy.total");
        for (const char* edge : {"lower_right", "upper_right", "lower_left", "upper_left", "beak"})
          deepest = std::min(deepest, now(fmt::format("contacts.{}.gap", edge)));
      });
  std::vector<double> pecks;
  for (const Impact& impact : impacts_of(run))
    if (impact.contact == "beak") pecks.push_back(impact.time);
  ASSERT_EQ(pecks.size(), 3u);
  EXPECT_NEAR(pecks[1] - pecks[0], 0.1250, 1e-3);
  EXPECT_NEAR(pecks[2] - pecks[1], 0.1257, 1e-3);
  EXPECT_LT(run("bodies.sleeve.position.y"), -0.017);
  EXPECT_GT(deepest, -1e-4);  // in one step of 1e-4 s at up to 0.5 m/s
  EXPECT_LT(run.violation(), 1e-4);
}

// --- every method that knows friction, three periods of both toys ------------------------------

struct Toy {
  const char* model;
  std::array<double, 3> pecks;  ///< of event_driven with the tolerance 1e-10 [s]
  double height;                ///< of the sleeve at the end, by the same [m]
};
constexpr Toy kToys[] = {
    {"woodpecker", {0.0810134974, 0.2268540659, 0.3729239054}, -0.0616355478},
    {"woodpecker_geometric", {0.0779312931, 0.2030578958, 0.3290197608}, -0.0270383605}};

std::vector<std::string> methods_that_know_friction() {
  std::vector<std::string> names;
  for (const StepperEntry& entry : stepper_catalog())
    if (entry.make({})->traits().friction) names.emplace_back(entry.name);
  return names;
}

class EveryMethodWithFriction : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMethodWithFriction, PecksAndComesDown) {
  const StepperTraits can = make_stepper(GetParam())->traits();
  const bool is_controlled = can.estimates_error || can.finds_switches;
  // of first order at impacts, and what is late shifts the phase of what follows
  const double late = can.stops_at_events ? 1e-5 : 2e-3, lower = can.stops_at_events ? 1e-5 : 1e-3;
  for (const Toy& toy : kToys) {
    const ModelRun run = ModelRun::of(
        toy.model, {"run.end_time=0.45", "run.integrator=" + GetParam(), "run.tolerance=1e-6",
                    is_controlled ? "run.step=0" : "run.step=1e-4",
                    can.finds_switches ? "run.options={h_min: 1e-7}" : "run.options={}"});
    std::vector<double> pecks;
    for (const Impact& impact : impacts_of(run))
      if (impact.contact == "beak") pecks.push_back(impact.time);
    ASSERT_EQ(pecks.size(), toy.pecks.size()) << toy.model;
    for (std::size_t k = 0; k < pecks.size(); ++k)
      EXPECT_NEAR(pecks[k], toy.pecks[k], late) << toy.model << " " << k;
    EXPECT_NEAR(run("bodies.sleeve.position.y"), toy.height, lower) << toy.model;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryMethodWithFriction,
                         ::testing::ValuesIn(methods_that_know_friction()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace picus::testing
