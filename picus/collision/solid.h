// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A convex shape made ready for questions: its features in the frame of its body, and what lies
// next to what.

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "picus/collision/bounds.h"
#include "picus/collision/features.h"
#include "picus/collision/shapes.h"

namespace picus {

/// A feature of a solid by its number.
struct FeatureRef {
  FeatureKind kind = FeatureKind::kVertex;
  int number = 0;

  bool operator==(const FeatureRef&) const = default;
};

/// Vertices, edges and faces of a polytope; of other solids what they have of them: the side of a
/// cylinder is an edge rounded by its radius, its ends are faces with a rim, on which four vertices
/// carry it where it stands.
struct Solid {
  enum class Kind : std::uint8_t { kPolytope, kHalfSpace, kCylinder, kCone, kEllipsoid };

  struct Vertex {
    Vector3 point;
    int first = 0, count = 0;  ///< of its directions
    bool is_on_rim = false;
    bool is_free = true;  ///< of a mesh: false where no edge sticks out
    int number = 0;       ///< by which it is known
  };
  struct Edge {
    Vector3 point, along;               ///< where it begins, and where to
    double length = 0.0, radius = 0.0;  ///< radius: of the cylinder whose side it is
    int into_count = 0;
    std::array<Vector3, 2> into{
        Vector3::Zero(), Vector3::Zero()};  ///< along the faces to either side, away from the edge
    bool is_free = true;                    ///< of a mesh: false where it does not stick out
    int number = 0;
  };
  struct Face {
    Vector3 point, normal;
    int first = 0, count = 0;  ///< of its corners; without corners it has a rim, or no end at all
    double radius = 0.0;       ///< of its rim
    int number = 0;
  };
  struct Rim {
    Vector3 centre, axis;  ///< pointing outward
    double radius = 0.0;
    double least = 0.0;  ///< n · axis where the surface beside the face begins
  };

  explicit Solid(const ShapeOnBody& shape);
  /// Empty, to be filled.
  Solid() = default;

  Feature feature(FeatureRef which) const;
  /// Outermost point along a direction, without rounding. A part of round solids may be left away
  /// on all sides.
  Vector3 support(const Vector3& along, double less = 0.0) const;
  /// How far it reaches along a unit vector, rounding included.
  double height(const Vector3& along) const { return along.dot(support(along)) + rounding; }
  bool is_round() const { return kind != Kind::kPolytope && kind != Kind::kHalfSpace; }

  /// The features that could touch a body which is on the side `out`, at most `slab` below the
  /// outermost one. The sine of the angle by which their normals miss `out` is at most `miss`.
  void near(const Vector3& out, double slab, double miss, std::vector<FeatureRef>& found) const;
  /// Whether a touch at x with the outward normal `out` is one of this feature, and not of one
  /// beside it: x may be beyond its ends by `beyond`, the normal by the sine `miss`.
  bool holds(FeatureRef which, const Vector3& x, const Vector3& out, double beyond,
             double miss) const;
  /// Whether the place of a face is next to an edge.
  bool is_inside(const Face& face, const Vector3& x, double beyond) const;
  int number_of(FeatureRef which) const;
  Bounds bounds(const PoseInSpace& pose) const;  ///< in space, rounding included
  const Vector3& corner(const Face& face, int k) const {
    const int at = corners[static_cast<std::size_t>(face.first + k)];
    return vertices[static_cast<std::size_t>(at)].point;
  }

  Kind kind = Kind::kPolytope;
  bool is_planar = false;  ///< in the plane: faces have two corners, no edges
  double rounding = 0.0;
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<Rim> rims;
  std::vector<int> corners;         ///< vertices of faces
  std::vector<Vector3> directions;  ///< from vertices along edges, of length one
  Feature surface;                  ///< the ellipsoid, or the side of a cone
  double slant = 0.0;               ///< of a cone: from the apex to the rim
  Vector3 semi_axes = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();
  Vector3 centre = Vector3::Zero();
  double reach = 0.0;              ///< no point is farther from the centre, rounding included
  double thickness = 0.0;          ///< of round solids: the radius of a ball inside
  Vector3 half = Vector3::Zero();  ///< half the sides of a box around the centre along the axes of
                                   ///< the body, rounding included

 private:
  struct Maker;
  bool is_near(const Vertex& vertex, int number, const Vector3& out, double least,
               double miss) const;
  bool is_near(const Edge& edge, const Vector3& out, double least, double miss) const;
  void make_polytope(std::span<const Vector3> points, const std::vector<std::vector<int>>& faces);
  void make_polygon(std::span<const Vector3> corners, const Vector3& up);
  void make_segment(const Vector3& from, const Vector3& to);
  void make_cylinder(const ShapeOnBody& shape, const shapes::Cylinder& cylinder);
  void make_cone(const ShapeOnBody& shape, const shapes::Cone& cone);
  void make_ellipsoid(const ShapeOnBody& shape, const shapes::Ellipsoid& ellipsoid);
  void add_cap(const Vector3& centre, const Vector3& normal, double radius, double least);
  void connect();
  void measure();
};

}  // namespace picus
