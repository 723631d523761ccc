// SPDX-License-Identifier: BSD-3-Clause
// Mass properties of shapes in closed form.
#include <cmath>
#include <map>
#include <numbers>

#include "picus/collision/shapes.h"
#include "picus/math/rotation.h"

namespace picus {
namespace {

using std::numbers::pi;

// In the frame of the shape, of unit density.
using Solidity = std::optional<ShapeMass>;

Solidity about(double volume, const Vector3& inertia) {
  return ShapeMass{volume, Vector3::Zero(), inertia.asDiagonal()};
}
Solidity cuboid(double volume, const Vector3& size) {
  const Vector3 s = size.cwiseAbs2();
  return about(volume, volume / 12.0 * Vector3(s(1) + s(2), s(0) + s(2), s(0) + s(1)));
}
Solidity ball(double radius) {
  const double volume = 4.0 / 3.0 * pi * std::pow(radius, 3);
  return about(volume, Vector3::Constant(0.4 * volume * radius * radius));
}
Solidity round_rod(double radius, double length) {
  const double r2 = radius * radius, cylinder = pi * r2 * length;
  const double balls = 4.0 / 3.0 * pi * r2 * radius, half = 0.5 * length;
  // a half ball has its centre 3/8 r beyond the end of the cylinder
  const double across = cylinder * (3.0 * r2 + length * length) / 12.0 +
                        balls * (0.4 * r2 + half * half + 0.75 * half * radius);
  return about(cylinder + balls, {across, across, 0.5 * cylinder * r2 + 0.4 * balls * r2});
}

// The integrals of 1, x and x xᵀ over tetrahedra between the origin and triangles.
struct SignedVolume {
  double volume = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();

  void add(const Vector3& a, const Vector3& b, const Vector3& c) {
    const double part = a.dot(cross(b, c)) / 6.0;
    const Vector3 sum = a + b + c;
    volume += part;
    first += part / 4.0 * sum;
    second += part / 20.0 *
              (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  Solidity properties() const {
    if (!(volume > 0.0)) return std::nullopt;
    const Vector3 centre = first / volume;
    const Matrix3 spread = second - volume * centre * centre.transpose();
    return ShapeMass{volume, centre, spread.trace() * Matrix3::Identity() - spread};
  }
};

bool is_closed(const shapes::Mesh& mesh) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k)
      ++edges[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, count] : edges) {
    const auto twin = edges.find({edge.second, edge.first});
    if (count != 1 || twin == edges.end()) return false;
  }
  return true;
}

struct UnitMass {
  double rounding;

  Solidity operator()(const shapes::Sphere& s) const { return ball(s.radius + rounding); }
  Solidity operator()(const shapes::Capsule& s) const {
    return round_rod(s.radius + rounding, s.length);
  }
  Solidity operator()(const shapes::Box& s) const {
    if (rounding > 0.0) return std::nullopt;
    return cuboid(s.size.prod(), s.size);
  }
  Solidity operator()(const shapes::Cylinder& s) const {
    if (rounding > 0.0) return std::nullopt;
    const double r2 = s.radius * s.radius, volume = pi * r2 * s.length;
    const double across = volume * (3.0 * r2 + s.length * s.length) / 12.0;
    return about(volume, {across, across, 0.5 * volume * r2});
  }
  Solidity operator()(const shapes::Cone& s) const {
    if (rounding > 0.0) return std::nullopt;
    const double r2 = s.radius * s.radius, volume = pi * r2 * s.length / 3.0;
    const double across = volume * 3.0 / 80.0 * (4.0 * r2 + s.length * s.length);
    return about(volume, {across, across, 0.3 * volume * r2});
  }
  Solidity operator()(const shapes::Ellipsoid& s) const {
    if (rounding > 0.0) return std::nullopt;
    const double volume = 4.0 / 3.0 * pi * s.semi_axes.prod();
    const Vector3 q = s.semi_axes.cwiseAbs2();
    return about(volume, volume / 5.0 * Vector3(q(1) + q(2), q(0) + q(2), q(0) + q(1)));
  }
  Solidity operator()(const shapes::Hull& s) const {
    if (rounding > 0.0) return std::nullopt;
    const HullFaces hull = convex_hull(s.points);
    SignedVolume sum;
    for (const auto& face : hull.faces)
      for (std::size_t k = 2; k < face.size(); ++k) {
        const auto at = [&](std::size_t i) {
          return hull.points[static_cast<std::size_t>(face[i])];
        };
        sum.add(at(0), at(k - 1), at(k));
      }
    return sum.properties();
  }
  Solidity operator()(const shapes::Mesh& s) const {
    if (rounding > 0.0 || !is_closed(s)) return std::nullopt;
    SignedVolume sum;
    for (const auto& t : s.triangles) {
      const auto at = [&](std::size_t k) { return s.points[static_cast<std::size_t>(t[k])]; };
      sum.add(at(0), at(1), at(2));
    }
    return sum.properties();
  }
  Solidity operator()(const shapes::HeightField&) const { return std::nullopt; }
  Solidity operator()(const shapes::HalfSpace&) const { return std::nullopt; }
  Solidity operator()(const shapes::Rectangle&) const { return std::nullopt; }
  // in the plane: per area
  Solidity operator()(const shapes::Disc& s) const {
    const double r = s.radius + rounding, area = pi * r * r;
    return about(area, area * r * r * Vector3(0.25, 0.25, 0.5));
  }
  Solidity operator()(const shapes::Polygon& s) const {
    if (rounding > 0.0) return std::nullopt;
    const std::vector<Vector2> corners = convex_hull(s.corners);
    double area = 0.0;
    Vector2 first = Vector2::Zero();
    SmallMatrix<double, 2, 2> second = SmallMatrix<double, 2, 2>::Zero();
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vector2 &a = corners[k], &b = corners[(k + 1) % corners.size()], sum = a + b;
      const double part = 0.5 * (a(0) * b(1) - a(1) * b(0));
      area += part;
      first += part / 3.0 * sum;
      second += part / 12.0 * (sum * sum.transpose() + a * a.transpose() + b * b.transpose());
    }
    ShapeMass result{area, {first(0) / area, first(1) / area, 0.0}};
    second -= first * first.transpose() / area;
    result.inertia << second(1, 1), -second(0, 1), 0.0, -second(1, 0), second(0, 0), 0.0, 0.0, 0.0,
        second.trace();
    return result;
  }
  Solidity operator()(const shapes::Segment& s) const {
    // a stadium: a rectangle between two half discs, whose centres are 4 r/(3 π) beyond its ends
    const double r = rounding, h = 0.5 * s.length, disc = pi * r * r, rectangle = 4.0 * r * h;
    if (!(disc + rectangle > 0.0)) return std::nullopt;
    const double out = 4.0 * r / (3.0 * pi);
    const double along = rectangle * r * r / 3.0 + disc * r * r / 4.0;
    const double across = rectangle * h * h / 3.0 + disc * (0.25 * r * r + h * h + 2.0 * h * out);
    return about(disc + rectangle, {along, across, along + across});
  }
};

}  // namespace

std::optional<ShapeMass> mass_of(const ShapeOnBody& shape, double density) {
  Solidity own = std::visit(UnitMass{shape.rounding}, shape.geometry);
  if (!own) return std::nullopt;
  own->mass *= density;
  own->centre = shape.point(own->centre);
  own->inertia = density * shape.axes * own->inertia * shape.axes.transpose();
  return own;
}

std::optional<ShapeMass> mass_of(const Compound& shapes, double density) {
  ShapeMass sum;
  std::vector<ShapeMass> parts;
  for (const ShapeOnBody& shape : shapes) {
    const auto part = mass_of(shape, density);
    if (!part) return std::nullopt;
    sum.mass += part->mass;
    sum.centre += part->mass * part->centre;
    parts.push_back(*part);
  }
  if (!(sum.mass > 0.0)) return std::nullopt;
  sum.centre /= sum.mass;
  for (const ShapeMass& part : parts) {
    const Matrix3 S = skew(part.centre - sum.centre);
    sum.inertia += part.inertia - part.mass * S * S;
  }
  return sum;
}

}  // namespace picus
