// SPDX-License-Identifier: BSD-3-Clause
// What results tell viewers about bodies, joints and contacts.

#include <cstdio>

#include <gtest/gtest.h>

#include "picus/runs/shapes.h"
#include "tests/runs/models.h"

namespace picus {
namespace {

std::string scene(const std::string& text) {
  const LoadedModel loaded = model_of(text);
  return scene_of(loaded.model, *loaded.mechanism);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Scene, ABodyWithoutAShapeGetsRodsToWhatHoldsIt) {
  const std::string json = scene(
      "dimension: 2\nbodies: {arm: {mass: 1, inertia: 1, at: [1, 0]}}\n"
      "joints: {pin: {type: revolute, between: [ground, arm], at: [0, 0]}}\n");
  EXPECT_TRUE(holds(json, R"("default":true)")) << json;
  EXPECT_TRUE(holds(json, R"("type":"capsule")")) << json;
  EXPECT_TRUE(holds(json, R"("length":1.0)")) << json;
  EXPECT_TRUE(holds(json, R"("at":[-0.5,0.0,0.0])")) << json;
}

TEST(Scene, GearsAreWheelsWhosePitchCirclesTouch) {
  const auto with = [](const std::string& ratio) {
    return scene(
        "dimension: 2\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [4, 0]}}\n"
        "joints: {left: {type: revolute, between: [ground, a]},"
        " right: {type: revolute, between: [ground, b]},"
        " teeth: {type: gear, joints: [left, right], ratio: " +
        ratio + "}}\n");
  };
  const std::string outer = with("-0.25");  // r1 + r2 = 4, r1 = r2/4
  EXPECT_TRUE(holds(outer, R"("type":"cylinder","radius":0.8)")) << outer;
  EXPECT_TRUE(holds(outer, R"("type":"cylinder","radius":3.2)")) << outer;
  const std::string inner = with("0.5");  // r2 - r1 = 4, r1 = r2/2
  EXPECT_TRUE(holds(inner, R"("type":"cylinder","radius":4.0)")) << inner;
  EXPECT_TRUE(holds(inner, R"("type":"cylinder","radius":8.0)")) << inner;
}

TEST(Scene, APinionHasTheRadiusOfItsRack) {
  const std::string json = scene(
      "dimension: 2\nbodies: {wheel: {mass: 1, inertia: 1, at: [0, 0.5]},"
      " rack: {mass: 1, inertia: 1}}\n"
      "joints: {axle: {type: revolute, between: [ground, wheel]},"
      " slide: {type: prismatic, between: [ground, rack], axis: [1, 0]},"
      " teeth: {type: rack_and_pinion, rack: slide, pinion: axle, radius: 0.5}}\n");
  EXPECT_TRUE(holds(json, R"("type":"cylinder","radius":0.5)")) << json;
}

TEST(Scene, NoRodGoesAlongAnAxisToThePointOfASlidingJoint) {
  const std::string json = scene(
      "bodies: {slider: {mass: 1, inertia: [1, 1, 1], at: [3, 0, 0]}}\n"
      "joints: {guide: {type: prismatic, between: [ground, slider], at: [0, 0, 0],"
      " axis: [1, 0, 0]}}\n");
  EXPECT_FALSE(holds(json, "capsule")) << json;
  EXPECT_TRUE(holds(json, R"("sign":true)")) << json;  // a ball of no size of its own
}

TEST(Scene, BushingsAndTorsionSpringsAreThere) {
  const std::string json = scene(
      "dimension: 2\nbodies: {b: {mass: 1, inertia: 1}}\n"
      "forces: {mount: {type: bushing, between: [ground, b], at: [0, 1], stiffness: [1, 1]},"
      " twist: {type: torsion_spring, between: [ground, b], stiffness: 1}}\n");
  EXPECT_TRUE(holds(json, R"({"name":"mount","kind":"bushing","through":[)")) << json;
  EXPECT_TRUE(holds(json, R"({"name":"twist","kind":"torsion spring","through":[)")) << json;
}

TEST(Scene, ABallOnAPlaneIsRoundAndThePlaneIsThere) {
  const std::string json = scene(
      "bodies: {ball: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 1]}}\n"
      "contacts: {floor: {type: ball_on_plane, between: [ground, ball], radius: 0.25}}\n");
  EXPECT_TRUE(holds(json, R"("type":"sphere","radius":0.25)")) << json;
  EXPECT_TRUE(holds(json, R"("planes":[{"at":[0.0,0.0,0.0],"axis":[0.0,0.0,1.0],"name":"floor"}])"))
      << json;
}

TEST(Scene, APlaneThatIsMovedByAFormulaIsThereAndSaysSo) {
  const std::string json = scene(
      "dimension: 2\nbodies: {ball: {mass: 1, inertia: 1, at: [0, 1]}}\n"
      "contacts: {table: {type: ball_on_plane, between: [ground, ball], radius: 0.25,"
      " height: 0.1*sin(9*time)}}\n");
  EXPECT_TRUE(holds(json, R"("axis":[0.0,1.0,0.0],"name":"table","moves":true}])")) << json;
}

TEST(Scene, PlanesOfCollisionsAreThereUnlessTheirBodyHasAShape) {
  const std::string drum =
      "bodies: {drum: {mass: 1, inertia: [1, 1, 1]%}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "collisions: {grains: {balls: [{at: b, radius: 0.1}],"
      " planes: [{body: ground, normal: [0, 0, 1]}, {body: drum, normal: [1, 0, 0]}]}}\n";
  const auto with = [&](const std::string& shape) {
    return scene(std::string(drum).replace(drum.find('%'), 1, shape));
  };
  const std::string bare = with(""), clad = with(", shape: {type: box, size: [1, 1, 1]}");
  const std::string floor = R"({"at":[0.0,0.0,0.0],"axis":[0.0,0.0,1.0],"name":"grains"})";
  EXPECT_TRUE(holds(bare, floor)) << bare;
  EXPECT_TRUE(holds(bare, R"("axis":[1.0,0.0,0.0],"body":"drum","name":"grains"})")) << bare;
  EXPECT_TRUE(holds(clad, floor)) << clad;
  EXPECT_FALSE(holds(clad, R"("body":"drum","name":"grains")")) << clad;
}

TEST(Scene, ACurveGoesThroughItsPoints) {
  const auto with = [](const std::string& curve) {
    return scene(
        "dimension: 2\nbodies: {bead: {mass: 1, inertia: 1, at: [0, 3]}}\n"
        "contacts: {hill: {type: point_on_curve, between: [ground, bead], curve: " +
        curve + ", side: below}}\n");
  };
  const std::string hill = with("2 + x/4");
  ASSERT_TRUE(holds(hill, R"("curves":[{"name":"hill","points":[[-8.0,)")) << hill;
  double x = 0.0, y = 0.0;
  ASSERT_EQ(std::sscanf(hill.c_str() + hill.find("[[-8.0,"), "[[%lf,%lf", &x, &y), 2);
  EXPECT_NEAR(y, 2.0 + x / 4.0, 1e-12);
  EXPECT_FALSE(holds(with("2 + x*time"), "curves"));  // it moves
}

TEST(Scene, JointsAndSpringsAreInTheFramesOfTheUser) {
  // the frame of the body is not at its centre of mass
  const std::string json = scene(
      "bodies: {b: {mass: 1, inertia: [1, 1, 1], center: [3, 0, 0], at: [1, 0, 0]}}\n"
      "joints: {pin: {type: spherical, between: [ground, b], at: [1, 2, 0]}}\n"
      "forces: {coil: {type: spring_damper, between: [ground, b], points: [[0, 0, 0], [1, 0, 5]],"
      " stiffness: 1}}\n");
  EXPECT_TRUE(holds(json, R"({"name":"pin","type":"spherical","ends":[{"at":[1.0,2.0,0.0])"))
      << json;
  EXPECT_TRUE(holds(json, R"({"at":[0.0,2.0,0.0],"axis":[0.0,0.0,1.0],"body":"b"})")) << json;
  EXPECT_TRUE(holds(json, R"("kind":"spring")")) << json;
  EXPECT_TRUE(holds(json, R"({"at":[0.0,0.0,5.0])")) << json;
}

TEST(Record, ContactsTellWhereTheyTouchAndWhatTheyDo) {
  // a disc rests on a slope of 45 degrees that it cannot slide down
  const LoadedModel loaded = model_of(
      "dimension: 2\ngravity: [0, -10]\n"
      "bodies: {disc: {mass: 2, inertia: 1, at: [0, 1.4142135623730951]}}\n"
      "contacts: {slope: {type: ball_on_plane, between: [ground, disc], radius: 1,"
      " normal: [1, 1, 0]}}\n"
      "run: {end_time: 0.01, step: 1e-3, integrator: moreau_jean}\n");
  MechanismRecord record(*loaded.mechanism);
  const Start start = assemble_start(*loaded.mechanism);
  std::vector<double> last;
  const auto outcome =
      run_mechanism(*loaded.mechanism, start, plan_of(loaded), [&](const Sample& sample) {
        const auto values = record.values(sample);
        last.assign(values.begin(), values.end());
      });
  EXPECT_TRUE(outcome.summary.ok());
  std::size_t place = 0;
  for (const Quantity& quantity : record.quantities()) {
    const auto near = [&](std::size_t component, double expected, double tolerance) {
      EXPECT_NEAR(last[place + component], expected, tolerance)
          << quantity.name << " " << component;
    };
    if (quantity.group == "contacts" && quantity.name == "normal") {
      near(0, std::sqrt(0.5), 1e-12);
      near(1, std::sqrt(0.5), 1e-12);
    }
    if (quantity.group == "contacts" && quantity.name == "reaction") {
      near(0, 10.0, 1e-6);  // m g cos 45° along the normal
      near(1, 10.0, 1e-6);
    }
    if (quantity.group == "contacts" && quantity.name == "point")
      near(1, std::sqrt(2.0) - std::sqrt(0.5), 1e-3);  // one radius below the centre
    place += static_cast<std::size_t>(quantity.width());
  }
}

TEST(Record, CollisionsTellTheirStrongestContacts) {
  // a disc on another one on the floor: the lower contact carries both
  const LoadedModel loaded = model_of(
      "dimension: 2\ngravity: [0, -10]\n"
      "bodies: {low: {mass: 2, inertia: 1, at: [0, 1]}, high: {mass: 1, inertia: 1, at: [0, 3]}}\n"
      "collisions: {pile: {balls: [{at: low, radius: 1}, {at: high, radius: 1}],"
      " planes: [{body: ground, normal: [0, 1]}], friction: 0.5}}\n"
      "run: {end_time: 0.01, step: 1e-3, integrator: moreau_jean}\n");
  MechanismRecord record(*loaded.mechanism);
  const Start start = assemble_start(*loaded.mechanism);
  std::vector<double> last;
  const auto outcome =
      run_mechanism(*loaded.mechanism, start, plan_of(loaded), [&](const Sample& sample) {
        const auto values = record.values(sample);
        last.assign(values.begin(), values.end());
      });
  EXPECT_TRUE(outcome.summary.ok());
  std::size_t place = 0;
  for (const Quantity& quantity : record.quantities()) {
    if (quantity.group == "touches" && quantity.name == "mode") {
      for (const double mode : {1.0, 1.0, 0.0})  // both stick, there is no third one
        EXPECT_EQ(last[place++], mode);
      continue;
    }
    if (quantity.group == "touches") {
      EXPECT_EQ(quantity.items, (std::vector<std::string>{"pile.1", "pile.2", "pile.3"}));
      const bool is_force = quantity.name == "force";
      EXPECT_NEAR(last[place + 1], is_force ? 30.0 : 0.0, 1e-3) << quantity.name;
      EXPECT_NEAR(std::abs(last[place + 4]), is_force ? 10.0 : 2.0, 1e-3) << quantity.name;
      EXPECT_EQ(last[place + 7], 0.0);  // there is no third one
    }
    place += static_cast<std::size_t>(quantity.width());
  }
}

}  // namespace
}  // namespace picus
