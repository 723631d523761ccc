// SPDX-License-Identifier: BSD-3-Clause
// studer-leine-glocker Fig. 14: the woodpecker toy with fixed orders between switching points and
// the same smallest step across them, against the event-driven solution.
#include <cmath>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/observed_order.h"
#include "studies/problems/woodpecker.h"
#include "studies/runs.h"
#include "studies/switching_runs.h"

namespace picus::studies {
namespace {

constexpr double kToyEnd = 0.35, kToySmallest = 1e-10;
constexpr double kToyAngle = -0.2602813649112755;  // φ_S there, event-driven
constexpr double kToyFloor = 2e-7;  // what steps across switching points and rounding leave
constexpr int kToyRuns = 3;

}  // namespace

void woodpecker_order(Report& report) {
  const problems::Woodpecker toy;
  const auto system = make_system(toy);
  Panel panel{.title = "error of φ_S at 0.35 s",
              .x = {.label = "h_max [s]", .scale = Scale::kLog},
              .y = {.label = "|φ_S − φ_S,exact|", .scale = Scale::kLog}};
  constexpr Marker kMarkers[] = {Marker::kCircle, Marker::kSquare, Marker::kTriangle,
                                 Marker::kDiamond};
  Table table{{"order", "h_max", "error"}, {}};
  for (int order = 1; order <= 4; ++order) {
    Curve curve{.name = fmt::format("p = {}", order),
                .colour = static_cast<Colour>(order - 1),
                .marker = kMarkers[order - 1]};
    std::vector<double> h_above, error_above;
    for (const double h : halved(1.8e-3, 5)) {
      double error = 0.0, size = 0.0;
      for (int n = 0; n < kToyRuns; ++n) {
        const double h_max = h * (1.0 - 0.05 * n);
        const SwitchingRun run = search_switches(*system, toy.start(), kToyEnd, {.order = order},
                                                 {.h_min = kToySmallest, .h_max = h_max});
        error += std::abs(run.end()(2) - kToyAngle) / kToyRuns;
        size += h_max / kToyRuns;
      }
      curve.x.push_back(size);
      curve.y.push_back(error);
      table.rows.push_back({static_cast<double>(order), size, error});
      if (error < kToyFloor) continue;
      h_above.push_back(size);
      error_above.push_back(error);
    }
    if (h_above.size() >= 3)
      report.claim(curve.name + ": order in h_max, above the error of switching points",
                   at_least(observed_order(h_above, error_above), order - 0.75));
    report.claim(curve.name + ": error with the largest step over that with the smallest",
                 at_least(curve.y.front() / curve.y.back(), 1.0));
    panel.curves.push_back(std::move(curve));
  }
  report.curves("orders", std::move(table));
  report.figure("orders", {.title = "Woodpecker toy, h_min = 1e-10", .panels = {panel}});
}

}  // namespace picus::studies
