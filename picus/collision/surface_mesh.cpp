// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/surface_mesh.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {
namespace {

constexpr int kLeaf = 4;            // triangles
constexpr double kFlatEdge = 1e-6;  // sine of the angle between triangles that are one plane

std::size_t entry(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

SurfaceMesh::SurfaceMesh(const ShapeOnBody& shape) : rounding_(shape.rounding) {
  if (const auto* field = std::get_if<shapes::HeightField>(&shape.geometry)) {
    read(*field, shape);
  } else if (const auto* mesh = std::get_if<shapes::Mesh>(&shape.geometry)) {
    for (const Vector3& x : mesh->points)
      points_.push_back(shape.point(x));
    for (const auto& corners : mesh->triangles) {
      for (const int corner : corners)
        if (corner < 0 || corner >= static_cast<int>(points_.size()))
          throw InputError(fmt::format("mesh: found corner {} of a triangle, expected 0 to {}",
                                       corner, points_.size() - 1));
      add_triangle(corners);
    }
  } else {
    throw InputError("surface: found a solid shape, expected a mesh or a height field");
  }
  if (triangles_.empty())
    throw InputError("surface: found no triangle with an area, expected at least one");
  look_at_edges();
  for (int i = 0; i < size(); ++i)
    order_.push_back(i);
  nodes_.reserve(2 * triangles_.size());
  build(0, size());
  for (const Vector3& x : points_)
    reach_ = std::max(reach_, (x - points_[0]).norm());
}

void SurfaceMesh::read(const shapes::HeightField& field, const ShapeOnBody& shape) {
  if (field.columns < 2 || field.rows < 2 ||
      field.heights.size() != entry(field.columns) * entry(field.rows))
    throw InputError(fmt::format(
        "height field: found {} heights for {} times {} places, expected one for each of "
        "at least 2 times 2",
        field.heights.size(), field.columns, field.rows));
  for (int row = 0; row < field.rows; ++row)
    for (int column = 0; column < field.columns; ++column)
      points_.push_back(shape.point({column * field.spacing_x, row * field.spacing_y,
                                     field.heights[entry(row * field.columns + column)]}));
  for (int row = 0; row + 1 < field.rows; ++row)
    for (int column = 0; column + 1 < field.columns; ++column) {
      const int a = row * field.columns + column, b = a + 1, c = a + field.columns, d = c + 1;
      add_triangle({a, b, d});
      add_triangle({a, d, c});
    }
}

void SurfaceMesh::add_triangle(const std::array<int, 3>& corners) {
  const Vector3 &a = points_[entry(corners[0])], &b = points_[entry(corners[1])],
                &c = points_[entry(corners[2])];
  const Vector3 normal = cross(Vector3(b - a), Vector3(c - a));
  if (normal.norm() <= 1e-14 * (b - a).norm() * (c - a).norm()) return;  // no area
  triangles_.push_back({corners, {-1, -1, -1}, normal.normalized()});
}

void SurfaceMesh::look_at_edges() {
  std::map<std::pair<int, int>, int> known;
  for (Triangle& t : triangles_)
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = t.corners[k], to = t.corners[(k + 1) % 3];
      const auto [place, is_new] =
          known.try_emplace(std::minmax(from, to), static_cast<int>(edges_.size()));
      if (is_new) edges_.push_back({from, to});
      t.edges[k] = place->second;
      Edge& edge = edges_[entry(t.edges[k])];
      const Vector3 along = points_[entry(to)] - points_[entry(from)];
      if (edge.into_count < 2)
        edge.into[entry(edge.into_count++)] = cross(t.normal, along).normalized();
    }
  // an edge sticks out where the triangle beside it falls away
  const auto is_in_plane = [](const Triangle& t, const Vector3& into) {
    return std::abs(t.normal.dot(into)) < 1e-9;
  };
  for (const Triangle& t : triangles_)
    for (const int number : t.edges) {
      Edge& edge = edges_[entry(number)];
      if (edge.into_count < 2) continue;
      const Vector3& beside = edge.into[is_in_plane(t, edge.into[0]) ? 1 : 0];
      if (t.normal.dot(beside) > -kFlatEdge) edge.is_free = false;
    }
  look_at_points();
}

void SurfaceMesh::look_at_points() {
  std::vector<std::vector<Vector3>> from(points_.size());
  is_free_.assign(points_.size(), 0);
  for (const Edge& edge : edges_) {
    const Vector3 along = (points_[entry(edge.to)] - points_[entry(edge.from)]).normalized();
    from[entry(edge.from)].push_back(along);
    from[entry(edge.to)].push_back(-along);
    if (edge.into_count == 1) ++open_edges_;
    if (edge.is_free) is_free_[entry(edge.from)] = is_free_[entry(edge.to)] = 1;
  }
  for (const auto& all : from) {
    first_direction_.push_back(static_cast<int>(directions_.size()));
    directions_.insert(directions_.end(), all.begin(), all.end());
  }
  first_direction_.push_back(static_cast<int>(directions_.size()));
}

int SurfaceMesh::build(int first, int count) {
  const int number = static_cast<int>(nodes_.size());
  nodes_.push_back({.bounds = {}, .first = first, .count = count});
  Bounds bounds, middles;
  const auto middle = [&](int triangle) {
    Vector3 sum = Vector3::Zero();
    for (const int corner : triangles_[entry(triangle)].corners)
      sum += points_[entry(corner)] / 3.0;
    return sum;
  };
  for (int i = first; i < first + count; ++i) {
    for (const int corner : triangles_[entry(order_[entry(i)])].corners)
      bounds.add(points_[entry(corner)]);
    middles.add(middle(order_[entry(i)]));
  }
  bounds.grow(rounding_);
  nodes_[entry(number)].bounds = bounds;
  if (count <= kLeaf) return number;
  int longest = 0;
  (middles.high - middles.low).maxCoeff(&longest);
  const auto begin = order_.begin() + first;
  std::nth_element(begin, begin + count / 2, begin + count, [&](int i, int j) {
    return std::pair(middle(i)(longest), i) < std::pair(middle(j)(longest), j);
  });
  const int left = build(first, count / 2), right = build(first + count / 2, count - count / 2);
  nodes_[entry(number)].left = left;
  nodes_[entry(number)].right = right;
  return number;
}

void SurfaceMesh::find(const Bounds& box, std::vector<int>& found) const {
  found.clear();
  std::array<int, 64> open{};
  std::size_t count = 1;
  while (count > 0) {
    const Node& node = nodes_[entry(open[--count])];
    if (!node.bounds.overlaps(box)) continue;
    if (node.left < 0) {
      for (int i = node.first; i < node.first + node.count; ++i)
        found.push_back(order_[entry(i)]);
    } else {
      open[count++] = node.left;
      open[count++] = node.right;
    }
  }
  std::sort(found.begin(), found.end());
}

void SurfaceMesh::make(int triangle, Solid& solid) const {
  const Triangle& t = triangles_[entry(triangle)];
  solid.kind = Solid::Kind::kPolytope;
  solid.rounding = rounding_;
  solid.vertices.clear();
  solid.edges.clear();
  solid.faces.clear();
  solid.directions.clear();
  solid.corners.assign({0, 1, 2});
  Bounds bounds;
  for (std::size_t k = 0; k < 3; ++k) {
    const int corner = t.corners[k];
    const int first = first_direction_[entry(corner)],
              count = first_direction_[entry(corner) + 1] - first;
    solid.vertices.push_back({.point = points_[entry(corner)],
                              .first = static_cast<int>(solid.directions.size()),
                              .count = count,
                              .is_free = is_free_[entry(corner)] != 0,
                              .number = corner});
    solid.directions.insert(solid.directions.end(), directions_.begin() + first,
                            directions_.begin() + first + count);
    const Edge& edge = edges_[entry(t.edges[k])];
    const Vector3 along = points_[entry(edge.to)] - points_[entry(edge.from)];
    solid.edges.push_back({.point = points_[entry(edge.from)],
                           .along = along.normalized(),
                           .length = along.norm(),
                           .into_count = edge.into_count,
                           .into = edge.into,
                           .is_free = edge.is_free,
                           .number = t.edges[k]});
    bounds.add(points_[entry(corner)]);
  }
  solid.centre = 0.5 * (bounds.low + bounds.high);
  solid.half = 0.5 * (bounds.high - bounds.low);
  solid.half.array() += rounding_;
  solid.reach = 0.5 * (bounds.high - bounds.low).norm() + rounding_;
  solid.faces.push_back({.point = points_[entry(t.corners[0])],
                         .normal = t.normal,
                         .first = 0,
                         .count = 3,
                         .number = triangle});
}

}  // namespace picus
