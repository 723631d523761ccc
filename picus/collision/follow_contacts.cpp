// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/follow_contacts.h"

#include <algorithm>

namespace picus {

void follow_contacts(std::span<const FeatureContact> before, std::span<const FeatureContact> after,
                     double distance, std::vector<int>& came_from) {
  came_from.assign(after.size(), -1);
  std::size_t old = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    while (old < before.size() && before[old].id < after[i].id)
      ++old;
    if (old < before.size() && before[old].id == after[i].id) came_from[i] = static_cast<int>(old);
  }
  const auto is_taken = [&](std::size_t k) {
    return std::find(came_from.begin(), came_from.end(), static_cast<int>(k)) != came_from.end();
  };
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (came_from[i] >= 0) continue;
    double nearest = distance;
    int best = -1;
    for (std::size_t k = 0; k < before.size(); ++k) {
      const double away = std::min((after[i].point_a - before[k].point_a).norm(),
                                   (after[i].point_b - before[k].point_b).norm());
      if (away > nearest || is_taken(k)) continue;
      nearest = away;
      best = static_cast<int>(k);
    }
    came_from[i] = best;
  }
}

}  // namespace picus
