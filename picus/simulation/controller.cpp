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
  left_ = 0.0;
  pause_ = 1;
  patience_ = Patience::kBrief;
  was_fair_ = false;
}

Verdict FixedStep::judge(const StepReport& report, double h) {
  if (report.status == StepReport::Status::kNoImpulses && patience_ != Patience::kAll)
    return divide(h);
  const Verdict::Action action = accept_or_give_up(report);
  if (left_ == 0.0) return {action, h_};
  if (patience_ == Patience::kFair) {
    begin_whole_steps();
    return {action, h_};
  }
  const double next = next_part(h);
  patience_ = next > kLeastPart * h_ ? Patience::kBrief : Patience::kAll;
  return {action, next};
}

Verdict FixedStep::divide(double h) {
  if (left_ == 0.0) left_ = h;
  pause_ = std::min(2 * pause_, kLongestPause);
  until_growth_ = pause_;
  if (patience_ == Patience::kFair) {
    patience_ = Patience::kBrief;
    was_fair_ = true;
    h = given_up_;
  } else if (!was_fair_ && h <= kFairPart * h_) {
    patience_ = Patience::kFair;
    given_up_ = h;
    return {Verdict::Action::kRetry, left_};
  }
  const double part = 0.5 * h;
  if (part <= kLeastPart * h_) patience_ = Patience::kAll;
  return {Verdict::Action::kRetry, part};
}

double FixedStep::next_part(double h) {
  const bool may_grow = --until_growth_ <= 0;
  left_ -= h;
  if (left_ <= kPartRounding * h) left_ = h_;  // the next step is in parts, too
  const double twice = 2.0 * h, pairs = left_ / twice;
  if (!may_grow || std::abs(pairs - std::round(pairs)) > kPartRounding) return h;
  pause_ = std::max(1, pause_ / 2);
  was_fair_ = false;
  if (twice < h_ * (1.0 - kPartRounding)) return twice;
  left_ = 0.0;
  return h_;
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
