// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/solid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/base/error.h"

namespace picus {
namespace {

std::size_t item(int i) {
  return static_cast<std::size_t>(i);
}

void expect_positive(double found, const char* what) {
  if (!(found > 0.0) || !std::isfinite(found))
    throw InputError(fmt::format("shape: {}: found {:g}, expected a positive number", what, found));
}

// Vertices on a rim, so that what stands on it has a polygon to stand on.
constexpr int kRimVertices = 4;
// They count where the end faces the other body this closely: sine of the angle.
constexpr double kStanding = 0.2;

}  // namespace

struct Solid::Maker {
  Solid& solid;
  const ShapeOnBody& shape;

  void operator()(const shapes::Sphere& s) const {
    expect_positive(s.radius, "radius");
    ball(s.radius);
  }
  void operator()(const shapes::Disc& s) const {
    expect_positive(s.radius, "radius");
    ball(s.radius);
  }
  void ball(double radius) const {
    solid.vertices.push_back({.point = shape.at});
    solid.rounding += radius;
  }
  void operator()(const shapes::Capsule& s) const {
    expect_positive(s.radius, "radius");
    expect_positive(s.length, "length");
    const Vector3 end = 0.5 * s.length * shape.axes.col(2);
    solid.make_segment(shape.at - end, shape.at + end);
    solid.rounding += s.radius;
  }
  void operator()(const shapes::Segment& s) const {
    expect_positive(s.length, "length");
    const Vector3 end = 0.5 * s.length * shape.axes.col(0);
    const Vector3 ends[] = {shape.at - end, shape.at + end};
    solid.make_polygon(ends, shape.axes.col(2));
  }
  void operator()(const shapes::Polygon& s) const {
    const std::vector<Vector2> hull = convex_hull(s.corners);
    std::vector<Vector3> outline;
    outline.reserve(hull.size());
    for (const Vector2& x : hull)
      outline.push_back(shape.point({x(0), x(1), 0.0}));
    solid.make_polygon(outline, shape.axes.col(2));
  }
  void operator()(const shapes::Box& s) const {
    for (int k = 0; k < 3; ++k)
      expect_positive(s.size(k), "size");
    std::vector<Vector3> points;
    points.reserve(8);
    for (int i = 0; i < 8; ++i)
      points.push_back(
          shape.point({(i & 1 ? 0.5 : -0.5) * s.size(0), (i & 2 ? 0.5 : -0.5) * s.size(1),
                       (i & 4 ? 0.5 : -0.5) * s.size(2)}));
    solid.make_polytope(
        points,
        {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}});
  }
  void operator()(const shapes::Rectangle& s) const {
    expect_positive(s.length, "length");
    expect_positive(s.width, "width");
    const double x = 0.5 * s.length, y = 0.5 * s.width;
    const Vector3 points[] = {shape.point({-x, -y, 0}), shape.point({x, -y, 0}),
                              shape.point({x, y, 0}), shape.point({-x, y, 0})};
    solid.make_polytope(points, {{0, 1, 2, 3}, {3, 2, 1, 0}});
  }
  void operator()(const shapes::Hull& s) const {
    HullFaces hull = convex_hull(s.points);
    for (Vector3& x : hull.points)
      x = shape.point(x);
    solid.make_polytope(hull.points, hull.faces);
  }
  void operator()(const shapes::HalfSpace&) const {
    solid.kind = Kind::kHalfSpace;
    solid.faces.push_back({.point = shape.at, .normal = shape.axes.col(2)});
  }
  void operator()(const shapes::Cylinder& s) const { solid.make_cylinder(shape, s); }
  void operator()(const shapes::Cone& s) const { solid.make_cone(shape, s); }
  void operator()(const shapes::Ellipsoid& s) const { solid.make_ellipsoid(shape, s); }
  void operator()(const shapes::Mesh&) const { refuse("mesh"); }
  void operator()(const shapes::HeightField&) const { refuse("height field"); }
  static void refuse(const char* what) {
    throw InputError(fmt::format("shape: found a {}, expected a convex shape", what));
  }
};

Solid::Solid(const ShapeOnBody& shape) : rounding(shape.rounding) {
  if (!(rounding >= 0.0))
    throw InputError(
        fmt::format("shape: rounding: found {:g} m, expected at least 0", shape.rounding));
  std::visit(Maker{*this, shape}, shape.geometry);
  measure();
}

void Solid::make_polytope(std::span<const Vector3> points,
                          const std::vector<std::vector<int>>& outlines) {
  for (const Vector3& x : points)
    vertices.push_back({.point = x, .number = static_cast<int>(vertices.size())});
  std::map<std::pair<int, int>, int> known;
  for (const std::vector<int>& outline : outlines) {
    // Newell's normal, of all corners alike
    Vector3 normal = Vector3::Zero(), middle = Vector3::Zero();
    for (std::size_t k = 0; k < outline.size(); ++k) {
      const Vector3 &x = points[item(outline[k])],
                    &y = points[item(outline[(k + 1) % outline.size()])];
      normal += cross(Vector3(x - points[item(outline[0])]), Vector3(y - points[item(outline[0])]));
      middle += x / static_cast<double>(outline.size());
    }
    normal.normalize();
    faces.push_back({.point = middle,
                     .normal = normal,
                     .first = static_cast<int>(corners.size()),
                     .count = static_cast<int>(outline.size()),
                     .number = static_cast<int>(faces.size())});
    corners.insert(corners.end(), outline.begin(), outline.end());
    for (std::size_t k = 0; k < outline.size(); ++k) {
      const int from = outline[k], to = outline[(k + 1) % outline.size()];
      const auto [entry, is_new] =
          known.try_emplace(std::minmax(from, to), static_cast<int>(edges.size()));
      const Vector3 side = points[item(to)] - points[item(from)];
      if (is_new)
        edges.push_back({.point = points[item(from)],
                         .along = side.normalized(),
                         .length = side.norm(),
                         .number = static_cast<int>(edges.size())});
      Edge& edge = edges[item(entry->second)];
      if (edge.into_count < 2)
        edge.into[item(edge.into_count++)] = cross(normal, side).normalized();
    }
  }
  connect();
}

// In the plane the sides of a polygon are its faces.
void Solid::make_polygon(std::span<const Vector3> points, const Vector3& up) {
  is_planar = true;
  const auto count = static_cast<int>(points.size());
  for (int k = 0; k < count; ++k) {
    const int next = (k + 1) % count;
    vertices.push_back({.point = points[item(k)], .number = k});
    faces.push_back(
        {.point = 0.5 * (points[item(k)] + points[item(next)]),
         .normal = cross(Vector3(points[item(next)] - points[item(k)]), up).normalized(),
         .first = 2 * k,
         .count = 2,
         .number = k});
    corners.insert(corners.end(), {k, next});
  }
  connect();
}

void Solid::make_segment(const Vector3& from, const Vector3& to) {
  vertices.push_back({.point = from, .number = 0});
  vertices.push_back({.point = to, .number = 1});
  edges.push_back({.point = from, .along = (to - from).normalized(), .length = (to - from).norm()});
  connect();
}

// Directions from vertices to their neighbours.
void Solid::connect() {
  std::vector<std::vector<Vector3>> from(vertices.size());
  std::map<std::pair<int, int>, bool> seen;
  const auto join = [&](int i, int k) {
    if (!seen.try_emplace(std::minmax(i, k), true).second) return;
    const Vector3 along = (vertices[item(k)].point - vertices[item(i)].point).normalized();
    from[item(i)].push_back(along);
    from[item(k)].push_back(-along);
  };
  for (const Face& face : faces)
    for (int k = 0; k < face.count; ++k)
      join(corners[item(face.first + k)], corners[item(face.first + (k + 1) % face.count)]);
  if (faces.empty() && vertices.size() == 2) join(0, 1);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    vertices[i].first = static_cast<int>(directions.size());
    vertices[i].count = static_cast<int>(from[i].size());
    directions.insert(directions.end(), from[i].begin(), from[i].end());
  }
}

void Solid::add_cap(const Vector3& middle, const Vector3& normal, double radius, double least) {
  const int number = static_cast<int>(faces.size());
  faces.push_back({.point = middle, .normal = normal, .radius = radius, .number = number});
  rims.push_back({.centre = middle, .axis = normal, .radius = radius, .least = least});
  const Matrix3 frame = frame_along(normal, axes.col(0));
  for (int k = 0; k < kRimVertices; ++k) {
    const double angle = 2.0 * M_PI * k / kRimVertices;
    vertices.push_back({.point = middle + radius * (std::cos(angle) * frame.col(0) +
                                                    std::sin(angle) * frame.col(1)),
                        .is_on_rim = true,
                        .number = static_cast<int>(vertices.size())});
  }
}

void Solid::make_cylinder(const ShapeOnBody& shape, const shapes::Cylinder& s) {
  expect_positive(s.radius, "radius");
  expect_positive(s.length, "length");
  kind = Kind::kCylinder;
  axes = shape.axes;
  semi_axes = {s.radius, s.radius, 0.5 * s.length};
  thickness = semi_axes.minCoeff();
  const Vector3 along = axes.col(2), end = semi_axes(2) * along;
  edges.push_back(
      {.point = shape.at - end, .along = along, .length = s.length, .radius = s.radius});
  add_cap(shape.at - end, -along, s.radius, 0.0);
  add_cap(shape.at + end, along, s.radius, 0.0);
  centre = shape.at;
}

void Solid::make_cone(const ShapeOnBody& shape, const shapes::Cone& s) {
  expect_positive(s.radius, "radius");
  expect_positive(s.length, "length");
  kind = Kind::kCone;
  axes = shape.axes;
  slant = std::hypot(s.radius, s.length);
  const double slope = s.radius / slant;
  const Vector3 along = axes.col(2);
  surface = Feature::cone(shape.at + 0.75 * s.length * along, along, slope, rounding);
  semi_axes = {s.radius, s.radius, s.length};
  thickness = s.radius * s.length / (slant + s.radius);
  add_cap(shape.at - 0.25 * s.length * along, -along, s.radius, -slope);
  vertices.push_back({.point = surface.point, .number = static_cast<int>(vertices.size())});
  centre = shape.at;
}

void Solid::make_ellipsoid(const ShapeOnBody& shape, const shapes::Ellipsoid& s) {
  for (int k = 0; k < 3; ++k)
    expect_positive(s.semi_axes(k), "semi_axes");
  kind = Kind::kEllipsoid;
  axes = shape.axes;
  semi_axes = s.semi_axes;
  thickness = semi_axes.minCoeff();
  surface = Feature::ellipsoid(shape.at, axes, semi_axes, rounding);
  centre = shape.at;
}

void Solid::measure() {
  if (kind == Kind::kHalfSpace) {
    reach = std::numeric_limits<double>::infinity();
    half.setConstant(reach);
    centre = faces[0].point;
    return;
  }
  for (int k = 0; k < 3; ++k) {
    const Vector3 e = Vector3::Unit(k);
    const double high = e.dot(support(e)), low = e.dot(support(-e));
    centre(k) = 0.5 * (high + low);
    half(k) = 0.5 * (high - low) + rounding;
  }
  if (kind == Kind::kEllipsoid) reach = semi_axes.maxCoeff();
  for (const Vertex& vertex : vertices)
    reach = std::max(reach, (vertex.point - centre).norm());
  if (kind == Kind::kCone)
    for (const Rim& rim : rims)
      reach = std::max(reach, (rim.centre - centre).norm() + rim.radius);
  reach += rounding;
}

Bounds Solid::bounds(const PoseInSpace& pose) const {
  if (kind == Kind::kHalfSpace) return {Vector3::Constant(-reach), Vector3::Constant(reach)};
  const Vector3 middle = pose.point(centre);
  const Vector3 most = (pose.A.cwiseAbs() * half).cwiseMin(reach);
  return {middle - most, middle + most};
}

Feature Solid::feature(FeatureRef which) const {
  switch (which.kind) {
    case FeatureKind::kVertex:
      return Feature::vertex(vertices[item(which.number)].point, rounding);
    case FeatureKind::kEdge: {
      const Edge& edge = edges[item(which.number)];
      return Feature::edge(edge.point, edge.along, rounding + edge.radius);
    }
    case FeatureKind::kFace: {
      const Face& face = faces[item(which.number)];
      return Feature::face(face.point, face.normal, rounding);
    }
    case FeatureKind::kRim: {
      const Rim& rim = rims[item(which.number)];
      return Feature::rim(rim.centre, rim.axis, rim.radius, rounding);
    }
    case FeatureKind::kCone:
    case FeatureKind::kEllipsoid:
      break;
  }
  return surface;
}

int Solid::number_of(FeatureRef which) const {
  if (which.kind == FeatureKind::kVertex) return vertices[item(which.number)].number;
  if (which.kind == FeatureKind::kEdge) return edges[item(which.number)].number;
  if (which.kind == FeatureKind::kFace) return faces[item(which.number)].number;
  return which.number;
}

Vector3 Solid::support(const Vector3& n, double less) const {
  switch (kind) {
    case Kind::kPolytope: {
      const Vector3* best = &vertices[0].point;
      double most = n.dot(*best);
      for (const Vertex& vertex : vertices) {
        const double height = n.dot(vertex.point);
        if (height > most) {
          most = height;
          best = &vertex.point;
        }
      }
      return *best;
    }
    case Kind::kEllipsoid: {
      const Vector3 s = (1.0 - less / thickness) * semi_axes;
      const Vector3 w = s.cwiseProduct(axes.transpose() * n);
      const double size = w.norm();
      if (size == 0.0) return surface.point;
      return surface.point + axes * s.cwiseProduct(w) / size;
    }
    case Kind::kCylinder: {
      const Vector3 local = axes.transpose() * n;
      const double out = local.head<2>().norm(), r = semi_axes(0) - less;
      Vector3 x(0.0, 0.0, std::copysign(semi_axes(2) - less, local(2)));
      if (out > 0.0) x.head<2>() = r / out * local.head<2>();
      return 0.5 * (rims[0].centre + rims[1].centre) + axes * x;
    }
    case Kind::kCone: {
      // a smaller cone inside, at the distance `less` from all sides
      const Vector3 local = axes.transpose() * n;
      const double part = 1.0 - less / thickness, out = local.head<2>().norm();
      const double base = less, top = less + part * semi_axes(2), r = part * semi_axes(0);
      Vector3 x(0.0, 0.0, top);
      if (local(2) * (top - base) < r * out || (out == 0.0 && local(2) < 0.0)) {
        x(2) = base;
        if (out > 0.0) x.head<2>() = r / out * local.head<2>();
      }
      return rims[0].centre + axes * x;
    }
    case Kind::kHalfSpace:
      break;
  }
  contract_violated("a half-space has no outermost point", {});
}

void Solid::near(const Vector3& out, double slab, double miss,
                 std::vector<FeatureRef>& found) const {
  found.clear();
  if (kind == Kind::kHalfSpace) {
    found.push_back({FeatureKind::kFace, 0});
    return;
  }
  const double least = out.dot(support(out)) - slab, facing = std::sqrt(1.0 - miss * miss);
  for (int i = 0; i < static_cast<int>(vertices.size()); ++i)
    if (is_near(vertices[item(i)], i, out, least, miss)) found.push_back({FeatureKind::kVertex, i});
  for (int i = 0; i < static_cast<int>(edges.size()); ++i)
    if (is_near(edges[item(i)], out, least, miss)) found.push_back({FeatureKind::kEdge, i});
  for (int i = 0; i < static_cast<int>(faces.size()); ++i)
    if (out.dot(faces[item(i)].normal) >= facing) found.push_back({FeatureKind::kFace, i});
  for (int i = 0; i < static_cast<int>(rims.size()); ++i)
    if (out.dot(rims[item(i)].axis) >= rims[item(i)].least - miss)
      found.push_back({FeatureKind::kRim, i});
  if (kind == Kind::kEllipsoid) found.push_back({FeatureKind::kEllipsoid, 0});
  if (kind == Kind::kCone && std::abs(out.dot(surface.axis) - surface.slope) <= miss)
    found.push_back({FeatureKind::kCone, 0});
}

bool Solid::is_near(const Vertex& vertex, int number, const Vector3& out, double least,
                    double miss) const {
  if (!vertex.is_free || out.dot(vertex.point) < least) return false;
  if (vertex.is_on_rim) {
    const Vector3& axis = rims[item(number / kRimVertices)].axis;
    return cross(out, axis).norm() <= kStanding && out.dot(axis) >= 0.0;
  }
  if (kind == Kind::kCone) return out.dot(surface.axis) >= surface.slope - miss;
  for (int k = 0; k < vertex.count; ++k)
    if (out.dot(directions[item(vertex.first + k)]) > miss) return false;
  return true;
}

bool Solid::is_near(const Edge& edge, const Vector3& out, double least, double miss) const {
  const double rise = out.dot(edge.along);
  if (!edge.is_free || std::abs(rise) > miss) return false;
  if (out.dot(edge.point) + std::max(0.0, rise * edge.length) + edge.radius < least) return false;
  for (int k = 0; k < edge.into_count; ++k)
    if (out.dot(edge.into[item(k)]) > miss) return false;
  return true;
}

bool Solid::is_inside(const Face& face, const Vector3& x, double beyond) const {
  if (face.count == 0) {
    if (face.radius == 0.0) return true;
    const Vector3 d = x - face.point;
    return (d - d.dot(face.normal) * face.normal).squaredNorm() <=
           (face.radius + beyond) * (face.radius + beyond);
  }
  for (int k = 0; k < face.count; ++k) {
    const Vector3 &from = corner(face, k), &to = corner(face, (k + 1) % face.count);
    const Vector3 side = to - from;
    // in the plane, where faces are sides, beyond an end
    const Vector3 out = is_planar ? side : cross(side, face.normal);
    if (out.dot(x - (is_planar ? to : from)) > beyond * side.norm()) return false;
  }
  return true;
}

bool Solid::holds(FeatureRef which, const Vector3& x, const Vector3& out, double beyond,
                  double miss) const {
  switch (which.kind) {
    case FeatureKind::kVertex: {
      const Vertex& vertex = vertices[item(which.number)];
      if (kind == Kind::kCone && !vertex.is_on_rim)
        return out.dot(surface.axis) >= surface.slope - miss;
      for (int k = 0; k < vertex.count; ++k)
        if (out.dot(directions[item(vertex.first + k)]) > miss) return false;
      return !vertex.is_on_rim;
    }
    case FeatureKind::kEdge: {
      const Edge& edge = edges[item(which.number)];
      const double u = edge.along.dot(x - edge.point);
      if (u < -beyond || u > edge.length + beyond) return false;
      if ((x - edge.point - u * edge.along).squaredNorm() > beyond * beyond) return false;
      for (int k = 0; k < edge.into_count; ++k)
        if (out.dot(edge.into[item(k)]) > miss) return false;
      return true;
    }
    case FeatureKind::kFace:
      return is_inside(faces[item(which.number)], x, beyond);
    case FeatureKind::kRim:
      return out.dot(rims[item(which.number)].axis) >= rims[item(which.number)].least - miss;
    case FeatureKind::kCone: {
      const Vector3 d = x - surface.point;
      return d.norm() <= slant + beyond && d.dot(surface.axis) <= beyond &&
             std::abs(d.dot(out)) <= beyond;
    }
    case FeatureKind::kEllipsoid:
      break;
  }
  return true;
}

}  // namespace picus
