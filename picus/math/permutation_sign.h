// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace picus {

/// 1 for an even permutation, -1 for an odd one; `seen` is scratch memory that is reused.
inline int permutation_sign(std::span<const int> permutation, std::vector<bool>& seen) {
  seen.assign(permutation.size(), false);
  int sign = 1;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    if (seen[i]) continue;
    for (auto k = static_cast<std::size_t>(permutation[i]); k != i;
         k = static_cast<std::size_t>(permutation[k])) {  // a cycle of n is n − 1 exchanges
      seen[k] = true;
      sign = -sign;
    }
  }
  return sign;
}

}  // namespace picus
