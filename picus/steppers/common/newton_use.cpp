// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/newton_use.h"

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {

void check_newton(const NewtonOptions& options) {
  const auto check = [](bool good, const char* option, double found, const char* expected) {
    if (good) return;
    throw InputError(fmt::format("option '{}': found {:g}, expected {}", option, found, expected));
  };
  check(options.newton_tolerance > 0.0 && options.newton_tolerance < 1.0, "newton_tolerance",
        options.newton_tolerance, "a number between 0 and 1");
  check(options.newton_max_iterations >= 1, "newton_max_iterations", options.newton_max_iterations,
        "at least 1");
  check(options.slow_rate > 0.0 && options.slow_rate < 1.0, "slow_rate", options.slow_rate,
        "a number between 0 and 1");
  check(options.reuse_band >= 0.0 && options.reuse_band < 1.0, "reuse_band", options.reuse_band,
        "a number in [0, 1)");
}

StepReport report_of(const NewtonReport& newton, const BlockMatrix& matrix, int& row) {
  StepReport report;
  report.newton_iterations = newton.iterations;
  report.factorizations = newton.factorizations;
  report.refreshed = newton.refreshed;
  report.newton_rate = newton.rate;
  row = -1;
  switch (newton.status) {
    case NewtonReport::Status::kConverged:
      return report;
    case NewtonReport::Status::kSingular:
      report.status =
          matrix.is_finite() ? StepReport::Status::kSingularMatrix : StepReport::Status::kNotFinite;
      break;
    case NewtonReport::Status::kNotFinite:
      report.status = StepReport::Status::kNotFinite;
      break;
    case NewtonReport::Status::kCycling:
      report.status = StepReport::Status::kNoActiveSet;
      break;
    default:
      report.status = StepReport::Status::kNotConverged;
      break;
  }
  row = newton.status == NewtonReport::Status::kSingular ? matrix.weakest() : newton.worst_row;
  report.worst_residual = newton.worst_residual;
  return report;
}

}  // namespace picus
