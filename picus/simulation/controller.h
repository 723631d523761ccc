// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
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
  /// On acceptance: may be undone until the next step is accepted. It is a checkpoint from then on,
  /// and not before shown to observers.
  bool provisional = false;
  std::string reason = {};  ///< on giving up: why no other step is tried, as half a sentence
};

/// Chooses step sizes. It sees reports, never equations. Methods that combine others (substeps,
/// extrapolation, a second method over an impact) are steppers built from steppers.
class Controller {
 public:
  virtual ~Controller() = default;
  /// The local error that steps may have, see Stepper::control_error; 0 when it does not matter.
  virtual double tolerance() const { return 0.0; }
  /// The size below which steps are not divided, see Stepper::limit_division; from first_step() on.
  virtual double smallest_step() const { return 0.0; }
  /// The first step of a run over `span` seconds.
  virtual double first_step(const StepperTraits& traits, double span) = 0;
  virtual Verdict judge(const StepReport& report, double h) = 0;
  /// Whether a step of this size is taken in parts when its contact problem is not solved.
  virtual bool may_divide(double /*h*/) const { return false; }
  /// Forgets past errors: the motion has a jump behind a step of size h. Returns the next size.
  virtual double restart(double h) { return h; }
};

/// Always the same size. Only a step whose contact problem was not solved gets a second chance: it
/// is taken in parts, down to 1/256, since each part poses another problem. Parts are halves of
/// halves. Hard problems come in a row: parts keep their size across steps, and twice the size is
/// tried after a pause that grows with every failure.
class FixedStep final : public Controller {
 public:
  /// Throws InputError unless h is positive and finite.
  explicit FixedStep(double h);
  double first_step(const StepperTraits&, double) override { return restart(h_); }
  Verdict judge(const StepReport& report, double h) override;
  bool may_divide(double h) const override;
  double restart(double) override {
    left_ = 0.0;
    pause_ = 1;
    return h_;
  }

 private:
  double h_;
  double left_ = 0.0;                 ///< of a step that is taken in parts
  int pause_ = 1, until_growth_ = 0;  ///< parts that are not to grow, at a failure and now
};

/// A prescribed sequence of sizes, repeated from its beginning when it is used up.
class StepSequence final : public Controller {
 public:
  /// Throws InputError unless every size is positive and finite.
  explicit StepSequence(std::vector<double> steps);
  double first_step(const StepperTraits&, double) override;
  Verdict judge(const StepReport& report, double) override;
  double restart(double) override { return steps_[next_]; }

 private:
  std::vector<double> steps_;
  std::size_t next_ = 0;
};

}  // namespace picus
