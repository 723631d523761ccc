// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/bodies.h"

#include <atomic>
#include <cmath>
#include <utility>

#include "picus/base/contract.h"
#include "picus/math/scratch.h"

namespace picus {
namespace {

struct Layout {
  int positions;
  std::array<bool, 6> has;
};

Layout layout_of(const Body& body) {
  switch (body.kind) {
    case BodyKind::kPoint:
      return {3, {true, true, true, false, false, false}};
    case BodyKind::kPlanarPoint:
      return {2, {true, true, false, false, false, false}};
    case BodyKind::kPlanar:
      return {3, {true, true, false, false, false, true}};
    case BodyKind::kSpatial:
      return {7, {true, true, true, true, true, true}};
    case BodyKind::kGround:
    case BodyKind::kCarriedPoint:
    case BodyKind::kCarried:
      break;
  }
  return {0, {false, false, false, false, false, false}};
}

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

Bodies::Bodies() : id_(next_id()) {
  bodies_.push_back({.name = "ground"});
}

int Bodies::add(Body body) {
  const Layout layout = layout_of(body);
  body.first_position = positions_;
  positions_ += layout.positions;
  for (std::size_t k = 0; k < 6; ++k) {
    if (!layout.has[k]) continue;
    body.velocity[k] = velocities_++;
    begins_turn_.push_back(k == 3 && body.kind == BodyKind::kSpatial);
  }
  bodies_.push_back(std::move(body));
  id_ = next_id();
  return size() - 1;
}

int Bodies::add(std::string name, std::shared_ptr<const CarriedFrame> frame) {
  has_carried_ = true;
  const BodyKind kind = frame->is_point() ? BodyKind::kCarriedPoint : BodyKind::kCarried;
  bodies_.push_back(
      {.name = std::move(name), .kind = kind, .is_node = true, .carried = std::move(frame)});
  id_ = next_id();
  return size() - 1;
}

Coordinate Bodies::add_coordinate() {
  begins_turn_.push_back(0);
  coordinates_.push_back({positions_++, velocities_++});
  return coordinates_.back();
}

bool Bodies::is_planar(int number) const {
  const Body& body = (*this)[number];
  if (body.carried) return body.carried->is_planar();
  return body.kind == BodyKind::kPlanar || body.kind == BodyKind::kPlanarPoint ||
         body.kind == BodyKind::kGround;
}

Pose<double> Bodies::pose(int number, const Vector& q) const {
  Pose<double> pose;
  put_pose(number, q, pose);
  return pose;
}

void Bodies::put_pose(int number, const Vector& q, Pose<double>& pose) const {
  const Body& body = (*this)[number];
  const int first = body.first_position;
  switch (body.kind) {
    case BodyKind::kGround:
      pose = Pose<double>();
      break;
    case BodyKind::kPoint:
      pose = Pose<double>();
      pose.r = q.segment<3>(first);
      break;
    case BodyKind::kPlanarPoint:
      pose = Pose<double>();
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
      pose.angle = 0.0;
      break;
    case BodyKind::kCarriedPoint:
    case BodyKind::kCarried:
      pose = body.carried->pose(q);
      break;
  }
}

void Bodies::place(int number, const Pose<double>& pose, Vector& q) const {
  const Body& body = (*this)[number];
  const int first = body.first_position;
  switch (body.kind) {
    case BodyKind::kGround:
    case BodyKind::kCarriedPoint:
    case BodyKind::kCarried:
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

Vector6 Bodies::entries(int number, const Vector& v) const {
  const Body& body = (*this)[number];
  Vector6 entries;
  if (body.kind == BodyKind::kSpatial) {
    entries = v.segment<6>(body.velocity[0]);
  } else if (body.kind == BodyKind::kPlanar) {
    const int first = body.velocity[0];
    entries << v(first), v(first + 1), 0.0, 0.0, 0.0, v(first + 2);
  } else {
    for (std::size_t k = 0; k < 6; ++k)
      entries(static_cast<int>(k)) = body.velocity[k] >= 0 ? v(body.velocity[k]) : 0.0;
  }
  return entries;
}

Vector6 Bodies::twist(int number, const Vector& q, const Vector& v) const {
  const CarriedFrame* frame = (*this)[number].carried.get();
  if (frame == nullptr) return entries(number, v);
  Scratch scratch;
  TwistMapRef B(Eigen::Map<TwistMap>(scratch.take<double>(6 * frame->size()), 6, frame->size()));
  frame->map(q, B);
  Vector6 twist = Vector6::Zero();
  for (int k = 0; k < frame->size(); ++k)
    if (const int place = frame->places()[static_cast<std::size_t>(k)]; place >= 0)
      twist += v(place) * B.col(k);
  return twist;
}

Vector6 Bodies::twist(int number, const Vector& v) const {
  const CarriedFrame* frame = (*this)[number].carried.get();
  expects(frame == nullptr || frame->has_constant_map(), "a twist that needs no positions");
  return twist(number, v, v);
}

void Bodies::retract(const Vector& q, const Vector& dq, Vector& result) const {
  for (int b = 1; b < size(); ++b)
    retract(b, q, dq, result);
  for (const Coordinate& c : coordinates_)
    result(c.position) = q(c.position) + dq(c.velocity);
}

void Bodies::difference(const Vector& from, const Vector& to, Vector& dq) const {
  for (int b = 1; b < size(); ++b)
    difference(b, from, to, dq);
  for (const Coordinate& c : coordinates_)
    dq(c.velocity) = to(c.position) - from(c.position);
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

void Bodies::difference(int number, const Vector& from, const Vector& to, Vector& dq) const {
  const Body& body = (*this)[number];
  const int first = body.first_position;
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
