// SPDX-License-Identifier: BSD-3-Clause
// Nonsmooth generalized-α with the smooth motion constrained at acceleration level, "PVA":
// bruls-acary-cardona (65).
#include "picus/steppers/common/nonsmooth_alpha.h"

namespace picus {
namespace {

class NonsmoothPva final : public NonsmoothAlpha {
 public:
  using NonsmoothAlpha::NonsmoothAlpha;

 private:
  const char* name() const override { return "nonsmooth_pva"; }
};

}  // namespace

std::unique_ptr<Stepper> make_nonsmooth_pva(const NonsmoothAlphaOptions& options) {
  return std::make_unique<NonsmoothPva>(options);
}

}  // namespace picus
