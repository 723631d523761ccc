// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms in the plane with one or two bodies: contact, friction, motions, forms of forcing.
#include <cmath>

#include <fmt/format.h>

#include "tests/laws/random_mechanisms.h"

namespace picus::campaign {
namespace {

constexpr const char* kHead = "picus: 1\ndimension: 2\ngravity: [0, -9.81]\n";

// A force over time, of the size given: smooth, square, in pulses, or cut off.
std::string forcing(Dice& dice, double size) {
  const double w = dice.of_order(1.0, 12.0);
  switch (dice.whole(0, 5)) {
    case 0:
      return fmt::format("{:.4g}*sin({:.4g}*time)", size, w);
    case 1:
      return fmt::format("{:.4g}*square(time + {:.3g}, {:.4g})", size, dice.between(0.0, 1.0),
                         6.2832 / w);
    case 2:
      return fmt::format("{:.4g}*sin({:.4g}*time)*cos({:.4g}*time)", 1.5 * size, w,
                         dice.of_order(0.3, 3.0) * w);
    case 3:
      return fmt::format("max(0, {:.4g}*sin({:.4g}*time))", size, w);
    case 4:
      return fmt::format("{:.4g}*if(mod(time, {:.4g}) < {:.4g}, 1, -0.4)", size, 6.2832 / w,
                         2.5 / w);
    default:
      return fmt::format("clamp({:.4g}*sin({:.4g}*time), {:.4g}, {:.4g})", 1.5 * size, w, -size,
                         0.8 * size);
  }
}

std::string smooth_motion(Dice& dice, double from, double distance) {
  const double begin = dice.between(0.1, 0.6);
  switch (dice.whole(0, 2)) {
    case 0:
      return fmt::format("step5(time, {:.4g}, {:.6g}, {:.4g}, {:.6g})", begin, from,
                         begin + dice.between(0.15, 0.8), from + distance);
    case 1:
      return fmt::format("{:.6g} + {:.4g}*(1 - cos({:.4g}*time))", from, 0.5 * distance,
                         dice.of_order(2.0, 10.0));
    default:
      return fmt::format(
          "step5(time, {0:.4g}, {1:.6g}, {2:.4g}, {3:.6g}) - step5(time, {4:.4g}, "
          "0, {5:.4g}, {6:.6g})",
          begin, from, begin + 0.4, from + distance, begin + 0.7, begin + 1.1, 0.6 * distance);
  }
}

}  // namespace

RandomMechanism bouncing_ball(Dice& dice) {
  const double r = dice.between(0.02, 0.1), height = dice.of_order(0.05, 1.5);
  const double slope = dice.chance(0.3) ? dice.between(-0.5, 0.5) : 0.0;
  std::string text = kHead;
  text += fmt::format(
      "bodies:\n  ball: {{mass: {:.4g}, shape: {{type: sphere, radius: {:.4g}}}, at: [0, {:.15g}], "
      "velocity: [{:.4g}, {:.4g}], spin: {:.4g}}}\n",
      dice.of_order(0.1, 5.0), r, r * std::sqrt(1.0 + slope * slope) + height,
      dice.between(-1.0, 1.0), dice.between(-1.0, 1.0), dice.between(-20.0, 20.0));
  text += fmt::format(
      "contacts:\n  floor: {{type: ball_on_plane, between: [ground, ball], normal: [{:.15g}, 1], "
      "restitution: {:.3g}, friction: {:.3g}}}\n",
      slope, dice.between(0.0, 0.9), dice.chance(0.8) ? dice.between(0.05, 0.8) : 0.0);
  if (dice.chance(0.6)) {
    const double c = dice.of_order(0.02, 0.3);
    text += dice.chance(0.5)
                ? fmt::format(
                      "forces:\n  drag: {{type: force, body: ball, force: "
                      "[\"-{0:.3g}*abs(ball.vx)*ball.vx\", "
                      "\"-{0:.3g}*abs(ball.vy)*ball.vy\"]}}\n",
                      c)
                : fmt::format(
                      "forces:\n  draught: {{type: force, body: ball, force: [\"if(ball.y > "
                      "{:.4g}, {:.3g}, 0)\", 0]}}\n",
                      r + 0.5 * height, dice.between(-2.0, 2.0));
  }
  return {{}, text, dice.between(1.0, 3.0)};
}

RandomMechanism rail_with_friction(Dice& dice) {
  const double limit = dice.of_order(0.5, 10.0), mass = dice.of_order(0.3, 5.0);
  std::string text = kHead;
  text += fmt::format(
      "bodies:\n  block: {{mass: {:.4g}, inertia: [0.1], velocity: [{:.3g}, 0]}}\n"
      "joints:\n  rail: {{type: prismatic, between: [ground, block]}}\n",
      mass, dice.chance(0.5) ? 0.0 : dice.between(-1.0, 1.0));
  text += fmt::format(
      "contacts:\n  shoe: {{type: friction, joint: rail, limit: {}}}\n",
      dice.chance(0.6) ? fmt::format("{:.4g}", limit)
      : dice.chance(0.5)
          ? fmt::format("\"{:.4g}*(1 + 0.5*sin({:.3g}*time))\"", limit, dice.of_order(1.0, 8.0))
          : fmt::format("\"{:.4g}/(1 + {:.3g}*abs(rail.position.rate))\"", limit,
                        dice.between(0.2, 2.0)));
  if (dice.chance(0.4))
    text += fmt::format(
        "  ends: {{type: stop, joint: rail, lower: {:.3g}, upper: {:.3g}, "
        "restitution: {:.3g}}}\n",
        -dice.between(0.05, 0.5), dice.between(0.05, 0.5), dice.between(0.0, 0.9));
  text += fmt::format("forces:\n  push: {{type: force, body: block, force: [\"{}\", 0]}}\n",
                      forcing(dice, limit * dice.between(0.7, 3.0)));
  if (dice.chance(0.4))
    text += fmt::format(
        "  spring: {{type: spring_damper, between: [anchor, block], stiffness: "
        "{:.4g}, length: 2}}\nmarkers:\n  anchor: {{at: [-2, 0]}}\n",
        dice.of_order(5.0, 200.0));
  return {{}, text, dice.between(2.0, 10.0)};
}

RandomMechanism driven_point(Dice& dice) {
  std::string text = kHead;
  text += fmt::format("bodies:\n  box: {{type: point, mass: {:.4g}}}\n", dice.of_order(0.3, 5.0));
  text += fmt::format(
      "contacts:\n  floor: {{type: ball_on_plane, between: [ground, box], friction: {:.3g}, "
      "restitution: {:.3g}}}\n",
      dice.between(0.1, 0.8), dice.between(0.0, 0.8));
  text += fmt::format("motions:\n  drive: {{point: box, along: [1, 0], value: \"{}\"}}\n",
                      smooth_motion(dice, 0.0, dice.between(0.05, 0.6)));
  if (dice.chance(0.5))
    text += fmt::format("forces:\n  lift: {{type: force, body: box, force: [0, \"{}\"]}}\n",
                        forcing(dice, dice.of_order(1.0, 60.0)));
  return {{}, text, 1.8};
}

RandomMechanism cart_and_box(Dice& dice) {
  const bool is_point = dice.chance(0.4);
  const double distance = dice.between(0.4, 0.8), mu = dice.between(0.05, 0.6);
  std::string text = kHead;
  text += "bodies:\n  cart: {mass: 2, inertia: [0.1], at: [0, 0.1]}\n";
  text += is_point ? fmt::format("  box: {{type: point, mass: {:.4g}, at: [{:.4g}, {}]}}\n",
                                 dice.of_order(0.3, 5.0), -distance, dice.chance(0.5) ? 0.0 : 0.1)
                   : fmt::format(
                         "  box: {{mass: {:.4g}, shape: {{type: box, size: [0.3, 0.2, "
                         "0.2]}}, at: [{:.4g}, 0.1], markers: {{left: {{at: [-0.15, "
                         "-0.1]}}, right: {{at: [0.15, -0.1]}}, eye: {{at: [0.15, "
                         "{:.3g}]}}}}}}\n",
                         dice.of_order(0.3, 5.0), -distance, dice.between(-0.05, 0.05));
  text += "joints:\n  rail: {type: prismatic, between: [ground, cart]}\n";
  if (is_point)
    text += dice.chance(0.5) ? "  rope: {type: distance, between: [cart, box]}\n"
                             : "  rope: {type: inline, between: [ground, box], at: [0, 0], axis: "
                               "[1, 0]}\n  bar: {type: distance, between: [cart, box]}\n";
  else
    text += dice.chance(0.5) ? "  rope: {type: distance, between: [cart, box.eye]}\n"
                             : "  slide: {type: prismatic, between: [cart, box], axis: [0, 1]}\n";
  text += fmt::format("motions:\n  drive: {{joint: rail, value: \"{}\"}}\n",
                      smooth_motion(dice, 0.0, dice.between(0.05, 0.4)));
  text += "contacts:\n";
  if (is_point)
    text += fmt::format(
        "  floor: {{type: ball_on_plane, between: [ground, box], friction: "
        "{:.3g}}}\n",
        mu);
  else
    text += fmt::format(
        "  left: {{type: ball_on_plane, between: [ground, box.left], friction: {0:.3g}}}\n"
        "  right: {{type: ball_on_plane, between: [ground, box.right], friction: {0:.3g}}}\n",
        mu);
  return {{}, text, 1.5};
}

RandomMechanism late_pulse(Dice& dice) {
  const double mass = dice.of_order(0.3, 5.0), mu = dice.between(0.1, 0.7);
  const double begin = dice.between(1.0, 8.0), length = dice.of_order(0.005, 0.3);
  const bool upwards = dice.chance(0.5);
  const double size = 9.81 * mass * dice.between(upwards ? 1.3 : 1.2 * mu, 6.0);
  std::string text = kHead;
  text += fmt::format("bodies:\n  block: {{type: point, mass: {:.4g}}}\n", mass);
  text += fmt::format(
      "contacts:\n  floor: {{type: ball_on_plane, between: [ground, block], friction: {:.3g}, "
      "restitution: {:.3g}}}\n",
      mu, dice.between(0.0, 0.7));
  std::string pulse;
  switch (dice.whole(0, 3)) {
    case 0:
      pulse = fmt::format("{:.4g}*pulse(time, {:.5g}, {:.5g})", size, begin, begin + length);
      break;
    case 1:
      pulse = fmt::format("if(time > {:.5g} and time < {:.5g}, {:.4g}, 0)", begin, begin + length,
                          size);
      break;
    case 2:
      pulse = fmt::format(
          "{:.4g}*(step(time, {:.5g}, 0, {:.5g}, 1) - step(time, {:.5g}, 0, {:.5g}, "
          "1))",
          size, begin, begin + 0.5 * length, begin + 0.5 * length, begin + length);
      break;
    default:
      pulse = fmt::format("{:.4g}*exp(-((time - {:.5g})/{:.4g})^2)", size, begin + length, length);
  }
  text += fmt::format("forces:\n  blow: {{type: force, body: block, force: [\"{}\", \"{}\"]}}\n",
                      upwards && dice.chance(0.5) ? "0.3*(" + pulse + ")"
                      : upwards                   ? "0"
                                                  : pulse,
                      upwards ? pulse : "0");
  return {{}, text, begin + length + dice.between(0.3, 1.0)};
}

RandomMechanism belt(Dice& dice) {
  const double mass = dice.of_order(0.3, 3.0), speed = dice.between(0.05, 1.0);
  const double limit = dice.between(1.0, 8.0);
  std::string text = kHead;
  text += fmt::format(
      "bodies:\n  block: {{mass: {:.4g}, inertia: [0.1], velocity: [{:.3g}, 0]}}\n"
      "markers:\n  wall: {{at: [-3, 0]}}\n"
      "joints:\n  rail: {{type: prismatic, between: [ground, block]}}\n"
      "forces:\n  spring: {{type: spring_damper, between: [wall, block], stiffness: {:.4g}, "
      "length: 3, damping: {:.3g}}}\n",
      mass, dice.chance(0.5) ? 0.0 : speed, dice.of_order(5.0, 100.0),
      dice.chance(0.5) ? 0.0 : dice.between(0.05, 1.0));
  std::string law = fmt::format("{:.4g}", limit);
  const int kind = dice.whole(0, 3);
  if (kind == 1)
    law = fmt::format("\"{:.4g} + {:.4g}/(1 + {:.3g}*abs(block.vx - {:.4g}))\"", 0.5 * limit,
                      0.5 * limit, dice.of_order(1.0, 20.0), speed);
  if (kind == 2)
    law = fmt::format("\"{:.4g}*(0.6 + 0.4*exp(-((block.vx - {:.4g})/{:.3g})^2))\"", limit, speed,
                      dice.of_order(0.05, 1.0));
  if (kind == 3)
    law = fmt::format("\"max({:.4g}, {:.4g} - {:.4g}*abs(block.vx - {:.4g}))\"", 0.5 * limit, limit,
                      limit * dice.between(0.5, 3.0), speed);
  text += fmt::format(
      "contacts:\n  belt: {{type: friction, slip: [\"block.vx - {:.4g}\"], limit: {}}}\n", speed,
      law);
  return {{}, text, dice.between(2.0, 6.0)};
}

RandomMechanism two_blocks(Dice& dice) {
  const double limit = dice.between(1.0, 6.0);
  std::string text = kHead;
  text += fmt::format(
      "bodies:\n  lower: {{mass: {:.4g}, inertia: [0.1]}}\n"
      "  upper: {{mass: {:.4g}, inertia: [0.1], at: [0, 0.2], velocity: [{:.3g}, 0]}}\n"
      "joints:\n  floor: {{type: prismatic, between: [ground, lower]}}\n"
      "  top: {{type: prismatic, between: [{}, upper]}}\n",
      dice.of_order(0.5, 4.0), dice.of_order(0.5, 4.0),
      dice.chance(0.5) ? 0.0 : dice.between(-1.0, 1.0), dice.chance(0.5) ? "lower" : "ground");
  text += fmt::format(
      "contacts:\n  rub: {{type: friction, joint: floor, limit: {:.4g}}}\n"
      "  grip: {{type: friction, slip: [\"upper.vx - lower.vx\"], limit: {:.4g}}}\n",
      limit * dice.between(0.3, 1.2), limit);
  text += fmt::format("forces:\n  push: {{type: force, body: {}, force: [\"{}\", 0]}}\n",
                      dice.chance(0.5) ? "lower" : "upper",
                      forcing(dice, limit * dice.between(0.8, 4.0)));
  if (dice.chance(0.4))
    text += fmt::format(
        "  hit: {{type: force, body: upper, force: [\"-{:.4g}*max(0, upper.x - "
        "{:.3g})\", 0]}}\n",
        dice.of_order(50.0, 2000.0), dice.between(0.02, 0.3));
  return {{}, text, dice.between(2.0, 6.0)};
}

RandomMechanism shaken_table(Dice& dice) {
  const double w = dice.of_order(3.0, 30.0), acceleration = 9.81 * dice.between(0.5, 3.0);
  std::string text = kHead;
  text += fmt::format(
      "bodies:\n  ball: {{mass: {:.4g}, shape: {{type: sphere, radius: 0.05}}, at: [0, {:.5g}], "
      "velocity: [{:.3g}, 0]}}\n",
      dice.of_order(0.2, 3.0), dice.chance(0.6) ? 0.05 : 0.05 + dice.between(0.05, 0.3),
      dice.chance(0.5) ? 0.0 : dice.between(-0.5, 0.5));
  const bool starts_at_rest = dice.chance(0.5);
  text += fmt::format(
      "contacts:\n  table: {{type: ball_on_plane, between: [ground, ball], height: "
      "\"{:.4g}*{}\", restitution: {:.3g}, friction: {:.3g}}}\n",
      starts_at_rest ? -acceleration / (w * w) : acceleration / (w * w),
      starts_at_rest ? fmt::format("(1 - cos({:.4g}*time))", w)
                     : fmt::format("sin({:.4g}*time)", w),
      dice.between(0.0, 0.6), dice.chance(0.5) ? 0.0 : dice.between(0.1, 0.6));
  return {{}, text, dice.between(0.5, 1.5) * 6.2832 * 2.0 / w};
}

}  // namespace picus::campaign
