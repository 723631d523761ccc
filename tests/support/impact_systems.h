// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The systems of studies/problems/impacts.h and woodpecker.h and some of friction.h, compiled once
// and with optimisation: tests step them thousands of times.

#include "studies/problems/friction.h"
#include "studies/problems/impacts.h"
#include "studies/problems/woodpecker.h"

namespace picus {

extern template std::unique_ptr<EquationSystem> make_system(problems::BouncingBall, std::string);
extern template std::unique_ptr<EquationSystem> make_system(problems::ImpactOscillator,
                                                            std::string);
extern template std::unique_ptr<EquationSystem> make_system(problems::BouncingPendulum,
                                                            std::string);
extern template std::unique_ptr<EquationSystem> make_system(problems::SlidingBlock, std::string);
extern template std::unique_ptr<EquationSystem> make_system(problems::SpinningDisk, std::string);
extern template std::unique_ptr<EquationSystem> make_system(problems::Woodpecker, std::string);
extern template std::unique_ptr<EquationSystem> make_system(problems::Ladder, std::string);
extern template std::unique_ptr<EquationSystem> make_system(problems::RockingBlock, std::string);
extern template std::unique_ptr<EquationSystem> make_system(problems::PainleveRod, std::string);

namespace testing {

/// A SpinningDisk "disk" and a BouncingPendulum "rod" in one system, in this order.
std::unique_ptr<System> disk_and_rod();
/// Two balls that do not see each other, with restitutions of their own.
std::unique_ptr<System> two_balls(double first_restitution, double second_restitution);

}  // namespace testing
}  // namespace picus
