// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms in the plane with joints, play, corners and touching balls.
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tests/laws/random_mechanisms.h"

namespace picus::campaign {
namespace {

constexpr const char* kPlanar = "picus: 1\ndimension: 2\ngravity: [0, -9.81]\n";

std::string contact_with_last_ball(int ball, double radius, double restitution) {
  return fmt::format(
      "  clack{0}: {{type: ball_on_ball, between: [ball{1}, ball{0}], "
      "radius: {2}, other_radius: {2}, restitution: {3:.3g}}}\n",
      ball, ball - 1, radius, restitution);
}

}  // namespace

RandomMechanism chain_with_stops(Dice& dice) {
  const int n = dice.whole(1, 3);
  const double length = 0.4;
  std::string bodies = "bodies:\n", joints = "joints:\n", contacts = "contacts:\n";
  double x = 0.0, y = 0.0;
  std::string before = "ground";
  for (int i = 1; i <= n; ++i) {
    const double phi = dice.between(-2.6, 0.2);
    bodies += fmt::format(
        "  link{}: {{mass: {:.4g}, shape: {{type: rod, length: {:.4g}}}, at: [{:.10g}, {:.10g}], "
        "angle: {:.10g}}}\n",
        i, dice.of_order(0.2, 2.0), length, x + 0.5 * length * std::cos(phi),
        y + 0.5 * length * std::sin(phi), phi);
    joints += fmt::format(
        "  pin{}: {{type: revolute, between: [{}, link{}], at: [{:.10g}, "
        "{:.10g}]}}\n",
        i, before, i, x, y);
    x += length * std::cos(phi);
    y += length * std::sin(phi);
    before = fmt::format("link{}", i);
    contacts += stop_and_bush(dice, i, 1.5);
  }
  std::string text = kPlanar + bodies + joints + contacts;
  if (dice.chance(0.4))
    text += fmt::format(
        "forces:\n  bumper: {{type: torque, between: [ground, link1], torque: "
        "\"-{:.4g}*max(0, pin1.angle - {:.3g})\"}}\n",
        dice.of_order(20.0, 500.0), dice.between(-0.4, 0.4));
  return {{}, text, dice.between(0.6, 1.5)};
}

RandomMechanism pressed_bearings(Dice& dice) {
  const int n = dice.whole(1, 2);
  const double length = 0.4;
  std::string bodies = "bodies:\n", joints = "joints:\n", before = "ground";
  if (dice.chance(0.4)) {
    before = "carriage";
    bodies += fmt::format("  carriage: {{mass: {:.4g}, inertia: 0.02, velocity: [{:.4g}, 0]}}\n",
                          dice.of_order(0.5, 3.0), dice.between(-2.0, 2.0));
    joints += fmt::format(
        "  rail: {{type: prismatic, between: [ground, carriage], friction: {{coefficient: "
        "{:.4g}{}}}}}\n",
        dice.between(0.02, 0.3),
        dice.chance(0.5) ? fmt::format(", length: {:.4g}", dice.between(0.1, 0.5)) : "");
  }
  double x = 0.0, y = 0.0;
  for (int i = 1; i <= n; ++i) {
    const double phi = dice.between(-2.6, 0.2);
    bodies += fmt::format(
        "  link{}: {{mass: {:.4g}, shape: {{type: rod, length: {:.4g}}}, at: [{:.10g}, {:.10g}], "
        "angle: {:.10g}}}\n",
        i, dice.of_order(0.2, 2.0), length, x + 0.5 * length * std::cos(phi),
        y + 0.5 * length * std::sin(phi), phi);
    joints += fmt::format(
        "  pin{}: {{type: revolute, between: [{}, link{}], at: [{:.10g}, {:.10g}], friction: "
        "{{coefficient: {:.4g}, radius: {:.4g}, preload: {:.4g}}}{}}}\n",
        i, before, i, x, y, dice.between(0.05, 0.5), dice.of_order(0.003, 0.05),
        dice.chance(0.5) ? 0.0 : dice.of_order(1e-3, 0.1),
        i == 1 && dice.chance(0.6)
            ? fmt::format(", limits: {{lower: -{:.4g}, restitution: {:.3g}}}",
                          dice.between(0.2, 1.5), dice.between(0.0, 0.9))
            : "");
    x += length * std::cos(phi);
    y += length * std::sin(phi);
    before = fmt::format("link{}", i);
  }
  return {{}, kPlanar + bodies + joints, dice.between(0.6, 1.5)};
}

RandomMechanism falling_rod(Dice& dice) {
  const double length = dice.between(0.4, 1.0), phi = dice.between(-0.5, 0.5);
  std::string text = kPlanar;
  text += fmt::format(
      "bodies:\n  rod: {{mass: {0:.4g}, shape: {{type: rod, length: {1:.4g}}}, at: [0, {2:.6g}], "
      "angle: {3:.5g}, velocity: [{4:.3g}, 0], spin: {5:.3g}, markers: {{left: {{at: [{6:.6g}, "
      "0]}}, right: {{at: [{7:.6g}, 0]}}}}}}\n",
      dice.of_order(0.3, 3.0), length,
      0.5 * length * std::abs(std::sin(phi)) + (dice.chance(0.3) ? 0.0 : dice.between(0.02, 0.3)),
      phi, dice.between(-1.0, 1.0), dice.between(-2.0, 2.0), -0.5 * length, 0.5 * length);
  const double e = dice.chance(0.4) ? 0.0 : dice.between(0.1, 0.7);
  const double mu = dice.chance(0.2) ? 0.0 : dice.between(0.05, 0.6);
  for (const char* end : {"left", "right"})
    text += fmt::format(
        "{0}  {1}: {{type: ball_on_plane, between: [ground, rod.{1}], "
        "restitution: {2:.3g}, friction: {3:.3g}}}\n",
        end[0] == 'l' ? "contacts:\n" : "", end, e, mu);
  return {{}, text, dice.between(0.4, 1.0)};
}

RandomMechanism hoist(Dice& dice) {
  const double mass = dice.of_order(0.5, 3.0), mu = dice.between(0.2, 0.8);
  // two pads press with enough, or not enough, force to carry the load
  const double press = 9.81 * mass / (2.0 * mu) * dice.between(0.6, 3.0);
  std::string text = kPlanar;
  text += fmt::format(
      "bodies:\n  load: {{mass: {:.4g}, inertia: [0.1], at: [0, 0], markers: {{left: {{at: [-0.1, "
      "0]}}, right: {{at: [0.1, 0]}}, foot: {{at: [0, -0.2]}}}}}}\n"
      "  pad1: {{type: point, mass: 0.5, at: [-0.1, 0]}}\n"
      "  pad2: {{type: point, mass: 0.5, at: [0.1, 0]}}\n"
      "markers:\n  floor: {{at: [0, -0.2]}}\n",
      mass);
  text += "joints:\n  upright: {type: prismatic, between: [ground, load], axis: [0, 1]}\n";
  const std::string lift =
      fmt::format("step5(time, {:.3g}, 0, {:.3g}, {:.3g})", dice.between(0.1, 0.4),
                  dice.between(0.7, 1.2), dice.between(0.1, 0.5));
  text += fmt::format(
      "motions:\n  hoist1: {{point: pad1, along: [0, 1], value: \"{0}\"}}\n"
      "  hoist2: {{point: pad2, along: [0, 1], value: \"{0}\"}}\n",
      lift);
  text += fmt::format(
      "forces:\n  press1: {{type: force, body: pad1, force: [{0:.5g}, 0]}}\n"
      "  press2: {{type: force, body: pad2, force: [-{0:.5g}, 0]}}\n",
      press);
  text += fmt::format(
      "contacts:\n  grip1: {{type: ball_on_plane, between: [load.left, pad1], normal: [-1, 0], "
      "friction: {0:.3g}}}\n"
      "  grip2: {{type: ball_on_plane, between: [load.right, pad2], normal: [1, 0], friction: "
      "{0:.3g}}}\n"
      "  stand: {{type: ball_on_plane, between: [floor, load.foot], restitution: {1:.2g}}}\n",
      mu, dice.chance(0.5) ? 0.0 : 0.3);
  return {{}, text, 1.4};
}

RandomMechanism cam_and_follower(Dice& dice) {
  const double e = dice.between(0.02, 0.06), r = 0.1, w = dice.of_order(3.0, 20.0);
  std::string text = kPlanar;
  text += fmt::format(
      "bodies:\n  disc: {{mass: 1, inertia: [0.01], markers: {{centre: {{at: [{0:.5g}, 0]}}}}}}\n"
      "  follower: {{mass: {1:.4g}, inertia: [0.01], at: [0, {2:.10g}]}}\n"
      "joints:\n  axle: {{type: revolute, between: [ground, disc], at: [0, 0]}}\n"
      "  guide: {{type: prismatic, between: [ground, follower], axis: [0, 1]}}\n",
      e, dice.of_order(0.3, 2.0), r + (dice.chance(0.5) ? 0.0 : dice.between(0.01, 0.1)));
  text += dice.chance(0.5)
              ? fmt::format("motions:\n  motor: {{joint: axle, value: {:.4g}*time}}\n", w)
              : fmt::format(
                    "motions:\n  motor: {{joint: axle, value: \"step5(time, 0.2, 0, {:.3g}, "
                    "{:.4g})\"}}\n",
                    0.2 + dice.between(0.3, 1.0), w);
  text += fmt::format(
      "contacts:\n  face: {{type: ball_on_plane, between: [follower, disc.centre], normal: [0, "
      "-1], radius: {:.3g}, restitution: {:.3g}, friction: {:.3g}}}\n",
      r, dice.between(0.0, 0.6), dice.chance(0.5) ? 0.0 : dice.between(0.05, 0.4));
  if (dice.chance(0.5))
    text += fmt::format(
        "forces:\n  spring: {{type: force, body: follower, force: [0, "
        "\"-{:.4g}*(follower.y - 0.05)\"]}}\n",
        dice.of_order(10.0, 300.0));
  return {{}, text, 1.0};
}

RandomMechanism loose_guide(Dice& dice) {
  std::string text = kPlanar;
  text += fmt::format(
      "bodies:\n  slider: {{mass: {:.4g}, inertia: [0.01], at: [0, 0], velocity: "
      "[{:.3g}, 0]}}\n",
      dice.of_order(0.3, 2.0), dice.between(-0.5, 0.5));
  text += fmt::format(
      "contacts:\n  slot: {{type: guide, between: [ground, slider], axis: [1, 0], at: [0, 0], "
      "length: 0.2, height: 0.1, clearance: {:.3g}, restitution: {:.3g}, friction: {:.3g}}}\n",
      dice.of_order(1e-3, 1e-2), dice.between(0.0, 0.6),
      dice.chance(0.5) ? 0.0 : dice.between(0.05, 0.4));
  text += fmt::format(
      "forces:\n  push: {{type: force, body: slider, force: [\"{:.4g}*sin({:.4g}*time)\", "
      "\"{:.4g}*cos({:.4g}*time)\"]}}\n",
      dice.of_order(1.0, 10.0), dice.of_order(2.0, 20.0), dice.of_order(1.0, 30.0),
      dice.of_order(2.0, 20.0));
  return {{}, text, dice.between(0.3, 0.8)};
}

RandomMechanism loose_journal(Dice& dice) {
  const double phi = dice.between(-2.5, 0.0), length = 0.5;
  std::string text = kPlanar;
  text += fmt::format(
      "bodies:\n  rod: {{mass: {:.4g}, shape: {{type: rod, length: {:.4g}}}, at: [{:.10g}, "
      "{:.10g}], angle: {:.6g}}}\n",
      dice.of_order(0.3, 2.0), length, 0.5 * length * std::cos(phi), 0.5 * length * std::sin(phi),
      phi);
  text += fmt::format(
      "contacts:\n  play: {{type: journal, between: [ground, rod], at: [0, 0], radius: 0.01, "
      "clearance: {:.3g}, restitution: {:.3g}, friction: {:.3g}}}\n",
      dice.of_order(1e-3, 1e-2), dice.between(0.0, 0.6),
      dice.chance(0.5) ? 0.0 : dice.between(0.05, 0.3));
  return {{}, text, dice.between(0.4, 1.0)};
}

RandomMechanism row_of_balls(Dice& dice) {
  const int n = dice.whole(2, 5);
  const double r = 0.05;
  std::string bodies = "bodies:\n", joints = "joints:\n", contacts = "contacts:\n";
  double x = 0.0;
  const bool is_horizontal_drag = dice.chance(0.3);
  for (int i = 0; i < n; ++i) {
    const bool touches = i > 0 && dice.chance(0.6);
    if (i > 0) x += 2.0 * r + (touches ? 0.0 : dice.between(0.01, 0.3));
    bodies += fmt::format(
        "  ball{}: {{type: point, mass: {:.4g}, at: [{:.10g}, 0], velocity: [{:.4g}, 0]}}\n", i,
        dice.chance(0.5) ? 1.0 : dice.of_order(0.3, 3.0), x, i == 0 ? dice.between(0.5, 2.0) : 0.0);
    joints +=
        fmt::format("  wire{0}: {{type: inline, between: [ground, ball{0}], axis: [1, 0]}}\n", i);
    if (i > 0)
      contacts += contact_with_last_ball(i, r, dice.chance(0.4) ? 1.0 : dice.between(0.0, 0.95));
    if (dice.chance(0.3))
      contacts += fmt::format("  drag{0}: {{type: friction, joint: wire{0}, limit: {1:.3g}}}\n", i,
                              dice.of_order(0.1, 2.0));
  }
  std::string text = kPlanar + bodies + joints + contacts;
  if (is_horizontal_drag)
    text += fmt::format(
        "forces:\n  spring: {{type: force, body: ball{}, force: "
        "[\"-{:.4g}*(ball{}.x - {:.4g})\", 0]}}\n",
        n - 1, dice.of_order(5.0, 100.0), n - 1, x);
  return {{}, text, dice.between(0.5, 1.5)};
}

RandomMechanism stack_of_balls(Dice& dice) {
  const int n = dice.whole(2, 4);
  const double r = 0.05;
  std::string bodies = "bodies:\n", joints = "joints:\n";
  std::string contacts = fmt::format(
      "contacts:\n  floor: {{type: ball_on_plane, between: [ground, ball1], radius: {}, "
      "restitution: {:.3g}}}\n",
      r, dice.chance(0.3) ? 0.0 : dice.between(0.1, 0.9));
  double y = r;
  for (int i = 1; i <= n; ++i) {
    if (i > 1) y += 2.0 * r + (i == n ? dice.between(0.02, 0.5) : 0.0);
    bodies += fmt::format("  ball{}: {{type: point, mass: {:.4g}, at: [0, {:.10g}]}}\n", i,
                          dice.chance(0.5) ? 1.0 : dice.of_order(0.3, 3.0), y);
    joints +=
        fmt::format("  wire{0}: {{type: inline, between: [ground, ball{0}], axis: [0, 1]}}\n", i);
    if (i > 1)
      contacts += contact_with_last_ball(i, r, dice.chance(0.3) ? 0.0 : dice.between(0.1, 0.9));
  }
  return {{}, kPlanar + bodies + joints + contacts, dice.between(0.4, 1.0)};
}

namespace {

struct Disc {
  bool hangs = false;
  double x = 0.0, y = 0.0;
  double pin_x = 0.0, pin_y = 0.0;  ///< of the chain, if it hangs
};

constexpr double kDiscRadius = 0.05, kFloor = -0.5, kWall = -0.6;

// A chain that hangs from a pin, in an oblique line, and loose discs above the floor.
std::vector<Disc> draw_discs(Dice& dice, int count) {
  std::vector<Disc> discs;
  double x = 0.0, y = 0.0;
  for (int i = 1; i <= count; ++i) {
    Disc disc{.hangs = i <= 2 || dice.chance(0.3), .pin_x = x, .pin_y = y};
    if (disc.hangs) {
      const double phi = dice.between(-2.8, -0.3);
      x += 0.2 * std::cos(phi);
      y += 0.2 * std::sin(phi);
    }
    disc.x = disc.hangs ? x : 0.5 + 0.15 * i;
    disc.y = disc.hangs ? y : dice.between(-0.4, 0.2);
    discs.push_back(disc);
  }
  return discs;
}

// Where discs start within each other, or within floor or wall, there is no motion to agree on.
bool are_apart(const std::vector<Disc>& discs) {
  for (std::size_t i = 0; i < discs.size(); ++i) {
    const Disc& a = discs[i];
    if (a.y - kDiscRadius < kFloor || a.x - kDiscRadius < kWall) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (std::hypot(a.x - discs[j].x, a.y - discs[j].y) < 2.0 * kDiscRadius) return false;
  }
  return true;
}

}  // namespace

RandomMechanism jointed_discs(Dice& dice) {
  const int n = dice.whole(2, 5);
  std::vector<Disc> discs = draw_discs(dice, n);
  while (!are_apart(discs))
    discs = draw_discs(dice, n);
  std::string bodies = "bodies:\n", joints = "joints:\n", balls;
  std::string before = "ground";
  for (int i = 1; i <= n; ++i) {
    const Disc& disc = discs[static_cast<std::size_t>(i - 1)];
    bodies += fmt::format(
        "  disc{}: {{mass: {:.4g}, shape: {{type: cylinder, radius: {}, length: 0.1}}, at: "
        "[{:.10g}, {:.10g}], velocity: [{:.3g}, 0], spin: {:.3g}}}\n",
        i, dice.of_order(0.3, 2.0), kDiscRadius, disc.x, disc.y,
        disc.hangs ? 0.0 : dice.between(-2.0, 0.5), disc.hangs ? 0.0 : dice.between(-5.0, 5.0));
    if (disc.hangs) {
      joints += fmt::format(
          "  pin{}: {{type: revolute, between: [{}, disc{}], at: [{:.10g}, "
          "{:.10g}]}}\n",
          i, before, i, disc.pin_x, disc.pin_y);
      before = fmt::format("disc{}", i);
    }
    balls += fmt::format("      - {{at: disc{}}}\n", i);
  }
  std::string text = kPlanar + bodies + joints;
  text += fmt::format(
      "markers:\n  floor: {{at: [0, {}]}}\n  wall: {{at: [{}, 0]}}\ncollisions:\n  group:\n"
      "    balls:\n{}    planes:\n      - {{body: floor, normal: [0, 1]}}\n      - {{body: wall, "
      "normal: [1, 0]}}\n    restitution: {:.3g}\n    friction: {:.3g}\n",
      kFloor, kWall, balls, dice.chance(0.5) ? 0.0 : dice.between(0.1, 0.8),
      dice.chance(0.3) ? 0.0 : dice.between(0.05, 0.5));
  return {{}, text, dice.between(0.4, 1.0)};
}

}  // namespace picus::campaign
