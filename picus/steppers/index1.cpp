// SPDX-License-Identifier: BSD-3-Clause
// Index-1 generalized-α: the constraints hold at acceleration level only.
// bruls-acary-cardona (71). Positions and velocities drift from the constraints.
#include "picus/steppers/common/single_level.h"

namespace picus {
namespace {

class Index1 final : public SingleLevel {
 public:
  using SingleLevel::SingleLevel;

 private:
  const char* name() const override { return "index1"; }
  const char* level() const override { return "constraint at acceleration level"; }
  LevelWeights weights(double /*dq*/, double /*dv*/) const override {
    return {.acceleration = 1.0, .rolling_rate = 1.0};
  }
};

}  // namespace

std::unique_ptr<Stepper> make_index1(const IndexOptions& options) {
  return std::make_unique<Index1>(chung_hulbert_parameters(options.rho), options.common);
}

}  // namespace picus
