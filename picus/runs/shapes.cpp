// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/shapes.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "picus/math/rotation.h"
#include "picus/runs/default_shapes.h"

namespace picus {
namespace {

using Json = nlohmann::ordered_json;

Json numbers(const Vector3& v) {
  return Json::array({v(0), v(1), v(2)});
}
Json rotation_along(const Vector3& z) {
  const Quaternion p = quaternion_of(frame_along(z));
  return Json::array({p(0), p(1), p(2), p(3)});
}

Json form_of(const Box& box) {
  return {{"type", "box"}, {"size", numbers(box.size)}};
}
Json form_of(const Sphere& sphere) {
  return {{"type", "sphere"}, {"radius", sphere.radius}};
}
Json form_of(const Cylinder& cylinder) {
  Json json{{"type", "cylinder"}, {"radius", cylinder.radius}, {"length", cylinder.length}};
  if (cylinder.bore > 0.0) json["bore"] = cylinder.bore;
  return json;
}
Json form_of(const Capsule& capsule) {
  return {{"type", "capsule"}, {"radius", capsule.radius}, {"length", capsule.length}};
}
// A slender rod would not be seen.
Json form_of(const Rod& rod) {
  constexpr double kSlender = 0.03;
  const double width = rod.width > 0.0 ? rod.width : kSlender * rod.length;
  return {{"type", "box"}, {"size", {rod.length, width, width}}};
}

Json form_of(const MeshShape& mesh) {
  Json points = Json::array();
  for (const Vector3& point : mesh.surface.points)
    points.push_back(numbers(point));
  return {{"type", "mesh"}, {"points", points}, {"triangles", mesh.surface.corners}};
}

Json json_of(const Shape& shape) {
  return std::visit(
      [](const auto& form) {
        Json json = form_of(form);
        if (form.at != Vector3::Zero()) json["at"] = numbers(form.at);
        if (form.axis) json["rotation"] = rotation_along(*form.axis);
        return json;
      },
      shape);
}

Json json_of(const DefaultPiece& piece) {
  const Vector3 along = piece.to - piece.from;
  if (along == Vector3::Zero())
    return {{"type", "sphere"}, {"radius", piece.radius}, {"at", numbers(piece.from)}};
  return {{"type", "capsule"},
          {"radius", piece.radius},
          {"length", along.norm()},
          {"at", numbers(0.5 * (piece.from + piece.to))},
          {"rotation", rotation_along(along)}};
}

Json bodies_of(const Model& model, const Mechanism& mechanism) {
  const DefaultShapes defaults(mechanism);
  Json bodies = Json::array();
  for (const Named<BodyPart>& body : model.bodies) {
    Json json{{"name", body.name}, {"shapes", Json::array()}};
    if (body.value.shape) {
      json["shapes"].push_back(json_of(*body.value.shape));
    } else {
      json["default"] = true;
      for (const DefaultPiece& piece : defaults.pieces_of(mechanism.find_body(body.name)))
        json["shapes"].push_back(json_of(piece));
    }
    bodies.push_back(std::move(json));
  }
  return bodies;
}

// A point of a body, and an axis there.
Json end_of(const Mechanism& mechanism, int body, const BodyFrame& frame) {
  Json json{{"at", numbers(in_user_frame(mechanism, body, frame.point))},
            {"axis", numbers(frame.axes.col(JointEquations::kZ))}};
  if (body != Bodies::kGround) json["body"] = mechanism.bodies()[body].name;
  return json;
}

template <class Part>
Json ends_of(const Mechanism& mechanism, const Part& part) {
  return Json::array(
      {end_of(mechanism, part.body_j, part.frame_j), end_of(mechanism, part.body_i, part.frame_i)});
}

Json joints_of(const Mechanism& mechanism) {
  Json joints = Json::array();
  for (const AssembledJoint& joint : mechanism.joints())
    joints.push_back(
        {{"name", joint.name}, {"type", joint.type}, {"ends", ends_of(mechanism, joint)}});
  return joints;
}

// A bar goes through its nodes; it is as thick as its area says.
Json line_of(const std::string& name, const Bar& bar) {
  Json through = Json::array();
  for (int i = 0; i <= bar.elements; ++i)
    through.push_back({{"body", name + ".node" + std::to_string(i)}});
  return {{"name", name},
          {"kind", "bar"},
          {"area", bar.area},
          {"modulus", bar.modulus},
          {"through", std::move(through)}};
}

Json lines_of(const Model& model, const Mechanism& mechanism) {
  Json lines = Json::array();
  for (const Named<Flexible>& part : model.flexible)
    lines.push_back(std::visit([&](const auto& f) { return line_of(part.name, f); }, part.value));
  for (const AssembledForce& force : mechanism.forces())
    if (force.type == SpringDamper::kType)
      lines.push_back(
          {{"name", force.name}, {"kind", "spring"}, {"through", ends_of(mechanism, force)}});
  return lines;
}

// What balls lie on: planes of rigid contacts and of compliant ones.
Json planes_of(const Model& model, const Mechanism& mechanism) {
  Json planes = Json::array();
  const auto add = [&](const std::string& name, int body, const BodyFrame& frame) {
    Json plane = end_of(mechanism, body, frame);
    plane["name"] = name;
    planes.push_back(std::move(plane));
  };
  for (const AssembledContact& contact : mechanism.contacts())
    if (contact.plane_j) add(contact.name, contact.body_j, *contact.plane_j);
  for (const AssembledForce& force : mechanism.forces()) {
    if (force.type != ContactForce::kType) continue;
    const auto part = std::find_if(model.forces.begin(), model.forces.end(),
                                   [&](const auto& f) { return f.name == force.name; });
    if (part != model.forces.end() && !std::get<ContactForce>(part->value).other_radius)
      add(force.name, force.body_j, force.frame_j);
  }
  return planes;
}

}  // namespace

std::string scene_of(const Model& model, const Mechanism& mechanism) {
  Json scene{{"dimension", model.dimension}, {"gravity", numbers(model.gravity)}};
  const auto put = [&](const char* key, Json list) {
    if (!list.empty()) scene[key] = std::move(list);
  };
  put("bodies", bodies_of(model, mechanism));
  put("lines", lines_of(model, mechanism));
  put("joints", joints_of(mechanism));
  put("planes", planes_of(model, mechanism));
  return scene.dump();
}

}  // namespace picus
