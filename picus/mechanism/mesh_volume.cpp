// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/mesh_volume.h"

#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "picus/math/rotation.h"

namespace picus {
namespace {

// The first point with the same coordinates, for every point.
std::vector<int> welded(const std::vector<Vector3>& points) {
  std::map<std::array<double, 3>, int> first;
  std::vector<int> result;
  result.reserve(points.size());
  for (const Vector3& p : points)
    result.push_back(
        first.emplace(std::array{p(0), p(1), p(2)}, static_cast<int>(result.size())).first->second);
  return result;
}

// A closed surface passes every edge once each way.
void count_edges(const Triangles& surface, MeshVolume& result) {
  const std::vector<int> point = welded(surface.points);
  std::map<std::pair<int, int>, std::pair<int, int>> passes;  // forth and back
  for (const auto& corners : surface.corners)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = point[static_cast<std::size_t>(corners[k])];
      const int b = point[static_cast<std::size_t>(corners[(k + 1) % 3])];
      if (a == b) continue;  // a triangle without area
      auto& [forth, back] = passes[std::minmax(a, b)];
      ++(a < b ? forth : back);
    }
  for (const auto& [edge, count] : passes) {
    const auto [forth, back] = count;
    if (forth + back == 1)
      ++result.open_edges;
    else if (forth != back)
      ++result.torn_edges;
  }
}

}  // namespace

MeshVolume volume_inside(const Triangles& surface) {
  MeshVolume result;
  if (surface.points.empty()) return result;
  count_edges(surface, result);
  Vector3 origin = Vector3::Zero();  // near the surface, so that little cancels
  for (const Vector3& point : surface.points)
    origin += point / static_cast<double>(surface.points.size());
  // tetrahedra from the origin to each triangle: their volumes, first and second moments
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (const auto& corners : surface.corners) {
    std::array<Vector3, 3> p;
    for (std::size_t k = 0; k < 3; ++k)
      p[k] = surface.points[static_cast<std::size_t>(corners[k])] - origin;
    const double six_volumes = p[0].dot(cross(p[1], p[2]));
    const Vector3 sum = p[0] + p[1] + p[2];
    result.volume += six_volumes / 6.0;
    first += six_volumes / 24.0 * sum;
    second += six_volumes / 120.0 *
              (p[0] * p[0].transpose() + p[1] * p[1].transpose() + p[2] * p[2].transpose() +
               sum * sum.transpose());
  }
  if (result.volume == 0.0) return result;
  const Vector3 center = first / result.volume;
  second -= result.volume * center * center.transpose();
  result.center = origin + center;
  result.inertia =
      std::copysign(1.0, result.volume) * (second.trace() * Matrix3::Identity() - second);
  return result;
}

}  // namespace picus
