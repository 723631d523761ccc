// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Coulomb friction of the nonsmooth generalized-α methods: equations for the slips of contacts in
// the projective form of [AlartCurnier1991]. With ξ = k(t_{n+1}) + e_t k(t_n), the velocity of slip
// after restitution, and the mass ρ that the slip sees,
//
//   velocity level   z = Ψ* - ρ ξ      not in B        Ψ* = 0
//                                      ‖z‖ ≤ μ Λ*      ξ = 0                    stick
//                                      ‖z‖ > μ Λ*      Ψ* = μ Λ* z/‖z‖          slip
//
//   smooth motion    y = ψ - ρ k̇       not in S        ψ = 0
//                                      slip            ψ = μ λ z/‖z‖
//                                      stick, ‖y‖ ≤ μ λ    k̇ = 0
//                                      stick, ‖y‖ > μ λ    ψ = μ λ y/‖y‖        about to slip
//
// Λ* and Ψ* are whole impulses: that of a smooth ψ and the correction Ψ. A direction of slip that
// turns makes Ψ* = μ Λ* z/‖z‖ an Euler step for the direction. A contact in space that slid in the
// last step and slides on therefore has Ψ = μ Λ z/‖z‖: ψ is integrated by the generalized-α method,
// to second order, and only the correction obeys the law anew. In the plane the two agree.

#include <vector>

#include "picus/base/contact_mode.h"
#include "picus/dynamics/system.h"
#include "picus/math/sparse_matrix.h"
#include "picus/solvers/contact_cone.h"

namespace picus {

using Matrix2 = SmallMatrix<double, 2, 2>;

/// The modes of the slips of a contact at both levels: open (no friction), stick or slip. In the
/// plane the side of the friction is part of the mode.
struct SlipModes {
  LawMode velocity, smooth;
  bool slides_on = false;  ///< slid in the last step, too, in space

  bool operator==(const SlipModes&) const = default;
};

/// One contact in one iterate, as forces and accelerations (see three_levels.h).
struct SlipValues {
  double reaction = 0.0, impulse = 0.0, past = 0.0;  ///< λ, Λ̂, and what is left to Λ̂*
  double impulse_test = 0.0, reaction_test = 0.0;    ///< left-hand sides of (56) and (57)
  Vector2 friction = Vector2::Zero(), friction_impulse = Vector2::Zero(),
          friction_past = Vector2::Zero();                      ///< the same for ψ
  Vector2 slip = Vector2::Zero(), slip_rate = Vector2::Zero();  ///< ξ and k̇

  double total() const { return reaction + impulse + past; }
  Vector2 total_friction() const { return friction + friction_impulse + friction_past; }
};

/// The residuals of a contact and their derivatives by the values above; planar ones use the first
/// entries.
struct SlipEquations {
  Vector2 smooth = Vector2::Zero(), velocity = Vector2::Zero();
  struct {
    Matrix2 friction = Matrix2::Zero(), impulse = Matrix2::Zero();
    Matrix2 slip = Matrix2::Zero(), rate = Matrix2::Zero();
    Vector2 reaction = Vector2::Zero();
  } smooth_by;
  struct {
    Matrix2 friction = Matrix2::Zero(), impulse = Matrix2::Zero(), slip = Matrix2::Zero();
    Vector2 reaction = Vector2::Zero(), normal_impulse = Vector2::Zero();
  } velocity_by;
};

/// The equations of all slips of a system. Once: start(). For each matrix: estimate_masses(). For
/// each iterate and contact: modes_for() its values, then evaluate() in the modes that the active
/// set guard admits; weigh() and differentiate() belong to the last evaluation. At the end of a
/// step: accept().
class FrictionRows {
 public:
  /// Which velocities a derivative belongs to, and in whose rows.
  enum Rows { kSlipAtVelocityLevel, kRateOnSmoothMotion, kSlipOnSmoothMotion };
  static constexpr int kRowKinds = 3;

  /// Friction elements follow the contacts; their normal force is no unknown.
  void start(const SystemSizes& sizes, const std::vector<ContactLaw>& laws);

  /// The masses ρ, from the directions k_v and the diagonal of M.
  void estimate_masses(const SparseMatrix& directions, const Vector& diagonal, double r);

  /// How modes are chosen.
  struct Choice {
    bool in_s = false;      ///< the contact takes part in the smooth motion
    bool sticking = false;  ///< a contact that has just closed sticks
    double blur = 0.0;      ///< [N/kg] the present mode is kept this close to its border
  };
  /// The modes that the values of a closed contact call for. The normal forces are augmented as in
  /// (55)-(57), so that a contact which has just closed has one.
  SlipModes modes_for(int contact, const SlipValues& values, const SlipModes& now,
                      const Choice& choice) const;
  /// Evaluates the equations of a contact in these modes, whether its values call for them or not.
  const SlipEquations& evaluate(int contact, const SlipModes& modes, const SlipValues& values);

  /// T A: rows of a derivative A of k or k̇ as they enter the equations.
  void weigh(Rows kind, const SparseMatrix& A, SparseMatrix& result) const;

  /// The derivatives by forces and impulses; `relaxation` stands on the diagonal of rows that
  /// stick, in units of 1/ρ.
  struct Pieces {
    SparseMatrix smooth_by_friction, smooth_by_impulse, smooth_by_reaction;
    SparseMatrix velocity_by_friction, velocity_by_impulse, velocity_by_reaction,
        velocity_by_normal_impulse;
  };
  const Pieces& differentiate(double relaxation);

  /// What turns the residual of a slip into a force: the mass ρ of rows that stick, else one.
  double mass_of(Rows kind, int slip) const;

  /// Remembers which contacts slide, for the next step.
  void accept(int contact, const SlipModes& modes);

 private:
  struct Contact {
    ContactLaw law;
    double mass = 1.0;
    Vector2 mobility = Vector2::Zero();  ///< one over the masses along its slips
    SlipModes modes;
    SlipEquations now;
    Vector2 direction = Vector2::Zero();  ///< of friction on the smooth motion
    bool slid = false;                    ///< and in the last step
    Vector2 slid_towards = Vector2::Zero();
  };
  /// A force on the edge of the cone and how its direction turns.
  struct Edge {
    Vector2 direction;
    Matrix2 turn;  ///< derivative of the direction by z or y
  };

  static LawMode mode_for(const Contact& contact, const Vector2& z, double normal, LawMode now,
                          const Choice& choice);
  static Edge edge_of(LawMode mode, const Vector2& z);
  void evaluate_velocity_level(Contact& contact, const SlipValues& values, const Edge& edge) const;
  void evaluate_smooth_motion(Contact& contact, const SlipValues& values, const Edge& edge) const;
  const Matrix2& weight(Rows kind, const Contact& contact) const;

  const Contact& at(int contact) const { return contacts_[static_cast<std::size_t>(contact)]; }
  Contact& at(int contact) { return contacts_[static_cast<std::size_t>(contact)]; }

  SystemSizes sizes_;
  std::vector<Contact> contacts_;
  std::vector<int> contact_of_;  ///< of a slip
  Pieces pieces_;
};

}  // namespace picus
