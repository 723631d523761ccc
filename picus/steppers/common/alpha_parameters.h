// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace picus {

/// The four coefficients of a generalized-α method, jay-negrut (2).
struct AlphaParameters {
  double alpha_m = 0.0, alpha_f = 0.0, beta = 0.25, gamma = 0.5;

  /// The shifted acceleration lives at t + shift() h.
  double shift() const { return alpha_m - alpha_f; }
};

/// Throw InputError when out of range.
AlphaParameters newmark_parameters(double beta, double gamma);
AlphaParameters hht_parameters(double alpha);
AlphaParameters chung_hulbert_parameters(double rho);

}  // namespace picus
