// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/shape_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "picus/mechanism/contact_list.h"

namespace picus {
namespace {

// Lists allow for this many durations at the present speed.
constexpr double kDurationsAhead = 3.0;
// Contacts come onto the list at a gap of this part of the smaller solid, and leave it at twice it.
constexpr double kNear = 0.05, kLeaves = 2.0;

Solid ball_solid(const CollisionBall& ball) {
  return Solid({.geometry = shapes::Sphere{ball.radius}, .at = ball.centre});
}

Solid plane_solid(const CollisionPlane& plane) {
  return Solid(
      {.geometry = shapes::HalfSpace{}, .at = plane.point, .axes = frame_along(plane.normal)});
}

double reach_of(const Solid& solid) {
  return solid.kind == Solid::Kind::kHalfSpace ? std::numeric_limits<double>::infinity()
                                               : solid.reach;
}

}  // namespace

ShapeSearch::ShapeSearch(const Bodies& bodies, const CollisionGroup& group)
    : bodies_(bodies), group_(group) {
  if (group.shapes.empty()) return;
  const std::size_t count = group.shapes.size() + group.balls.size() + group.planes.size();
  own_.reserve(group.balls.size() + group.planes.size());
  const auto add = [this](int body, const Solid& solid) {
    bodies_of_.push_back(body);
    solids_.push_back(&solid);
    is_planar_ = is_planar_ && bodies_.is_planar(body);
  };
  for (const CollisionShape& shape : group.shapes)
    add(shape.body, shape.solid);
  for (const CollisionBall& ball : group.balls)
    add(ball.body, own_.emplace_back(ball_solid(ball)));
  first_plane_ = static_cast<int>(solids_.size());
  for (const CollisionPlane& plane : group.planes)
    add(plane.body, own_.emplace_back(plane_solid(plane)));
  poses_.resize(count);
  travels_.resize(count);
  centres_.resize(static_cast<std::size_t>(first_plane_));
  margins_.resize(centres_.size());
  reaches_.resize(centres_.size());
}

double ShapeSearch::size(const CloseFeatures& c) const {
  return std::min(reach_of(solid(c.solid)), reach_of(solid(c.other)));
}

bool ShapeSearch::find(const State& s, double duration) {
  if (solids_.empty()) return false;
  place(s, duration);
  if (!has_pairs_ || !pairs_serve()) list_pairs();
  former_.swap(list_);
  list_.clear();
  for (const auto& [i, j] : pairs_)
    look_at(i, j);
  return follow();
}

void ShapeSearch::place(const State& s, double duration) {
  for (std::size_t i = 0; i < solids_.size(); ++i) {
    const int body = bodies_of_[i];
    const Pose<double> pose = bodies_.pose(body, s.position);
    poses_[i] = {pose.r, pose.A};
    const Vector6 twist = bodies_.twist(body, s.position, s.velocity);
    const Solid& solid = *solids_[i];
    const bool is_plane = static_cast<int>(i) >= first_plane_;
    const double reach =
        is_plane ? plane(static_cast<int>(i)).point.norm() : solid.centre.norm() + solid.reach;
    travels_[i] = duration * (twist.head<3>().norm() + twist.tail<3>().norm() * reach);
    if (!is_plane) centres_[i] = pose.point(solid.centre);
  }
}

bool ShapeSearch::pairs_serve() const {
  for (std::size_t i = 0; i < centres_.size(); ++i)
    if (!((centres_[i] - paired_at_[i]).norm() + travels_[i] <= margins_[i])) return false;
  return true;
}

// Balls meet each other in CollisionSearch; nothing meets what sits on its own body.
bool ShapeSearch::may_touch(int i, int j) const {
  const auto shapes = static_cast<int>(group_.shapes.size());
  return (i < shapes || j < shapes) && body(i) != body(j);
}

void ShapeSearch::list_pairs() {
  for (std::size_t i = 0; i < centres_.size(); ++i) {
    margins_[i] = kLeaves * kNear * solids_[i]->reach + kDurationsAhead * travels_[i];
    reaches_[i] = solids_[i]->reach + margins_[i];
  }
  paired_at_ = centres_;
  search_.find(centres_, reaches_);
  pairs_.clear();
  for (const auto& [i, j] : search_.pairs())
    if (may_touch(i, j)) pairs_.emplace_back(i, j);
  // planes turn and are few: each with all
  for (int i = 0; i < static_cast<int>(group_.shapes.size()); ++i)
    for (int k = first_plane_; k < static_cast<int>(solids_.size()); ++k)
      if (may_touch(i, k)) pairs_.emplace_back(i, k);
  std::sort(pairs_.begin(), pairs_.end());
  has_pairs_ = true;
}

// The contacts of a pair: new ones that are near, old ones until they are clearly apart.
void ShapeSearch::look_at(int i, int j) {
  const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
  const double near = kNear * std::min(reach_of(solid(i)), reach_of(solid(j))) +
                      kDurationsAhead * (travels_[a] + travels_[b]);
  found_.clear();
  narrow_.find(solid(i), poses_[a], solid(j), poses_[b], kLeaves * near, found_);
  for (const FeatureContact& contact : found_)
    if (contact.gap <= near || was_listed(i, j, contact.id)) list_.push_back({i, j, contact});
}

namespace {

auto order_of(const CloseFeatures& c) {
  return std::tuple(c.solid, c.other, c.contact.id);
}

}  // namespace

bool ShapeSearch::was_listed(int i, int j, std::uint64_t id) const {
  const auto wanted = std::tuple(i, j, id);
  const auto place =
      std::lower_bound(former_.begin(), former_.end(), wanted,
                       [](const CloseFeatures& c, const auto& key) { return order_of(c) < key; });
  return place != former_.end() && order_of(*place) == wanted;
}

bool ShapeSearch::follow() {
  const bool changed = follow_list(
      former_, list_, came_from_,
      [](const CloseFeatures& a, const CloseFeatures& b) { return order_of(a) < order_of(b); });
  if (is_planar_) return changed;
  for (CloseFeatures& close : list_)
    close.axis = tangent_axis(close.axis, close.contact.normal);
  return changed;
}

}  // namespace picus
