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

#include <map>
#include <utility>
#include <vector>

#include "picus/steppers/common/three_levels.h"
#include "picus/steppers/nonsmooth_methods.h"

namespace picus {

class NonsmoothAlpha : public ThreeLevels {
 public:
  explicit NonsmoothAlpha(const NonsmoothAlphaOptions& options);

  StepperTraits traits() const override {
    return {.order = 2, .holonomic = true, .nonholonomic = true, .handles_impacts = true};
  }

  /// "impulse": Λ* of the last step, of joints and contacts.
  const Vector* internal(std::string_view name) const override;

 protected:
  void start_history(const State& state) override;
  void begin_step() override;
  void replace_residuals(const Vector& x, Vector& r) override;
  const SparseMatrix& in_force(Part level, const SparseMatrix& rows) override;
  void add_replaced_rows() override;
  void end_step(const Vector& x) override;
  void accept_history() override;

 private:
  /// How far a contact is active: each level includes the ones before it.
  enum Activity : signed char { kStale = -1, kOpen, kInA, kInB, kInS };

  bool has_active_set() const final { return sizes_.contacts > 0; }
  bool is_stale() const final { return levels_ != linearized_; }

  const ContactLaw& law(int j) const { return laws_[static_cast<std::size_t>(j)]; }
  /// Whether all equations are those of three_levels.h.
  bool is_plain() const {
    return sizes_.contacts + sizes_.slips == 0 && smooth_set_ != SmoothSet::kNone;
  }
  bool is_active(Part level, int row) const;
  /// What λ contributes to ν̂* or Λ̂* of a row.
  double star(Part level, const Vector& x, int row) const;
  /// The same as far as an open contact minds it.
  double past(Part level, const Vector& x, int row) const;
  /// (55)-(57), from residuals that are still g/dq, ġ/dv and g̈.
  void decide(const Vector& x, const Vector& r);
  void estimate_masses();
  void fill_inactive(Part level, int size);

  SmoothSet smooth_set_;
  OpenContacts open_contacts_;
  double r_;
  ShiftedHistory eta_;
  Vector free_eta_, star_position_, star_velocity_, gap_rate_before_, impulse_, mass_, diagonal_;
  std::vector<ContactLaw> laws_;
  std::vector<Activity> levels_, linearized_;
  std::map<std::pair<Part, const SparseMatrix*>, SparseMatrix> masked_;
  std::map<Part, SparseMatrix> inactive_;
};

}  // namespace picus
