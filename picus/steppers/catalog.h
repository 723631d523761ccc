// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "picus/base/fields.h"
#include "picus/steppers/stepper.h"

namespace picus {

/// One line of the catalog of methods.
struct StepperEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Stepper> (*make)(const OptionValues& options);
  std::vector<FieldDescription> (*options)();
};

/// Every method, sorted by family. The table of contents of steppers/.
std::span<const StepperEntry> stepper_catalog();

/// Makes a method by name. Throws InputError for unknown names and options.
std::unique_ptr<Stepper> make_stepper(std::string_view name, const OptionValues& options = {});

}  // namespace picus
