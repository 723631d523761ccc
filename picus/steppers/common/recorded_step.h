// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/steppers/stepper.h"

namespace picus {

/// A step that stays as it was while its method goes on.
class RecordedStep final : public StepView {
 public:
  StepperTraits traits() const override { return can; }
  /// Cubic; straight lines where velocities may jump.
  void interpolate(const System& system, double fraction, State& result) const override;
  /// "impulse", "tangential_impulse" and "friction_limit" of methods that have them.
  const Vector* internal(std::string_view name) const override;
  std::span<const LawMode> law_modes() const override { return modes; }

  StepperTraits can;
  State begin, end;
  Vector increment;  ///< end = begin ⊕ increment
  bool is_smooth = true;
  bool has_impulses = false;
  Vector impulse, tangential_impulse, friction_limit;  ///< over the step
  std::vector<LawMode> modes;

 private:
  mutable Vector along_;
};

}  // namespace picus
