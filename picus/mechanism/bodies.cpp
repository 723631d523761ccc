// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/bodies.h"

#include <cmath>
#include <utility>

#include "picus/base/contract.h"

namespace picus {
namespace {

struct Layout {
  int positions;
  std::array<bool, 6> has;
};

Layout layout_of(const Body& body) {
  const Vector3& e = body.axis;
  switch (body.kind) {
    case BodyKind::kPoint:
      return {3, {true, true, true, false, false, false}};
    case BodyKind::kPlanarPoint:
      return {2, {true, true, false, false, false, false}};
    case BodyKind::kAxialPoint:
      return {1, {e(0) != 0.0, e(1) != 0.0, e(2) != 0.0, false, false, false}};
    case BodyKind::kPlanar:
      return {3, {true, true, false, false, false, true}};
    case BodyKind::kSpatial:
      return {7, {true, true, true, true, true, true}};
    case BodyKind::kGround:
      break;
  }
  return {0, {false, false, false, false, false, false}};
}

}  // namespace

Bodies::Bodies() {
  bodies_.push_back({.name = "ground"});
}

int Bodies::add(Body body) {
  const Layout layout = layout_of(body);
  const bool is_axial = body.kind == BodyKind::kAxialPoint;
  body.first_position = positions_;
  positions_ += layout.positions;
  for (std::size_t k = 0; k < 6; ++k)
    body.velocity[k] = !layout.has[k] ? -1 : is_axial ? velocities_ : velocities_++;
  if (is_axial) ++velocities_;
  bodies_.push_back(std::move(body));
  return size() - 1;
}

bool Bodies::is_planar(int body) const {
  const BodyKind kind = (*this)[body].kind;
  if (kind == BodyKind::kAxialPoint) return (*this)[body].axis(2) == 0.0;
  return kind == BodyKind::kPlanar || kind == BodyKind::kPlanarPoint || kind == BodyKind::kGround;
}

Pose<double> Bodies::pose(int number, const Vector& q) const {
  const Body& body = (*this)[number];
  const int first = body.first_position;
  Pose<double> pose;
  switch (body.kind) {
    case BodyKind::kGround:
      break;
    case BodyKind::kPoint:
      pose.r = q.segment<3>(first);
      break;
    case BodyKind::kPlanarPoint:
      pose.r << q(first), q(first + 1), body.height;
      break;
    case BodyKind::kAxialPoint:
      pose.r = body.anchor + q(first) * body.axis;
      break;
    case BodyKind::kPlanar: {
      pose.r << q(first), q(first + 1), body.height;
      pose.angle = q(first + 2);
      const double c = std::cos(pose.angle), s = std::sin(pose.angle);
      pose.A << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
      break;
    }
    case BodyKind::kSpatial:
      pose.r = q.segment<3>(first);
      pose.A = rotation_matrix(q.segment<4>(first + 3));
      break;
  }
  return pose;
}

void Bodies::place(int number, const Pose<double>& pose, Vector& q) const {
  const Body& body = (*this)[number];
  const int first = body.first_position;
  switch (body.kind) {
    case BodyKind::kGround:
      break;
    case BodyKind::kPoint:
      q.segment<3>(first) = pose.r;
      break;
    case BodyKind::kPlanarPoint:
      q.segment<2>(first) = pose.r.head<2>();
      break;
    case BodyKind::kAxialPoint:
      q(first) = body.axis.dot(pose.r - body.anchor);
      break;
    case BodyKind::kPlanar:
      q.segment<2>(first) = pose.r.head<2>();
      q(first + 2) = pose.angle;
      break;
    case BodyKind::kSpatial:
      q.segment<3>(first) = pose.r;
      q.segment<4>(first + 3) = quaternion_of(pose.A);
      break;
  }
}

SmallVector<double, 6> Bodies::entries(int number, const Vector& v) const {
  const Body& body = (*this)[number];
  SmallVector<double, 6> entries = SmallVector<double, 6>::Zero();
  for (std::size_t k = 0; k < 6; ++k)
    if (body.velocity[k] >= 0) entries(static_cast<int>(k)) = v(body.velocity[k]);
  return entries;
}

SmallVector<double, 6> Bodies::shares(int number) const {
  SmallVector<double, 6> shares = SmallVector<double, 6>::Ones();
  if ((*this)[number].kind == BodyKind::kAxialPoint) shares.head<3>() = (*this)[number].axis;
  return shares;
}

SmallVector<double, 6> Bodies::twist(int number, const Vector& v) const {
  SmallVector<double, 6> twist = entries(number, v);
  if ((*this)[number].kind == BodyKind::kAxialPoint)
    twist.head<3>() = twist.head<3>().cwiseProduct((*this)[number].axis);
  return twist;
}

void Bodies::retract(int number, const Vector& q, const Vector& dq, Vector& result) const {
  const Body& body = (*this)[number];
  const int first = body.first_position;
  if (body.kind == BodyKind::kAxialPoint) {
    result(first) = q(first) + dq(body.coordinate());
    return;
  }
  int coordinate = 0;
  const auto add = [&](int from, int to) {
    for (int k = from; k < to; ++k) {
      const int velocity = body.velocity[static_cast<std::size_t>(k)];
      if (velocity < 0) continue;
      result(first + coordinate) = q(first + coordinate) + dq(velocity);
      ++coordinate;
    }
  };
  if (body.kind != BodyKind::kSpatial) return add(0, 6);
  add(0, 3);
  const Vector3 phi = dq.segment<3>(body.velocity[3]);
  result.segment<4>(first + 3) =
      quaternion_product(q.segment<4>(first + 3), quaternion_of(phi)).normalized();
}

void Bodies::difference(int number, const Vector& from, const Vector& to, Vector& dq) const {
  const Body& body = (*this)[number];
  const int first = body.first_position;
  if (body.kind == BodyKind::kAxialPoint) {
    dq(body.coordinate()) = to(first) - from(first);
    return;
  }
  int coordinate = 0;
  const auto subtract = [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const int velocity = body.velocity[static_cast<std::size_t>(k)];
      if (velocity < 0) continue;
      dq(velocity) = to(first + coordinate) - from(first + coordinate);
      ++coordinate;
    }
  };
  if (body.kind != BodyKind::kSpatial) return subtract(0, 6);
  subtract(0, 3);
  dq.segment<3>(body.velocity[3]) =
      rotation_vector_between(from.segment<4>(first + 3), to.segment<4>(first + 3));
}

}  // namespace picus
