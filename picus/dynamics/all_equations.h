// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/dynamics/equations.h"

namespace picus {

/// The equations g and k of a part: those that hold always, then those of its contacts.
template <class E>
struct AllEquations {
  using Sizes = EquationSizes<E>;

  template <class T, int A, int B>
  static SmallVector<T, A + B> joined(const SmallVector<T, A>& first,
                                      const SmallVector<T, B>& second) {
    SmallVector<T, A + B> result;
    for (int i = 0; i < A; ++i)
      result(i) = first(i);
    for (int i = 0; i < B; ++i)
      result(A + i) = second(i);
    return result;
  }

  /// g: joints, then gaps.
  template <class Where>
  static auto constraint(const E& e, const Where& s) {
    using T = typename Where::Scalar;
    if constexpr (Sizes::kContacts == 0) {
      return SmallVector<T, Sizes::kConstraints>(e.constraint(s));
    } else if constexpr (Sizes::kJoints == 0) {
      return SmallVector<T, Sizes::kConstraints>(e.gap(s));
    } else {
      return joined<T, Sizes::kJoints, Sizes::kContacts>(e.constraint(s), e.gap(s));
    }
  }

  /// k: rolling, then slips.
  template <class Where>
  static auto nonholonomic(const E& e, const Where& s) {
    using T = typename Where::Scalar;
    if constexpr (Sizes::kSlips == 0) {
      return SmallVector<T, Sizes::kNonholonomic>(e.nonholonomic(s));
    } else if constexpr (Sizes::kRollings == 0) {
      return SmallVector<T, Sizes::kNonholonomic>(e.slip(s));
    } else {
      return joined<T, Sizes::kRollings, Sizes::kSlips>(e.nonholonomic(s), e.slip(s));
    }
  }
};

}  // namespace picus
