// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/controller.h"

#include <cmath>

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {
namespace {

void expects_positive(double h) {
  if (h > 0.0 && std::isfinite(h)) return;
  throw InputError(fmt::format("step size: found {:g}, expected a positive number", h));
}

Verdict::Action accept_or_give_up(const StepReport& report) {
  return report.ok() ? Verdict::Action::kAccept : Verdict::Action::kGiveUp;
}

}  // namespace

FixedStep::FixedStep(double h) : h_(h) {
  expects_positive(h);
}

Verdict FixedStep::judge(const StepReport& report, double) {
  return {accept_or_give_up(report), h_};
}

StepSequence::StepSequence(std::vector<double> steps) : steps_(std::move(steps)) {
  if (steps_.empty()) throw InputError("step sequence: found no steps, expected at least one");
  for (const double h : steps_)
    expects_positive(h);
}

double StepSequence::first_step(const StepperTraits&, double) {
  next_ = 0;
  return steps_[0];
}

Verdict StepSequence::judge(const StepReport& report, double) {
  next_ = (next_ + 1) % steps_.size();
  return {accept_or_give_up(report), steps_[next_]};
}

}  // namespace picus
