// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/finite_laws.h"

#include <cmath>

namespace picus {
namespace {

// The first that is not finite, or -1.
int first_fault(const Vector& x, int from = 0) {
  for (int i = from; i < x.size(); ++i)
    if (!std::isfinite(x(i))) return i;
  return -1;
}

}  // namespace

void FiniteLaws::expect(const System& system, const State& state, StepReport& report) {
  const SystemSizes n = system.sizes();
  const auto fail = [&report](Equation kind, int index) {
    report.status = StepReport::Status::kNotFinite;
    report.worst_kind = kind;
    report.worst_index = index;
  };
  if (n.contacts > 0 && !system.finds_contacts()) {
    system.constraint(state, gap_);
    if (const int row = first_fault(gap_, n.joints()); row >= 0)
      return fail(Equation::kConstraint, row);
  }
  if (n.friction_elements > 0) {
    system.friction_limits(state, limit_);
    if (const int element = first_fault(limit_); element >= 0)
      fail(Equation::kNonholonomic, system.contact_law(n.contacts + element).first_slip);
  }
}

}  // namespace picus
