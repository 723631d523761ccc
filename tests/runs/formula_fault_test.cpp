// SPDX-License-Identifier: BSD-3-Clause
// A formula that ceases to be a number in the middle of a run ends it, whatever it belongs to and
// whatever is done with it: the message has its part, its text and the time.
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "tests/runs/models.h"

namespace picus::testing {
namespace {

constexpr const char* kBad = "0*log(0.53 - time)";

struct Faulty {
  const char* name;
  const char* owner;  ///< as the message has it
  double velocity;
  const char* part;  ///< BAD stands for the formula
};

void PrintTo(const Faulty& it, std::ostream* out) {
  *out << it.name;
}

const Faulty kFaulty[] = {
    {"LimitThatSlips", "contact 'shoe'", 1.0,
     "contacts: {shoe: {type: friction, joint: rail, limit: \"2 + BAD\"}}"},
    {"LimitThatSticks", "contact 'shoe'", 0.0,
     "contacts: {shoe: {type: friction, joint: rail, limit: \"2 + BAD\"}}"},
    {"NegativeLimit", "contact 'shoe'", 0.0,
     "contacts: {shoe: {type: friction, joint: rail, limit: \"-2 + BAD\"}}"},
    {"SmoothLimit", "contact 'shoe'", 1.0,
     "contacts: {shoe: {type: friction, joint: rail, limit: \"2 + BAD\", slip_speed: 1e-3}}"},
    {"NormalForce", "contact 'shoe'", 1.0,
     "contacts: {shoe: {type: friction, joint: rail, coefficient: 0.2, normal_force: \"2 + "
     "BAD\"}}"},
    {"Slip", "contact 'shoe'", 1.0,
     "contacts: {shoe: {type: friction, slip: [\"sled.vx*(1 + BAD)\"], limit: 2}}"},
    {"StopFarAway", "contact 'stop': upper", 1.0,
     "contacts: {stop: {type: stop, joint: rail, upper: \"10 + BAD\"}}"},
    {"StopThatTouches", "contact 'stop': upper", 1.0,
     "contacts: {stop: {type: stop, joint: rail, upper: \"0.2 + BAD\"}}"},
    {"CompliantStop", "contact 'stop': upper", 1.0,
     "contacts: {stop: {type: stop, joint: rail, upper: \"10 + BAD\", compliance: {stiffness: "
     "1e5}}}"},
    {"Gap", "contact 'wall'", 1.0, "contacts: {wall: {type: gap, gap: \"10 - sled.x + BAD\"}}"},
    {"SlipOfAGap", "contact 'wall'", 0.0,
     "contacts: {wall: {type: gap, gap: sled.x, slip: [\"sled.vx + BAD\"], friction: 0.3}}"},
    {"Force", "force 'push'", 1.0,
     "forces: {push: {type: force, body: sled, force: [\"BAD\", 0]}}"},
    {"Motion", "motion 'drive'", 0.0, "motions: {drive: {joint: rail, value: \"0.1*time + BAD\"}}"},
    {"Variable", "control 'c'", 0.0, "controls: {c: {type: variable, value: \"BAD\"}}"},
    {"State", "control 'c'", 0.0, "controls: {c: {type: state, rate: \"BAD\"}}"},
};

class FormulaFault : public ::testing::TestWithParam<Faulty> {};

TEST_P(FormulaFault, EndsTheRunWithItsName) {
  std::string part = GetParam().part;
  part.replace(part.find("BAD"), 3, kBad);
  LoadedModel loaded = model_of(
      "dimension: 2\nbodies: {sled: {mass: 3, inertia: [0.1], velocity: [" +
      std::to_string(GetParam().velocity) +
      ", 0]}}\njoints: {rail: {type: prismatic, between: [ground, sled]}}\n" + part + "\n");
  for (const char* method : {"auto", "event_capturing", "moreau_jean", "nonsmooth_pva"}) {
    for (const double tolerance : {1e-3, 1e-8}) {
      RunPart run = loaded.model.run;
      run.end_time = 2.0;
      run.tolerance = tolerance;
      run.integrator.text = method;
      const RunOutcome outcome = run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism),
                                               plan_of(run, *loaded.mechanism), {});
      EXPECT_FALSE(outcome.summary.ok()) << method;
      const std::string expected = std::string(GetParam().owner) + ": the formula '";
      EXPECT_NE(outcome.summary.message.find(expected), std::string::npos)
          << method << ": " << outcome.summary.message;
      EXPECT_NE(outcome.summary.message.find("' is not a number at t = 0.5"), std::string::npos)
          << method << ": " << outcome.summary.message;
      EXPECT_LT(outcome.end.time, 0.53 + 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, FormulaFault, ::testing::ValuesIn(kFaulty),
                         [](const auto& fault) { return std::string(fault.param.name); });

}  // namespace
}  // namespace picus::testing
