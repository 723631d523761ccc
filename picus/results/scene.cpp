// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/scene.h"

#include <cmath>
#include <numbers>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "picus/base/error.h"

namespace picus {
namespace {

using nlohmann::json;

constexpr int kAround = 24;       // divisions of a circle
constexpr int kHalfMeridian = 6;  // divisions from a pole to the equator

double positive(const json& shape, const char* field) {
  const double value = shape.at(field).get<double>();
  if (!(value > 0.0) || !std::isfinite(value))
    throw InputError(fmt::format("scene: '{}' is {}, expected a positive number", field, value));
  return value;
}

Mesh box(const json& shape) {
  const auto size = shape.at("size").get<Point>();
  Mesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    Point point{};
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      point[i] = ((corner >> axis) & 1) != 0 ? 0.5 * size[i] : -0.5 * size[i];
    }
    mesh.points.push_back(point);
  }
  // two triangles per side, normals outward; bit 0 of a corner is x, bit 1 y, bit 2 z
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

// A surface of revolution around z: rings (radius, height) from below, closed at both ends by a
// point on the axis.
Mesh revolve(const std::vector<std::array<double, 2>>& rings, double bottom, double top) {
  Mesh mesh;
  mesh.points.push_back({0.0, 0.0, bottom});
  for (const auto& [radius, height] : rings) {
    for (int k = 0; k < kAround; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kAround;
      mesh.points.push_back({radius * std::cos(angle), radius * std::sin(angle), height});
    }
  }
  const int last = static_cast<int>(mesh.points.size());
  mesh.points.push_back({0.0, 0.0, top});
  const auto at = [](int ring, int k) { return 1 + ring * kAround + k % kAround; };
  const int count = static_cast<int>(rings.size());
  for (int k = 0; k < kAround; ++k) {
    mesh.triangles.push_back({0, at(0, k + 1), at(0, k)});
    for (int ring = 0; ring + 1 < count; ++ring) {
      mesh.triangles.push_back({at(ring, k), at(ring, k + 1), at(ring + 1, k + 1)});
      mesh.triangles.push_back({at(ring, k), at(ring + 1, k + 1), at(ring + 1, k)});
    }
    mesh.triangles.push_back({last, at(count - 1, k), at(count - 1, k + 1)});
  }
  return mesh;
}

// A ring of rectangles: outside, top, inside, bottom.
Mesh tube(double radius, double bore, double half) {
  Mesh mesh;
  const std::array<std::array<double, 2>, 4> profile{
      {{radius, -half}, {radius, half}, {bore, half}, {bore, -half}}};
  for (const auto& [r, height] : profile) {
    for (int k = 0; k < kAround; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kAround;
      mesh.points.push_back({r * std::cos(angle), r * std::sin(angle), height});
    }
  }
  const auto at = [](int ring, int k) { return ring % 4 * kAround + k % kAround; };
  for (int ring = 0; ring < 4; ++ring) {
    for (int k = 0; k < kAround; ++k) {
      mesh.triangles.push_back({at(ring, k), at(ring, k + 1), at(ring + 1, k + 1)});
      mesh.triangles.push_back({at(ring, k), at(ring + 1, k + 1), at(ring + 1, k)});
    }
  }
  return mesh;
}

Mesh cylinder(const json& shape) {
  const double radius = positive(shape, "radius"), half = 0.5 * positive(shape, "length");
  if (shape.contains("bore")) return tube(radius, positive(shape, "bore"), half);
  return revolve({{radius, -half}, {radius, half}}, -half, half);
}

// Two half spheres whose centres are `length` apart; with length 0 a sphere.
Mesh capsule(double radius, double length) {
  const double half = 0.5 * length;
  std::vector<std::array<double, 2>> rings;
  for (int i = 1; i < 2 * kHalfMeridian; ++i) {
    const double angle = 0.5 * std::numbers::pi * (static_cast<double>(i) / kHalfMeridian - 1.0);
    const double radius_here = radius * std::cos(angle), height = radius * std::sin(angle);
    if (i <= kHalfMeridian) rings.push_back({radius_here, height - half});
    if (i > kHalfMeridian || (i == kHalfMeridian && length > 0.0))
      rings.push_back({radius_here, height + half});
  }
  return revolve(rings, -radius - half, radius + half);
}

void check_points(const std::vector<int>& indices, std::size_t points) {
  for (const int index : indices) {
    if (index < 0 || static_cast<std::size_t>(index) >= points)
      throw InputError(fmt::format("scene: a mesh uses point {}, but has points 0 to {}", index,
                                   static_cast<long>(points) - 1));
  }
}

Mesh mesh_of(const json& shape) {
  Mesh mesh;
  mesh.points = shape.at("points").get<std::vector<Point>>();
  mesh.triangles = shape.value("triangles", std::vector<std::array<int, 3>>{});
  mesh.lines = shape.value("lines", std::vector<std::vector<int>>{});
  for (const auto& triangle : mesh.triangles)
    check_points({triangle.begin(), triangle.end()}, mesh.points.size());
  for (const auto& line : mesh.lines)
    check_points(line, mesh.points.size());
  return mesh;
}

Mesh shape_mesh(const json& shape) {
  constexpr std::array<std::string_view, 5> kTypes{"box", "sphere", "cylinder", "capsule", "mesh"};
  const auto type = shape.at("type").get<std::string>();
  if (type == "box") return box(shape);
  if (type == "sphere") return capsule(positive(shape, "radius"), 0.0);
  if (type == "cylinder") return cylinder(shape);
  if (type == "capsule") return capsule(positive(shape, "radius"), positive(shape, "length"));
  if (type == "mesh") return mesh_of(shape);
  throw InputError("scene: " + unknown_name("shape", type, kTypes));
}

// Adds a shape at its place in the frame of the body.
void add_shape(const json& shape, Mesh& body) {
  const Mesh mesh = shape_mesh(shape);
  const Point at = shape.value("at", Point{0.0, 0.0, 0.0});
  const SceneRotation rotation = shape.value("rotation", SceneRotation{1.0, 0.0, 0.0, 0.0});
  const int offset = static_cast<int>(body.points.size());
  for (const Point& point : mesh.points) {
    const Point turned = rotate(rotation, point);
    body.points.push_back({at[0] + turned[0], at[1] + turned[1], at[2] + turned[2]});
  }
  for (const auto& [a, b, c] : mesh.triangles)
    body.triangles.push_back({a + offset, b + offset, c + offset});
  for (std::vector<int> line : mesh.lines) {
    for (int& index : line)
      index += offset;
    body.lines.push_back(std::move(line));
  }
}

SceneBody read_body(const json& body) {
  SceneBody result;
  result.name = body.at("name").get<std::string>();
  for (const json& shape : body.value("shapes", json::array()))
    add_shape(shape, result.mesh);
  return result;
}

SceneLine read_line(const json& line) {
  SceneLine result;
  result.name = line.value("name", "");
  for (const json& end : line.at("through"))
    result.through.push_back({end.value("body", ""), end.value("at", Point{0.0, 0.0, 0.0})});
  return result;
}

}  // namespace

Point rotate(const SceneRotation& rotation, const Point& vector) {
  const auto [w, x, y, z] = rotation;
  const double norm2 = w * w + x * x + y * y + z * z;
  const double s = norm2 > 0.0 ? 2.0 / norm2 : 0.0;
  const auto [a, b, c] = vector;
  // v + s (w u + r × u) with r = (x, y, z), u = r × v
  const Point u{y * c - z * b, z * a - x * c, x * b - y * a};
  return {a + s * (w * u[0] + y * u[2] - z * u[1]), b + s * (w * u[1] + z * u[0] - x * u[2]),
          c + s * (w * u[2] + x * u[1] - y * u[0])};
}

Scene read_scene(const std::string& text) {
  Scene scene;
  if (text.empty()) return scene;
  try {
    const json root = json::parse(text);
    for (const json& body : root.value("bodies", json::array()))
      scene.bodies.push_back(read_body(body));
    for (const json& line : root.value("lines", json::array()))
      scene.lines.push_back(read_line(line));
  } catch (const json::exception& error) {
    throw InputError(fmt::format("scene: {}", error.what()));
  }
  return scene;
}

}  // namespace picus
