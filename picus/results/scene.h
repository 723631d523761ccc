// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The scene of a result file: what bodies look like. docs/formats/results.md has the JSON.

#include <array>
#include <string>
#include <vector>

namespace picus {

using Point = std::array<double, 3>;
using SceneRotation = std::array<double, 4>;  ///< w, x, y, z

/// Turns a vector by a rotation; the quaternion need not have length one.
Point rotate(const SceneRotation& rotation, const Point& vector);

/// Triangles and lines over shared points, in the frame of their body.
struct Mesh {
  std::vector<Point> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::vector<int>> lines;
};

struct SceneBody {
  std::string name;
  Mesh mesh;  ///< all its shapes together
};

/// A line through points of bodies: a spring, a rope.
struct SceneLine {
  struct End {
    std::string body;  ///< empty for a point fixed in space
    Point at{};        ///< in the frame of the body [m]
  };
  std::string name;
  std::vector<End> through;
};

struct Scene {
  std::vector<SceneBody> bodies;
  std::vector<SceneLine> lines;
};

/// Reads the JSON of a scene; an empty text is an empty scene. Throws InputError.
Scene read_scene(const std::string& json);

}  // namespace picus
