// SPDX-License-Identifier: BSD-3-Clause
// Newmark's family, jay-negrut (2) with α_m = α_f = 0. The trapezoidal rule (β = 1/4, γ = 1/2) is
// its second-order, undamped member. [Newmark1959]
#include "picus/steppers/common/averaged_position.h"

namespace picus {

std::unique_ptr<Stepper> make_newmark(const NewmarkOptions& options) {
  return std::make_unique<AveragedPosition>("newmark", AveragedPosition::Constraints::kRefused,
                                            newmark_parameters(options.beta, options.gamma),
                                            PreviousMass::kPreviousStep, MassPoint::kShifted,
                                            options.common);
}

}  // namespace picus
