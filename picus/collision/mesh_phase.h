// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/collision/narrow_phase.h"
#include "picus/collision/surface_mesh.h"

namespace picus {

/// Where surfaces touch solids and each other, triangle by triangle: as many contacts as there are
/// features that face each other. What is deeper in a surface than the middle of a solid, or of a
/// triangle, is not seen; surfaces have one side, and need no inside.
class MeshPhase {
 public:
  /// Appends contacts with gaps of at most `margin`, ascending by id; normals push the first.
  void find(const Solid& solid, const PoseInSpace& pose_a, const SurfaceMesh& mesh,
            const PoseInSpace& pose_b, double margin, std::vector<FeatureContact>& found);
  void find(const SurfaceMesh& a, const PoseInSpace& pose_a, const SurfaceMesh& b,
            const PoseInSpace& pose_b, double margin, std::vector<FeatureContact>& found);

 private:
  void finish(std::vector<FeatureContact>& found, double same_place) const;

  NarrowPhase narrow_phase_;
  Solid triangle_a_, triangle_b_;
  std::vector<int> near_a_, near_b_;
  std::size_t first_ = 0;
};

}  // namespace picus
