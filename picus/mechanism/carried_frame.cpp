// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/carried_frame.h"

namespace picus {

void CarriedFrame::map_tangent(const Vector&, std::span<const double>, TwistMapRef along) const {
  along.setZero();
}

void CarriedFrame::curvature(const Vector&, const Vector6&, Eigen::Ref<Matrix> along) const {
  along.setZero();
}

void CarriedFrame::convective_tangent(const Vector&, std::span<const double>,
                                      TwistMapRef along) const {
  along.setZero();
}

Pose<double> AxialPoint::pose(const Vector& q) const {
  Pose<double> pose;
  pose.r = anchor_ + q(position_) * axis_;
  return pose;
}

void AxialPoint::map(const Vector&, TwistMapRef B) const {
  B.col(0) << axis_, Vector3::Zero();
}

}  // namespace picus
