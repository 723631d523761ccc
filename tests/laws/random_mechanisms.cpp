// SPDX-License-Identifier: BSD-3-Clause
#include "tests/laws/random_mechanisms.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace picus::campaign {

double Dice::unit() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

double Dice::of_order(double low, double high) {
  return low * std::pow(high / low, unit());
}

int Dice::whole(int low, int high) {
  return low + static_cast<int>(unit() * (high - low + 1));
}

std::string stop_and_bush(Dice& dice, int i, double reach) {
  std::string contacts;
  if (i == 1 || dice.chance(0.5))
    contacts += fmt::format(
        "  stop{0}: {{type: stop, joint: pin{0}, lower: {1:.4g}, upper: "
        "{2:.4g}, restitution: {3:.3g}}}\n",
        i, -dice.between(0.1, reach), dice.between(0.1, reach), dice.between(0.0, 0.9));
  if (dice.chance(0.5))
    contacts += fmt::format("  bush{0}: {{type: friction, joint: pin{0}, limit: {1:.4g}}}\n", i,
                            dice.of_order(0.02, 1.0));
  return contacts;
}

std::span<const Family> families() {
  static constexpr std::array kFamilies{
      Family{"bounce", "a ball with spin over a rough floor, perhaps with drag", bouncing_ball},
      Family{"rail", "a block with dry friction under a force that changes", rail_with_friction},
      Family{"dragged", "a point that a motion drags over a rough floor", driven_point},
      Family{"cart", "a box that a driven cart pulls over a rough floor", cart_and_box},
      Family{"late", "rest for seconds, then a pulse against contact and friction", late_pulse},
      Family{"belt", "a mass on a spring and a moving belt", belt},
      Family{"blocks", "two blocks with friction against each other and the ground", two_blocks},
      Family{"table", "a ball on a table that shakes", shaken_table},
      Family{"chain", "a planar chain with stops and friction in its joints", chain_with_stops},
      Family{"bearings", "a chain, perhaps on a carriage, whose reactions press its joints",
             pressed_bearings},
      Family{"rod", "a rod that falls with both ends on a rough floor", falling_rod},
      Family{"hoist", "a load that friction pads lift", hoist},
      Family{"cam", "a driven cam and a follower that may lift off", cam_and_follower},
      Family{"guide", "a slider with play in its guide", loose_guide},
      Family{"journal", "a pendulum with play in its pin", loose_journal},
      Family{"row", "balls in a row, some of which touch", row_of_balls},
      Family{"stack", "balls on top of each other, and one that falls on them", stack_of_balls},
      Family{"discs", "discs that collide in any pair, some of them in joints", jointed_discs},
      Family{"ball3d", "a ball with spin over a rough floor in space", spatial_ball},
      Family{"chain3d", "a chain in space with stops and friction", spatial_chain},
      Family{"wall3d", "a ball on a string or rod against walls", pendulum_and_wall},
  };
  return kFamilies;
}

RandomMechanism random_mechanism(const Family& family, int seed) {
  std::uint64_t start = static_cast<std::uint64_t>(seed);
  for (const char* c = family.name; *c != 0; ++c)
    start = start * 1099511628211u + static_cast<unsigned char>(*c);
  Dice dice(start);
  RandomMechanism mechanism = family.make(dice);
  mechanism.name = fmt::format("{}-{}", family.name, seed);
  return mechanism;
}

}  // namespace picus::campaign
