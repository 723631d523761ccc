// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Disks or spheres of slightly different radii that fall into a box, with friction everywhere.

#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "picus/mechanism/mechanism.h"

namespace picus::problems {

/// Balls on a lattice with gaps, let go at rest. In space z is up, in the plane y.
struct Pile {
  int balls = 1000;
  bool in_space = true;
  int across = 0;         ///< balls along the floor, in both directions; 0 for a cube or a square
  double radius = 0.05;   ///< mean [m]
  double spread = 0.1;    ///< of the radii, to both sides, relative
  double spacing = 2.3;   ///< of the lattice, in radii
  double density = 1000;  ///< [kg/m³]; disks are 0.1 m thick
  double friction = 0.3, restitution = 0.0;
  double gravity = 9.81;  ///< [m/s²]
  unsigned seed = 1;

  struct Ball {
    Vector3 centre;
    double radius, mass, inertia;
  };

  int width() const {
    if (across > 0) return across;
    return static_cast<int>(std::lround(in_space ? std::cbrt(balls) : std::sqrt(balls)));
  }
  /// Of the floor [m].
  double side() const { return width() * spacing * radius; }
  Vector3 up() const { return in_space ? Vector3::UnitZ() : Vector3::UnitY(); }

  /// The balls at the start: the same for every engine.
  std::vector<Ball> start() const {
    // multiplicative generators are the same everywhere; distributions of the library are not
    std::minstd_rand random(seed);
    const auto unit = [&] {
      return 2.0 * static_cast<double>(random()) / static_cast<double>(random.max()) - 1.0;
    };
    std::vector<Ball> result;
    const int n = width();
    const double pitch = spacing * radius;
    for (int i = 0; i < balls; ++i) {
      const int layer = in_space ? i / (n * n) : i / n;
      const double r = radius * (1.0 + spread * unit());
      const double x = (i % n + 0.5) * pitch + 0.02 * radius * unit();
      const double y = (i / n % n + 0.5) * pitch + 0.02 * radius * unit();
      const double z = (layer + 0.5) * pitch;
      const double mass = in_space ? density * 4.0 / 3.0 * std::numbers::pi * r * r * r
                                   : density * 0.1 * std::numbers::pi * r * r;
      result.push_back({in_space ? Vector3(x, y, z) : Vector3(x, z, 0.0), r, mass,
                        (in_space ? 0.4 : 0.5) * mass * r * r});
    }
    return result;
  }

  /// Point and inward normal of each wall and of the floor.
  std::vector<std::pair<Vector3, Vector3>> walls() const {
    std::vector<std::pair<Vector3, Vector3>> result;
    for (int axis = 0; axis < (in_space ? 2 : 1); ++axis) {
      const Vector3 e = Vector3::Unit(axis);
      result.emplace_back(Vector3::Zero(), e);
      result.emplace_back(side() * e, -e);
    }
    result.emplace_back(Vector3::Zero(), up());
    return result;
  }

  std::unique_ptr<Mechanism> mechanism(double slack = 0.1) const {
    MechanismBuilder builder;
    builder.set_gravity(-gravity * up());
    CollisionGroup group;
    group.slack = slack;
    group.law = {.restitution = restitution, .friction = friction};
    for (const Ball& ball : start()) {
      Body body;
      body.name = fmt::format("ball {}", group.balls.size() + 1);
      body.kind = in_space ? BodyKind::kSpatial : BodyKind::kPlanar;
      body.mass = ball.mass;
      body.inertia = ball.inertia * Matrix3::Identity();
      Pose<double> pose;
      pose.r = ball.centre;
      const int number = builder.add_body(body, pose, SmallVector<double, 6>::Zero());
      group.balls.push_back({number, Vector3::Zero(), ball.radius});
    }
    for (const auto& [point, normal] : walls())
      group.planes.push_back({Bodies::kGround, point, normal, group.law});
    builder.add_collisions(std::move(group));
    return builder.build();
  }
};

}  // namespace picus::problems
