// SPDX-License-Identifier: BSD-3-Clause
// studer-leine-glocker Fig. 14: the woodpecker toy with fixed orders between switching points and
// the same smallest step across them, against the event-driven solution. Beyond the paper the same
// with event capturing over smooth methods of order 2 to 6, and with methods of first order.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/observed_order.h"
#include "studies/problems/woodpecker.h"
#include "studies/runs.h"
#include "studies/switching_runs.h"
#include "studies/woodpecker_events.h"

namespace picus::studies {
namespace {

using Toy = WoodpeckerReference;

constexpr double kToySmallest = 1e-11;
constexpr double kToyFloor = 5e-9;      // what steps of kToySmallest leave of the angle
constexpr double kToyRounding = 1e-13;  // [s], of event times
constexpr std::size_t kToyPeck = 13;    // the second of the beak, among the events

struct ToyLine {
  std::string name;
  std::vector<double> h, error;

  /// Over all steps down to the first whose error is below a floor. NaN for fewer than three.
  double order(double floor, std::size_t& count) const {
    count = static_cast<std::size_t>(
        std::find_if(error.begin(), error.end(), [&](double e) { return e < floor; }) -
        error.begin());
    if (count < 3) return std::numeric_limits<double>::quiet_NaN();
    return observed_order(std::span(h).first(count), std::span(error).first(count));
  }
};

// Errors depend on where in their steps events fall: the mean over step sizes from h down to
// (1 − spread) h.
template <class ErrorOf>
ToyLine toy_line(std::string name, const std::vector<double>& h, int runs, double spread,
                 const ErrorOf& error_of) {
  ToyLine line{std::move(name), {}, {}};
  for (const double step : h) {
    double error = 0.0, size = 0.0;
    for (int n = 0; n < runs; ++n) {
      const double one = step * (1.0 - spread * n / runs);
      error += error_of(one) / runs;
      size += one / runs;
    }
    line.h.push_back(size);
    line.error.push_back(error);
  }
  return line;
}

Curve curve_of(const ToyLine& line, Colour colour, Marker marker, Line style = Line::kSolid) {
  return {.name = line.name,
          .x = line.h,
          .y = line.error,
          .colour = colour,
          .marker = marker,
          .line = style};
}

void add_rows(Table& table, double id, const ToyLine& line) {
  for (std::size_t i = 0; i < line.h.size(); ++i)
    table.rows.push_back({id, line.h[i], line.error[i]});
}

// Fig. 14.
Panel study_extrapolation(Report& report, const System& system, const State& start) {
  Panel panel{.title = "extrapolation of order p",
              .x = {.label = "h_max [s]", .scale = Scale::kLog},
              .y = {.label = "error of φ_S at 0.35 s", .scale = Scale::kLog}};
  constexpr Marker kMarkers[] = {Marker::kCircle, Marker::kSquare, Marker::kTriangle,
                                 Marker::kDiamond};
  constexpr double kSmallest[] = {1e-3, 5e-4, 1e-7, 2e-8};
  std::vector<double> h(7, 1.8e-3);
  for (std::size_t n = 0; n < h.size(); ++n)
    h[n] *= std::pow(0.5, 0.5 * static_cast<double>(n));
  Table table{{"order", "h_max", "error"}, {}};
  for (int order = 1; order <= 4; ++order) {
    const ToyLine line = toy_line(fmt::format("p = {}", order), h, 6, 0.3, [&](double h_max) {
      const SwitchingRun run = search_switches(system, start, Toy::kEnd, {.order = order},
                                               {.h_min = kToySmallest, .h_max = h_max});
      return std::abs(run.end()(2) - Toy::kEndAngle);
    });
    std::size_t count = 0;
    const double slope = line.order(kToyFloor, count);
    report.claim(
        fmt::format("extrapolation, {}: order of φ_S in h_max over {} step sizes, {}", line.name,
                    count,
                    count < h.size() ? "down to the error of switching points" : "three octaves"),
        at_least(slope, order - 0.5));
    report.claim(
        fmt::format("extrapolation, {}: smallest error of φ_S", line.name),
        below(*std::min_element(line.error.begin(), line.error.end()), kSmallest[order - 1]));
    add_rows(table, order, line);
    panel.curves.push_back(curve_of(line, static_cast<Colour>(order - 1), kMarkers[order - 1]));
  }
  report.curves("orders", std::move(table));
  return panel;
}

struct ToyPart {
  const char* name;
  const char* smooth;
  const char* digit;  ///< option `order`; empty for methods without
  int order;
  double h;  ///< the largest
  Marker marker;
  Line line;
};
constexpr ToyPart kToyParts[] = {
    {"half-explicit 2", "half_explicit", "2", 2, 5e-4, Marker::kTriangle, Line::kDashed},
    {"half-explicit 3", "half_explicit", "3", 3, 5e-4, Marker::kTriangle, Line::kDashed},
    {"half-explicit 4", "half_explicit", "4", 4, 5e-4, Marker::kTriangle, Line::kDashed},
    {"half-explicit 5", "half_explicit", "5", 5, 5e-4, Marker::kTriangle, Line::kDashed},
    {"half-explicit 6", "half_explicit", "6", 6, 2e-3, Marker::kTriangle, Line::kDashed},
    {"Radau IIA 3", "radau_iia", "3", 3, 5e-4, Marker::kSquare, Line::kSolid},
    {"Radau IIA 5", "radau_iia", "5", 5, 5e-4, Marker::kSquare, Line::kSolid},
    {"Lobatto IIIA 2", "lobatto_iiia", "2", 2, 5e-4, Marker::kCircle, Line::kSolid},
    {"Lobatto IIIA 4", "lobatto_iiia", "4", 4, 5e-4, Marker::kCircle, Line::kSolid},
    {"Lobatto IIIA 6", "lobatto_iiia", "6", 6, 2e-3, Marker::kCircle, Line::kSolid},
    {"SOI2", "soi2", "", 2, 5e-4, Marker::kPlus, Line::kSolid},
    {"HHT-I3", "hht_i3", "", 2, 5e-4, Marker::kCross, Line::kDashed}};

// Time of the second peck.
void study_capturing(Report& report, const System& system, const State& start, Panel& runge_kutta,
                     Panel& alpha) {
  Table table{{"method", "h", "error"}, {}};
  for (std::size_t m = 0; m < std::size(kToyParts); ++m) {
    const ToyPart& part = kToyParts[m];
    const ToyLine line = toy_line(part.name, halved(part.h, 4), 6, 0.3, [&](double h) {
      OptionValues options{{"smooth", part.smooth}};
      if (*part.digit != '\0') options.emplace_back("order", part.digit);
      const auto stepper = make_stepper("event_capturing", options);
      FixedStep steps(h);
      const WoodpeckerEvents events = run_to_events(system, start, *stepper, steps, Toy::kEnd);
      return events.time.size() == Toy::kTransient.size()
                 ? std::abs(events.time[kToyPeck] - Toy::kTransient[kToyPeck])
                 : std::numeric_limits<double>::quiet_NaN();
    });
    std::size_t count = 0;
    const double slope = line.order(kToyRounding, count);
    report.claim(fmt::format("event_capturing, {}: order of the second peck over {} octaves",
                             line.name, count > 0 ? count - 1 : 0),
                 at_least(slope, part.order - 0.5));
    add_rows(table, static_cast<double>(m), line);
    const bool has_order = *part.digit != '\0';
    (has_order ? runge_kutta : alpha)
        .curves.push_back(curve_of(line,
                                   has_order ? static_cast<Colour>(part.order - 2) : Colour::kBlack,
                                   part.marker, part.line));
  }
  report.curves("event_capturing", std::move(table));
}

void study_first_order(Report& report, const System& system, const State& start, Panel& panel) {
  constexpr int kRuns = 16;
  Table table{{"method", "h", "error"}, {}};
  double id = 0.0;
  for (const char* method : {"moreau_jean", "moreau_midpoint"}) {
    const ToyLine line = toy_line(method, halved(8e-5, 4), kRuns, 0.3, [&](double h) {
      FixedStep steps(h);
      const State end = run(system, start, *make_stepper(method), steps, Toy::kEnd);
      return std::abs(end.position(2) - Toy::kEndAngle);
    });
    report.claim(fmt::format("{}: order of φ_S at 0.35 s over three octaves", method),
                 within(observed_order(line.h, line.error), 1.0, 0.3));
    add_rows(table, id, line);
    panel.curves.push_back(
        curve_of(line, id > 0.0 ? Colour::kVermilion : Colour::kBlue, Marker::kDiamond));
    id += 1.0;
  }
  report.curves("first_order", std::move(table));
}

}  // namespace

void woodpecker_order(Report& report) {
  const problems::Woodpecker toy;
  const auto system = make_system(toy);
  const auto panel_of = [](const char* title, const char* label) {
    return Panel{.title = title,
                 .x = {.label = "h [s]", .scale = Scale::kLog},
                 .y = {.label = label, .scale = Scale::kLog}};
  };
  Panel runge_kutta = panel_of("event capturing, Runge–Kutta", "error of the second peck [s]"),
        alpha = panel_of("event capturing, generalized-α and HHT", "error of the second peck [s]"),
        first = panel_of("constant steps, first order", "error of φ_S at 0.35 s");
  Panel extrapolation = study_extrapolation(report, *system, toy.start());
  study_capturing(report, *system, toy.start(), runge_kutta, alpha);
  study_first_order(report, *system, toy.start(), first);
  report.note(
      "left out: nonsmooth_pva and nonsmooth_pvv, which find no active set at an impact of the "
      "upper edge, t = 0.078 s, with constant steps");
  report.figure("orders", {.title = "Woodpecker toy: convergence to the event-driven solution",
                           .columns = 2,
                           .panels = {extrapolation, runge_kutta, alpha, first}});
}

}  // namespace picus::studies
