// SPDX-License-Identifier: BSD-3-Clause
#include "studies/impact_problems.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "studies/counted.h"
#include "studies/polynomial_motion.h"
#include "studies/problems/impact_solutions.h"
#include "studies/problems/impacts.h"

namespace picus::studies {
namespace {

template <class Problem>
ImpactProblem make_problem(const std::string& name, const std::string& title,
                           const Problem& problem, const State& start, double end) {
  auto evaluations = std::make_unique<long>(0);
  auto system = make_system(Counted<Problem>{problem, evaluations.get()}, name);
  return {.name = name,
          .title = title,
          .system = std::move(system),
          .evaluations = std::move(evaluations),
          .start = start,
          .end = end,
          .longest_step = 1e-2 * end,
          .exact = {},
          .scale = {}};
}

ImpactProblem with_solution(ImpactProblem problem, const problems::ImpactMotion& motion) {
  return with_solution(std::move(problem),
                       [motion](double t) { return Vector::Constant(1, motion.at(t).position); });
}

constexpr int kTaylorOrder = 20;
constexpr double kTaylorStep = 0.02;  // [s]; the series converges over more than ten times as much

// θ(t) of θ̈ = a cos θ, by the series of θ, θ̇, sin θ and cos θ.
Eigen::MatrixXd taylor_of_pendulum(double a, double angle, double rate) {
  Eigen::MatrixXd theta = Eigen::MatrixXd::Zero(1, kTaylorOrder + 1);
  std::array<double, kTaylorOrder + 1> w{}, s{}, c{};
  theta(0) = angle;
  w[0] = rate;
  s[0] = std::sin(angle);
  c[0] = std::cos(angle);
  for (std::size_t k = 0; k < kTaylorOrder; ++k) {
    const double next = 1.0 / static_cast<double>(k + 1);
    double cw = 0.0, sw = 0.0;
    for (std::size_t j = 0; j <= k; ++j) {
      cw += c[j] * w[k - j];
      sw += s[j] * w[k - j];
    }
    theta(static_cast<int>(k) + 1) = next * w[k];
    w[k + 1] = next * a * c[k];
    s[k + 1] = next * cw;
    c[k + 1] = -next * sw;
  }
  return theta;
}

double rate_of(const Eigen::MatrixXd& theta, double s) {
  double result = 0.0;
  for (Eigen::Index k = theta.cols() - 1; k > 0; --k)
    result = result * s + static_cast<double>(k) * theta(k);
  return result;
}

// When the angle reaches the wall, by Newton's method from behind. At a start on the wall that root
// is divided out.
double time_to_wall(const Eigen::MatrixXd& theta, double wall, double s) {
  const bool starts_there = theta(0) == wall;
  Eigen::MatrixXd p = starts_there ? Eigen::MatrixXd(theta.rightCols(theta.cols() - 1)) : theta;
  if (!starts_there) p(0) -= wall;
  for (int i = 0; i < 60; ++i) {
    const double ds = PolynomialMotion::value(p, s)(0) / rate_of(p, s);
    s -= ds;
    if (std::abs(ds) < 1e-17) break;
  }
  return s;
}

PolynomialMotion bouncing_angle(const problems::BouncingPendulum& p, double end) {
  const double a = p.m * p.g * p.L / (p.J + p.m * p.L * p.L), wall = 0.25 * std::numbers::pi;
  PolynomialMotion motion;
  double time = 0.0, angle = std::numbers::pi / 12.0, rate = 0.0;
  for (double flight = 1.0; time < end;) {
    const Eigen::MatrixXd theta = taylor_of_pendulum(a, angle, rate);
    motion.add(time, theta);
    if (PolynomialMotion::value(theta, kTaylorStep)(0) < wall) {
      time += kTaylorStep;
      flight += kTaylorStep;
      angle = PolynomialMotion::value(theta, kTaylorStep)(0);
      rate = rate_of(theta, kTaylorStep);
      continue;
    }
    const double s = time_to_wall(theta, wall, kTaylorStep);
    flight += s;
    time += s;
    rate = -p.e * rate_of(theta, s);
    angle = wall;
    if (flight < 1e-15) break;  // bounces are lost in the rounding of time
    flight = 0.0;
  }
  motion.add(time, Eigen::MatrixXd::Constant(1, 1, wall));
  return motion;
}

}  // namespace

ImpactProblem with_solution(ImpactProblem problem, std::function<Vector(double)> exact) {
  constexpr int kSamples = 1000;
  problem.exact = std::move(exact);
  problem.scale = problem.start.position.cwiseAbs();
  for (int i = 1; i <= kSamples; ++i)
    problem.scale = problem.scale.cwiseMax(problem.exact(problem.end * i / kSamples).cwiseAbs());
  return problem;
}

ImpactProblem ball_problem() {
  const problems::BouncingBall ball;
  return with_solution(make_problem("ball", "Ball until it rests", ball, ball.at(1.0, 0.0), 4.0),
                       problems::exact_motion(ball, 1.0));
}

ImpactProblem oscillator_problem() {
  const problems::ImpactOscillator oscillator;
  const double end = 10.0;
  return with_solution(make_problem("oscillator", "Oscillator, three impacts", oscillator,
                                    oscillator.at(1.0, 0.0), end),
                       problems::exact_motion(oscillator, 1.0, end));
}

ImpactProblem pendulum_problem() {
  const problems::BouncingPendulum pendulum;
  const double end = 4.0;
  return with_solution(make_problem("pendulum", "Pendulum until it rests", pendulum,
                                    pendulum.at(std::numbers::pi / 12.0, 0.0), end),
                       [motion = bouncing_angle(pendulum, end), pendulum](double t) {
                         return pendulum.at(motion.at(t)(0), 0.0).position;
                       });
}

std::vector<ImpactProblem> impact_problems() {
  std::vector<ImpactProblem> all;
  for (const auto& make : {ball_problem, oscillator_problem, pendulum_problem, woodpecker_problem})
    all.push_back(make());
  return all;
}

double path_error(const ImpactProblem& problem, const ImpactPath& path) {
  if (path.time.empty() || std::abs(path.time.back() - problem.end) > 1e-9 * problem.end)
    throw std::runtime_error(problem.name + ": the path does not lead to the end");
  const auto n = problem.scale.size();
  double last = 0.0, integral = 0.0;
  for (std::size_t i = 0; i < path.time.size(); ++i) {
    const Eigen::Map<const Vector> q(path.position.data() + static_cast<Eigen::Index>(i) * n, n);
    const Vector error = (q - problem.exact(path.time[i])).cwiseQuotient(problem.scale);
    const double now = error.array().isFinite().all() ? error.cwiseAbs().maxCoeff() : HUGE_VAL;
    if (i > 0) integral += 0.5 * (last + now) * (path.time[i] - path.time[i - 1]);
    last = now;
  }
  return last + integral / problem.end;
}

}  // namespace picus::studies
