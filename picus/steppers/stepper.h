// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "picus/base/contact_mode.h"
#include "picus/dynamics/system.h"
#include "picus/solvers/contact_problem.h"
#include "picus/solvers/contact_solver.h"
#include "picus/solvers/newton.h"

namespace picus {

/// The outcome of one attempted step. Numerical trouble is a value, never an exception.
struct [[nodiscard]] StepReport {
  enum class Status {
    kOk,
    kNotConverged,    ///< the Newton iteration did not reach its tolerance
    kSingularMatrix,  ///< the constraints are dependent here, or an inertia is missing
    kNotFinite,       ///< the equations returned NaN or infinity
    kDiverged,        ///< the result is not finite, or so large that its square is not
    kNoActiveSet,     ///< no consistent set of active contacts was found
    kNoImpulses,      ///< the contact problem of the step was not solved to its tolerance
    kNoModes,         ///< no accelerations and reactions satisfy the contact laws
    kAccumulation,    ///< infinitely many events within a finite time
    kJammed           ///< joints and motions drive a closed contact into penetration
  };
  /// The outcome of the search for switching points, studer-leine-glocker §9.2. A step in which the
  /// modes of contacts change is of first order.
  enum class Switching {
    kUnknown,     ///< the method does not search
    kSmooth,      ///< no switching point, within the tolerance
    kInaccurate,  ///< no switching point, but a higher order or a smaller step is needed
    kDetected,    ///< one in this step or at the end of the one before
    kResolved     ///< one in this step, which has the smallest size
  };
  Status status = Status::kOk;
  Switching switching = Switching::kUnknown;
  double error = 0.0;        ///< estimated local error over tolerance; ≤ 1 is acceptable
  double step_factor = 1.0;  ///< by which h would just meet the tolerance; 1: unknown, 0: none
  double taken = 0.0;        ///< size of a step that ended early, at an event; 0: all of h
  double too_fast = 0.0;     ///< |λ| [1/s] of the motion whose stability limits the steps of an
                             ///< explicit method; 0: none
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
  bool reaction_limits = false;    ///< the same with limits that read reactions of joints
  bool stops_at_events = false;    ///< steps may end early, see StepReport::taken
  bool finds_switches = false;     ///< fills StepReport::switching
  bool poisson = false;            ///< accepts contacts with Poisson's law of restitution

  // What its steps do not satisfy; the audit judges runs by it.
  bool position_drift = false;     ///< joints open: errors of steps accumulate
  bool velocity_drift = false;     ///< ġ and k are violated by the error of a step
  bool penetration = false;        ///< contacts penetrate by up to the motion of one step
  double contact_tolerance = 0.0;  ///< of its contact problems, relative to the velocities
};

/// The impulses of the reactions over a step [N s], indexed like λ and ψ of the system that the
/// method integrates. A pointer is null if the method does not provide it; pointers are valid until
/// the next attempt.
struct StepImpulses {
  /// The impulses of the impact at which the step ended, for methods that locate events.
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

/// A read-only view of one step: dense output, impulses, contact modes.
class StepView {
 public:
  virtual ~StepView() = default;

  virtual StepperTraits traits() const = 0;

  /// Dense output, fraction in [0, 1]; cubic in the positions. Velocities are left limits within
  /// and the right one at 1: they never mix both sides of an impact.
  virtual void interpolate(const System& system, double fraction, State& result) const = 0;

  /// Whether the reactions of dense output are those of the method, not to be solved for again:
  /// velocities within the step of a stiff motion are not as good as that.
  virtual bool has_reactions_within() const { return false; }

  /// The fraction of the step before its first impact; 0 if impacts may be anywhere in the step.
  virtual double smooth_part() const { return 1.0; }

  virtual StepImpulses impulses() const { return {}; }

  /// A quantity of the method itself, for plots and studies; null when it has none of that name.
  /// The α-methods offer "shifted_acceleration".
  virtual const Vector* internal(std::string_view) const { return nullptr; }

  /// One per contact, then one per friction element; empty if the method does not provide them.
  virtual std::span<const LawMode> law_modes() const { return {}; }

  /// The modes after the event that ended the step, if one did.
  virtual std::span<const LawMode> next_modes() const { return law_modes(); }
};

/// An integration method: advances a State by one step.
///
///     stepper.start(system, state);                     // once, with a consistent state
///     report = stepper.attempt(system, state, h, next);
///     if (report.ok()) { stepper.accept(); state = next; }  // else attempt again, with another h
///
/// The caller owns time: it chooses h, judges the report, and accepts the step or tries another. An
/// attempt changes neither `from` nor the history of the stepper; accept() makes it final. As a
/// StepView the stepper shows the last attempt. simulate() does all this for you.
class Stepper : public StepView {
 public:
  /// Asks for the local error of every attempt in units of a tolerance, relative to the scale of
  /// each coordinate; 0 asks for none. Methods may then solve their equations no better than the
  /// tolerance needs. Call it before start(); methods that cannot, ignore it.
  virtual void control_error(double /*tolerance*/) {}

  /// The smallest step [s] that methods which divide steps may still divide.
  virtual void limit_division(double /*h_min*/) {}

  /// How much attempts may try for a solution of their contact problem; unlimited by default. A
  /// step that fails early can be divided, and each part poses another problem.
  virtual void set_search_effort(SearchEffort /*effort*/) {}

  /// Sizes the work space and clears the history. The state must be consistent, accelerations
  /// included (make_consistent); call again after every velocity jump. Throws InputError if the
  /// method cannot handle the system.
  virtual void start(const System& system, const State& state) = 0;

  /// To be called after System::find_contacts() has changed the contacts between two steps; `state`
  /// has followed. Methods keep their history if they can; by default it is cleared.
  virtual void follow_contacts(const System& system, const State& state,
                               const ContactChange& /*change*/) {
    start(system, state);
  }

  /// To be called after constraints were replaced by equivalent ones between two steps; `state` has
  /// followed. By default the history is cleared.
  virtual void follow_constraints(const System& system, const State& state) {
    start(system, state);
  }

  /// To be called after forces have jumped, with the consistent `state` after the jump. By default
  /// the history is cleared and resting contacts get their new reactions.
  virtual void restart(const System& system, State& state);

  /// To be called when the next step starts from `state`, the end of a step before the last
  /// accepted one. By default the history is cleared.
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

/// A message about a step: what failed, when, at which step size, in which equation.
std::string explain(const System& system, const StepReport& report, double time, double h);

}  // namespace picus
