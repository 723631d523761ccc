// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "picus/base/contact_mode.h"
#include "picus/dynamics/selected_constraints.h"

namespace picus {

/// What a contact or friction element does in a phase without events: its mode, and where it slips
/// to. Contacts without friction slip here; kClosed does not occur.
struct PhaseMode {
  ContactMode mode = ContactMode::kOpen;
  /// While it slips, along its slips; for spatial contacts where the slip begins, later it turns
  /// with it.
  Vector2 direction = Vector2::Zero();
  /// What rounding has left of a spatial slip at rest, and counts as none while it slips: it may
  /// point against the direction in which the slip begins again.
  Vector2 slip_left = Vector2::Zero();

  bool is_closed() const { return mode != ContactMode::kOpen; }
  bool sticks() const { return mode == ContactMode::kStick; }
  bool slips() const { return mode == ContactMode::kSlip; }
};

/// The motion between two events: every contact and friction element stays in its mode, which makes
/// a smooth system that any integrator can advance.
///
///   open    no equation, no reaction
///   closed  its gap is a joint, g = g_0: zero, or what it was when a run began with it
///   stick   its slips are rolling, k = 0
///   slip    friction ψ = -μ λ k/‖k‖, or -limit(λ) k/‖k‖ of an element, is a force
///
/// Contacts without friction slip. Sliding friction makes the force depend on λ in its own way
/// (System::has_linear_reactions).
class ContactPhase final : public SelectedConstraints {
 public:
  /// One mode for each law of the system: contacts, then friction elements.
  ContactPhase(const System& full, std::vector<PhaseMode> modes);

  const std::vector<PhaseMode>& modes() const { return modes_; }
  /// Leaves out equations that follow from the others; the lists number those of this system,
  /// ascending.
  void keep_only(const std::vector<int>& constraints, const std::vector<int>& nonholonomic);
  /// How many of the first equations are joints and rolling, which must hold.
  int joints() const { return joints_; }
  int rollings() const { return rollings_; }
  /// Whether reactions of laws are not determined, because some of their equations are left out.
  bool shares_reactions() const { return shares_; }
  /// Equations of laws that are left out keep the reactions they have in this state of the full
  /// system: a share of what is not determined.
  void hold(const State& full_state);
  /// Whether a row of the full system is one of the equations, and which.
  bool has_row(int constraint) const { return place_of(constraint) >= 0; }
  bool has_slip_row(int nonholonomic) const { return place_of_slip(nonholonomic) >= 0; }
  int place_of(int constraint) const { return place_[static_cast<std::size_t>(constraint)]; }
  int place_of_slip(int nonholonomic) const {
    return place_nonholonomic_[static_cast<std::size_t>(nonholonomic)];
  }
  /// Gaps that closed contacts keep, for each contact of the full system; zero by default.
  void set_gaps(const Vector& gaps) { kept_gap_ = gaps; }
  void constraint(const State& s, Vector& g) const override;
  /// The size of the motion before this phase [m], which scales errors in it.
  void set_least_extent(double extent) { least_extent_ = extent; }
  double extent(const State& s) const override {
    return std::max(least_extent_, SelectedConstraints::extent(s));
  }
  /// Directions in which spatial contacts begin to slip, and what is left of their slips.
  void set_directions(const std::vector<PhaseMode>& modes);

  /// Whether a spatial contact slips: its friction turns with the slip.
  bool has_turning_slip() const { return has_turning_slip_; }
  /// How fast the direction of such a slip follows the forces, limit/(m ‖k‖) with the mass m that
  /// it moves, at least [1/s]: without bound where a slip begins or ends. At a state of this
  /// system.
  double turning_rate(const State& s) const;

  bool has_linear_reactions() const override {
    return sliding_.empty() && full_.has_linear_reactions();
  }
  bool is_linear() const override { return full_.is_linear() && !has_turning_slip_ && !has_loads_; }
  bool has_constant_mass() const override { return full_.has_constant_mass(); }
  void momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                          SparseMatrix& along_nonholonomic) const override;

 private:
  struct Sliding {
    int law;
    int gap;  ///< row of the full system, -1 for a friction element
    int first_slip, slips;
    double friction;
  };

  void keep(std::vector<int> constraints, std::vector<int> nonholonomic);
  void add_reactions(State& full_state) const override;
  /// k/‖k‖ of a law, with the slips of the state expanded last.
  Vector2 direction(const Sliding& sliding) const;
  /// ‖k‖ in it.
  double speed(const Sliding& sliding) const { return regular_slip(sliding).norm(); }
  Vector2 regular_slip(const Sliding& sliding) const;
  /// The largest friction, in the state expanded last.
  double limit(const Sliding& sliding, const State& full_state) const;
  /// A += k_vᵀ ∂ψ/∂λ for the elements whose limits read reactions; scratch_b_ has k_vᵀ.
  void add_loads(const State& full_state, SparseMatrix& A) const;
  /// A += -k_vᵀ (∂ψ/∂k) k_x for the laws that turn.
  void add_turning(const State& full_state, const SparseMatrix& k_x, SparseMatrix& A) const;

  std::vector<PhaseMode> modes_;
  std::vector<Sliding> sliding_;
  Vector kept_gap_;
  double least_extent_ = 0.0;
  bool has_turning_slip_ = false;  ///< a spatial contact slips
  bool shares_ = false;
  int joints_ = 0, rollings_ = 0;
  struct Held {
    int row;
    double reaction;
  };
  std::vector<Held> held_, held_slips_;
  bool has_elements_ = false;
  bool has_loads_ = false;  ///< limits of elements that slip read reactions
  struct Entry {
    int slip, col;
    double value;
  };
  mutable double slow_ = 0.0;
  mutable Vector slip_, limits_, inertia_;
  mutable SparseMatrix k_q_, k_v_, scratch_k_, limit_rows_;
  mutable std::vector<Entry> left_, right_;
};

}  // namespace picus
