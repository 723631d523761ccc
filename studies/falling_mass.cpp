// SPDX-License-Identifier: BSD-3-Clause
// studer-leine-glocker §8 and §10.1: a mass falls on a table and comes to rest behind infinitely
// many impacts. Extrapolation over 1, 2, 3, … substeps makes what is left of the velocity of a
// closed contact grow, and steps stay small for ever; over 1, 3, 5, … they do not.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/dynamics/consistent_state.h"
#include "studies/catalog.h"
#include "studies/problems/impacts.h"
#include "studies/switching_runs.h"

namespace picus::studies {
namespace {

constexpr double kDrop = 0.07, kGravity = 9.81, kBounce = 0.7;
constexpr double kTableMin = 1e-5, kTableMax = 0.05, kTableEnd = 1.2;
// T_{2,2} = T_{1,1} on a parabola: any tolerance gives the exact path, with order 2 as printed
constexpr double kTableTolerance = 1e-4;

problems::BouncingBall falling() {
  return {.f = -kGravity, .e = kBounce};
}

SwitchingRun run_falling(SubstepSequence substeps, RestitutionRule restitution) {
  const problems::BouncingBall mass = falling();
  const auto system = make_system(mass);
  return search_switches(*system, mass.at(kDrop, 0.0), kTableEnd,
                         {.atol = kTableTolerance,
                          .rtol = kTableTolerance,
                          .substeps = substeps,
                          .restitution = restitution},
                         {.h_min = kTableMin, .h_max = kTableMax});
}

// T_{i,i} over the velocity before, of a contact that stays closed: (47), Fig. 5.
double continued_velocity(SubstepSequence substeps, int order, double e) {
  problems::BouncingBall mass = falling();
  mass.e = e;
  const auto system = make_system(mass);
  constexpr double kSmall = 1e-9;
  State from = mass.at(-1e-6, kSmall);
  expects(make_consistent(*system, from).ok(), "a mass in the air starts consistently");
  State to = from;
  const auto stepper = make_extrapolation({.order = order, .substeps = substeps});
  stepper->start(*system, from);
  const StepReport report = stepper->attempt(*system, from, 1e-3, to);
  return report.ok() && report.order == order ? to.velocity(0) / kSmall
                                              : std::numeric_limits<double>::quiet_NaN();
}

Panel tableau_panel(Report& report, SubstepSequence substeps, const char* title) {
  Panel panel{.title = title, .x = {.label = "restitution ε"}, .y = {.label = "T_ii / γ_B"}};
  double largest = 0.0;
  for (int order = 1; order <= 4; ++order) {
    Curve curve{.name = fmt::format("order {}", order), .colour = static_cast<Colour>(order - 1)};
    for (int n = 0; n <= 50; ++n) {
      curve.x.push_back(0.02 * n);
      curve.y.push_back(continued_velocity(substeps, order, 0.02 * n));
      largest = std::max(largest, std::abs(curve.y.back()));
    }
    panel.curves.push_back(std::move(curve));
  }
  if (substeps == SubstepSequence::kOdd)
    report.claim("odd substeps: largest |T_ii/γ_B| over all restitutions, i ≤ 4",
                 below(largest, 1.0 + 1e-4));
  return panel;
}

void claim_tableau(Report& report) {
  const double printed[] = {-0.7, 1.68, -3.8535, 9.2682};
  for (int order = 2; order <= 4; ++order)
    report.claim(
        fmt::format("all substeps, ε = 0.7: T_{0}{0}/γ_B, printed {1}", order, printed[order - 1]),
        within(continued_velocity(SubstepSequence::kAll, order, kBounce), printed[order - 1],
               1e-3));
}

double last_switch(const SwitchingRun& run) {
  double last = 0.0;
  for (std::size_t n = 2; n < run.size(); ++n)
    if (run.modes[n] != run.modes[n - 1]) last = run.time[n];
  return last;
}

double largest_step_at_rest(const SwitchingRun& run) {
  double largest = 0.0;
  for (std::size_t n = 1; n < run.size(); ++n)
    if (run.time[n] - run.h[n] > 0.75) largest = std::max(largest, run.h[n]);
  return largest;
}

// |ż| behind over |ż| before each step of second order at rest. The table: T_{2,2} of the velocity.
Curve left_by_steps(const SwitchingRun& run) {
  Curve curve{.marker = Marker::kCircle, .line = Line::kNone};
  for (std::size_t n = 2; n < run.size(); ++n) {
    constexpr double kRest = 0.677, kSeen = 1e-16;  // [s, m/s]
    const double before = std::abs(run.velocity[n - 1](0)), behind = std::abs(run.velocity[n](0));
    if (run.time[n] < kRest || run.order[n] < 2.0 || before < kSeen) continue;
    curve.x.push_back(run.time[n]);
    curve.y.push_back(behind / before);
  }
  return curve;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void claim_motion(Report& report, const SwitchingRun& odd) {
  const double first = std::sqrt(2.0 * kDrop / kGravity);
  const double rest = first * (1.0 + kBounce) / (1.0 - kBounce);
  double impact = 0.0, path = 0.0, order = 0.0;
  for (std::size_t n = 1; n < odd.size() && impact == 0.0; ++n) {
    if (odd.velocity[n](0) > 0.0) {
      impact = odd.time[n];
    } else if (odd.modes[n][0].mode == ContactMode::kOpen) {
      const double t = odd.time[n];
      path = std::max(path, std::abs(odd.position[n](0) - (kDrop - 0.5 * kGravity * t * t)));
      order = std::max(order, odd.order[n]);
    }
  }
  report.claim("first impact [s]; exact 0.1194619", within(impact, first, 2.0 * kTableMin));
  report.claim("last switching point [s]; impacts accumulate at 0.6769509",
               within(last_switch(odd), rest, 2e-3));
  report.claim("order in flight", within(order, 2.0, 0.0));
  report.claim("error of the height before the first impact [m]", below(path, 1e-14));
  report.claim("velocity at the end [m/s]", below(std::abs(odd.velocity.back()(0)), 1e-10));
}

}  // namespace

void falling_mass(Report& report) {
  const SwitchingRun odd = run_falling(SubstepSequence::kOdd, RestitutionRule::kConstant);
  const SwitchingRun all = run_falling(SubstepSequence::kAll, RestitutionRule::kConstant);
  const SwitchingRun fading = run_falling(SubstepSequence::kAll, RestitutionRule::kFading);
  claim_motion(report, odd);
  report.claim("odd substeps: largest step at rest [s]",
               at_least(largest_step_at_rest(odd), 0.9 * kTableMax));
  report.claim("all substeps: largest step at rest [s]",
               below(largest_step_at_rest(all), 0.01 * kTableMax));
  report.claim("all substeps, restitution ε^(h/h_min): largest step at rest [s]",
               at_least(largest_step_at_rest(fading), 0.9 * kTableMax));
  const Curve kept_all = left_by_steps(all), kept_odd = left_by_steps(odd);
  report.claim("all substeps: what a step of order 2 makes of |ż| at rest, median; T_22 = 1.68",
               within(median(kept_all.y), 1.68, 0.01));
  report.claim("odd substeps: the same; |T_22| = 0.1645", within(median(kept_odd.y), 0.1645, 0.01));
  report.claim("attempts with all substeps over those with odd ones",
               at_least(static_cast<double>(all.attempts) / static_cast<double>(odd.attempts), 10));
  claim_tableau(report);
  report.curves("odd", table_of(odd));
  report.curves("all", table_of(all));
  report.curves("fading", table_of(fading));

  Figure steps{.title = "A mass falls on a table: steps", .columns = 2};
  Panel failing = step_panel("1, 2, 3, … substeps: steps stay small"),
        good = step_panel("1, 3, 5, … substeps");
  failing.curves = {over_time(all, "", all.h)};
  failing.curves[0].colour = Colour::kVermilion;
  good.curves = {over_time(odd, "", odd.h)};
  for (Panel* panel : {&failing, &good})
    panel->y.range = Range{3e-6, 0.2};
  Panel order = order_panel("order, odd substeps");
  order.curves = {over_time(odd, "", odd.order)};
  order.y.range = Range{0.0, 4.0};
  // Fig. 9(b): steps of order 2 make it grow until the contact opens, the smallest ones shrink it
  Panel restless{.title = "1, 2, 3, …: ż grows and is reset",
                 .x = {.label = "t [s]", .range = Range{0.8, 0.8015}},
                 .y = {.label = "ż [m/s]"}};
  restless.curves = {over_time(all, "", entry(all.velocity, 0), 0.8)};
  std::erase_if(restless.curves[0].x, [](double t) { return t > 0.8015; });
  restless.curves[0].y.resize(restless.curves[0].x.size());
  restless.curves[0].colour = Colour::kVermilion;
  restless.curves[0].marker = Marker::kCircle;
  Panel decaying{.title = "1, 3, 5, … substeps: it decays to rounding",
                 .x = {.label = "t [s]", .range = Range{0.67, 0.9}},
                 .y = {.label = "|ż| [m/s]", .scale = Scale::kLog, .range = Range{1e-16, 1e-1}}};
  decaying.curves = {over_time(odd, "", entry(odd.velocity, 0), 0.67)};
  for (double& v : decaying.curves[0].y)
    v = std::abs(v);
  decaying.curves[0].marker = Marker::kCircle;
  Panel factor{.title = "what a step of order 2 makes of |ż| at rest",
               .x = {.label = "t [s]"},
               .y = {.label = "|ż₁/ż₀|", .scale = Scale::kLog, .range = Range{0.05, 20.0}}};
  factor.curves = {kept_all, kept_odd};
  factor.curves[0].name = "1, 2, 3, … substeps";
  factor.curves[0].colour = Colour::kVermilion;
  factor.curves[0].marker = Marker::kDot;
  factor.curves[1].name = "1, 3, 5, … substeps";
  steps.panels = {failing, good, restless, decaying, factor, order};
  report.figure("steps", std::move(steps));

  Panel height{.title = "height", .x = {.label = "t [s]"}, .y = {.label = "z [m]"}};
  height.curves = {over_time(odd, "", entry(odd.position, 0))};
  Panel speed{.title = "velocity", .x = {.label = "t [s]"}, .y = {.label = "ż [m/s]"}};
  speed.curves = {over_time(odd, "", entry(odd.velocity, 0))};
  for (Panel* panel : {&height, &speed}) {
    panel->curves.front().marker = Marker::kCircle;
    panel->curves.front().line = Line::kSolid;
  }
  report.figure("motion", {.title = "A mass falls on a table: motion, a mark for every step",
                           .columns = 2,
                           .panels = {height, speed}});
  report.figure("tableau",
                {.title = "What extrapolation makes of a velocity at a closed contact",
                 .columns = 2,
                 .panels = {tableau_panel(report, SubstepSequence::kAll, "1, 2, 3, 4 substeps"),
                            tableau_panel(report, SubstepSequence::kOdd, "1, 3, 5, 7 substeps")}});
}

}  // namespace picus::studies
