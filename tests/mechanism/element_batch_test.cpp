// SPDX-License-Identifier: BSD-3-Clause
// A batch of elements with three nodes that state their energy alone.
#include "picus/mechanism/element_batch.h"

#include <gtest/gtest.h>

#include "tests/mechanism/two_bodies.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

// A soap film between three frames, that also ties the x axis of the second to the line between the
// others.
struct FilmLaw {
  static constexpr int kNodes = 3, kNodeVelocities = 6;
  static constexpr bool kIsLinear = false, kIsForTests = true;

  double tension = 1.5, hold = 0.8, drag = 0.3, corner_mass = 0.2;

  template <class T>
  T energy(const Pose<T>& a, const Pose<T>& b, const Pose<T>& c) const {
    const Vec3<T> ab(b.r - a.r), ac(c.r - a.r);
    const Vec3<T> normal = cross(ab, ac);
    Vec3<T> axis;
    for (int i = 0; i < 3; ++i)
      axis(i) = b.A(i, 0);
    return 0.5 * tension * dot(normal, normal) + 0.5 * hold * dot(axis, ac) * dot(axis, ac);
  }
  template <class T>
  T dissipation(const std::array<T, 18>& v) const {
    T sum(0.0);
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      sum = sum + (v[6 + i] - v[i]) * (v[12 + i] - v[i]);
    }
    return 0.5 * drag * sum;
  }
  std::span<const int> damped() const {
    static constexpr std::array kPlaces{0, 1, 2, 6, 7, 8, 12, 13, 14};
    return kPlaces;
  }
  SmallMatrix<double, 18, 18> mass() const {
    SmallMatrix<double, 18, 18> mass = SmallMatrix<double, 18, 18>::Zero();
    for (const int k : damped())
      mass(k, k) = corner_mass;
    return mass;
  }
  double kinetic_energy(const SmallVector<double, 18>& v) const { return 0.5 * v.dot(mass() * v); }
  double mass_of_node(int) const { return corner_mass; }
};

class Film final : public ElementBatch<DualElement<FilmLaw>> {
 public:
  using ElementBatch::ElementBatch;
  double extent() const override { return 1.0; }
  std::vector<PartQuantity> quantities() const override { return {}; }
  PartLine line() const override { return {}; }
};

// Two bodies and two more, with two films between them.
std::unique_ptr<Mechanism> films() {
  Model model = two_spatial_bodies();
  for (const char* name : {"c", "d"}) {
    model.bodies.push_back(model.bodies[0]);
    model.bodies.back().name = name;
  }
  model.bodies[2].value.at = Vector3(-0.6, 0.3, 0.8);
  model.bodies[3].value.at = Vector3(0.2, 0.9, -0.5);
  AssemblyContext context = AssemblyContext::throwing();
  context.parts_in_code = [](MechanismBuilder& builder) {
    SmallVector<double, 6> gravity;
    gravity << 0.5, -9.81, 0.3, 0.0, 0.0, 0.0;
    auto film = std::make_unique<Film>("film", std::vector{1, 2, 3, 4}, builder.bodies(), gravity);
    film->add({}, {0, 1, 2});
    film->add({{.tension = 0.7}}, {3, 2, 1});
    builder.add_flexible(std::move(film));
    return std::vector<FrameInCode>{};
  };
  return assemble(model, context);
}

TEST(ElementBatch, TakesElementsOfAnyNumberOfNodes) {
  const auto mechanism = films();
  const State s = sized(*mechanism);
  TangentChecks("films", mechanism->system(), s).all();
  EXPECT_FALSE(mechanism->system().is_linear());
  EXPECT_TRUE(mechanism->system().has_constant_mass());
  const FlexiblePart& film = *mechanism->flexible()[0];
  EXPECT_NEAR(film.mass_of_node(0), 0.2, 1e-15);
  EXPECT_NEAR(film.mass_of_node(2), 0.4, 1e-15);
}

// Internal forces of a part that only its own shape strains have no resultant.
TEST(ElementBatch, KeepsMomentum) {
  const auto mechanism = films();
  State s = sized(*mechanism);
  Vector F;
  mechanism->system().force(s, F);
  Vector3 sum = Vector3::Zero();
  double mass = 4 * 1.3 + 6 * 0.2;
  for (int b = 1; b <= 4; ++b)
    sum += F.segment<3>(mechanism->bodies()[b].velocity[0]);
  EXPECT_LT((sum - mass * Vector3(0.5, -9.81, 0.3)).norm(), 1e-12);
}

}  // namespace
}  // namespace picus::testing
