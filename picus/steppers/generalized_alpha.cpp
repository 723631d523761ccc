// SPDX-License-Identifier: BSD-3-Clause
// Chung and Hulbert's generalized-α method with optimal high-frequency damping, extended to
// nonconstant mass as in jay-negrut §3. [ChungHulbert1993]
#include "picus/steppers/common/averaged_position.h"

namespace picus {

std::unique_ptr<Stepper> make_generalized_alpha(const GeneralizedAlphaOptions& options) {
  return std::make_unique<AveragedPosition>(
      "generalized_alpha", AveragedPosition::Constraints::kRefused,
      chung_hulbert_parameters(options.rho), options.previous_mass, MassPoint::kShifted,
      options.common);
}

}  // namespace picus
