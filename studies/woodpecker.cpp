// SPDX-License-Identifier: BSD-3-Clause
// studer-leine-glocker §10.4: the woodpecker toy. Three contacts with friction open, close, stick
// and slip twelve times a period, and every time of the event-driven solution is found, by
// extrapolation and by the methods that go from event to event.
#include "studies/problems/woodpecker.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/switching_runs.h"
#include "studies/woodpecker_events.h"

namespace picus::studies {
namespace {

using Reference = WoodpeckerReference;

constexpr int kPecks = 10;        // periods of the limit cycle that are followed
constexpr double kTimely = 1e-8;  // [s, m]

struct PeckMethod {
  std::string name;
  std::function<WoodpeckerEvents(const System& system, const State& start, double end)> run;
};

PeckMethod stops_at_events(const char* method) {
  return {method, [=](const System& system, const State& start, double end) {
            AdaptiveStep control({.tolerance = 1e-11});
            return run_to_events(system, start, *make_stepper(method), control, end);
          }};
}

std::vector<PeckMethod> peck_methods() {
  std::vector<PeckMethod> methods;
  methods.push_back(
      {"extrapolation", [](const System& system, const State& start, double end) {
         const SwitchingOptions search{.tolerance = 1e-10, .h_min = 1e-10, .h_max = 2e-3};
         return events_of(search_switches(system, start, end, {}, search), search.h_min);
       }});
  for (const char* method : {"event_driven", "event_capturing"})
    methods.push_back(stops_at_events(method));
  return methods;
}

// The motion of a run between its steps, by dense output.
struct WoodpeckerPath {
  std::vector<double> time, sleeve_rate, angle, rate;  ///< φ̇_M, φ_S, φ̇_S

  Observer observer() {
    return [this, sample = State()](const Moment& moment) mutable {
      constexpr int kSamples = 12;
      constexpr double kLong = 1e-5;  // [s]; shorter steps are not seen
      const int count = moment.h > kLong ? kSamples : 1;
      for (int i = 1; i <= count; ++i) {
        if (i < count)
          moment.interpolate(static_cast<double>(i) / count, sample);
        else
          sample = moment.state;
        time.push_back(sample.time);
        sleeve_rate.push_back(sample.velocity(1));
        angle.push_back(sample.position(2));
        rate.push_back(sample.velocity(2));
      }
      return true;
    };
  }
};

Curve bar_of(int law, double begin, double end, Colour colour) {
  Curve bar{.colour = colour};
  for (int line = 0; line <= 20; ++line) {
    const double y = law + 1 - 0.3 + 0.03 * line;
    const bool forth = line % 2 == 0;
    bar.x.insert(bar.x.end(), {forth ? begin : end, forth ? end : begin});
    bar.y.insert(bar.y.end(), {y, y});
  }
  return bar;
}

// One bar for every time in which a law keeps its mode, filled by a line to and fro.
Panel mode_panel(const SwitchingRun& run) {
  Panel panel{.title = "modes: 'constraint' black, 'impressed' grey",
              .x = {.label = "t [s]", .range = Range{0.0, run.time.back()}},
              .y = {.label = "normal and frictional laws",
                    .range = Range{0.3, 6.7},
                    .names = {"N1", "N2", "N3", "F1", "F2", "F3"}}};
  std::vector<Curve> black;
  for (int law = 0; law < 6; ++law) {
    for (std::size_t n = 1; n < run.size(); ++n) {
      const bool is_on = is_constraint_mode(run.modes[n], law);
      const double begin = run.time[n - 1];
      while (n + 1 < run.size() && is_constraint_mode(run.modes[n + 1], law) == is_on)
        ++n;
      (is_on ? black : panel.curves)
          .push_back(bar_of(law, begin, run.time[n], is_on ? Colour::kBlack : Colour::kGrey));
    }
  }
  panel.curves.insert(panel.curves.end(), black.begin(), black.end());
  return panel;
}

// Where modes have changed.
std::vector<std::size_t> switching_points(const SwitchingRun& run) {
  std::vector<std::size_t> points;
  for (std::size_t n = 2; n < run.size(); ++n)
    if (run.modes[n] != run.modes[n - 1]) points.push_back(n);
  return points;
}

Curve dots(const std::vector<std::size_t>& points, const std::vector<double>& x,
           const std::vector<double>& y) {
  Curve curve{.name = "switching points",
              .colour = Colour::kBlack,
              .marker = Marker::kDot,
              .line = Line::kNone};
  for (const std::size_t n : points) {
    curve.x.push_back(x[n]);
    curve.y.push_back(y[n]);
  }
  return curve;
}

void draw_woodpecker(Report& report, const SwitchingRun& run, const WoodpeckerPath& path) {
  Panel phase{.title = "phase portrait of the bird",
              .x = {.label = "φ_S [rad]"},
              .y = {.label = "φ̇_S [rad/s]"}};
  Panel sleeve{.title = "sleeve", .x = {.label = "t [s]"}, .y = {.label = "φ̇_M [rad/s]"}},
      bird{.title = "bird", .x = {.label = "t [s]"}, .y = {.label = "φ̇_S [rad/s]"}};
  Panel h = step_panel("step size"), order = order_panel("order");
  const std::vector<std::size_t> points = switching_points(run);
  const std::vector<double> angle = entry(run.position, 2), rate = entry(run.velocity, 2);
  phase.curves = {{.x = path.angle, .y = path.rate}, dots(points, angle, rate)};
  sleeve.curves = {{.x = path.time, .y = path.sleeve_rate},
                   dots(points, run.time, entry(run.velocity, 1))};
  bird.curves = {{.x = path.time, .y = path.rate}, dots(points, run.time, rate)};
  h.curves = {over_time(run, "", run.h), dots(points, run.time, run.h)};
  order.curves = {over_time(run, "", run.order), dots(points, run.time, run.order)};
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

// Behind the start, which is at the first incident itself.
int periods_as_printed(const std::vector<Incident>& incidents) {
  int periods = 0;
  std::size_t place = 1;  // in the sequence
  for (const Incident& one : incidents) {
    const std::string text = one.text();
    if (text == "F2 slips") {
      if (place == printed_sequence().size()) ++periods;
      place = 1;
    } else {
      place =
          place < printed_sequence().size() && text == printed_sequence()[place] ? place + 1 : 99;
    }
  }
  return periods;
}

// Ten periods of the limit cycle, behind the closing of the lower edge.
void claim_cycles(Report& report, const PeckMethod& method, const System& system) {
  constexpr std::size_t kEvents = Reference::kCycle.size();
  std::vector<double> times;
  for (std::size_t n = Reference::kClosing + 1; times.size() < kPecks * kEvents; ++n) {
    const std::size_t period = n / kEvents;
    times.push_back(static_cast<double>(period) * Reference::kPeriod +
                    Reference::kCycle[n % kEvents] - Reference::kCycle[Reference::kClosing]);
  }
  WoodpeckerEvents events = method.run(system, Reference::closing(), times.back() + 1e-3);
  if (!events.time.empty() && events.time.front() < 1e-6) {  // the closing itself
    events.time.erase(events.time.begin());
    events.height.erase(events.height.begin());
  }
  report.claim(method.name + ": events in ten periods of the limit cycle, nine each",
               within(static_cast<double>(events.time.size()), kPecks * kEvents, 0.0));
  report.claim(method.name + ": largest error of their times [s]",
               below(worst_event(events, times), kTimely));
  double period = 0.0, descent = 0.0;
  for (std::size_t n = kEvents; n < events.time.size(); ++n) {
    const double t = events.time[n] - events.time[n - kEvents],
                 y = events.height[n] - events.height[n - kEvents];
    period = std::max(period, std::abs(t - Reference::kPeriod));
    descent = std::max(descent, std::abs(y + Reference::kDescent));
  }
  report.claim(method.name + ": largest error of a period, from any event to its next [s]",
               below(period, kTimely));
  report.claim(method.name + ": largest error of the descent in a period [m]",
               below(descent, kTimely));
}

}  // namespace

void woodpecker(Report& report) {
  const problems::Woodpecker toy;
  const auto system = make_system(toy);
  constexpr double kPrinted = 1e-7, kFinest = 1e-10;
  WoodpeckerPath path;
  const SwitchingRun printed =
      search_switches(*system, toy.start(), Reference::kEnd, {},
                      {.tolerance = 1e-8, .h_min = kPrinted, .h_max = 5e-3}, path.observer());
  report.claim(
      "h_min = 1e-7: largest error of the first ten event times [s]",
      below(worst_event(events_of(printed, kPrinted), std::span(Reference::kTransient).first(10)),
            2e-6));
  report.claim("largest order",
               within(*std::max_element(printed.order.begin(), printed.order.end()), 6.0, 1.0));
  const SwitchingRun cycles =
      search_switches(*system, Reference::section(), (kPecks + 0.02) * Reference::kPeriod, {},
                      {.tolerance = 1e-10, .h_min = kFinest, .h_max = 2e-3});
  report.claim("periods with the twelve incidents of Table VII in their order",
               within(periods_as_printed(incidents_of(cycles, kFinest)), kPecks, 0.0));
  for (const PeckMethod& method : peck_methods()) {
    const WoodpeckerEvents events = method.run(*system, toy.start(), Reference::kEnd);
    report.claim(method.name + ": largest error of 19 event times from the published start [s]",
                 below(worst_event(events, Reference::kTransient), kTimely));
    report.claim(method.name + ": error of φ_S at 0.35 s",
                 below(std::abs(events.end.position(2) - Reference::kEndAngle), 1e-6));
    report.claim(method.name + ": error of y at 0.35 s [m]",
                 below(std::abs(events.end.position(0) - Reference::kEndHeight), 1e-8));
    claim_cycles(report, method, *system);
  }
  Table table{{"t", "contact", "normal", "constraint"}, {}};
  for (const Incident& one : incidents_of(cycles, kFinest))
    table.rows.push_back({one.time, static_cast<double>(one.contact), one.is_normal ? 1.0 : 0.0,
                          one.is_constraint ? 1.0 : 0.0});
  report.curves("incidents", std::move(table));
  report.curves("motion", table_of(printed));
  report.curves("cycles", table_of(cycles));
  draw_woodpecker(report, printed, path);
}

}  // namespace picus::studies
