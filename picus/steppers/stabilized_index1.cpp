// SPDX-License-Identifier: BSD-3-Clause
// Generalized-α on the stabilized index-1 form: the constraints hold at position, velocity and
// acceleration level at once. bruls-acary-cardona (70), "PVA-constrained".
#include "picus/steppers/common/three_levels.h"

namespace picus {
namespace {

class StabilizedIndex1 final : public ThreeLevels {
 public:
  using ThreeLevels::ThreeLevels;

  StepperTraits traits() const override {
    return {.order = 2, .holonomic = true, .nonholonomic = true, .general_reactions = true};
  }

 private:
  const char* name() const override { return "stabilized_index1"; }
};

}  // namespace

std::unique_ptr<Stepper> make_stabilized_index1(const IndexOptions& options) {
  return std::make_unique<StabilizedIndex1>(chung_hulbert_parameters(options.rho), options.common);
}

}  // namespace picus
