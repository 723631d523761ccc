// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "picus/expressions/expression.h"
#include "picus/mechanism/signal.h"

namespace picus {

/// A number by formula that is recorded and acts on nothing.
struct AssembledOutput {
  /// A component of a force, by their places in Mechanism::forces().
  struct ForceInput {
    std::size_t force = 0, component = 0;
    double scale = 1.0;  ///< from SI units to those of the formula
  };
  /// An output before this one.
  struct OutputInput {
    std::size_t output = 0;
  };
  using Input = std::variant<Signal, ForceInput, OutputInput>;

  std::string name, unit, meaning;
  std::shared_ptr<const Expression> formula;
  std::vector<Input> inputs;  ///< in the order of the formula's
};

}  // namespace picus
