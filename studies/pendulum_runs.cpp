// SPDX-License-Identifier: BSD-3-Clause
#include "studies/pendulum_runs.h"

#include <algorithm>
#include <numbers>

#include "picus/base/contract.h"

namespace picus::studies {

std::vector<Formulation> formulations() {
  const std::pair<std::string, std::string> rho{"rho", "0.9"};
  return {
      {"P", "index3", to_round_off({rho}), Colour::kVermilion, Marker::kSquare},
      {"V", "index2", to_round_off({rho}), Colour::kBlue, Marker::kCross},
      {"PV", "ggl", to_round_off({rho, {"variant", "mass_weighted"}}), Colour::kGreen,
       Marker::kDiamond},
      {"PVA", "stabilized_index1", to_round_off({rho}), Colour::kBlack, Marker::kCircle},
      {"PV classical", "ggl", to_round_off({rho, {"variant", "classical"}}), Colour::kPurple,
       Marker::kPlus},
  };
}

double Residuals::largest(Level level) const {
  return *std::max_element(worst[level].begin(), worst[level].end());
}

Residuals watch_pendulum(const problems::Pendulum& pendulum, const Formulation& formulation,
                         double h, double end_time, Start start) {
  const auto system = make_system(pendulum, "pendulum");
  State state = pendulum.at(std::numbers::pi / 6.0, 10.0);
  if (start == Start::kDisturbed) {
    expects(make_consistent(*system, state).ok(), "the pendulum starts consistently");
    state.acceleration.setZero();
  }
  const auto stepper = make_stepper(formulation.stepper, formulation.options);
  FixedStep control(h);
  Residuals result;
  Vector g;
  const auto note = [&](Level level) {
    result.x[level].push_back(g(0));
    result.y[level].push_back(g(1));
    result.worst[level].push_back(max_abs(g));
  };
  result.end = run(*system, state, *stepper, control, end_time, [&](const Moment& moment) {
    if (moment.is_first()) return true;
    result.time.push_back(moment.state.time);
    system->constraint(moment.state, g);
    note(kPosition);
    system->constraint_velocity(moment.state, g);
    note(kVelocity);
    system->constraint_acceleration(moment.state, g);
    note(kAcceleration);
    result.multiplier.push_back(moment.state.multiplier(0));
    return true;
  });
  return result;
}

}  // namespace picus::studies
