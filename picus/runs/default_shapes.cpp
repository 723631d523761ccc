// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/default_shapes.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace picus {
namespace {

// Thickness of rods and balls, as parts of the size of the model; of wheels, of their radius.
constexpr double kRod = 0.012, kBall = 0.025, kWheel = 0.12;
// Holds nearer than this part of the size are one.
constexpr double kSame = 1e-3;
// A body with more holds than this is drawn by its first ones.
constexpr std::size_t kMostHolds = 12;

bool slides(const AssembledJoint& joint) {
  return joint.type == PrismaticJoint::kType || joint.type == InlineJoint::kType ||
         joint.type == CylindricalJoint::kType || joint.type == ScrewJoint::kType;
}

// How far a shape reaches from the origin of its body.
double reach_of(const Box& box) {
  return box.at.norm() + 0.5 * box.size.norm();
}
double reach_of(const Sphere& sphere) {
  return sphere.at.norm() + sphere.radius;
}
double reach_of(const Cylinder& cylinder) {
  return cylinder.at.norm() + std::hypot(cylinder.radius, 0.5 * cylinder.length);
}
double reach_of(const Capsule& capsule) {
  return capsule.at.norm() + capsule.radius + 0.5 * capsule.length;
}
double reach_of(const Rod& rod) {
  return rod.at.norm() + 0.5 * rod.length;
}
double reach_of(const MeshShape& mesh) {
  double reach = 0.0;
  for (const Vector3& point : mesh.surface.points)
    reach = std::max(reach, point.norm());
  return reach;
}

}  // namespace

DefaultShapes::DefaultShapes(const Model& model, const Mechanism& mechanism)
    : mechanism_(mechanism),
      holds_(static_cast<std::size_t>(mechanism.bodies().size())),
      wheels_(holds_.size()) {
  for (const AssembledJoint& joint : mechanism.joints())
    hold(joint);
  for (const AssembledForce& force : mechanism.forces()) {
    hold(force.body_i, force.frame_i.point);
    hold(force.body_j, force.frame_j.point);
  }
  for (const AssembledContact& contact : mechanism.contacts())
    hold(contact.body_i, contact.point_i, contact.radius);
  find_wheels(model);
  find_extent(model);
}

void DefaultShapes::hold(int body, const Vector3& point, double radius) {
  if (body != Bodies::kGround) holds_[static_cast<std::size_t>(body)].push_back({point, radius});
}

// What slides is held by its axis, wherever the point of the joint lies on it; what rolls by a
// point that is not its own.
void DefaultShapes::hold(const AssembledJoint& joint) {
  if (joint.type == RollingDisc::kType) return;
  const auto nearest = [&](const BodyFrame& frame) -> Vector3 {
    const Vector3 axis = frame.axes.col(JointEquations::kZ);
    return slides(joint) ? Vector3(frame.point - axis.dot(frame.point) * axis) : frame.point;
  };
  hold(joint.body_i, nearest(joint.frame_i));
  hold(joint.body_j, nearest(joint.frame_j));
}

void DefaultShapes::find_wheels(const Model& model) {
  const auto assembled = [&](const std::string& name) {
    const auto& joints = mechanism_.joints();
    const auto found = std::find_if(joints.begin(), joints.end(),
                                    [&](const AssembledJoint& j) { return j.name == name; });
    return found == joints.end() ? nullptr : &*found;
  };
  for (const Named<Joint>& joint : model.joints) {
    if (const auto* rack = std::get_if<RackAndPinion>(&joint.value)) {
      if (const AssembledJoint* pinion = assembled(rack->pinion.text))
        add_wheel(*pinion, std::abs(rack->radius), 0);
    } else if (const auto* disc = std::get_if<RollingDisc>(&joint.value)) {
      if (const AssembledJoint* own = assembled(joint.name)) add_wheel(*own, disc->radius, 0);
    } else if (const auto* gear = std::get_if<Gear>(&joint.value)) {
      if (gear->joints.size() != 2) continue;
      const AssembledJoint *first = assembled(gear->joints[0].text),
                           *second = assembled(gear->joints[1].text);
      if (first != nullptr && second != nullptr) mesh(*gear, *first, *second);
    }
  }
}

// Pitch radii r₁ = |ratio| r₂ whose sum, for inner wheels whose difference, is the distance of the
// axles.
void DefaultShapes::mesh(const Gear& gear, const AssembledJoint& first,
                         const AssembledJoint& second) {
  const Vector& q = mechanism_.initial_state().position;
  const auto place = [&](const AssembledJoint& joint) {
    return mechanism_.bodies().pose(joint.body_i, q).point(joint.frame_i.point);
  };
  const Vector3 axle = mechanism_.bodies()
                           .pose(first.body_i, q)
                           .direction(first.frame_i.axes.col(JointEquations::kZ));
  Vector3 across = place(second) - place(first);
  across -= axle.dot(across) * axle;
  const double share = std::abs(1.0 - gear.ratio);
  if (!(share > 0.0) || !(across.norm() > 0.0)) return;  // side by side on one axle
  const double radius = across.norm() / share;
  const auto wheels = [&](const AssembledJoint& joint) {
    return static_cast<int>(wheels_[static_cast<std::size_t>(joint.body_i)].size());
  };
  const int layer = std::max(wheels(first), wheels(second));
  add_wheel(first, std::abs(gear.ratio) * radius, layer);
  add_wheel(second, radius, layer);
}

void DefaultShapes::add_wheel(const AssembledJoint& joint, double radius, int layer) {
  const bool is_second = joint.body_i != Bodies::kGround;
  wheels_[static_cast<std::size_t>(is_second ? joint.body_i : joint.body_j)].push_back(
      {is_second ? joint.frame_i : joint.frame_j, radius, layer});
}

// The size of the model: of a box around all holds, centres, wheels and stated shapes.
void DefaultShapes::find_extent(const Model& model) {
  Vector3 least = Vector3::Constant(1e300), most = -least;
  const Vector& q = mechanism_.initial_state().position;
  const auto include = [&](const Vector3& point, double reach) {
    least = least.cwiseMin(point - Vector3::Constant(reach));
    most = most.cwiseMax(point + Vector3::Constant(reach));
  };
  for (int b = 1; b < mechanism_.bodies().size(); ++b) {
    const Pose<double> pose = mechanism_.bodies().pose(b, q);
    include(pose.r, 0.0);
    for (const Hold& h : holds_[static_cast<std::size_t>(b)])
      include(pose.point(h.point), 0.0);
    for (const Wheel& wheel : wheels_[static_cast<std::size_t>(b)])
      include(pose.point(wheel.frame.point), wheel.radius);
  }
  for (const Named<BodyPart>& body : model.bodies) {
    const int b = mechanism_.find_body(body.name);
    if (b < 1 || !body.value.shape) continue;
    include(mechanism_.bodies().pose(b, q).point(mechanism_.origin(b)),
            std::visit([](const auto& shape) { return reach_of(shape); }, *body.value.shape));
  }
  if (mechanism_.bodies().size() > 1) extent_ = (most - least).maxCoeff();
  if (!(extent_ > 0.0)) extent_ = 1.0;
}

std::vector<DefaultPiece> DefaultShapes::pieces_of(int body) const {
  using Form = DefaultPiece::Form;
  const auto user = [&](const Vector3& point) { return in_user_frame(mechanism_, body, point); };
  const Vector3 centre = user(Vector3::Zero());
  std::vector<DefaultPiece> pieces;
  std::vector<Vector3> seen;
  for (const Wheel& wheel : wheels_[static_cast<std::size_t>(body)]) {
    const double thickness = kWheel * wheel.radius;
    const Vector3 axle = wheel.frame.axes.col(JointEquations::kZ);
    const Vector3 middle = user(wheel.frame.point) + wheel.layer * thickness * axle;
    pieces.push_back({Form::kDisc, middle - 0.5 * thickness * axle, middle + 0.5 * thickness * axle,
                      wheel.radius});
    seen.push_back(wheel.frame.point);
  }
  bool is_round = !pieces.empty();
  for (const Hold& h : holds_[static_cast<std::size_t>(body)]) {
    const bool is_known = std::any_of(seen.begin(), seen.end(), [&](const Vector3& other) {
      return (other - h.point).norm() < kSame * extent_;
    });
    if (h.radius > 0.0 && !is_round) {
      pieces.push_back({Form::kBall, user(h.point), user(h.point), h.radius});
      is_round = true;
    }
    if (is_known || seen.size() >= kMostHolds) continue;
    seen.push_back(h.point);
    if (h.point.norm() > kSame * extent_)
      pieces.push_back({Form::kRod, centre, user(h.point), kRod * extent_, true});
  }
  if (!is_round) pieces.push_back({Form::kBall, centre, centre, kBall * extent_, true});
  return pieces;
}

}  // namespace picus
