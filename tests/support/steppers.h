// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include "picus/simulation/simulate.h"
#include "picus/steppers/catalog.h"
#include "tests/support/problems.h"

namespace picus::testing {

/// True when the method takes the constraints and forces of the system.
bool accepts(const Stepper& stepper, const System& system);

/// The state at the end of the problem with fixed steps; fails the test if a step fails.
State run(const TestProblem& problem, Stepper& stepper, double h);
State run(const TestProblem& problem, Stepper& stepper, Controller& controller);

/// Largest difference in positions and velocities.
double distance(const State& a, const State& b);

/// Tests that walk the catalog: TEST_P over StepperTest, INSTANTIATE with kEveryStepper.
class StepperTest : public ::testing::TestWithParam<StepperEntry> {
 protected:
  static std::unique_ptr<Stepper> make(OptionValues options = {}) {
    return GetParam().make(options);
  }
};

inline auto every_stepper() {
  return ::testing::ValuesIn(
      std::vector<StepperEntry>(stepper_catalog().begin(), stepper_catalog().end()));
}

/// Those of a given order on smooth motions: two is the generalized-α family.
inline auto every_stepper_of_order(int order) {
  std::vector<StepperEntry> entries;
  for (const StepperEntry& entry : stepper_catalog())
    if (entry.make({})->traits().order == order) entries.push_back(entry);
  return ::testing::ValuesIn(entries);
}

/// Those that may step across velocity jumps.
inline auto every_stepper_across_impacts() {
  std::vector<StepperEntry> entries;
  for (const StepperEntry& entry : stepper_catalog())
    if (entry.make({})->traits().handles_impacts) entries.push_back(entry);
  return ::testing::ValuesIn(entries);
}

inline std::string stepper_name(const ::testing::TestParamInfo<StepperEntry>& info) {
  return std::string(info.param.name);
}

}  // namespace picus::testing

namespace picus {
/// How GoogleTest prints the parameter.
inline void PrintTo(const StepperEntry& entry, std::ostream* out) {
  *out << entry.name;
}
}  // namespace picus
