// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/collision_search.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/mechanism/contact_list.h"

namespace picus {
namespace {

// A list allows for this many durations at the present speed.
constexpr double kDurations = 3.0;

}  // namespace

CollisionSearch::CollisionSearch(const Bodies& bodies, std::shared_ptr<const CollisionGroup> group)
    : bodies_(bodies), shared_group_(std::move(group)), group_(*shared_group_) {
  if (!(group_.slack > 0.0))
    throw InputError(
        fmt::format("collisions: slack: found {:g}, expected a positive number", group_.slack));
  for (const CollisionBall& ball : group_.balls) {
    if (!(ball.radius > 0.0))
      throw InputError(
          fmt::format("collisions: a ball of '{}' has radius {:g} m, expected a positive number",
                      bodies_[ball.body].name, ball.radius));
    is_planar_ = is_planar_ && bodies_.is_planar(ball.body);
  }
  for (const CollisionPlane& plane : group_.planes)
    is_planar_ = is_planar_ && bodies_.is_planar(plane.body);
  for (const CollisionShape& shape : group_.shapes)
    is_planar_ = is_planar_ && bodies_.is_planar(shape.body);
  const std::size_t balls = group_.balls.size(), planes = group_.planes.size();
  centres_.resize(balls);
  travels_.resize(balls);
  margins_.resize(balls);
  reaches_.resize(balls);
  points_.resize(planes);
  normals_.resize(planes);
  speeds_.resize(planes);
  turns_.resize(planes);
}

bool CollisionSearch::find(const State& s, double duration) {
  place_balls(s, duration);
  if (has_list_ && serves()) return false;
  former_.swap(list_);
  make_list();
  has_list_ = true;
  return follow();
}

void CollisionSearch::place_balls(const State& s, double duration) {
  for (std::size_t i = 0; i < centres_.size(); ++i) {
    const CollisionBall& ball = group_.balls[i];
    const SmallVector<double, 6> twist = bodies_.twist(ball.body, s.position, s.velocity);
    centres_[i] = bodies_.pose(ball.body, s.position).point(ball.centre);
    travels_[i] = duration * (twist.head<3>().norm() + twist.tail<3>().norm() * ball.centre.norm());
  }
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const CollisionPlane& plane = group_.planes[k];
    const Pose<double> pose = bodies_.pose(plane.body, s.position);
    const SmallVector<double, 6> twist = bodies_.twist(plane.body, s.position, s.velocity);
    points_[k] = pose.point(plane.point);
    normals_[k] = pose.direction(plane.normal);
    speeds_[k] = duration * (twist.head<3>().norm() + twist.tail<3>().norm() * plane.point.norm());
    turns_[k] = duration * twist.tail<3>().norm();
  }
}

double CollisionSearch::gap(std::size_t ball, std::size_t plane) const {
  return normals_[plane].dot(centres_[ball] - points_[plane]) - group_.balls[ball].radius;
}

// By how much the gap may shrink within the duration.
double CollisionSearch::approach(std::size_t ball, std::size_t plane) const {
  const double turn =
      turns_[plane] > 0.0 ? turns_[plane] * (centres_[ball] - points_[plane]).norm() : 0.0;
  return travels_[ball] + speeds_[plane] + turn;
}

bool CollisionSearch::serves() const {
  for (std::size_t i = 0; i < centres_.size(); ++i) {
    if (!((centres_[i] - listed_at_[i]).norm() + travels_[i] <= margins_[i])) return false;
    for (std::size_t k = 0; k < points_.size(); ++k)
      if (!is_listed_[i * points_.size() + k] && !(gap(i, k) > approach(i, k))) return false;
  }
  return true;
}

void CollisionSearch::make_list() {
  const auto balls = static_cast<int>(centres_.size());
  const std::size_t planes = points_.size();
  for (std::size_t i = 0; i < centres_.size(); ++i) {
    margins_[i] = group_.slack * group_.balls[i].radius + kDurations * travels_[i];
    reaches_[i] = group_.balls[i].radius + margins_[i];
  }
  listed_at_ = centres_;
  list_.clear();
  pairs_.find(centres_, reaches_);
  for (const auto& [i, j] : pairs_.pairs())
    if (ball(i).body != ball(j).body && ball(i).line < 0 && ball(j).line < 0)
      list_.push_back({i, j});
  is_listed_.assign(centres_.size() * planes, false);
  for (std::size_t i = 0; i < centres_.size(); ++i) {
    for (std::size_t k = 0; k < planes; ++k) {
      if (group_.planes[k].body == group_.balls[i].body) {
        is_listed_[i * planes + k] = true;  // never to be found
      } else if (gap(i, k) <= margins_[i] + kDurations * approach(i, k)) {
        is_listed_[i * planes + k] = true;
        list_.push_back({static_cast<int>(i), balls + static_cast<int>(k)});
      }
    }
  }
}

void CollisionSearch::choose_axis(CloseBall& close) const {
  if (is_planar_) return;
  const auto i = static_cast<std::size_t>(close.ball), j = static_cast<std::size_t>(close.other);
  const Vector3 n = is_plane(close) ? normals_[j - centres_.size()]
                                    : Vector3((centres_[i] - centres_[j]).normalized());
  close.axis = tangent_axis(close.axis, n);
}

// Lists ascend, planes after balls.
bool CollisionSearch::follow() {
  const bool changed =
      follow_list(former_, list_, came_from_, [this](const CloseBall& a, const CloseBall& b) {
        return std::tuple(is_plane(a), a.ball, a.other) < std::tuple(is_plane(b), b.ball, b.other);
      });
  for (CloseBall& close : list_)
    choose_axis(close);
  return changed;
}

}  // namespace picus
