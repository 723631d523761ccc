// SPDX-License-Identifier: BSD-3-Clause
// A submodel moves as the model it is made of does, seen in the axes of its placement: for every
// joint, force, control and contact, in space and in the plane, rotated and mirrored.
#include <cmath>

#include <gtest/gtest.h>

#include "picus/dynamics/consistent_state.h"
#include "picus/simulation/simulate.h"
#include "picus/steppers/catalog.h"
#include "tests/mechanism/two_bodies.h"

namespace picus::testing {
namespace {

constexpr double kEnd = 0.02, kStep = 5e-4;  // [s]

void refuse(SourcePlace, const std::string& message) {
  FAIL() << message;
}

std::vector<SubmodelPart> placements(int dimension) {
  std::vector<SubmodelPart> result;
  const auto add = [&](std::optional<Mirror> mirror, double angle, bool tilted) {
    SubmodelPart part;
    part.at = {0.7, -1.1, dimension == 2 ? 0.0 : 0.4};
    part.angle = angle;
    if (tilted && dimension == 3)
      part.rotations = {{{0.3, 1.0, -0.2}, 0.8}, {{1.0, 0.1, 0.4}, -1.3}};
    part.mirror = mirror;
    result.push_back(part);
  };
  add({}, 0.6, true);
  add(Mirror::kX, 0.0, false);
  add(Mirror::kY, -0.9, true);
  if (dimension == 3) add(Mirror::kZ, 0.5, false);
  return result;
}

/// The model of a case as the submodel "left" of another.
Model placed(const Model& model, const SubmodelPart& how) {
  Model whole;
  whole.dimension = model.dimension;
  whole.gravity = how.placement("left").direction(model.gravity);
  add_submodel(whole, model, "left", how, refuse);
  return whole;
}

// Equations that the start does not fulfil are not worth a run: contacts may begin closed.
bool run(const Mechanism& mechanism, State& state) {
  state = mechanism.initial_state();
  if (!make_consistent(mechanism.system(), state).ok()) return false;
  const SystemSizes& sizes = mechanism.system().sizes();
  const bool is_smooth = sizes.contacts == 0 && sizes.friction_elements == 0;
  const auto stepper = make_stepper(is_smooth ? "ggl" : "moreau_jean");
  FixedStep control(kStep);
  return simulate(mechanism.system(), state, *stepper, control, {.end_time = kEnd}).ok();
}

void expect_image(const Mechanism& image, const State& there, const Mechanism& original,
                  const State& here, const Placement& placement, int dimension) {
  for (int b = 1; b < original.bodies().size(); ++b) {
    const int other = image.find_body("left." + original.bodies()[b].name);
    ASSERT_GT(other, 0) << original.bodies()[b].name;
    const Pose<double> pose = original.bodies().pose(b, here.position),
                       mirrored = image.bodies().pose(other, there.position);
    EXPECT_LT((mirrored.r - placement.point(pose.r)).norm(), 1e-9);
    const Body& body = original.bodies()[b];
    // nodes have the frames of markers, those of bars none at all
    const Vector3 flip = body.is_node ? placement.marker_flip(dimension) : placement.flip;
    const Matrix3 axes = placement.axes * pose.A * flip.asDiagonal();
    EXPECT_LT(is_point(body.kind) ? 0.0 : (mirrored.A - axes).norm(), 1e-9);
    const SmallVector<double, 6> twist = original.bodies().twist(b, here.velocity),
                                 seen = image.bodies().twist(other, there.velocity);
    EXPECT_LT((seen.head<3>() - placement.direction(twist.head<3>())).norm(), 1e-7);
    EXPECT_LT(
        (seen.tail<3>() - placement.handedness() * flip.cwiseProduct(Vector3(twist.tail<3>())))
            .norm(),
        1e-7);
  }
  // what formulas read, and what is recorded
  ASSERT_EQ(image.joints().size(), original.joints().size());
  for (std::size_t k = 0; k < original.joints().size(); ++k)
    for (std::size_t c = 0; c < original.joints()[k].coordinates.size(); ++c)
      EXPECT_NEAR(
          measure(image.bodies(), image.joints()[k].coordinates[c].term, there.position),
          measure(original.bodies(), original.joints()[k].coordinates[c].term, here.position), 1e-9)
          << original.joints()[k].name << "." << original.joints()[k].coordinates[c].name;
  EXPECT_NEAR(image.kinetic_energy(there), original.kinetic_energy(here), 1e-7);
  ASSERT_EQ(there.control.size(), here.control.size());
  for (Eigen::Index k = 0; k < here.control.size(); ++k)
    EXPECT_NEAR(there.control(k), here.control(k), 1e-7);
}

// Gaps and slips of rigid and compliant contacts at the start.
void expect_same_contacts(const Mechanism& image, const Mechanism& original) {
  ASSERT_EQ(image.contacts().size(), original.contacts().size());
  const auto value = [](const Mechanism& m, const auto& equation) {
    std::array<Jet, kMaxMeasures> s, rates;
    const State state = sized(m);
    for (std::size_t k = 0; k < equation.terms.size(); ++k) {
      s[k] = Jet(has_value(equation.terms[k].direction)
                     ? measure(m.bodies(), equation.terms[k], state.position)
                     : 0.0);
      rates[k] = Jet(rate_of(m.bodies(), equation.terms[k], state));
    }
    const std::size_t count = equation.terms.size();
    return equation
        .function(std::span<const Jet>(s).first(count), std::span<const Jet>(rates).first(count),
                  Jet(0.0))
        .value.value.value;
  };
  for (std::size_t k = 0; k < original.contacts().size(); ++k) {
    const AssembledContact &a = original.contacts()[k], &b = image.contacts()[k];
    EXPECT_NEAR(value(image, b.gap), value(original, a.gap), 1e-12) << a.name;
    // the tangents of balls in space have no preference
    const bool is_round = a.type == BallOnBall::kType && a.slip_rates.size() == 2;
    for (std::size_t d = 0; d < a.slip_rates.size() && !is_round; ++d)
      EXPECT_NEAR(value(image, b.slip_rates[d]), value(original, a.slip_rates[d]), 1e-12)
          << a.name << " " << d;
  }
}

// A bar and a bent beam, clamped to the ground and loaded at the other end.
std::vector<PartCase> flexible_cases() {
  std::vector<PartCase> cases;
  for (const int dimension : {2, 3}) {
    Model model;
    model.dimension = dimension;
    model.gravity = {0.5, -9.81, 0.0};
    const double z = dimension == 2 ? 0.0 : 0.2;
    Beam beam;
    beam.from = {0.1, 0.2, 0.0};
    beam.to = {0.9, 0.5, z};
    beam.via = Vector3(0.5, 0.6, 0.5 * z);
    beam.elements = 3;
    beam.section = RectangleSection{0.02, 0.01};
    beam.material = Name{"steel", {}};
    beam.offset = {0.005, dimension == 2 ? 0.0 : 0.003};
    beam.twist = dimension == 2 ? 0.0 : 0.7;
    model.beams = {{"beam", {}, beam}};
    FixedJoint clamp;
    clamp.between = {{"ground", {}}, {"beam.start", {}}};
    model.joints = {{"clamp", {}, clamp}};
    const PointForce push{
        {"beam.end", {}}, {}, {{"200", {}}, {"300*beam.end.x", {}}}, ForceAxes::kBody, {}};
    model.forces = {{"push", {}, push}};
    cases.push_back({dimension == 2 ? "planar_beam" : "spatial_beam", model});
    Bar bar;
    bar.from = {0.1, 0.2, 0.0};
    bar.to = {0.9, 0.5, z};
    bar.area = 1e-4;
    bar.modulus = 1e9;
    bar.density = 1000.0;
    bar.elements = 3;
    bar.velocity = 0.3 * (bar.to - bar.from);
    model.beams.clear();
    model.joints.clear();
    model.flexible = {{"beam", {}, bar}};
    cases.push_back({dimension == 2 ? "planar_bar" : "spatial_bar", model});
  }
  return cases;
}

std::vector<PartCase> all_cases() {
  std::vector<PartCase> result;
  for (auto cases :
       {joint_cases(), force_cases(), control_cases(), contact_cases(), flexible_cases()})
    for (PartCase& part : cases)
      result.push_back(std::move(part));
  return result;
}

class PlacedParts : public ::testing::TestWithParam<PartCase> {};

TEST_P(PlacedParts, MoveAsTheyDoAlone) {
  const Model& model = GetParam().model;
  const auto original = assemble(model, AssemblyContext::throwing());
  State here;
  const bool has_run = run(*original, here);
  // two contacts that begin deep inside each other are compared at the start only
  EXPECT_TRUE(has_run || !model.contacts.empty());
  RecordProperty("has_run", has_run ? 1 : 0);
  for (const SubmodelPart& how : placements(model.dimension)) {
    const Placement placement = how.placement("left");
    SCOPED_TRACE(how.mirror ? std::string("mirror ") + "xyz"[static_cast<int>(*how.mirror)]
                            : "turned");
    const auto image = assemble(placed(model, how), AssemblyContext::throwing());
    expect_image(*image, sized(*image), *original, sized(*original), placement, model.dimension);
    expect_same_contacts(*image, *original);
    State there;
    ASSERT_EQ(run(*image, there), has_run);
    if (has_run) expect_image(*image, there, *original, here, placement, model.dimension);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PlacedParts, ::testing::ValuesIn(all_cases()), name_of);

// Placed in one go, or in a submodel of a submodel.
TEST(Submodels, NestAsTheirPlacementsDo) {
  for (const int dimension : {2, 3}) {
    const Model model = dimension == 2 ? two_planar_bodies() : two_spatial_bodies();
    for (const SubmodelPart& outer : placements(dimension))
      for (const SubmodelPart& inner : placements(dimension)) {
        Model middle, whole;
        middle.dimension = whole.dimension = dimension;
        add_submodel(middle, model, "inner", inner, refuse);
        add_submodel(whole, middle, "outer", outer, refuse);
        const Placement placement = outer.placement("outer").of(inner.placement("inner"));
        const auto image = assemble(whole, AssemblyContext::throwing());
        const auto original = assemble(model, AssemblyContext::throwing());
        const int a = image->find_body("outer.inner.a"), b = original->find_body("a");
        ASSERT_GT(a, 0);
        const Pose<double> there = image->bodies().pose(a, image->initial_state().position),
                           here = original->bodies().pose(b, original->initial_state().position);
        EXPECT_LT((there.r - placement.point(here.r)).norm(), 1e-12);
        EXPECT_LT((there.A - placement.axes * here.A * placement.flip.asDiagonal()).norm(), 1e-12);
        const double angle = placement.angle + placement.turn_sense() * here.angle;
        EXPECT_NEAR(there.angle, dimension == 2 ? angle : there.angle, 1e-12);
      }
  }
}

TEST(Submodels, RefuseWhatCannotBeMirrored) {
  Model model = two_spatial_bodies();
  model.bodies.front().value.shape = MeshShape{};
  SubmodelPart how;
  how.mirror = Mirror::kY;
  Model whole;
  std::vector<std::string> faults;
  add_submodel(whole, model, "left", how,
               [&](SourcePlace, const std::string& message) { faults.push_back(message); });
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults.front(),
            "body 'left.a' has a mesh, which cannot be mirrored; give a mirrored mesh in a file of "
            "its own");
}

}  // namespace
}  // namespace picus::testing
