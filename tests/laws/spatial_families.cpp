// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms in space: balls that slide and roll, chains with stops, strings and walls.
#include <cmath>

#include <fmt/format.h>

#include "tests/laws/random_mechanisms.h"

namespace picus::campaign {
namespace {

constexpr const char* kSpatial = "picus: 1\ngravity: [0, 0, -9.81]\n";

}  // namespace

RandomMechanism spatial_ball(Dice& dice) {
  const double r = dice.between(0.03, 0.1);
  const double slope_x = dice.chance(0.6) ? 0.0 : dice.between(-0.3, 0.3);
  const double slope_y = dice.chance(0.6) ? 0.0 : dice.between(-0.3, 0.3);
  const double touching = r * std::sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
  std::string text = kSpatial;
  text += fmt::format(
      "bodies:\n  ball: {{mass: {:.4g}, shape: {{type: sphere, radius: {:.4g}}}, at: [0, 0, "
      "{:.15g}], velocity: [{:.3g}, {:.3g}, {:.3g}], angular_velocity: [{:.3g}, {:.3g}, "
      "{:.3g}]}}\n",
      dice.of_order(0.2, 3.0), r, touching + (dice.chance(0.5) ? 0.0 : dice.between(0.02, 0.5)),
      dice.between(-1.0, 1.0), dice.between(-1.0, 1.0), 0.0, dice.between(-20.0, 20.0),
      dice.between(-20.0, 20.0), dice.between(-20.0, 20.0));
  text += fmt::format(
      "contacts:\n  floor: {{type: ball_on_plane, between: [ground, ball], normal: [{:.15g}, "
      "{:.15g}, "
      "1], restitution: {:.3g}, friction: {:.3g}}}\n",
      slope_x, slope_y, dice.chance(0.3) ? 0.0 : dice.between(0.1, 0.8), dice.between(0.05, 0.6));
  if (dice.chance(0.4))
    text += fmt::format(
        "forces:\n  drag: {{type: force, body: ball, force: "
        "[\"-{0:.3g}*abs(ball.vx)*ball.vx\", 0, \"-{0:.3g}*abs(ball.vz)*ball.vz\"]}}"
        "\n",
        dice.of_order(0.02, 0.3));
  return {{}, text, dice.between(0.6, 1.5)};
}

RandomMechanism spatial_chain(Dice& dice) {
  const int n = dice.whole(1, 3);
  const double length = 0.4;
  std::string bodies = "bodies:\n", joints = "joints:\n", contacts = "contacts:\n";
  double x = 0.0, z = 0.0;
  std::string before = "ground";
  for (int i = 1; i <= n; ++i) {
    const double phi = dice.between(-2.0, 0.3);  // in the plane y = 0, about -y
    bodies += fmt::format(
        "  link{}: {{mass: {:.4g}, shape: {{type: rod, length: {:.4g}, width: 0.05}}, at: "
        "[{:.10g}, 0, {:.10g}], rotations: [{{axis: [0, 1, 0], angle: {:.10g}}}]}}\n",
        i, dice.of_order(0.3, 2.0), length, x + 0.5 * length * std::cos(phi),
        z + 0.5 * length * std::sin(phi), -phi);
    joints += fmt::format(
        "  pin{}: {{type: revolute, between: [{}, link{}], at: [{:.10g}, 0, {:.10g}], axis: "
        "[{:.3g}, 1, {:.3g}]}}\n",
        i, before, i, x, z, dice.between(-0.6, 0.6), dice.between(-0.6, 0.6));
    x += length * std::cos(phi);
    z += length * std::sin(phi);
    before = fmt::format("link{}", i);
    contacts += stop_and_bush(dice, i, 1.2);
  }
  return {{}, kSpatial + bodies + joints + contacts, dice.between(0.5, 1.0)};
}

RandomMechanism pendulum_and_wall(Dice& dice) {
  const double r = 0.05, phi = dice.between(0.3, 1.5);
  std::string text = kSpatial;
  text += fmt::format(
      "bodies:\n  ball: {{mass: {:.4g}, shape: {{type: sphere, radius: {}}}, at: [{:.10g}, 0, "
      "{:.10g}], velocity: [0, {:.3g}, 0], angular_velocity: [0, 0, {:.3g}]}}\nmarkers:\n  hook: "
      "{{at: [0, 0, 0]}}\n  wall: {{at: [{:.4g}, 0, 0]}}\n  floor: {{at: [0, 0, {:.4g}]}}\n",
      dice.of_order(0.3, 2.0), r, 0.6 * std::sin(phi), -0.6 * std::cos(phi),
      dice.between(-1.0, 1.0), dice.between(-10.0, 10.0), dice.between(-0.4, 0.1),
      -dice.between(0.4, 0.63));
  text += dice.chance(0.5) ? "joints:\n  string: {type: distance, between: [hook, ball]}\n"
                           : "joints:\n  string: {type: spherical, between: [ground, ball], at: "
                             "[0, 0, 0]}\n";
  text += fmt::format(
      "contacts:\n  side: {{type: ball_on_plane, between: [wall, ball], normal: [1, 0, 0], "
      "restitution: {:.3g}, friction: {:.3g}}}\n",
      dice.between(0.0, 0.9), dice.chance(0.4) ? 0.0 : dice.between(0.05, 0.5));
  if (dice.chance(0.4))
    text += fmt::format(
        "forces:\n  draught: {{type: force, body: ball, force: [\"if(ball.z < -0.4, {:.3g}, 0)\", "
        "0, 0]}}\n",
        dice.between(-3.0, 3.0));
  return {{}, text, dice.between(0.5, 1.5)};
}

}  // namespace picus::campaign
