// SPDX-License-Identifier: BSD-3-Clause
// Hilber–Hughes–Taylor: forces averaged over the step, α_m = 0 and α_f = -α. jay-negrut (2),
// [HilberHughesTaylor1977]
#include "picus/steppers/common/averaged_position.h"

namespace picus {

std::unique_ptr<Stepper> make_hht(const HhtOptions& options) {
  return std::make_unique<AveragedPosition>(
      "hht", AveragedPosition::Constraints::kRefused, hht_parameters(options.alpha),
      PreviousMass::kPreviousStep, MassPoint::kShifted, options.common);
}

}  // namespace picus
