// SPDX-License-Identifier: BSD-3-Clause
// acary §5.3, Fig. 5: Moreau's scheme with steps by its halved steps and a guess of the local
// order, (68)-(70): zero where a gap closes, one elsewhere. The estimate is the same, since 2^1 - 1
// = 1 in (63); what changes is the size of the step that follows from it.
#include <fmt/format.h>

#include "studies/adaptive_work.h"
#include "studies/catalog.h"

namespace picus::studies {

void moreau_variable_order(Report& report) {
  Figure figure{.title = "Moreau–Jean with a guess of the local order, θ = 1/2", .columns = 2};
  for (const auto& make : {ball_case, oscillator_case}) {
    const ImpactCase problem = make();
    const std::vector<WorkCurve> curves{constant_steps(problem),
                                        adaptive_steps(problem, "order 0", {{"order", "zero"}}),
                                        adaptive_steps(problem, "order 0 or 1", {})};
    const WorkCurve &zero = curves[1], &variable = curves[2];
    const auto claim = [&](const std::string& what, const Check& check) {
      report.claim(fmt::format("{}: {}", problem.name, what), check);
    };
    const bool is_ball = problem.name == "ball";
    const double error = is_ball ? 1e-6 : 1e-4;
    const double work = variable.evaluations_for(error) / zero.evaluations_for(error);
    claim("exponent of the error over the tolerance",
          within(variable.order_in_tolerance(), is_ball ? 1.0 : 2.0 / 3.0, 0.1));
    claim(fmt::format("work of variable over that of zero order, for an error of {:g}", error),
          is_ball ? within(work, 1.0, 0.2) : below(work, 0.95));
    claim("rejected steps at the tightest tolerance, variable over zero order",
          is_ball ? within(variable.rejected.back() / zero.rejected.back(), 1.0, 0.2)
                  : below(variable.rejected.back() / zero.rejected.back(), 0.8));
    for (std::size_t i = 0; i < curves.size(); ++i)
      report.curves(fmt::format("{}-{}", problem.name, i), table_of(curves[i]));
    figure.panels.push_back(work_panel(problem, curves));
  }
  report.figure("work", std::move(figure));
}

}  // namespace picus::studies
