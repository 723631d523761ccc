// SPDX-License-Identifier: BSD-3-Clause
// Shapes that collide: from what bodies look like to solids.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/mechanism/assembler.h"

namespace picus {
namespace {

// Where a shape has its place on its body.
ShapeOnBody placed(ShapeGeometry geometry, const ShapePlace& place, double rounding) {
  return {.geometry = std::move(geometry),
          .rounding = rounding,
          .at = place.at,
          .axes = place.axis ? frame_along(place.axis->normalized()) : Matrix3::Identity()};
}

struct InSpace {
  double rounding;

  ShapeOnBody operator()(const Box& s) const { return placed(shapes::Box{s.size}, s, rounding); }
  ShapeOnBody operator()(const Sphere& s) const {
    return placed(shapes::Sphere{s.radius}, s, rounding);
  }
  ShapeOnBody operator()(const Cylinder& s) const {
    return placed(shapes::Cylinder{s.radius, s.length}, s, rounding);
  }
  ShapeOnBody operator()(const Capsule& s) const {
    return placed(shapes::Capsule{s.radius, s.length}, s, rounding);
  }
  ShapeOnBody operator()(const Rod& s) const {
    if (s.width > 0.0) return placed(shapes::Box{{s.length, s.width, s.width}}, s, rounding);
    if (!(rounding > 0.0))
      throw InputError("a rod without width has no surface: give it a width, or a rounding");
    ShapeOnBody shape = placed(shapes::Capsule{rounding, s.length}, s, 0.0);
    const Matrix3 axes = shape.axes;
    shape.axes << axes.col(1), axes.col(2), axes.col(0);  // along x
    return shape;
  }
  ShapeOnBody operator()(const MeshShape& s) const {
    if (s.surface.points.empty())
      throw InputError("a mesh collides as the convex hull of its body's shape: give it there");
    return placed(shapes::Hull{s.surface.points}, s, rounding);
  }
};

struct InPlane {
  double rounding;

  ShapeOnBody operator()(const Box& s) const { return rectangle(s.size(0), s.size(1), s); }
  ShapeOnBody operator()(const Sphere& s) const {
    return placed(shapes::Disc{s.radius}, s, rounding);
  }
  ShapeOnBody operator()(const Cylinder& s) const {
    return placed(shapes::Disc{s.radius}, upright(s), rounding);
  }
  ShapeOnBody operator()(const Capsule& s) const {
    if (!s.axis || std::abs(s.axis->normalized()(2)) > 1e-9)
      throw InputError("a capsule stands across the plane: give its shape an axis in the plane");
    ShapeOnBody shape = placed(shapes::Segment{s.length}, s, rounding + s.radius);
    const Vector3 along = s.axis->normalized();
    shape.axes << along, Vector3(-along(1), along(0), 0.0), Vector3::UnitZ();
    return shape;
  }
  ShapeOnBody operator()(const Rod& s) const {
    if (s.width > 0.0) return rectangle(s.length, s.width, s);
    return placed(shapes::Segment{s.length}, upright(s), rounding);
  }
  ShapeOnBody operator()(const MeshShape&) const {
    throw InputError(
        "meshes collide in space only, expected a box, sphere, cylinder, capsule or rod");
  }

 private:
  static const ShapePlace& upright(const ShapePlace& place) {
    if (place.axis && std::abs(place.axis->normalized()(2)) < 1.0 - 1e-9)
      throw InputError("in the plane the axis of a shape that collides is z");
    return place;
  }
  ShapeOnBody rectangle(double length, double width, const ShapePlace& place) const {
    const double x = 0.5 * length, y = 0.5 * width;
    return placed(shapes::Polygon{{{-x, -y}, {x, -y}, {x, y}, {-x, y}}}, upright(place), rounding);
  }
};

}  // namespace

std::optional<CollisionShape> Assembler::shape_of(const CollidingShape& part,
                                                  const BodyParts& bodies) {
  const auto frame = find_frame(part.body);
  if (!frame) return std::nullopt;
  const Shape* shape = part.shape ? &*part.shape : nullptr;
  if (shape == nullptr) {
    const auto body = bodies.find(builder_.bodies()[frame->body].name);
    if (body != bodies.end() && body->second->shape) shape = &*body->second->shape;
  }
  const auto refuse = [&](const std::string& why) {
    complain(part.body.place, fmt::format("the shape of '{}': {}", part.body.text, why));
    return std::nullopt;
  };
  if (shape == nullptr)
    return refuse("there is none to collide: give the body a shape, or one here");
  if (!(part.rounding >= 0.0))
    return refuse(fmt::format("rounding: found {:g} m, expected at least 0", part.rounding));
  try {
    ShapeOnBody placed = builder_.bodies().is_planar(frame->body) && model_.dimension == 2
                             ? std::visit(InPlane{part.rounding}, *shape)
                             : std::visit(InSpace{part.rounding}, *shape);
    placed.at = frame->frame.point + frame->frame.axes * placed.at;
    placed.axes = (frame->frame.axes * placed.axes).eval();
    return CollisionShape{frame->body, Solid(placed)};
  } catch (const InputError& error) {
    return refuse(error.what());
  }
}

}  // namespace picus
