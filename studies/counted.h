// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

namespace picus::studies {

/// A problem that counts the evaluations of its force, not those of its derivatives.
template <class Problem>
struct Counted : Problem {
  long* evaluations;

  auto force(const auto& s) const {
    if constexpr (std::is_same_v<std::decay_t<decltype(s.q(0))>, double>) ++*evaluations;
    return Problem::force(s);
  }
};

}  // namespace picus::studies
