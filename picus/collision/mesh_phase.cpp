// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/mesh_phase.h"

#include <algorithm>

namespace picus {
namespace {

constexpr double kSameSpot = 1e-6;  // of the size

// Of one body in the frame of another.
PoseInSpace relative(const PoseInSpace& a, const PoseInSpace& b) {
  return {b.A.transpose() * (a.r - b.r), b.A.transpose() * a.A};
}

}  // namespace

void MeshPhase::find(const Solid& solid, const PoseInSpace& pose_a, const SurfaceMesh& mesh,
                     const PoseInSpace& pose_b, double margin, std::vector<FeatureContact>& found) {
  first_ = found.size();
  const bool is_plane = solid.kind == Solid::Kind::kHalfSpace;
  Bounds box = solid.bounds(relative(pose_a, pose_b));
  box.grow(margin);
  mesh.find(box, near_b_);
  for (const int number : near_b_) {
    mesh.make(number, triangle_b_);
    if (is_plane)
      narrow_phase_.find(solid, pose_a, triangle_b_, pose_b, margin, found);
    else
      narrow_phase_.find_on_surface(solid, pose_a, false, triangle_b_, pose_b, margin, found);
  }
  finish(found, kSameSpot * std::min(solid.reach, mesh.reach()));
}

void MeshPhase::find(const SurfaceMesh& a, const PoseInSpace& pose_a, const SurfaceMesh& b,
                     const PoseInSpace& pose_b, double margin, std::vector<FeatureContact>& found) {
  first_ = found.size();
  const PoseInSpace a_in_b = relative(pose_a, pose_b), b_in_a = relative(pose_b, pose_a);
  const auto seen_from = [&](const PoseInSpace& pose, const Bounds& box) {
    const Vector3 middle = pose.point(0.5 * (box.low + box.high));
    const Vector3 most = pose.A.cwiseAbs() * (0.5 * (box.high - box.low));
    Bounds seen{middle - most, middle + most};
    seen.grow(margin);
    return seen;
  };
  a.find(seen_from(b_in_a, b.bounds()), near_a_);
  for (const int i : near_a_) {
    a.make(i, triangle_a_);
    Bounds box = triangle_a_.bounds(a_in_b);
    box.grow(margin);
    b.find(box, near_b_);
    for (const int j : near_b_) {
      b.make(j, triangle_b_);
      narrow_phase_.find_on_surface(triangle_a_, pose_a, true, triangle_b_, pose_b, margin, found);
    }
  }
  finish(found, kSameSpot * std::min(a.reach(), b.reach()));
}

// What several triangles share is one contact.
void MeshPhase::finish(std::vector<FeatureContact>& found, double same_place) const {
  const auto first = found.begin() + static_cast<std::ptrdiff_t>(first_);
  std::sort(first, found.end(), [](const FeatureContact& c, const FeatureContact& d) {
    return c.id != d.id ? c.id < d.id : c.gap < d.gap;
  });
  found.erase(
      std::unique(first, found.end(),
                  [](const FeatureContact& c, const FeatureContact& d) { return c.id == d.id; }),
      found.end());
  std::size_t kept = first_;
  for (std::size_t i = first_; i < found.size(); ++i) {
    bool stays = true;
    for (std::size_t k = first_; k < kept && stays; ++k)
      stays = (found[k].point - found[i].point).squaredNorm() > same_place * same_place ||
              found[k].normal.dot(found[i].normal) < 0.99;
    if (stays) found[kept++] = found[i];
  }
  found.erase(found.begin() + static_cast<std::ptrdiff_t>(kept), found.end());
}

}  // namespace picus
