// SPDX-License-Identifier: BSD-3-Clause
// Index-3 generalized-α: the constraints hold at position level, g(q_{n+1}) = 0.
// bruls-acary-cardona (71), "P-constrained". Second order in all components; velocity constraints
// are violated by O(h²) and the first accelerations and multipliers oscillate with amplitude O(h).
#include "picus/steppers/common/single_level.h"

namespace picus {
namespace {

class Index3 final : public SingleLevel {
 public:
  using SingleLevel::SingleLevel;

 private:
  const char* name() const override { return "index3"; }
  const char* level() const override { return "constraint at position level"; }
  LevelWeights weights(double dq, double dv) const override {
    return {.position = 1.0 / dq, .rolling = 1.0 / dv};
  }
};

}  // namespace

std::unique_ptr<Stepper> make_index3(const IndexOptions& options) {
  return std::make_unique<Index3>(chung_hulbert_parameters(options.rho), options.common);
}

}  // namespace picus
