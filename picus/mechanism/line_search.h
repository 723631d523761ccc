// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where lines of a group are near balls and other lines.

#include <vector>

#include "picus/collision/ball_pairs.h"
#include "picus/mechanism/collision_search.h"
#include "picus/mechanism/line_view.h"

namespace picus {

/// A ball or a line that is near a line; places on lines are counted in pieces from their start.
struct CloseLine {
  int ball = -1;    ///< -1: it is a line,
  int line_i = -1;  ///< this one
  int line = 0;     ///< the other line,
  int plane = -1;   ///< or this plane, which the line line_i meets between two nodes
  double at_i = 0.0, at = 0.0;
  Vector3 axis = Vector3::UnitZ();  ///< of the tangents, see elements/ball_contact.h

  bool is_pair_of(const CloseLine& c) const {
    return ball == c.ball && line_i == c.line_i && line == c.line && plane == c.plane;
  }
};

/// The list of places where distances from lines are smallest: one for each local minimum of the
/// distance between a ball and a line, and between a plane and a line between its nodes, and for
/// each crossing of two lines. Lines side by side have no crossing; there the nodes of one are
/// balls near the other.
class LineSearch {
 public:
  LineSearch(const Bodies& bodies, const CollisionGroup& group);

  /// As CollisionSearch::find.
  bool find(const State& s, double duration);
  const std::vector<CloseLine>& list() const { return list_; }
  const std::vector<int>& came_from() const { return came_from_; }

  /// The nearest points at a state, sought from where they were when the list was made.
  PlacedLineContact settle(const CloseLine& close, const State& s) const;
  /// How a ball or a line passes a line there: without what slides along lines.
  struct Passing {
    Vector3 apart, velocity;
    double radius_i, radius_j;
  };
  Passing passing(const CloseLine& close, const State& s) const;

 private:
  struct Found {
    CloseLine close;
    double gap, need, margin;  ///< need: by how much the gap may shrink within the duration
    int former = -1;           ///< in the list of before
    bool is_new = true;        ///< may come into the list
  };
  /// A place on a line, seen from a ball or another line.
  struct Station {
    std::size_t piece;
    double s;
    bool is_end;
  };
  const CollisionLine& line(int number) const {
    return group_.lines[static_cast<std::size_t>(number)];
  }
  const CollisionBall& ball(int number) const {
    return group_.balls[static_cast<std::size_t>(number)];
  }
  Pose<double> node(const CollisionLine& line, std::size_t number, const State& s) const {
    return bodies_.pose(line.nodes[number], s.position);
  }
  std::size_t sphere(int line, std::size_t piece) const {
    return first_[static_cast<std::size_t>(line)] + piece;
  }
  static Station station(const CollisionLine& line, double at);
  LinePoint<double> point(const CollisionLine& line, const Station& at, const State& s) const;
  double slope_at_node(const CollisionLine& line, std::size_t node, const Vector3& centre,
                       const State& s) const;
  Station within(const CollisionLine& line, std::size_t piece, double low, double high,
                 const Vector3& centre, const State& s) const;
  Station nearest(const CollisionLine& line, double from, const Vector3& centre,
                  const State& s) const;
  bool cross(const CollisionLine& i, const CollisionLine& j, double& at_i, double& at_j,
             const State& s) const;

  void place(const State& s, double duration);
  void find_nearest_to_ball(int ball, int line, std::size_t piece, const State& s);
  void find_nearest_of_lines(int line_i, std::size_t piece_i, int line_j, std::size_t piece_j,
                             const State& s);
  void find_nearest_to_planes(int line, std::size_t piece, const State& s);
  PlacedLineContact settle_on_plane(const CloseLine& close, const State& s) const;
  bool keeps_list();
  void make_list();
  void add(const CloseLine& close, const State& s, double need, double margin, bool is_new);
  void match();
  bool is_steep(const Found& found) const;

  const Bodies& bodies_;
  const CollisionGroup& group_;
  bool is_planar_ = true, has_list_ = false;
  double duration_ = 0.0;  ///< of the present search
  std::vector<CloseLine> list_;
  std::vector<int> came_from_;
  std::vector<Found> found_;
  BallPairs pairs_;
  std::vector<int> line_of_, piece_of_;  ///< of the pieces, one after the other
  std::vector<std::size_t> first_;       ///< sphere of the first piece of a line
  std::vector<char> taken_;
  std::vector<Vector3> centres_, normals_;
  std::vector<double> travels_, margins_, reaches_;
};

}  // namespace picus
