// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Every run judges itself: whether joints are closed, contacts push, friction keeps its limit,
// energy is accounted for and the clock is that of the motion. docs/methods.md#audit

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "picus/model/audit_mode.h"
#include "picus/runs/audit_energy.h"
#include "picus/simulation/simulate.h"

namespace picus {

/// What the audit measures; docs/adr/0044-audit.md has the bounds.
enum class AuditCheck {
  kJointPosition,    ///< |g| of a joint [m or rad]
  kJointVelocity,    ///< |ġ| of a joint [m/s or rad/s]
  kRolling,          ///< |k| of a joint that rolls [m/s]
  kPenetration,      ///< −g of a contact, beyond that of the start [m]
  kPull,             ///< −λ of a contact [N]
  kContactFriction,  ///< ‖ψ‖ − μλ of a contact [N]
  kElementFriction,  ///< ‖ψ‖ − limit of a friction element [N or N m]
  kContactSlip,      ///< ψ·k + μλ ‖k‖ of a contact: power that friction does not take [W]
  kElementSlip,      ///< the same of a friction element [W]
  kRestitution,      ///< what a contact is off the law of impact [m/s]
  kEnergy,           ///< change of kinetic energy that is no work [J]
  kEnergyInPlay,     ///< a gain of it without a drive, against all energy in play [J]
  kClock             ///< time that passed without a step, or a step without time [s]
};
constexpr std::size_t kAuditChecks = 13;

/// Checks that are reported together; they are quantities of results.
enum class AuditGroup { kJoints, kContacts, kFriction, kEnergy, kClock };
constexpr std::size_t kAuditGroups = 5;
/// Worst violation over its bound.
using AuditRatios = std::array<double, kAuditGroups>;

/// The worst a check has seen.
struct AuditFinding {
  double ratio = 0.0;  ///< violation over bound
  double size = 0.0, bound = 0.0;
  double time = 0.0;      ///< [s]
  int row = -1;           ///< equation that it is about, or -1
  std::string part;       ///< its name
  std::string_view unit;  ///< of size and bound
};

enum class AuditVerdict { kGreen, kAmber, kRed };

struct AuditOptions {
  AuditMode mode = AuditMode::kFail;
  double tolerance = 0.0;  ///< of the error control; 0 for constant steps
  double span = 1.0;       ///< of the run [s]
  bool energy = true;      ///< false for a mass matrix that depends on positions
};

/// What an audit has found, in words.
struct AuditReport {
  AuditVerdict verdict = AuditVerdict::kGreen;
  std::string text;                   ///< one line: "audit: green, …"
  std::vector<std::string> warnings;  ///< one for each check that is not green
  std::string failure, advice;        ///< what is never right, and what to try; else empty
  std::string json;                   ///< for the summary of a result; "null" when it was off
};

/// Watches the steps of a run.
///
/// The end of every step is looked at, velocities of joints at every fourth, and points within some
/// of them: every sixteenth, chosen by a sequence without a period, and all that are long. Numbers
/// there come from the dense output.
class Audit {
 public:
  explicit Audit(const AuditOptions& options) : options_(options) {}

  /// For every moment of a run; false when something is so wrong that the run should end.
  bool observe(const Moment& moment);

  AuditVerdict verdict() const;
  const AuditFinding& finding(AuditCheck check) const {
    return findings_[static_cast<std::size_t>(check)];
  }
  /// Number of the worst of all checks, what is never right first; kAuditChecks for none.
  std::size_t worst() const;
  /// Of the moments since the last call.
  AuditRatios take_ratios();

  AuditReport report() const;

 private:
  std::string failure() const;
  std::string advice() const;
  std::vector<std::string> warnings() const;
  std::string text() const;
  std::string json() const;
  /// Whose violation a number is.
  struct Offender {
    AuditCheck check;
    Equation kind = Equation::kConstraint;
    int row = -1;
    bool is_impulse = false;  ///< over a step, where others are forces
  };
  /// Whether an equation turns bodies and moves none: it is in radians then.
  bool is_angular(Equation kind, int row) const;
  static std::string_view unit_of(AuditCheck check, bool is_angular, bool is_impulse);
  void find_angular_rows(const System& system, const State& state);
  void begin(const Moment& moment);
  void update_scales(const System& system, const State& state);
  void note(const Offender& who, double size, double bound, const Moment& moment, double time);
  struct Look {
    bool is_end;  ///< of a step, or within
    bool rates;   ///< at velocities, too
  };
  bool hides_impacts() const;
  double length() const;
  /// Joints and gaps.
  void look_at_gaps(const Moment& moment, const State& state, const Look& look);
  /// Of the gaps seen last; `in_jumping_step` when velocities may jump around the time.
  void judge_joint_positions(const Moment& moment, double time, bool in_jumping_step);
  void judge_penetration(const Moment& moment, double time, bool in_jumping_step);
  /// Velocities of joints, and of those that roll.
  void look_at_joint_rates(const Moment& moment, const State& state, bool is_end);
  /// Forces of contacts and friction elements, which are those of the state.
  void look_at_forces(const Moment& moment, const State& state);
  /// The same for methods that know them as impulses of the step.
  void look_at_impulses(const Moment& moment);
  void look_at_impact(const Moment& moment);
  void look_at_clock(const Moment& moment);
  /// At three points of a step that is drawn, at one of others.
  void look_within(const Moment& moment, bool is_drawn);
  /// A point within the step; within_ is its state then.
  void look_at_point(const Moment& moment, double fraction, bool with_gaps);
  /// Three points until the end of what is smooth, and the balance of energy over it.
  void look_at_points(const Moment& moment, double until);
  void judge_energy(const Moment& moment);
  bool is_coarsely_driven(const Moment& moment);
  /// Friction of a contact or an element, at a moment or in a step.
  struct Friction {
    bool is_element = false;
    int row = 0;             ///< of its first slip
    double size = 0.0;       ///< [N, or N s in a step]
    double limit = 0.0;      ///< the most it may be
    double scale = 0.0;      ///< by which forces count
    double power = 0.0;      ///< friction times slip
    double slip = 0.0;       ///< speed
    bool knows_slip = true;  ///< that of the law is the one at the end
    bool is_impulse = false;
  };
  void judge_friction(const Friction& friction, const Moment& moment, double time);
  double unsolved_impulse(const Moment& moment);
  /// The parts of the scales of lengths and forces that may be wrong.
  double held(double at_constant_steps) const;
  double drifted() const;
  double force_part() const;

  AuditOptions options_;
  StepperTraits traits_;
  std::array<AuditFinding, kAuditChecks> findings_;
  std::array<double, kAuditChecks> recent_ = {};
  long steps_ = 0;
  double length_ = 0.0, speed_ = 0.0, force_ = 0.0;  ///< scales: extent, velocity, normal force
  double largest_impulse_ = 0.0;                     ///< of a step, of methods that find switches
  double force_time_ = 0.0;                          ///< over which force_ is the mean [s]
  std::vector<bool> is_angle_;                       ///< of velocities
  std::vector<bool> angular_, angular_slip_;  ///< of constraints and of nonholonomic equations
  Vector first_gaps_;                         ///< those that were penetrated at the start, else 0
  double first_depth_ = 0.0;                  ///< the deepest of them
  Vector largest_limits_;                     ///< of friction elements so far
  Vector g_, rate_, rate_before_, k_, limit_, momentum_;
  SparseMatrix M_;
  State within_, before_, before_impact_;
  double last_time_ = 0.0, last_h_ = 0.0, unaccounted_ = 0.0;
  bool is_driven_ = false;  ///< by motions
  long driven_draws_ = 0;
  AuditEnergy energy_;
};

std::string_view name_of(AuditVerdict verdict);

}  // namespace picus
