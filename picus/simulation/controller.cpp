// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/controller.h"

#include <cmath>

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {
namespace {

constexpr double kLeastPart = 1.0 / 64.0;  // of a constant step
constexpr double kPartRounding = 1e-9;     // of the sum of such parts, over the last

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

Verdict FixedStep::judge(const StepReport& report, double h) {
  if (report.status == StepReport::Status::kNoImpulses && h > kLeastPart * h_) {
    if (left_ == 0.0) left_ = h;
    return {Verdict::Action::kRetry, 0.5 * h};
  }
  left_ = left_ > h * (1.0 + kPartRounding) ? left_ - h : 0.0;
  return {accept_or_give_up(report), left_ > 0.0 ? left_ : h_};
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
