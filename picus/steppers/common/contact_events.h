// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/dynamics/contact_phase.h"

namespace picus {

/// What ends a phase.
enum class EventKind {
  kImpact,   ///< an open contact closes: its gap becomes negative
  kRelease,  ///< a closed contact opens: its reaction does
  kSlide,    ///< a law that sticks begins to slip: limit - ‖ψ‖ does
  kRest,     ///< a law that slips comes to rest: its slip along the direction of motion does
  kParadox   ///< no reactions obey the laws: an impact without collision follows
};

struct ContactEvent {
  EventKind kind = EventKind::kImpact;
  int law = 0;          ///< as System::contact_law counts
  double before = 0.0;  ///< what its function was at the beginning of the step
};

/// The functions of a phase that are positive until an event.
///
/// One that starts at zero, because its contact has just changed its mode, is watched once it has
/// become positive.
class ContactEvents {
 public:
  /// Lists the functions of a phase; its full system has the states below.
  void watch(const ContactPhase& phase);
  /// The state at the beginning of a phase, or of a step that continues it.
  void begin_phase(const State& full_state);
  void begin_step(const State& full_state);

  /// Values at the end of a step of size h. After it:
  void see(const State& full_state, double h);
  /// The earliest event of the step, by interpolation, or -1; first_time() is when [s].
  int first() const { return first_; }
  double first_time() const { return first_time_; }
  /// A function that was never positive is negative now: the step is too long to tell when. Or -1.
  int too_long() const { return too_long_; }
  bool is_too_long() const { return too_long_ >= 0; }
  /// A contact that closes right at the beginning of the step, or -1.
  int struck() const { return struck_; }
  /// A spatial slip that is about to end turns around as it likes: steps must not go over the time
  /// at which it would, at its present rate. Infinity when there is none.
  double time_to_stop() const { return time_to_stop_; }
  /// The contact that closes first under the present gap, rate and acceleration, or -1: steps aim
  /// at that time, so that one attempt may do.
  int aim() const { return aim_; }
  double time_to_aim() const { return time_to_aim_; }
  /// That slip, when its time is up.
  ContactEvent stop() const;
  ContactEvent event(int function) const {
    ContactEvent event = functions_[static_cast<std::size_t>(function)].event;
    event.before = functions_[static_cast<std::size_t>(function)].begin;
    return event;
  }

  /// Value and rate of a function at the state seen last; rates of reactions are not known (NaN).
  double value(int function) const { return functions_[static_cast<std::size_t>(function)].value; }
  double begin_value(int function) const {
    return functions_[static_cast<std::size_t>(function)].begin;
  }
  double rate(int function) const { return functions_[static_cast<std::size_t>(function)].rate; }
  /// Below this it is zero.
  double zero(int function) const;

 private:
  struct Function {
    ContactEvent event;
    double begin = 0.0, begin_rate = 0.0;
    double value = 0.0, rate = 0.0;
    bool armed = false;               ///< has been positive
    Vector2 along = Vector2::Zero();  ///< direction of slip at the beginning of the step
  };
  void evaluate(const State& full_state);
  void take_aim(const State& full_state);
  double friction_left(const Function& function, const ContactLaw& law,
                       const State& full_state) const;
  /// Where in [0, h] a function passes from positive to negative, or -1.
  double crossing(const Function& function, double h) const;

  const ContactPhase* phase_ = nullptr;
  std::vector<Function> functions_;
  std::vector<ContactLaw> laws_;
  bool sees_gaps_ = false, sees_slips_ = false, sees_limits_ = false;
  int first_ = -1;
  double first_time_ = 0.0;
  int too_long_ = -1, struck_ = -1, stopping_ = -1;
  double time_to_stop_ = 0.0;
  int aim_ = -1;
  double time_to_aim_ = 0.0;
  Vector gap_, gap_rate_, gap_acceleration_, slip_, slip_rate_, limits_;
  double near_ = 0.0, slow_ = 0.0, weak_ = 0.0;  ///< lengths, speeds and forces that are zero
  double still_ = 0.0;  ///< a gap rate of a contact that has just closed or opened that is none
};

}  // namespace picus
