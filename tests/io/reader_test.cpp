// SPDX-License-Identifier: BSD-3-Clause
#include <numbers>

#include <gtest/gtest.h>

#include "tests/io/toy_files.h"

namespace picus {
namespace {

using toy::Ball;
using toy::Beam;
using toy::Push;
using toy::Spring;

template <class T>
const T& body(const toy::Model& model, std::size_t i) {
  return std::get<T>(model.bodies.at(i).value);
}

TEST(Reader, FillsEveryKindOfField) {
  const toy::Model model = toy::read(R"(
picus: 1
title: two bodies
gravity: [0, -9.81]
run: {end_time: 2, steps: 40, method: {rho: 0.5}}
bodies:
  stone:
    type: ball
    mass: 3
    position: [1, 2, 3]
    velocity: [0.5, 0]
    colour: blue
    markers:
      top: {at: [0, 0, 0.1], markers: {tip: {at: [0, 0.1, 0]}}}
  rod: {type: beam, length: 2, elements: 3, clamped: true}
forces:
  pull: {type: push, body: stone.top, force: 3*sin(time), weights: [1, 2]}
stations:
  - at: 0.5
  - {at: 1, body: rod}
watched: [stone, rod]
)");
  EXPECT_EQ(model.title, "two bodies");
  EXPECT_EQ(model.gravity, Vector3(0, -9.81, 0));
  EXPECT_EQ(model.run.end_time, 2.0);
  EXPECT_EQ(model.run.steps, 40u);
  EXPECT_EQ(model.run.method.rho, 0.5);
  ASSERT_EQ(model.bodies.size(), 2u);
  EXPECT_EQ(model.bodies[0].name, "stone");
  EXPECT_EQ(model.bodies[0].place.line, 7);
  EXPECT_EQ(model.bodies[0].place.column, 3);
  EXPECT_EQ(body<Ball>(model, 0).mass, 3.0);
  EXPECT_EQ(body<Ball>(model, 0).radius, 0.1) << "the default";
  EXPECT_EQ(body<Ball>(model, 0).velocity, Vector3(0.5, 0, 0));
  EXPECT_EQ(body<Ball>(model, 0).colour, Colour::kBlue);
  EXPECT_EQ(body<Ball>(model, 0).markers.at(0).value.markers.at(0).value.at, Vector3(0, 0.1, 0));
  EXPECT_EQ(body<Beam>(model, 1).elements, 3);
  EXPECT_TRUE(body<Beam>(model, 1).clamped);
  EXPECT_EQ(body<Beam>(model, 1).place.line, 15);
  const Push& push = std::get<Push>(model.forces.at(0).value);
  EXPECT_EQ(push.body.text, "stone.top");
  EXPECT_EQ(push.force.text, "3*sin(time)");
  EXPECT_EQ(push.weights, (std::vector<double>{1, 2}));
  ASSERT_EQ(model.stations.size(), 2u);
  EXPECT_FALSE(model.stations[0].body);
  EXPECT_EQ(model.stations[1].body->text, "rod");
  EXPECT_EQ(model.watched.at(1).text, "rod");
}

TEST(Reader, LeavesDefaultsWhereNothingIsGiven) {
  const toy::Model model = toy::read("picus: 1\n");
  EXPECT_TRUE(model.bodies.empty());
  EXPECT_EQ(model.gravity, Vector3(0, 0, -9.81));
}

TEST(Parameters, MayUseEachOtherInAnyOrder) {
  const toy::Model model = toy::read(R"(
picus: 1
parameters: {total: "2*m0 + extra", m0: 3, extra: m0^2, slope: 30*deg}
bodies:
  a: {type: ball, mass: total, position: [m0, "-m0", sqrt(extra)]}
  b: {type: beam, length: 2*m0, angle: slope, elements: m0 + 1}
)");
  EXPECT_EQ(body<Ball>(model, 0).mass, 15.0);
  EXPECT_EQ(body<Ball>(model, 0).position, Vector3(3, -3, 3));
  EXPECT_EQ(body<Beam>(model, 1).elements, 4);
  EXPECT_DOUBLE_EQ(body<Beam>(model, 1).angle, std::numbers::pi / 6);
}

TEST(Units, ConvertNumbersByTheDimensionOfTheirField) {
  const toy::Model model = toy::read(R"(
picus: 1
units: {length: mm, mass: g, time: ms, angle: deg, force: kN}
parameters: {L: 200}
run: {end_time: 500}
gravity: [0, 0, -2]
bodies:
  a: {type: ball, mass: 50, radius: L/2, velocity: [3, 0, 0]}
  b: {type: beam, length: L, angle: 90}
forces:
  s: {type: spring, from: a, to: b, stiffness: 2, damping: 3}
  p: {type: push, body: a, force: 5 + L, weights: [4]}
)");
  EXPECT_DOUBLE_EQ(model.run.end_time, 0.5);
  EXPECT_DOUBLE_EQ(model.gravity.z(), -2000.0);  // mm/ms²
  EXPECT_DOUBLE_EQ(body<Ball>(model, 0).mass, 0.05);
  EXPECT_DOUBLE_EQ(body<Ball>(model, 0).radius, 0.1);
  EXPECT_DOUBLE_EQ(body<Ball>(model, 0).velocity->x(), 3.0);
  EXPECT_DOUBLE_EQ(body<Beam>(model, 1).length, 0.2);
  EXPECT_DOUBLE_EQ(body<Beam>(model, 1).angle, std::numbers::pi / 2);
  const Spring& spring = std::get<Spring>(model.forces.at(0).value);
  EXPECT_DOUBLE_EQ(spring.stiffness, 2e6);
  EXPECT_DOUBLE_EQ(spring.damping, 3e3);
  const Push& push = std::get<Push>(model.forces.at(1).value);
  EXPECT_DOUBLE_EQ(push.weights.at(0), 4000.0);
  EXPECT_EQ(push.force.text, "5 + L")
      << "formulas of the run are converted when they are assembled";
}

TEST(Units, HaveNamesForTheManual) {
  EXPECT_EQ(si_name(unit::kNone), "");
  EXPECT_EQ(si_name(unit::kInertia), "kg·m²");
  EXPECT_EQ(si_name(unit::kDensity), "kg/m³");
  EXPECT_EQ(si_name(unit::kTorsionalDamping), "N·m·s/rad");
  EXPECT_EQ(si_name(Dimension{.time = -1}), "1/s");
  EXPECT_EQ(si_name(Dimension{.length = -1, .mass = 1, .time = -2}), "kg/(m·s²)");
}

TEST(Anchors, AndMergeKeysWork) {
  const toy::Model model = toy::read(R"(
picus: 1
bodies:
  a: &wheel {type: ball, mass: 2, radius: 0.3}
  b: {<<: *wheel, mass: 5}
  c:
    <<: [{colour: red}, *wheel]
    position: &origin [1, 2, 3]
  d: {type: ball, mass: 1, position: *origin}
)");
  EXPECT_EQ(body<Ball>(model, 1).mass, 5.0);
  EXPECT_EQ(body<Ball>(model, 1).radius, 0.3);
  EXPECT_EQ(body<Ball>(model, 2).colour, Colour::kRed);
  EXPECT_EQ(body<Ball>(model, 2).mass, 2.0);
  EXPECT_EQ(body<Ball>(model, 3).position, Vector3(1, 2, 3));
}

TEST(Patterns, RepeatPartsOfACollection) {
  const toy::Model model = toy::read(R"(
picus: 1
parameters: {N: 3, m: 2}
bodies:
  link[i]:
    for: {i: 1..N}
    type: ball
    mass: m*i
    position: [i - 1, 0, 0]
forces:
  spring[i]: {for: {i: 2..N}, type: spring, from: "link[i-1]", to: "link[i]", stiffness: 10}
  tip:
    type: push
    body: link[N]
    force: sin(i0*time) + 2e3*distance(link[N], link[N-1].tip)
  drive[i]:
    for: {i: -1..1..2}
    when: i > 0
    type: push
    body: link[i]
    force: i*time + link[i].x - crank.i
)");
  ASSERT_EQ(model.bodies.size(), 3u);
  EXPECT_EQ(model.bodies[2].name, "link3");
  EXPECT_EQ(model.bodies[2].place.line, 5);
  EXPECT_EQ(body<Ball>(model, 2).mass, 6.0);
  EXPECT_EQ(body<Ball>(model, 2).position.x(), 2.0);
  ASSERT_EQ(model.forces.size(), 4u);
  EXPECT_EQ(model.forces[0].name, "spring2");
  EXPECT_EQ(std::get<Spring>(model.forces[1].value).from.text, "link2");
  EXPECT_EQ(std::get<Push>(model.forces[2].value).body.text, "link3");
  EXPECT_EQ(std::get<Push>(model.forces[2].value).force.text,
            "sin(i0*time) + 2e3*distance(link3, link2.tip)");
  EXPECT_EQ(model.forces[3].name, "drive1");
  EXPECT_EQ(std::get<Push>(model.forces[3].value).force.text, "1*time + link1.x - crank.i");
}

TEST(Patterns, NestOverSeveralVariables) {
  const toy::Model model = toy::read(R"(
picus: 1
bodies:
  ball[i][j]:
    for: {i: [1, 4], j: i..5..2}
    when: i != 1 or j != 3
    type: ball
    mass: i + j/10
    markers:
      m[k]: {for: {k: 0..1}, at: [i, j, k]}
stations:
  - {for: {i: 3..1..-1}, at: i^2, body: "ball[i][i+1]"}
)");
  ASSERT_EQ(model.bodies.size(), 3u);
  EXPECT_EQ(model.bodies[0].name, "ball1_1");
  EXPECT_EQ(model.bodies[1].name, "ball1_5");
  EXPECT_EQ(model.bodies[2].name, "ball4_4");
  EXPECT_EQ(body<Ball>(model, 1).mass, 1.5);
  EXPECT_EQ(body<Ball>(model, 2).markers.at(1).name, "m1");
  EXPECT_EQ(body<Ball>(model, 2).markers.at(1).value.at, Vector3(4, 4, 1));
  ASSERT_EQ(model.stations.size(), 3u);
  EXPECT_EQ(model.stations[0].at, 9.0);
  EXPECT_EQ(model.stations[2].body->text, "ball1_2");
}

TEST(Patterns, WithAnEmptyRangeGiveNothing) {
  const toy::Model model = toy::read(R"(
picus: 1
bodies:
  b[i]: {for: {i: 2..1}, type: ball, mass: 1}
)");
  EXPECT_TRUE(model.bodies.empty());
}

TEST(Patterns, PutNegativeIndicesOfFormulasIntoParentheses) {
  const toy::Model model = toy::read(R"(
picus: 1
forces:
  p[i+2]: {for: {i: "-1..-1"}, type: push, body: a, force: 3-i^2}
)");
  EXPECT_EQ(std::get<Push>(model.forces.at(0).value).force.text, "3-(-1)^2");
}

constexpr const char* kForOverrides = R"(
picus: 1
units: {length: mm}
parameters: {L: 100}
bodies:
  a[i]: {for: {i: 1..2}, type: ball, mass: 1, radius: L}
  rod: {type: beam, length: L}
)";

TEST(Overrides, ReplaceParametersAndFields) {
  const toy::Model model = toy::read(
      kForOverrides, {"L=200", "bodies.a2.mass=3*L", "bodies.a1.position=[1, 2]", "run.end_time=5",
                      "bodies.rod.type=ball", "bodies.rod={type: ball, mass: 7}"});
  EXPECT_EQ(body<Ball>(model, 0).radius, 0.2);
  EXPECT_EQ(body<Ball>(model, 0).mass, 1.0);
  EXPECT_EQ(body<Ball>(model, 1).mass, 600.0);
  EXPECT_EQ(body<Ball>(model, 0).position, Vector3(1e-3, 2e-3, 0)) << "in the model's units";
  EXPECT_EQ(model.run.end_time, 5.0);
  EXPECT_EQ(body<Ball>(model, 2).mass, 7.0);
}

TEST(Overrides, NameTheNearestWhenTheirPathIsUnknown) {
  EXPECT_EQ(toy::messages(kForOverrides,
                          {"K=1", "bodies.a3.mass=1", "bodies.a1.mas=1", "bodys.a1.mass=1",
                           "nonsense", "bodies.a1.mass.x=1", "bodies.a1.mass=heavy", "L=[1, 2]"}),
            "--set 'K=1': unknown parameter 'K'; expected one of: L\n"
            "--set 'bodies.a3.mass=1': 'bodies': unknown name 'a3'; did you mean 'a1'?\n"
            "--set 'bodies.a1.mas=1': unknown key 'mas'; did you mean 'mass'?\n"
            "--set 'bodys.a1.mass=1': unknown key 'bodys'; did you mean 'bodies'?\n"
            "--set 'nonsense': found 'nonsense', expected 'parameter=value' or "
            "'path.to.key=value'\n"
            "--set 'bodies.a1.mass.x=1': 'mass' has no key 'x'; override the whole of it\n"
            "--set 'bodies.a1.mass=heavy': 'mass': unknown name 'heavy', expected a number or a "
            "formula of parameters\n"
            "--set 'L=[1, 2]': parameter 'L': found a list of 2, expected a number or a formula of "
            "other parameters");
}

TEST(Reading, IsDeterministic) {
  EXPECT_EQ(toy::messages(kForOverrides, {"a=1", "b.c=2"}),
            toy::messages(kForOverrides, {"a=1", "b.c=2"}));
}

TEST(Diagnostics, AreLimitedAndThrownTogether) {
  std::string text = "picus: 1\n";
  for (int i = 0; i < 60; ++i) {
    text += "zzz" + std::to_string(i) + ": 1\n";
  }
  Diagnostics diagnostics;
  const Document document = load_document_text("many.yaml", text, {}, diagnostics);
  read_model<toy::Model>(document, diagnostics);
  const ModelError error(diagnostics, document.files);
  EXPECT_EQ(error.diagnostics().size(), 60u);
  const std::string what = error.what();
  EXPECT_EQ(std::count(what.begin(), what.end(), '\n'), 50);
  EXPECT_NE(what.find("\n… and 10 more"), std::string::npos);
}

}  // namespace
}  // namespace picus
