// SPDX-License-Identifier: BSD-3-Clause
// jay-negrut §8.1, Fig. 1 and 2: SOI2 on problem (15), steps alternating between h/3 and 2h/3. With
// the adjusting formulas (14) everything is of second order; without them a, λ and ψ fall to the
// first (y and z are protected here because two constraints fix both velocities).
#include <fmt/format.h>

#include "picus/steppers/common/alpha_parameters.h"
#include "studies/catalog.h"
#include "studies/observed_order.h"
#include "studies/problems/jay_negrut.h"
#include "studies/runs.h"

namespace picus::studies {
namespace {

constexpr double kRho = 0.2, kEnd = 1.0;
constexpr std::array<const char*, 5> kParts{"y", "z", "a", "λ", "ψ"};
constexpr std::size_t kAsymptotic = 4;  // finest steps that enter the fitted orders
constexpr std::size_t kAt128 = 4;       // the place of h = 1/128 in the list of steps

struct Variant {
  std::string adjustment, previous_mass, initial_shift;

  std::string words() const {
    return fmt::format("{}, M_α {}, start {}", adjustment == "none" ? "not adjusted" : "adjusted",
                       previous_mass == "evaluated" ? "evaluated" : "of the last step",
                       initial_shift == "a0" ? "a0" : "(8)");
  }
  std::string file() const {
    return fmt::format("{}-{}-{}", adjustment, previous_mass, initial_shift);
  }
};

// Errors at h = 1/128 found by an independent implementation in Python; started with a0.
struct Expected {
  Variant variant;
  std::array<double, 5> error;
};

std::vector<Expected> expected_errors() {
  return {{{"adjusted", "previous_step", "a0"}, {2.711e-5, 2.750e-5, 7.040e-5, 7.543e-6, 1.644e-6}},
          {{"adjusted", "evaluated", "a0"}, {2.711e-5, 2.750e-5, 7.040e-5, 7.472e-6, 2.724e-6}},
          {{"none", "previous_step", "a0"}, {2.452e-5, 2.488e-5, 6.887e-4, 7.147e-4, 2.628e-5}},
          {{"none", "evaluated", "a0"}, {2.452e-5, 2.488e-5, 6.887e-4, 2.427e-4, 1.483e-5}}};
}

// h and the five errors at t = 1, as the captions define them: a_{n+α} against a(t_n + α h).
std::vector<double> errors(const System& system, const Variant& variant, double h) {
  using Problem = problems::NonlinearProblem;
  const auto stepper =
      make_stepper("soi2", to_round_off({{"rho", fmt::format("{}", kRho)},
                                         {"adjustment", variant.adjustment},
                                         {"previous_mass", variant.previous_mass},
                                         {"initial_shift", variant.initial_shift}}));
  StepSequence control = alternating(h);
  double last_h = 0.0;
  const State end = run(system, Problem::exact(0.0), *stepper, control, kEnd, [&](const Moment& m) {
    last_h = m.h;
    return true;
  });
  const State exact = Problem::exact(kEnd);
  const double shifted_time = kEnd + chung_hulbert_parameters(kRho).shift() * last_h;
  const Vector& a = *stepper->internal("shifted_acceleration");
  return {h,
          (end.position - exact.position).norm(),
          (end.velocity - exact.velocity).norm(),
          (a - Problem::exact(shifted_time).acceleration).norm(),
          (end.multiplier - exact.multiplier).norm(),
          (end.nonholonomic_multiplier - exact.nonholonomic_multiplier).norm()};
}

Table study_variant(Report& report, const System& system, const Variant& variant) {
  Table table{{"h", "y", "z", "a", "lambda", "psi"}, {}};
  for (const double h : halved(1.0 / 8.0, 8))
    table.rows.push_back(errors(system, variant, h));
  const std::vector<double> h = column(table.rows, 0);
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    const double order = observed_order(h, column(table.rows, i + 1), kAsymptotic);
    const bool first_order = variant.adjustment == "none" && i >= 2;
    report.claim(fmt::format("{}: order of {}", variant.words(), kParts[i]),
                 first_order ? within(order, 1.0, 0.15) : within(order, 2.0, 0.1));
  }
  report.curves(variant.file(), table);
  return table;
}

Panel error_panel(const std::string& title, const Table& table) {
  constexpr std::array<Colour, 5> kPartColours{Colour::kBlue, Colour::kVermilion, Colour::kGreen,
                                               Colour::kPurple, Colour::kOrange};
  constexpr std::array<Marker, 5> kPartMarkers{Marker::kSquare, Marker::kCircle, Marker::kCross,
                                               Marker::kPlus, Marker::kDiamond};
  Panel panel{
      .title = title,
      .x = {.label = "h", .scale = Scale::kLog},
      .y = {.label = "global error at t = 1", .scale = Scale::kLog, .range = Range{1e-8, 0.1}}};
  const std::vector<double> h = column(table.rows, 0);
  for (std::size_t i = 0; i < kParts.size(); ++i)
    panel.curves.push_back({.name = kParts[i],
                            .x = h,
                            .y = column(table.rows, i + 1),
                            .colour = kPartColours[i],
                            .marker = kPartMarkers[i]});
  panel.curves.push_back(slope_guide(2.0, h.back(), h.front(), 0.05));
  panel.curves.push_back(slope_guide(1.0, h.back(), h.front(), 0.05));
  return panel;
}

}  // namespace

void soi2_order(Report& report) {
  const auto system = make_system(problems::NonlinearProblem{}, "problem 15");
  Figure figure{.title = "SOI2 on problem (15), ρ = 0.2, steps h/3 and 2h/3",
                .columns = 2,
                .panel_width = 360.0,
                .panel_height = 320.0};
  for (const Expected& expected : expected_errors()) {
    Variant variant = expected.variant;
    const Table table = study_variant(report, *system, variant);
    for (std::size_t i = 0; i < kParts.size(); ++i)
      report.claim(fmt::format("{}: error of {} at h = 1/128", variant.words(), kParts[i]),
                   near(table.rows[kAt128][i + 1], expected.error[i], 0.03));
    if (variant.previous_mass == "previous_step")
      figure.panels.push_back(error_panel(
          variant.adjustment == "none" ? "without the adjusting formulas" : "with (14a) and (14b)",
          table));
    variant.initial_shift = "shifted";
    study_variant(report, *system, variant);
  }
  report.figure("order", std::move(figure));
}

}  // namespace picus::studies
