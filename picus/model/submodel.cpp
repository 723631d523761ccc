// SPDX-License-Identifier: BSD-3-Clause
// One model as a part of another. What has a place of its own (bodies, markers of the ground,
// flexible parts) is placed here; joints, forces and contacts keep the coordinates of their file
// and know their placement: where they are depends on what they connect, which assembly finds out.
#include "picus/model/submodel.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "picus/math/rotation.h"
#include "picus/model/each_value.h"
#include "picus/model/model.h"

namespace picus {
namespace {

constexpr double kParallel = 1e-9;  // sine of an angle that counts as zero

Matrix3 rotation_about(const Vector3& axis, double angle) {
  return rotation_matrix(quaternion_of(Vector3(angle * axis.normalized())));
}

// Applies one placement to values.
class Placer {
 public:
  Placer(const SubmodelPart& how, const Placement& at, int dimension)
      : how_(how), at_(at), marker_flip_(at.marker_flip(dimension)), dimension_(dimension) {}

  void place(Marker& marker) const { place(marker, at_.at, at_.axes); }

  void place(BodyPart& body) const {
    body.at = at_.point(body.at);
    body.velocity = at_.direction(body.velocity);
    body.angular_velocity = at_.axial(body.angular_velocity);
    turn(body);
    if (!at_.is_mirrored()) return;
    const Matrix3 flip = at_.flip.asDiagonal();
    body.spin *= at_.turn_sense();
    if (body.center) body.center = flip * *body.center;
    if (body.inertia.size() == 6) {
      body.inertia[3] *= at_.flip.x() * at_.flip.y();
      body.inertia[4] *= at_.flip.x() * at_.flip.z();
      body.inertia[5] *= at_.flip.y() * at_.flip.z();
    }
    if (body.shape)
      std::visit(
          [&](ShapePlace& shape) {
            shape.at = flip * shape.at;
            if (shape.axis) shape.axis = flip * *shape.axis;
          },
          *body.shape);
    for (Named<Marker>& marker : body.markers)
      place(marker.value, Vector3::Zero(), flip);
  }

  void place(Flexible& part) const {
    std::visit(
        [&](auto& bar) {
          bar.from = at_.point(bar.from);
          bar.to = at_.point(bar.to);
          bar.velocity = at_.direction(bar.velocity);
        },
        part);
  }

  void place(Beam& beam) const {
    if (dimension_ == 3 && beam.up) beam.up = at_.direction(*beam.up);
    if (dimension_ == 3 && !beam.up && beam.from && beam.to)
      beam.up = at_.direction(default_up(beam));
    for (auto* point : {&beam.from, &beam.to, &beam.via})
      if (*point) *point = at_.point(**point);
    for (Vector3& corner : beam.corners)
      corner = at_.point(corner);
    beam.velocity = at_.direction(beam.velocity);
    beam.angular_velocity = at_.axial(beam.angular_velocity);
    if (at_.is_mirrored()) mirror_section(beam);
  }

 private:
  void place(Marker& marker, const Vector3& origin, const Matrix3& axes) const {
    marker.at = origin + axes * marker.at;
    const Vector3 z = marker.axis.value_or(Vector3::UnitZ()),
                  x = marker.x_axis.value_or(Vector3::Zero());
    if (z.norm() == 0.0 || (marker.x_axis && x.norm() == 0.0)) return;  // assembly reports it
    const Matrix3 frame = axes * frame_along(z, x) *
                          rotation_about(Vector3::UnitZ(), marker.angle) *
                          marker_flip_.asDiagonal();
    marker.x_axis = frame.col(0);
    marker.axis = frame.col(2);
    marker.angle = 0.0;
  }

  // S R(axis, angle) S of a mirror S is the rotation about the mirrored axis, a pseudovector.
  void turn(BodyPart& body) const {
    const Vector3 sense = at_.handedness() * at_.flip;
    for (Rotation& rotation : body.rotations)
      rotation.axis = sense.cwiseProduct(rotation.axis);
    body.angle *= at_.turn_sense();
    if (how_.rotations.empty()) {
      body.angle += how_.angle;
      return;
    }
    std::vector<Rotation> all{{Vector3::UnitZ(), how_.angle}};
    all.insert(all.end(), how_.rotations.begin(), how_.rotations.end());
    all.push_back({Vector3::UnitZ(), body.angle});
    all.insert(all.end(), body.rotations.begin(), body.rotations.end());
    body.rotations = std::move(all);
    body.angle = 0.0;
  }

  // As assembly chooses it: z, or y where the beam starts along z.
  static Vector3 default_up(const Beam& beam) {
    const Vector3 chord = (beam.corners.empty() ? *beam.to : beam.corners.front()) - *beam.from;
    Vector3 tangent = chord;
    if (beam.via) {
      // inversion about `from` maps the circle to a line along its tangent
      const Vector3 via = *beam.via - *beam.from;
      const Vector3 along = via / via.squaredNorm() - chord / chord.squaredNorm();
      if (cross(via, chord).norm() > kParallel * via.norm() * chord.norm()) tangent = along;
    }
    const bool is_upright =
        cross(tangent, Vector3(Vector3::UnitZ())).norm() <= kParallel * tangent.norm();
    return is_upright ? Vector3::UnitY() : Vector3::UnitZ();
  }

  // The section's frame stays right-handed: in space its z axis turns round, in the plane its y.
  void mirror_section(Beam& beam) const {
    const std::size_t turned = dimension_ == 2 ? 0 : 1;
    beam.twist = -beam.twist;
    for (auto* pair : {&beam.offset, &beam.shear_centre})
      if (pair->size() == 2) (*pair)[turned] *= -1.0;
    auto* general = std::get_if<GeneralSection>(&beam.section);
    if (general == nullptr || general->stiffness.size() != 36) return;
    // forces follow the axes, moments turn about them
    const std::array<double, 6> sign = turned == 1 ? std::array{1.0, 1.0, -1.0, -1.0, -1.0, 1.0}
                                                   : std::array{1.0, -1.0, 1.0, -1.0, 1.0, -1.0};
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j)
        general->stiffness[6 * i + j] *= sign[i] * sign[j];
  }

  const SubmodelPart& how_;
  const Placement& at_;
  Vector3 marker_flip_;
  int dimension_;
};

// Empty when the body can stand as asked.
std::string fault_of(const BodyPart& body, const SubmodelPart& how, int dimension) {
  const bool is_planar = body.type ? *body.type == BodyType::kPlanar : dimension == 2;
  if (is_planar && !how.rotations.empty())
    return "is planar: a planar submodel is rotated by angle, not by rotations";
  if (is_planar && how.mirror == Mirror::kZ)
    return "is planar: a planar submodel is mirrored about x or y";
  if (how.mirror && body.shape && std::holds_alternative<MeshShape>(*body.shape))
    return "has a mesh, which cannot be mirrored; give a mirrored mesh in a file of its own";
  return {};
}

}  // namespace

Placement SubmodelPart::placement(const std::string& name) const {
  Placement result{.name = name, .at = at, .angle = angle};
  result.axes = rotation_about(Vector3::UnitZ(), angle);
  for (const Rotation& rotation : rotations)
    result.axes = (result.axes * rotation_about(rotation.axis, rotation.angle)).eval();
  if (mirror) result.flip(static_cast<int>(*mirror)) = -1.0;
  result.axes = (result.axes * result.flip.asDiagonal()).eval();
  return result;
}

void add_submodel(Model& whole, Model part, const std::string& name, const SubmodelPart& how,
                  const std::function<void(SourcePlace, const std::string&)>& complain) {
  const Placement own = how.placement(name);
  const int number = static_cast<int>(whole.placements.size()) + 1;
  whole.placements.push_back(own);
  for (const Placement& inner : part.placements)
    whole.placements.push_back(own.of(inner));
  const Placer placer(how, own, whole.dimension);
  for (const Named<BodyPart>& body : part.bodies)
    if (const std::string fault = fault_of(body.value, how, whole.dimension); !fault.empty())
      complain(body.place, "body '" + own.full_name(body.name) + "' " + fault);

  const auto take = [&](auto& target, auto& source) {
    for (auto& item : source) {
      item.name = own.full_name(item.name);
      item.placement += number;
      if constexpr (requires { placer.place(item.value); }) placer.place(item.value);
      each_value(item.value, {}, [&](auto& value, const FieldTraits& traits) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, Name>) {
          if (!traits.is_keyword) value.text = own.full_name(value.text);
        } else if constexpr (std::is_same_v<T, Formula>) {
          value.placement += number;
        }
      });
      target.push_back(std::move(item));
    }
  };
  take(whole.submodels, part.submodels);
  take(whole.markers, part.markers);
  take(whole.bodies, part.bodies);
  take(whole.flexible, part.flexible);
  take(whole.beams, part.beams);
  take(whole.joints, part.joints);
  take(whole.motions, part.motions);
  take(whole.constraints, part.constraints);
  take(whole.forces, part.forces);
  take(whole.contacts, part.contacts);
  take(whole.collisions, part.collisions);
  take(whole.controls, part.controls);
  take(whole.tables, part.tables);
}

const Placement& placement_of(const Model& model, int number) {
  static const Placement none;
  return number <= 0 ? none : model.placements[static_cast<std::size_t>(number) - 1];
}

}  // namespace picus
