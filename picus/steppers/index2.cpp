// SPDX-License-Identifier: BSD-3-Clause
// Index-2 generalized-α: the constraints hold at velocity level, G v_{n+1} + g_t = 0.
// bruls-acary-cardona (71), "V-constrained". Positions drift from the constraints slowly.
#include "picus/steppers/common/single_level.h"

namespace picus {
namespace {

class Index2 final : public SingleLevel {
 public:
  using SingleLevel::SingleLevel;

 private:
  const char* name() const override { return "index2"; }
  const char* level() const override { return "constraint at velocity level"; }
  LevelWeights weights(double /*dq*/, double dv) const override {
    return {.velocity = 1.0 / dv, .rolling = 1.0 / dv};
  }
};

}  // namespace

std::unique_ptr<Stepper> make_index2(const IndexOptions& options) {
  return std::make_unique<Index2>(chung_hulbert_parameters(options.rho), options.common);
}

}  // namespace picus
