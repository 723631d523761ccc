// SPDX-License-Identifier: BSD-3-Clause
// A free beam is dropped upright on its end, lying on one end and on both, without restitution: it
// stays while waves run through it, leaves by itself, and comes back or not. Event-driven runs
// against the modal solution of the mesh in closed form, up to the second impact; contact and
// rebound of the upright beam against the waves of the continuous one. Flat on all its nodes it
// stays.
#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "picus/io/model_file.h"
#include "picus/math/decompositions.h"
#include "picus/runs/run.h"
#include "picus/simulation/adaptive_step.h"
#include "picus/simulation/simulate.h"
#include "picus/steppers/catalog.h"
#include "studies/catalog.h"

namespace picus::studies {
namespace {

// A steel rod of 1 m, 10 mm thick. It falls at 2e-4 of the speed of its waves: motions are linear.
struct DroppedBeam {
  enum class Pose { kUpright, kOneEnd, kBothEnds };
  Pose pose = Pose::kUpright;
  int elements = 16;
  double speed = 1.0, height = 1e-4;  // [m/s], [m]

  LoadedModel load() const {
    const bool is_upright = pose == Pose::kUpright;
    return load_model_text("dropped_beam.yaml",
                           fmt::format(R"(picus: 1
dimension: 2
beams:
  rod: {{from: [0, {0}], to: [{1}, {2}], elements: {3}, section: {{type: circle, radius: 5e-3}},
    material: steel, velocity: [0, {4}]}}
contacts:
  floor: {{type: ball_on_plane, between: [ground, rod.start]}}
{5})",
                                       height, is_upright ? 0.0 : 1.0,
                                       is_upright ? 1.0 + height : height, elements, -speed,
                                       pose == Pose::kBothEnds ? "  other: {type: ball_on_plane, "
                                                                 "between: [ground, rod.end]}\n"
                                                               : ""));
  }
};

// q(t) of M q̈ + K q = 0 by modes, from given q(0) and q̇(0).
class ModalMotion {
 public:
  ModalMotion(const Matrix& M, const Matrix& K, const Vector& q, const Vector& v) {
    SymmetricModes modes = symmetric_modes(K, M);
    shapes_ = std::move(modes.vectors);
    squares_ = std::move(modes.values);
    const double zero = 1e-11 * squares_.cwiseAbs().maxCoeff();
    for (int i = 0; i < squares_.size(); ++i)
      if (std::abs(squares_(i)) < zero) squares_(i) = 0.0;
    a_ = shapes_.transpose() * M * q;
    b_ = shapes_.transpose() * M * v;
  }

  Vector position(double t) const {
    return shapes_ * modal([&](double w, double a, double b) {
             return w > 0.0 ? a * std::cos(w * t) + b * std::sin(w * t) / w : a + b * t;
           });
  }
  Vector velocity(double t) const {
    return shapes_ * modal([&](double w, double a, double b) {
             return w > 0.0 ? b * std::cos(w * t) - a * w * std::sin(w * t) : b;
           });
  }
  Vector acceleration(double t) const {
    return shapes_ * modal([&](double w, double a, double b) {
             return -w * w * a * std::cos(w * t) - w * b * std::sin(w * t);
           });
  }

 private:
  template <class Function>
  Vector modal(const Function& function) const {
    Vector result(a_.size());
    for (int i = 0; i < a_.size(); ++i)
      result(i) = function(std::sqrt(std::max(0.0, squares_(i))), a_(i), b_(i));
    return result;
  }

  Matrix shapes_;
  Vector squares_, a_, b_;
};

// Where a function becomes negative after `from`, seen with steps of `step`; NaN if not by `until`.
double first_sign_change(const std::function<double(double)>& f, double from, double until,
                         double step) {
  for (double t = from + step; t < until; t += step) {
    if (f(t) >= 0.0) continue;
    double low = t - step, high = t;
    for (int n = 0; n < 100; ++n) {
      const double middle = 0.5 * (low + high);
      (f(middle) >= 0.0 ? low : high) = middle;
    }
    return high;
  }
  return NAN;
}

struct Times {
  double impact = NAN, release = NAN, second = NAN;  ///< [s]
  double rebound = NAN;                              ///< velocity of the centre after release [m/s]
};

Times by_modes(const DroppedBeam& beam, double until) {
  const LoadedModel loaded = beam.load();
  const Mechanism& m = *loaded.mechanism;
  State s = m.initial_state();
  s.multiplier.setZero(m.system().sizes().constraints);
  s.nonholonomic_multiplier.setZero(m.system().sizes().nonholonomic);
  SparseMatrix mass, stiffness, damping;
  m.system().mass_matrix(s, mass);
  m.system().momentum_tangent(s, {s.position, Vector::Zero(s.velocity.size())}, stiffness, damping);
  const Matrix M = mass.dense(), K = 0.5 * (stiffness.dense() + stiffness.dense().transpose());
  const auto across = [&](int node) {
    return m.bodies()[m.find_body(fmt::format("rod.node{}", node))].velocity[1];
  };
  const int n = static_cast<int>(M.rows()), c = across(0);
  std::vector<int> closed{c}, others;
  if (beam.pose == DroppedBeam::Pose::kBothEnds) closed.push_back(across(beam.elements));
  for (int i = 0; i < n; ++i)
    if (std::find(closed.begin(), closed.end(), i) == closed.end()) others.push_back(i);
  Times times{.impact = beam.height / beam.speed};

  // the nodes at the floor stop, all others move on with what the impulse leaves them
  Vector v = s.velocity;
  const auto count = static_cast<int>(closed.size());
  Matrix stops = Matrix::Zero(n, count);
  for (int i = 0; i < count; ++i)
    stops(closed[static_cast<std::size_t>(i)], i) = 1.0;
  const Matrix pushes = M.ldlt().solve(stops), response = pushes(closed, Eigen::all);
  v -= pushes * response.ldlt().solve(Vector(v(closed)));
  const Matrix Mf = M(others, others), Kf = K(others, others);
  const ModalMotion held(Mf, Kf, Vector::Zero(n - count), v(others));
  const Vector Mc = M(others, c), Kc = K(others, c);
  const auto reaction = [&](double t) {
    return Mc.dot(held.acceleration(t)) + Kc.dot(held.position(t));
  };
  const double step = until / 20000.0;
  const double released = first_sign_change(reaction, 0.0, until, step);
  times.release = times.impact + released;
  Vector q = Vector::Zero(n);
  v.setZero();
  const Vector held_q = held.position(released), held_v = held.velocity(released);
  for (int i = 0; i < n - count; ++i) {
    const int row = others[static_cast<std::size_t>(i)];
    q(row) = held_q(i);
    v(row) = held_v(i);
  }
  const ModalMotion free(M, K, q, v);
  const double second =
      first_sign_change([&](double t) { return free.position(t)(c); }, step, until, step);
  times.second = times.release + second;
  Vector fall = Vector::Zero(n);
  for (const int node : m.flexible()[0]->nodes())
    fall(m.bodies()[node].velocity[1]) = 1.0;
  times.rebound = fall.dot(M * v) / fall.dot(M * fall);
  return times;
}

Times by_events(const DroppedBeam& beam, double until, double tolerance) {
  const LoadedModel loaded = beam.load();
  const Mechanism& m = *loaded.mechanism;
  State state = m.initial_state();
  const auto stepper = make_stepper("event_driven", {{"smooth", "radau_iia"}});
  AdaptiveStep control({.tolerance = tolerance});
  Times times;
  bool was_closed = false;
  double time = 0.0;
  const Summary summary = simulate(
      m.system(), state, *stepper, control, {.end_time = until}, [&](const Moment& moment) {
        if (moment.is_first()) return true;
        const bool is_closed = moment.stepper.law_modes()[0].mode != ContactMode::kOpen;
        // the reaction begins at zero: rounding may open the contact once more right after it
        // closes
        if (moment.stepper.impulses().has_impact()) {
          if (std::isnan(times.impact)) times.impact = moment.state.time;
          if (!std::isnan(times.release)) times.second = moment.state.time;
        }
        if (was_closed && !is_closed && std::isnan(times.release)) times.release = time;
        was_closed = is_closed;
        time = moment.state.time;
        return std::isnan(times.second);
      });
  if (!summary.ok()) throw std::runtime_error(summary.message);
  return times;
}

// With a contact at every node all of them stop at once: no wave is left to throw the beam up, and
// the floor carries its weight.
void lie(Report& report) {
  constexpr int kElements = 8;
  std::string text = R"(picus: 1
dimension: 2
gravity: [0, -9.81]
beams:
  rod: {from: [0, 0.01], to: [1, 0.01], elements: 8, section: {type: circle, radius: 5e-3},
    material: steel}
run: {end_time: 0.06, tolerance: 1e-6}
contacts:
)";
  for (int i = 0; i <= kElements; ++i)
    text += fmt::format("  floor{0}: {{type: ball_on_plane, between: [ground, rod.node{0}]}}\n", i);
  const LoadedModel loaded = load_model_text("flat.yaml", text);
  Mechanism& m = *loaded.mechanism;
  const RunOutcome outcome = run_mechanism(m, assemble_start(m), plan_of(loaded), {});
  if (!outcome.summary.ok()) throw std::runtime_error(outcome.summary.message);
  double weight = 0.0, push = 0.0;
  for (std::size_t i = 0; i < m.flexible()[0]->nodes().size(); ++i)
    weight += 9.81 * m.flexible()[0]->mass_of_node(i);
  for (const AssembledContact& contact : m.contacts())
    push += outcome.end.multiplier(contact.gap.row);
  report.claim("flat on all nodes: fastest motion at the end, over the speed of the fall",
               below(max_abs(outcome.end.velocity) / std::sqrt(2.0 * 9.81 * 0.01), 1e-6));
  report.claim("flat on all nodes: push of the floor over the weight",
               within(push / weight, 1.0, 1e-6));
}

}  // namespace

void beam_impact(Report& report) {
  Table table{
      {"pose", "elements", "release modes", "release events", "second modes", "second events"}, {}};
  const double wave = std::sqrt(210e9 / 7850.0);
  // it falls at 2e-4 of the speed of its waves: strains of that size are left out by the modes
  constexpr double kTenStrains = 2e-3;
  Curve by_mode{.name = "modes", .colour = Colour::kBlack};
  Curve by_event{.name = "event-driven", .colour = Colour::kVermilion, .line = Line::kDashed};
  using Pose = DroppedBeam::Pose;
  const std::pair<Pose, const char*> poses[] = {{Pose::kUpright, "on its end"},
                                                {Pose::kOneEnd, "lying, on one end"},
                                                {Pose::kBothEnds, "lying, on both ends"}};
  for (const auto& [pose, words] : poses) {
    const bool is_upright = pose == Pose::kUpright;
    for (const int elements : {8, 16, 32}) {
      const DroppedBeam beam{.pose = pose, .elements = elements};
      const double until = is_upright ? 4.0 / wave : 0.02;
      const Times modes = by_modes(beam, until);
      const Times events = by_events(beam, modes.impact + until, 1e-9);
      const std::string who = fmt::format("{}, {} elements", words, elements);
      report.claim(who + ": impact [s]", near(events.impact, modes.impact, 1e-6));
      const double stay = modes.release - modes.impact;
      report.claim(who + ": time in contact over that of the modes",
                   within((events.release - events.impact) / stay, 1.0, kTenStrains));
      if (!std::isnan(modes.second))
        report.claim(who + ": second impact, over the modes' after the first",
                     within((events.second - events.impact) / (modes.second - modes.impact), 1.0,
                            kTenStrains));
      if (is_upright) {
        by_mode.x.push_back(elements);
        by_mode.y.push_back(0.5 * wave * stay);
        by_event.x.push_back(elements);
        by_event.y.push_back(0.5 * wave * (events.release - events.impact));
        // a front in a mesh is (n/4)^(1/3) elements wide when it comes back: ω ≈ k c (1 + k² h²/24)
        const double front = std::cbrt(0.25 * elements) / (2.0 * elements);
        report.claim(who + ": time in contact over that of the wave, 2L/c; within two fronts",
                     within(stay * wave / 2.0, 1.0, 2.0 * front));
        report.claim(who + ": rebound over the speed of the fall; within two fronts",
                     within(modes.rebound / beam.speed, 1.0, 2.0 * front));
      }
      table.rows.push_back({static_cast<double>(pose), static_cast<double>(elements), modes.release,
                            events.release, modes.second, events.second});
    }
  }
  report.figure("contact", {.title = "A steel rod of 1 m falls on its end: time in contact",
                            .panels = {{.title = "against the wave, 2L/c",
                                        .x = {.label = "elements"},
                                        .y = {.label = "time in contact × c/2L"},
                                        .curves = {by_mode, by_event}}}});
  report.curves("times", std::move(table));
  lie(report);
}

}  // namespace picus::studies
