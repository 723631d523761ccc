// SPDX-License-Identifier: BSD-3-Clause
// acary §6.2, Fig. 6 and 7: event capturing keeps the order of the Runge–Kutta method between the
// events, on the linear oscillator; it passes through the accumulation of the bouncing ball with a
// bounded number of events. Beyond the paper the pendulum of bruls-acary-cardona §6.1, whose joints
// are constraints between the impacts, and generalized-α and HHT as smooth methods.
//
// With C = 1 the error on the oscillator is that of the critical time C h^{p+1} alone: methods of
// one order agree in it. What the smooth methods contribute shows where events are exact,
// event_driven, which differs in nothing else.
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "picus/picus.h"
#include "studies/catalog.h"
#include "studies/impact_errors.h"
#include "studies/observed_order.h"
#include "studies/runs.h"

namespace picus::studies {
namespace {

struct SmoothPart {
  const char* family;
  const char* smooth;
  int order;
  bool has_orders;
  Marker marker;
  Line line;

  std::string name() const {
    return has_orders ? fmt::format("{} {}", family, order) : std::string(family);
  }
  // An order has a colour, a family its marker and line.
  Colour colour() const {
    return has_orders ? colour_of(static_cast<std::size_t>(order - 2)) : Colour::kBlack;
  }
  OptionValues options() const {
    OptionValues options{{"smooth", smooth}};
    if (has_orders) options.emplace_back("order", std::to_string(order));
    return options;
  }
};
constexpr SmoothPart kImplicit[] = {
    {"Lobatto IIIA", "lobatto_iiia", 2, true, Marker::kCircle, Line::kSolid},
    {"Radau IIA", "radau_iia", 3, true, Marker::kSquare, Line::kSolid},
    {"Lobatto IIIA", "lobatto_iiia", 4, true, Marker::kCircle, Line::kSolid},
    {"Radau IIA", "radau_iia", 5, true, Marker::kSquare, Line::kSolid},
    {"Lobatto IIIA", "lobatto_iiia", 6, true, Marker::kCircle, Line::kSolid}};
constexpr SmoothPart kHalfExplicit[] = {
    {"half-explicit", "half_explicit", 2, true, Marker::kTriangle, Line::kDashed},
    {"half-explicit", "half_explicit", 3, true, Marker::kTriangle, Line::kDashed},
    {"half-explicit", "half_explicit", 4, true, Marker::kTriangle, Line::kDashed},
    {"half-explicit", "half_explicit", 5, true, Marker::kTriangle, Line::kDashed},
    {"half-explicit", "half_explicit", 6, true, Marker::kTriangle, Line::kDashed}};
constexpr SmoothPart kAlpha[] = {{"SOI2", "soi2", 2, false, Marker::kPlus, Line::kSolid},
                                 {"HHT-I3", "hht_i3", 2, false, Marker::kCross, Line::kDashed}};

constexpr double kRounding = 1e-14;

struct Captured {
  State end;
  std::vector<double> impacts;  ///< times
};

enum class Events { kCaptured, kExact };

Captured capture(const System& system, const State& start, const SmoothPart& part, double h,
                 double end, Events events = Events::kCaptured) {
  const auto stepper = make_stepper(
      events == Events::kCaptured ? "event_capturing" : "event_driven", part.options());
  FixedStep steps(h);
  Captured captured;
  captured.end = run(system, start, *stepper, steps, end, [&](const Moment& moment) {
    if (!moment.is_first() && moment.stepper.impulses().has_impact())
      captured.impacts.push_back(moment.state.time);
    return true;
  });
  return captured;
}

// Errors of several methods over step sizes, as a panel and a table.
class OrderPanel {
 public:
  OrderPanel(std::string title, std::string label, std::vector<double> h) : h_(std::move(h)) {
    panel_ = {.title = std::move(title),
              .x = {.label = "h [s]", .scale = Scale::kLog},
              .y = {.label = std::move(label), .scale = Scale::kLog}};
    table_.columns.push_back("h");
    for (const double step : h_)
      table_.rows.push_back({step});
  }

  void add(const SmoothPart& part, const std::vector<double>& errors) {
    Curve curve{.name = part.name(),
                .x = h_,
                .y = errors,
                .colour = part.colour(),
                .marker = part.marker,
                .line = part.line};
    for (double& error : curve.y)
      error = std::max(error, kRounding / 10.0);  // zero has no place on this axis
    panel_.curves.push_back(std::move(curve));
    table_.columns.push_back(part.name());
    for (std::size_t i = 0; i < h_.size(); ++i)
      table_.rows[i].push_back(errors[i]);
  }

  const Panel& panel() const { return panel_; }
  const Table& table() const { return table_; }

 private:
  std::vector<double> h_;
  Panel panel_;
  Table table_;
};

// The slope over all steps whose errors are above rounding, and how many octaves these are.
struct Fit {
  double order = 0.0;
  std::size_t octaves = 0;
};
Fit fit_above_rounding(const std::vector<double>& h, const std::vector<double>& error) {
  std::size_t count = 0;
  while (count < h.size() && error[count] >= 10.0 * kRounding)
    ++count;
  const std::span x(h), y(error);
  return {observed_order(x.first(count), y.first(count)), count > 0 ? count - 1 : 0};
}

// Three panels of one problem: implicit, half-explicit, generalized-α and HHT.
class Families {
 public:
  Families(const std::string& problem, const std::string& label, const std::vector<double>& h)
      : panels_{OrderPanel(problem + ", implicit", label, h),
                OrderPanel(problem + ", half-explicit", label, h),
                OrderPanel(problem + ", generalized-α and HHT", label, h)} {}

  void add(const SmoothPart& part, const std::vector<double>& errors) {
    const std::size_t family = !part.has_orders                                   ? 2
                               : part.smooth == std::string_view("half_explicit") ? 1
                                                                                  : 0;
    panels_[family].add(part, errors);
  }
  void show(Report& report, const std::string& name, std::vector<Panel>& panels) const {
    constexpr std::array kNames{"_implicit", "_half_explicit", "_alpha"};
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      report.curves(name + kNames[i], panels_[i].table());
      panels.push_back(panels_[i].panel());
    }
  }

 private:
  std::array<OrderPanel, 3> panels_;
};

std::vector<SmoothPart> all_parts() {
  std::vector<SmoothPart> parts(std::begin(kImplicit), std::end(kImplicit));
  parts.insert(parts.end(), std::begin(kHalfExplicit), std::end(kHalfExplicit));
  parts.insert(parts.end(), std::begin(kAlpha), std::end(kAlpha));
  return parts;
}

// The error depends on where in its step an impact falls: the mean over nearby step sizes.
constexpr int kNearby = 6;
double nearby(double step, int k) {
  return step * (1.0 - 0.02 * k);
}

std::vector<double> oscillator_errors(const SmoothPart& part, Events events,
                                      const std::vector<double>& h) {
  const problems::ImpactOscillator oscillator;
  const auto system = make_system(oscillator);
  constexpr double kEnd = 10.0;
  const auto exact = problems::exact_motion(oscillator, 1.0, kEnd + 2.0).at(kEnd);
  std::vector<double> errors;
  for (const double step : h) {
    double sum = 0.0;
    for (int k = 0; k < kNearby; ++k) {
      const State end =
          capture(*system, oscillator.at(1.0, 0.0), part, nearby(step, k), kEnd, events).end;
      sum += std::hypot(end.position(0) - exact.position, end.velocity(0) - exact.velocity);
    }
    errors.push_back(sum / kNearby);
  }
  return errors;
}

void study_oscillator(Report& report, std::vector<Panel>& panels) {
  const std::vector<double> h = halved(0.5, 5);
  const std::string label = "error of q and v at 10 s [m, m/s]";
  Families captured("C = 1", label, h), exact("exact events", label, h);
  for (const SmoothPart& part : all_parts()) {
    const std::vector<double> errors = oscillator_errors(part, Events::kCaptured, h);
    captured.add(part, errors);
    report.claim(
        fmt::format("oscillator, {}: order of q, v at 10 s over four octaves, C = 1", part.name()),
        at_least(observed_order(h, errors), part.order - 0.4));
    const std::vector<double> smooth = oscillator_errors(part, Events::kExact, h);
    exact.add(part, smooth);
    report.claim(fmt::format("oscillator, {}: the same with exact events, the smooth method's own",
                             part.name()),
                 within(observed_order(h, smooth), part.order, 0.2));
  }
  captured.show(report, "oscillator", panels);
  exact.show(report, "oscillator_exact_events", panels);
}

// Between impacts the ball is a parabola, which all methods know: what is left is the critical
// steps, and these depend on the order alone. One curve for each of them.
void study_ball(Report& report, std::vector<Panel>& panels) {
  const problems::BouncingBall ball;
  const auto system = make_system(ball);
  constexpr double kFlight = 2.2, kEnd = 4.0;
  constexpr std::size_t kEnough = 100;  // impacts: of a flight 2⁻³⁰ s long nothing is seen
  const problems::ImpactMotion exact = problems::exact_motion(ball, 1.0);
  const std::vector<double> h = halved(0.2, 5);
  OrderPanel panel("ball, after two impacts: the critical times", "error of q(2.2) [m]", h);
  std::map<int, std::vector<double>> of_order;
  double unlike = 0.0;
  for (const SmoothPart& part : all_parts()) {
    std::vector<double> errors;
    std::size_t impacts = 0;
    double rest = 0.0;
    for (const double step : h) {
      const Captured flight = capture(*system, ball.at(1.0, 0.0), part, step, kFlight);
      errors.push_back(std::abs(flight.end.position(0) - exact.at(kFlight).position));
      const Captured all = capture(*system, ball.at(1.0, 0.0), part, step, kEnd);
      impacts = std::max(impacts, all.impacts.size());
      rest = std::max({rest, std::abs(all.end.position(0)), std::abs(all.end.velocity(0))});
    }
    const auto [first, is_new] = of_order.emplace(part.order, errors);
    if (is_new)
      panel.add({"all methods of order", "", part.order, true, Marker::kDiamond, Line::kSolid},
                errors);
    for (std::size_t i = 0; i < h.size(); ++i)
      unlike = std::max(unlike, std::abs(errors[i] - first->second[i]));
    report.claim(fmt::format("ball, {}: impacts until it rests", part.name()),
                 below(static_cast<double>(impacts), kEnough));
    report.claim(fmt::format("ball, {}: |q|, |v| behind the accumulation", part.name()),
                 below(rest, 1e-9));
  }
  report.claim("ball: methods of the same order differ in q(2.2) by [m]", below(unlike, 1e-12));
  report.curves("ball", panel.table());
  panels.push_back(panel.panel());
}

// Times of impact: quadrature of the energy integral.
void study_pendulum(Report& report, std::vector<Panel>& panels) {
  const problems::BouncingPendulum pendulum;
  const auto system = make_system(pendulum);
  constexpr std::array kImpacts{0.3511865254015655, 0.9447410575195277, 1.443416848405957};
  const std::vector<double> h = halved(0.08, 6);
  const State start = pendulum.at(std::numbers::pi / 12.0, 0.0);
  // the worst: that of a single impact changes its sign where terms of two orders cancel
  const auto error_of = [&](const std::vector<double>& found) {
    if (found.size() < kImpacts.size()) return 1.0;
    double worst = 0.0;
    for (std::size_t i = 0; i < kImpacts.size(); ++i)
      worst = std::max(worst, std::abs(found[i] - kImpacts[i]));
    return worst;
  };
  Families families("pendulum with joints", "error of the first three impacts [s]", h);
  for (const SmoothPart& part : all_parts()) {
    std::vector<double> errors;
    double violation = 0.0;
    for (const double step : h) {
      double sum = 0.0;
      for (int k = 0; k < kNearby; ++k) {
        const Captured captured = capture(*system, start, part, nearby(step, k), 1.6);
        sum += error_of(captured.impacts);
        Vector g;
        system->constraint(captured.end, g);
        violation = std::max(violation, max_abs(g.head(2)));
      }
      errors.push_back(sum / kNearby);
    }
    families.add(part, errors);
    const Fit fit = fit_above_rounding(h, errors);
    report.claim(
        fmt::format("pendulum, {}: order of three impacts over {} octaves, down to {}", part.name(),
                    fit.octaves, fit.octaves + 1 < h.size() ? "rounding" : "h = 2.5 ms"),
        at_least(fit.order, part.order - 0.4));
    report.claim(fmt::format("pendulum, {}: octaves above rounding", part.name()),
                 at_least(static_cast<double>(fit.octaves), part.order < 6 ? 4.0 : 3.0));
    report.claim(fmt::format("pendulum, {}: joints are off by [m]", part.name()),
                 below(violation, 1e-10));
  }
  families.show(report, "pendulum", panels);
}

}  // namespace

void event_capturing_order(Report& report) {
  std::vector<Panel> oscillator, others;
  study_oscillator(report, oscillator);
  study_ball(report, others);
  study_pendulum(report, others);
  report.figure("oscillator",
                {.title = "Oscillator: event capturing with smooth methods of order 2 "
                          "to 6, and the same with exact events",
                 .columns = 3,
                 .panels = std::move(oscillator)});
  report.figure("ball_and_pendulum", {.title = "Ball and pendulum: event capturing, C = 1",
                                      .columns = 2,
                                      .panels = std::move(others)});
}

}  // namespace picus::studies
