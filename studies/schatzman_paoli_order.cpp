// SPDX-License-Identifier: BSD-3-Clause
// acary §3.2, Fig. 3: empirical order of the scheme of Schatzman and Paoli through impacts, in four
// measures, and the work it takes beside Moreau's.
//
// §3.1 says that it does not violate the constraints. That holds without restitution; with e > 0 a
// closed contact means q_{k+1} = -e q_{k-1}, a penetration of first order.
#include <array>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/impact_errors.h"

namespace picus::studies {

void schatzman_paoli_order(Report& report) {
  constexpr std::array<std::string_view, 2> kSteppers{"schatzman_paoli", "moreau_jean"};
  for (const ImpactStudy& study : study_orders(report, kSteppers, "Schatzman–Paoli, θ = 1/2")) {
    if (study.stepper != kSteppers.front()) continue;
    claim_orders(report, study);
    const Measure penetration = [](const ImpactErrors& e) { return e.penetration; };
    report.claim(fmt::format("{}, schatzman_paoli: order of the penetration", study.problem),
                 within(study.order(penetration), 1.0, 0.15));
    report.claim(fmt::format("{}, schatzman_paoli: penetration over h, at the finest step [m/s]",
                             study.problem),
                 at_least(study.errors.back().penetration / study.h.back(), 0.1));
  }
}

}  // namespace picus::studies
