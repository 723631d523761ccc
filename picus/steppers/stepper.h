// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "picus/dynamics/system.h"
#include "picus/solvers/contact_problem.h"
#include "picus/solvers/contact_solver.h"
#include "picus/solvers/newton.h"

namespace picus {

/// What came out of one attempted step. Numerical trouble is a value, never an exception.
struct [[nodiscard]] StepReport {
  enum class Status {
    kOk,
    kNotConverged,    ///< the Newton iteration did not reach its tolerance
    kSingularMatrix,  ///< the constraints are dependent here, or an inertia is missing
    kNotFinite,       ///< the equations returned NaN or infinity
    kDiverged,        ///< the result is not finite, or so large that its square is not
    kNoActiveSet,     ///< no set of closed contacts was found that agrees with itself
    kNoImpulses,      ///< the contact problem of the step was not solved to its tolerance
    kNoModes,         ///< no accelerations and reactions obey the laws of the contacts
    kAccumulation,    ///< events follow each other ever faster
    kJammed           ///< joints and motions drive a closed contact on
  };
  /// How a step ended that looks for switching points, studer-leine-glocker §9.2. Where the modes
  /// of the laws change, the step is of first order.
  enum class Switching {
    kUnknown,     ///< the method does not look
    kSmooth,      ///< no switching point, and as accurate as asked for
    kInaccurate,  ///< no switching point, but a higher order or a smaller step is wanted
    kDetected,    ///< one in this step or at the end of the one before
    kResolved     ///< one in this step, which is as small as steps get
  };
  Status status = Status::kOk;
  Switching switching = Switching::kUnknown;
  double error = 0.0;        ///< estimated local error over tolerance; ≤ 1 is acceptable
  double step_factor = 1.0;  ///< by which h would just meet the tolerance; 1: unknown, 0: none
  double taken = 0.0;        ///< size of a step that ended early, at an event; 0: all of h
  double too_fast = 0.0;     ///< |λ| [1/s] of a motion that keeps the steps of an explicit method
                             ///< short because they would be unstable; 0: none
  int order = 0;             ///< of this step, of methods that change it; 0: traits().order
  int newton_iterations = 0;
  int factorizations = 0;
  RefreshCounts<int> refreshed;    ///< factorizations by reason
  double newton_rate = 0.0;        ///< last observed rate of convergence
  int cycles = 0;                  ///< how often active sets of contacts came back to an old one
  std::string_view equation = {};  ///< kind of the worst equation on failure, else of the error
  Equation worst_kind = Equation::kMomentum;
  int worst_index = 0;          ///< its number within the kind
  double worst_residual = 0.0;  ///< scaled to accelerations: g over h², ġ over h

  bool ok() const { return status == Status::kOk; }
};

struct StepperTraits {
  int order = 1;                   ///< on smooth motions
  bool holonomic = false;          ///< accepts constraints g
  bool nonholonomic = false;       ///< accepts constraints k
  bool general_reactions = false;  ///< accepts forces nonlinear in the multipliers
  bool controls = true;            ///< accepts first-order states and variables
  bool estimates_error = false;    ///< fills StepReport::error after control_error()
  bool handles_impacts = false;    ///< may step across velocity jumps
  bool friction = false;           ///< accepts contacts with friction, and friction elements
  bool stops_at_events = false;    ///< steps may end early, see StepReport::taken
  bool finds_switches = false;     ///< fills StepReport::switching
  bool poisson = false;            ///< accepts contacts with Poisson's law of restitution

  // What the results of its steps do not hold, by which runs are judged.
  bool position_drift = false;  ///< joints open by the errors of steps, which add up
  bool velocity_drift = false;  ///< ġ and k are off by those of a step
  bool penetration = false;     ///< contacts are penetrated by what bodies move in a step
};

/// What a contact or a friction element does during a step: σ̂ of studer-leine-glocker §4, told by
/// projections and not by tolerances. Open and slip are their 'impressed', the others 'constraint'.
struct LawMode {
  ContactMode mode = ContactMode::kOpen;
  int side = 0;  ///< of slip along one direction: the sign of friction; impressed at two ends

  bool operator==(const LawMode&) const = default;
};

/// What the reactions of a step gave in total [N s], in the places of λ and ψ of the system that
/// the method works on. A pointer is null where the method does not tell; they are good until the
/// next attempt.
struct StepImpulses {
  /// Of an impact alone, with which a step ended that was led to it.
  struct Impact {
    const Vector* normal = nullptr;           ///< of joints and contacts
    const Vector* tangential = nullptr;       ///< of rollings, slips and friction elements
    const Vector* velocity_before = nullptr;  ///< v right before it
  };
  const Vector* normal = nullptr;          ///< of joints and contacts: ∫λ dt, impacts included
  const Vector* tangential = nullptr;      ///< of rollings, slips and friction elements: ∫ψ dt
  const Vector* friction_limit = nullptr;  ///< of friction elements: the most they could have given
  Impact impact = {};

  /// Whether the step ended with an impact, and the method knows what it was.
  bool has_impact() const { return impact.velocity_before != nullptr; }
};

/// What can be asked about one step.
class StepView {
 public:
  virtual ~StepView() = default;

  virtual StepperTraits traits() const = 0;

  /// Dense output, fraction in [0, 1]; cubic in the positions. Velocities are left limits within
  /// and the right one at 1: they never mix both sides of an impact.
  virtual void interpolate(const System& system, double fraction, State& result) const = 0;

  /// The fraction of the step, at its beginning, without impacts; one takes the rest. 0 where it is
  /// somewhere in the step.
  virtual double smooth_part() const { return 1.0; }

  virtual StepImpulses impulses() const { return {}; }

  /// A quantity of the method itself, for plots and studies; null when it has none of that name.
  /// The α-methods offer "shifted_acceleration".
  virtual const Vector* internal(std::string_view) const { return nullptr; }

  /// One per contact, then one per friction element; empty when the method does not tell.
  virtual std::span<const LawMode> law_modes() const { return {}; }

  /// The same behind the event that ended the step, if one did.
  virtual std::span<const LawMode> next_modes() const { return law_modes(); }
};

/// Advances a State by one step.
///
/// The caller owns time: it chooses h, compares the report with its own standards, and then either
/// accepts the step or tries another. An attempt therefore changes neither `from` nor the history
/// of the stepper; accept() is what makes it final.
///
/// As a StepView it shows the last attempt.
class Stepper : public StepView {
 public:
  /// Asks for the local error of every attempt in units of a tolerance, relative to the scale of
  /// each coordinate; 0 asks for none. Methods may then solve their equations no better than the
  /// tolerance needs. Call it before start(); methods that cannot, ignore it.
  virtual void control_error(double /*tolerance*/) {}

  /// Methods that divide steps divide none below this size [s].
  virtual void limit_division(double /*h_min*/) {}

  /// How long attempts may search for a solution of their contact problem: all there is by default.
  /// A step that fails soon can be divided, and each part poses another problem.
  virtual void set_patience(Patience /*patience*/) {}

  /// Sizes the work space and forgets the past. The state must be consistent, accelerations
  /// included (make_consistent); call again after every velocity jump. Throws InputError when the
  /// system has features the method does not accept.
  virtual void start(const System& system, const State& state) = 0;

  /// Contacts of the system were found anew (System::find_contacts) between two steps; `state` fits
  /// already. Methods that can, keep what they know; by default the past is forgotten.
  virtual void follow_contacts(const System& system, const State& state,
                               const ContactChange& /*change*/) {
    start(system, state);
  }

  /// Joints and rolling of the system were replaced by others that say the same, between two steps;
  /// `state` fits already. By default the past is forgotten.
  virtual void follow_constraints(const System& system, const State& state) {
    start(system, state);
  }

  /// Forces have jumped since the last accepted step, a moment before `state`, which is consistent.
  /// By default the past is forgotten, and contacts at rest get the reactions of now.
  virtual void restart(const System& system, State& state);

  /// The next step starts from `state`, the end of an earlier step than the last accepted one. By
  /// default the past is forgotten.
  virtual void roll_back(const System& system, const State& state) { start(system, state); }

  /// Computes `to`, the state at from.time + h, or at from.time + report.taken where an event ends
  /// the step early. Allocates nothing.
  virtual StepReport attempt(const System& system, const State& from, double h, State& to) = 0;

  /// Commits the history of the last attempt.
  virtual void accept() = 0;

  /// The last accepted step. Methods with traits().finds_switches keep it while the next one is
  /// attempted, until that is accepted.
  virtual const StepView& accepted() const { return *this; }
};

/// The friction elements of a system as messages name them: "friction elements ('brake')".
std::string friction_elements_of(const System& system);

/// One sentence for a human: what failed, when, at which step size, in which equation.
std::string explain(const System& system, const StepReport& report, double time, double h);

}  // namespace picus
