// SPDX-License-Identifier: BSD-3-Clause
// jay-negrut §7 ends by saying that positions and velocities stay second order without (14). In
// general they do not: per pair of steps h₁, h₂ the velocity error is C (h₂ - h₁)² a', which sums
// to first order unless α_m = α_f. Problem (15) hides it because its constraints fix all
// velocities; the oscillator and pendulum (16) show it.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/observed_order.h"
#include "studies/problems/jay_negrut.h"
#include "studies/problems/oscillator.h"
#include "studies/reference_ode.h"
#include "studies/runs.h"

namespace picus::studies {
namespace {

constexpr std::size_t kAsymptotic = 4;

/// A problem with its exact state at the end.
struct Problem {
  std::string words;
  std::unique_ptr<System> system;
  State start, end;
  double end_time;
};

Problem oscillator() {
  constexpr double kEnd = 4.0;
  State start, end;
  start.position = Vector::Constant(1, 1.0);
  start.velocity = Vector::Constant(1, 0.0);
  end.position = Vector::Constant(1, std::cos(kEnd));
  end.velocity = Vector::Constant(1, -std::sin(kEnd));
  return {"oscillator", make_system(problems::Oscillator{}, "oscillator"), start, end, kEnd};
}

Problem spring_pendulum() {
  constexpr double kEnd = 2.0;
  const problems::SpringPendulum pendulum;
  const Motion m = integrate(
      [&](double angle, double rate) { return pendulum.angular_acceleration(angle, rate); },
      {problems::SpringPendulum::kRest, 10.0}, kEnd, 40000);
  return {"pendulum (16)", make_system(pendulum, "pendulum"),
          pendulum.at(problems::SpringPendulum::kRest, 10.0), pendulum.at(m.angle, m.rate), kEnd};
}

/// Errors of positions and velocities for steps from coarse to fine.
struct Errors {
  std::vector<double> h, position, velocity, multiplier;

  double position_order() const { return observed_order(h, position, kAsymptotic); }
  double velocity_order() const { return observed_order(h, velocity, kAsymptotic); }
  double multiplier_order() const { return observed_order(h, multiplier, kAsymptotic); }
};

Errors errors(const Problem& problem, std::string_view method, const OptionValues& options,
              const std::vector<double>& steps) {
  Errors result;
  for (const double h : steps) {
    const auto stepper = make_stepper(method, options);
    StepSequence control = alternating(h);
    const State end = run(*problem.system, problem.start, *stepper, control, problem.end_time);
    result.h.push_back(h);
    result.position.push_back((end.position - problem.end.position).norm());
    result.velocity.push_back((end.velocity - problem.end.velocity).norm());
    result.multiplier.push_back((end.multiplier - problem.end.multiplier).norm());
  }
  return result;
}

struct Case {
  std::string words, method;
  OptionValues options;
  Colour colour;
  Marker marker;
  bool immune = false;  ///< α_m = α_f: nothing is shifted
};

void study_case(Report& report, const Problem& problem, const Case& c,
                const std::vector<double>& steps, Panel& adjusted, Panel& plain) {
  OptionValues none = c.options;
  none.emplace_back("adjustment", "none");
  const Errors with = errors(problem, c.method, c.options, steps);
  const Errors without = errors(problem, c.method, none, steps);
  const std::string who = fmt::format("{}, {}", problem.words, c.words);
  report.claim(who + ": order of positions, adjusted", within(with.position_order(), 2.0, 0.1));
  report.claim(who + ": order of velocities, adjusted", within(with.velocity_order(), 2.0, 0.1));
  const auto unadjusted = [&](double order) {
    return c.immune ? within(order, 2.0, 0.1) : within(order, 1.0, 0.15);
  };
  report.claim(who + ": order of positions, not adjusted", unadjusted(without.position_order()));
  report.claim(who + ": order of velocities, not adjusted", unadjusted(without.velocity_order()));

  Table table{{"h", "position adjusted", "velocity adjusted", "position", "velocity"}, {}};
  for (std::size_t i = 0; i < steps.size(); ++i)
    table.rows.push_back(
        {steps[i], with.position[i], with.velocity[i], without.position[i], without.velocity[i]});
  report.curves(fmt::format("{}-{}", problem.end.position.size() == 1 ? "oscillator" : "pendulum",
                            c.method + (c.options.empty() ? "" : "-" + c.options[0].second)),
                std::move(table));
  const auto curve = [&](const std::vector<double>& error) {
    return Curve{.name = c.words, .x = steps, .y = error, .colour = c.colour, .marker = c.marker};
  };
  adjusted.curves.push_back(curve(with.velocity));
  plain.curves.push_back(curve(without.velocity));
}

Panel velocity_panel(const std::string& title) {
  return {.title = title,
          .x = {.label = "h [s]", .scale = Scale::kLog},
          .y = {.label = "error of velocities", .scale = Scale::kLog}};
}

void study_cases(Report& report, const Problem& problem, const std::vector<Case>& cases,
                 const std::vector<double>& steps, Figure& figure) {
  Panel adjusted = velocity_panel(problem.words + ", adjusted by (14a)");
  Panel plain = velocity_panel(problem.words + ", not adjusted");
  for (const Case& c : cases)
    study_case(report, problem, c, steps, adjusted, plain);
  for (Panel* panel : {&adjusted, &plain}) {
    double top = 0.0;
    for (const Curve& curve : panel->curves)
      top = std::max(top, curve.y.front());
    panel->curves.push_back(slope_guide(2.0, steps.back(), steps.front(), 3.0 * top));
    if (panel == &plain)
      panel->curves.push_back(slope_guide(1.0, steps.back(), steps.front(), 3.0 * top));
    figure.panels.push_back(std::move(*panel));
  }
}

// With positions alone enforced, the velocity residual is C h_n² q‴. When h alternates it jumps at
// every step, which takes accelerations and multipliers that are off by O(h), with (14a) or
// without. Positions and velocities stay second order but need smaller steps to show it.
bool enforces_positions_only(std::string_view method) {
  return method == "index3" || method == "hht_i3";
}

// Every method of the catalog with its defaults.
void study_catalog_orders(Report& report, const Problem& free, const Problem& constrained) {
  for (const StepperEntry& entry : stepper_catalog()) {
    if (entry.make({})->traits().order != 2) continue;
    const bool holonomic = entry.make({})->traits().holonomic;
    const bool reduced = enforces_positions_only(entry.name);
    const Problem& problem = holonomic ? constrained : free;
    const double coarsest = !holonomic ? 0.02 : reduced ? 2.0 / 4096.0 : 2.0 / 512.0;
    const Errors found = errors(problem, entry.name, {}, halved(coarsest, kAsymptotic));
    const std::string who = fmt::format("{} on the {}", entry.name, problem.words);
    report.claim(who + ": order of positions", within(found.position_order(), 2.0, 0.1));
    report.claim(who + ": order of velocities", within(found.velocity_order(), 2.0, 0.1));
    if (!holonomic) continue;
    report.claim(who + ": order of multipliers", reduced
                                                     ? within(found.multiplier_order(), 1.0, 0.15)
                                                     : within(found.multiplier_order(), 2.0, 0.1));
  }
}

}  // namespace

void variable_step_order(Report& report) {
  const Problem free = oscillator(), constrained = spring_pendulum();
  Figure figure{.title = "Steps alternating between h/3 and 2h/3",
                .columns = 2,
                .panel_width = 360.0,
                .panel_height = 260.0};
  const Case small{
      "ρ = 0.2", "generalized_alpha", {{"rho", "0.2"}}, Colour::kBlue, Marker::kSquare};
  const Case large{
      "ρ = 0.9", "generalized_alpha", {{"rho", "0.9"}}, Colour::kGreen, Marker::kCircle};
  const Case one{"ρ = 1",        "generalized_alpha", {{"rho", "1"}},
                 Colour::kBlack, Marker::kDiamond,    true};
  const Case hht{"HHT α = −0.3", "hht", {{"alpha", "-0.3"}}, Colour::kVermilion, Marker::kTriangle};
  study_cases(report, free, {small, large, one, hht}, halved(0.04, 8), figure);
  Case soi2 = small, soi2_one = one;
  soi2.method = soi2_one.method = "soi2";
  study_cases(report, constrained, {soi2, soi2_one}, halved(2.0 / 512.0, 7), figure);
  report.figure("order", std::move(figure));
  study_catalog_orders(report, free, constrained);
}

}  // namespace picus::studies
