// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Nonsmooth generalized-α: a smooth motion of second order, and impulses that correct positions
// and velocities within the step, so that impacts need not be located. bruls-acary-cardona (65).
//
// The equations are those of three_levels.h; contact j takes part in them when
//
//   A:  ν*_j - r g_j ≥ 0                                    position level       (55)
//   B:  in A and  Λ*_j - r (ġ_j(t_{n+1}) + e_j ġ_j(t_n)) ≥ 0   velocity level    (56)
//   S:  in B and  λ_j - r g̈_j ≥ 0                           smooth motion        (57)
//
// with the whole impulses of the step, to which the smooth reactions contribute,
//
//   Λ* = Λ + h (1-γ) η_n + h γ η_{n+1}                                          (65m)
//   ν* = ν + h² (1/2-β) η_n + h² β η_{n+1}                                      (65n), corrected
//   (1-α_m) η_{n+1} + α_m η_n = (1-α_f) λ_{n+1} + α_f λ_n                       (65o)
//
// An open contact has ν* = Λ* = 0. The paper prints ν = Λ = 0; then a contact that has carried a
// smooth reaction keeps a part of it in its first open steps, 0 ≤ g ⊥ ν* ≥ 0 fails, and there are
// steps without any active set that agrees with itself.
//
// Friction is not in the paper: see friction_rows.h. Ψ* is to ψ what Λ* is to λ.
//
// Friction elements are closed contacts with μ = 1 whose normal force is their limit: λ is that at
// the end of the step, Λ* is h times the mean of both ends. The end is foreseen from the beginning,
// q_n ⊕ (h v_n + h²/2 v̇_n), which is of second order and leaves the limits out of the derivatives.

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "picus/steppers/common/active_set_guard.h"
#include "picus/steppers/common/friction_rows.h"
#include "picus/steppers/common/reaction_limits.h"
#include "picus/steppers/common/three_levels.h"
#include "picus/steppers/nonsmooth_methods.h"

namespace picus {

/// The steppers nonsmooth_pva and nonsmooth_pvv. Each evaluation of the residuals decides the
/// active sets and the modes of slips again (decide()); the matrix belongs to the sets of its own
/// iterate (linearized_), and an ActiveSetGuard ends iterations that go round.
class NonsmoothAlpha : public ThreeLevels {
 public:
  explicit NonsmoothAlpha(const NonsmoothAlphaOptions& options);

  StepperTraits traits() const override {
    return {.order = 2,
            .holonomic = true,
            .nonholonomic = true,
            .handles_impacts = true,
            .friction = true,
            .reaction_limits = true};
  }

  /// Λ* of joints and contacts, Ψ* of rollings and slips.
  StepImpulses impulses() const override;
  /// "relative_impulse": Λ, the part of Λ* beside the smooth reactions.
  const Vector* internal(std::string_view name) const override;
  std::span<const LawMode> law_modes() const override;

 protected:
  const Vector* velocity_jump() const override { return has_impact_ ? &jump_ : nullptr; }
  void start_history(const State& state) override;
  void begin_step() override;
  void replace_residuals(const Vector& x, Vector& r) override;
  const SparseMatrix& in_force(Part level, const SparseMatrix& rows) override;
  bool slips_move_positions() const override { return guard_.remedy() != Remedy::kUnmoved; }
  void add_replaced_rows() override;
  void end_step(const Vector& x) override;
  void accept_history() override;
  NewtonReport solve_equations(Vector& x) override;

 private:
  /// Redundant contacts (a table on four legs) make the matrix singular. Then this stands on the
  /// diagonal of their rows. Residuals do not know it: it slows the iteration down, by this rate,
  /// and leaves reactions that nothing determines where they were.
  ///
  /// Rows that contradict each other (a rod on a hinge whose tip may not both slip back and bounce)
  /// let reactions grow in each iteration by the contradiction over the softness, until one of
  /// them reaches its limit. So each further matrix of the same set has a tenth of the softness.
  static constexpr double kSoftness = 1e-4, kLeastSoftness = 1e-10;

  /// The largest active set that a contact belongs to: S is part of B and B of A. It is not yet
  /// decided what a contact does that is kStale.
  enum ActiveSet : signed char { kStale = -1, kInactive, kInA, kInB, kInS };
  struct ContactState {
    ActiveSet level = kStale;
    SlipModes slip;

    bool operator==(const ContactState&) const = default;
    /// Levels build on each other: A before B before S before the slips.
    int rank(const ContactState& other) const {
      return level == other.level ? kInS : std::min(level, other.level);
    }
  };

  bool has_active_set() const final { return !laws_.empty(); }
  bool is_stale() const final { return states_ != linearized_; }
  bool wants_restart() const final { return wants_restart_; }
  int cycling_row() const final;
  int cycles() const final { return guard_.cycles(); }
  bool soften() final;

  const ContactLaw& law(int j) const { return laws_[static_cast<std::size_t>(j)]; }
  /// Whether all equations are those of three_levels.h.
  bool is_plain() const {
    return sizes_.contacts + sizes_.slips == 0 && alpha_options_.smooth_set != SmoothSet::kNone;
  }
  bool is_active(Part level, int row) const;
  /// What λ contributes to ν̂* or Λ̂* of a row.
  double star(Part level, const Vector& x, int row) const;
  /// The same as far as an open contact minds it.
  double past(Part level, const Vector& x, int row) const;
  SlipValues slip_values(int j, const Vector& x, const Vector& r) const;
  /// The part of a contact's values that its normal force has.
  SlipValues normal_values(int j, const Vector& x, const Vector& r) const;
  /// (55)-(57) and the slips, from residuals that are still g/dq, ġ/dv, g̈, k/dv and k̇.
  /// Within rounding of a border the state is that of the matrix.
  ContactState state_for(int j, const Vector& x, const Vector& r, double blur) const;
  ActiveSet level_of(int j, const Vector& x, const Vector& r, double blur) const;
  bool leaves(int j, double blur) const;
  void decide(const Vector& x, const Vector& r);
  /// The next residual decides the active set from its values alone.
  void forget_set();
  void replace_slips(const Vector& x, Vector& r);
  void estimate_masses();
  void update_limits();
  /// The step with the present limits of friction elements.
  NewtonReport solve_within_limits(Vector& x);
  /// The limits that follow from reactions and impulses of joints in x, as forces: those of the
  /// smooth motion, then those of the whole impulses.
  void find_limits(const Vector& x, Vector& follow);
  /// A contact has closed in the step that is being accepted.
  bool has_impact() const;
  /// The impulses change velocities by more than accelerations do over the step.
  bool has_jump() const;
  LawMode mode_of(int j) const;

  // --- Algorithm 1, in decoupled_levels.cpp --------------------------------------------------

  void start_levels();
  NewtonReport solve_decoupled(Vector& x);
  /// One iteration; false when the matrix is singular.
  bool iterate_levels(Vector& x, NewtonReport& report);
  NewtonReport failed(NewtonReport report, NewtonReport::Status status);
  /// The largest residual over what is allowed, and its row.
  double residual_norm(const Vector& x, int& row);
  /// What turns a residual into a force: the mass that the row sees, or one.
  double mass_of(int block, int i) const;
  double largest_force(const Vector& x) const;

  // -------------------------------------------------------------------------------------------

  void add_slip_rows();
  void fill_diagonal(Part level);
  void fill_open(Part level);
  /// Of closed contacts in the matrix, over their mass; not zero where they are redundant.
  double softness() const { return states_ == softened_ ? softness_ : 0.0; }

  NonsmoothAlphaOptions alpha_options_;
  ShiftedHistory eta_, chi_;  ///< of λ and ψ
  Vector free_eta_, free_chi_, star_position_, star_velocity_, star_slip_;
  Vector gap_rate_before_, slip_before_, impulse_, relative_impulse_, tangential_impulse_;
  Vector mass_, diagonal_, zero_;
  std::vector<ContactLaw> laws_;                 ///< contacts, then friction elements
  Vector limit_, limit_before_, limit_impulse_;  ///< of friction elements
  State foreseen_;
  bool reads_reactions_ = false;  ///< limits are found together with the step
  std::optional<ReactionLimits> reaction_limits_;
  Vector preload_;  ///< limits without reactions, the mean of both ends
  Vector limits_, follow_, without_;
  FrictionRows friction_;
  std::vector<ContactState> target_, states_, linearized_;
  std::vector<ContactState> softened_;  ///< the set whose matrix was singular
  double softness_ = kSoftness;         ///< of its next matrix
  ActiveSetGuard<ContactState> guard_;
  Vector jump_;                ///< of the velocities by impulses: W of the paper
  bool has_impact_ = false;    ///< it is more than smooth motion has
  mutable Vector slip_after_;  ///< for law_modes()
  mutable std::vector<LawMode> modes_;
  bool wants_restart_ = false;
  bool set_is_frozen_ = false;  ///< within an iteration of Algorithm 1
  bool has_matrix_ = false;     ///< of Algorithm 1, for steps of matrix_h_
  double matrix_h_ = 0.0, guess_force_ = 0.0;
  Vector residual_, correction_, guess_;
  std::vector<ContactState> accepted_;  ///< of the last step
  std::map<std::pair<int, const SparseMatrix*>, SparseMatrix> weighted_;
  std::map<Part, SparseMatrix> diagonal_of_, open_;
  SparseMatrix turning_q_, turning_v_;
};

}  // namespace picus
