// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/verify.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "picus/runs/divergence.h"
#include "picus/steppers/catalog.h"

namespace picus {
namespace {

// Tolerances below this cannot be made smaller: rounding is near.
constexpr double kFinest = 1e-12;
// Errors of error-controlled runs fall with the tolerance or with its root: the difference from a
// run at a tenth of it is 0.9 to 0.7 of the error.
constexpr double kOfTolerance = 1.5;
// Methods disagree when they differ by so many times what their errors explain.
constexpr double kUnexplained = 10.0;
// Of a magnitude: rounding that adds up over a run is no disagreement.
constexpr double kRounding = 1e-10;
// A channel below this part of the largest one of its kind is zero but for rounding.
constexpr double kNothing = 1e-12;
// An error of this part of the size of a motion leaves nothing of it.
constexpr double kLost = 0.1;
// One of this part is seen beside the largest of its kind.
constexpr double kShown = 0.01;
// Steps of a method of order five at a tenth of the tolerance, and no longer at a limit.
constexpr double kShorter = 0.65;
// Steps of another method without error control: its errors are estimated, and count, as they are.
constexpr double kMostSteps = 2e4;

enum class MethodFamily { kAlpha, kExplicit, kImplicit, kEvents, kMoreau, kNonsmoothAlpha };

MethodFamily family_of(const std::string& integrator) {
  if (integrator == "half_explicit") return MethodFamily::kExplicit;
  if (integrator == "radau_iia" || integrator == "lobatto_iiia") return MethodFamily::kImplicit;
  if (integrator.starts_with("event_")) return MethodFamily::kEvents;
  if (integrator.starts_with("nonsmooth_")) return MethodFamily::kNonsmoothAlpha;
  const StepperTraits traits = make_stepper(integrator)->traits();
  return traits.handles_impacts ? MethodFamily::kMoreau : MethodFamily::kAlpha;
}

bool has_laws(const System& system) {
  return system.sizes().laws() > 0 || system.finds_contacts();
}

// By what the difference of a run and its finer one is smaller than the error of the former.
double error_factor(const RunPlan& plan, const System& system) {
  if (plan.adaptive) return kOfTolerance;
  const int order =
      has_laws(system) ? 1 : make_stepper(plan.integrator, plan.options)->traits().order;
  const double ratio = std::pow(2.0, order);
  return ratio / (ratio - 1.0);
}

std::string label_of(const RunPlan& plan) {
  if (!plan.adaptive) return fmt::format("{}, step {:.4g} s", plan.name(), plan.step);
  return fmt::format("{}, tolerance {:g}", plan.name(), plan.tolerance());
}

// The largest magnitude among channels of its kind; energies are parts of one sum.
double size_of(const Trace& run, const TraceChannel& channel) {
  double size = 0.0;
  for (const auto& [quantity, largest] : run.sizes)
    if (quantity == channel.quantity ||
        (channel.quantity.starts_with("energy.") && quantity.starts_with("energy.")))
      size = std::max(size, largest);
  return size;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

// Compares two runs, channel by channel.
class Comparison {
 public:
  Comparison(const Trace& a, const Trace& b, bool may_jump)
      : a_(a), b_(b), may_jump_(may_jump), samples_(std::min(a.times.size(), b.times.size())) {}

  bool jumps(std::size_t channel) const { return may_jump_ && a_.channels[channel].may_jump; }

  double distance(std::size_t channel, double largest) const {
    if (samples_ < 2) return 0.0;
    if (!jumps(channel)) {
      double distance = 0.0;
      for (std::size_t i = 0; i < samples_; ++i)
        distance = std::max(distance, difference(channel, i));
      return distance;
    }
    // time counts as part of the duration, as values count as parts of the largest
    const double until = a_.times[samples_ - 1], duration = until - a_.times.front();
    const double scale = duration > 0.0 ? largest / duration : 0.0;
    const FilledGraph a = a_.graph(channel, until, scale), b = b_.graph(channel, until, scale);
    return hausdorff_distance(a, b);
  }

  /// The first sample from which on the difference is never again below a bound for good.
  std::optional<double> first_beyond(std::size_t channel, double bound) const {
    for (std::size_t i = 0; i < samples_; ++i)
      if (difference(channel, i) > bound) return a_.times[i];
    return std::nullopt;
  }

  double difference(std::size_t channel, std::size_t sample) const {
    return std::abs(a_.columns[channel][sample] - b_.columns[channel][sample]);
  }
  std::size_t samples() const { return samples_; }

 private:
  const Trace &a_, &b_;
  bool may_jump_;
  std::size_t samples_;
};

// Positions relative to the largest of their quantity, sample by sample.
std::optional<Divergence> parting_of(const Trace& a, const Trace& b) {
  const Comparison comparison(a, b, false);
  std::vector<double> times, difference;
  for (std::size_t i = 0; i < comparison.samples(); ++i) {
    double largest = 0.0;
    for (std::size_t c = 0; c < a.channels.size(); ++c) {
      const double scale = a.channels[c].may_jump ? 0.0 : size_of(a, a.channels[c]);
      if (scale > 0.0) largest = std::max(largest, comparison.difference(c, i) / scale);
    }
    times.push_back(a.times[i]);
    difference.push_back(largest);
  }
  return divergence_of(times, difference);
}

std::vector<Impact> impacts_in(const RunOutcome& outcome) {
  std::vector<Impact> impacts;
  for (const Event& event : outcome.events)
    if (const auto impact = impact_of(event)) impacts.push_back(*impact);
  return impacts;
}

ImpactTrust compare_impacts(const RunOutcome& run, const RunOutcome& finer) {
  const std::vector<Impact> a = impacts_in(run), b = impacts_in(finer);
  ImpactTrust trust{.impacts = run.impacts, .finer = finer.impacts};
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].contact != b[i].contact) break;
    ++trust.alike;
    trust.time_error = std::max(trust.time_error, std::abs(a[i].time - b[i].time));
  }
  return trust;
}

int digits_of(double largest, double error) {
  if (!(error > 0.0)) return 15;
  return std::clamp(static_cast<int>(std::floor(std::log10(largest / error))), 0, 15);
}

// Makes the runs of a verification, one after the other.
class Verifier {
 public:
  Verifier(const LoadedModel& loaded, const Start& start, const VerifyOptions& options)
      : loaded_(loaded), start_(start), options_(options) {}

  Verification verify(const RunPlan& plan) {
    const Trace run = trace(plan, 0.0);
    if (!run.reached_end()) return std::move(result_);
    const Trace finer = trace(finer_plan(plan, run.outcome.steps.longest), 0.0);
    if (!finer.reached_end()) return std::move(result_);
    judge(run, finer);
    if (options_.by_another_method) judge_other(plan, run, finer);
    return std::move(result_);
  }

 private:
  // `limit`: on the clock [s]; 0 for none.
  Trace trace(const RunPlan& plan, double limit) {
    if (options_.begin) options_.begin(plan);
    const auto begin = std::chrono::steady_clock::now();
    bool is_slow = false;
    TraceOptions options{.channels = options_.channels};
    options.watch = [&](const Moment& moment) {
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      is_slow = limit > 0.0 && seconds > limit;
      if (options_.watch && !options_.watch(moment)) result_.was_interrupted = true;
      return !is_slow && !result_.was_interrupted;
    };
    Trace trace = trace_run(loaded_, start_, plan, options);
    VerifyRun run{label_of(plan), trace.outcome.summary.message, trace.outcome.seconds,
                  trace.outcome.impacts};
    if (is_slow) run.problem = fmt::format("stopped after {:.0f} s", limit);
    if (result_.was_interrupted) run.problem = "interrupted";
    result_.runs.push_back(std::move(run));
    return trace;
  }

  void judge(const Trace& run, const Trace& finer) {
    const System& system = loaded_.mechanism->system();
    const bool may_jump = has_laws(system) || run.outcome.summary.restarts > 0;
    const Comparison comparison(run, finer, may_jump);
    // of two runs with nearly the smallest tolerance there is the rounding of both
    const double factor = error_factor(run.plan, system);
    for (std::size_t c = 0; c < run.channels.size(); ++c) {
      const TraceChannel& channel = run.channels[c];
      ChannelTrust trust{.channel = channel.name, .unit = channel.unit};
      trust.largest = std::max(largest_of(run.columns[c]), largest_of(finer.columns[c]));
      trust.size = size_of(run, channel);
      if (trust.largest <= kNothing * trust.size) continue;
      trust.jumps = comparison.jumps(c);
      trust.error = factor * comparison.distance(c, trust.largest);
      finish(trust, comparison, c);
      places_.push_back(c);
      result_.channels.push_back(std::move(trust));
    }
    result_.divergence = parting_of(run, finer);
    result_.impacts = compare_impacts(run.outcome, finer.outcome);
  }

  static void finish(ChannelTrust& trust, const Comparison& comparison, std::size_t channel) {
    trust.digits = digits_of(trust.largest, trust.error);
    // a small channel may be without a digit, but not by an error that others of its kind would
    // show
    const double lost = (trust.digits > 0 ? kLost : kShown) * trust.size;
    if (trust.error > lost) trust.lost_at = comparison.first_beyond(channel, lost);
  }

  void judge_other(const RunPlan& plan, const Trace& run, const Trace& finer) {
    const double limit = options_.time_factor * run.outcome.seconds + 2.0;
    for (const RunPlan& candidate : other_plans(loaded_, plan)) {
      const Trace other = trace(candidate, limit);
      if (result_.was_interrupted) return;
      if (!other.reached_end()) continue;
      const Trace other_finer =
          trace(finer_plan(candidate, other.outcome.steps.longest), 4.0 * limit);
      if (result_.was_interrupted) return;
      if (!other_finer.reached_end()) continue;
      result_.other = candidate.name();
      compare_methods(run, finer, other, other_finer);
      return;
    }
    result_.other_problem = "no method of another family reached the end of this model";
  }

  void compare_methods(const Trace& run, const Trace& finer, const Trace& other,
                       const Trace& other_finer) {
    const System& system = loaded_.mechanism->system();
    const bool may_jump = has_laws(system) || run.outcome.summary.restarts > 0;
    const Comparison own(other, other_finer, may_jump), between(finer, other_finer, may_jump);
    const double factor = error_factor(other.plan, system);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      ChannelTrust& trust = result_.channels[i];
      const std::size_t c = places_[i];
      trust.explained =
          trust.error + factor * own.distance(c, trust.largest) + kRounding * trust.largest;
      trust.between = between.distance(c, trust.largest);
      if (!trust.methods_disagree()) continue;
      trust.error = std::max(trust.error, trust.between);
      finish(trust, between, c);
    }
  }

  const LoadedModel& loaded_;
  const Start& start_;
  const VerifyOptions& options_;
  Verification result_;
  std::vector<std::size_t> places_;  ///< of the channels of the result, in the traces
};

}  // namespace

bool ChannelTrust::methods_disagree() const {
  return between > kUnexplained * explained;
}

bool Verification::ok() const {
  return problem().empty();
}

std::string Verification::problem() const {
  if (was_interrupted) return "interrupted";
  if (runs.empty()) return "no run was made";
  for (std::size_t i = 0; i < std::min<std::size_t>(2, runs.size()); ++i)
    if (!runs[i].problem.empty())
      return fmt::format("the run with {} did not reach the end: {}", runs[i].label,
                         runs[i].problem);
  for (const ChannelTrust& trust : channels)
    if (trust.methods_disagree())
      return fmt::format("{} with {} and with {} differ by {:.1e} {}; their errors explain {:.1e}",
                         trust.channel, runs[1].label, other, trust.between, trust.unit,
                         trust.explained);
  for (const ChannelTrust& trust : channels)
    if (trust.lost_at)
      return fmt::format("{} has no correct digit after t = {:.4g} s", trust.channel,
                         *trust.lost_at);
  return {};
}

RunPlan finer_plan(const RunPlan& plan, double longest) {
  RunPlan finer = plan;
  if (!plan.adaptive) {
    finer.step = 0.5 * plan.step;
    return finer;
  }
  double& tolerance = plan.searches ? finer.search.tolerance : finer.control.tolerance;
  double& limit = plan.searches ? finer.search.h_max : finer.control.h_max;
  if (tolerance < 10.0 * kFinest) {  // a coarser one, then: its difference is the larger error
    tolerance *= 10.0;
    return finer;
  }
  tolerance *= 0.1;
  if (longest > 0.0) limit = kShorter * longest;
  return finer;
}

std::vector<RunPlan> other_plans(const LoadedModel& loaded, const RunPlan& plan) {
  const System& system = loaded.mechanism->system();
  static constexpr std::array kAcross{"event_driven", "nonsmooth_pva", "moreau_jean"};
  static constexpr std::array kSmooth{"half_explicit", "radau_iia", "ggl"};
  std::vector<RunPlan> plans;
  for (const char* name : has_laws(system) ? kAcross : kSmooth) {
    if (family_of(name) == family_of(plan.integrator)) continue;
    RunPart run = loaded.model.run;
    run.integrator = {name, {}};
    run.options = {};
    run.step = 0.0;
    run.end_time = plan.end_time;
    if (plan.adaptive) run.tolerance = plan.tolerance();
    try {
      plans.push_back(plan_of(run, *loaded.mechanism, true));
      RunPlan& other = plans.back();
      const double duration = plan.end_time - loaded.mechanism->initial_state().time;
      if (!other.adaptive) other.step = std::max(other.step, duration / kMostSteps);
    } catch (const InputError&) {
      continue;  // it does not take the model
    }
  }
  return plans;
}

Verification verify(const LoadedModel& loaded, const Start& start, const RunPlan& plan,
                    const VerifyOptions& options) {
  return Verifier(loaded, start, options).verify(plan);
}

}  // namespace picus
