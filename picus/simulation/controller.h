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
  /// On acceptance: may be undone until the next step is accepted. Only then does it become a
  /// checkpoint and reach observers.
  bool provisional = false;
  std::string reason = {};  ///< on giving up: why no other step is tried, as half a sentence
};

/// Chooses step sizes and judges attempts. It sees reports, never equations. The loop calls
/// first_step() once, judge() after every attempt and restart() after every jump. Methods that
/// combine others (substeps, extrapolation, a second method across an impact) are steppers built
/// from steppers.
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
  /// How long the next attempt may search for a solution of its contact problem.
  virtual SearchEffort search_effort() const { return SearchEffort::kUnlimited; }
  /// Forgets past errors: the motion jumps after a step of size h. Returns the next size.
  virtual double restart(double h) { return h; }
};

/// A constant step size. Only a step whose contact problem was not solved gets a second chance: it
/// is divided by repeated halving, down to 1/256, since each part poses another problem. Hard
/// problems come in a row: parts keep their size across steps, and twice the size is tried after a
/// pause that grows with every failure. But a heap that is about to settle is as hard in every part
/// and easy after the step: if a 64th is not solved soon, the rest of the step is tried with more
/// effort before smaller parts are. A failure there costs a hundred parts or more, so it is not
/// repeated before as many have been taken.
class FixedStep final : public Controller {
 public:
  /// Throws InputError unless h is positive and finite.
  explicit FixedStep(double h);
  double first_step(const StepperTraits&, double) override { return restart(h_); }
  Verdict judge(const StepReport& report, double h) override;
  SearchEffort search_effort() const override;
  double restart(double) override {
    begin_whole_steps();
    return h_;
  }

 private:
  enum class Stage {
    kWhole,  ///< steps
    kParts,  ///< of a step
    kRest    ///< what is left of it, with more effort
  };
  void begin_whole_steps();
  Verdict divide(double h);
  void take_part(double h);

  double h_;
  Stage stage_ = Stage::kWhole;
  double part_ = 0.0;  ///< size of the parts
  double left_ = 0.0;  ///< of the step that they add up to
  // parts that are not to grow, and those before the rest is tried: at a failure, and now
  int pause_ = 1, until_growth_ = 0;
  int rest_pause_ = 0, until_rest_ = 0;
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
