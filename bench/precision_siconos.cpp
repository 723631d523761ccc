// SPDX-License-Identifier: BSD-3-Clause
#include "bench/precision_engines.h"

#if __has_include(<SiconosKernel.hpp>)

#include <cmath>
#include <exception>
#include <functional>

#include <SiconosKernel.hpp>
#include <boost/exception/all.hpp>

#include "bench/process_time.h"

namespace picus::bench {
namespace {

// The other solvers of two-dimensional friction are as slow, and warn or end less accurately.
constexpr int kFrictionSolver = SICONOS_FRICTION_2D_LEMKE;
constexpr double kPatience = 3.0;  // [s] of CPU time: impacts that accumulate may have no end
constexpr double kLooks = 20.0;    // how often an event-driven run is looked at besides its events

template <class Matrix>
SP::SimpleMatrix siconos_matrix(const Matrix& of) {
  auto result = std::make_shared<SimpleMatrix>(static_cast<unsigned>(of.rows()),
                                               static_cast<unsigned>(of.cols()));
  for (int i = 0; i < of.rows(); ++i)
    for (int j = 0; j < of.cols(); ++j)
      (*result)(static_cast<unsigned>(i), static_cast<unsigned>(j)) = of(i, j);
  return result;
}

SP::SimpleMatrix scalar_matrix(double value) {
  return siconos_matrix(Eigen::Matrix<double, 1, 1>(value));
}

template <class Vector>
SP::SiconosVector siconos_vector(const Vector& of) {
  auto result = std::make_shared<SiconosVector>(static_cast<unsigned>(of.size()));
  for (int i = 0; i < of.size(); ++i)
    (*result)(static_cast<unsigned>(i)) = of(i);
  return result;
}

SP::SiconosVector scalar_vector(double value) {
  return std::make_shared<SiconosVector>(1, value);
}

/// A model and how its coordinates are seen.
struct Scene {
  SP::NonSmoothDynamicalSystem model;
  SP::LagrangianDS body;
  std::function<void(double time, studies::ImpactPath&)> note;
  bool has_friction = false;
};

void contact(Scene& scene, const SP::NonSmoothLaw& law, const SP::SimpleMatrix& H,
             const SP::SiconosVector& b) {
  scene.model->link(std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(H, b)),
                    scene.body);
}

Scene make_scene(const SP::LagrangianDS& body, double end) {
  Scene scene;
  scene.model = std::make_shared<NonSmoothDynamicalSystem>(0.0, end);
  scene.body = body;
  scene.model->insertDynamicalSystem(body);
  scene.note = [body](double time, studies::ImpactPath& path) {
    path.add(time, &(*body->q())(0), body->q()->size());
  };
  return scene;
}

Scene make_scene(const OneCoordinate& p) {
  auto body = std::make_shared<LagrangianLinearTIDS>(scalar_vector(p.position), scalar_vector(0.0),
                                                     scalar_matrix(p.mass));
  if (p.stiffness != 0.0) body->setKPtr(scalar_matrix(p.stiffness));
  if (p.damping != 0.0) body->setCPtr(scalar_matrix(p.damping));
  if (p.force != 0.0) body->setFExtPtr(scalar_vector(p.force));
  Scene scene = make_scene(body, p.end);
  contact(scene, std::make_shared<NewtonImpactNSL>(p.restitution), scalar_matrix(1.0),
          scalar_vector(0.0));
  return scene;
}

// z holds the torque.
void pendulum_force(double, unsigned, double* q, double*, double* f, unsigned, double* z) {
  f[0] = -z[0] * std::cos(q[0]);
}
void pendulum_tangent(double, unsigned, double* q, double*, double* K, unsigned, double* z) {
  K[0] = z[0] * std::sin(q[0]);
}

Scene make_scene(const WallPendulum& p) {
  auto body = std::make_shared<LagrangianDS>(scalar_vector(p.angle), scalar_vector(0.0),
                                             scalar_matrix(p.inertia));
  body->setzPtr(scalar_vector(p.torque));
  body->setComputeFIntFunction(pendulum_force);
  body->setComputeJacobianFIntqFunction(pendulum_tangent);
  Scene scene = make_scene(body, p.end);
  contact(scene, std::make_shared<NewtonImpactNSL>(p.restitution), scalar_matrix(-1.0),
          scalar_vector(p.wall));
  scene.note = [body, p](double time, studies::ImpactPath& path) {
    const double angle = (*body->q())(0);
    const double q[] = {p.length * std::cos(angle), p.length * std::sin(angle), angle};
    path.add(time, q, 3);
  };
  return scene;
}

Scene make_scene(const ThreeContacts& p) {
  const studies::LinearContacts& s = p.system;
  auto body = std::make_shared<LagrangianLinearTIDS>(
      siconos_vector(s.position), siconos_vector(s.velocity), siconos_matrix(s.mass));
  body->setKPtr(siconos_matrix(s.stiffness));
  body->setFExtPtr(siconos_vector(s.force));
  Scene scene = make_scene(body, p.end);
  scene.has_friction = true;
  for (int i = 0; i < 3; ++i) {
    Eigen::Matrix<double, 2, 3> H;
    H << s.normal.row(i), s.tangent.row(i);
    contact(scene, std::make_shared<NewtonImpactFrictionNSL>(s.restitution(i), 0.0, s.friction, 2),
            siconos_matrix(H), siconos_vector(Eigen::Vector2d(s.gap(i), 0.0)));
  }
  return scene;
}

EngineRun moreau(const Scene& scene, double h) {
  EngineRun run;
  const double begin = process_seconds();
  SP::OneStepNSProblem solver;
  if (scene.has_friction)
    solver = std::make_shared<FrictionContact>(2, kFrictionSolver);
  else
    solver = std::make_shared<LCP>();
  auto simulation =
      std::make_shared<TimeStepping>(scene.model, std::make_shared<TimeDiscretisation>(0.0, h),
                                     std::make_shared<MoreauJeanOSI>(0.5), solver);
  simulation->setNewtonTolerance(1e-10);
  scene.note(0.0, run.path);
  while (simulation->hasNextEvent()) {
    simulation->computeOneStep();
    scene.note(simulation->nextTime(), run.path);
    simulation->nextStep();
    ++run.steps;
  }
  run.seconds = process_seconds() - begin;
  return run;
}

EngineRun events(const Scene& scene, double end, double tolerance) {
  EngineRun run;
  const double begin = process_seconds();
  auto simulation = std::make_shared<EventDriven>(
      scene.model, std::make_shared<TimeDiscretisation>(0.0, end / kLooks));
  auto integrator = std::make_shared<LsodarOSI>();
  simulation->insertIntegrator(integrator);
  const auto solver = [&]() -> SP::OneStepNSProblem {
    if (scene.has_friction) return std::make_shared<FrictionContact>(2, kFrictionSolver);
    return std::make_shared<LCP>();
  };
  simulation->insertNonSmoothProblem(solver(), SICONOS_OSNSP_ED_IMPACT);
  simulation->insertNonSmoothProblem(solver(), SICONOS_OSNSP_ED_SMOOTH_ACC);
  simulation->initialize();
  integrator->setTol(1, tolerance, tolerance);
  // how far a gap may be found below zero; with its default, 2e-12 m, loose tolerances fail
  simulation->setToleranceED(tolerance);
  scene.note(0.0, run.path);
  while (simulation->hasNextEvent()) {
    simulation->advanceToEvent();
    simulation->processEvents();
    scene.note(simulation->startingTime(), run.path);
    ++run.steps;
    if (process_seconds() - begin > kPatience) {
      run.trouble = "at " + std::to_string(simulation->startingTime()) + " s after " +
                    std::to_string(run.steps) + " events and some seconds";
      break;
    }
  }
  run.seconds = process_seconds() - begin;
  return run;
}

template <class Solve>
EngineRun guarded(const Solve& solve) {
  EngineRun failed;
  try {
    return solve();
  } catch (const boost::exception& error) {
    const std::string* message = boost::get_error_info<Siconos::exception::extra_message>(error);
    failed.trouble = message != nullptr ? *message : boost::diagnostic_information(error);
  } catch (const std::exception& error) {
    failed.trouble = error.what();
  }
  return failed;
}

}  // namespace

std::optional<EngineRun> siconos_moreau(const OneCoordinate& problem, double h) {
  return guarded([&] { return moreau(make_scene(problem), h); });
}
std::optional<EngineRun> siconos_moreau(const WallPendulum& problem, double h) {
  return guarded([&] { return moreau(make_scene(problem), h); });
}
std::optional<EngineRun> siconos_moreau(const ThreeContacts& problem, double h) {
  return guarded([&] { return moreau(make_scene(problem), h); });
}
std::optional<EngineRun> siconos_events(const OneCoordinate& problem, double tolerance) {
  return guarded([&] { return events(make_scene(problem), problem.end, tolerance); });
}
std::optional<EngineRun> siconos_events(const WallPendulum& problem, double tolerance) {
  return guarded([&] { return events(make_scene(problem), problem.end, tolerance); });
}
std::optional<EngineRun> siconos_events(const ThreeContacts& problem, double tolerance) {
  return guarded([&] { return events(make_scene(problem), problem.end, tolerance); });
}

}  // namespace picus::bench

#else

namespace picus::bench {

std::optional<EngineRun> siconos_moreau(const OneCoordinate&, double) {
  return {};
}
std::optional<EngineRun> siconos_moreau(const WallPendulum&, double) {
  return {};
}
std::optional<EngineRun> siconos_moreau(const ThreeContacts&, double) {
  return {};
}
std::optional<EngineRun> siconos_events(const OneCoordinate&, double) {
  return {};
}
std::optional<EngineRun> siconos_events(const WallPendulum&, double) {
  return {};
}
std::optional<EngineRun> siconos_events(const ThreeContacts&, double) {
  return {};
}

}  // namespace picus::bench

#endif
