// SPDX-License-Identifier: BSD-3-Clause
// Every element of the list: its derivatives, and that rigid motions strain nothing.
#include <gtest/gtest.h>

#include "tests/mechanism/element_cases.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {

template <>
std::vector<BarElement> element_cases() {
  return {{{.stiffness_of_stretch = 3.0,
            .damping_of_stretch = 0.4,
            .element_mass = 2.0,
            .has_consistent_mass = true}},
          {{.stiffness_of_stretch = 3.0, .element_mass = 2.0, .has_consistent_mass = false}}};
}

namespace {

BeamSection some_section(bool is_damped, bool is_coupled) {
  BeamSection section;
  const Matrix6 root = Matrix6::Random();
  section.stiffness = 3.0 * Matrix6::Identity();
  if (is_coupled) section.stiffness += root * root.transpose();
  if (is_damped) section.damping = 0.3 * section.stiffness;
  section.line_mass = 1.7;
  section.line_inertia = Vector3(0.3, 0.1, 0.2).asDiagonal();
  section.line_inertia(1, 2) = section.line_inertia(2, 1) = 0.05;
  return section;
}

// `longer` is added to the unstrained length: away from the kink of what is slack.
BeamElement some_beam(bool is_damped, bool is_coupled, bool is_turned, double slack = 1.0,
                      double longer = 0.0) {
  BeamSection section = some_section(is_damped, is_coupled);
  section.slack = slack;
  BeamElement element{.length = 0.7};
  element.initial_strain << 1.0 + longer, 0.02, -0.03, 0.2, -0.4, 0.3;
  element.section = std::make_shared<BeamSection>(section);
  if (is_turned)
    element.turns = std::make_shared<EndTurns>(
        EndTurns{rotation_matrix(quaternion_of(Vector3(0.3, -0.2, 0.5))),
                 rotation_matrix(quaternion_of(Vector3(-0.1, 0.4, 0.2)))});
  return element;
}

}  // namespace

template <>
std::vector<BeamElement> element_cases() {
  return {some_beam(false, false, false), some_beam(true, true, false), some_beam(true, true, true),
          some_beam(false, false, false, 1e-6, 5.0), some_beam(false, false, false, 1e-6, -5.0)};
}

template <>
std::vector<PlanarBeamElement> element_cases() {
  std::vector<PlanarBeamElement> cases;
  for (const bool is_damped : {false, true}) {
    PlanarBeamElement element{.length = 0.7};
    element.initial_strain << 1.0, 0.02, 0.3;
    element.section =
        std::make_shared<PlanarBeamSection>(in_plane(some_section(is_damped, is_damped)));
    if (is_damped)
      element.turns = std::make_shared<EndTurns>(
          EndTurns{rotation_matrix(quaternion_of(Vector3(0.0, 0.0, 0.5))),
                   rotation_matrix(quaternion_of(Vector3(0.0, 0.0, -0.3)))});
    cases.push_back(element);
  }
  return cases;
}

namespace {

constexpr double kTurns[] = {0.0, 1e-9, 1e-3, 0.05, 0.3, 0.99, 1.01, 1.6};

template <class Element>
class Elements : public ::testing::Test {
 protected:
  static constexpr int kColumns = ElementState<Element>::kColumns;
  using State = ElementState<Element>;

  // Calls check(element, state) for all cases.
  template <class Check>
  static void for_each_state(Check&& check) {
    std::srand(1);
    for (const Element& element : element_cases<Element>())
      for (const double turn : kTurns)
        for (int i = 0; i < 5; ++i)
          check(element, State(turn), turn);
  }
};

template <class List>
struct TypesOf;
template <class... Each>
struct TypesOf<std::tuple<Each...>> {
  using Types = ::testing::Types<Each...>;
};
TYPED_TEST_SUITE(Elements, typename TypesOf<AllElements>::Types);

TYPED_TEST(Elements, HaveTheTangentsOfTheirForce) {
  constexpr int n = TestFixture::kColumns;
  TestFixture::for_each_state([](const TypeParam& element, const auto& state, double turn) {
    const Matrix K = differences(n, n, [&](int j, double h) {
      const auto there = state.at(j, h);
      return Vector(-element.force(there.form(element), there.velocity));
    });
    const Matrix D = differences(n, n, [&](int j, double h) {
      auto v = state.velocity;
      v(j) += h;
      return Vector(-element.force(state.form(element), v));
    });
    const double size = 1.0 + K.cwiseAbs().maxCoeff();
    const auto form = state.form(element);
    EXPECT_LT((element.stiffness(form, state.velocity) - K).cwiseAbs().maxCoeff(), 1e-7 * size)
        << "turned by " << turn;
    const auto damping = element.damping(form, state.velocity);
    EXPECT_LT((damping - D).cwiseAbs().maxCoeff(), 1e-7 * size) << "turned by " << turn;
    std::array<bool, n> is_damped{};
    for (const int k : element.damped())
      is_damped[static_cast<std::size_t>(k)] = true;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        EXPECT_TRUE(damping(i, j) == 0.0 || (is_damped[static_cast<std::size_t>(i)] &&
                                             is_damped[static_cast<std::size_t>(j)]));
  });
}

TYPED_TEST(Elements, HaveTheForceOfTheirEnergy) {
  TestFixture::for_each_state([](const TypeParam& element, const auto& state, double turn) {
    const Matrix slope = differences(1, TestFixture::kColumns, [&](int j, double h) {
      return Vector(Vector::Constant(1, element.energy(state.at(j, h).form(element))));
    });
    const auto rest = TypeParam::Column::Zero();
    const Vector force = element.force(state.form(element), rest);
    EXPECT_LT((slope.transpose() + force).cwiseAbs().maxCoeff(), 1e-7 * (1.0 + max_abs(force)))
        << "turned by " << turn;
  });
}

TYPED_TEST(Elements, HaveTheKineticEnergyOfTheirMass) {
  TestFixture::for_each_state([](const TypeParam& element, const auto& state, double) {
    const auto mass = element.mass();
    EXPECT_LT((mass - mass.transpose()).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_NEAR(element.kinetic_energy(state.velocity),
                0.5 * state.velocity.dot(mass * state.velocity), 1e-13);
    // a translation moves the mass of all nodes
    constexpr int each = TypeParam::kNodeVelocities;
    typename TypeParam::Column along = TypeParam::Column::Zero();
    double whole = 0.0;
    for (int node = 0; node < TypeParam::kNodes; ++node) {
      along(node * each) = 1.0;
      whole += element.mass_of_node(node);
    }
    EXPECT_NEAR(along.dot(mass * along), whole, 1e-14);
  });
}

// Rigid motions, whole turns included, change neither energy nor what nodes feel in their frames.
TYPED_TEST(Elements, AreObjective) {
  constexpr int each = TypeParam::kNodeVelocities;
  TestFixture::for_each_state([](const TypeParam& element, const auto& state, double) {
    const auto rest = TypeParam::Column::Zero();
    const auto before = state.form(element);
    const Vector force = element.force(before, rest);
    for (int k = 0; k <= 8; ++k) {
      const Vector3 step = 10.0 * Vector3::Random();
      const Vector3 turn = 0.9 * k * Vector3::Random();
      const auto after = state.carried(step, turn).form(element);
      const double size = 1.0 + element.energy(before);
      EXPECT_NEAR(element.energy(after), element.energy(before), 1e-12 * size);
      const Vector there = element.force(after, rest);
      for (int node = 0; node < TypeParam::kNodes; ++node) {
        const int rotations = each == 6 ? 3 : each == 3 ? 1 : 0;
        const int first = each * node, places = each - rotations;
        EXPECT_NEAR(there.segment(first, places).norm(), force.segment(first, places).norm(),
                    1e-12 * size);
        EXPECT_LT((there - force).segment(first + places, rotations).norm(), 1e-12 * size);
      }
    }
  });
}

}  // namespace
}  // namespace picus::testing
