// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where two convex solids touch, or are about to: the features of each that face the other one.

#include <cstdint>
#include <span>
#include <vector>

#include "picus/collision/feature_pair.h"
#include "picus/collision/separating_axis.h"
#include "picus/collision/solid.h"

namespace picus {

/// A place where A and B touch or are about to.
struct FeatureContact {
  FeaturePair pair;      ///< in the frames of the bodies: whose gap it is as they move
  std::uint64_t id = 0;  ///< of the two features; the same from step to step
  /// In space: halfway between the surfaces; pushes A.
  Vector3 point = Vector3::Zero(), normal = Vector3::Zero();
  /// On the surfaces, each in the frame of its body.
  Vector3 point_a = Vector3::Zero(), point_b = Vector3::Zero();
  double gap = 0.0;      ///< [m]
  bool is_exact = true;  ///< false: a plane in place of features that were not found

  static std::uint64_t id_of(FeatureRef a, int number_a, FeatureRef b, int number_b) {
    const auto half = [](FeatureRef which, int number) {
      return (static_cast<std::uint64_t>(which.kind) << 29) |
             (static_cast<std::uint64_t>(number) & 0x1fffffffu);
    };
    return (half(a, number_a) << 32) | half(b, number_b);
  }
};

/// The pairs of features of two convex solids that are close.
///
/// Flat on flat gives the corners of the polygon in which they overlap: vertices of one over the
/// face of the other, and crossings of edges. Each is a pair with a gap of its own, so that lists
/// hold what is about to touch, too, and no point depends on which solid comes first.
class NarrowPhase {
 public:
  /// Appends the contacts with gaps of at most `margin`, ascending by id. Solids listed the other
  /// way round give the same contacts, turned round. Allocates only for more features than ever
  /// before.
  void find(const Solid& a, const PoseInSpace& pose_a, const Solid& b, const PoseInSpace& pose_b,
            double margin, std::vector<FeatureContact>& found);
  /// The same with a triangle of a surface as B, seen from the side its normal points to: edges and
  /// vertices count where the surface sticks out. Appends in any order, and what neighbours share
  /// for each of them. A may be a triangle of a surface, too.
  void find_on_surface(const Solid& a, const PoseInSpace& pose_a, bool is_surface_a,
                       const Solid& triangle, const PoseInSpace& pose_b, double margin,
                       std::vector<FeatureContact>& found);

 private:
  struct Candidate {
    FeatureRef a, b;
    FeaturePair pair;
    FeatureTouch<double> touch;  ///< in the frame of B
    int rank;                    ///< of several at one place the lowest stays
    int which = 0;               ///< of several of the same features
    bool is_exact = true;
  };
  void place(const Solid& a, const PoseInSpace& pose_a, const Solid& b, const PoseInSpace& pose_b,
             double margin);
  void give(bool is_turned, const PoseInSpace& pose_a, const PoseInSpace& pose_b,
            std::vector<FeatureContact>& found) const;
  void list_pairs(const Vector3& normal, double separation);
  void try_pair(FeatureRef i, FeatureRef j);
  void try_face(FeatureRef face, FeatureRef other, bool is_face_a);
  void try_vertex(FeatureRef face, FeatureRef vertex, bool is_face_a);
  void try_round(FeatureRef face, FeatureRef round, bool is_face_a);
  void push(FeatureRef i, FeatureRef j, int rank);
  Vector3 seen_by_face(const Solid& other, int vertex, bool is_face_a) const;
  void try_edges(FeatureRef i, FeatureRef j);
  void cross_in_plane(FeatureRef i, FeatureRef j);
  void cross_rim(FeatureRef rim, FeatureRef edge, bool is_rim_a);
  void cross_rims(FeatureRef i, FeatureRef j);
  bool add(FeatureRef i, FeatureRef j, const FeaturePair& pair, int rank, int which = 0);
  const Solid::Face* flat_face(const Solid& solid, const Vector3& out, const Vector3& point,
                               const Vector3& along) const;
  double least_apart() const;
  SeparatingAxis best_known(const SeparatingAxis& axis) const;
  void drop_buried(const SeparatingAxis& best);
  void remove_doubles();
  void add_plane(const Vector3& normal);

  const Solid *a_ = nullptr, *b_ = nullptr;
  PoseInSpace a_in_b_;
  Vector3 normal_, normal_a_;  ///< from B to A: in the frame of B, and of A
  double margin_ = 0.0, size_ = 0.0;
  bool is_surface_a_ = false, is_surface_b_ = false;
  bool with_corners_ = true;  ///< vertices may face vertices and edges
  AxisSearch axes_;
  std::vector<FeatureRef> near_a_, near_b_;
  std::vector<Candidate> candidates_;
};

}  // namespace picus
