// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/default_shapes.h"

#include <algorithm>

namespace picus {
namespace {

// Thickness of rods and balls, as parts of the size of the model.
constexpr double kRod = 0.012, kBall = 0.025;
// Holds nearer than this part of the size are one.
constexpr double kSame = 1e-3;
// A body with more holds than this is drawn by its first ones.
constexpr std::size_t kMostHolds = 12;

}  // namespace

DefaultShapes::DefaultShapes(const Mechanism& mechanism)
    : mechanism_(mechanism), holds_(static_cast<std::size_t>(mechanism.bodies().size())) {
  for (const AssembledJoint& joint : mechanism.joints()) {
    hold(joint.body_i, joint.frame_i.point);
    hold(joint.body_j, joint.frame_j.point);
  }
  for (const AssembledForce& force : mechanism.forces()) {
    hold(force.body_i, force.frame_i.point);
    hold(force.body_j, force.frame_j.point);
  }
  for (const AssembledContact& contact : mechanism.contacts())
    hold(contact.body_i, contact.point_i, contact.radius);

  // the size of the model: of a box around all holds and centres
  Vector3 least = Vector3::Constant(1e300), most = -least;
  const Vector& q = mechanism.initial_state().position;
  for (int b = 1; b < mechanism.bodies().size(); ++b) {
    const Pose<double> pose = mechanism.bodies().pose(b, q);
    const auto include = [&](const Vector3& point) {
      least = least.cwiseMin(point);
      most = most.cwiseMax(point);
    };
    include(pose.r);
    for (const Hold& h : holds_[static_cast<std::size_t>(b)])
      include(pose.point(h.point));
  }
  if (mechanism.bodies().size() > 1) extent_ = (most - least).maxCoeff();
  if (!(extent_ > 0.0)) extent_ = 1.0;
}

void DefaultShapes::hold(int body, const Vector3& point, double radius) {
  if (body != Bodies::kGround) holds_[static_cast<std::size_t>(body)].push_back({point, radius});
}

std::vector<DefaultPiece> DefaultShapes::pieces_of(int body) const {
  const auto user = [&](const Vector3& point) { return in_user_frame(mechanism_, body, point); };
  const Vector3 centre = user(Vector3::Zero());
  std::vector<DefaultPiece> pieces;
  std::vector<Vector3> seen;
  bool is_round = false;
  for (const Hold& h : holds_[static_cast<std::size_t>(body)]) {
    const bool is_known = std::any_of(seen.begin(), seen.end(), [&](const Vector3& other) {
      return (other - h.point).norm() < kSame * extent_;
    });
    if (h.radius > 0.0 && !is_round) {
      pieces.push_back({user(h.point), user(h.point), h.radius});
      is_round = true;
    }
    if (is_known || seen.size() >= kMostHolds) continue;
    seen.push_back(h.point);
    if (h.point.norm() > kSame * extent_) pieces.push_back({centre, user(h.point), kRod * extent_});
  }
  if (!is_round) pieces.push_back({centre, centre, kBall * extent_});
  return pieces;
}

}  // namespace picus
