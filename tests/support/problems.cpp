// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/problems.h"

#include <numbers>
#include <stdexcept>

#include "picus/dynamics/consistent_state.h"
#include "studies/problems/chain.h"
#include "studies/problems/jay_negrut.h"
#include "studies/problems/motions.h"
#include "studies/problems/oscillator.h"
#include "studies/problems/pendulum.h"
#include "studies/problems/slider_crank.h"

namespace picus::testing {
namespace {

TestProblem ready(TestProblem problem) {
  const Consistency report = make_consistent(*problem.system, problem.start);
  if (!report.ok()) throw std::runtime_error(problem.name + ": " + report.message);
  return problem;
}

// Classical Runge–Kutta on θ̈ = f(θ, θ̇), fine enough to be exact for any test here.
template <class F>
std::pair<double, double> integrate(double angle, double rate, double duration, F&& f) {
  const int steps = 20000;
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const double a1 = f(angle, rate);
    const double v2 = rate + 0.5 * h * a1, a2 = f(angle + 0.5 * h * rate, v2);
    const double v3 = rate + 0.5 * h * a2, a3 = f(angle + 0.5 * h * v2, v3);
    const double v4 = rate + h * a3, a4 = f(angle + h * v3, v4);
    angle += h / 6.0 * (rate + 2.0 * v2 + 2.0 * v3 + v4);
    rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return {angle, rate};
}

}  // namespace

TestProblem pendulum() {
  const problems::Pendulum p;
  return ready({"pendulum", make_system(p, "pendulum"), p.at(std::numbers::pi / 6.0, 10.0), 1.0,
                4e-3, [p](double t) {
                  const auto [angle, rate] =
                      integrate(std::numbers::pi / 6.0, 10.0, t,
                                [&](double th, double) { return p.angular_acceleration(th); });
                  State s = p.at(angle, rate);
                  s.multiplier = p.reactions(angle, rate);
                  return s;
                }});
}

TestProblem spring_pendulum() {
  const problems::SpringPendulum p;
  return ready({"spring_pendulum", make_system(p, "pendulum"), p.at(p.kRest, 10.0), 1.0, 2e-3,
                [p](double t) {
                  const auto [angle, rate] = integrate(p.kRest, 10.0, t, [&](double th, double w) {
                    return p.angular_acceleration(th, w);
                  });
                  return p.at(angle, rate);
                }});
}

TestProblem slider_crank() {
  const problems::SliderCrank p;
  return ready({"slider_crank", make_system(p, ""), p.at(0.0, 10.0), 0.5, 2e-3, {}});
}

TestProblem chain(int links) {
  return ready({"chain_" + std::to_string(links),
                problems::make_chain(links),
                problems::chain_start(links),
                0.5,
                4e-3,
                {}});
}

TestProblem driven_pendulum() {
  State s;
  s.position = Eigen::Vector3d(0.0, -1.0, -std::numbers::pi / 2.0);
  s.velocity = Eigen::Vector3d::Zero();
  return ready(
      {"driven_pendulum", make_system(problems::DrivenPendulum{}, "driven"), s, 1.0, 1e-2, {}});
}

TestProblem heavy_top() {
  const problems::HeavyTop p;
  return ready({"heavy_top", make_system(p, "top"), p.spinning(0.4, 30.0), 0.5, 4e-3, {}});
}

TestProblem skate() {
  const problems::Skate p;
  const double w = 2.0;
  return ready(
      {"skate", make_system(p, "skate"), problems::Skate::at_rest(w), 1.0, 1e-2, [p, w](double t) {
         const double c = p.slope / (2.0 * w * w);
         State s;
         s.position = Eigen::Vector3d(c * std::sin(w * t) * std::sin(w * t),
                                      c * (w * t - 0.5 * std::sin(2.0 * w * t)), w * t);
         s.velocity = Eigen::Vector3d(c * w * std::sin(2.0 * w * t),
                                      c * w * (1.0 - std::cos(2.0 * w * t)), w);
         return s;
       }});
}

TestProblem nonlinear() {
  return ready({"nonlinear", make_system(problems::NonlinearProblem{}, "problem 15"),
                problems::NonlinearProblem::exact(0.0), 1.0, 2e-2,
                [](double t) { return problems::NonlinearProblem::exact(t); }});
}

TestProblem oscillator() {
  State s;
  s.position = Vector::Constant(1, 1.0);
  return ready({"oscillator", make_system(problems::Oscillator{}), s, 2.0, 2e-2, [](double t) {
                  State e;
                  e.position = Vector::Constant(1, std::cos(t));
                  e.velocity = Vector::Constant(1, -std::sin(t));
                  return e;
                }});
}

TestProblem variable_mass() {
  return ready({"variable_mass", make_system(problems::VariableMass{}),
                problems::VariableMass::exact(0.0), 2.0, 2e-2,
                [](double t) { return problems::VariableMass::exact(t); }});
}

TestProblem controlled_mass() {
  State s;
  s.position = Vector::Constant(1, 0.0);
  return ready(
      {"controlled_mass", make_system(problems::ControlledMass{}, "plant"), s, 1.0, 1e-2, {}});
}

std::vector<TestProblem> all_problems() {
  std::vector<TestProblem> problems;
  for (auto* make : {pendulum, spring_pendulum, slider_crank, driven_pendulum, heavy_top, skate,
                     nonlinear, oscillator, variable_mass, controlled_mass})
    problems.push_back(make());
  problems.push_back(chain(3));
  return problems;
}

}  // namespace picus::testing
