// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/steppers/stepper.h"

namespace picus {

/// A step that stays as it was while its method goes on.
class RecordedStep final : public StepView {
 public:
  StepperTraits traits() const override { return can; }
  /// Cubic; straight lines where velocities may jump, and their left limits where they do.
  void interpolate(const System& system, double fraction, State& result) const override;
  double smooth_part() const override { return !is_smooth && has_impact ? 0.0 : 1.0; }
  StepImpulses impulses() const override;
  std::span<const LawMode> law_modes() const override { return modes; }

  StepperTraits can;
  State begin, end;
  Vector increment;  ///< end = begin ⊕ increment
  bool is_smooth = true;
  bool has_impact = false;  ///< in one that is not smooth
  bool has_impulses = false;
  Vector impulse, tangential_impulse, friction_limit;  ///< over the step
  std::vector<LawMode> modes;

 private:
  mutable Vector along_;
};

}  // namespace picus
