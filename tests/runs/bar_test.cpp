// SPDX-License-Identifier: BSD-3-Clause
// Bars against closed forms: statics, frequencies and the scene.
#include "picus/mechanism/bar.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "picus/runs/inspect.h"
#include "picus/runs/modes.h"
#include "picus/runs/record.h"
#include "picus/runs/shapes.h"
#include "tests/runs/models.h"

namespace picus {
namespace {

LoadedModel clamped_bar(int elements, const std::string& mass_matrix, const std::string& to) {
  return model_of(
      "gravity: [0, -9.81, 0]\nflexible:\n  bar: {type: bar, from: [0, 0, 0], to: " + to +
      ", area: 0.02, modulus: 5e5, density: 1200, elements: " + std::to_string(elements) +
      ", mass_matrix: " + mass_matrix + R"(}
joints:
  clamp: {type: in_plane, between: [ground, bar.start]}
)");
}

// ω_k = (2k - 1) π c / 2L; elements of length l give (2/l) c sin(ω l / 2c) or more: errors of l².
TEST(BarModes, AClampedFreeBarHasItsFrequenciesWithOrderTwo) {
  const double c = std::sqrt(5e5 / 1200.0), L = 2.0;
  for (const std::string mass : {"consistent", "lumped"}) {
    for (std::size_t k = 1; k <= 3; ++k) {
      const double exact = static_cast<double>(2 * k - 1) * c / (4.0 * L);
      std::vector<double> errors;
      for (const int elements : {16, 32, 64}) {
        const LoadedModel loaded = clamped_bar(elements, mass, "[0, 0, 2]");
        const Start start = assemble_start(*loaded.mechanism);
        ASSERT_TRUE(start.consistency.ok()) << start.consistency.message;
        const Modes modes = find_modes(*loaded.mechanism, start.consistency, start.state);
        ASSERT_EQ(modes.modes.size(), static_cast<std::size_t>(elements));
        errors.push_back(modes.modes[k - 1].frequency / exact - 1.0);
      }
      for (const double error : errors)  // consistent masses are an upper bound
        EXPECT_EQ(error > 0.0, mass == "consistent");
      EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.03) << mass << " " << k;
      EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.01) << mass << " " << k;
      // the leading term: ±(ω l / c)² / 24
      const double phase = 2.0 * std::numbers::pi * exact * L / 64.0 / c;
      EXPECT_NEAR(std::abs(errors[2]), phase * phase / 24.0, 1e-3 * phase * phase);
    }
  }
}

// Linear elements are exact at the nodes: u(x) = ρ g (L x - x²/2) / E below the clamp.
TEST(BarStatics, AHangingBarStretchesByItsWeight) {
  const LoadedModel loaded = clamped_bar(8, "consistent", "[0, -2, 0]");
  const Mechanism& m = *loaded.mechanism;
  const Equilibrium found = find_equilibrium(m, assemble_start(m));
  ASSERT_TRUE(found.found) << found.message;
  for (int node = 0; node <= 8; ++node) {
    const double x = 0.25 * node, u = 1200.0 * 9.81 * (2.0 * x - 0.5 * x * x) / 5e5;
    EXPECT_NEAR(m.bodies().pose(1 + node, found.state.position).r(1), -x - u, 1e-9);
  }
  const double weight = 1200.0 * 0.02 * 2.0 * 9.81;
  EXPECT_NEAR(m.reaction(m.joints()[0], found.state).force(1), weight, 1e-9 * weight);
  // an element carries what hangs below its middle
  for (int e = 0; e < 8; ++e)
    EXPECT_NEAR(dynamic_cast<const AssembledBar&>(*m.flexible()[0]).pull(e, found.state),
                weight * (7.5 - e) / 8.0, 1e-9 * weight);
}

TEST(BarStatics, AnObliqueBarFeelsGravityAlongItself) {
  const LoadedModel loaded = clamped_bar(4, "lumped", "[0, -1.2, 1.6]");
  const Mechanism& m = *loaded.mechanism;
  const Equilibrium found = find_equilibrium(m, assemble_start(m));
  ASSERT_TRUE(found.found) << found.message;
  const double along = 0.6 * 1200.0 * 0.02 * 2.0 * 9.81;
  EXPECT_NEAR(m.reaction(m.joints()[0], found.state).force(1), 0.6 * along, 1e-9 * along);
  EXPECT_NEAR(m.reaction(m.joints()[0], found.state).force(2), -0.8 * along, 1e-9 * along);
}

TEST(BarRecord, HasNodesAndAxialForces) {
  const LoadedModel loaded = clamped_bar(3, "consistent", "[0, 0, 2]");
  MechanismRecord record(*loaded.mechanism);
  std::vector<std::string> names;
  for (const Quantity& quantity : record.quantities())
    names.push_back(quantity.group + "/" + quantity.name + ":" +
                    std::to_string(quantity.items.size()));
  EXPECT_EQ(names[0], "bodies/position:4");
  EXPECT_EQ(names[1], "bodies/velocity:4");
  EXPECT_EQ(names[2], "elements/axial_force:3");
  EXPECT_EQ(record.quantities()[2].items[0], "bar.1");
  EXPECT_NE(scene_of(loaded.model, *loaded.mechanism)
                .find(R"("through":[{"body":"bar.node0"},{"body":"bar.node1"},)"
                      R"({"body":"bar.node2"},{"body":"bar.node3"}])"),
            std::string::npos);
}

TEST(BarInspect, FindsNothingOddButALooseBarAndOneAcrossGravity) {
  const Inspection across = inspect(clamped_bar(3, "consistent", "[0, 0, 2]"));
  ASSERT_EQ(across.findings.size(), 1u);
  EXPECT_NE(across.findings[0].text.find("all of gravity acts across the axis"), std::string::npos);
  const Inspection loose = inspect(
      model_of("flexible: {bar: {type: bar, from: [0, 0, 0], to: [1, 0, 0], area: 1, modulus: 1, "
               "density: 1000}}"));
  ASSERT_EQ(loose.findings.size(), 1u);
  EXPECT_EQ(loose.findings[0].text, "body 'bar' has no joint, force or contact");
}

}  // namespace
}  // namespace picus
