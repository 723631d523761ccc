// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A part in its system: where its pieces sit, and how they are gathered and scattered.

#include <array>

#include "picus/dynamics/equation_kernel.h"
#include "picus/dynamics/system.h"

namespace picus {

/// Where the pieces of one part sit in the system.
template <class E>
struct Placed {
  using Sizes = EquationSizes<E>;
  E equations;
  std::array<int, Sizes::kPositions> positions;
  std::array<int, Sizes::kVelocities> velocities;
  std::array<int, Sizes::kConstraints> constraints;
  std::array<int, Sizes::kNonholonomic> nonholonomic;
  std::array<int, Sizes::kControls> controls;
  /// Velocities whose motion on a manifold no part before has stated.
  std::array<bool, Sizes::kVelocities> is_first_to_move{};
};

template <class Local, std::size_t N>
void gather(const Vector& from, const std::array<int, N>& index, Local& to) {
  for (std::size_t i = 0; i < N; ++i)
    to(static_cast<int>(i)) = from(index[i]);
}

template <class Local, std::size_t N>
void scatter(const Local& from, const std::array<int, N>& index, Vector& to) {
  for (std::size_t i = 0; i < N; ++i)
    to(index[i]) += from(static_cast<int>(i));
}

/// The arguments of the part's equations at a state.
template <class E>
Arguments<E, double> arguments(const Placed<E>& part, const State& s) {
  Arguments<E, double> args;
  args.t = s.time;
  gather(s.position, part.positions, args.q);
  gather(s.velocity, part.velocities, args.v);
  gather(s.acceleration, part.velocities, args.a);
  gather(s.multiplier, part.constraints, args.lambda);
  gather(s.nonholonomic_multiplier, part.nonholonomic, args.psi);
  gather(s.control, part.controls, args.x);
  gather(s.control_rate, part.controls, args.xdot);
  return args;
}

/// The same with its piece of the chart.
template <class E>
typename EquationKernel<E>::Point point(const Placed<E>& part, const State& s, const Chart& c) {
  typename EquationKernel<E>::Point p;
  p.s = arguments(part, s);
  gather(c.base, part.positions, p.base);
  gather(c.increment, part.velocities, p.increment);
  return p;
}

}  // namespace picus
