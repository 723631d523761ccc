// SPDX-License-Identifier: BSD-3-Clause
// Bodies, their mass properties and markers.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/math/decompositions.h"
#include "picus/mechanism/assembler.h"
#include "picus/mechanism/mesh_volume.h"

namespace picus {
namespace {

Matrix3 rotation_about(const Vector3& axis, double angle) {
  return rotation_matrix(quaternion_of(Vector3(angle * axis.normalized())));
}

struct MassProperties {
  double mass = 0.0;
  Vector3 center = Vector3::Zero();
  Matrix3 inertia = Matrix3::Zero();
};

const ShapePlace& place_of(const Shape& shape) {
  return std::visit([](const auto& s) -> const ShapePlace& { return s; }, shape);
}

// Of a shape, in the body's axes.
struct ShapeProperties {
  double volume = 0.0;
  Vector3 center = Vector3::Zero();
  Matrix3 unit_inertia = Matrix3::Zero();  ///< for unit mass, about the centre
};

Matrix3 axes_of(const ShapePlace& place) {
  return place.axis ? frame_along(*place.axis) : Matrix3(Matrix3::Identity());
}

ShapeProperties properties_of(const Shape& shape) {
  const ShapePlace& place = place_of(shape);
  const Matrix3 axes = axes_of(place);
  return std::visit(
      [&](const auto& s) -> ShapeProperties {
        if constexpr (requires { s.properties(); }) {
          const VolumeProperties p = s.properties();
          return {p.volume, place.at,
                  axes * (p.inertia / p.volume).asDiagonal() * axes.transpose()};
        } else {
          const MeshVolume mesh = volume_inside(s.surface);
          const double volume = std::abs(mesh.volume);
          return {volume, place.at + axes * mesh.center,
                  axes * (mesh.inertia / volume) * axes.transpose()};
        }
      },
      shape);
}

// Whether mass properties are to come from a mesh.
bool asks_mesh(const BodyPart& part, BodyKind kind) {
  return part.shape && std::holds_alternative<MeshShape>(*part.shape) &&
         (!part.mass || (part.inertia.empty() && !is_point(kind)));
}

// What is wrong with a mesh that mass properties come from; empty when nothing is.
std::string fault_of(const MeshVolume& mesh) {
  if (mesh.is_closed() && mesh.volume != 0.0) return {};
  if (mesh.is_closed()) return "has a mesh without volume: give mass and inertia";
  return fmt::format(
      "has a mesh that is not closed: {} of its edges belong to one triangle only, and at {} "
      "neighbours are turned inside out or more than two meet; mend it, or give mass and inertia",
      mesh.open_edges, mesh.torn_edges);
}

Matrix3 inertia_matrix(const std::vector<double>& j) {
  Matrix3 J = Matrix3::Zero();
  if (j.size() == 1) {
    J(2, 2) = j[0];
  } else {
    J.diagonal() << j[0], j[1], j[2];
    if (j.size() == 6) {
      J(0, 1) = J(1, 0) = j[3];
      J(0, 2) = J(2, 0) = j[4];
      J(1, 2) = J(2, 1) = j[5];
    }
  }
  return J;
}

// The farthest point of a shape from its centre.
double reach_of(const Shape& shape) {
  return std::visit(
      [](const auto& s) {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, Box>) {
          return 0.5 * s.size.norm();
        } else if constexpr (std::is_same_v<S, Sphere>) {
          return s.radius;
        } else if constexpr (std::is_same_v<S, Cylinder>) {
          return std::hypot(s.radius, 0.5 * s.length);
        } else if constexpr (std::is_same_v<S, Capsule>) {
          return s.radius + 0.5 * s.length;
        } else if constexpr (std::is_same_v<S, Rod>) {
          return 0.5 * std::hypot(s.length, std::sqrt(2.0) * s.width);
        } else {
          double reach = 0.0;
          for (const Vector3& point : s.surface.points)
            reach = std::max(reach, point.norm());
          return reach;
        }
      },
      shape);
}

// Which size of a shape is negative; empty when none is.
std::string negative_size(const Shape& shape) {
  std::string fault;
  const auto expect = [&](const char* key, double value, bool may_be_zero) {
    if (fault.empty() && !(value > 0.0 || (may_be_zero && value == 0.0)))
      fault = fmt::format("has a shape with {}: {:g}, expected a {} number", key, value,
                          may_be_zero ? "non-negative" : "positive");
  };
  std::visit(
      [&](const auto& s) {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, Box>)
          for (int k = 0; k < 3; ++k)
            expect("size", s.size(k), true);
        if constexpr (requires { s.radius; }) expect("radius", s.radius, false);
        if constexpr (requires { s.length; }) expect("length", s.length, true);
        if constexpr (requires { s.width; }) expect("width", s.width, true);
        if constexpr (requires { s.bore; }) {
          expect("bore", s.bore, true);
          if (fault.empty() && s.bore >= s.radius)
            fault = fmt::format("has a shape with bore: {:g}, expected less than its radius {:g}",
                                s.bore, s.radius);
        }
      },
      shape);
  return fault;
}

// What is wrong with what the user stated; empty when nothing is.
std::string fault_of(const BodyPart& part, BodyKind kind) {
  if (part.shape)
    if (std::string fault = negative_size(*part.shape); !fault.empty()) return fault;
  const bool is_slender = part.shape && std::holds_alternative<Rod>(*part.shape) &&
                          std::get<Rod>(*part.shape).width == 0.0;
  if (part.mass && part.density) return "has both mass and density; give one of them";
  if (part.density && !part.shape) return "has a density but no shape";
  if (part.density && is_slender)
    return "is a slender rod, which has no volume: give its mass, or a width";
  if (part.shape && place_of(*part.shape).axis && place_of(*part.shape).axis->norm() == 0.0)
    return "has a shape with an axis of length zero";
  if (asks_mesh(part, kind)) {
    if (!part.mass && !part.density)
      return "has neither mass nor density: give one of them beside its mesh";
    return fault_of(volume_inside(std::get<MeshShape>(*part.shape).surface));
  }
  if (part.shape && part.inertia.empty() && !is_point(kind) &&
      !std::holds_alternative<MeshShape>(*part.shape) && properties_of(*part.shape).volume == 0.0)
    return "has a shape without volume (a size is 0): give all sizes, or inertia";
  const std::size_t given = part.inertia.size();
  const bool is_planar = kind == BodyKind::kPlanar;
  if (given != 0 && given != 3 && given != 6 && !(given == 1 && is_planar)) {
    return fmt::format("has {} number{} for inertia, expected {}3 or 6", given,
                       given == 1 ? "" : "s", is_planar ? "1, " : "");
  }
  return {};
}

// What is wrong with the mass properties; empty when nothing is.
std::string fault_of(const MassProperties& p, BodyKind kind) {
  if (p.mass == 0.0) return "has no mass: give mass, or density and a shape with volume";
  if (!(p.mass > 0.0) || !std::isfinite(p.mass))
    return fmt::format("has mass {:g} kg, expected a positive number", p.mass);
  if (is_point(kind)) return {};
  if (!p.inertia.allFinite()) return "has an inertia that is not a finite number";
  if (kind == BodyKind::kPlanar) {
    if (p.inertia(2, 2) > 0.0) return {};
    if (p.inertia(2, 2) < 0.0)
      return fmt::format("has inertia {:g} kg m² about z, expected a positive number",
                         p.inertia(2, 2));
    return "has no inertia about z: give inertia (one number) or a shape";
  }
  const Vector principal = symmetric_eigenvalues(p.inertia);
  const std::string values =
      fmt::format("principal inertias {:g}, {:g}, {:g}", principal(0), principal(1), principal(2));
  if (p.inertia.isZero(0.0))
    return "has no inertia: give inertia (three or six numbers), a shape, or type: point";
  if (principal(0) < 0.0) return fmt::format("has {}, expected positive numbers", values);
  if (principal(0) == 0.0) {
    return fmt::format(
        "has no inertia about one axis ({}): give inertia (three or six numbers), or a shape with "
        "volume",
        values);
  }
  if (principal(0) + principal(1) < principal(2) * (1.0 - 1e-9)) {
    return fmt::format("has {}, which no real body has: the largest exceeds the sum of the others",
                       values);
  }
  return {};
}

}  // namespace

BodyKind Assembler::kind_of(const BodyPart& part) const {
  const BodyType type =
      part.type.value_or(model_.dimension == 2 ? BodyType::kPlanar : BodyType::kSpatial);
  switch (type) {
    case BodyType::kPlanar:
      return BodyKind::kPlanar;
    case BodyType::kPoint:
      return model_.dimension == 2 ? BodyKind::kPlanarPoint : BodyKind::kPoint;
    case BodyType::kSpatial:
      break;
  }
  return BodyKind::kSpatial;
}

Matrix3 Assembler::axes_of(const Named<Marker>& marker) {
  const Marker& m = marker.value;
  for (const auto& axis : {m.axis, m.x_axis})
    if (axis && axis->norm() == 0.0)
      complain(marker.place, fmt::format("marker '{}': found an axis of length zero", marker.name));
  return frame_along(m.axis.value_or(Vector3::UnitZ()), m.x_axis.value_or(Vector3::Zero())) *
         rotation_about(Vector3::UnitZ(), m.angle);
}

void Assembler::add_bodies() {
  for (const Named<Marker>& marker : model_.markers) {
    if (!is_new_name(marker.name, marker.place)) continue;
    const Placement& owner = placement_of(model_, marker.placement);
    const std::string own = marker.name.substr(owner.full_name("").size());
    markers_[marker.name] = markers_[owner.full_name("ground." + own)] = {
        Bodies::kGround, {marker.value.at, axes_of(marker)}};
  }
  for (const Named<BodyPart>& part : model_.bodies)
    if (is_new_name(part.name, part.place)) {
      body_names_.insert(part.name);
      add_body(part);
    }
  check_gravity();
}

// In a planar model gravity along z would be left out, and everything would float.
void Assembler::check_gravity() {
  const bool has_spatial = std::any_of(
      model_.bodies.begin(), model_.bodies.end(),
      [&](const Named<BodyPart>& part) { return kind_of(part.value) == BodyKind::kSpatial; });
  if (model_.dimension != 2 || model_.gravity(2) == 0.0 || has_spatial) return;
  complain(context_.place_of("gravity"),
           fmt::format("gravity: found {:g} along z, which has no effect in a model of dimension "
                       "2; write gravity: [0, {:g}]",
                       model_.gravity(2), model_.gravity(2)));
}

void Assembler::check_center(const Named<BodyPart>& named, const Vector3& center) {
  const BodyPart& part = named.value;
  if (!part.center || !part.shape) return;
  const double reach = reach_of(*part.shape), away = (center - place_of(*part.shape).at).norm();
  if (away > reach)
    warn(context_.place_of(fmt::format("bodies.{}.center", named.name)),
         fmt::format(
             "body '{}': the centre of mass is {:.3g} m from the centre of the shape, outside the "
             "shape, which extends {:.3g} m; is 'center' in the body's frame, and in metres?",
             named.name, away, reach));
}

void Assembler::check_mesh(const Named<BodyPart>& named, BodyKind kind) {
  if (!asks_mesh(named.value, kind)) return;
  const double volume = volume_inside(std::get<MeshShape>(*named.value.shape).surface).volume;
  if (volume < 0.0)
    warn(context_.place_of(fmt::format("bodies.{}.shape", named.name)),
         fmt::format("body '{}': the triangles of its mesh are turned inside out: they enclose "
                     "{:.4g} m³, taken as {:.4g} m³",
                     named.name, volume, -volume));
}

void Assembler::check_motion(const Named<BodyPart>& named, BodyKind kind) {
  const BodyPart& part = named.value;
  const auto refuse = [&](std::string_view fault) {
    complain(named.place, fmt::format("body '{}' {}", named.name, fault));
  };
  if (kind == BodyKind::kPlanar || kind == BodyKind::kPlanarPoint) {
    if (!part.rotations.empty()) refuse("is planar: use angle, not rotations");
    if (part.angular_velocity.head<2>().norm() > 0.0 || part.velocity(2) != 0.0)
      refuse("is planar and cannot move out of its plane");
  }
  if (is_point(kind) &&
      (part.spin != 0.0 || part.angular_velocity.norm() > 0.0 || !part.inertia.empty()))
    refuse("is a point: it has no inertia and cannot rotate");
}

void Assembler::add_body(const Named<BodyPart>& named) {
  const BodyPart& part = named.value;
  const BodyKind kind = kind_of(part);
  MassProperties p;
  std::string fault = fault_of(part, kind);
  if (part.shape) {
    p.center = place_of(*part.shape).at;
    if (!std::holds_alternative<MeshShape>(*part.shape) || asks_mesh(part, kind)) {
      const ShapeProperties shape = properties_of(*part.shape);
      p.center = shape.center;
      p.mass = part.density.value_or(0.0) * shape.volume;
      p.inertia = part.mass.value_or(p.mass) * shape.unit_inertia;
      if (fault.empty()) check_mesh(named, kind);
    }
  }
  if (part.center) p.center = *part.center;
  if (part.mass) p.mass = *part.mass;
  if (fault.empty()) {
    if (!part.inertia.empty()) p.inertia = inertia_matrix(part.inertia);
    fault = fault_of(p, kind);
  }
  if (!fault.empty()) complain(named.place, fmt::format("body '{}' {}", named.name, fault));
  check_motion(named, kind);
  check_center(named, p.center);

  Pose<double> pose;
  pose.angle = part.angle;
  pose.A = rotation_about(Vector3::UnitZ(), part.angle);
  for (const Rotation& rotation : part.rotations) {
    if (rotation.axis.norm() == 0.0)
      complain(named.place,
               fmt::format("body '{}': found a rotation about an axis of length zero", named.name));
    else
      pose.A = (pose.A * rotation_about(rotation.axis, rotation.angle)).eval();
  }
  const Vector3 arm = pose.A * p.center;
  pose.r = part.at + arm;
  const Vector3 omega = part.angular_velocity + part.spin * pose.A.col(2);
  SmallVector<double, 6> twist;
  twist << part.velocity + cross(omega, arm), pose.A.transpose() * omega;

  Body body{.name = named.name, .kind = kind, .mass = p.mass, .inertia = p.inertia};
  if (kind == BodyKind::kPlanar) {
    body.inertia.setZero();
    body.inertia(2, 2) = p.inertia(2, 2);
  }
  if (is_point(kind)) body.inertia.setZero();
  const int number = builder_.add_body(std::move(body), pose, twist, -p.center);
  markers_[named.name] = {number, {-p.center, Matrix3::Identity()}};
  for (const Named<Marker>& marker : part.markers) {
    const Matrix3 axes = axes_of(marker);
    const std::string name = named.name + "." + marker.name;
    const Vector3 point = marker.value.at - p.center;
    if (!markers_.emplace(name, PlacedFrame{number, {point, axes}}).second)
      complain(marker.place, fmt::format("marker '{}' is given twice", name));
    builder_.add_marker({name, number, point});
  }
}

}  // namespace picus
