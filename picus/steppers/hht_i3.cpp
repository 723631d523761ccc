// SPDX-License-Identifier: BSD-3-Clause
// HHT-I3: the HHT method on the index-3 equations of a multibody system, unknowns accelerations and
// multipliers, position constraints divided by β h². negrut-hht-i3 (11a)–(11c)
//
// Two departures from the paper, both for second order: the shifted acceleration is adjusted when h
// changes (jay-negrut (14a)), and the mass matrix is taken at the shifted time unless
// mass_point = end.
#include "picus/steppers/common/averaged_position.h"

namespace picus {

std::unique_ptr<Stepper> make_hht_i3(const HhtI3Options& options) {
  return std::make_unique<AveragedPosition>(
      "hht_i3", AveragedPosition::Constraints::kAtPositionLevel, hht_parameters(options.alpha),
      PreviousMass::kPreviousStep, options.mass_point, options.common);
}

}  // namespace picus
