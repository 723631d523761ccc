// SPDX-License-Identifier: BSD-3-Clause
// acary §5.2, Fig. 4: Moreau's scheme with steps chosen by its halved steps, against constant
// steps.
//
// (67) compares one step with two of half the size. Where neither sees an impact, because it falls
// into the last part of the step, they agree, and the ball is let through the floor: (67) alone
// stalls at an error that the tolerance does not reduce. Counting the depth at the end of the step
// as an error makes the error follow the tolerance.
#include <fmt/format.h>

#include "studies/adaptive_work.h"
#include "studies/catalog.h"

namespace picus::studies {

void moreau_adaptive(Report& report) {
  Figure figure{.title = "Moreau–Jean with steps by (67), θ = 1/2", .columns = 2};
  for (const auto& make : {ball_case, oscillator_case}) {
    const ImpactCase problem = make();
    const std::vector<WorkCurve> curves{
        constant_steps(problem), adaptive_steps(problem, "adaptive", {{"order", "zero"}}),
        adaptive_steps(problem, "(67) alone", {{"order", "zero"}, {"penetration", "ignored"}}),
        adaptive_steps(problem, "(67) alone, γ = 1",
                       {{"order", "zero"}, {"penetration", "ignored"}, {"gamma", "1"}})};
    const auto claim = [&](const std::string& what, const Check& check) {
      report.claim(fmt::format("{}: {}", problem.name, what), check);
    };
    const WorkCurve &constant = curves[0], &adaptive = curves[1];
    const WorkCurve &alone = curves[2], &ahead = curves[3];
    const bool is_ball = problem.name == "ball";
    claim("constant steps, exponent of the work over 1/error", within(constant.cost(), 1.0, 0.15));
    claim("adaptive, exponent of the error over the tolerance",
          within(adaptive.order_in_tolerance(), is_ball ? 1.0 : 2.0 / 3.0, 0.1));
    // logarithmic for the ball, whose flights are exact; second order between the impacts
    claim("adaptive, exponent of the work over 1/error",
          within(adaptive.cost(), is_ball ? 0.17 : 0.45, 0.1));
    claim("work of constant over that of adaptive steps, for an error of 1e-4",
          at_least(constant.evaluations_for(1e-4) / adaptive.evaluations_for(1e-4), 20.0));
    claim("(67) alone: its error over that of adaptive steps, at the tightest tolerance",
          at_least(alone.error.back() / adaptive.error.back(), 10.0));
    if (is_ball) {
      claim("(67) alone: error at the tightest tolerance [m s]",
            at_least(alone.error.back(), 1e-3));
      claim("(67) alone, γ = 1: exponent of the error over the tolerance",
            below(ahead.order_in_tolerance(), 0.7));
    }
    for (std::size_t i = 0; i < curves.size(); ++i)
      report.curves(fmt::format("{}-{}", problem.name, i), table_of(curves[i]));
    figure.panels.push_back(work_panel(problem, curves));
  }
  report.figure("work", std::move(figure));
}

}  // namespace picus::studies
