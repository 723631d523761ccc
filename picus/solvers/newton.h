// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "picus/base/fields.h"
#include "picus/math/types.h"

namespace picus {

/// How long a factorised matrix is used. Residuals are always exact, so the policy changes the
/// cost, not the solution.
enum class JacobianReuse {
  kEveryIteration,  ///< full Newton
  kEveryStep,       ///< one matrix a step, renewed when convergence is slow
  kAcrossSteps      ///< kept until convergence is slow or the step size leaves a band
};

template <>
struct EnumNames<JacobianReuse> {
  static constexpr std::array<std::string_view, 3> names{"every_iteration", "every_step",
                                                         "across_steps"};
};

/// Why a matrix was factorised.
enum class Refresh {
  kStart,     ///< there was none: the beginning of a run, or a restart
  kPolicy,    ///< jacobian_reuse asks for a new one each step or iteration
  kStepSize,  ///< h has left the band within which the old one serves
  kSlow,      ///< the iteration converged more slowly than slow_rate
  kFailure,   ///< the iteration failed with the old one, or the last step failed
  kActiveSet  ///< other equations are active than when it was made
};
template <>
struct EnumNames<Refresh> {
  static constexpr std::array<std::string_view, 6> names{"start", "policy",  "step_size",
                                                         "slow",  "failure", "active_set"};
};

/// Factorisations by reason.
template <class Count>
struct RefreshCounts {
  std::array<Count, EnumNames<Refresh>::names.size()> counts{};

  Count& operator[](Refresh why) { return counts[static_cast<std::size_t>(why)]; }
  Count operator[](Refresh why) const { return counts[static_cast<std::size_t>(why)]; }
  template <class Other>
  void add(const RefreshCounts<Other>& other) {
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] += other.counts[i];
  }
};

struct NewtonOptions {
  /// Bound on the error that the iteration leaves in the unknowns (accelerations, multipliers,
  /// rates), relative to the largest of their kind. It is estimated from the last correction and
  /// the observed rate θ of convergence as θ/(1-θ) |correction|. An iteration that has stopped
  /// converging has arrived all the same when rounding of positions and velocities explains it.
  double newton_tolerance = 1e-10;
  int newton_max_iterations = 30;
  JacobianReuse jacobian_reuse = JacobianReuse::kEveryStep;
  double slow_rate = 0.2;   ///< rate of convergence above which an old matrix is renewed
  double reuse_band = 0.3;  ///< relative change of h that an old matrix survives

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("newton_tolerance", self.newton_tolerance,
          "error left by the iteration, relative to the largest acceleration or multiplier");
    visit("newton_max_iterations", self.newton_max_iterations, "iterations before a step fails");
    visit("jacobian_reuse", self.jacobian_reuse,
          "every_iteration (full Newton), every_step or across_steps");
    visit("slow_rate", self.slow_rate,
          "rate of convergence above which an old matrix is refactorized");
    visit("reuse_band", self.reuse_band,
          "relative change of h that a matrix survives with across_steps");
  }
};

/// F(x) = 0 with its linearisation; numbers in, numbers out.
class NewtonProblem {
 public:
  virtual ~NewtonProblem() = default;
  virtual void residual(const Vector& x, Vector& r) = 0;
  /// Evaluates and factorises the matrix at x, where residual() was called last; false if singular.
  virtual bool linearize(const Vector& x) = 0;
  /// r ← A⁻¹ r with the last factorised matrix.
  virtual void solve(Vector& r) const = 0;
  /// Size of a correction in units of the tolerance: 1 is just acceptable.
  virtual double error_norm(const Vector& correction, const Vector& x) const = 0;
  /// True for equations that depend on an active set, which residual() decides.
  virtual bool has_active_set() const { return false; }
  /// True when the active set of residual() is not that of linearize(): the matrix must not be
  /// used.
  virtual bool is_stale() const { return false; }
  /// True when the matrix is that of the equations wherever the same set is active: one correction
  /// solves them.
  virtual bool is_linear() const { return false; }
  /// True when residual() has found that active sets repeat themselves and wants to begin again
  /// from the guess, with other rules.
  virtual bool wants_restart() const { return false; }
  /// The equation to blame when no remedy is left against that; -1 otherwise.
  virtual int cycling_row() const { return -1; }
  /// True when rounding errors explain a correction of this size.
  virtual bool is_rounding(const Vector& correction) const = 0;
};

struct [[nodiscard]] NewtonReport {
  enum class Status {
    kConverged,
    kTooManyIterations,
    kDiverged,
    kSingular,
    kNotFinite,
    kCycling  ///< the active sets repeat themselves
  };
  Status status = Status::kConverged;
  int iterations = 0;  ///< linear solves
  int factorizations = 0;
  RefreshCounts<int> refreshed;  ///< the same by reason
  double rate = 0.0;             ///< last observed rate of convergence
  int worst_row = -1;            ///< of the residual, on failure
  double worst_residual = 0.0;

  bool ok() const { return status == Status::kConverged; }
  /// Goes on with another try: its outcome, and the work of both.
  void follow_by(const NewtonReport& again) {
    const NewtonReport before = std::exchange(*this, again);
    iterations += before.iterations;
    factorizations += before.factorizations;
    refreshed.add(before.refreshed);
  }
};

/// Newton's method with an optional memory of its matrix between calls.
class Newton {
 public:
  explicit Newton(const NewtonOptions& options) : options_(options) {}

  /// Sizes the work space and forgets the matrix.
  void reset(int unknowns);
  void forget_matrix(Refresh why);

  /// x holds the guess on entry and the solution, or the last iterate, on exit.
  NewtonReport solve(NewtonProblem& problem, Vector& x);

 private:
  enum class Pass { kGoOn, kConverged, kFailed, kRenew };
  /// Of one pass of iterations.
  struct Progress {
    bool renew = false;          ///< the matrix, before the next correction
    bool is_fresh = true;        ///< the matrix was made in this pass
    bool rate_is_known = false;  ///< the last two corrections used the same matrix
    int growing = 0;             ///< how many corrections in a row were larger than the one before
    double last = 0.0;           ///< size of the last correction
    Refresh why = Refresh::kPolicy;

    void note(double size, double slow_rate);
    void begin_anew(Refresh reason);
  };
  Pass iterate(NewtonProblem& problem, Vector& x, NewtonReport& report, bool fresh);
  bool refresh(NewtonProblem& problem, const Vector& x, NewtonReport& report, Progress& progress);
  bool has_arrived(const NewtonProblem& problem, double size, const Progress& progress) const;
  bool has_settled(NewtonProblem& problem, const Vector& x);
  bool is_solved_at_once(NewtonProblem& problem, const Vector& x);
  Pass correct(NewtonProblem& problem, Vector& x, NewtonReport& report, Progress& progress);
  Pass fail(NewtonReport& report, NewtonReport::Status status, const Progress& progress) const;
  Pass fail_cycling(const NewtonProblem& problem, NewtonReport& report) const;
  void blame(NewtonReport& report, NewtonReport::Status status) const;

  NewtonOptions options_;
  bool has_matrix_ = false;
  Refresh missing_ = Refresh::kStart;  ///< why there is no matrix
  Vector r_, correction_, guess_;
};

}  // namespace picus
