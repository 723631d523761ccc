// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Lists of contacts that come and go: what stays from one list to the next.

#include <vector>

#include "picus/math/rotation.h"

namespace picus {

/// The axis of the tangents of a normal: the one it had, unless that has come too close to the
/// normal; then the coordinate axis least along it.
inline Vector3 tangent_axis(const Vector3& axis, const Vector3& normal) {
  constexpr double kSteep = 0.3;  // sine of the angle between them
  if (cross(axis, normal).norm() > kSteep) return axis;
  int least = 0;
  normal.cwiseAbs().minCoeff(&least);
  return Vector3::Unit(least);
}

/// Finds where the contacts of a list were in the former one, -1 for new ones, and gives them the
/// axes they had. Both lists ascend. False when they are the same.
template <class Close, class Before>
bool follow_list(const std::vector<Close>& former, std::vector<Close>& list,
                 std::vector<int>& came_from, Before&& comes_before) {
  came_from.assign(list.size(), -1);
  bool changed = list.size() != former.size();
  std::size_t old = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    while (old < former.size() && comes_before(former[old], list[i]))
      ++old;
    if (old < former.size() && former[old].is_pair_of(list[i])) {
      came_from[i] = static_cast<int>(old);
      list[i].axis = former[old].axis;
    } else {
      changed = true;
    }
  }
  return changed;
}

}  // namespace picus
