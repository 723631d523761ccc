// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Balls that may meet each other and planes, in any pair, and which of them are close.

#include <memory>
#include <string>
#include <vector>

#include "picus/collision/ball_pairs.h"
#include "picus/collision/solid.h"
#include "picus/dynamics/system.h"
#include "picus/mechanism/bodies.h"

namespace picus {

/// A sphere, or in the plane a disk, fixed in a body.
struct CollisionBall {
  int body = Bodies::kGround;
  Vector3 centre = Vector3::Zero();  ///< in the body's frame, from its centre of mass [m]
  double radius = 0.0;               ///< [m]
  int line = -1;  ///< whose node it is: it meets planes and other lines, but no balls
};

/// A plane fixed in a body; balls are on the side its normal points to.
struct CollisionPlane {
  int body = Bodies::kGround;
  Vector3 point = Vector3::Zero();    ///< in the body's frame [m]
  Vector3 normal = Vector3::UnitY();  ///< in the body's frame, of length one
  ContactLaw law = {};                ///< with balls
};

/// A round line through the nodes of a flexible part.
struct CollisionLine {
  std::string name = {};
  std::vector<int> nodes = {};       ///< bodies in a row, x along the line
  std::vector<double> lengths = {};  ///< of the pieces between them, unstrained [m]
  double radius = 0.0;               ///< [m]
};

/// A convex shape fixed in a body.
struct CollisionShape {
  int body = Bodies::kGround;
  Solid solid;  ///< in the body's frame, from its centre of mass
};

/// Every ball may meet every other that belongs to another body, every plane of another body, and
/// every line but its own; lines may meet each other; shapes meet balls, planes and other shapes.
struct CollisionGroup {
  std::string name = {};
  std::vector<CollisionBall> balls = {};
  std::vector<CollisionPlane> planes = {};
  std::vector<CollisionLine> lines = {};  ///< their nodes are balls, too
  std::vector<CollisionShape> shapes = {};
  ContactLaw law = {};  ///< of balls, lines and shapes with each other
  double slack = 0.1;   ///< pairs are listed when they are this close, in radii; > 0
};

/// A ball that is close to another one, or to a plane.
struct CloseBall {
  int ball = 0;
  int other = 0;  ///< a ball with a larger number; planes are numbered after the balls
  Vector3 axis = Vector3::UnitZ();  ///< of the tangents, see elements/ball_contact.h

  bool is_pair_of(const CloseBall& c) const { return ball == c.ball && other == c.other; }
};

/// The list of close balls of a group. It holds more than needed at the moment and is kept until a
/// ball may have gone further than it allows for.
class CollisionSearch {
 public:
  CollisionSearch(const Bodies& bodies, std::shared_ptr<const CollisionGroup> group);

  const std::shared_ptr<const CollisionGroup>& group() const { return shared_group_; }
  bool is_planar() const { return is_planar_; }
  bool is_plane(const CloseBall& c) const {
    return c.other >= static_cast<int>(group_.balls.size());
  }
  const CollisionBall& ball(int number) const {
    return group_.balls[static_cast<std::size_t>(number)];
  }
  const CollisionPlane& plane(const CloseBall& c) const {
    return group_.planes[static_cast<std::size_t>(c.other) - group_.balls.size()];
  }

  /// Sees to it that every pair that may touch within `duration` is listed. False when the list of
  /// before serves, or comes out again.
  bool find(const State& s, double duration);
  /// Balls with balls, then balls with planes; ascending.
  const std::vector<CloseBall>& list() const { return list_; }
  /// Places in the list before the last find() that returned true, or -1.
  const std::vector<int>& came_from() const { return came_from_; }

 private:
  void place_balls(const State& s, double duration);
  double gap(std::size_t ball, std::size_t plane) const;
  double approach(std::size_t ball, std::size_t plane) const;
  bool serves() const;
  void make_list();
  void choose_axis(CloseBall& close) const;
  bool follow();

  const Bodies& bodies_;
  std::shared_ptr<const CollisionGroup> shared_group_;
  const CollisionGroup& group_;
  bool is_planar_ = true;
  std::vector<CloseBall> list_, former_;
  std::vector<int> came_from_;
  BallPairs pairs_;
  std::vector<Vector3> centres_, listed_at_;  ///< of the balls: now, and when the list was made
  std::vector<double> travels_;               ///< of the balls within the duration, at most
  std::vector<double> margins_, reaches_;     ///< that the list allows for; with the radii
  std::vector<Vector3> points_, normals_;     ///< of the planes, now
  std::vector<double> speeds_, turns_;        ///< of the planes, times the duration
  std::vector<bool> is_listed_;               ///< ball times plane
  bool has_list_ = false;
};

}  // namespace picus
