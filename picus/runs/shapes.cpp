// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/shapes.h"

#include <nlohmann/json.hpp>

#include "picus/math/rotation.h"

namespace picus {
namespace {

using Json = nlohmann::ordered_json;

Json numbers(const Vector3& v) {
  return Json::array({v(0), v(1), v(2)});
}

Json form_of(const Box& box) {
  return {{"type", "box"}, {"size", numbers(box.size)}};
}
Json form_of(const Sphere& sphere) {
  return {{"type", "sphere"}, {"radius", sphere.radius}};
}
Json form_of(const Cylinder& cylinder) {
  return {{"type", "cylinder"}, {"radius", cylinder.radius}, {"length", cylinder.length}};
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

Json json_of(const Shape& shape) {
  return std::visit(
      [](const auto& form) {
        Json json = form_of(form);
        if (form.at != Vector3::Zero()) json["at"] = numbers(form.at);
        if (form.axis) {
          const Quaternion p = quaternion_of(frame_along(*form.axis));
          json["rotation"] = {p(0), p(1), p(2), p(3)};
        }
        return json;
      },
      shape);
}

// A bar is a line through its nodes.
Json nodes_of(const std::string& name, const Bar& bar) {
  Json through = Json::array();
  for (int i = 0; i <= bar.elements; ++i)
    through.push_back({{"body", name + ".node" + std::to_string(i)}});
  return through;
}

}  // namespace

std::string scene_of(const Model& model) {
  Json scene;
  for (const Named<BodyPart>& body : model.bodies)
    if (body.value.shape)
      scene["bodies"].push_back(
          {{"name", body.name}, {"shapes", Json::array({json_of(*body.value.shape)})}});
  for (const Named<Flexible>& part : model.flexible)
    scene["lines"].push_back(
        {{"name", part.name},
         {"through",
          std::visit([&](const auto& f) { return nodes_of(part.name, f); }, part.value)}});
  return scene.is_null() ? std::string() : scene.dump();
}

}  // namespace picus
