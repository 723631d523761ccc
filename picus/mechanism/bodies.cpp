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

Layout layout_of(BodyKind kind) {
  switch (kind) {
    case BodyKind::kPoint:
      return {3, {true, true, true, false, false, false}};
    case BodyKind::kPlanarPoint:
      return {2, {true, true, false, false, false, false}};
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
  const Layout layout = layout_of(body.kind);
  body.first_position = positions_;
  positions_ += layout.positions;
  for (std::size_t k = 0; k < 6; ++k)
    body.velocity[k] = layout.has[k] ? velocities_++ : -1;
  bodies_.push_back(std::move(body));
  return size() - 1;
}

bool Bodies::is_planar(int body) const {
  const BodyKind kind = (*this)[body].kind;
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

SmallVector<double, 6> Bodies::twist(int number, const Vector& v) const {
  const Body& body = (*this)[number];
  SmallVector<double, 6> twist = SmallVector<double, 6>::Zero();
  for (std::size_t k = 0; k < 6; ++k)
    if (body.velocity[k] >= 0) twist(static_cast<int>(k)) = v(body.velocity[k]);
  return twist;
}

void Bodies::retract(int number, const Vector& q, const Vector& dq, Vector& result) const {
  const Body& body = (*this)[number];
  const int first = body.first_position;
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

}  // namespace picus
