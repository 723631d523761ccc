// SPDX-License-Identifier: BSD-3-Clause
// Markers, angles, springs and motors in a record, and what `record` keeps.
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

constexpr const char* kPendulum = R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  rod:
    mass: 2
    shape: {type: rod, length: 1}
    at: [0.5, 0]
    markers: {tip: {at: [0.5, 0]}, root: {at: [-0.5, 0]}}
joints: {pin: {type: revolute, between: [ground, rod], at: [0, 0]}}
forces: {drive: {type: motor, joint: pin, torque: 20 + 3*sin(4*time)}}
run: {end_time: 2, tolerance: 1e-8}
)yaml";

std::set<std::string> channels_of(const std::string& model) {
  const LoadedModel loaded = load_model_text("test.yaml", model);
  const auto record = record_of(loaded);
  std::set<std::string> names;
  for (const Quantity& quantity : record->quantities())
    for (const std::string& name : channel_names(quantity))
      names.insert(name);
  return names;
}

std::string pendulum_with(const std::string& run, const std::string& more = {}) {
  std::string model = kPendulum;
  model.replace(model.find("run: {"), 6, more + "run: {" + run + ", ");
  return model;
}

// On a circle: v = ω r, a = α r along the path and ω² r towards the pin.
TEST(Markers, OnACircleHaveTheVelocityAndAccelerationOfTheCircle) {
  for (const char* integrator : {"auto", "ggl", "half_explicit", "moreau_jean"}) {
    double before = std::nan(""), previous = 0.0;
    const auto look = [&](const ModelRun& run) {
      const double q = run("joints.pin.angle"), w = run("joints.pin.angle_rate");
      const double near = std::string(integrator) == "moreau_jean" ? 2e-3 : 1e-6;
      const double size = 1.0 + w * w;
      EXPECT_NEAR(run("markers.rod.tip.position.x"), std::cos(q), near);
      EXPECT_NEAR(run("markers.rod.tip.position.y"), std::sin(q), near);
      EXPECT_NEAR(run("markers.rod.tip.velocity.x"), -w * std::sin(q), near * size);
      EXPECT_NEAR(run("markers.rod.root.velocity.y"), 0.0, near * size);
      // the motor, and gravity about the pin; J = 2/3 kg m²
      const double torque = run("forces.drive.torque") - 2.0 * 9.81 * 0.5 * std::cos(q);
      const double alpha = torque / (2.0 / 3.0);
      const double towards = -(run("markers.rod.tip.acceleration.x") * std::cos(q) +
                               run("markers.rod.tip.acceleration.y") * std::sin(q));
      const double along = -run("markers.rod.tip.acceleration.x") * std::sin(q) +
                           run("markers.rod.tip.acceleration.y") * std::cos(q);
      if (std::string(integrator) != "moreau_jean") {
        EXPECT_NEAR(towards, w * w, 1e-3 * size) << integrator << " " << run.time();
        EXPECT_NEAR(along, alpha, 2e-3 * size) << integrator << " " << run.time();
      }
      if (run.time() > previous && !std::isnan(before)) {
        EXPECT_LT(std::abs(run("bodies.rod.angle") - before), 1.0);  // turns are counted
      }
      EXPECT_NEAR(run("bodies.rod.angle"), q, near);
      EXPECT_NEAR(run("forces.drive.power"), run("forces.drive.torque") * w, 1e-9 * size * 30.0);
      before = run("bodies.rod.angle");
      previous = run.time();
    };
    const bool is_constant = std::string(integrator) == "moreau_jean";
    ModelRun::of_text(kPendulum,
                      {fmt::format("run.integrator={}", integrator),
                       is_constant ? "run.step=1e-3" : "run.step=0"},
                      look);
    EXPECT_GT(before, 2.0 * M_PI) << integrator;  // it goes round
  }
}

// The work of a motor is the energy that appears, without losses.
TEST(Motors, DeliverThePowerThatIsRecorded) {
  double work = 0.0, last_time = 0.0, last_power = 0.0, first = std::nan("");
  const ModelRun run = ModelRun::of_text(kPendulum, {}, [&](const ModelRun& at) {
    if (std::isnan(first)) first = at("energy.total");
    work += 0.5 * (at("forces.drive.power") + last_power) * (at.time() - last_time);
    last_time = at.time();
    last_power = at("forces.drive.power");
  });
  EXPECT_NEAR(work, run("energy.total") - first, 1e-2 * std::abs(run("energy.total") - first));
}

TEST(Springs, HaveLengthAnglesAndDeflections) {
  const std::string model = R"yaml(
picus: 1
bodies:
  block: {mass: 2, inertia: [0.1, 0.2, 0.3], at: [1.3, 0.4, 0.2], velocity: [0.3, 0.1, 0],
          angular_velocity: [0.1, 0.2, 0.5]}
  disc: {mass: 1, inertia: [1, 1, 2], at: [0, 3, 0], spin: 9}
joints: {axle: {type: revolute, between: [ground, disc], at: [0, 3, 0]}}
forces:
  spring: {type: spring_damper, between: [ground, block], stiffness: 50, damping: 0.2, length: 1}
  coil: {type: torsion_spring, between: [ground, disc], at: [0, 3, 0], stiffness: 0.2, angle: 0.5}
  mount: {type: bushing, between: [ground, block], at: [1.3, 0.4, 0.2], stiffness: [30, 20, 10],
          torsional_stiffness: [3, 2, 1]}
run: {end_time: 1, tolerance: 1e-7}
)yaml";
  ModelRun::of_text(model, {}, [](const ModelRun& run) {
    const double length = std::hypot(run("bodies.block.position.x"), run("bodies.block.position.y"),
                                     run("bodies.block.position.z"));
    EXPECT_NEAR(run("forces.spring.length"), length, 1e-12);
    EXPECT_NEAR(run("forces.coil.angle"), run("joints.axle.angle"), 1e-9);
    EXPECT_NEAR(run("forces.coil.torque"), -0.2 * (run("forces.coil.angle") - 0.5), 1e-9);
    EXPECT_NEAR(run("forces.mount.dx"), run("bodies.block.position.x") - 1.3, 1e-9);
    EXPECT_NEAR(run("forces.mount.fx"), -30.0 * run("forces.mount.dx"), 1e-9);
    EXPECT_NEAR(run("forces.mount.tz"), -run("forces.mount.rz"), 1e-9);
  });
}

TEST(Record, KeepsAllByDefault) {
  const std::set<std::string> all = channels_of(kPendulum);
  EXPECT_TRUE(all.contains("markers.rod.tip.acceleration.z"));
  EXPECT_TRUE(all.contains("audit.energy"));
}

TEST(Record, KeepsWhatItNamesAndLeavesOutWhatItNegates) {
  EXPECT_EQ(channels_of(pendulum_with("record: [joints.pin.angle, energy.total]")),
            (std::set<std::string>{"joints.pin.angle", "energy.total"}));
  EXPECT_EQ(channels_of(pendulum_with("record: [energy, not energy.p*]")),
            (std::set<std::string>{"energy.kinetic", "energy.total"}));
  const std::set<std::string> without = channels_of(
      pendulum_with(R"(record: ["not solver.*", "not audit.*", not markers.rod.tip.*])"));
  EXPECT_FALSE(without.contains("solver.step"));
  EXPECT_FALSE(without.contains("markers.rod.tip.position.x"));
  EXPECT_TRUE(without.contains("markers.rod.root.position.x"));
  EXPECT_TRUE(without.contains("energy.total"));
}

TEST(Record, KeepsVectorsWhole) {
  EXPECT_EQ(channels_of(pendulum_with("record: markers.rod.tip.position.x")),
            (std::set<std::string>{"markers.rod.tip.position.x", "markers.rod.tip.position.y",
                                   "markers.rod.tip.position.z"}));
}

TEST(Record, KeepsPlotsAndOutputsInAnyCase) {
  EXPECT_EQ(channels_of(pendulum_with("record: energy.total",
                                      "outputs: {height: rod.y}\n"
                                      "plots: [{x: joints.pin.angle, y: [joints.pin.angle_rate, "
                                      "no.such.channel]}]\n")),
            (std::set<std::string>{"energy.total", "outputs.height", "joints.pin.angle",
                                   "joints.pin.angle_rate"}));
}

// The numbers are those of the whole record.
TEST(Record, ReadsTheSameNumbers) {
  const LoadedModel loaded = load_model_text(
      "test.yaml", pendulum_with("record: [markers.rod.tip.*, joints.*, not joints.*.torque.*]"));
  MechanismRecord all(*loaded.mechanism);
  const auto some = record_of(loaded);
  const Start start = assemble_start(*loaded.mechanism);
  const StepReport report;
  const Sample sample{.state = start.state, .report = report};
  std::map<std::string, double> expected;
  const auto numbers = all.values(sample);
  std::size_t at = 0;
  for (const Quantity& quantity : all.quantities())
    for (const std::string& name : channel_names(quantity))
      expected[name] = numbers[at++];
  const auto kept = some->values(sample);
  at = 0;
  for (const Quantity& quantity : some->quantities())
    for (const std::string& name : channel_names(quantity))
      EXPECT_EQ(kept[at++], expected.at(name)) << name;
  EXPECT_EQ(at, kept.size());
  EXPECT_LT(at, numbers.size());
}

TEST(Record, ReportsWhatPagesMiss) {
  const auto note = [](const std::string& record) {
    const LoadedModel loaded = load_model_text("test.yaml", pendulum_with(record));
    return note_on_record(loaded, *record_of(loaded));
  };
  EXPECT_NE(note("record: energy.*").find("bodies.*.position"), std::string::npos);
  EXPECT_EQ(note("record: [energy.*, bodies.*.position, bodies.*.orientation]"), "");
  EXPECT_EQ(note("output_interval: 0"), "");
}

TEST(Record, OfManyMarkersLeavesThemOutUnlessTheyAreNamed) {
  const std::string model = R"yaml(
picus: 1
bodies:
  comb:
    mass: 1
    inertia: [1, 1, 1]
    markers: {"tooth[i]": {for: {i: 1..MANY}, at: [i, 0, 0]}}
)yaml";
  const auto with = [&](int teeth, const std::string& more = {}) {
    std::string text = model + more;
    text.replace(text.find("MANY"), 4, std::to_string(teeth));
    return channels_of(text);
  };
  EXPECT_TRUE(with(100).contains("markers.comb.tooth100.position.x"));
  EXPECT_FALSE(with(101).contains("markers.comb.tooth100.position.x"));
  EXPECT_TRUE(with(101).contains("bodies.comb.position.x"));
  EXPECT_TRUE(with(101, "plots: [markers.comb.tooth7.position.x]\n")
                  .contains("markers.comb.tooth7.position.x"));
  EXPECT_TRUE(with(101, "run: {record: markers.comb.tooth100.*}\n")
                  .contains("markers.comb.tooth100.position.x"));
}

}  // namespace
}  // namespace picus::testing
