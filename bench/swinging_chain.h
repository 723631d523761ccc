// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <numbers>

#include "picus/base/contract.h"
#include "picus/dynamics/consistent_state.h"
#include "studies/problems/chain.h"

namespace picus::bench {

/// The chain of the studies, hanging and swinging: a string of one metre cut into more and more
/// links of one kilogram. Its motion is that of the string, so one step size suits any number.
struct SwingingChain {
  std::unique_ptr<EquationSystem> system;
  State start;  ///< consistent
};

inline SwingingChain make_swinging_chain(int links) {
  using namespace problems;
  const double L = 1.0 / links;
  SystemBuilder builder;
  for (int i = 0; i < links; ++i)
    builder.add(ChainLink{1.0, L}, "link", {3 * i, 3 * i + 1, 3 * i + 2});
  builder.add(ChainAnchor{L}, "anchor", {0, 1, 2});
  for (int i = 1; i < links; ++i) {
    const int a = 3 * (i - 1), b = 3 * i;
    builder.add(ChainPin{L}, "pin", {a, a + 1, a + 2, b, b + 1, b + 2});
  }
  SwingingChain chain{builder.build(), {}};
  State& s = chain.start;
  s.position.resize(3 * links);
  s.velocity = Vector::Zero(3 * links);
  Eigen::Vector2d pin = Eigen::Vector2d::Zero();
  for (int i = 0; i < links; ++i) {
    // vertical and straight at the anchor: any other shape starts with a jerk there
    const double angle = 0.5 * std::pow((i + 0.5) * L, 2) - 0.5 * std::numbers::pi;
    const Eigen::Vector2d along = L * Eigen::Vector2d(std::cos(angle), std::sin(angle));
    s.position.segment<3>(3 * i) << pin + 0.5 * along, angle;
    pin += along;
  }
  expects(make_consistent(*chain.system, s).ok(), "a consistent start");
  return chain;
}

}  // namespace picus::bench
