// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/bounded_state.h"

#include <cmath>

namespace picus {
namespace {

// Whether its squares, as in energies, are finite.
bool is_bounded(const Vector& x) {
  return std::isfinite(x.squaredNorm());
}

int first_unbounded(const Vector& x) {
  int i = 0;
  while (i + 1 < x.size() && std::isfinite(x(i) * x(i)))
    ++i;
  return i;
}

}  // namespace

void expect_bounded(const State& state, StepReport& report) {
  if (!is_bounded(state.control)) {
    report.worst_kind = Equation::kControl;
    report.worst_index = first_unbounded(state.control);
  } else if (!is_bounded(state.velocity)) {
    report.worst_kind = Equation::kMomentum;
    report.worst_index = first_unbounded(state.velocity);
  } else if (!is_bounded(state.acceleration)) {
    report.worst_kind = Equation::kMomentum;
    report.worst_index = first_unbounded(state.acceleration);
  } else if (!is_bounded(state.position)) {
    // positions may be more than coordinates: the fastest of these
    report.worst_kind = Equation::kMomentum;
    state.velocity.cwiseAbs().maxCoeff(&report.worst_index);
  } else {
    return;
  }
  report.status = StepReport::Status::kDiverged;
}

}  // namespace picus
