// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <stdexcept>

#include "studies/counted.h"
#include "studies/event_driven_motion.h"
#include "studies/impact_problems.h"
#include "studies/polynomial_motion.h"
#include "studies/problems/woodpecker.h"

namespace picus::studies {
namespace {

constexpr double kWoodpeckerEnd = 0.35;
constexpr int kSeriesOrder = 18;
constexpr double kSeriesStep = 2e-4;  // [s]; a fifth of the reciprocal of the fastest frequency

// The powers of time of (q, q̇, 1) under a linear equation.
Eigen::MatrixXd series_of(const LinearFlow& flow, const LinearState& x) {
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(7, kSeriesOrder + 1);
  c.col(0) = x;
  for (int k = 0; k < kSeriesOrder; ++k) {
    c.col(k + 1).head<3>() = c.col(k).segment<3>(3) / (k + 1.0);
    c.col(k + 1).segment<3>(3) = flow.acceleration * c.col(k) / (k + 1.0);
  }
  return c;
}

// Where a function that is positive at 0 and not at s has its root, by bisection.
double root_of(const Eigen::MatrixXd& series, const LinearRow& row, double s) {
  const Eigen::MatrixXd f = row * series;
  double low = 0.0, high = s;
  for (int i = 0; i < 100 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    (PolynomialMotion::value(f, middle)(0) > 0.0 ? low : high) = middle;
  }
  return high;
}

PolynomialMotion motion_of(const LinearContacts& system, double end) {
  constexpr double kArmed = 1e-13;  // events begin at zero, but for rounding, and rise at first
  LinearContactModes modes(system);
  LinearState x = modes.start();
  PolynomialMotion motion;
  double time = 0.0;
  std::vector<bool> armed;
  const auto arm = [&] {
    armed.resize(modes.flow().events.size(), false);
    for (std::size_t i = 0; i < armed.size(); ++i)
      armed[i] = armed[i] || modes.flow().events[i].row.dot(x) > kArmed;
  };
  for (arm(); time < end;) {
    const auto& events = modes.flow().events;
    const Eigen::MatrixXd series = series_of(modes.flow(), x);
    motion.add(time, series.topRows(3));
    double s = kSeriesStep;
    std::size_t next = events.size();
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!armed[i] || events[i].row.dot(PolynomialMotion::value(series, s)) > 0.0) continue;
      s = root_of(series, events[i].row, s);
      next = i;
    }
    time += s;
    x = PolynomialMotion::value(series, s);
    if (next < events.size()) {
      modes.pass(next, x);
      armed.clear();
    }
    arm();
  }
  return motion;
}

}  // namespace

std::function<Vector(double time)> event_driven_motion(const LinearContacts& system, double end) {
  return [motion = motion_of(system, end)](double t) { return motion.at(t); };
}

LinearContacts woodpecker_contacts() {
  const problems::Woodpecker w;
  LinearContacts s;
  s.mass = w.mass(0);
  s.stiffness << 0.0, 0.0, 0.0, 0.0, w.c, -w.c, 0.0, -w.c, w.c;
  s.force = -w.g * Eigen::Vector3d(w.mM + w.mS, w.mS * w.lM, w.mS * w.lG);
  s.normal << 0.0, 0.0, -w.hS, 0.0, w.hM, 0.0, 0.0, -w.hM, 0.0;
  s.tangent << 1.0, w.lM, w.lG - w.lS, 1.0, w.rM, 0.0, 1.0, w.rM, 0.0;
  s.gap << w.lM + w.lG - w.lS - w.r0, w.rM - w.r0, w.rM - w.r0;
  s.restitution << w.e[0], w.e[1], w.e[2];
  s.friction = w.mu;
  // the published initial state, whose lower edge is 9e-7 m inside the pole, moved onto its surface
  const State start = w.start();
  s.position << start.position(0), -(w.rM - w.r0) / w.hM, start.position(2);
  s.velocity = start.velocity;
  s.touching[problems::Woodpecker::kLower] = true;
  return s;
}

ImpactProblem woodpecker_problem() {
  const problems::Woodpecker woodpecker;
  const LinearContacts contacts = woodpecker_contacts();
  auto evaluations = std::make_unique<long>(0);
  auto system = make_system(Counted<problems::Woodpecker>{woodpecker, evaluations.get()});
  State start = woodpecker.start();
  start.position = contacts.position;
  return with_solution({.name = "woodpecker",
                        .title = "Woodpecker, two cycles and a half",
                        .system = std::move(system),
                        .evaluations = std::move(evaluations),
                        .start = std::move(start),
                        .end = kWoodpeckerEnd,
                        .longest_step = 2e-3 * kWoodpeckerEnd,
                        .exact = {},
                        .scale = {}},
                       event_driven_motion(contacts, kWoodpeckerEnd));
}

}  // namespace picus::studies
