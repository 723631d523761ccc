// SPDX-License-Identifier: BSD-3-Clause
// acary §6.2, Fig. 6 and 7: event capturing keeps the order of the Runge–Kutta method between the
// events, on the linear oscillator; it passes through the accumulation of the bouncing ball with a
// bounded number of events. Beyond the paper the pendulum of bruls-acary-cardona §6.1, whose joints
// are constraints between the impacts, and generalized-α and HHT as smooth methods.
#include <array>
#include <cmath>
#include <numbers>

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

Captured capture(const System& system, const State& start, const SmoothPart& part, double h,
                 double end) {
  const auto stepper = make_stepper("event_capturing", part.options());
  FixedStep steps(h);
  Captured captured;
  captured.end = run(system, start, *stepper, steps, end, [&](const Moment& moment) {
    if (!moment.is_first() && moment.stepper.internal("velocity_before_impact") != nullptr)
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

// The slope over two octaves of the finest steps whose errors are above rounding: coarser ones have
// not reached the order yet.
double order_above_rounding(const std::vector<double>& h, const std::vector<double>& error) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (error[i] < 10.0 * kRounding) break;
    x.push_back(h[i]);
    y.push_back(error[i]);
  }
  return observed_order(x, y, std::min<std::size_t>(3, x.size()));
}

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

void study_oscillator(Report& report, std::vector<Panel>& panels) {
  const problems::ImpactOscillator oscillator;
  const auto system = make_system(oscillator);
  constexpr double kEnd = 10.0;
  const problems::ImpactMotion exact = problems::exact_motion(oscillator, 1.0, kEnd + 2.0);
  const std::vector<double> h = halved(0.5, 5);
  const auto errors_of_part = [&](const SmoothPart& part) {
    std::vector<double> errors;
    for (const double step : h) {
      double sum = 0.0;
      for (int k = 0; k < kNearby; ++k) {
        const State end =
            capture(*system, oscillator.at(1.0, 0.0), part, nearby(step, k), kEnd).end;
        sum += std::hypot(end.position(0) - exact.at(kEnd).position,
                          end.velocity(0) - exact.at(kEnd).velocity);
      }
      errors.push_back(sum / kNearby);
    }
    return errors;
  };
  OrderPanel implicit("oscillator, implicit", "error of q and v at 10 s [m, m/s]", h);
  OrderPanel explicit_("oscillator, half-explicit", "error of q and v at 10 s [m, m/s]", h);
  OrderPanel alpha("oscillator, generalized-α and HHT", "error of q and v at 10 s [m, m/s]", h);
  for (const SmoothPart& part : all_parts()) {
    const std::vector<double> errors = errors_of_part(part);
    (part.has_orders ? part.smooth == kHalfExplicit[0].smooth ? explicit_ : implicit : alpha)
        .add(part, errors);
    report.claim(fmt::format("oscillator, {}: order of q, v at 10 s over two octaves", part.name()),
                 at_least(order_above_rounding(h, errors), part.order - 0.4));
  }
  report.curves("oscillator_implicit", implicit.table());
  report.curves("oscillator_half_explicit", explicit_.table());
  report.curves("oscillator_alpha", alpha.table());
  panels.push_back(implicit.panel());
  panels.push_back(explicit_.panel());
  panels.push_back(alpha.panel());
}

// Between impacts the ball is a parabola, which all methods know: what is left is the critical
// steps.
void study_ball(Report& report, std::vector<Panel>& panels) {
  const problems::BouncingBall ball;
  const auto system = make_system(ball);
  constexpr double kFlight = 2.2, kEnd = 4.0;
  constexpr std::size_t kEnough = 100;  // impacts: of a flight 2⁻³⁰ s long nothing is seen
  const problems::ImpactMotion exact = problems::exact_motion(ball, 1.0);
  const std::vector<double> h = halved(0.2, 5);
  OrderPanel panel("ball, after two impacts", "error of q(2.2) [m]", h);
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
    panel.add(part, errors);
    report.claim(fmt::format("ball, {}: impacts until it rests", part.name()),
                 below(static_cast<double>(impacts), kEnough));
    report.claim(fmt::format("ball, {}: |q|, |v| behind the accumulation", part.name()),
                 below(rest, 1e-9));
  }
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
  OrderPanel panel("pendulum with joints", "error of the first three impacts [s]", h);
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
    panel.add(part, errors);
    report.claim(fmt::format("pendulum, {}: order of three impacts over two octaves", part.name()),
                 at_least(order_above_rounding(h, errors), part.order - 0.4));
    report.claim(fmt::format("pendulum, {}: joints are off by [m]", part.name()),
                 below(violation, 1e-10));
  }
  report.curves("pendulum", panel.table());
  panels.push_back(panel.panel());
}

}  // namespace

void event_capturing_order(Report& report) {
  std::vector<Panel> panels;
  study_oscillator(report, panels);
  study_ball(report, panels);
  study_pendulum(report, panels);
  report.figure("orders", {.title = "Event capturing with smooth methods of order 2 to 6",
                           .columns = 2,
                           .panels = std::move(panels)});
}

}  // namespace picus::studies
