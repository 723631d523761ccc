// SPDX-License-Identifier: BSD-3-Clause
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

#include "picus/base/error.h"
#include "picus/steppers/common/three_levels.h"
#include "picus/steppers/nonsmooth_methods.h"

namespace picus {
namespace {

class NonsmoothAlpha : public ThreeLevels {
 public:
  explicit NonsmoothAlpha(const NonsmoothAlphaOptions& options)
      : ThreeLevels(chung_hulbert_parameters(options.rho), options.common),
        smooth_set_(options.smooth_set),
        open_contacts_(options.open_contacts),
        r_(options.r) {
    if (!(options.r > 0.0)) throw InputError("option 'r': expected a positive number");
  }

  StepperTraits traits() const override {
    return {.order = 2, .holonomic = true, .nonholonomic = true, .handles_impacts = true};
  }

  const Vector* internal(std::string_view name) const override {
    if (name == "impulse") return &impulse_;
    return ThreeLevels::internal(name);
  }

 protected:
  void start_history(const State& state) override {
    ThreeLevels::start_history(state);
    eta_.start(state.multiplier);
    impulse_ = Vector::Zero(sizes_.constraints);
    gap_rate_before_ = star_position_ = star_velocity_ = impulse_;
    levels_.assign(static_cast<std::size_t>(sizes_.contacts), kOpen);
    linearized_.assign(levels_.size(), kStale);
    mass_ = Vector::Ones(sizes_.contacts);
    laws_.clear();
    for (int j = 0; j < sizes_.contacts; ++j)
      laws_.push_back(system_->contact_law(j));
  }

  void begin_step() override {
    ThreeLevels::begin_step();
    if (!refining_start_) eta_.begin(h_, alpha_, options_.adjustment);
    const auto [alpha_m, alpha_f, beta, gamma] = alpha_;
    const Vector& eta = eta_.at_begin();
    free_eta_ = (alpha_f * from_->multiplier - alpha_m * eta) / (1.0 - alpha_m);
    // what the past contributes to ν* and Λ*, over dq and dv
    star_position_ = h_ * h_ * ((0.5 - beta) * eta + beta * free_eta_) / dq_;
    star_velocity_ = h_ * ((1.0 - gamma) * eta + gamma * free_eta_) / dv_;
    if (sizes_.contacts > 0) {
      system_->constraint_velocity(*from_, gap_rate_before_);
      estimate_masses();
    }
  }

  void replace_residuals(const Vector& x, Vector& r) override {
    decide(x, r);
    for (int row = 0; row < sizes_.constraints; ++row) {
      if (!is_active(kReaction, row)) part(r, kReaction)(row) = part(x, kReaction)(row);
      if (row < sizes_.joints()) continue;
      const int j = row - sizes_.joints();
      // (65f), (65i); in A both are equations of motion
      if (!is_active(kPositionLevel, row))
        part(r, kPositionLevel)(row) = part(x, kPositionLevel)(row) + past(kPositionLevel, x, row);
      if (is_active(kVelocityLevel, row)) {
        part(r, kVelocityLevel)(row) += law(j).restitution * gap_rate_before_(row) / dv_;  // (65h)
      } else {
        part(r, kVelocityLevel)(row) = part(x, kVelocityLevel)(row) + past(kVelocityLevel, x, row);
      }
    }
    for (int row = sizes_.rollings(); row < sizes_.nonholonomic; ++row) {
      part(r, kRolling)(row) = part(x, kRolling)(row);  // without friction
      part(r, kRollingLevel)(row) = part(x, kRollingLevel)(row);
    }
  }

  const SparseMatrix& in_force(Part level, const SparseMatrix& rows) override {
    if (sizes_.contacts + sizes_.slips == 0 && smooth_set_ != SmoothSet::kNone) return rows;
    SparseMatrix& kept = masked_[{level, &rows}];
    kept.begin(rows.rows(), rows.cols());
    rows.for_each([&](int row, int col, double value) {
      kept.add(row, col, is_active(level, row) ? value : 0.0);
    });
    kept.end();
    return kept;
  }

  void add_replaced_rows() override {
    linearized_ = levels_;
    if (sizes_.contacts + sizes_.slips == 0 && smooth_set_ != SmoothSet::kNone) return;
    for (const Part level : {kReaction, kPositionLevel, kVelocityLevel}) {
      fill_inactive(level, sizes_.constraints);
      matrix_.add(level, level, 1.0, inactive_[level]);
      if (level != kReaction && open_contacts_ == OpenContacts::kComplementary)
        matrix_.add(level, kReaction, 1.0, inactive_[level]);
    }
    for (const Part level : {kRolling, kRollingLevel}) {
      fill_inactive(level, sizes_.nonholonomic);
      matrix_.add(level, level, 1.0, inactive_[level]);
    }
  }

  void end_step(const Vector& x) override {
    ThreeLevels::end_step(x);
    const auto [alpha_m, alpha_f, beta, gamma] = alpha_;
    eta_.at_end() = free_eta_ + (1.0 - alpha_f) / (1.0 - alpha_m) * now_.multiplier;
    impulse_ = dv_ * part(x, kVelocityLevel) + h_ * (1.0 - gamma) * eta_.at_begin() +
               h_ * gamma * eta_.at_end();  // (65m)
  }

  void accept_history() override {
    ThreeLevels::accept_history();
    eta_.accept();
  }

 private:
  /// How far a contact is active: each level includes the ones before it.
  enum Activity : signed char { kStale = -1, kOpen, kInA, kInB, kInS };

  bool has_active_set() const final { return sizes_.contacts > 0; }
  bool is_stale() const final { return levels_ != linearized_; }

  const ContactLaw& law(int j) const { return laws_[static_cast<std::size_t>(j)]; }

  bool is_active(Part level, int row) const {
    if (level == kRolling || level == kRollingLevel) return row < sizes_.rollings();
    if (row < sizes_.joints()) return level != kReaction || smooth_set_ != SmoothSet::kNone;
    const Activity activity = levels_[static_cast<std::size_t>(row - sizes_.joints())];
    return activity >= (level == kPositionLevel ? kInA : level == kVelocityLevel ? kInB : kInS);
  }

  /// What λ contributes to ν̂* or Λ̂* of a row.
  double star(Part level, const Vector& x, int row) const {
    return (level == kPositionLevel ? star_position_ : star_velocity_)(row) +
           part(x, kReaction)(row);
  }
  double past(Part level, const Vector& x, int row) const {
    return open_contacts_ == OpenContacts::kPaper ? 0.0 : star(level, x, row);
  }

  // (55)-(57), from residuals that are still g/dq, ġ/dv and g̈.
  void decide(const Vector& x, const Vector& r) {
    for (int j = 0; j < sizes_.contacts; ++j) {
      const int row = sizes_.joints() + j;
      const double mass = r_ * mass_(j);
      Activity& activity = levels_[static_cast<std::size_t>(j)];
      activity = kOpen;
      const double nu = part(x, kPositionLevel)(row) + star(kPositionLevel, x, row);
      if (nu - mass * part(r, kPositionLevel)(row) < 0.0) continue;
      activity = kInA;
      const double lambda = part(x, kVelocityLevel)(row) + star(kVelocityLevel, x, row);
      const double rate =
          part(r, kVelocityLevel)(row) + law(j).restitution * gap_rate_before_(row) / dv_;
      if (lambda - mass * rate < 0.0) continue;
      activity = kInB;
      if (smooth_set_ != SmoothSet::kJointsAndContacts) continue;
      if (part(x, kReaction)(row) - mass * part(r, kReaction)(row) < 0.0) continue;
      activity = kInS;
    }
  }

  // 1 / Σ G²/M: the mass that a contact sees, had M only its diagonal.
  void estimate_masses() {
    system_->constraint_jacobian(*from_, G_);
    system_->mass_matrix(*from_, M_);
    diagonal_.setZero(sizes_.velocities);
    M_.for_each([&](int row, int col, double value) {
      if (row == col) diagonal_(row) = value;
    });
    mass_.setZero();
    G_.for_each([&](int row, int col, double value) {
      const int j = row - sizes_.joints();
      if (j >= 0 && diagonal_(col) > 0.0) mass_(j) += value * value / diagonal_(col);
    });
    for (int j = 0; j < sizes_.contacts; ++j)
      mass_(j) = mass_(j) > 0.0 ? 1.0 / mass_(j) : 1.0;
  }

  void fill_inactive(Part level, int size) {
    SparseMatrix& diagonal = inactive_[level];
    diagonal.begin(size, size);
    for (int row = 0; row < size; ++row)
      diagonal.add(row, row, is_active(level, row) ? 0.0 : 1.0);
    diagonal.end();
  }

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

class NonsmoothPva final : public NonsmoothAlpha {
 public:
  using NonsmoothAlpha::NonsmoothAlpha;

 private:
  const char* name() const override { return "nonsmooth_pva"; }
};

// The smooth motion obeys the joints at velocity level: G ṽ = 0 with ṽ = v - W.
class NonsmoothPvv final : public NonsmoothAlpha {
 public:
  using NonsmoothAlpha::NonsmoothAlpha;

 private:
  const char* name() const override { return "nonsmooth_pvv"; }

  void smooth_constraint(const Vector& x, Vector& r) override {
    smooth_ = now_;
    smooth_.velocity -= dv_ * part(x, kJump);
    system_->constraint_velocity(smooth_, g_);
    part(r, kReaction) = g_ / dv_;
  }

  void add_smooth_rows() override {
    system_->constraint_velocity_tangent(smooth_, chart(), smooth_q_);
    matrix_.add(kReaction, kMotion, 1.0, in_force(kReaction, G_));
    add_through_motion(kReaction, 1.0 / dv_, &in_force(kReaction, smooth_q_), nullptr);
  }

  State smooth_;
  SparseMatrix smooth_q_;
};

}  // namespace

std::unique_ptr<Stepper> make_nonsmooth_pva(const NonsmoothAlphaOptions& options) {
  return std::make_unique<NonsmoothPva>(options);
}

std::unique_ptr<Stepper> make_nonsmooth_pvv(const NonsmoothAlphaOptions& options) {
  NonsmoothAlphaOptions joints = options;
  if (joints.smooth_set == SmoothSet::kJointsAndContacts) joints.smooth_set = SmoothSet::kJoints;
  return std::make_unique<NonsmoothPvv>(joints);
}

}  // namespace picus
