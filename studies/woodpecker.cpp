// SPDX-License-Identifier: BSD-3-Clause
// studer-leine-glocker §10.4: the woodpecker toy. Three contacts with friction open, close, stick
// and slip twelve times a period, and every time of the event-driven solution is found.
#include "studies/problems/woodpecker.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/switching_runs.h"

namespace picus::studies {
namespace {

// The event-driven solution, by matrix exponentials between events.
constexpr double kPeriod = 0.14597606514374192, kDescent = 0.01944537928471183;
constexpr std::array kTransient{0.021649270167, 0.061228686737, 0.067038548573, 0.077907193992,
                                0.081013497384, 0.081597240004, 0.083441641037, 0.118696833642,
                                0.121348982865, 0.167405603343};

// A flip of one bit of σ̂, as Table VII lists them.
struct Incident {
  double time = 0.0;
  int contact = 0;  ///< 1, 2, 3 as in the paper
  bool is_normal = true;
  bool is_constraint = true;  ///< from now on
  bool is_impact = false;

  std::string text() const {
    return is_normal ? fmt::format("N{} {}", contact, is_constraint ? "closes" : "opens")
                     : fmt::format("F{} {}", contact, is_constraint ? "sticks" : "slips");
  }
};

bool is_normal_constraint(ContactMode mode) {
  return mode != ContactMode::kOpen;
}

bool is_friction_constraint(ContactMode mode) {
  return mode == ContactMode::kStick;
}

std::vector<Incident> all_incidents(const SwitchingRun& run) {
  constexpr double kJump = 1e-2;  // [m/s, rad/s], far above what forces do in a smallest step
  std::vector<Incident> incidents;
  for (std::size_t n = 2; n < run.size(); ++n) {
    const bool is_impact = (run.velocity[n] - run.velocity[n - 1]).cwiseAbs().maxCoeff() > kJump;
    for (std::size_t j = 0; j < 3; ++j) {
      const ContactMode before = run.modes[n - 1][j].mode, now = run.modes[n][j].mode;
      const int contact = static_cast<int>(j) + 1;
      if (is_normal_constraint(before) != is_normal_constraint(now))
        incidents.push_back({run.time[n], contact, true, is_normal_constraint(now), is_impact});
      if (is_friction_constraint(before) != is_friction_constraint(now))
        incidents.push_back({run.time[n], contact, false, is_friction_constraint(now), is_impact});
    }
  }
  return incidents;
}

// Where a force passes through zero, its sign flickers by rounding for some of the smallest steps.
// A pair of flips that is undone so soon, and is no impact, is none.
std::vector<Incident> incidents_of(const SwitchingRun& run, double h_min) {
  std::vector<Incident> kept;
  for (const Incident& one : all_incidents(run)) {
    const bool undoes = !kept.empty() && kept.back().contact == one.contact &&
                        kept.back().is_normal == one.is_normal && !kept.back().is_impact &&
                        one.time - kept.back().time < 100.0 * h_min;
    if (undoes)
      kept.pop_back();
    else
      kept.push_back(one);
  }
  return kept;
}

// An impact that opens at once is one event of the reference.
std::vector<double> event_times(const std::vector<Incident>& incidents, double h_min) {
  std::vector<double> times;
  for (const Incident& one : incidents)
    if (times.empty() || one.time - times.back() > 10.0 * h_min) times.push_back(one.time);
  return times;
}

double worst_event(const SwitchingRun& run, double h_min) {
  const std::vector<double> times = event_times(incidents_of(run, h_min), h_min);
  double worst = times.size() < kTransient.size() ? 1.0 : 0.0;
  for (std::size_t i = 0; i < std::min(times.size(), kTransient.size()); ++i)
    worst = std::max(worst, std::abs(times[i] - kTransient[i]));
  return worst;
}

Curve bar_of(int law, double begin, double end) {
  Curve bar{.colour = law < 3 ? Colour::kBlue : Colour::kVermilion};
  for (int line = 0; line <= 20; ++line) {
    const double y = law + 1 - 0.3 + 0.03 * line;
    const bool forth = line % 2 == 0;
    bar.x.insert(bar.x.end(), {forth ? begin : end, forth ? end : begin});
    bar.y.insert(bar.y.end(), {y, y});
  }
  return bar;
}

// One bar for every time in which a law is in its 'constraint' mode, filled by a line to and fro.
Panel mode_panel(const SwitchingRun& run) {
  Panel panel{.title = "modes: 'constraint' in colour",
              .x = {.label = "t [s]", .range = Range{0.0, run.time.back()}},
              .y = {.label = "normal and frictional laws",
                    .range = Range{0.3, 6.7},
                    .names = {"N1", "N2", "N3", "F1", "F2", "F3"}}};
  for (int law = 0; law < 6; ++law) {
    const auto is_on = [&](std::size_t n) {
      const ContactMode mode = run.modes[n][static_cast<std::size_t>(law % 3)].mode;
      return law < 3 ? is_normal_constraint(mode) : is_friction_constraint(mode);
    };
    for (std::size_t n = 1; n < run.size(); ++n) {
      if (!is_on(n)) continue;
      const double begin = run.time[n - 1];
      while (n + 1 < run.size() && is_on(n + 1))
        ++n;
      panel.curves.push_back(bar_of(law, begin, run.time[n]));
    }
  }
  return panel;
}

void draw_woodpecker(Report& report, const SwitchingRun& run) {
  Panel phase{.title = "phase portrait of the bird",
              .x = {.label = "φ_S [rad]"},
              .y = {.label = "φ̇_S [rad/s]"}};
  phase.curves = {{.name = "", .x = entry(run.position, 2), .y = entry(run.velocity, 2)}};
  Panel sleeve{.title = "sleeve", .x = {.label = "t [s]"}, .y = {.label = "φ̇_M [rad/s]"}},
      bird{.title = "bird", .x = {.label = "t [s]"}, .y = {.label = "φ̇_S [rad/s]"}};
  sleeve.curves = {over_time(run, "", entry(run.velocity, 1))};
  bird.curves = {over_time(run, "", entry(run.velocity, 2))};
  Panel h = step_panel("step size"), order = order_panel("order");
  h.curves = {over_time(run, "", run.h)};
  order.curves = {over_time(run, "", run.order)};
  report.figure("woodpecker", {.title = "Woodpecker toy, h_min = 1e-7, h_max = 5e-3, order ≤ 6",
                               .columns = 2,
                               .panels = {phase, mode_panel(run), sleeve, bird, h, order}});
}

// Table VII, from stick to slip of the lower edge to the next.
const std::vector<std::string>& printed_sequence() {
  static const std::vector<std::string> sequence{"F2 slips",  "N2 opens", "N3 closes", "N3 opens",
                                                 "N1 closes", "N1 opens", "N3 closes", "N3 opens",
                                                 "N2 closes", "N2 opens", "N2 closes", "F2 sticks"};
  return sequence;
}

// Ten periods from the section of the limit cycle, where the lower edge begins to slip.
void follow_cycles(Report& report, const problems::Woodpecker& toy, const System& system) {
  constexpr double kFine = 1e-9;
  constexpr int kCycles = 10;
  State start =
      toy.at({0.0, -0.10344827586206895, -0.20513534924352564}, {0.0, 0.0, 17.574666205576456});
  const SwitchingRun run = search_switches(system, start, (kCycles + 0.02) * kPeriod, {},
                                           {.tolerance = 1e-10, .h_min = kFine, .h_max = 2e-3});
  const std::vector<Incident> incidents = incidents_of(run, kFine);
  std::vector<double> slips;
  std::vector<double> heights;
  int matches = 0, cycles = 0;
  std::size_t place = 1;  // in the sequence; the first slip may be the start itself
  for (const Incident& one : incidents) {
    const std::string text = one.text();
    if (text == "F2 slips") {
      if (one.time > 0.5 * kPeriod) {
        slips.push_back(one.time);
        ++cycles;
        if (place == printed_sequence().size()) ++matches;
      }
      place = 1;
      const auto at = std::lower_bound(run.time.begin(), run.time.end(), one.time);
      heights.push_back(run.position[static_cast<std::size_t>(at - run.time.begin())](0));
      continue;
    }
    place = place < printed_sequence().size() && text == printed_sequence()[place] ? place + 1 : 99;
  }
  report.claim("limit cycle: periods in ten times the period",
               within(static_cast<double>(cycles), kCycles, 0.0));
  report.claim("limit cycle: periods with the twelve incidents of Table VII in their order",
               within(static_cast<double>(matches), kCycles, 0.0));
  if (slips.size() < 2) return;
  const double period = (slips.back() - slips.front()) / static_cast<double>(slips.size() - 1);
  report.claim("limit cycle: error of the period, mean of nine [s]",
               below(std::abs(period - kPeriod), 1e-7));
  const double descent = (heights[heights.size() - slips.size()] - heights.back()) /
                         static_cast<double>(slips.size() - 1);
  report.claim("limit cycle: error of the descent per period [m]",
               below(std::abs(descent - kDescent), 1e-7));
  report.curves("cycles", table_of(run));
}

}  // namespace

void woodpecker(Report& report) {
  const problems::Woodpecker toy;
  const auto system = make_system(toy);
  const auto run_toy = [&](double tolerance, double h_min) {
    return search_switches(*system, toy.start(), 0.35, {},
                           {.tolerance = tolerance, .h_min = h_min, .h_max = 5e-3});
  };
  const SwitchingRun printed = run_toy(1e-8, 1e-7), fine = run_toy(1e-11, 1e-10);
  report.claim("h_min = 1e-7: largest error of the first ten event times [s]",
               below(worst_event(printed, 1e-7), 2e-6));
  report.claim("h_min = 1e-10: largest error of the first ten event times [s]",
               below(worst_event(fine, 1e-10), 1e-8));
  report.claim("h_min = 1e-10: error of φ_S at 0.35 s",
               below(std::abs(fine.end()(2) + 0.2602813649112755), 1e-6));
  report.claim("h_min = 1e-10: error of y at 0.35 s [m]",
               below(std::abs(fine.end()(0) + 0.04327053621534703), 1e-8));
  report.claim("largest order",
               within(*std::max_element(printed.order.begin(), printed.order.end()), 6.0, 1.0));
  Table table{{"t", "contact", "normal", "constraint"}, {}};
  for (const Incident& one : incidents_of(fine, 1e-10))
    table.rows.push_back({one.time, static_cast<double>(one.contact), one.is_normal ? 1.0 : 0.0,
                          one.is_constraint ? 1.0 : 0.0});
  report.curves("incidents", std::move(table));
  report.curves("motion", table_of(printed));
  follow_cycles(report, toy, *system);
  draw_woodpecker(report, printed);
}

}  // namespace picus::studies
