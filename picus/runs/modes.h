// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small vibrations: eigenvalues of the linearised equations.

#include <complex>
#include <string>
#include <vector>

#include "picus/runs/equilibrium.h"

namespace picus {

/// One motion of the form e^(λt): a pair of complex eigenvalues, or a real one.
struct Mode {
  std::complex<double> eigenvalue;   ///< λ [1/s], with an imaginary part ≥ 0
  double frequency = 0.0;            ///< |λ|/2π of a pair [Hz]; 0 for a real eigenvalue
  double damping = 0.0;              ///< −Re λ/|λ|; 1 or −1 for a real eigenvalue
  bool is_unstable = false;          ///< it grows
  Eigen::VectorXcd shape;            ///< of the velocity coordinates, largest entry 1
  std::vector<std::string> leading;  ///< coordinates with the largest shares of kinetic energy
};

struct Modes {
  std::vector<Mode> modes;   ///< by |λ|, without the zero eigenvalues
  int zero_eigenvalues = 0;  ///< of motions that nothing resists
  std::vector<std::vector<std::string>> free_motions;
  double unbalanced = 0.0;  ///< largest acceleration at the state [m/s² or rad/s²]
  std::string fastest;      ///< its coordinate
  std::string unit;         ///< of that acceleration

  bool is_stable() const;
};

/// Linearises about the positions and control states of a consistent state, at zero velocities;
/// time stands still. Rolling conditions hold along the way, positions move along them only. With
/// `spin` [rad/s] about a steady rotation about the origin, as a frame sees it that turns along:
/// find_equilibrium has its positions.
///
/// Eigenvalues below 1e-7 of the largest count as zero. Dense: throws InputError above
/// kLargestDense unknowns.
Modes find_modes(const Mechanism& mechanism, const Consistency& consistency, const State& state,
                 const Vector3& spin = Vector3::Zero());

/// For `--json`; at most `count` modes, all when it is negative.
std::string to_json(const Modes& modes, const Mechanism& mechanism, int count = -1);

}  // namespace picus
