// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A hanging chain of n planar links, each a uniform rod in (x, y, θ), pinned to its neighbour: the
// sparse counterpart of the pendulum.

#include <fmt/format.h>

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

struct ChainLink {
  static constexpr int kCoordinates = 3;
  static constexpr std::array kAngles{2};
  static constexpr std::array<std::string_view, 3> kCoordinateNames{"x", "y", "angle"};
  double m = 1.0, L = 1.0, g = 9.81;

  auto mass(const auto&) const { return diagonal(m, m, m * L * L / 12.0); }
  auto force(const auto& s) const { return s.vector(0.0, -m * g, 0.0); }
};

/// Pins the first link to the ground.
struct ChainAnchor {
  static constexpr int kCoordinates = 3, kConstraints = 2;
  static constexpr std::array<std::string_view, 2> kConstraintNames{"x", "y"};
  double L = 1.0;

  auto constraint(const auto& s) const {
    return s.vector(s.q(0) - 0.5 * L * cos(s.q(2)), s.q(1) - 0.5 * L * sin(s.q(2)));
  }
};

/// Pins the end of one link to the beginning of the next.
struct ChainPin {
  static constexpr int kCoordinates = 6, kConstraints = 2;
  static constexpr std::array<std::string_view, 2> kConstraintNames{"x", "y"};
  double L = 1.0;

  auto constraint(const auto& s) const {
    return s.vector(s.q(3) - 0.5 * L * cos(s.q(5)) - s.q(0) - 0.5 * L * cos(s.q(2)),
                    s.q(4) - 0.5 * L * sin(s.q(5)) - s.q(1) - 0.5 * L * sin(s.q(2)));
  }
};

/// n links of total length one metre and total mass one kilogram.
inline std::unique_ptr<EquationSystem> make_chain(int links) {
  const double L = 1.0 / links, m = 1.0 / links;
  SystemBuilder builder;
  for (int i = 0; i < links; ++i)
    builder.add(ChainLink{m, L}, fmt::format("link {}", i), {3 * i, 3 * i + 1, 3 * i + 2});
  builder.add(ChainAnchor{L}, "anchor", {0, 1, 2});
  for (int i = 1; i < links; ++i) {
    const int a = 3 * (i - 1), b = 3 * i;
    builder.add(ChainPin{L}, fmt::format("pin {}", i), {a, a + 1, a + 2, b, b + 1, b + 2});
  }
  return builder.build();
}

/// The chain stretched out horizontally, at rest, slightly bent so that nothing is special.
inline State chain_start(int links) {
  const double L = 1.0 / links;
  State s;
  s.position.resize(3 * links);
  s.velocity = Vector::Zero(3 * links);
  double x = 0.0, y = 0.0;
  for (int i = 0; i < links; ++i) {
    const double angle = -0.3 * std::sin(3.0 * (i + 0.5) / links);
    s.position.segment<3>(3 * i) << x + 0.5 * L * std::cos(angle), y + 0.5 * L * std::sin(angle),
        angle;
    x += L * std::cos(angle);
    y += L * std::sin(angle);
  }
  return s;
}

}  // namespace picus::problems
