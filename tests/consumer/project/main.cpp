// SPDX-License-Identifier: BSD-3-Clause
// A program outside the repository: a pendulum swings for a second and ends where it should.
// Its energy goes through a result file.
#include <array>
#include <cmath>

#include <picus/picus.h>

struct Pendulum {
  static constexpr int kCoordinates = 2, kConstraints = 1;
  auto mass(const auto&) const { return picus::diagonal(1.0, 1.0); }
  auto force(const auto& s) const { return s.vector(0.0, -9.81); }
  auto constraint(const auto& s) const {
    return s.vector(0.5 * (s.q(0) * s.q(0) + s.q(1) * s.q(1) - 1.0));
  }
};

int main() {
  const auto system = picus::make_system(Pendulum{});
  picus::State state;
  state.position = Eigen::Vector2d(1.0, 0.0);
  const auto stepper = picus::make_ggl();
  picus::FixedStep control(1e-3);
  const auto summary = picus::simulate(*system, state, *stepper, control, {.end_time = 1.0});
  const double energy = 0.5 * state.velocity.squaredNorm() + 9.81 * state.position(1);
  picus::ResultHeader header;
  header.quantities = {{"energy", "total", {}, {}, "J", "Kinetic and potential energy."}};
  picus::ResultWriter writer("consumer.h5", header);
  writer.append(state.time, std::array{energy});
  writer.finish("{}");
  const double recorded = picus::ResultFile("consumer.h5").column("energy.total").at(0);
  return summary.ok() && std::abs(recorded) < 1e-4 && recorded == energy ? 0 : 1;
}
