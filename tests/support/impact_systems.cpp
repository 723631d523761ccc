// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/impact_systems.h"

namespace picus {

template std::unique_ptr<EquationSystem> make_system(problems::BouncingBall, std::string);
template std::unique_ptr<EquationSystem> make_system(problems::ImpactOscillator, std::string);
template std::unique_ptr<EquationSystem> make_system(problems::BouncingPendulum, std::string);
template std::unique_ptr<EquationSystem> make_system(problems::SlidingBlock, std::string);
template std::unique_ptr<EquationSystem> make_system(problems::SpinningDisk, std::string);
template std::unique_ptr<EquationSystem> make_system(problems::Woodpecker, std::string);
template std::unique_ptr<EquationSystem> make_system(problems::Ladder, std::string);
template std::unique_ptr<EquationSystem> make_system(problems::RockingBlock, std::string);
template std::unique_ptr<EquationSystem> make_system(problems::PainleveRod, std::string);

namespace testing {

std::unique_ptr<System> disk_and_rod() {
  SystemBuilder builder;
  builder.add(problems::SpinningDisk{}, "disk", {0, 1, 2});
  builder.add(problems::BouncingPendulum{}, "rod", {3, 4, 5});
  return builder.build();
}

std::unique_ptr<System> two_balls(double first_restitution, double second_restitution) {
  SystemBuilder builder;
  builder.add(problems::BouncingBall{.e = first_restitution}, "first", {0});
  builder.add(problems::BouncingBall{.e = second_restitution}, "second", {1});
  return builder.build();
}

}  // namespace testing
}  // namespace picus
