// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/alpha_parameters.h"

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {
namespace {

// β and γ that make the method second order and unconditionally stable [ChungHulbert1993].
AlphaParameters optimal(double alpha_m, double alpha_f) {
  const double alpha = alpha_m - alpha_f;
  return {alpha_m, alpha_f, 0.25 * (1.0 - alpha) * (1.0 - alpha), 0.5 - alpha};
}

void expects_range(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return;  // also refuses NaN
  throw InputError(fmt::format("option '{}': found {:g}, expected a value in [{:g}, {:g}]", name,
                               value, low, high));
}

}  // namespace

AlphaParameters newmark_parameters(double beta, double gamma) {
  expects_range("beta", beta, 1e-6, 1.0);  // the unknown is the acceleration: β = 0 is explicit
  expects_range("gamma", gamma, 1e-6, 1.0);
  return {0.0, 0.0, beta, gamma};
}

AlphaParameters hht_parameters(double alpha) {
  expects_range("alpha", alpha, -1.0 / 3.0, 0.0);
  return optimal(0.0, -alpha);
}

// bruls-acary-cardona (61)
AlphaParameters chung_hulbert_parameters(double rho) {
  expects_range("rho", rho, 0.0, 1.0);
  return optimal((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
}

}  // namespace picus
