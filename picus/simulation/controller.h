// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/steppers/stepper.h"

namespace picus {

/// What the loop should do with the step just attempted.
struct Verdict {
  enum class Action {
    kAccept,
    kRetry,     ///< the same step again, with another size
    kRollBack,  ///< return to the last checkpoint, undoing accepted steps
    kGiveUp
  };
  Action action = Action::kAccept;
  double next_step = 0.0;   ///< size of the next attempt [s]
  bool checkpoint = false;  ///< on acceptance: the new state is one to roll back to
};

/// Chooses step sizes. It sees reports, never equations. Methods that combine others (substeps,
/// extrapolation, a second method over an impact) are steppers built from steppers.
class Controller {
 public:
  virtual ~Controller() = default;
  /// The first step of a run over `span` seconds.
  virtual double first_step(const StepperTraits& traits, double span) = 0;
  virtual Verdict judge(const StepReport& report, double h) = 0;
  /// Forgets past errors, after an event.
  virtual void restart() {}
};

/// Always the same size, and no second chance.
class FixedStep final : public Controller {
 public:
  /// Throws InputError unless h is positive and finite.
  explicit FixedStep(double h);
  double first_step(const StepperTraits&, double) override { return h_; }
  Verdict judge(const StepReport& report, double) override;

 private:
  double h_;
};

/// A prescribed sequence of sizes, repeated from its beginning when it is used up.
class StepSequence final : public Controller {
 public:
  /// Throws InputError unless every size is positive and finite.
  explicit StepSequence(std::vector<double> steps);
  double first_step(const StepperTraits&, double) override;
  Verdict judge(const StepReport& report, double) override;

 private:
  std::vector<double> steps_;
  std::size_t next_ = 0;
};

}  // namespace picus
