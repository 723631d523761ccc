// SPDX-License-Identifier: BSD-3-Clause
// Springs and dampers by curves, constraints by formula, mass properties of meshes.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/mechanism/mesh_volume.h"
#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

std::string swinging(const std::string& spring, const std::string& head = {}) {
  return fmt::format(R"yaml(
picus: 1
dimension: 2
{}
bodies: {{block: {{type: point, mass: 2, at: [1.3, 0]}}}}
joints: {{rail: {{type: inline, between: [ground, block]}}}}
forces: {{spring: {{type: spring_damper, between: [ground, block], {}}}}}
run: {{end_time: 1.7, tolerance: 1e-9}}
)yaml",
                     head, spring);
}

TEST(SpringTables, OfAStraightLineAreAStiffnessAndADamping) {
  const ModelRun numbers = ModelRun::of_text(swinging("stiffness: 50, damping: 3, length: 1"));
  for (const char* shape : {"linear", "cubic", "akima", "monotone"}) {
    const ModelRun table = ModelRun::of_text(swinging(fmt::format(
        "stiffness_table: {{x: [-1, 0, 1], y: [-50, 0, 50], interpolation: {0}}}, damping_table: "
        "{{x: [-1, 2], y: [-3, 6], interpolation: {0}, extrapolation: linear}}, length: 1",
        shape)));
    EXPECT_NEAR(table("bodies.block.position.x"), numbers("bodies.block.position.x"), 1e-7);
    EXPECT_NEAR(table("energy.total"), numbers("energy.total"), 1e-6) << shape;
  }
}

// From the free length outwards and inwards, beyond the points, by fine sums of the force.
TEST(SpringTables, StoreTheIntegralOfTheirCurve) {
  for (const char* shape : {"linear", "cubic", "akima", "monotone"}) {
    const LoadedModel loaded = load_model_text(
        "test.yaml", swinging(fmt::format(
                         "stiffness_table: {{x: [-0.5, -0.2, 0.05, 0.1, 0.25], y: [-30, -8, 0, 9, "
                         "40], interpolation: {}, extrapolation: linear}}, length: 1",
                         shape)));
    const AssembledForce& spring = loaded.mechanism->forces().front();
    for (const double way : {0.4, -0.7}) {
      State s = loaded.mechanism->initial_state();
      double work = 0.0;
      constexpr int kParts = 4000;
      for (int i = 0; i < kParts; ++i) {
        s.position(0) = 1.0 + way * (i + 0.5) / kParts;
        work -= way / kParts *
                spring.components.front().magnitude.evaluate(loaded.mechanism->bodies(), s);
      }
      s.position(0) = 1.0 + way;
      EXPECT_NEAR(spring.potential(s), work, 1e-5) << shape << " " << way;
    }
  }
}

class InFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "picus_parts_from_files";
    std::filesystem::create_directories(folder_);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  LoadedModel load(const std::string& text) const {
    return load_model_text((folder_ / "model.yaml").string(), text);
  }
  std::filesystem::path folder_;
};

using TablesOfFiles = InFolder;
TEST_F(TablesOfFiles, AreFoundBesideTheModelAndInItsUnits) {
  write("spring.csv", "stretch, force\n-300, -15\n0, 0\n300, 15\n");
  const LoadedModel loaded =
      load(swinging("stiffness_table: {file: spring.csv}, length: 1000", "units: {length: mm}"));
  const AssembledForce& spring = loaded.mechanism->forces().front();
  State s = loaded.mechanism->initial_state();
  s.position(0) = 1.2;
  // 200 mm at 0.05 N/mm
  EXPECT_NEAR(spring.components.front().magnitude.evaluate(loaded.mechanism->bodies(), s), -10.0,
              1e-9);
  EXPECT_NEAR(spring.potential(s), 0.5 * 50.0 * 0.04, 1e-9);
}

// A box of 0.2 × 0.3 × 0.5 with a corner at `at`, as twelve triangles.
std::string box(const Vector3& at, bool inside_out = false) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += fmt::format("v {} {} {}\n", at(0) + 0.2 * (i & 1), at(1) + 0.3 * ((i >> 1) & 1),
                        at(2) + 0.5 * ((i >> 2) & 1));
  for (const char* face : {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"}) {
    std::string corners = face;
    if (inside_out) corners = std::string(corners.rbegin(), corners.rend());
    text += "f " + corners + "\n";
  }
  return text;
}

using Mesh = InFolder;
TEST_F(Mesh, GivesTheMassPropertiesOfWhatItEncloses) {
  write("box.obj", box({1.0, -2.0, 3.0}));
  const LoadedModel loaded = load(R"yaml(
picus: 1
bodies: {part: {density: 7850, shape: {type: mesh, file: box.obj, at: [0.1, 0, 0]}}}
)yaml");
  const Body& body = loaded.mechanism->bodies()[1];
  const double mass = 7850.0 * 0.2 * 0.3 * 0.5;
  EXPECT_NEAR(body.mass, mass, 1e-9);
  EXPECT_NEAR((loaded.mechanism->origin(1) + Vector3(1.2, -1.85, 3.25)).norm(), 0.0, 1e-12);
  const Vector3 expected = mass / 12.0 * Vector3(0.34, 0.29, 0.13);
  EXPECT_NEAR((body.inertia - Matrix3(expected.asDiagonal())).norm(), 0.0, 1e-9);
  EXPECT_TRUE(loaded.diagnostics.empty());
}

TEST_F(Mesh, ThatIsInsideOutIsTakenByItsMagnitudeWithAWarning) {
  write("box.obj", box({0.0, 0.0, 0.0}, true));
  const LoadedModel loaded =
      load("picus: 1\nbodies: {part: {mass: 3, shape: {type: mesh, file: box.obj, scale: 2}}}\n");
  EXPECT_NEAR(loaded.mechanism->bodies()[1].inertia(0, 0), 3.0 / 12.0 * 4.0 * 0.34, 1e-12);
  EXPECT_NE(loaded.diagnostics.text(loaded.document.files).find("-0.24 m³, taken as 0.24 m³"),
            std::string::npos);
}

TEST_F(Mesh, ThatIsOpenIsRefusedWithTheNumberOfItsEdges) {
  std::string text = box({0.0, 0.0, 0.0});
  write("box.obj", text.substr(0, text.rfind("f ")));
  try {
    (void)load("picus: 1\nbodies: {part: {density: 1, shape: {type: mesh, file: box.obj}}}\n");
    FAIL() << "an open mesh was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("4 of its edges belong to one triangle only"),
              std::string::npos)
        << error.what();
  }
}

// The inertia of a tetrahedron with corners at the origin and on the axes.
TEST(MeshVolume, OfATetrahedronIsExact) {
  const Triangles corner{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                         {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const MeshVolume v = volume_inside(corner);
  EXPECT_TRUE(v.is_closed());
  EXPECT_NEAR(v.volume, 1.0 / 6.0, 1e-15);
  EXPECT_NEAR((v.center - Vector3::Constant(0.25)).norm(), 0.0, 1e-15);
  EXPECT_NEAR(v.inertia(0, 0), 1.0 / 80.0, 1e-15);   // 1/30 − 2/6/16
  EXPECT_NEAR(v.inertia(0, 1), 1.0 / 480.0, 1e-15);  // −(1/120 − 1/6/16)
}

TEST(FormulaConstraints, HoldABeadOnACircleAsARodDoes) {
  constexpr const char* kText = R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies: {{bead: {{type: point, mass: 0.5, at: [1, 0]}}}}
{}
run: {{end_time: 1.3, tolerance: 1e-9, integrator: {}}}
)yaml";
  for (const char* method : {"auto", "radau_iia", "ggl"}) {
    const ModelRun rod = ModelRun::of_text(
        fmt::format(kText, "joints: {rod: {type: distance, between: [ground, bead]}}", method));
    const ModelRun wire = ModelRun::of_text(
        fmt::format(kText, "constraints: {wire: {formula: (bead.x^2 + bead.y^2 - 1)/2}}", method));
    EXPECT_NEAR(wire("bodies.bead.position.y"), rod("bodies.bead.position.y"), 1e-6) << method;
    // the gradient has length one: λ is the force along the rod, outwards
    const double outwards = rod("joints.rod.force.x") * rod("bodies.bead.position.x") +
                            rod("joints.rod.force.y") * rod("bodies.bead.position.y");
    EXPECT_NEAR(wire("constraints.wire.multiplier"), outwards, 1e-4) << method;
    EXPECT_LT(wire.energy_drift(), 1e-5) << method;
  }
}

TEST(FormulaConstraints, MayMoveWithTime) {
  const ModelRun run = ModelRun::of_text(R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies: {lift: {type: point, mass: 3, at: [0, 0.2]}}
constraints: {cable: {formula: lift.y - 0.1*sin(2*time)}}
run: {end_time: 1, tolerance: 1e-8}
)yaml");
  EXPECT_NEAR(run("bodies.lift.position.y"), 0.1 * std::sin(2.0), 1e-9);
  EXPECT_NEAR(run("constraints.cable.multiplier"), 3.0 * (kG - 0.4 * std::sin(2.0)), 1e-6);
}

}  // namespace
}  // namespace picus::testing
