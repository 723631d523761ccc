// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Formulas of time that prescribe where something is: motions, and limits that move. A body can
// follow them only where they do not jump.

#include <memory>
#include <optional>
#include <string>

#include "picus/expressions/expression.h"
#include "picus/model/values.h"

namespace picus {

/// One that switches somewhere.
struct PrescribedFormula {
  std::string label;  ///< "motion 'drive'"
  SourcePlace place;
  std::shared_ptr<const Expression> expression;
  double per_second = 1.0, si = 1.0;  ///< from seconds to its unit of time, from its unit to SI

  /// Value and rate [SI] at a time [s].
  std::pair<double, double> at(double time) const;
};

/// A jump that no body can follow.
struct PrescribedJump {
  double time = 0.0;  ///< [s]
  double size = 0.0;  ///< [SI] of the value, or of the rate
};

/// The first jump of the value, or of the rate, between 0 and `end` [s]. Switches are looked for
/// at a few thousand times: those that come in pairs between two of them are not seen.
std::optional<PrescribedJump> find_value_jump(const PrescribedFormula& formula, double end);
std::optional<PrescribedJump> find_rate_jump(const PrescribedFormula& formula, double end);

}  // namespace picus
