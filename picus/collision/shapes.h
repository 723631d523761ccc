// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shapes that collide: plain values. Each has its centre of volume at the origin of its own frame
// unless stated, its length along z, and may be grown by a rounding radius on all sides.

#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "picus/math/types.h"

namespace picus {
namespace shapes {

struct Sphere {
  double radius = 0.0;
};
struct Capsule {
  double radius = 0.0, length = 0.0;  ///< length of the cylindrical part
};
struct Box {
  Vector3 size = Vector3::Zero();
};
struct Cylinder {
  double radius = 0.0, length = 0.0;
};
/// The base lies at z = −length/4, the apex at z = 3/4 length.
struct Cone {
  double radius = 0.0, length = 0.0;
};
struct Ellipsoid {
  Vector3 semi_axes = Vector3::Zero();
};
/// The convex hull of points, which stay where they are.
struct Hull {
  std::vector<Vector3> points;
};
/// A surface of triangles, seen from the side from which they turn to the left.
struct Mesh {
  std::vector<Vector3> points;
  std::vector<std::array<int, 3>> triangles;
};
/// Heights along z over a grid in x and y that begins at the origin; row after row along x.
struct HeightField {
  int columns = 0, rows = 0;
  double spacing_x = 0.0, spacing_y = 0.0;
  std::vector<double> heights;
};
/// All below z = 0.
struct HalfSpace {};
/// A plate without thickness in the xy plane, both sides of which touch.
struct Rectangle {
  double length = 0.0, width = 0.0;  ///< along x and y
};

// In the plane z = 0.
struct Disc {
  double radius = 0.0;
};
/// A convex polygon, the hull of its corners, which stay where they are.
struct Polygon {
  std::vector<Vector2> corners;
};
struct Segment {
  double length = 0.0;  ///< along x
};

}  // namespace shapes

using ShapeGeometry = std::variant<shapes::Sphere, shapes::Capsule, shapes::Box, shapes::Cylinder,
                                   shapes::Cone, shapes::Ellipsoid, shapes::Hull, shapes::Mesh,
                                   shapes::HeightField, shapes::HalfSpace, shapes::Rectangle,
                                   shapes::Disc, shapes::Polygon, shapes::Segment>;

/// A shape and where it sits on its body. Several of them on one body are a compound.
struct ShapeOnBody {
  ShapeGeometry geometry;
  double rounding = 0.0;               ///< by which the shape is grown [m]
  Vector3 at = Vector3::Zero();        ///< its origin, in the body's frame [m]
  Matrix3 axes = Matrix3::Identity();  ///< its axes, in the body's frame

  Vector3 point(const Vector3& local) const { return at + axes * local; }
};
using Compound = std::vector<ShapeOnBody>;

/// Mass, centre of mass and inertia about it, in the frame of the body.
struct ShapeMass {
  double mass = 0.0;
  Vector3 centre = Vector3::Zero();
  Matrix3 inertia = Matrix3::Zero();
};

/// Of a density per volume, in the plane per area. None for shapes that enclose nothing, for open
/// surfaces, and for rounded ones other than spheres, capsules, discs and segments.
std::optional<ShapeMass> mass_of(const ShapeOnBody& shape, double density);
/// The sum; none if a part has none.
std::optional<ShapeMass> mass_of(const Compound& shapes, double density);

/// Planes and triangles of a mesh: the convex hull of points, its faces as polygons that turn to
/// the left seen from outside. Points that are corners of no face are left out.
struct HullFaces {
  std::vector<Vector3> points;
  std::vector<std::vector<int>> faces;
};
/// Points closer to a face than 1e-6 times the size are on it. Fewer than four points that span a
/// volume are an InputError.
HullFaces convex_hull(const std::vector<Vector3>& points);
/// Corners of the convex hull in the plane, turning to the left.
std::vector<Vector2> convex_hull(std::vector<Vector2> points);

}  // namespace picus
