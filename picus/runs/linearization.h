// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small motions about a state at rest.

#include <memory>

#include "picus/dynamics/consistent_state.h"
#include "picus/dynamics/independent_constraints.h"

namespace picus {

/// A system with its redundant constraints left out, or the system itself when there are none.
class RegularSystem {
 public:
  RegularSystem(const System& full, const Consistency& consistency);

  const System& system() const { return reduced_ ? *reduced_ : full_; }
  void reduce(const State& full_state, State& state) const;
  void restore(const State& state, State& full_state) const;

 private:
  const System& full_;
  std::unique_ptr<IndependentConstraints> reduced_;
};

/// Orthonormal columns that span the motions which joints and rolling conditions allow.
Matrix allowed_motions(const System& system, const State& s);

/// Matrices above this size are not treated: everything here is dense.
inline constexpr int kLargestDense = 2000;

/// Throws InputError when a system is too large.
void expect_dense_size(const System& system);

/// The stiffness seen by allowed motions of unit kinetic energy.
struct AllowedStiffness {
  Vector values;       ///< eigenvalues [1/s²], ascending; negative ones push away
  Matrix directions;   ///< their motions, as columns of velocity coordinates
  double scale = 0.0;  ///< largest stiffness of a single coordinate, joints open [1/s²]

  /// Below this an eigenvalue is zero but for rounding.
  double rounding() const;
};
AllowedStiffness allowed_stiffness(const System& system, const State& s);

}  // namespace picus
