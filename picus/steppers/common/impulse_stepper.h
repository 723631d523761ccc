// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/steppers/common/contact_impulses.h"
#include "picus/steppers/common/reaction_limits.h"
#include "picus/steppers/nonsmooth_methods.h"

namespace picus {

std::unique_ptr<ContactSolver> make_contact_solver(const ContactOptions& options);

/// A step over which forces, reactions and impacts act together, so that nobody needs to know when
/// within it an impact takes place:
///
///   M (v − v₀) = s F + Gᵀ p,        impulses p of joints and contacts over the time s
///
/// with one unknown velocity v. Smooth forces are iterated by Newton's method; the impulses of
/// contacts that go with each iterate solve a contact problem. Derived classes say where the
/// equations are taken and what the contacts obey.
class ImpulseStepper : public Stepper {
 public:
  void start(const System& system, const State& state) override;
  void follow_contacts(const System& system, const State& state,
                       const ContactChange& change) override;
  StepReport attempt(const System& system, const State& from, double h, State& to) override;
  void accept() override {}
  void set_patience(Patience patience) override { contacts_.set_patience(patience); }
  /// Straight lines: methods of first order know no more. The velocities of a step with an impact
  /// are those of its beginning until its end: nobody knows when in between they jump, and a mean
  /// of both sides has never been.
  void interpolate(const System& system, double fraction, State& result) const override;
  double smooth_part() const override { return has_impact() ? 0.0 : 1.0; }
  StepImpulses impulses() const override;
  /// "increment": of positions in the last step, before they are projected.
  const Vector* internal(std::string_view name) const override;
  std::span<const LawMode> law_modes() const override;

 protected:
  struct Limits {
    double tolerance;    ///< change of the velocity, relative to velocities, at which it is found
    int max_iterations;  ///< before a step fails
    double contact_tolerance = 0.0;  ///< of the solver of contact problems
  };
  ImpulseStepper(std::string_view name, std::unique_ptr<ContactSolver> solver, Limits limits);

  enum Block { kMotion, kJoints, kRollings, kControls };

  /// Sets velocity_ (a guess), velocity_before_, span_ and the contacts that may act; `before_` is
  /// what they did before the step.
  virtual void begin_step(const System& system) = 0;
  /// Where the equations are taken for the present velocity_ and impulses.
  virtual void place(const System& system) = 0;
  /// The matrix along accelerations x, v − v₀ changing by s x; false when it is singular.
  virtual bool assemble(const System& system) = 0;
  /// x_ ← minus the equations, without contacts, in the units of accelerations; residual_ ← the
  /// balance of momentum.
  virtual void state_equations(const System& system) = 0;
  /// free_: what contacts would do with velocity_ + span_ x_.
  virtual void see_contacts(const System& system) = 0;
  /// Whether the matrix of a linear system is another one for another step size.
  virtual bool matrix_sees_step() const { return true; }
  /// Whether a single iteration finds the velocity.
  virtual bool is_exact() const { return false; }
  /// Whether velocity_ is found, after it has changed by at most `change`; the equations are placed
  /// anew.
  virtual bool is_settled(const System&, double change) {
    return change <= limits_.tolerance * scale_;
  }
  /// Positions and velocities of end_; false when they cannot be found.
  virtual bool end_step(const System& system) = 0;

  /// Whether velocities jump in the step.
  virtual bool has_impact() const { return contacts_.any() && contacts_.has_impact(); }

  const Limits& limits() const { return limits_; }
  /// Then the matrix lives on as long as the step size does.
  bool is_linear() const { return is_linear_; }
  void set_reactions(State& s) const;
  /// Without those of contacts: impulses are found anew in each iteration.
  void set_joint_reactions(State& s) const;
  /// Borders the matrix by `columns` (transposed) and `rows` of the first equations.
  void border(Block block, const SparseMatrix& columns, const SparseMatrix& rows);
  /// Throws InputError unless the value lies in [0, 1].
  static void expect_fraction(double value, const char* option);
  static void head_rows(const SparseMatrix& all, int rows, SparseMatrix& head);

  SystemSizes sizes_;
  double h_ = 0.0;
  double span_ = 0.0;   ///< s, the time over which impulses act [s]
  double scale_ = 0.0;  ///< of velocities in the step under way
  State begin_, end_;
  Vector velocity_, velocity_before_;  ///< v and v₀
  Vector increment_;                   ///< of the positions over the step
  Vector control_rate_;
  ContactImpulses contacts_;
  ContactMotion before_, free_;
  BlockMatrix matrix_;
  Vector x_, residual_;

 private:
  void size_states(const System& system, const State& state);
  StepReport::Status iterate(const System& system, StepReport& report);
  /// The impulses of contacts; where reactions press, with the limits that follow from the impulses
  /// of joints in the same step.
  ContactReport solve_contacts(const System& system);
  StepReport failed(StepReport report, StepReport::Status status) const;
  StepReport not_settled(StepReport report) const;

  std::string_view name_;
  Limits limits_;
  bool is_linear_ = false;
  bool reads_reactions_ = false;
  ReactionLimits reaction_limits_;
  Vector moved_, joint_impulse_, limit_;
  double matrix_h_ = 0.0, matrix_span_ = 0.0;  ///< for which the matrix was made
  Vector impulse_, rolling_impulse_, change_, velocity_change_;
  mutable Vector scaled_;
  mutable std::vector<LawMode> modes_;
};

}  // namespace picus
