// SPDX-License-Identifier: BSD-3-Clause
// Matrices are dense: with sparse ones Siconos 4.4 takes four times as long on the bar.
#include "bench/impact_peers.h"

#if __has_include(<SiconosKernel.hpp>)

#include <SiconosKernel.hpp>

#include "bench/process_time.h"

namespace picus::bench {
namespace {

SP::LagrangianLinearTIDS make_ball(const BallImpacts& problem) {
  auto q = std::make_shared<SiconosVector>(1), v = std::make_shared<SiconosVector>(1),
       f = std::make_shared<SiconosVector>(1);
  (*q)(0) = problem.height;
  (*v)(0) = 0.0;
  (*f)(0) = problem.force;
  auto mass = std::make_shared<SimpleMatrix>(1, 1);
  (*mass)(0, 0) = 1.0;
  auto ball = std::make_shared<LagrangianLinearTIDS>(q, v, mass);
  ball->setFExtPtr(f);
  return ball;
}

/// The first coordinate plus `distance` is the gap.
SP::NonSmoothDynamicalSystem against_a_wall(const SP::LagrangianLinearTIDS& system, double distance,
                                            double restitution, double end) {
  auto H = std::make_shared<SimpleMatrix>(1, static_cast<unsigned>(system->dimension()));
  H->zero();
  (*H)(0, 0) = 1.0;
  auto b = std::make_shared<SiconosVector>(1);
  (*b)(0) = distance;
  auto interaction = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(restitution),
                                                   std::make_shared<LagrangianLinearTIR>(H, b));
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, end);
  model->insertDynamicalSystem(system);
  model->link(interaction, system);
  return model;
}

void note(ImpactRun& run, double time, double position) {
  run.time.push_back(time);
  run.position.push_back(position);
  ++run.steps;
}

ImpactRun step_through(const SP::NonSmoothDynamicalSystem& model,
                       const SP::LagrangianLinearTIDS& system, double h) {
  auto simulation =
      std::make_shared<TimeStepping>(model, std::make_shared<TimeDiscretisation>(0.0, h),
                                     std::make_shared<MoreauJeanOSI>(0.5), std::make_shared<LCP>());
  ImpactRun run{"Siconos, Moreau–Jean"};
  const unsigned last = static_cast<unsigned>(system->dimension()) - 1;
  const double start = process_seconds();
  while (simulation->hasNextEvent()) {
    simulation->computeOneStep();
    note(run, simulation->nextTime(), (*system->q())(last));
    simulation->nextStep();
  }
  run.seconds = process_seconds() - start;
  return run;
}

}  // namespace

std::optional<ImpactRun> siconos_ball(const BallImpacts& problem, double h) {
  const auto ball = make_ball(problem);
  return step_through(against_a_wall(ball, 0.0, problem.restitution, problem.end), ball, h);
}

std::optional<ImpactRun> siconos_ball_by_events(const BallImpacts& problem, double h) {
  const auto ball = make_ball(problem);
  const auto model = against_a_wall(ball, 0.0, problem.restitution, problem.end);
  auto simulation =
      std::make_shared<EventDriven>(model, std::make_shared<TimeDiscretisation>(0.0, h));
  simulation->insertIntegrator(std::make_shared<LsodarOSI>());
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_IMPACT);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
  ImpactRun run{"Siconos, event-driven"};
  const double start = process_seconds();
  while (simulation->hasNextEvent()) {
    simulation->advanceToEvent();
    simulation->processEvents();
    note(run, simulation->startingTime(), (*ball->q())(0));
  }
  run.seconds = process_seconds() - start;
  return run;
}

std::optional<ImpactRun> siconos_bar(const BarImpact& problem, double h) {
  const auto nodes = static_cast<unsigned>(problem.elements) + 1;
  const double length = problem.length / problem.elements, k = problem.modulus / length;
  auto M = std::make_shared<SimpleMatrix>(nodes, nodes),
       K = std::make_shared<SimpleMatrix>(nodes, nodes);
  M->zero();
  K->zero();
  for (unsigned i = 0; i < nodes; ++i) {
    const bool is_end = i == 0 || i + 1 == nodes;
    (*M)(i, i) = problem.density * length * (is_end ? 0.5 : 1.0);
    (*K)(i, i) = is_end ? k : 2.0 * k;
    if (i > 0) (*K)(i, i - 1) = -k;
    if (i + 1 < nodes) (*K)(i, i + 1) = -k;
  }
  auto bar = std::make_shared<LagrangianLinearTIDS>(
      std::make_shared<SiconosVector>(nodes, 0.0),
      std::make_shared<SiconosVector>(nodes, -problem.speed), M);
  bar->setKPtr(K);
  return step_through(against_a_wall(bar, problem.distance, 0.0, problem.end), bar, h);
}

}  // namespace picus::bench

#else

namespace picus::bench {

std::optional<ImpactRun> siconos_ball(const BallImpacts&, double) {
  return {};
}
std::optional<ImpactRun> siconos_ball_by_events(const BallImpacts&, double) {
  return {};
}
std::optional<ImpactRun> siconos_bar(const BarImpact&, double) {
  return {};
}

}  // namespace picus::bench

#endif
