// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "picus/collision/solid.h"

namespace picus {

/// A direction from B to A, and how far it separates their cores; negative where they overlap.
struct SeparatingAxis {
  Vector3 normal = Vector3::UnitZ();  ///< in the frame of B
  double separation = -std::numeric_limits<double>::infinity();
  bool is_face = false;  ///< the normal is that of a face
};

/// The direction along which two convex solids are farthest apart, or overlap least.
///
/// Polytopes: the best of the normals of all faces and of all pairs of edges whose normal is one of
/// both (an arc of the sphere each). Where vertices face vertices or edges, no such direction is
/// the best one, and the separation found is less than the distance. Others: the direction between
/// smaller ones inside (closest_direction), or for those that overlap deeply the best of many.
class AxisSearch {
 public:
  /// Where solids are farther apart than `margin` the search may end early; the separation it
  /// returns is above the margin then.
  SeparatingAxis find(const Solid& a, const PoseInSpace& a_in_b, const Solid& b, double margin);

  /// The best of many directions, for round solids that overlap deeply.
  SeparatingAxis deepest(const Solid& a, const PoseInSpace& a_in_b, const Solid& b);
  /// Along a unit vector in the frame of B.
  static double separation(const Vector3& n, const Solid& a, const PoseInSpace& a_in_b,
                           const Solid& b);

 private:
  struct PlacedEdge {
    Vector3 point, along;
    std::array<Vector3, 2> into;
    int into_count;
  };
  void try_faces(const Solid& a, const PoseInSpace& a_in_b, const Solid& b);
  void try_edges(const Solid& a, const PoseInSpace& a_in_b, const Solid& b, double margin);
  void try_normal(const Vector3& normal, double apart);
  static SeparatingAxis common_normal(const PlacedEdge& i, const PlacedEdge& j);
  SeparatingAxis of_round(const Solid& a, const PoseInSpace& a_in_b, const Solid& b);

  SeparatingAxis best_;
  std::vector<Vector3> points_;  ///< vertices of A in the frame of B
  std::vector<PlacedEdge> edges_a_, edges_b_;
  std::vector<Vector3> tries_;
};

}  // namespace picus
