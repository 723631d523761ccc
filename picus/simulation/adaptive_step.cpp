// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/adaptive_step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {
namespace {

constexpr double kFirst = 1e-5;        // the first step, as a part of the time span
constexpr double kFirstGrowth = 10.0;  // while the right order of magnitude is not known
constexpr double kSmallest = 1e-10;    // default of h_min and h_max, as parts of the span
constexpr double kLargest = 0.1;
constexpr double kKeep = 0.95;  // a step that should shrink by less is kept, too

}  // namespace

AdaptiveStep::AdaptiveStep(const AdaptiveOptions& options) : options_(options) {
  const auto check = [](bool good, const char* option, double found, const char* expected) {
    if (good) return;
    throw InputError(fmt::format("option '{}': found {:g}, expected {}", option, found, expected));
  };
  const auto is_step = [](double h) { return h >= 0.0 && std::isfinite(h); };
  const auto is_part = [](double x) { return x > 0.0 && x < 1.0; };
  const AdaptiveOptions& o = options;
  check(o.tolerance > 0.0 && o.tolerance < 1.0, "tolerance", o.tolerance,
        "a number between 0 and 1");
  check(is_step(o.h_initial), "h_initial", o.h_initial, "a positive number, or 0 for automatic");
  check(is_step(o.h_min), "h_min", o.h_min, "a positive number, or 0 for automatic");
  check(is_step(o.h_max) && (o.h_max == 0.0 || o.h_max >= o.h_min), "h_max", o.h_max,
        "a number not below h_min, or 0 for automatic");
  check(o.safety > 0.0 && o.safety <= 1.0, "safety", o.safety, "a number above 0, at most 1");
  check(o.max_growth > 1.0, "max_growth", o.max_growth, "a number above 1");
  check(is_part(o.max_shrink), "max_shrink", o.max_shrink, "a number between 0 and 1");
  check(o.dead_band >= 1.0, "dead_band", o.dead_band, "at least 1");
  check(is_part(o.after_jump), "after_jump", o.after_jump, "a number between 0 and 1");
  check(is_part(o.on_failure), "on_failure", o.on_failure, "a number between 0 and 1");
}

double AdaptiveStep::first_step(const StepperTraits& traits, double span) {
  if (!traits.estimates_error) {
    throw InputError(
        "error control: this integrator does not estimate its error; use hht_i3, hht_soi2 or soi2, "
        "without constraints generalized_alpha or hht, with impacts moreau_adaptive");
  }
  h_min_ = options_.h_min > 0.0 ? options_.h_min : kSmallest * span;
  h_max_ = options_.h_max > 0.0 ? options_.h_max : std::max(h_min_, kLargest * span);
  searching_ = options_.h_initial == 0.0;
  rejected_ = false;
  wanted_ = limited(searching_ ? kFirst * span : options_.h_initial);
  return wanted_;
}

double AdaptiveStep::limited(double h) const {
  return std::clamp(h, h_min_, h_max_);
}

Verdict AdaptiveStep::judge(const StepReport& report, double h) {
  if (!report.ok() && report.step_factor == 0.0) return {Verdict::Action::kGiveUp, h};
  if (!report.ok())
    return retry(h, options_.on_failure, "the step cannot be solved even with h_min");
  const double factor = options_.safety * report.step_factor;  // (38b), (39b)
  if (!(report.error <= 1.0)) {                                // (36b), (37b)
    const double shrink = std::isfinite(factor) ? factor : options_.max_shrink;
    const double least = std::min(options_.safety, kKeep);
    return retry(h, std::min(std::max(shrink, options_.max_shrink), least),
                 "the error exceeds the tolerance even with h_min");
  }
  double limit = searching_ ? kFirstGrowth : options_.max_growth;
  if (rejected_) limit = 1.0;  // a step that was just found too large
  searching_ = searching_ && factor > kFirstGrowth;
  rejected_ = false;
  double change = std::clamp(factor, options_.max_shrink, limit);
  if (change >= kKeep && change < options_.dead_band) change = 1.0;
  // a step that an event cut short says little against the size it was meant to have
  const double next = limited(change * h);
  wanted_ = report.taken > 0.0 ? std::max(next, wanted_) : next;
  return {Verdict::Action::kAccept, wanted_};
}

Verdict AdaptiveStep::retry(double h, double factor, const char* what) {
  rejected_ = true;
  if (h <= h_min_) {
    return {
        Verdict::Action::kGiveUp, h, false, false,
        fmt::format("{} = {:.3g} s. A force or a control that jumps may be the cause: formulas "
                    "with if or step are followed, equations in C++ declare switches. Otherwise "
                    "loosen the tolerance or lower h_min",
                    what, h_min_)};
  }
  wanted_ = limited(factor * h);
  return {Verdict::Action::kRetry, wanted_};
}

// The motion before the jump says little about the one after it, but more than nothing.
double AdaptiveStep::restart(double h) {
  searching_ = true;
  rejected_ = false;
  wanted_ = limited(options_.after_jump * std::max(h, wanted_));
  return wanted_;
}

}  // namespace picus
