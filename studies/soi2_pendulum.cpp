// SPDX-License-Identifier: BSD-3-Clause
// jay-negrut §8.2, Fig. 4: SOI2 on the spring-damper pendulum (16), steps alternating between h/3
// and 2h/3, errors at t = 2 against the minimal equation of motion.
#include <cmath>

#include <fmt/format.h>

#include "picus/steppers/common/alpha_parameters.h"
#include "studies/catalog.h"
#include "studies/observed_order.h"
#include "studies/problems/jay_negrut.h"
#include "studies/reference_ode.h"
#include "studies/runs.h"

namespace picus::studies {
namespace {

constexpr double kRho = 0.2, kEnd = 2.0;
constexpr std::size_t kAsymptotic = 4;
constexpr std::array<const char*, 4> kParts{"y", "z", "a", "λ"};

// From independent computations: angle, rate and reactions of the minimal equation by two methods
// (eighth-order Runge-Kutta and Radau, which agree to 4e-13), with the sign of Picus for λ, and the
// errors of SOI2 at h = 2/2048 by an implementation in Python.
struct Point {
  double t, angle, rate, lambda_1, lambda_2;
};
constexpr Point kPoints[] = {
    {0.5, 4.405782798390702, 2.756282484707, 263.82076526335, 45.214391608498},
    {1.0, 4.578481487894023, -0.326536288170, 166.442602499032, 27.703800608631},
    {2.0, 4.727778699883552, -0.198184434704, -10.452452281528, 49.281944209304}};
constexpr std::array<double, 4> kErrors{9.813e-6, 7.207e-6, 1.160e-3, 5.218e-3};
constexpr std::size_t kAt2048 = 3;  // the place of h = 2/2048 in the list of steps

State exact(const problems::SpringPendulum& pendulum, double t) {
  const Motion m = integrate(
      [&](double angle, double rate) { return pendulum.angular_acceleration(angle, rate); },
      {problems::SpringPendulum::kRest, 10.0}, t, 40000);
  return pendulum.at(m.angle, m.rate);
}

void claim_reference(Report& report, const problems::SpringPendulum& pendulum) {
  for (const Point& point : kPoints) {
    const State found = exact(pendulum, point.t);
    const auto claim = [&](const char* what, double value, double wanted) {
      report.claim(fmt::format("reference: deviation of {} at {} s", what, point.t),
                   below(std::abs(value - wanted) / std::abs(wanted), 1e-10));
    };
    claim("angle", found.position(2), point.angle);
    claim("rate", found.velocity(2), point.rate);
    claim("λ1", found.multiplier(0), point.lambda_1);
    claim("λ2", found.multiplier(1), point.lambda_2);
  }
}

std::vector<double> errors(const problems::SpringPendulum& pendulum, const System& system,
                           double h) {
  const auto stepper = make_stepper("soi2", to_round_off({{"rho", fmt::format("{}", kRho)}}));
  StepSequence control = alternating(h);
  double last_h = 0.0;
  const State end = run(system, pendulum.at(problems::SpringPendulum::kRest, 10.0), *stepper,
                        control, kEnd, [&](const Moment& m) {
                          last_h = m.h;
                          return true;
                        });
  const State right = exact(pendulum, kEnd);
  const State shifted = exact(pendulum, kEnd + chung_hulbert_parameters(kRho).shift() * last_h);
  const Vector& a = *stepper->internal("shifted_acceleration");
  return {h, (end.position - right.position).norm(), (end.velocity - right.velocity).norm(),
          (a - shifted.acceleration).norm(), (end.multiplier - right.multiplier).norm()};
}

Figure order_figure(const Table& table) {
  constexpr std::array<Colour, 4> kPartColours{Colour::kBlue, Colour::kVermilion, Colour::kGreen,
                                               Colour::kPurple};
  constexpr std::array<Marker, 4> kPartMarkers{Marker::kSquare, Marker::kCircle, Marker::kCross,
                                               Marker::kPlus};
  Panel panel{.x = {.label = "h [s]", .scale = Scale::kLog},
              .y = {.label = "global error at t = 2 s", .scale = Scale::kLog}};
  const std::vector<double> h = column(table.rows, 0);
  for (std::size_t i = 0; i < kParts.size(); ++i)
    panel.curves.push_back({.name = kParts[i],
                            .x = h,
                            .y = column(table.rows, i + 1),
                            .colour = kPartColours[i],
                            .marker = kPartMarkers[i]});
  panel.curves.push_back(slope_guide(2.0, h.back(), h.front(), 3.0 * table.rows[0][4]));
  return {.title = "SOI2 on pendulum (16), ρ = 0.2, steps h/3 and 2h/3",
          .panels = {std::move(panel)},
          .panel_width = 440.0,
          .panel_height = 340.0};
}

}  // namespace

void soi2_pendulum(Report& report) {
  const problems::SpringPendulum pendulum;
  const auto system = make_system(pendulum, "pendulum");
  claim_reference(report, pendulum);
  Table table{{"h", "y", "z", "a", "lambda"}, {}};
  for (const double h : halved(2.0 / 256.0, 7))
    table.rows.push_back(errors(pendulum, *system, h));
  const std::vector<double> h = column(table.rows, 0);
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    report.claim(fmt::format("order of {} at 2 s", kParts[i]),
                 within(observed_order(h, column(table.rows, i + 1), kAsymptotic), 2.0, 0.1));
    report.claim(fmt::format("error of {} at h = 2/2048", kParts[i]),
                 near(table.rows[kAt2048][i + 1], kErrors[i], 0.03));
  }
  report.curves("errors", table);
  report.figure("order", order_figure(table));
}

}  // namespace picus::studies
