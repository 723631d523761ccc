// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/unique_limits.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picus/dynamics/independent_constraints.h"

namespace picus {

std::string undetermined_limit(const System& system, const State& state,
                               const Consistency& consistency) {
  if (consistency.redundant.empty() || !system.limits_read_reactions()) return {};
  const IndependentConstraints reduced(system, consistency.independent,
                                       consistency.independent_nonholonomic);
  const int element = reduced.undetermined_limit(state);
  if (element < 0) return {};
  std::vector<std::string> redundant;
  for (const RedundantConstraint& row : consistency.redundant)
    redundant.push_back(row.name);
  const int slip = system.contact_law(system.sizes().contacts + element).first_slip;
  return fmt::format(
      "friction '{}': found a reaction that is not unique, because {} {} redundant; expected one "
      "that presses the joint alone. Make the model planar, release components of joints (a "
      "spherical, inline or cylindrical joint in place of one), or give the friction a limit or a "
      "normal_force",
      system.name_of(Equation::kNonholonomic, slip), fmt::join(redundant, ", "),
      redundant.size() == 1 ? "is" : "are");
}

}  // namespace picus
