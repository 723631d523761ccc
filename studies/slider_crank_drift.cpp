// SPDX-License-Identifier: BSD-3-Clause
// jay-negrut §8.3, Fig. 6 and 7: the velocity constraints at the pin between crank and ground.
// HHT-I3 leaves an O(h²) limit cycle, HHT-SOI2 nothing but round-off. The paper's data are not
// available, so its 1e-6 cannot be compared; ours are in problems/slider_crank.h.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/observed_order.h"
#include "studies/problems/slider_crank.h"
#include "studies/reference_ode.h"
#include "studies/runs.h"

namespace picus::studies {
namespace {

constexpr double kEnd = 2.0;
constexpr double kAngle = -0.8586768421720;  // crank at 2 s, eighth-order Runge-Kutta to 1e-12
constexpr double kDrift = 4.0e-5;            // of HHT-I3, h = 2⁻¹⁰, independent implementation

struct Drift {
  std::vector<double> t, x, y;  ///< velocity residuals at pin O
  State end;

  double largest() const {
    double result = 0.0;
    for (std::size_t i = 0; i < t.size(); ++i)
      result = std::max({result, std::abs(x[i]), std::abs(y[i])});
    return result;
  }
};

Drift watch(const char* method, double h) {
  const problems::SliderCrank mechanism;
  const auto system = make_system(mechanism, "slider-crank");
  const auto stepper = make_stepper(method, to_round_off({{"alpha", "-0.3"}}));
  FixedStep control(h);
  Drift drift;
  Vector rate;
  drift.end = run(*system, mechanism.at(0.0, 10.0), *stepper, control, kEnd, [&](const Moment& m) {
    system->constraint_velocity(m.state, rate);
    drift.t.push_back(m.state.time);
    drift.x.push_back(rate(0));
    drift.y.push_back(rate(1));
    return true;
  });
  return drift;
}

// The acceleration of the crank in the one coordinate it has. With q' = J ω the balance of momentum
// is Jᵀ M (J ω' + J' ω²) = Jᵀ f.
double crank_acceleration(const problems::SliderCrank& p, double angle, double rate) {
  using Nine = Eigen::Matrix<double, 9, 1>;
  const double r = p.crank, l = p.rod, a = 0.5 * r, b = 0.5 * l;
  const double s1 = std::sin(angle), c1 = std::cos(angle);
  const double s2 = -r * s1 / l, c2 = std::sqrt(1.0 - s2 * s2);
  const double w = -r * c1 / (l * c2);                     // rate of the rod per rate of the crank
  const double dw = (r * s1 + l * s2 * w * w) / (l * c2);  // its derivative by the angle
  Nine J, dJ, mass, force;
  J << -a * s1, a * c1, 1.0, -r * s1 - b * s2 * w, r * c1 + b * c2 * w, w, -r * s1 - l * s2 * w,
      0.0, 0.0;
  dJ << -a * c1, -a * s1, 0.0, -r * c1 - b * (c2 * w * w + s2 * dw),
      -r * s1 - b * (s2 * w * w - c2 * dw), dw, -r * c1 - l * (c2 * w * w + s2 * dw), 0.0, 0.0;
  mass << p.m1, p.m1, p.m1 * r * r / 12.0, p.m2, p.m2, p.m2 * l * l / 12.0, p.m3, p.m3, p.J3;
  force << 0.0, -p.m1 * p.g, 0.0, 0.0, -p.m2 * p.g, 0.0, 0.0, -p.m3 * p.g, 0.0;
  const Nine MJ = mass.cwiseProduct(J);
  return (J.dot(force) - MJ.dot(dJ) * rate * rate) / MJ.dot(J);
}

double reference_angle() {
  const problems::SliderCrank mechanism;
  return integrate(
             [&](double angle, double rate) { return crank_acceleration(mechanism, angle, rate); },
             {0.0, 10.0}, kEnd, 20000)
      .angle;
}

Panel phase_plot(const std::string& title, const Drift& drift, Colour colour, Line line,
                 Marker marker) {
  return {
      .title = title,
      .x = {.label = "velocity residual along x [m/s]"},
      .y = {.label = "velocity residual along y [m/s]"},
      .curves = {{.x = drift.x, .y = drift.y, .colour = colour, .marker = marker, .line = line}}};
}

}  // namespace

void slider_crank_drift(Report& report) {
  report.claim("reference: angle of the crank at 2 s by Runge-Kutta 4",
               near(reference_angle(), kAngle, 1e-10));
  const std::vector<double> steps = halved(std::ldexp(1.0, -9), 3);
  Table table{{"h", "drift hht_i3", "angle error hht_i3", "drift hht_soi2", "angle error hht_soi2"},
              {}};
  Drift i3, soi2;
  for (const double h : steps) {
    const Drift a = watch("hht_i3", h), b = watch("hht_soi2", h);
    table.rows.push_back({h, a.largest(), std::abs(a.end.position(2) - kAngle), b.largest(),
                          std::abs(b.end.position(2) - kAngle)});
    if (h != std::ldexp(1.0, -10)) continue;
    i3 = a;
    soi2 = b;
  }
  report.claim("hht_i3: largest velocity residual at pin O, h = 2^-10",
               near(i3.largest(), kDrift, 0.2));
  report.claim("hht_i3: order of that residual",
               within(observed_order(steps, column(table.rows, 1)), 2.0, 0.1));
  report.claim("hht_soi2: largest velocity residual at pin O, h = 2^-10",
               below(soi2.largest(), 1e-13));
  report.claim("hht_i3: order of the crank angle at 2 s",
               within(observed_order(steps, column(table.rows, 2)), 2.0, 0.1));
  report.claim("hht_soi2: order of the crank angle at 2 s",
               within(observed_order(steps, column(table.rows, 4)), 2.0, 0.1));
  report.curves("orders", table);

  Table curves{{"t", "hht_i3 x", "hht_i3 y", "hht_soi2 x", "hht_soi2 y"}, {}};
  for (std::size_t i = 0; i < i3.t.size(); ++i)
    curves.rows.push_back({i3.t[i], i3.x[i], i3.y[i], soi2.x[i], soi2.y[i]});
  report.curves("velocity-residuals", std::move(curves));
  report.figure(
      "phase-plots",
      {.title = "Slider-crank, velocity constraints at pin O, h = 2⁻¹⁰ s, α = −0.3",
       .columns = 2,
       .panels = {phase_plot("HHT-I3", i3, Colour::kVermilion, Line::kSolid, Marker::kNone),
                  phase_plot("HHT-SOI2", soi2, Colour::kBlue, Line::kNone, Marker::kPlus)},
       .panel_width = 360.0,
       .panel_height = 320.0});
}

}  // namespace picus::studies
