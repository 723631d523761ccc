// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/switching_search.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {
namespace {

using Action = Verdict::Action;
using Switching = StepReport::Switching;

constexpr double kSmallestPart = 1e-9;  // default of h_min and h_max, as parts of the span
constexpr double kLargestPart = 1e-2;
constexpr double kRounding = 1e-6;   // of step sizes, relative
constexpr double kExtrapolated = 3;  // substeps without which there is no extrapolation
// A run crawls when so many steps in a row lead on by less than this part of the span each.
constexpr long kCrawlingSteps = 20000;
constexpr double kCrawlingPart = 1e-7;

void check(bool good, const char* option, double found, const char* expected) {
  if (good) return;
  throw InputError(fmt::format("option '{}': found {:g}, expected {}", option, found, expected));
}

}  // namespace

SwitchingSearch::SwitchingSearch(const SwitchingOptions& options) : options_(options) {
  const auto is_step = [](double h) { return h >= 0.0 && std::isfinite(h); };
  const SwitchingOptions& o = options;
  check(o.tolerance > 0.0 && o.tolerance < 1.0, "tolerance", o.tolerance,
        "a number between 0 and 1");
  check(is_step(o.h_min), "h_min", o.h_min, "a positive number, or 0 for automatic");
  check(is_step(o.h_max) && (o.h_max == 0.0 || o.h_max >= o.h_min), "h_max", o.h_max,
        "a number not below h_min, or 0 for automatic");
}

double SwitchingSearch::first_step(const StepperTraits& traits, double span) {
  if (!traits.finds_switches)
    throw InputError(
        "switching-point search: this integrator does not report switching points; use "
        "extrapolation");
  h_min_ = options_.h_min > 0.0
               ? options_.h_min
               : std::min(kSmallestPart * span, options_.h_max > 0.0 ? options_.h_max : span);
  h_max_ = options_.h_max > 0.0 ? options_.h_max : std::max(h_min_, kLargestPart * span);
  crawl_ = std::min(kCrawlingPart * span, 0.1 * h_max_);
  accepted_ = previous_ = {};
  begin_watch();
  no_increase_ = -h_min_;
  resolved_ = 0;
  return h_min_;
}

bool SwitchingSearch::is_smallest(double h) const {
  return h <= h_min_ * (1.0 + kRounding);
}

// Tables IV and VI, with the cap that is missing there.
double SwitchingSearch::larger(double h) const {
  return std::min(std::max(2.0 * h, kExtrapolated * h_min_), h_max_);
}

// Table V
double SwitchingSearch::smaller(double h) const {
  return 0.5 * h < kExtrapolated * h_min_ ? h_min_ : 0.5 * h;
}

void SwitchingSearch::begin_watch() {
  watched_from_ = previous_.end;
  watched_ = 0;
}

// Whether steps have become so short that the run would never end, though none of them fails.
bool SwitchingSearch::crawls() {
  if (++watched_ < kCrawlingSteps) return false;
  const double led = previous_.end - watched_from_;
  if (led < static_cast<double>(watched_) * crawl_) return true;
  begin_watch();
  return false;
}

Verdict SwitchingSearch::judge(const StepReport& report, double h) {
  if (crawls())
    return {
        Action::kGiveUp, h, false, false,
        fmt::format(
            "but contacts open and close, or stick and slip, in almost every step, and the last {} "
            "attempts advanced {:.3g} s: use event_driven or moreau_adaptive, or a larger h_min",
            watched_, previous_.end - watched_from_)};
  const double end = previous_.end + h;
  if (!report.ok()) {
    if (!is_smallest(h)) return retry(h);
    return {Action::kGiveUp, h, false, false, fmt::format("h_min is {:.3g} s", h_min_)};
  }
  switch (report.switching) {
    case Switching::kUnknown:
    case Switching::kSmooth:
      return accept(h);
    case Switching::kInaccurate:
      // more rows are what h_min forbids, and a smaller step would have fewer still
      return h < (2 * report.order + 1) * h_min_ ? accept(h) : retry(h);
    case Switching::kDetected:
      if (is_smallest(h)) break;
      no_increase_ = end;
      return go_back(h);
    case Switching::kResolved:
      break;
  }
  ++resolved_;
  accepted_ = previous_ = {previous_.end, end};
  no_increase_ = end;
  return {Action::kAccept, larger(h), true};
}

// Table IV. A step of the smallest size cannot be refined and is accepted itself.
Verdict SwitchingSearch::accept(double h) {
  const Interval actual{previous_.end, previous_.end + h};
  const bool is_final = is_smallest(h);
  accepted_ = is_final ? actual : previous_;
  previous_ = actual;
  Verdict verdict{Action::kAccept,
                  accepted_.begin > no_increase_ ? larger(h) : std::min(h, h_max_)};
  verdict.checkpoint = is_final;
  verdict.provisional = !is_final;
  return verdict;
}

// What was too large now would be so again right after this step.
Verdict SwitchingSearch::retry(double h) {
  no_increase_ = std::max(no_increase_, previous_.end + h);
  return {Action::kRetry, smaller(h)};
}

// Table V
Verdict SwitchingSearch::go_back(double h) {
  const bool is_undoing = accepted_.end < previous_.end;
  previous_ = accepted_;
  return {is_undoing ? Action::kRollBack : Action::kRetry, smaller(h)};
}

double SwitchingSearch::restart(double) {
  accepted_ = previous_ = {previous_.end, previous_.end};
  begin_watch();
  no_increase_ = previous_.end;
  return h_min_;
}

}  // namespace picus
