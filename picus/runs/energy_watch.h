// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "picus/mechanism/mechanism.h"

namespace picus {

/// The energy of mechanisms that nothing drives: it may fall and never rises. Where it does by
/// much, as when a run at a loose tolerance passes a singular position, the run says so.
///
/// Looks at samples alone, which costs nothing, and at motions without contacts and dry friction:
/// impacts have their own account (ImpactGains).
class EnergyWatch {
 public:
  explicit EnergyWatch(const Mechanism& mechanism);

  void see(const State& state);
  /// `tolerance` is 0 for constant steps.
  std::optional<std::string> note(double tolerance) const;

 private:
  const Mechanism& mechanism_;
  bool is_undriven_;
  bool has_seen_ = false;
  double lowest_ = 0.0, kinetic_ = 0.0;  ///< energy so far; largest kinetic one
  double rise_ = 0.0, time_ = 0.0;       ///< the largest above the lowest before it, and when
};

}  // namespace picus
