// SPDX-License-Identifier: BSD-3-Clause
// Beams at rest against closed forms and solved boundary-value problems: roll-up, elastica, a bend
// of 45 degrees, the Princeton beam, a catenary. Element and its order:
// [SonnevilleCardonaBruls2014].
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "studies/beam_rest.h"
#include "studies/catalog.h"
#include "studies/observed_order.h"

namespace picus::studies {
namespace {

void roll_up(Report& report) {
  const BeamStiffness stiffness{1e6, 5e5, 80.0, 100.0, 100.0};
  Table counts{{"turns", "load steps", "iterations"}, {}};
  for (const int turns : {1, 2}) {
    const Rest rest(cantilever(2, 10.0, 16, stiffness,
                               fmt::format("{{type: torque, between: [ground, rod.end], torque: "
                                           "{:.17g}}}",
                                           turns * 2.0 * kPi * 10.0)));
    report.claim(fmt::format("roll-up, {} turn(s), 16 elements: distance of the tip from the clamp "
                             "[m], length 10 m",
                             turns),
                 below(rest.place("rod.node16").norm(), 1e-6));
    report.claim(
        fmt::format("roll-up, {} turn(s): found by Newton's method, without relaxation", turns),
        at_least(rest.found().is_relaxed ? 0.0 : 1.0, 1.0));
    counts.rows.push_back({static_cast<double>(turns), static_cast<double>(rest.found().load_steps),
                           static_cast<double>(rest.found().iterations)});
  }
  report.curves("roll_up", std::move(counts));
}

// Tip of an inextensible cantilever of length 1 under a dead force across it, k = P L²/EI.
Vector3 elastica(double load) {
  const double alpha = std::sqrt(load);
  const auto first = [](double k) { return std::asin(1.0 / (k * std::sqrt(2.0))); };
  const auto excess = [&](double k) {
    return std::comp_ellint_1(k) - std::ellint_1(k, first(k)) - alpha;
  };
  double low = std::sqrt(0.5) * (1.0 + 1e-15), high = 1.0 - 1e-15;
  for (int n = 0; n < 200; ++n) {
    const double middle = 0.5 * (low + high);
    (excess(middle) < 0.0 ? low : high) = middle;
  }
  const double k = 0.5 * (low + high);
  return {std::sqrt(2.0) / alpha * std::sqrt(2.0 * k * k - 1.0),
          1.0 - 2.0 / alpha * (std::comp_ellint_2(k) - std::ellint_2(k, first(k))), 0.0};
}

std::vector<double> elastica_errors(double load, double slenderness, const std::vector<int>& meshes,
                                    int& iterations) {
  const double axial = slenderness * slenderness;
  std::vector<double> errors;
  for (const int elements : meshes) {
    const Rest rest(
        cantilever(2, 1.0, elements, {axial, axial, 1.0, 1.0, 1.0},
                   fmt::format("{{type: force, body: rod.end, force: [0, {:.17g}]}}", load)));
    errors.push_back((rest.place(fmt::format("rod.node{}", elements)) - elastica(load)).norm());
    iterations = std::max(iterations, rest.found().iterations);
  }
  return errors;
}

void bend_elastica(Report& report) {
  const std::vector<int> meshes{8, 16, 32};
  const std::vector<double> sizes{1.0 / 8, 1.0 / 16, 1.0 / 32};
  Table table{{"elements", "P L²/EI", "error of the tip over L"}, {}};
  Panel panel{.title = "error of the tip, slenderness 1e4",
              .x = {.label = "element length over L", .scale = Scale::kLog},
              .y = {.label = "error over L", .scale = Scale::kLog}};
  const std::pair<double, Colour> loads[] = {{1.0, Colour::kBlue}, {10.0, Colour::kVermilion}};
  for (const auto& [load, colour] : loads) {
    int iterations = 0;
    const std::vector<double> errors = elastica_errors(load, 1e4, meshes, iterations);
    panel.curves.push_back(
        {.name = fmt::format("P L²/EI = {:g}", load), .x = sizes, .y = errors, .colour = colour});
    for (std::size_t i = 0; i < meshes.size(); ++i)
      table.rows.push_back({static_cast<double>(meshes[i]), load, errors[i]});
    const std::string who = fmt::format("elastica, P L²/EI = {:g}, slenderness 1e4", load);
    report.claim(who + ": order", within(observed_order(sizes, errors), 2.0, 0.1));
    report.claim(who + ": error of the tip with 32 elements, over the length",
                 below(errors.back(), 1e-3));
    report.claim(who + ": iterations", below(iterations, 60));
  }
  panel.curves.push_back(slope_guide(2.0, sizes.back(), sizes.front(), panel.curves[1].y.front()));
  report.curves("elastica", std::move(table));
  report.figure("elastica", {.title = "A cantilever under an end force", .panels = {panel}});
  std::vector<double> all;
  int iterations = 0;
  for (const double slenderness : {1e2, 1e3, 1e4, 1e5})
    all.push_back(elastica_errors(3.0, slenderness, {16}, iterations).front());
  report.claim("elastica: error with slenderness 1e5, over that with 1e3 (no locking)",
               within(all[3] / all[1], 1.0, 0.02));
}

// Tip displacements by shooting on the rod's boundary-value problem, to 1e-8 (GA = 5e6, GJ = E/12).
void bend_45(Report& report) {
  const struct {
    double load;
    Vector3 tip;
  } references[] = {{300.0, {-11.93155563, 7.04454094, 40.19189167}},
                    {450.0, {-18.47212011, 10.78114296, 48.50292734}},
                    {600.0, {-23.56023955, 13.60452135, 53.47485879}}};
  const double s = std::sqrt(0.5), t = kPi / 8.0;
  for (const auto& [load, tip] : references) {
    std::vector<double> sizes, errors;
    int steps = 0;
    for (const int elements : {8, 16, 32}) {
      const Rest rest(fmt::format(
          R"(picus: 1
beams:
  bend: {{from: [0, 0, 0], via: [{:.17g}, {:.17g}, 0], to: [{:.17g}, {:.17g}, 0], elements: {},
    section: {}}}
joints:
  clamp: {{type: fixed, between: [ground, bend.start]}}
forces:
  load: {{type: force, body: bend.end, force: [0, 0, {}]}}
)",
          100.0 * std::sin(t), -100.0 * (1.0 - std::cos(t)), 100.0 * s, -100.0 * (1.0 - s),
          elements, BeamStiffness{1e7, 5e6, 1e7 / 12, 1e7 / 12, 1e7 / 12}.section(), load));
      sizes.push_back(1.0 / elements);
      errors.push_back(
          (rest.moved(fmt::format("bend.node{}", elements)) - tip).cwiseAbs().maxCoeff());
      steps = std::max(steps, rest.found().load_steps);
    }
    const std::string who = fmt::format("45-degree bend, P = {:g}", load);
    report.claim(who + ": order", within(observed_order(sizes, errors), 2.0, 0.05));
    report.claim(who + ": error of the tip with 32 elements, length 78.5",
                 below(errors.back(), 0.01));
    report.claim(who + ": load steps, most", within(steps, 1.0, 0.0));
  }
}

// Tip in the stiff and in the soft direction [m] and its twist [deg] by shooting; angles from the
// stiff direction.
void princeton(Report& report) {
  const struct {
    double load, angle, stiff, soft, twist;
  } references[] = {{4.448, 15.0, -0.0052093, 0.0207999, 0.22269},
                    {8.896, 15.0, -0.0106240, 0.0421228, 0.90570},
                    {13.345, 15.0, -0.0165001, 0.0644925, 2.09343},
                    {4.448, 45.0, -0.0039645, 0.0560521, 0.43590},
                    {8.896, 45.0, -0.0088874, 0.1090359, 1.66482},
                    {13.345, 45.0, -0.0153398, 0.1565804, 3.48429},
                    {4.448, 60.0, -0.0028617, 0.0681254, 0.37299},
                    {8.896, 60.0, -0.0066533, 0.1299171, 1.38069},
                    {13.345, 60.0, -0.0117146, 0.1819133, 2.77630},
                    {13.345, 90.0, 0.0, 0.2006848, 0.0}};
  const BeamStiffness stiffness{2.84207e6, 2.84207e6 / 2.62 * 5.0 / 6.0, 3.10355, 2.42887,
                                36.28552};
  double largest = 0.0, turned = 0.0;
  for (const auto& [load, angle, stiff, soft, twist] : references) {
    const double turn = angle * kPi / 180.0;
    Vector3 coarse = Vector3::Zero(), fine = Vector3::Zero();
    double found = 0.0;
    for (const int elements : {8, 16}) {
      const Rest rest(cantilever(3, 0.508, elements, stiffness,
                                 fmt::format("{{type: force, body: rod.end, force: [0, {:.17g}, "
                                             "{:.17g}]}}",
                                             -load * std::cos(turn), load * std::sin(turn))));
      const std::string tip = fmt::format("rod.node{}", elements);
      (elements == 8 ? coarse : fine) = rest.moved(tip);
      found = std::atan2(rest.axes(tip)(2, 1), rest.axes(tip)(1, 1)) * 180.0 / kPi;
    }
    const Vector3 limit = fine + (fine - coarse) / 3.0;
    largest = std::max({largest, std::abs(limit(1) - stiff), std::abs(limit(2) - soft)});
    turned = std::max(turned, std::abs(found - twist));
  }
  report.claim(
      "Princeton beam, 10 loads: difference of the tip, extrapolated from 8 and 16 "
      "elements [m]",
      below(largest, 2e-6));
  report.claim("Princeton beam, 10 loads: difference of the twist of the tip, 16 elements [deg]",
               below(turned, 2e-3));
}

// Span 10 m, length 12 m, weight 10 N/m; sag and horizontal force in closed form.
void hang(Report& report) {
  const struct {
    double axial, sag, pull;
  } references[] = {{1e4, 2.979298712151, 45.9776479584}, {1e3, 3.411116992789, 39.5527042753}};
  const double half = 1.0267382913709697,
               depth = 6.0 / half * (1.0 - std::cos(half));  // an arc of 12 m
  for (const auto& [axial, sag, pull] : references) {
    std::vector<double> sizes, errors;
    double force = 0.0;
    for (const int elements : {16, 32, 64}) {
      const Rest rest(fmt::format(R"(picus: 1
dimension: 2
gravity: [0, -10]
beams:
  cable: {{from: [0, 0], via: [5, {:.17g}], to: [10, 0], elements: {}, section: {}}}
joints:
  left: {{type: revolute, between: [ground, cable.start], at: [0, 0]}}
  right: {{type: revolute, between: [ground, cable.end], at: [10, 0]}}
)",
                                  -depth, elements,
                                  BeamStiffness{axial, axial, 1e-7, 1e-7, 1e-7}.section()));
      sizes.push_back(1.0 / elements);
      errors.push_back(std::abs(-rest.place(fmt::format("cable.node{}", elements / 2))(1) - sag));
      force = std::abs(rest.force("left")(0));
    }
    const std::string who = fmt::format("catenary, EA = {:g} N", axial);
    report.claim(who + ": error of the sag with 64 elements [m]", below(errors.back(), 5e-3));
    report.claim(who + ": order of that error", within(observed_order(sizes, errors), 2.0, 0.2));
    report.claim(who + ": horizontal force [N]", near(force, pull, 2e-3));
  }
}

}  // namespace

void beam_statics(Report& report) {
  roll_up(report);
  bend_elastica(report);
  bend_45(report);
  princeton(report);
  hang(report);
}

}  // namespace picus::studies
