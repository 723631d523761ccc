// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <vector>

#include "picus/dynamics/driven_rows.h"
#include "picus/steppers/common/step_scan.h"

namespace picus {

/// What ends a phase.
enum class EventKind {
  kImpact,   ///< an open contact closes: its gap becomes negative
  kRelease,  ///< a closed contact opens: its reaction does
  kSlide,    ///< a law that sticks begins to slip: limit - ‖ψ‖ does
  kRest,     ///< a law that slips comes to rest: its slip along the direction of motion does
  kJam,      ///< what the law cannot prevent drives a closed contact on
  kParadox,  ///< no reactions obey the laws: an impact without collision follows
  kJump      ///< none of a law: forces jump
};

struct ContactEvent {
  EventKind kind = EventKind::kImpact;
  int law = 0;             ///< as System::contact_law counts
  double rest = 0.0;       ///< slips up to this have come to rest with it [m/s]
  bool is_driven = false;  ///< joints and motions have decided, not its reaction
  /// Where a law that begins to slip, or turns around, is dragged to; zero when friction decides.
  Vector2 dragged = Vector2::Zero();
  double dragged_speed = 0.0;  ///< how fast [m/s]
};

/// Full states within a step, by dense output.
class StatesWithin {
 public:
  virtual ~StatesWithin() = default;
  /// `time` seconds after the beginning of the step; null when there is none. Accelerations and
  /// reactions obey the equations there if they are asked for.
  virtual const State* at(double time, bool with_reactions) = 0;
  /// How long after `time` forces by formula are smooth.
  virtual double smooth_from(double time) = 0;
};

/// The functions of a phase that are positive until an event: watch() a phase once, begin_phase()
/// and begin_step() where they begin, evaluate_step() after every attempt; then first(), too_long()
/// and the others say what happened in it.
///
/// One that starts at zero, because its contact has just changed its mode, is watched once it has
/// become positive.
class ContactEvents : private ScannedFunctions {
 public:
  /// Lists the functions of a phase; its full system has the states below, and `state` is one.
  void watch(const ContactPhase& phase, const State& state);
  /// The state at the beginning of a phase, or of a step that continues it.
  void begin_phase(const State& full_state);
  void begin_step(const State& full_state);

  /// Evaluates the functions at the end of a step of size h, and within it; without states within,
  /// from its two ends. After it:
  void evaluate_step(const State& full_state, double h, StatesWithin* within = nullptr);
  /// The earliest event of the step, by interpolation, or -1; first_time() is when [s].
  int first() const { return first_.function; }
  double first_time() const { return first_.time; }
  /// The times between which it is, and its function at the earlier one.
  const ScanCrossing& first_crossing() const { return first_; }
  /// A function that was never positive is negative now: the step is too long to tell when. Or -1.
  int too_long() const { return too_long_; }
  bool is_too_long() const { return too_long_ >= 0; }
  /// Whether that is a reaction, which has no rate.
  bool is_reaction_too_long() const { return is_too_long() && std::isnan(rate(too_long_)); }
  /// Up to this a reaction counts as none [N].
  double zero_force() const { return zero_force_; }
  /// A contact that closes, or a driven one whose event is here, right at the beginning of the
  /// step, or -1.
  int struck() const { return struck_; }
  /// The direction of a vanishing spatial slip is ill-defined: steps must not pass the time at
  /// which it vanishes at its present rate. Infinity when there is none.
  double time_to_stop() const { return time_to_stop_; }
  /// A spatial slip below this speed that gets slower has come to rest.
  void set_least_slip(double speed) { least_slip_ = speed; }
  /// The contact that closes first under the present gap, rate and acceleration, or -1: steps aim
  /// at that time, so that one attempt may do.
  int aim() const { return aim_; }
  double time_to_aim() const { return time_to_aim_; }
  /// That slip, when its time is up, and others that end together with it, within this time [s].
  ContactEvent stop(double within) const;
  /// That of a function, known within this time [s].
  ContactEvent event(int function, double within = 0.0) const;

  /// Value and rate of a function at the state seen last; rates of reactions are not known (NaN).
  double value(int function) const { return scan_.end().value(function); }
  double begin_value(int function) const { return scan_.begin().value(function); }
  double rate(int function) const { return scan_.end().rate(function); }
  /// Below this it is zero.
  double zero(int function) const override;

 private:
  struct Function {
    ContactEvent event;
    bool armed = false;               ///< has been positive
    double floor = 0.0;               ///< what it was below zero by rounding when the phase began
    bool is_driven = false;           ///< the equations of the phase decide, not the reaction
    Vector2 along = Vector2::Zero();  ///< direction of slip at the beginning of the step
    double time_to_rest = 0.0;        ///< of a spatial slip at its rate there [s]
  };
  /// Whether a law has friction at its limit and no slip since the phase began: it is held by
  /// others, and comes to rest only after it has moved. One that is dragged against its direction,
  /// faster and faster and by `noises` times rounding, is not held.
  bool is_held(const Function& function, double value, double rate, double noises) const {
    return function.is_driven && function.event.kind == EventKind::kRest && !function.armed &&
           (value > -noises * driven_speed_noise_ || rate >= 0.0);
  }
  /// Adds what a law may do in its mode.
  void list_functions(int law);
  void list_slip_functions(int law);
  void turn_with_slip(int function);
  double time_to_rest(const Function& function, double slip, double rate) const;
  bool is_at_event(int function) const;
  void evaluate(const State& full_state, ScanSample& to);
  void evaluate_driven(const Function& function, double& value, double& rate) const;
  void take_aim(const State& full_state);
  double friction_left(const Function& function, const ContactLaw& law,
                       const State& full_state) const;
  double part_of_crossing(const Function& function, const ScanCubic& cubic, bool armed) const;

  bool sample(ScanSample& sample) override;
  void follow_ends(ScanSample& sample) const;
  double crossing(int function, const ScanSample& a, const ScanSample& b,
                  bool armed) const override;
  double spacing(double time) override { return within_->smooth_from(time); }

  const ContactPhase* phase_ = nullptr;
  DrivenRows driven_;
  std::vector<Function> functions_;
  std::vector<ContactLaw> laws_;
  bool needs_gaps_ = false, needs_slips_ = false, needs_limits_ = false, needs_reactions_ = false;
  StepScan scan_;
  StatesWithin* within_ = nullptr;
  ScanCrossing first_;
  int too_long_ = -1, struck_ = -1, stopping_ = -1;
  double time_to_stop_ = 0.0, least_slip_ = 0.0;
  int aim_ = -1;
  double time_to_aim_ = 0.0;
  Vector gap_, gap_rate_, gap_acceleration_, slip_, slip_rate_, limits_;
  // sizes up to which a length, a speed, a force, and the gap rate of a contact that has just
  // closed or opened count as zero
  double zero_length_ = 0.0, zero_speed_ = 0.0, zero_force_ = 0.0, zero_gap_rate_ = 0.0;
  double driven_speed_noise_ = 0.0;  ///< what rounding leaves to speeds of driven rows
};

}  // namespace picus
