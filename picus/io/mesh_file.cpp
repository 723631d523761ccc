// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/mesh_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/io/source_files.h"

namespace picus {
namespace {

// Results carry the surface with them.
constexpr std::size_t kMostTriangles = 100000;

constexpr const char* kNotFinite = "a coordinate is not a number";

InputError at_line(long line, const std::string& message) {
  return InputError(fmt::format("line {}: {}", line, message));
}

void check(const Triangles& mesh) {
  if (mesh.corners.empty()) throw InputError("it has no triangles");
  if (mesh.corners.size() > kMostTriangles)
    throw InputError(fmt::format("it has {} triangles, expected at most {}: simplify the mesh",
                                 mesh.corners.size(), kMostTriangles));
  for (const Vector3& point : mesh.points)
    if (!point.allFinite()) throw InputError(kNotFinite);
}

Vector3 read_point(std::istream& words, long line) {
  Vector3 point;
  if (!(words >> point(0) >> point(1) >> point(2)))
    throw at_line(line, "expected three coordinates");
  return point;
}

// "7", "7/1", "7//3"; negative ones count from the end.
int corner_of(const std::string& word, std::size_t points, long line) {
  const long number = std::strtol(word.c_str(), nullptr, 10);
  const long count = static_cast<long>(points);
  const long index = number < 0 ? count + number : number - 1;
  if (number == 0 || index < 0 || index >= count)
    throw at_line(line, fmt::format("found point '{}', but there are {}", word, count));
  return static_cast<int>(index);
}

// Corners that are at the same place are one point.
class PointList {
 public:
  explicit PointList(Triangles& mesh) : mesh_(mesh) {}
  int find(const Vector3& point) {
    if (!point.allFinite()) throw InputError(kNotFinite);
    const auto [entry, is_new] =
        known_.try_emplace({point(0), point(1), point(2)}, static_cast<int>(mesh_.points.size()));
    if (is_new) mesh_.points.push_back(point);
    return entry->second;
  }

 private:
  Triangles& mesh_;
  std::map<std::array<double, 3>, int> known_;
};

Triangles read_text_stl(std::string_view text) {
  Triangles mesh;
  PointList points(mesh);
  std::istringstream lines{std::string(text)};
  std::string line, word;
  std::vector<int> facet;
  for (long number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    if (!(words >> word)) continue;
    if (word == "vertex") facet.push_back(points.find(read_point(words, number)));
    if (word != "endfacet") continue;
    if (facet.size() != 3)
      throw at_line(number, fmt::format("found a facet of {} vertices, expected 3", facet.size()));
    mesh.corners.push_back({facet[0], facet[1], facet[2]});
    facet.clear();
  }
  return mesh;
}

constexpr std::size_t kStlHead = 84, kStlFacet = 50;

std::uint32_t stl_count(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + kStlHead - sizeof count, sizeof count);
  return count;
}

}  // namespace

Triangles read_obj(std::string_view text) {
  Triangles mesh;
  std::istringstream lines{std::string(text)};
  std::string line, word;
  for (long number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    if (!(words >> word)) continue;
    if (word == "v") mesh.points.push_back(read_point(words, number));
    if (word != "f") continue;
    std::vector<int> face;
    while (words >> word)
      face.push_back(corner_of(word, mesh.points.size(), number));
    if (face.size() < 3)
      throw at_line(number,
                    fmt::format("found a face of {} points, expected 3 or more", face.size()));
    for (std::size_t i = 2; i < face.size(); ++i)
      mesh.corners.push_back({face[0], face[i - 1], face[i]});
  }
  check(mesh);
  return mesh;
}

Triangles read_stl(std::string_view bytes) {
  // a text begins with "solid", but so do some binary files: their length tells
  const bool is_binary =
      bytes.size() >= kStlHead && bytes.size() == kStlHead + kStlFacet * stl_count(bytes);
  if (!is_binary && !bytes.starts_with("solid"))
    throw InputError("it is neither a text nor a binary STL file, or it is truncated");
  Triangles mesh;
  if (is_binary) {
    PointList points(mesh);
    for (std::size_t at = kStlHead; at < bytes.size(); at += kStlFacet) {
      std::array<float, 9> numbers{};
      std::memcpy(numbers.data(), bytes.data() + at + 12, sizeof numbers);  // after the normal
      std::array<int, 3> corners{};
      for (std::size_t k = 0; k < 3; ++k)
        corners[k] = points.find(Vector3(numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]));
      mesh.corners.push_back(corners);
    }
  } else {
    mesh = read_text_stl(bytes);
  }
  check(mesh);
  return mesh;
}

Triangles read_mesh(std::string_view bytes, const std::string& path) {
  std::string kind = std::filesystem::path(path).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  try {
    if (kind == ".obj") return read_obj(bytes);
    if (kind == ".stl") return read_stl(bytes);
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", path, error.what()));
  }
  throw InputError(fmt::format("'{}' ends in '{}', expected .obj or .stl", path, kind));
}

Triangles read_mesh_file(const std::string& path) {
  const FileText file = read_text_file(path);
  if (!file.ok()) throw InputError(fmt::format("'{}' {}", path, file.fault));
  return read_mesh(file.text, path);
}

}  // namespace picus
