// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "picus/collision/solid.h"

namespace picus {

/// Triangles of a mesh or a height field in the frame of a body, each seen from one side.
///
/// An edge or a vertex touches others where the surface sticks out, with normals between those of
/// the triangles beside it: what slides over the edges of a flat place feels nothing of them.
class SurfaceMesh {
 public:
  /// A mesh or a height field; others are an InputError.
  explicit SurfaceMesh(const ShapeOnBody& shape);

  int size() const { return static_cast<int>(triangles_.size()); }
  /// Makes `solid` the triangle with this number. Numbers of its features are those of the mesh.
  void make(int triangle, Solid& solid) const;
  /// The triangles whose bounds overlap a box in the frame of the body, ascending.
  void find(const Bounds& box, std::vector<int>& found) const;
  const Bounds& bounds() const { return nodes_[0].bounds; }
  double reach() const { return reach_; }
  /// Edges that belong to one triangle only.
  int open_edges() const { return open_edges_; }

 private:
  struct Edge {
    int from, to;
    int into_count = 0;
    std::array<Vector3, 2> into{Vector3::Zero(), Vector3::Zero()};
    bool is_free = true;
  };
  struct Triangle {
    std::array<int, 3> corners, edges;
    Vector3 normal;
  };
  /// Of a tree of boxes: a leaf holds triangles first … first + count − 1 of the order.
  struct Node {
    Bounds bounds;
    int first = 0, count = 0, left = -1, right = -1;
  };

  void read(const shapes::HeightField& field, const ShapeOnBody& shape);
  void add_triangle(const std::array<int, 3>& corners);
  void look_at_edges();
  void look_at_points();
  int build(int first, int count);

  double rounding_ = 0.0, reach_ = 0.0;
  int open_edges_ = 0;
  std::vector<Vector3> points_;
  std::vector<Triangle> triangles_;
  std::vector<Edge> edges_;
  std::vector<int> first_direction_;  ///< of the points
  std::vector<Vector3> directions_;
  std::vector<char> is_free_;  ///< points
  std::vector<Node> nodes_;
  std::vector<int> order_;
};

}  // namespace picus
