// SPDX-License-Identifier: BSD-3-Clause
// Beams that turn steadily, at rest in a frame that turns with them: frequencies of a rotating
// cantilever, across and in the plane of rotation (Wright et al. 1982), by modes and by a run, and
// a shaft with an unbalanced disc below and above its critical speed.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "picus/runs/modes.h"
#include "studies/catalog.h"

namespace picus::studies {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

// In parts of √(E I/ρ A L⁴), by Ritz with 24 functions to 1e-7; across the plane of rotation.
struct RotatingReference {
  double hub, speed, first, second;
};
constexpr RotatingReference kWright[] = {
    {0.0, 1.0, 3.68164681, 22.18101116}, {0.0, 2.0, 4.13731957, 22.61492194},
    {0.0, 6.0, 7.36037302, 26.80908170}, {0.0, 12.0, 13.17015049, 37.60311235},
    {1.0, 5.0, 8.94035813, 29.35283551}, {1.0, 12.0, 19.72154194, 51.07013402},
};

LoadedModel rotating_cantilever(double hub, double speed, int elements) {
  return load_model_text("rotating.yaml", fmt::format(R"(picus: 1
gravity: [0, 0, 0]
bodies:
  hub: {{mass: 1, inertia: [1, 1, 1], at: [0, 0, 0]}}
beams:
  rod: {{from: [{0}, 0, 0], to: [{0} + 1, 0, 0], elements: {1}, section: {{type: general,
    stiffness: [1e7, 1e7, 1e7, 1e3, 1, 1], line_mass: 1, line_inertia: [2e-6, 1e-6, 1e-6]}}}}
joints:
  axle: {{type: revolute, between: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1]}}
  root: {{type: fixed, between: [hub, rod.start]}}
motions:
  drive: {{joint: axle, value: {2:.17g}*time}}
run: {{end_time: 1, tolerance: 1e-6}}
)",
                                                      hub, elements, speed));
}

// The node at the tip moves in the mode along z, or along y.
std::vector<double> frequencies_of(const Modes& modes, int coordinate, int other) {
  std::vector<double> found;
  for (const Mode& mode : modes.modes)
    if (mode.frequency > 0.0 &&
        std::abs(mode.shape(coordinate)) > 10.0 * std::abs(mode.shape(other)))
      found.push_back(kTurn * mode.frequency);
  return found;
}

// A beam with the same stiffness in both directions: the pull of rotation does not follow a
// deflection within the plane, so that ω² is less there by Ω².
void rotate(Report& report) {
  Table table{{"hub", "speed", "across 1", "across 2", "within 1", "within 2"}, {}};
  for (const auto& [hub, speed, first, second] : kWright) {
    std::array<std::vector<double>, 2> across, within_plane;
    for (std::size_t mesh = 0; mesh < 2; ++mesh) {
      const int elements = mesh == 0 ? 12 : 24;
      const LoadedModel loaded = rotating_cantilever(hub, speed, elements);
      const Mechanism& m = *loaded.mechanism;
      const Start start = assemble_start(m);
      const Vector3 spin(0.0, 0.0, speed);
      const Equilibrium rest = find_equilibrium(m, start, {.spin = spin});
      if (!rest.found) throw std::runtime_error(rest.message);
      const Modes modes = find_modes(m, start.consistency, rest.state, spin);
      const auto& tip = m.bodies()[m.find_body(fmt::format("rod.node{}", elements))].velocity;
      across[mesh] = frequencies_of(modes, tip[2], tip[1]);
      within_plane[mesh] = frequencies_of(modes, tip[1], tip[2]);
    }
    const auto limit = [](const std::array<std::vector<double>, 2>& found, std::size_t k) {
      return found[1][k] + (found[1][k] - found[0][k]) / 3.0;
    };
    const std::string who = fmt::format("rotating, hub radius {:g}, speed {:g}", hub, speed);
    table.rows.push_back({hub, speed});
    const double wanted[] = {first, second};
    for (std::size_t k = 0; k < 2; ++k) {
      report.claim(fmt::format("{}: frequency {} across the plane", who, k + 1),
                   near(limit(across, k), wanted[k], 1e-3));
      table.rows.back().push_back(limit(across, k));
    }
    for (std::size_t k = 0; k < 2; ++k) {
      report.claim(
          fmt::format("{}: frequency {} within the plane", who, k + 1),
          near(limit(within_plane, k), std::sqrt(wanted[k] * wanted[k] - speed * speed), 1e-3));
      table.rows.back().push_back(limit(within_plane, k));
    }
  }
  report.curves("rotating", std::move(table));
}

// The same without linearization: the beam turns with 6, flaps, and its tip is timed.
void flap(Report& report) {
  const int elements = 12;
  const LoadedModel loaded = rotating_cantilever(0.0, 6.0, elements);
  Mechanism& m = *loaded.mechanism;
  const Start start = assemble_start(m);
  const Vector3 spin(0.0, 0.0, 6.0);
  const Equilibrium rest = find_equilibrium(m, start, {.spin = spin});
  const Modes modes = find_modes(m, start.consistency, rest.state, spin);
  const auto& tip = m.bodies()[m.find_body(fmt::format("rod.node{}", elements))].velocity;
  const auto flapping = std::find_if(modes.modes.begin(), modes.modes.end(), [&](const Mode& mode) {
    return mode.frequency > 0.0 &&
           std::abs(mode.shape(tip[2])) > 10.0 * std::abs(mode.shape(tip[1]));
  });
  if (flapping == modes.modes.end()) throw std::runtime_error("no mode flaps");
  Start moving = start;
  moving.state.position = rest.state.position;
  moving.state.velocity = rest.state.velocity + 1e-3 * flapping->shape.real();
  moving.consistency = make_consistent(m.system(), moving.state);
  RunPlan plan = plan_of(loaded);
  plan.end_time = 4.0 / flapping->frequency;
  plan.output_interval = -1.0;
  const int node = m.find_body(fmt::format("rod.node{}", elements));
  std::vector<double> crossings;
  double t = 0.0, z = 0.0;
  const RunOutcome outcome = run_mechanism(m, moving, plan, [&](const Sample& sample) {
    const double now = m.bodies().pose(node, sample.state.position).r(2);
    if (z < 0.0 && now >= 0.0) crossings.push_back(t + (sample.state.time - t) * z / (z - now));
    t = sample.state.time;
    z = now;
  });
  if (!outcome.summary.ok()) throw std::runtime_error(outcome.summary.message);
  const double found =
      static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
  report.claim("rotating, speed 6: frequency of a run over that of the modes, 12 elements",
               within(found / flapping->frequency, 1.0, 1e-3));
}

// A disc of 1 kg in the middle of a shaft without mass to speak of: k = 48 E I/L³.
LoadedModel unbalanced_shaft(double off, double speed, int elements) {
  return load_model_text("shaft.yaml", fmt::format(R"(picus: 1
gravity: [0, 0, 0]
bodies:
  hub: {{mass: 0.1, inertia: [1e-5, 1e-5, 1e-5]}}
  disc: {{mass: 1, inertia: [1.25e-3, 6.5e-4, 6.5e-4], at: [0.3, {0}, 0]}}
beams:
  shaft: {{from: [0, 0, 0], to: [0.6, 0, 0], elements: {1}, section: {{type: general,
    stiffness: [1e6, 1e8, 1e8, 100, 100, 100], line_mass: 1e-3,
    line_inertia: [2e-6, 1e-6, 1e-6]}}}}
joints:
  bearing: {{type: revolute, between: [ground, hub], at: [0, 0, 0], axis: [1, 0, 0]}}
  left: {{type: universal, between: [hub, shaft.start], at: [0, 0, 0], axis: [0, 1, 0],
    x_axis: [0, 0, 1]}}
  right: {{type: inline, between: [ground, shaft.end], at: [0.6, 0, 0], axis: [1, 0, 0]}}
  seat: {{type: fixed, between: [shaft.node{2}, disc]}}
motions:
  drive: {{joint: bearing, value: {3:.17g}*time}}
run: {{end_time: 1, tolerance: 1e-6}}
)",
                                                   off, elements, elements / 2, speed));
}

// What was found, over the closed forms.
void draw_shaft(Report& report, const std::array<report::Curve, 3>& found) {
  using report::Colour;
  using report::Curve;
  const auto theory = [](auto formula, double from, double to) {
    Curve curve{.name = "Jeffcott", .colour = Colour::kBlack};
    for (int n = 0; n <= 200; ++n) {
      const double part = from + (to - from) * n / 200.0;
      curve.x.push_back(part);
      curve.y.push_back(formula(part));
    }
    return curve;
  };
  const auto bowed = [](double part) { return 1.0 / (1.0 / (part * part) - 1.0); };
  const report::Axis speed{.label = "speed over critical speed"};
  report.figure(
      "shaft",
      {.title = "A shaft with a disc off its centre, seen as it turns",
       .columns = 2,
       .panels = {
           {.title = "rest",
            .x = speed,
            .y = {.label = "bow over e"},
            .curves = {theory(bowed, 0.3, 0.92), theory(bowed, 1.08, 2.2), found[0]}},
           {.title = "modes",
            .x = speed,
            .y = {.label = "frequency over critical"},
            .curves = {theory([](double p) { return std::abs(1.0 - p); }, 0.3, 2.2),
                       theory([](double p) { return 1.0 + p; }, 0.3, 2.2), found[1], found[2]}}}});
}

// Jeffcott: a frame that turns with Ω sees the frequencies |ω ± Ω|, and the middle of the shaft out
// by e/((ω/Ω)² − 1), below the critical speed towards the centre of mass, above it away from it.
void whirl(Report& report) {
  const int elements = 16;
  const double stiffness = 48.0 * 100.0 / std::pow(0.6, 3);
  // constant strains carry the bending moment of a force in steps: deflection less by 1/n²
  const double omega = std::sqrt(stiffness / (1.0 - 1.0 / (elements * elements)));
  const double off = 0.3e-3;
  using report::Colour;
  using report::Curve;
  Table table{.columns = {"speed over critical", "bow over e", "slowest whirl over critical",
                          "next whirl over critical"}};
  const report::Line none = report::Line::kNone;
  std::array<Curve, 3> found{
      Curve{.name = "bow of the shaft", .marker = report::Marker::kCircle, .line = none},
      Curve{.name = "whirl of the shaft",
            .colour = Colour::kVermilion,
            .marker = report::Marker::kSquare,
            .line = none},
      Curve{.colour = Colour::kVermilion, .marker = report::Marker::kSquare, .line = none}};
  for (const double part : {0.5, 0.9, 1.1, 2.0}) {
    const double speed = part * omega;
    const LoadedModel loaded = unbalanced_shaft(off, speed, elements);
    Mechanism& m = *loaded.mechanism;
    const Start start = assemble_start(m);
    const int middle = m.find_body(fmt::format("shaft.node{}", elements / 2));
    const int velocity = m.bodies()[middle].velocity[1];
    const Vector3 spin(speed, 0.0, 0.0);
    const Equilibrium rest = find_equilibrium(m, start, {.spin = spin});
    if (!rest.found) throw std::runtime_error(rest.message);
    const std::string who = fmt::format("shaft at {:g} of its critical speed", part);
    const double bow = m.bodies().pose(middle, rest.state.position).r(1);
    report.claim(who + ": bow over e/((ω/Ω)² − 1)",
                 within(bow / (off / (1.0 / (part * part) - 1.0)), 1.0, 2e-3));
    const Modes modes = find_modes(m, start.consistency, rest.state, spin);
    std::vector<double> whirls;
    for (const Mode& mode : modes.modes)
      if (mode.frequency > 0.0 && std::abs(mode.shape(velocity)) > 0.05)
        whirls.push_back(kTurn * mode.frequency);
    report.claim(who + ": slowest whirl in the frame that turns, over |ω − Ω|",
                 within(whirls.at(0) / std::abs(omega - speed), 1.0, 2e-3));
    report.claim(who + ": next whirl over ω + Ω",
                 within(whirls.at(1) / (omega + speed), 1.0, 1e-3));
    report.claim(who + ": stable", at_least(modes.is_stable() ? 1.0 : 0.0, 1.0));
    table.rows.push_back({part, bow / off, whirls[0] / omega, whirls[1] / omega});
    for (std::size_t k = 0; k < found.size(); ++k) {
      found[k].x.push_back(part);
      found[k].y.push_back(table.rows.back()[k + 1]);
    }
    if (part != 0.5 && part != 2.0) continue;
    Start turning = start;
    turning.state.position = rest.state.position;
    turning.state.velocity = rest.state.velocity;
    turning.consistency = make_consistent(m.system(), turning.state);
    RunPlan plan = plan_of(loaded);
    plan.end_time = 10.0 * kTurn / speed;
    double largest = 0.0;
    const RunOutcome outcome = run_mechanism(m, turning, plan, [&](const Sample& sample) {
      const Vector3 r = m.bodies().pose(middle, sample.state.position).r;
      largest = std::max(largest, std::abs(r.tail<2>().norm() - std::abs(bow)));
    });
    if (!outcome.summary.ok()) throw std::runtime_error(outcome.summary.message);
    report.claim(who + ": ten turns in space, change of the bow over the bow",
                 below(largest / std::abs(bow), 1e-2));
  }
  report.curves("shaft", std::move(table));
  draw_shaft(report, found);
}

}  // namespace

void beam_rotation(Report& report) {
  rotate(report);
  flap(report);
  whirl(report);
}

}  // namespace picus::studies
