// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <numbers>
#include <sstream>

#include "picus/results/export_csv.h"
#include "picus/results/export_vtk.h"
#include "picus/results/result_writer.h"
#include "picus/results/scene.h"
#include "tests/results/sample_result.h"

namespace picus::testing {
namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Pattern, StarTakesAnyRunAndQuestionMarkOneCharacter) {
  EXPECT_TRUE(matches_pattern("bodies.crank.position.x", "bodies.*.position.*"));
  EXPECT_TRUE(matches_pattern("bodies.crank.position.x", "*.x"));
  EXPECT_TRUE(matches_pattern("bodies.crank.position.x", "bodies.crank.position.?"));
  EXPECT_TRUE(matches_pattern("aXbXbYc", "a*b*c"));
  EXPECT_TRUE(matches_pattern("abc", "abc**"));
  EXPECT_TRUE(matches_pattern("", "*"));
  EXPECT_FALSE(matches_pattern("bodies.crank.velocity.x", "bodies.*.position.*"));
  EXPECT_FALSE(matches_pattern("abc", "ab"));
  EXPECT_FALSE(matches_pattern("ab", "abc"));
  EXPECT_FALSE(matches_pattern("ab", "ab?"));
  EXPECT_FALSE(matches_pattern("aXbXbYcd", "a*b*c"));
}

TEST(Pattern, ChannelsComeOnceInTheOrderOfThePatterns) {
  const std::vector<std::string> channels{"a.x", "a.y", "b.x", "odd*name"};
  using Numbers = std::vector<std::size_t>;
  EXPECT_EQ(chosen_channels(channels, {"*.y", "a.*", "*.x"}), (Numbers{1, 0, 2}));
  EXPECT_EQ(chosen_channels(channels, {"odd*name"}), Numbers{3});
}

TEST(Pattern, WithoutAMatchItSaysWhatThereIs) {
  const std::vector<std::string> channels{"a.x", "a.y", "b.x", "b.y"};
  EXPECT_EQ(message_of([&] { chosen_channels(channels, {"c.*"}); }),
            "no channel matches 'c.*'; there are 4 channels: a.x, a.y, b.x, …");
  EXPECT_EQ(message_of([&] { chosen_channels(channels, {"b.yy"}); }),
            "unknown channel 'b.yy'; did you mean 'b.y'?");
}

class CsvTest : public ResultTest {
 protected:
  std::string csv(const CsvOptions& options) const {
    std::ostringstream out;
    export_csv(ResultFile(path()), options, out);
    return out.str();
  }

  void write(long samples) const {
    ResultHeader header = sample_header();
    header.quantities = {{"bodies", "position", {"rod", "a,\"b\""}, {"x", "y"}, "m", ""},
                         {"solver", "iterations", {}, {}, "", ""}};
    ResultWriter writer(path(), header);
    for (long row = 0; row < samples; ++row) {
      const double t = 0.1 * static_cast<double>(row);
      writer.append(
          t, std::vector<double>{t / 3.0, -1e-30, 1e22, row == 0 ? -0.0 : std::nan(""), 4.0});
    }
    writer.finish("{}");
  }
};

TEST_F(CsvTest, HasNamesUnitsAndNumbersThatReadBack) {
  write(2);
  EXPECT_EQ(csv({}),
            "time [s],bodies.rod.position.x [m],bodies.rod.position.y [m],"
            "\"bodies.a,\"\"b\"\".position.x [m]\",\"bodies.a,\"\"b\"\".position.y [m]\","
            "solver.iterations\n"
            "0,0,-1e-30,1e+22,-0,4\n"
            "0.1,0.03333333333333333,-1e-30,1e+22,nan,4\n");
}

TEST_F(CsvTest, TakesEveryNthSampleAcrossBlocks) {
  write(5000);
  EXPECT_EQ(csv({{"solver.*"}, {.every = 2000, .times = {}}}),
            "time [s],solver.iterations\n0,4\n200,4\n400,4\n");
}

TEST_F(CsvTest, TakesTheSamplesNearestToTimes) {
  write(11);
  EXPECT_EQ(csv({{"solver.iterations"}, {.every = 1, .times = {-1.0, 0.26, 0.27, 0.34, 99.0}}}),
            "time [s],solver.iterations\n0,4\n0.30000000000000004,4\n1,4\n");
}

TEST_F(CsvTest, RefusesBadChoices) {
  write(2);
  EXPECT_EQ(message_of([&] {
              csv({{}, {.every = 0, .times = {}}});
            }),
            "every: found 0, expected 1 or more");
  EXPECT_EQ(message_of([&] {
              csv({{}, {.every = 1, .times = {1.0, 0.5}}});
            }),
            "times: found 0.5, expected ascending numbers");
}

TEST(SceneTest, RotationFollowsTheRightHand) {
  const double h = std::sqrt(0.5);
  const Point turned = rotate({h, 0.0, 0.0, h}, {1.0, 2.0, 3.0});  // a quarter around z
  EXPECT_NEAR(turned[0], -2.0, 1e-15);
  EXPECT_NEAR(turned[1], 1.0, 1e-15);
  EXPECT_NEAR(turned[2], 3.0, 1e-15);
}

// The divergence theorem: a closed surface with normals outward has its volume.
double volume(const Mesh& mesh) {
  double sum = 0.0;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Point &a = mesh.points[static_cast<std::size_t>(i)],
                &b = mesh.points[static_cast<std::size_t>(j)],
                &c = mesh.points[static_cast<std::size_t>(k)];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6.0;
}

double volume_of(const std::string& shape) {
  // placed off centre and turned, which changes no volume
  const Scene scene = read_scene(R"({"bodies": [{"name": "b", "shapes": [{"at": [1, 2, 3],
      "rotation": [0.5, 0.5, -0.5, 0.5], )" +
                                 shape + "}]}]}");
  return volume(scene.bodies.at(0).mesh);
}

TEST(SceneTest, ShapesAreClosedSurfacesOfTheirVolume) {
  constexpr double kPi = std::numbers::pi;
  EXPECT_NEAR(volume_of(R"("type": "box", "size": [1, 2, 3])"), 6.0, 1e-12);
  // surfaces of 24 corners around lie inside the round ones: a few per cent are missing
  const auto expect_just_below = [](double found, double round) {
    EXPECT_LT(found, round);
    EXPECT_GT(found, 0.95 * round);
  };
  expect_just_below(volume_of(R"("type": "sphere", "radius": 2)"), 4.0 / 3.0 * kPi * 8.0);
  expect_just_below(volume_of(R"("type": "cylinder", "radius": 2, "length": 3)"), kPi * 4.0 * 3.0);
  expect_just_below(volume_of(R"("type": "capsule", "radius": 2, "length": 3)"),
                    4.0 / 3.0 * kPi * 8.0 + kPi * 4.0 * 3.0);
}

TEST(SceneTest, RefusesWhatItDoesNotUnderstand) {
  const auto refusal = [](const std::string& shape) {
    return message_of([&] { volume_of(shape); });
  };
  EXPECT_EQ(refusal(R"("type": "shpere")"),
            "scene: unknown shape 'shpere'; did you mean 'sphere'?");
  EXPECT_EQ(refusal(R"("type": "sphere", "radius": -1)"),
            "scene: 'radius' is -1, expected a positive number");
  EXPECT_NE(refusal(R"("type": "box")").find("key 'size' not found"), std::string::npos);
  EXPECT_EQ(refusal(R"("type": "mesh", "points": [[0,0,0]], "triangles": [[0,1,0]])"),
            "scene: a mesh uses point 1, but has points 0 to 0");
  EXPECT_NE(message_of([] { read_scene("{"); }).find("scene: "), std::string::npos);
}

class VtkTest : public ResultTest {
 protected:
  void write(const std::string& scene) const {
    ResultHeader header = sample_header();
    header.scene = scene;
    const std::vector<std::string> names{"crank", "Stößel"}, xyz{"x", "y", "z"};
    header.quantities = {{"bodies", "position", names, xyz, "m", ""},
                         {"bodies", "orientation", names, {"w", "x", "y", "z"}, "", ""},
                         {"bodies", "velocity", names, xyz, "m/s", ""},
                         {"bodies", "angular_velocity", names, xyz, "rad/s", ""}};
    ResultWriter writer(path(), header);
    for (int row = 0; row < 3; ++row) {
      const double t = row, h = std::sqrt(0.5);
      writer.append(t, std::vector<double>{t, 0, 0, 10, 0, 0,        // positions
                                           1, 0, 0, 0,  h, 0, 0, h,  // the second turned around z
                                           1, 0, 0, 0,  0, 0,        // velocities
                                           0, 0, 0, 0,  0, 2});      // the second spins around z
    }
    writer.finish("{}");
  }

  void export_all(const VtkOptions& options = {}) const {
    export_vtk(ResultFile(path()), options, path("vtk"));
  }

  std::string text(const std::string& name) const {
    std::ifstream file(path("vtk/" + name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  bool has(const std::string& name) const { return std::filesystem::exists(path("vtk/" + name)); }

  // Python's parser refuses everything that is not well-formed XML.
  void expect_xml() const {
    const std::string command =
        "python3 -c 'import sys, xml.etree.ElementTree as e; [e.parse(f) for f in sys.argv[1:]]' " +
        path("vtk") + "/*.vtp " + path("vtk") + "/*.pvd";
    EXPECT_EQ(std::system(command.c_str()), 0);
  }
};

// The numbers of a data array.
std::vector<double> numbers(const std::string& file, const std::string& name) {
  const std::size_t array = file.find("Name=\"" + name + "\"");
  EXPECT_NE(array, std::string::npos) << name;
  const std::size_t begin = file.find('>', array) + 1;
  std::istringstream in(file.substr(begin, file.find("</", begin) - begin));
  return {std::istream_iterator<double>(in), {}};
}

TEST_F(VtkTest, ListsASampleOfPointsPerTime) {
  write("");
  export_all({.samples = {.every = 2, .times = {}}, .name = "r", .scene = true});
  EXPECT_EQ(text("r.pvd"),
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n"
            "<DataSet timestep=\"0\" part=\"0\" name=\"bodies\" file=\"r_bodies_000000.vtp\"/>\n"
            "<DataSet timestep=\"2\" part=\"0\" name=\"bodies\" file=\"r_bodies_000001.vtp\"/>\n"
            "</Collection>\n</VTKFile>\n");
  EXPECT_FALSE(has("r_bodies_000002.vtp"));
  expect_xml();
}

TEST_F(VtkTest, BodiesArePointsWithVelocityAndAxes) {
  write("");
  export_all();
  const std::string file = text("run_bodies_000002.vtp");
  EXPECT_EQ(numbers(file, "points"), (std::vector<double>{2, 0, 0, 10, 0, 0}));
  EXPECT_EQ(numbers(file, "velocity"), (std::vector<double>{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(numbers(file, "angular_velocity"), (std::vector<double>{0, 0, 0, 0, 0, 2}));
  EXPECT_EQ(numbers(file, "body"), (std::vector<double>{0, 1}));
  EXPECT_EQ(numbers(file, "TimeValue"), std::vector<double>{2});
  const std::vector<double> axis = numbers(file, "axis_x");
  ASSERT_EQ(axis.size(), 6U);
  EXPECT_NEAR(axis[3], 0.0, 1e-15);
  EXPECT_NEAR(axis[4], 1.0, 1e-15);
  std::string names;
  for (const double code : numbers(file, "body_names"))
    names += static_cast<char>(static_cast<unsigned char>(code));
  EXPECT_EQ(names, std::string("crank\0Stößel\0", 15));
}

TEST_F(VtkTest, ShapesMoveWithTheirBodies) {
  write(R"({"bodies": [
      {"name": "crank", "shapes": [{"type": "sphere", "radius": 1}]},
      {"name": "Stößel", "shapes": [
        {"type": "mesh", "points": [[1,0,0],[2,0,0],[1,1,0]], "triangles": [[0,1,2]]},
        {"type": "mesh", "points": [[0,0,0],[3,0,0]], "lines": [[0,1]]}]},
      {"name": "wall", "shapes": [{"type": "box", "size": [1,1,1], "at": [5,5,5]}]}],
    "lines": [{"name": "rope", "through": [{"body": "Stößel", "at": [1,0,0]}, {"at": [0,7,0]},
                                           {"body": "wall", "at": [5,5,5]}]}]})");
  export_all();
  expect_xml();
  const std::string file = text("run_surfaces_000001.vtp");
  const std::vector<double> points = numbers(file, "points"), speeds = numbers(file, "velocity"),
                            bodies = numbers(file, "body");
  ASSERT_EQ(points.size(), 3 * bodies.size());
  ASSERT_EQ(speeds.size(), points.size());
  // the sphere went along with the crank
  EXPECT_EQ(points[0], 1.0);
  EXPECT_EQ(points[2], -1.0);
  EXPECT_EQ(speeds[0], 1.0);
  // (1, 0, 0) of the second body: turned to y, carried by ω × r = 2 e_z × e_y
  const auto first =
      static_cast<std::size_t>(std::find(bodies.begin(), bodies.end(), 1.0) - bodies.begin());
  EXPECT_NEAR(points[3 * first], 10.0, 1e-14);
  EXPECT_NEAR(points[3 * first + 1], 1.0, 1e-15);
  EXPECT_NEAR(speeds[3 * first], -2.0, 1e-15);
  // 5 points of its meshes, 8 of the wall, then the rope from body through space to the wall
  EXPECT_EQ(bodies[first + 5], -1.0);
  const std::size_t rope = first + 13;
  ASSERT_EQ(bodies.size(), rope + 3);
  EXPECT_NEAR(points[3 * rope + 1], 1.0, 1e-15);
  EXPECT_EQ(points[3 * rope + 4], 7.0);
  EXPECT_EQ(points[3 * rope + 8], 5.0);
  EXPECT_NE(file.find("NumberOfLines=\"2\""), std::string::npos);
}

// Two elements of a beam, one of a bar that has no moments; a whole part has an energy of its own.
TEST_F(VtkTest, ElementsAreLinesWithTheirForces) {
  ResultHeader header = sample_header();
  header.scene = R"({"lines": [
    {"name": "rod", "kind": "beam", "through": [{"body": "rod.node0"}, {"body": "rod.node1"},
      {"body": "rod.node2"}]},
    {"name": "bar", "kind": "bar", "through": [{"body": "bar.node0"}, {"body": "rod.node0"}]},
    {"name": "spring", "kind": "spring", "through": [{"body": "rod.node0"}, {"at": [0, 0, 0]}]}]})";
  const std::vector<std::string> xyz{"x", "y", "z"};
  header.quantities = {
      {"bodies", "position", {"rod.node0", "rod.node1", "rod.node2", "bar.node0"}, xyz, "m", ""},
      {"elements", "section_moment", {"rod.1", "rod.2"}, xyz, "N m", ""},
      {"elements", "stress", {"bar.1", "rod.1", "rod.2"}, {}, "Pa", ""},
      {"elements", "strain_energy", {"rod", "bar"}, {}, "J", ""}};
  ResultWriter writer(path(), header);
  writer.append(0.5, std::vector<double>{0,  0,  0,  1,   0,  0, 2, 1, 0, -1, 0, 0,  // positions
                                         1,  2,  3,  4,   5,  6,                     // moments
                                         70, 80, 90, 0.1, 0.2});
  writer.finish("{}");
  export_all();
  expect_xml();
  const std::string file = text("run_elements_000000.vtp");
  EXPECT_EQ(numbers(file, "points"),
            (std::vector<double>{0, 0, 0, 1, 0, 0, 2, 1, 0, -1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(numbers(file, "connectivity"), (std::vector<double>{}));  // of Verts, which come first
  EXPECT_NE(file.find("NumberOfLines=\"3\""), std::string::npos);
  EXPECT_NE(file.find("0 1 1 2 3 4"), std::string::npos);
  EXPECT_NE(file.find("1 2 3 4 5 6 nan nan nan"), std::string::npos);
  EXPECT_EQ(numbers(file, "stress"), (std::vector<double>{80, 90, 70}));
  EXPECT_EQ(file.find("strain_energy"), std::string::npos);
}

TEST_F(VtkTest, SceneCanBeLeftOut) {
  write(R"({"bodies": [{"name": "crank", "shapes": [{"type": "sphere", "radius": 1}]}]})");
  export_all({.samples = {}, .name = "run", .scene = false});
  EXPECT_TRUE(has("run_bodies_000000.vtp"));
  EXPECT_FALSE(has("run_surfaces_000000.vtp"));
}

TEST_F(VtkTest, RefusesWhatItCannotShow) {
  write(R"({"lines": [{"name": "rope", "through": [{"body": "krank"}]}]})");
  EXPECT_EQ(message_of([&] { export_all(); }),
            "scene: line 'rope': unknown body 'krank'; did you mean 'crank'?");
  ResultHeader header = sample_header();
  header.quantities.erase(header.quantities.begin());
  ResultWriter(path(), header).finish("");
  EXPECT_NE(message_of([&] { export_all(); }).find("no quantity 'bodies/position'"),
            std::string::npos);
}

}  // namespace
}  // namespace picus::testing
