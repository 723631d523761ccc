// SPDX-License-Identifier: BSD-3-Clause
// Generalized-α on Baumgarte's stabilized equation g̈ + 2 α ġ + β² g = 0, bruls-acary-cardona (71).
// None of the three constraints holds exactly; nonholonomic ones decay by k̇ + α k = 0.
#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/steppers/common/single_level.h"

namespace picus {
namespace {

class Baumgarte final : public SingleLevel {
 public:
  Baumgarte(const AlphaParameters& parameters, const BaumgarteOptions& options)
      : SingleLevel(parameters, options.common),
        alpha_(options.baumgarte_alpha),
        beta_(options.baumgarte_beta) {}

 private:
  const char* name() const override { return "baumgarte"; }
  const char* level() const override { return "stabilized acceleration constraint"; }
  LevelWeights weights(double /*dq*/, double /*dv*/) const override {
    return {.position = beta_ * beta_,
            .velocity = 2.0 * alpha_,
            .acceleration = 1.0,
            .rolling = alpha_,
            .rolling_rate = 1.0};
  }

  double alpha_, beta_;
};

}  // namespace

std::unique_ptr<Stepper> make_baumgarte(const BaumgarteOptions& options) {
  if (!(options.baumgarte_alpha >= 0.0 && options.baumgarte_beta >= 0.0)) {
    throw InputError(
        fmt::format("options 'baumgarte_alpha' and 'baumgarte_beta': found {:g} and "
                    "{:g}, expected values of at least 0",
                    options.baumgarte_alpha, options.baumgarte_beta));
  }
  return std::make_unique<Baumgarte>(chung_hulbert_parameters(options.rho), options);
}

}  // namespace picus
