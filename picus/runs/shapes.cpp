// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <regex>

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
  static constexpr std::array kTypes{"sphere", "capsule", "cylinder"};
  const Vector3 along = piece.to - piece.from;
  Json json{{"type", kTypes[static_cast<std::size_t>(piece.form)]}, {"radius", piece.radius}};
  if (piece.form != DefaultPiece::Form::kBall) json["length"] = along.norm();
  json["at"] = numbers(0.5 * (piece.from + piece.to));
  if (piece.form != DefaultPiece::Form::kBall) json["rotation"] = rotation_along(along);
  if (piece.is_sign) json["sign"] = true;
  return json;
}

Json ball_at(const Vector3& centre, double radius) {
  return {{"type", "sphere"}, {"radius", radius}, {"at", numbers(centre)}};
}

// Where a ball on the ground is: at the ground itself, at that of a submodel, or at a marker there.
std::optional<Vector3> ground_point(const Model& model, const std::string& name) {
  if (name == "ground") return Vector3::Zero();
  for (const Placement& placement : model.placements)
    if (placement.full_name("ground") == name) return placement.at;
  for (const Named<Marker>& marker : model.markers)
    if (marker.name == name) return marker.value.at;
  return {};
}

// Balls that do not move: pegs of collisions and of contacts between balls.
Json fixed_balls(const Model& model, const Mechanism& mechanism) {
  Json shapes = Json::array();
  for (const auto& group : mechanism.collisions())
    for (const CollisionBall& ball : group->balls)
      if (ball.body == Bodies::kGround) shapes.push_back(ball_at(ball.centre, ball.radius));
  for (const Named<Contact>& part : model.contacts) {
    const auto* contact = std::get_if<BallOnBall>(&part.value);
    if (contact == nullptr || contact->inside || contact->between.size() != 2) continue;
    const std::array radii{contact->other_radius, contact->radius};
    for (std::size_t k = 0; k < radii.size(); ++k)
      if (const auto at = ground_point(model, contact->between[k].text); at && radii[k] > 0.0)
        shapes.push_back(ball_at(*at, radii[k]));
  }
  return shapes;
}

Json bodies_of(const Model& model, const Mechanism& mechanism, const DefaultShapes& defaults) {
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
  if (Json fixed = fixed_balls(model, mechanism); !fixed.empty())
    bodies.push_back({{"name", "ground"}, {"shapes", std::move(fixed)}});
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

// A flexible part goes through its nodes; it is as thick as its area says.
Json line_of(const Mechanism& mechanism, const FlexiblePart& part) {
  const PartLine line = part.line();
  Json through = Json::array();
  for (const int node : line.nodes)
    through.push_back({{"body", mechanism.bodies()[node].name}});
  const bool turns = std::none_of(line.nodes.begin(), line.nodes.end(), [&](int node) {
    return is_point(mechanism.bodies()[node].kind);
  });
  Json json{{"name", part.name()}, {"kind", line.kind},       {"turns", turns},
            {"area", line.area},   {"modulus", line.modulus}, {"through", std::move(through)}};
  if (!line.outline.empty()) json["outline"] = Json::array();
  for (const Vector3& point : line.outline)
    json["outline"].push_back(numbers(point));
  return json;
}

Json lines_of(const Mechanism& mechanism) {
  Json lines = Json::array();
  for (const FlexiblePart* part : mechanism.flexible())
    lines.push_back(line_of(mechanism, *part));
  const auto kind_of = [](const std::string& type) {
    return type == SpringDamper::kType    ? "spring"
           : type == Bushing::kType       ? "bushing"
           : type == TorsionSpring::kType ? "torsion spring"
                                          : nullptr;
  };
  for (const AssembledForce& force : mechanism.forces())
    if (const char* kind = kind_of(force.type))
      lines.push_back(
          {{"name", force.name}, {"kind", kind}, {"through", ends_of(mechanism, force)}});
  return lines;
}

template <class Parts>
const auto* part_named(const Parts& parts, const std::string& name) {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.name == name; });
  return found == parts.end() ? nullptr : &found->value;
}

// What balls lie on: planes of rigid contacts, of compliant ones and of collisions.
Json planes_of(const Model& model, const Mechanism& mechanism) {
  Json planes = Json::array();
  const auto add = [&](const std::string& name, int body, const BodyFrame& frame) -> Json& {
    Json plane = end_of(mechanism, body, frame);
    plane["name"] = name;
    planes.push_back(std::move(plane));
    return planes.back();
  };
  for (const AssembledContact& contact : mechanism.contacts()) {
    if (contact.type != BallOnPlane::kType) continue;
    Json& plane = add(contact.name, contact.body_j, *contact.plane_j);
    const Contact* part = part_named(model.contacts, contact.name);
    if (part != nullptr && std::get<BallOnPlane>(*part).height) plane["moves"] = true;
  }
  for (const AssembledForce& force : mechanism.forces()) {
    if (force.type != ContactForce::kType) continue;
    const Force* part = part_named(model.forces, force.name);
    if (part != nullptr && !std::get<ContactForce>(*part).other_radius)
      add(force.name, force.body_j, force.frame_j);
  }
  for (const auto& group : mechanism.collisions()) {
    for (const CollisionPlane& plane : group->planes) {
      // a body with a shape shows its walls
      const BodyPart* body = part_named(model.bodies, mechanism.bodies()[plane.body].name);
      if (body == nullptr || !body->shape)
        add(group->name, plane.body, {plane.point, frame_along(plane.normal)});
    }
  }
  return planes;
}

// How far the curve of a contact is drawn to both sides of where its point starts, and by what
// steps, in sizes of the model.
constexpr double kCurveReach = 8.0, kCurveStep = 0.02;

// y of a curve at x: the gap is ±(y − c(x))/√(1 + c'²), linear in y.
double curve_height(const AssembledContact& contact, double x, double time) {
  const auto gap = [&](double y) {
    const std::array<Jet, kMaxMeasures> s{Jet(x), Jet(y)}, rates{};
    const std::size_t count = contact.gap.terms.size();
    return contact.gap.function(std::span(s).first(count), std::span(rates).first(count), Jet(time))
        .value.value.value;
  };
  return gap(0.0) / (gap(0.0) - gap(1.0));
}

// Curves that points slide on, as points in the frame of their body. Those that change with time
// are left out.
Json curves_of(const Mechanism& mechanism, double extent) {
  Json curves = Json::array();
  const State& start = mechanism.initial_state();
  for (const AssembledContact& contact : mechanism.contacts()) {
    if (contact.type != PointOnCurve::kType) continue;
    const BodyFrame& frame = *contact.plane_j;
    const double middle = measure(mechanism.bodies(), contact.gap.terms[0], start.position);
    Json points = Json::array();
    bool moves = false;
    for (double x = -kCurveReach; x <= kCurveReach; x += kCurveStep) {
      const double at = middle + extent * x;
      const double y = curve_height(contact, at, start.time);
      if (!std::isfinite(y)) continue;  // not everywhere there is a curve
      moves = moves || curve_height(contact, at, start.time + 0.37) != y;
      points.push_back(
          numbers(in_user_frame(mechanism, contact.body_j,
                                frame.point + at * frame.axes.col(0) + y * frame.axes.col(1))));
    }
    if (moves || points.size() < 2) continue;
    Json curve{{"name", contact.name}, {"points", std::move(points)}};
    if (contact.body_j != Bodies::kGround) curve["body"] = mechanism.bodies()[contact.body_j].name;
    curves.push_back(std::move(curve));
  }
  return curves;
}

// Names in a formula: "target", "j1.angle"; in one of a submodel "left.j1.angle".
Json names_in(const Model& model, const Formula& formula) {
  static const std::regex kNames("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*(\\s*\\()?");
  Json names = Json::array();
  const std::string& text = formula.text;
  const Placement& owner = placement_of(model, formula.placement);
  for (std::sregex_iterator it(text.begin(), text.end(), kNames), end; it != end; ++it)
    if (it->str().back() != '(') names.push_back(owner.full_name(it->str()));
  return names;
}

// What drives the mechanism, and what controllers and servos compare: a viewer shows a coordinate
// beside its set point.
Json controls_of(const Model& model) {
  Json controls = Json::array();
  for (const Named<Force>& force : model.forces) {
    const auto* motor = std::get_if<Motor>(&force.value);
    if (motor == nullptr) continue;
    Json json{{"name", force.name}, {"motor", motor->joint.text}};
    if (motor->target) json["reads"] = names_in(model, *motor->target);
    controls.push_back(std::move(json));
  }
  for (const Named<Control>& control : model.controls)
    if (const auto* pid = std::get_if<Pid>(&control.value))
      controls.push_back({{"name", control.name}, {"reads", names_in(model, pid->input)}});
  return controls;
}

Json plots_of(const Model& model) {
  Json plots = Json::array();
  for (const PlotPart& plot : model.plots) {
    Json json{{"y", plot.y}};
    if (!plot.x.empty()) json["x"] = plot.x;
    if (!plot.title.empty()) json["title"] = plot.title;
    plots.push_back(std::move(json));
  }
  return plots;
}

}  // namespace

std::string scene_of(const Model& model, const Mechanism& mechanism) {
  Json scene{{"dimension", model.dimension}, {"gravity", numbers(model.gravity)}};
  const auto put = [&](const char* key, Json list) {
    if (!list.empty()) scene[key] = std::move(list);
  };
  const DefaultShapes defaults(model, mechanism);
  put("bodies", bodies_of(model, mechanism, defaults));
  put("lines", lines_of(mechanism));
  put("joints", joints_of(mechanism));
  put("planes", planes_of(model, mechanism));
  put("curves", curves_of(mechanism, defaults.extent()));
  put("controls", controls_of(model));
  put("plots", plots_of(model));
  return scene.dump();
}

}  // namespace picus
