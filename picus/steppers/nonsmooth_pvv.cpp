// SPDX-License-Identifier: BSD-3-Clause
// Nonsmooth generalized-α with the smooth motion constrained at velocity level, "PVV": the method
// of reference [12] of bruls-acary-cardona. Contacts take no part in the smooth motion.
#include "picus/steppers/common/nonsmooth_alpha.h"

namespace picus {
namespace {

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

std::unique_ptr<Stepper> make_nonsmooth_pvv(const NonsmoothAlphaOptions& options) {
  NonsmoothAlphaOptions joints = options;
  if (joints.smooth_set == SmoothSet::kJointsAndContacts) joints.smooth_set = SmoothSet::kJoints;
  return std::make_unique<NonsmoothPvv>(joints);
}

}  // namespace picus
