// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/controller.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {
namespace {

// Of a constant step: the smallest, and the one from which on the rest is tried as a whole.
constexpr double kLeastPart = 1.0 / 256.0, kFairPart = 1.0 / 64.0;
constexpr double kPartRounding = 1e-9;  // of the sum of such parts, over the last
constexpr int kLongestPause = 16;       // parts before a larger one is tried
constexpr int kFirstRestPause = 128, kLongestRestPause = 2048;  // and before the rest is, again

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

void FixedStep::begin_whole_steps() {
  stage_ = Stage::kWhole;
  pause_ = 1;
  rest_pause_ = kFirstRestPause;
  until_rest_ = 0;
}

SearchEffort FixedStep::search_effort() const {
  if (stage_ == Stage::kWhole) return SearchEffort::kBrief;
  if (stage_ == Stage::kRest) return SearchEffort::kFair;
  return part_ > kLeastPart * h_ ? SearchEffort::kBrief : SearchEffort::kUnlimited;
}

Verdict FixedStep::judge(const StepReport& report, double h) {
  if (report.status == StepReport::Status::kNoImpulses &&
      search_effort() != SearchEffort::kUnlimited)
    return divide(h);
  const Verdict::Action action = accept_or_give_up(report);
  if (stage_ == Stage::kRest) begin_whole_steps();
  if (stage_ != Stage::kWhole) take_part(h);
  return {action, stage_ == Stage::kWhole ? h_ : part_};
}

Verdict FixedStep::divide(double h) {
  pause_ = std::min(2 * pause_, kLongestPause);
  until_growth_ = pause_;
  if (stage_ == Stage::kWhole) {
    stage_ = Stage::kParts;
    left_ = h;
  }
  if (stage_ == Stage::kRest) {
    stage_ = Stage::kParts;
    until_rest_ = rest_pause_;
    rest_pause_ = std::min(2 * rest_pause_, kLongestRestPause);
  } else {
    part_ = h;
    if (part_ <= kFairPart * h_ && until_rest_ == 0) {
      stage_ = Stage::kRest;
      return {Verdict::Action::kRetry, left_};
    }
  }
  part_ *= 0.5;
  return {Verdict::Action::kRetry, part_};
}

// What comes next adds up with other parts to the step.
void FixedStep::take_part(double h) {
  const bool may_grow = --until_growth_ <= 0;
  until_rest_ = std::max(0, until_rest_ - 1);
  part_ = h;
  left_ -= h;
  if (left_ <= kPartRounding * h) left_ = h_;  // the next step is in parts, too
  const double twice = 2.0 * h, pairs = left_ / twice;
  if (!may_grow || std::abs(pairs - std::round(pairs)) > kPartRounding) return;
  pause_ = std::max(1, pause_ / 2);
  part_ = twice;
  stage_ = twice < h_ * (1.0 - kPartRounding) ? Stage::kParts : Stage::kWhole;
}

StepSequence::StepSequence(std::vector<double> steps) : steps_(std::move(steps)) {
  if (steps_.empty()) throw InputError("step sequence: found no steps, expected at least 1");
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
