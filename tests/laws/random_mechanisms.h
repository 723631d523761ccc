// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random mechanisms with contacts, motions, friction and formulas that switch: the same ones on
// every machine, each known by its family and its seed.

#include <cstdint>
#include <span>
#include <string>

namespace picus::campaign {

/// Random numbers that no standard library changes (splitmix64).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  double between(double low, double high) { return low + (high - low) * unit(); }
  /// Evenly on a scale of logarithms, for sizes of which the order of magnitude counts.
  double of_order(double low, double high);
  int whole(int low, int high);  ///< both included
  bool chance(double probability) { return unit() < probability; }

 private:
  double unit();

  std::uint64_t state_;
};

/// A mechanism of the campaign as the text of a model. The bodies, sizes and forces are such that
/// positions are of the order of a metre.
struct RandomMechanism {
  std::string name;  ///< "belt-17": the family and the seed
  std::string text;  ///< YAML, without a part `run`
  double end_time = 1.0;
};

struct Family {
  const char* name;
  const char* what;
  /// Everything but the name.
  RandomMechanism (*make)(Dice& dice);
};

std::span<const Family> families();

RandomMechanism random_mechanism(const Family& family, int seed);

// Families by file: planar_families.cpp, spatial_families.cpp, and those with many bodies.
/// Perhaps a stop of the joint `pin<i>` within `reach` [rad] of its start, which the first one has
/// in any case, and perhaps dry friction.
std::string stop_and_bush(Dice& dice, int i, double reach);

RandomMechanism bouncing_ball(Dice& dice);
RandomMechanism rail_with_friction(Dice& dice);
RandomMechanism driven_point(Dice& dice);
RandomMechanism cart_and_box(Dice& dice);
RandomMechanism late_pulse(Dice& dice);
RandomMechanism belt(Dice& dice);
RandomMechanism two_blocks(Dice& dice);
RandomMechanism shaken_table(Dice& dice);
RandomMechanism chain_with_stops(Dice& dice);
RandomMechanism pressed_bearings(Dice& dice);
RandomMechanism falling_rod(Dice& dice);
RandomMechanism hoist(Dice& dice);
RandomMechanism cam_and_follower(Dice& dice);
RandomMechanism loose_guide(Dice& dice);
RandomMechanism loose_journal(Dice& dice);
RandomMechanism row_of_balls(Dice& dice);
RandomMechanism stack_of_balls(Dice& dice);
RandomMechanism jointed_discs(Dice& dice);
RandomMechanism spatial_ball(Dice& dice);
RandomMechanism spatial_chain(Dice& dice);
RandomMechanism pendulum_and_wall(Dice& dice);

}  // namespace picus::campaign
