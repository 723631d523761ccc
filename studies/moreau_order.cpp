// SPDX-License-Identifier: BSD-3-Clause
// acary §2.1, Fig. 2: empirical order of Moreau's scheme through impacts, in four measures, and the
// work it takes (constant steps of Fig. 4). The θ-method of acary (16), and the midpoint rule of
// studer-leine-glocker (15)-(21), which takes the same steps on the ball.
#include <array>

#include "studies/catalog.h"
#include "studies/impact_errors.h"

namespace picus::studies {

void moreau_order(Report& report) {
  constexpr std::array<std::string_view, 2> kSteppers{"moreau_jean", "moreau_midpoint"};
  for (const ImpactStudy& study : study_orders(report, kSteppers, "Moreau–Jean, θ = γ = 1/2"))
    claim_orders(report, study);
}

}  // namespace picus::studies
