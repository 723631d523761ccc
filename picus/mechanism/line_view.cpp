// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/line_view.h"

#include <algorithm>

namespace picus {
namespace {

using Columns = Dual<kLineColumns>;

LineFrames<Columns> all_perturbed(const LineFrames<double>& poses) {
  return {perturbed<kLineColumns>(poses[0], 0), perturbed<kLineColumns>(poses[1], 6),
          perturbed<kLineColumns>(poses[2], 12), perturbed<kLineColumns>(poses[3], 18)};
}

}  // namespace

void LineGeometry::hessian(const Poses& at, LineHessian& H) const {
  const LineRow<Columns> row = placed->contact.row(all_perturbed(at), which);
  for (int r = 0; r < kLineColumns; ++r)
    for (int c = 0; c < kLineColumns; ++c)
      H(r, c) = row(r).d(c);
}

// ∂(v · ∂row · v)/∂q: the rate of the row along v, with the tangent directions of the poses.
LineRow<double> LineGeometry::along_acceleration(const Poses& at, const LineRow<double>& v) const {
  const LineFrames<Columns> still = all_perturbed(at);
  LineFrames<Dual<1, Columns>> frames;
  for (std::size_t f = 0; f < frames.size(); ++f)
    frames[f] = moving(still[f], Vector6(v.segment<6>(6 * static_cast<int>(f))));
  const LineRow<Dual<1, Columns>> row = placed->contact.row(frames, which);
  LineRow<double> tangent = LineRow<double>::Zero();
  for (int r = 0; r < kLineColumns; ++r) {
    if (v(r) == 0.0) continue;
    for (int c = 0; c < kLineColumns; ++c)
      tangent(c) += v(r) * row(r).d(0).d(c);
  }
  return tangent;
}

LineView::LineView(const Bodies& bodies, const PlacedLineContact& placed, int which, const State& s,
                   const Chart* chart)
    : bodies_(bodies), placed_(placed), state_(s), chart_(chart), which_(which) {
  for (std::size_t f = 0; f < poses_.size(); ++f) {
    const int body = placed.frames[f], first = 6 * static_cast<int>(f);
    poses_[f] = bodies.pose(body, s.position);
    std::copy_n(bodies[body].velocity.begin(), 6, places_.begin() + first);
  }
  velocity_ = entries(s.velocity);
  row_ = placed.contact.row(poses_, which);
}

LineRow<double> LineView::entries(const Vector& v) const {
  LineRow<double> all;
  for (std::size_t f = 0; f < poses_.size(); ++f)
    all.segment<6>(6 * static_cast<int>(f)) = bodies_.entries(placed_.frames[f], v);
  return all;
}

const LineHessian& LineView::hessian() const {
  if (has_hessian_) return hessian_;
  LineGeometry{&placed_, which_}.hessian(poses_, hessian_);
  has_hessian_ = true;
  return hessian_;
}

bool LineView::turn(std::size_t frame, Matrix3& T) const {
  const Body& body = bodies_[placed_.frames[frame]];
  if (chart_ == nullptr || body.kind != BodyKind::kSpatial) return false;
  const Vector3 phi = chart_->increment.segment<3>(body.velocity[3]);
  if (phi.isZero(0.0)) return false;
  T = increment_jacobian(phi);
  return true;
}

LineRow<double> LineView::charted(LineRow<double> row) const {
  Matrix3 T;
  for (std::size_t f = 0; f < poses_.size(); ++f) {
    const int turning = 6 * static_cast<int>(f) + 3;
    if (turn(f, T)) row.segment<3>(turning) = (T.transpose() * row.segment<3>(turning)).eval();
  }
  return row;
}

LineHessian LineView::row_tangent() const {
  LineHessian H = hessian();
  Matrix3 T;
  for (std::size_t f = 0; f < poses_.size(); ++f) {
    const int turning = 6 * static_cast<int>(f) + 3;
    if (turn(f, T)) H.middleCols<3>(turning) = (H.middleCols<3>(turning) * T).eval();
  }
  return H;
}

double LineView::acceleration() const {
  return row_.dot(entries(state_.acceleration)) + velocity_.dot(hessian() * velocity_);
}

LineRow<double> LineView::rate_tangent() const {
  return charted(hessian().transpose() * velocity_);
}

LineRow<double> LineView::acceleration_along_velocity() const {
  return (hessian() + hessian().transpose()) * velocity_;
}

LineRow<double> LineView::acceleration_tangent() const {
  return charted(LineGeometry{&placed_, which_}.along_acceleration(poses_, velocity_) +
                 hessian().transpose() * entries(state_.acceleration));
}

}  // namespace picus
