// SPDX-License-Identifier: BSD-3-Clause
// Beams that move far: free flight in the plane and in space (Simo and Vu-Quoc 1986, 1988), what
// numerical dissipation takes from a beam, energy over long runs, and a slider-crank with a rod
// that bends, against the linear theory of its rod.
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "picus/math/decompositions.h"
#include "picus/runs/run.h"
#include "picus/simulation/controller.h"
#include "picus/steppers/catalog.h"
#include "studies/beam_rest.h"
#include "studies/catalog.h"
#include "studies/runs.h"

namespace picus::studies {
namespace {

// Linear momentum, and angular momentum about the origin.
struct Momentum {
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
};

Momentum momentum_of(const Mechanism& m, const State& s) {
  SparseMatrix M;
  m.system().mass_matrix(s, M);
  Vector p = Vector::Zero(s.velocity.size());
  M.multiply_add(1.0, s.velocity, p);
  Momentum sum;
  for (int body = 1; body < m.bodies().size(); ++body) {
    const Vector6 at = m.bodies().entries(body, p);
    const Pose<double> pose = m.bodies().pose(body, s.position);
    sum.linear += at.head<3>();
    sum.angular += cross(pose.r, Vector3(at.head<3>())) + pose.A * at.tail<3>();
  }
  return sum;
}

double energy_of(const Mechanism& m, const State& s) {
  return m.kinetic_energy(s) + m.potential_energy(s);
}

// A rod of 10 m from (6, 0) to (0, 8), pushed and turned at its lower end for 2.5 s.
LoadedModel flying_rod(int elements, bool in_space, bool is_pushed) {
  return load_model_text("flying.yaml",
                         fmt::format(R"yaml(picus: 1
dimension: {0}
beams:
  rod: {{from: [6, 0], to: [0, 8], elements: {1}, section: {{type: general,
    stiffness: [1e4, 1e4, 1e4, 500, 500, 500], line_mass: 1, line_inertia: [20, 10, 10]}}{2}}}
forces:
  push: {{type: force, body: rod.start, force: [{5}, 0{3}]}}
  turn: {{type: torque, between: [ground, rod.start], torque: {4}}}
run: {{end_time: 2.5, tolerance: 1e-7}}
)yaml",
                                     in_space ? 3 : 2, elements, in_space ? ", up: [0, 0, 1]" : "",
                                     in_space ? ", 0" : "",
                                     !is_pushed ? (in_space ? "[0, 0, 0]" : "0")
                                     : in_space ? "[0, -40, -80]"
                                                : "-80",
                                     is_pushed ? 8 : 0));
}

struct Flight {
  Momentum loaded, end;  ///< when the loads end, and at the end
  double energy_loaded = 0.0, energy_end = 0.0;
  Vector3 first, last;  ///< ends of the rod
  double after = 0.0;   ///< largest change of the linear momentum once the loads have ended
};

// 2.5 s with the loads, then 2.5 s without.
Flight fly(int elements, bool in_space, const char* method) {
  Flight flight;
  State state;
  for (const bool is_pushed : {true, false}) {
    const LoadedModel loaded = flying_rod(elements, in_space, is_pushed);
    Mechanism& m = *loaded.mechanism;
    Start start = assemble_start(m);
    if (!is_pushed) {
      start.state.position = state.position;
      start.state.velocity = state.velocity;
      start.consistency = make_consistent(m.system(), start.state);
      flight.loaded = momentum_of(m, start.state);
      flight.energy_loaded = energy_of(m, start.state);
    }
    const auto watch = [&](const Moment& moment) {
      if (!is_pushed)
        flight.after = std::max(
            flight.after, (momentum_of(m, moment.state).linear - flight.loaded.linear).norm());
      return true;
    };
    if (method != nullptr) {
      const auto stepper = make_stepper(method, to_round_off({{"rho", "0.8"}}));
      FixedStep control(0.02);
      state = run(m.system(), start.state, *stepper, control, 2.5, watch);
    } else {
      const RunOutcome outcome = run_mechanism(m, start, plan_of(loaded), {}, watch);
      if (!outcome.summary.ok()) throw std::runtime_error(outcome.summary.message);
      state = outcome.end;
    }
    if (is_pushed) continue;
    flight.end = momentum_of(m, state);
    flight.energy_end = energy_of(m, state);
    const auto place = [&](int node) {
      return m.bodies().pose(m.find_body(fmt::format("rod.node{}", node)), state.position).r;
    };
    flight.first = place(0);
    flight.last = place(elements);
  }
  return flight;
}

// The momentum of the loads is 8 N for 2.5 s. The rods are those of Simo and Vu-Quoc, whose figures
// show no numbers; the places are a converged run of another implementation.
void free_flight(Report& report) {
  for (const bool in_space : {false, true}) {
    const std::string who = in_space ? "flight in space" : "flight in the plane";
    const Flight steps = fly(16, in_space, "generalized_alpha");
    report.claim(who + ", generalized-α: momentum from 8 N for 2.5 s [N s]",
                 near(steps.loaded.linear(0), 20.0, 1e-11));
    report.claim(who + ", generalized-α: change of the momentum in 2.5 s of free flight [N s]",
                 below(steps.after, 1e-10));
    const Flight run = fly(16, in_space, nullptr);
    report.claim(who + ", tolerance 1e-7: momentum [N s]", near(run.loaded.linear(0), 20.0, 1e-9));
    report.claim(who + ", tolerance 1e-7: change of the momentum in free flight [N s]",
                 below(run.after, 1e-9));
    report.claim(
        who + ", tolerance 1e-7: change of the angular momentum, relative",
        below((run.end.angular - run.loaded.angular).norm() / run.end.angular.norm(), 1e-6));
    report.claim(who + ", tolerance 1e-7: change of the energy, relative",
                 below(std::abs(run.energy_end / run.energy_loaded - 1.0), 1e-5));
    if (in_space) continue;
    report.claim(who + ": angular momentum about the origin [N m s]",
                 near(run.end.angular(2), -189.278, 5e-3));
    report.claim(who + ": place of the ends at 5 s against a converged run [m], length 10 m",
                 below(std::max((run.first - Vector3(5.61, 4.75, 0.0)).norm(),
                                (run.last - Vector3(15.40, 4.27, 0.0)).norm()),
                       0.05));
  }
}

// One step of generalized-α on ẍ = −ω²x, a linear map of (x, hẋ, h²a), with Ω = ωh
// (spectral_radius.cpp compares it with the stepper).
Eigen::Matrix3d map_of(double rho, double Omega) {
  const double am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0), alpha = am - af;
  const double beta = 0.25 * (1.0 - alpha) * (1.0 - alpha), gamma = 0.5 - alpha;
  const double O2 = Omega * Omega, f = 1.0 - af;
  const Eigen::RowVector3d q(1.0, 1.0, 0.5 - beta), v(0.0, 1.0, 1.0 - gamma);
  const Eigen::RowVector3d a = -(am * Eigen::RowVector3d(0.0, 0.0, 1.0) +
                                 af * O2 * Eigen::RowVector3d(1.0, 0.0, 0.0) + f * O2 * q) /
                               (1.0 - am + f * beta * O2);
  Eigen::Matrix3d A;
  A << q + beta * a, v + gamma * a, a;
  return A;
}

// A free rod vibrates in one of its modes: after n steps its energy is that of the n-th power of
// the map, at every frequency that the mesh has.
void dissipate(Report& report) {
  constexpr int kSteps = 100;
  constexpr double kAmplitude = 1e-4;  // of modes with φᵀ M φ = 1; errors are of its size
  const LoadedModel loaded = load_model_text("free.yaml", R"(picus: 1
dimension: 2
beams:
  rod: {from: [0, 0], to: [1, 0], elements: 8, section: {type: circle, radius: 5e-3},
    material: steel}
)");
  const Mechanism& m = *loaded.mechanism;
  State rest = m.initial_state();
  rest.acceleration.setZero(rest.velocity.size());
  SparseMatrix M, K, D;
  m.system().mass_matrix(rest, M);
  m.system().momentum_tangent(rest, {rest.position, Vector::Zero(rest.velocity.size())}, K, D);
  const Matrix stiffness = K.dense();
  const SymmetricModes modes =
      symmetric_modes(Matrix(0.5 * (stiffness + stiffness.transpose())), M.dense());
  Table table{{"rho", "omega h", "energy left", "energy of the map"}, {}};
  for (const double rho : {1.0, 0.8, 0.5, 0.0}) {
    double largest = 0.0, gained = 0.0;
    for (const double Omega : {0.1, 0.5, 2.0, 10.0}) {
      if (rho == 1.0 && Omega > 2.0) continue;    // see the note
      for (const int mode : {3, 4, 8, 15, 26}) {  // after three rigid ones
        const double omega = std::sqrt(modes.values(mode)), h = Omega / omega;
        const Vector shape = kAmplitude / omega * modes.vectors.col(mode);
        State s = rest;
        m.system().retract(rest.position, shape, s.position);
        s.acceleration = -omega * omega * shape;
        const double before = energy_of(m, s);
        const auto stepper = make_stepper(
            "generalized_alpha", {{"rho", fmt::format("{}", rho)}, {"newton_tolerance", "1e-9"}});
        FixedStep control(h);
        const State end = run(m.system(), s, *stepper, control, kSteps * h);
        Eigen::Vector3d z(1.0, 0.0, -Omega * Omega);
        const Eigen::Matrix3d step = map_of(rho, Omega);
        for (int n = 0; n < kSteps; ++n)
          z = step * z;
        const double wanted = z(0) * z(0) + z(1) * z(1) / (Omega * Omega);
        const double left = energy_of(m, end) / before;
        largest = std::max(largest, std::abs(left - wanted));
        gained = std::max(gained, left - 1.0);
        table.rows.push_back({rho, Omega, left, wanted});
      }
    }
    report.claim(fmt::format("dissipation, ρ = {:g}: energy after 100 steps against the map, "
                             "largest difference in parts of the energy",
                             rho),
                 below(largest, 1e-4));
    report.claim(fmt::format("dissipation, ρ = {:g}: energy gained", rho),
                 below(gained, rho < 1.0 ? 1e-2 : 1e-4));
  }
  report.curves("dissipation", std::move(table));
  report.note(
      "Without dissipation, ρ = 1, the linear map is compared up to ωh = 2: with ωh = 10 the "
      "second "
      "bending mode gains 1 % of its energy in 100 steps, from its nonlinear coupling with "
      "stretching, which the trapezoidal rule does not keep in bounds.");
}

// A soft rod swings and bends: T + V is constant, at any tolerance.
void swing_long(Report& report) {
  constexpr double kEnd = 60.0;
  // a rigid rod released at the level of its pin swings 1.18034 times as slowly as in small swings
  const double swings = kEnd / (1.18034 * 2.0 * kPi * std::sqrt(2.0 / (3.0 * 9.81)));
  for (const double tolerance : {1e-4, 1e-6}) {
    const LoadedModel loaded = load_model_text("swing.yaml", fmt::format(R"(picus: 1
dimension: 2
gravity: [0, -9.81]
beams:
  rod: {{from: [0, 0], to: [1, 0], elements: 6, section: {{type: general,
    stiffness: [1e3, 400, 400, 1, 1, 1], line_mass: 1, line_inertia: [2e-3, 1e-3, 1e-3]}}}}
joints:
  pin: {{type: revolute, between: [ground, rod.start], at: [0, 0]}}
run: {{end_time: {}, tolerance: {}}}
)",
                                                                         kEnd, tolerance));
    Mechanism& m = *loaded.mechanism;
    const RunOutcome outcome = run_mechanism(m, assemble_start(m), plan_of(loaded), {});
    if (!outcome.summary.ok()) throw std::runtime_error(outcome.summary.message);
    report.claim(fmt::format("soft pendulum, {:g} s, tolerance {:g}: change of the energy over the "
                             "largest kinetic energy, in tolerances for each swing",
                             kEnd, tolerance),
                 below(outcome.energy_drift.value_or(NAN) / tolerance / swings, 1.0));
  }
}

// Crank of 0.15 m that runs up from rest by 600 rad/s², rod of 0.3 m, 8 mm square, a slider.
struct BendingRod {
  double crank = 0.15, length = 0.3, pull = 600.0;
  double axial = 2e11 * 64e-6, bending = 2e11 * 64e-6 * 64e-6 / 12.0, line_mass = 7870.0 * 64e-6;
  double slider = 0.0756;

  LoadedModel load(int elements) const {
    return load_model_text("slider_crank.yaml",
                           fmt::format(R"(picus: 1
dimension: 2
bodies:
  crank: {{mass: 0.36, inertia: [3e-3], at: [0, 0]}}
  slider: {{mass: {slider}, inertia: [1e-4], at: [{crank} + {length}, 0]}}
beams:
  rod: {{from: [{crank}, 0], to: [{crank} + {length}, 0], elements: {n}, section: {{type: general,
    stiffness: [{axial:.17g}, 1e10, 1e10, 1, {bending:.17g}, {bending:.17g}],
    line_mass: {mass:.17g}, line_inertia: [1e-8, 1e-8, 1e-8]}}}}
joints:
  main: {{type: revolute, between: [ground, crank], at: [0, 0]}}
  pin: {{type: revolute, between: [crank, rod.start], at: [{crank}, 0]}}
  gudgeon: {{type: revolute, between: [rod.end, slider], at: [{crank} + {length}, 0]}}
  guide: {{type: prismatic, between: [ground, slider], axis: [1, 0]}}
motions:
  drive: {{joint: main, value: {pull}/2*time^2}}
run: {{end_time: 0.12, tolerance: 1e-6, output_interval: 2e-4}}
)",
                                       fmt::arg("slider", slider), fmt::arg("crank", crank),
                                       fmt::arg("length", length), fmt::arg("n", elements),
                                       fmt::arg("axial", axial), fmt::arg("bending", bending),
                                       fmt::arg("mass", line_mass), fmt::arg("pull", pull)));
  }
};

// w = Σ c_k sin(kπx/l) across the line between the pins, with the axial force of the rigid motion:
//
//   ρA (ẅ − φ̇² w + a_A·n + φ̈ x) + E I w'''' − (N w')' = 0
class LinearRod {
 public:
  static constexpr int kTerms = 5;
  using Terms = Eigen::Matrix<double, kTerms, 1>;

  explicit LinearRod(const BendingRod& rod) : rod_(rod) {}

  Terms acceleration(double t, const Terms& c) const {
    const double l = rod_.length, r = rod_.crank, mass = rod_.line_mass;
    const double theta = 0.5 * rod_.pull * t * t, w = rod_.pull * t, c0 = std::cos(theta),
                 s0 = std::sin(theta);
    const double ax = -r * (rod_.pull * s0 + w * w * c0), ay = r * (rod_.pull * c0 - w * w * s0);
    const double sine = -r / l * s0, phi = std::asin(sine), cosine = std::cos(phi);
    const double rate = -r / l * w * c0 / cosine;
    const double turn = (-ay / l + rate * rate * sine) / cosine;
    const double along = ax * cosine + ay * sine, across = -ax * sine + ay * cosine;
    // the slider: its acceleration, and its push on the rod from the moments about the crank pin
    const double bx = ax - l * (turn * sine + rate * rate * cosine);
    const double moment = mass * l * l * l / 3.0 * turn + mass * l * l / 2.0 * across;
    const double fx = rod_.slider * bx, fy = (sine * fx - moment / l) / cosine;
    const double end = -(fx * cosine + fy * sine);
    Terms result = Terms::Zero();
    for (int k = 1; k <= kTerms; ++k) {
      const double wave = k * kPi / l, sign = k % 2 == 1 ? 1.0 : -1.0;
      result(k - 1) = (rate * rate - rod_.bending / mass * std::pow(wave, 4)) * c(k - 1) -
                      2.0 / l * (across * (1.0 + sign) / wave + turn * sign * l / wave);
    }
    constexpr int kPoints = 40;
    for (int i = 0; i < kPoints; ++i) {
      const double x = l * (i + 0.5) / kPoints;
      const double N = end - mass * (along * (l - x) - rate * rate * (l * l - x * x) / 2.0);
      double slope = 0.0;
      for (int k = 1; k <= kTerms; ++k)
        slope += c(k - 1) * k * kPi / l * std::cos(k * kPi * x / l);
      for (int k = 1; k <= kTerms; ++k)
        result(k - 1) -=
            2.0 / (l * mass) * (l / kPoints) * N * slope * k * kPi / l * std::cos(k * kPi * x / l);
    }
    return result;
  }

  /// Deflection of the middle at multiples of `interval`, by the classical Runge–Kutta method.
  std::vector<double> middle(double end_time, double interval, int steps) const {
    Terms c = Terms::Zero(), v = Terms::Zero();
    std::vector<double> result{0.0};
    const double h = interval / steps;
    for (int n = 0; static_cast<double>(n) * interval < end_time - 0.5 * interval; ++n) {
      for (int i = 0; i < steps; ++i) {
        const double t = n * interval + i * h;
        const Terms a1 = acceleration(t, c), v2 = v + 0.5 * h * a1;
        const Terms a2 = acceleration(t + 0.5 * h, c + 0.5 * h * v), v3 = v + 0.5 * h * a2;
        const Terms a3 = acceleration(t + 0.5 * h, c + 0.5 * h * v2), v4 = v + h * a3;
        const Terms a4 = acceleration(t + h, c + h * v3);
        c += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
      }
      double sum = 0.0;
      for (int k = 1; k <= kTerms; k += 2)
        sum += c(k - 1) * (k % 4 == 1 ? 1.0 : -1.0);
      result.push_back(sum);
    }
    return result;
  }

 private:
  BendingRod rod_;
};

void bend_rod(Report& report) {
  const BendingRod rod;
  constexpr double kInterval = 2e-4;
  const std::vector<double> linear = LinearRod(rod).middle(0.12, kInterval, 40);
  double peak = 0.0;
  for (const double w : linear)
    peak = std::max(peak, std::abs(w));
  std::vector<std::vector<double>> bows;
  std::vector<Curve> curves;
  Curve reference{.name = "linear theory", .colour = Colour::kBlack};
  for (const int elements : {8, 16, 32}) {
    const LoadedModel loaded = rod.load(elements);
    Mechanism& m = *loaded.mechanism;
    const int a = m.find_body("rod.node0"), b = m.find_body(fmt::format("rod.node{}", elements)),
              c = m.find_body(fmt::format("rod.node{}", elements / 2));
    Curve curve{.name = fmt::format("{} elements", elements),
                .colour = elements == 8 ? Colour::kSky : Colour::kVermilion,
                .line = Line::kDashed};
    std::vector<double>& bow = bows.emplace_back(linear.size(), 0.0);
    const RunOutcome outcome =
        run_mechanism(m, assemble_start(m), plan_of(loaded), [&](const Sample& sample) {
          const auto at = [&](int body) { return m.bodies().pose(body, sample.state.position).r; };
          const Vector3 line = (at(b) - at(a)).normalized(), away = at(c) - 0.5 * (at(a) + at(b));
          const auto i = static_cast<std::size_t>(std::lround(sample.state.time / kInterval));
          bow.at(i) = line(0) * away(1) - line(1) * away(0);
          curve.x.push_back(sample.state.time);
          curve.y.push_back(1e3 * bow[i]);
          if (elements == 32) {
            reference.x.push_back(sample.state.time);
            reference.y.push_back(1e3 * linear.at(i));
          }
        });
    if (!outcome.summary.ok()) throw std::runtime_error(outcome.summary.message);
    if (elements != 16) curves.push_back(std::move(curve));
  }
  double coarse = 0.0, fine = 0.0, off = 0.0;
  for (std::size_t i = 0; i < linear.size(); ++i) {
    coarse = std::max(coarse, std::abs(bows[0][i] - bows[1][i]));
    fine = std::max(fine, std::abs(bows[1][i] - bows[2][i]));
    const double limit = bows[2][i] + (bows[2][i] - bows[1][i]) / 3.0;
    off = std::max(off, std::abs(limit - linear[i]));
  }
  curves.insert(curves.begin(), std::move(reference));
  report.claim(
      "slider-crank: largest bow of the rod over its length (small, so linear theory holds)",
      below(peak / rod.length, 5e-3));
  report.claim(
      "slider-crank: difference from the linear theory over the largest bow, extrapolated from 16 "
      "and 32 elements",
      below(off / peak, 0.02));
  report.claim("slider-crank: order in the length of elements, from 8, 16 and 32",
               within(std::log2(coarse / fine), 2.0, 0.3));
  report.figure("slider_crank", {.title = "Slider-crank: bow of the rod",
                                 .panels = {{.title = "middle of the rod",
                                             .x = {.label = "t [s]"},
                                             .y = {.label = "w [mm]"},
                                             .curves = std::move(curves)}}});
}

}  // namespace

void beam_motion(Report& report) {
  free_flight(report);
  dissipate(report);
  swing_long(report);
  bend_rod(report);
}

}  // namespace picus::studies
