// SPDX-License-Identifier: BSD-3-Clause
// Submodels in files: the same motion as the model written by hand, names, overrides and messages.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

namespace fs = std::filesystem;

// An arm with a spring by formula, a table, a motor, a controller and a stop.
constexpr const char* kArm = R"yaml(
picus: 1
dimension: 2
parameters: {mass: 2, reach: 0.5, push: 3*mass}
gravity: [0, -9.81]
tables: {soft: {x: [0, 1, 2], y: [0, 3, 20]}}
markers: {wall: {at: [0, 0.4]}}
bodies:
  arm:
    mass: mass
    shape: {type: rod, length: 2*reach}
    at: [reach, 0]
    markers: {tip: {at: [reach, 0]}}
joints:
  pin: {type: revolute, between: [ground, arm], at: [0, 0], limits: {lower: -1.2, restitution: 0.4}}
controls:
  error: {type: variable, value: 0.3 - pin.angle}
forces:
  spring: {type: spring_damper, between: [wall, arm.tip], force: -soft(length) - 0.2*rate}
  drive: {type: motor, joint: pin, torque: push*error - 0.3*rate}
  wind: {type: force, body: arm.tip, force: [0.2*arm.y, arm.tip.vx]}
run: {end_time: 1.2, tolerance: 1e-9}
)yaml";

class Submodels : public ::testing::Test {
 protected:
  Submodels()
      : folder_(fs::temp_directory_path() / ("picus_submodels_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "mine" / "parts");
    write("mine/parts/arm.yaml", kArm);
    write("outside.yaml", kArm);
  }
  ~Submodels() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  LoadedModel load(const std::string& text, const std::vector<std::string>& overrides = {},
                   bool allow_outside = false) const {
    write("mine/model.yaml", "picus: 1\ndimension: 2\ngravity: [0, -9.81]\n" + text);
    return load_model((folder_ / "mine" / "model.yaml").string(), overrides,
                      {.allow_outside = allow_outside});
  }
  std::string fault(const std::string& text, const std::vector<std::string>& overrides = {},
                    bool allow_outside = false) const {
    try {
      load(text, overrides, allow_outside);
      return {};
    } catch (const InputError& error) {
      std::string message = error.what();
      const std::string path = (folder_ / "mine").string() + "/";
      for (std::size_t at = message.find(path); at != std::string::npos; at = message.find(path))
        message.erase(at, path.size());
      return message;
    }
  }
  ModelRun run(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    write("mine/model.yaml", "picus: 1\ndimension: 2\ngravity: [0, -9.81]\n" + text);
    return ModelRun::of_file((folder_ / "mine" / "model.yaml").string(), overrides);
  }

  fs::path folder_;
};

TEST_F(Submodels, MoveLikeTheModelWrittenByHand) {
  const ModelRun alone = ModelRun::of_text(kArm, {"mass=3"});
  const ModelRun both =
      run("submodels:\n"
          "  left: {file: parts/arm.yaml, at: [2, 1], parameters: {mass: 3}}\n"
          "  right: {file: parts/arm.yaml, at: [-1, 0.5], mirror: x, parameters: {mass: 3}}\n"
          "run: {end_time: 1.2, tolerance: 1e-9}\n");
  EXPECT_NEAR(both("joints.left.pin.angle"), alone("joints.pin.angle"), 1e-7);
  EXPECT_NEAR(both("joints.right.pin.angle"), alone("joints.pin.angle"), 1e-7);
  EXPECT_NEAR(both("bodies.left.arm.position.x"), 2.0 + alone("bodies.arm.position.x"), 1e-7);
  EXPECT_NEAR(both("bodies.right.arm.position.x"), -1.0 - alone("bodies.arm.position.x"), 1e-7);
  EXPECT_NEAR(both("bodies.right.arm.position.y"), 0.5 + alone("bodies.arm.position.y"), 1e-7);
  EXPECT_NEAR(both("forces.right.drive.torque"), alone("forces.drive.torque"), 1e-5);
}

TEST_F(Submodels, ConnectByName) {
  const std::string hand = R"yaml(
bodies:
  a: {mass: 2, shape: {type: rod, length: 1}, at: [0.5, 0], markers: {tip: {at: [0.5, 0]}}}
  b: {mass: 2, shape: {type: rod, length: 1}, at: [1.5, 0]}
joints:
  pa: {type: revolute, between: [ground, a], at: [0, 0]}
  elbow: {type: revolute, between: [a.tip, b], at: [1, 0]}
run: {end_time: 0.7, tolerance: 1e-9}
)yaml";
  write("mine/parts/rod.yaml",
        "picus: 1\nbodies: {rod: {mass: 2, shape: {type: rod, length: 1}, at: [0.5, 0], markers: "
        "{tip: {at: [0.5, 0]}}}}\n");
  const std::string parts = R"yaml(
submodels:
  part[i]: {for: {i: 1..2}, file: parts/rod.yaml, at: [i - 1, 0]}
joints:
  pa: {type: revolute, between: [part1.ground, part1.rod], at: [0, 0]}
  elbow: {type: revolute, between: [part1.rod.tip, part2.rod], at: [1, 0]}
run: {end_time: 0.7, tolerance: 1e-9, until: part2.rod.y + 10*pa.angle > 1e3}
)yaml";
  const ModelRun a = run(hand), b = run(parts);
  EXPECT_NEAR(a("bodies.b.position.x"), b("bodies.part2.rod.position.x"), 1e-12);
  EXPECT_NEAR(a("bodies.b.position.y"), b("bodies.part2.rod.position.y"), 1e-12);
}

TEST_F(Submodels, NestAndTakeOverrides) {
  write("mine/parts/pair.yaml",
        "picus: 1\nparameters: {m: 4}\nsubmodels:\n  low: {file: arm.yaml, parameters: {mass: m}}\n"
        "  high: {file: arm.yaml, at: [0, 2], mirror: y}\n");
  const std::string text = "submodels: {front: {file: parts/pair.yaml, at: [1, 0], angle: 0.5}}\n";
  const auto mass = [](const LoadedModel& loaded, const std::string& name) {
    return loaded.mechanism->bodies()[loaded.mechanism->find_body(name)].mass;
  };
  const LoadedModel plain = load(text);
  EXPECT_EQ(mass(plain, "front.low.arm"), 4.0);
  EXPECT_EQ(mass(plain, "front.high.arm"), 2.0);
  EXPECT_EQ(mass(load(text, {"front.m=5"}), "front.low.arm"), 5.0);
  EXPECT_EQ(mass(load(text, {"front.high.mass=6"}), "front.high.arm"), 6.0);
  EXPECT_EQ(mass(load(text, {"front.low.mass=6"}), "front.low.arm"), 6.0);
  EXPECT_EQ(mass(load(text, {"bodies.front.low.arm.mass=7"}), "front.low.arm"), 7.0);
  EXPECT_EQ(mass(load(text, {"submodels.front.parameters={m: 8}"}), "front.low.arm"), 8.0);
  EXPECT_EQ(plain.document.place_of("bodies.front.high.arm.mass").line, 10);
}

TEST_F(Submodels, ReportWhereTheyAreStated) {
  EXPECT_EQ(fault("submodels: {a: {file: parts/none.yaml}}\n"),
            "model.yaml:4:13: 'file': 'parts/none.yaml' does not exist");
  EXPECT_NE(fault("submodels: {a: {file: ../outside.yaml}}\n").find("leads out of the folder"),
            std::string::npos);
  EXPECT_EQ(fault("submodels: {a: {file: ../outside.yaml}}\n", {}, true), "");
  EXPECT_EQ(
      fault("submodels: {a: {file: model.yaml}}\n").find("model.yaml:4:13: a submodel contains"),
      0u);
  write("mine/parts/bad.yaml", "picus: 1\nbodies: {b: {mas: 2}}\n");
  write("mine/parts/outer.yaml", "picus: 1\nsubmodels:\n  in: {file: bad.yaml}\n");
  EXPECT_EQ(fault("submodels:\n  out: {file: parts/outer.yaml}\n"),
            "parts/bad.yaml:2:14: unknown key 'mas'; did you mean 'mass'? (submodel 'out.in': "
            "model.yaml:5:3 → parts/outer.yaml:3:3)");
  write("mine/parts/bad.yaml",
        "picus: 1\ndimension: 2\nbodies: {b: {mass: 2, inertia: 1}}\njoints: {j: "
        "{type: revolute, between: [ground, c]}}\n");
  EXPECT_EQ(fault("submodels:\n  out: {file: parts/outer.yaml}\n"),
            "parts/bad.yaml:4:48: unknown body or marker 'out.in.c'; did you mean 'out.in.b'? "
            "(submodel 'out.in': model.yaml:5:3 → parts/outer.yaml:3:3)");
  EXPECT_EQ(fault("submodels: {a: {file: parts/arm.yaml, parameters: {mas: 3}}}\n"),
            "model.yaml:4:52: unknown parameter 'mas'; did you mean 'mass'?");
  EXPECT_EQ(fault("submodels: {a: {file: parts/arm.yaml}}\n", {"a.mas=3"}),
            "--set 'a.mas=3': unknown parameter 'mas'; did you mean 'mass'?");
  EXPECT_EQ(fault("submodels: {run: {file: parts/arm.yaml}}\n"),
            "model.yaml:4:13: submodel 'run': this is a key of models, choose another name");
  EXPECT_NE(fault("submodels: {a: {file: parts/arm.yaml, mirror: z}}\n")
                .find("is planar: a planar submodel is mirrored about x or y (submodel 'a': "),
            std::string::npos);
  EXPECT_NE(fault("submodels: {a: {file: parts/arm.yaml}}\nbodies: {a: {mass: 1, inertia: 1}}\n")
                .find("'a' is already the name of another part"),
            std::string::npos);
}

TEST_F(Submodels, HaveTheUnitsOfTheirFile) {
  write("mine/parts/rod.yaml",
        "picus: 1\nunits: {length: mm}\nbodies: {rod: {mass: 2, inertia: 1, at: [500, 0]}}\n");
  const LoadedModel loaded = load("submodels: {a: {file: parts/rod.yaml, at: [1, 0]}}\n");
  EXPECT_NEAR(loaded.mechanism->initial_state().position(0), 1.5, 1e-15);
}

// By events and across them.
TEST(Quadruped, StandsOnItsLegsAndIsSymmetric) {
  const ModelRun run = ModelRun::of("quadruped", {"run.end_time=0.7"});
  const ModelRun other = ModelRun::of(
      "quadruped", {"run.end_time=0.7", "run.integrator=moreau_jean", "run.step=1e-3"});
  for (const char* x : {"x", "z"}) {
    const std::string channel = fmt::format("bodies.trunk.position.{}", x);
    EXPECT_NEAR(run(channel), other(channel), 5e-4) << x;
  }
  EXPECT_NEAR(run("bodies.trunk.position.z"), 0.38, 0.02);
  EXPECT_NEAR(run("bodies.trunk.position.y"), 0.0, 1e-6);
  EXPECT_NEAR(run("joints.left1.knee.angle"), run("joints.right1.knee.angle"), 1e-5);
  EXPECT_NEAR(run("bodies.left2.shank.position.y"), -run("bodies.right2.shank.position.y"), 1e-5);
}

}  // namespace
}  // namespace picus::testing
