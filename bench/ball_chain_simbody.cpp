// SPDX-License-Identifier: BSD-3-Clause
#include "bench/ball_chain.h"

#if __has_include(<Simbody.h>)

#include <Simbody.h>
#include <fmt/format.h>

#include "bench/session.h"

namespace picus::bench {

// Joint coordinates, accelerations in O(n) by recursion, Runge-Kutta-Merson with error control.
std::optional<ChainRun> run_simbody(const BallChain& chain, const ChainSetting& setting) {
  using SimTK::Transform, SimTK::Vec3;
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  SimTK::Force::UniformGravity(forces, matter, Vec3(0.0, 0.0, -chain.gravity));
  const double L = chain.link_length(), m = chain.link_mass();
  const Vec3 centre(0.5 * L, 0.0, 0.0), end(L, 0.0, 0.0);
  const SimTK::Inertia inertia(chain.axial_inertia(), chain.lateral_inertia(),
                               chain.lateral_inertia());
  const SimTK::Body::Rigid link(
      SimTK::MassProperties(m, centre, inertia.shiftFromMassCenter(centre, m)));
  SimTK::MobilizedBody last = matter.Ground();
  for (int i = 0; i < chain.links; ++i)
    last = SimTK::MobilizedBody::Ball(last, Transform(i == 0 ? Vec3(0.0) : end), link, Transform());
  SimTK::State state = system.realizeTopology();
  SimTK::MobilizedBody::Ball::downcast(matter.updMobilizedBody(SimTK::MobilizedBodyIndex(1)))
      .setU(state, Vec3(0.0, 0.0, chain.spin));

  SimTK::RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(setting.accuracy);
  SimTK::TimeStepper stepper(system, integrator);
  ChainRun run;
  run.engine = "Simbody, Runge-Kutta-Merson";
  run.setting = fmt::format("accuracy {:g}", setting.accuracy);
  const auto record = [&] {
    system.realize(integrator.getState(), SimTK::Stage::Position);
    const Vec3 tip = last.findStationLocationInGround(integrator.getState(), end);
    run.tip.push_back({tip[0], tip[1], tip[2]});
  };
  const double begin = cpu_seconds();
  stepper.initialize(state);
  record();
  for (int i = 1; i <= chain.samples; ++i) {
    stepper.stepTo(chain.sample_time(i));
    record();
  }
  run.seconds = cpu_seconds() - begin;
  run.ok = true;
  run.steps = integrator.getNumStepsTaken();
  run.rejected = integrator.getNumStepsAttempted() - integrator.getNumStepsTaken();
  run.evaluations = integrator.getNumRealizations();
  return run;
}

}  // namespace picus::bench

#else

namespace picus::bench {

std::optional<ChainRun> run_simbody(const BallChain&, const ChainSetting&) {
  return std::nullopt;
}

}  // namespace picus::bench

#endif
