// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where the shapes of a group are near each other, its balls and its planes.

#include <span>
#include <vector>

#include "picus/collision/ball_pairs.h"
#include "picus/collision/narrow_phase.h"
#include "picus/mechanism/collision_search.h"

namespace picus {

/// Features of two solids that are close. Solids are numbered: shapes, then balls, then planes.
struct CloseFeatures {
  int solid = 0, other = 0;  ///< A and B of the contact
  FeatureContact contact;
  Vector3 axis = Vector3::UnitZ();  ///< of the tangents, see elements/ball_contact.h

  bool is_pair_of(const CloseFeatures& c) const {
    return solid == c.solid && other == c.other && contact.id == c.contact.id;
  }
};

/// The list of places where two solids touch or are about to, a few for each pair. It holds more
/// than needed at the moment; what is on it stays until it is clearly out of reach.
class ShapeSearch {
 public:
  ShapeSearch(const Bodies& bodies, const CollisionGroup& group);

  /// As CollisionSearch::find. Features of contacts that stay are looked at again in any case.
  bool find(const State& s, double duration);
  /// Ascending by solids.
  const std::vector<CloseFeatures>& list() const { return list_; }
  const std::vector<int>& came_from() const { return came_from_; }

  int body(int solid) const { return bodies_of_[static_cast<std::size_t>(solid)]; }
  bool is_plane(int solid) const { return solid >= first_plane_; }
  const CollisionPlane& plane(int solid) const {
    return group_.planes[static_cast<std::size_t>(solid - first_plane_)];
  }
  /// How far the smaller one reaches from its centre [m].
  double size(const CloseFeatures& c) const;

 private:
  const Solid& solid(int number) const { return *solids_[static_cast<std::size_t>(number)]; }
  void place(const State& s, double duration);
  bool pairs_serve() const;
  void list_pairs();
  bool may_touch(int i, int j) const;
  void look_at(int i, int j);
  bool was_listed(int i, int j, std::uint64_t id) const;
  bool follow();

  const Bodies& bodies_;
  const CollisionGroup& group_;
  int first_plane_ = 0;
  bool is_planar_ = true;
  std::vector<Solid> own_;            ///< of balls and planes
  std::vector<const Solid*> solids_;  ///< of the group, then own
  std::vector<int> bodies_of_;
  std::vector<PoseInSpace> poses_;            ///< of the bodies
  std::vector<double> travels_;               ///< of solids within the duration, at most
  std::vector<Vector3> centres_, paired_at_;  ///< now, and when pairs were listed
  std::vector<double> margins_, reaches_;     ///< that the pairs allow for; with the solids
  std::vector<BallPairs::Pair> pairs_;
  BallPairs search_;
  NarrowPhase narrow_;
  std::vector<FeatureContact> found_;
  std::vector<CloseFeatures> list_, former_;
  std::vector<int> came_from_;
  bool has_pairs_ = false;
};

}  // namespace picus
