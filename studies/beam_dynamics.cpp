// SPDX-License-Identifier: BSD-3-Clause
// Beams in motion against closed forms: frequencies of clamped, free and simply supported beams,
// and the spin-up of Simo and Vu-Quoc (1986).
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "picus/runs/modes.h"
#include "studies/catalog.h"

namespace picus::studies {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

// The value that errors of order two leave, from a mesh and one twice as fine.
double limit_of(double coarse, double fine) {
  return fine + (fine - coarse) / 3.0;
}

std::vector<double> frequencies(const std::string& text) {
  const LoadedModel loaded = load_model_text("dynamics.yaml", text);
  const Mechanism& m = *loaded.mechanism;
  const Start start = assemble_start(m);
  const Modes modes = find_modes(m, start.consistency, start.state);
  std::vector<double> found;
  for (const Mode& mode : modes.modes)
    found.push_back(kTwoPi * mode.frequency);
  return found;
}

// (β L)² of Euler and Bernoulli; shear and rotary inertia take 5e-4 of the second frequency.
void vibrate(Report& report) {
  const double unit = std::sqrt(210e9 / 7850.0) * 0.5 * 5e-3;  // √(E I/ρ A)/L² of L = 1 m
  const struct {
    const char* name;
    const char* joints;
    std::array<double, 2> wave;  // β L
  } cases[] = {{"clamped",
                "joints:\n  a: {type: fixed, between: [ground, rod.start]}\n",
                {1.875104069, 4.694091133}},
               {"free", "", {4.730040745, 7.853204624}},
               {"simply supported",
                "joints:\n  a: {type: revolute, between: [ground, rod.start], at: [0, 0]}\n"
                "  b: {type: in_plane, between: [ground, rod.end], at: [1, 0], axis: [0, 1]}\n",
                {std::numbers::pi, kTwoPi}}};
  for (const auto& [name, joints, wave] : cases) {
    std::vector<std::vector<double>> found;
    for (const int elements : {8, 16, 32})
      found.push_back(frequencies(fmt::format(
          "picus: 1\ndimension: 2\nbeams:\n  rod: {{from: [0, 0], to: [1, 0], elements: "
          "{}, section: {{type: circle, radius: 5e-3}}, material: steel}}\n{}",
          elements, joints)));
    for (std::size_t k = 0; k < 2; ++k) {
      const double exact = wave[k] * wave[k] * unit;
      const std::string who = fmt::format("{}, frequency {}", name, k + 1);
      report.claim(who + ": extrapolated, over Euler and Bernoulli's",
                   within(limit_of(found[1][k], found[2][k]) / exact, 1.0, 1e-3));
      report.claim(
          who + ": order in the size of elements",
          within(std::log2((found[0][k] - found[1][k]) / (found[1][k] - found[2][k])), 2.0, 0.15));
    }
  }
}

// The manoeuvre of Simo and Vu-Quoc 1986: 6 rad/s within 15 s. Steady extension in closed form:
// ω² ρA L³/3EA to first order, 5.14e-4 m.
void spin_up(Report& report) {
  const LoadedModel loaded = load_model_text("spin_up.yaml", R"yaml(picus: 1
dimension: 2
parameters: {T: 15, w: 6, L: 10}
beams:
  rod: {from: [0, 0], to: [L, 0], elements: 10, section: {type: general,
    stiffness: [2.8e7, 1e7, 1e7, 1, 1.4e4, 1.4e4], line_mass: 1.2,
    line_inertia: [1.2e-3, 6e-4, 6e-4]}}
joints:
  hub: {type: revolute, between: [ground, rod.start], at: [0, 0]}
motions:
  turn: {joint: hub, value: "if(time < T, w/T*(time^2/2 + (T/(2*pi))^2*(cos(2*pi*time/T) - 1)),
    w*(time - T/2))"}
run: {end_time: 20, tolerance: 1e-6, output_interval: 0.02}
)yaml");
  const Mechanism& m = *loaded.mechanism;
  const int root = m.find_body("rod.node0"), tip = m.find_body("rod.node10");
  double lowest = 0.0, stretched = 0.0;
  int samples = 0;
  Curve lag{.name = "tip across the rod"};
  const RunOutcome outcome =
      run_mechanism(m, assemble_start(m), plan_of(loaded.model.run, m), [&](const Sample& sample) {
        const State& s = sample.state;
        const Pose<double> hub = m.bodies().pose(root, s.position);
        const Vector3 seen = hub.A.transpose() * (m.bodies().pose(tip, s.position).r - hub.r);
        lowest = std::min(lowest, seen(1));
        lag.x.push_back(s.time);
        lag.y.push_back(seen(1));
        if (s.time < 16.0) return;
        stretched += seen.norm() - 10.0;
        ++samples;
      });
  if (!outcome.summary.ok()) throw std::runtime_error(outcome.summary.message);
  report.claim("spin-up: largest lag of the tip [m]; Simo and Vu-Quoc's figure about 0.57",
               near(lowest, -0.5734, 0.02));
  report.claim("spin-up: extension at 6 rad/s, mean [m]",
               near(stretched / samples, 5.1431745504e-4, 0.01));
  Table table{{"t", "lag of the tip"}, {}};
  for (std::size_t i = 0; i < lag.x.size(); ++i)
    table.rows.push_back({lag.x[i], lag.y[i]});
  report.curves("spin_up", std::move(table));
  report.figure("spin_up", {.title = "Spin-up of a flexible rod",
                            .panels = {{.title = "lag of the tip",
                                        .x = {.label = "t [s]"},
                                        .y = {.label = "v [m]"},
                                        .curves = {lag}}}});
}

}  // namespace

void beam_dynamics(Report& report) {
  vibrate(report);
  spin_up(report);
}

}  // namespace picus::studies
