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

bool FixedStep::may_divide(double h) const {
  return h > kLeastPart * h_;
}

Verdict FixedStep::judge(const StepReport& report, double h) {
  if (report.status == StepReport::Status::kNoImpulses && may_divide(h)) {
    if (left_ == 0.0) left_ = h;
    return {Verdict::Action::kRetry, 0.5 * h};
  }
  const Verdict::Action action = accept_or_give_up(report);
  if (left_ == 0.0) return {action, h_};
  const double left = left_ - h, twice = 2.0 * h;
  if (left > kPartRounding * h) {
    left_ = left;
    const double pairs = left / twice;
    return {action, std::abs(pairs - std::round(pairs)) < kPartRounding ? twice : h};
  }
  left_ = twice < h_ * (1.0 - kPartRounding) ? h_ : 0.0;  // the next step is in parts, too
  return {action, left_ > 0.0 ? twice : h_};
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
