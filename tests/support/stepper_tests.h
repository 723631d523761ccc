// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tests that walk the catalog of methods.

#include <gtest/gtest.h>

#include "picus/steppers/catalog.h"

namespace picus::testing {

/// TEST_P over StepperTest, INSTANTIATE with every_stepper() or one of the others.
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
