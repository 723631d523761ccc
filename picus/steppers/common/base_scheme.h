// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/dynamics/system.h"

namespace picus {

/// What extrapolation asks of the method it repeats with smaller and smaller steps, besides being a
/// Stepper that tells its law_modes() and has no memory: an attempt depends on `from` and h alone.
class BaseScheme {
 public:
  virtual ~BaseScheme() = default;

  /// The powers of h in the global error at the end of a smooth motion: 1 for h, h², h³, …; 2 for
  /// h², h⁴, …
  virtual int error_powers(const System& system) const = 0;

  /// Restitutions e act as eˣ in the steps to come; start() sets x to 1.
  virtual void raise_restitution(double exponent) = 0;
};

}  // namespace picus
