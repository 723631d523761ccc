// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/mesh_file.h"

#include <cstring>

#include <gtest/gtest.h>

#include "picus/base/error.h"

namespace picus {
namespace {

// The message of a mesh that cannot be read.
template <class Read>
std::string complaint(const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(MeshFile, ReadsFacesOfObj) {
  const Triangles mesh = read_obj(
      "# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1 4//1\n"
      "f -4 -3 -1\n");
  EXPECT_EQ(mesh.points.size(), 4u);
  const std::vector<std::array<int, 3>> expected{{0, 1, 2}, {0, 2, 3}, {0, 1, 3}};
  EXPECT_EQ(mesh.corners, expected);
}

TEST(MeshFile, NamesTheLineOfAMistakeInObj) {
  EXPECT_EQ(complaint([] { read_obj("v 0 0 0\nv 1 0\n"); }), "line 2: expected three coordinates");
  EXPECT_EQ(complaint([] { read_obj("v 0 0 0\nf 1 2 3\n"); }),
            "line 2: found point '2', but there are 1");
  EXPECT_EQ(complaint([] { read_obj("v 0 0 0\n"); }), "it has no triangles");
}

TEST(MeshFile, ReadsTextAndBinaryStl) {
  const Triangles text = read_stl(
      "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
      "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\n"
      "vertex 0 1 0\nendloop\nendfacet\nendsolid s\n");
  EXPECT_EQ(text.corners.size(), 2u);
  EXPECT_EQ(text.points.size(), 4u);  // shared corners are one point

  std::string binary(84 + 50, '\0');
  binary[80] = 1;
  const float numbers[9] = {0, 0, 0, 2, 0, 0, 0, 3, 0};
  std::memcpy(binary.data() + 84 + 12, numbers, sizeof numbers);
  const Triangles mesh = read_stl(binary);
  ASSERT_EQ(mesh.corners.size(), 1u);
  EXPECT_EQ(mesh.points[2], Vector3(0.0, 3.0, 0.0));
  EXPECT_NE(complaint([&] { read_stl(binary.substr(0, 100)); }).find("truncated"),
            std::string::npos);
}

TEST(MeshFile, TellsWhatItCannotRead) {
  EXPECT_EQ(complaint([] { read_mesh_file("nowhere.obj"); }), "'nowhere.obj' does not exist");
  EXPECT_NE(complaint([] { read_mesh_file(PICUS_SOURCE_DIR "/README.md"); }).find(".obj or .stl"),
            std::string::npos);
}

}  // namespace
}  // namespace picus
