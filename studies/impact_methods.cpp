// SPDX-License-Identifier: BSD-3-Clause
#include "studies/impact_methods.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/dynamics/consistent_state.h"
#include "picus/simulation/adaptive_step.h"
#include "picus/simulation/simulate.h"
#include "picus/simulation/switching_search.h"
#include "picus/steppers/catalog.h"

namespace picus::studies {
namespace {

constexpr auto kStep = ImpactMethod::Vary::kStep, kTolerance = ImpactMethod::Vary::kTolerance;

// One line per method and setting.
std::vector<ImpactMethod> lines() {
  return {
      {"moreau_jean", "moreau_jean", {}, kStep, 1.0, 0.25, 5, 1},
      {"moreau_midpoint", "moreau_midpoint", {}, kStep, 1.0, 0.25, 5, 1},
      {"schatzman_paoli", "schatzman_paoli", {}, kStep, 1.0, 0.25, 5, 1},
      {"nonsmooth_pva", "nonsmooth_pva", {}, kStep, 1.0, 0.25, 4, 1},
      {"nonsmooth_pvv", "nonsmooth_pvv", {}, kStep, 1.0, 0.25, 4, 1},
      {"moreau_adaptive", "moreau_adaptive", {}, kTolerance, 1e-2, 0.1, 5, 0},
      {"extrapolation", "extrapolation", {}, kTolerance, 1e-4, 0.01, 4, 0},
      {"event_capturing", "event_capturing", {}, kTolerance, 1e-3, 0.01, 6, 0},
      {"event_driven", "event_driven", {}, kTolerance, 1e-3, 0.01, 6, 0},
      {"event_driven, order 6", "event_driven", {{"order", "6"}}, kTolerance, 1e-3, 0.01, 6, 0},
      {"event_driven, Radau IIA 5",
       "event_driven",
       {{"smooth", "radau_iia"}, {"order", "5"}},
       kTolerance,
       1e-3,
       0.01,
       5,
       0},
      {"event_driven, SOI2", "event_driven", {{"smooth", "soi2"}}, kTolerance, 1e-3, 0.1, 4, 0},
  };
}

double process_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::unique_ptr<Controller> controller_of(const ImpactProblem& problem, const ImpactMethod& method,
                                          const StepperTraits& traits, double setting) {
  // a switching point costs about the length of the step across it
  if (traits.finds_switches)
    return std::make_unique<SwitchingSearch>(
        SwitchingOptions{.tolerance = setting,
                         .h_min = std::max(1e-13 * problem.end, setting * problem.longest_step),
                         .h_max = problem.longest_step});
  if (method.vary == ImpactMethod::Vary::kTolerance)
    return std::make_unique<AdaptiveStep>(AdaptiveOptions{.tolerance = setting});
  // an odd number of steps, so that no impact of the ball falls onto one
  const double pairs = std::round(0.5 * problem.end / (setting * problem.longest_step));
  return std::make_unique<FixedStep>(problem.end / (2.0 * pairs + 1.0));
}

}  // namespace

std::vector<double> ImpactMethod::settings(int wanted) const {
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(wanted));
  for (int i = 0; i < wanted; ++i)
    result.push_back(first * std::pow(factor, i));
  return result;
}

std::vector<ImpactMethod> impact_methods() {
  const std::vector<ImpactMethod> all = lines();
  for (const ImpactMethod& method : all)
    make_stepper(method.stepper, method.options);
  for (const StepperEntry& entry : stepper_catalog()) {
    if (!entry.make({})->traits().handles_impacts) continue;
    if (std::none_of(all.begin(), all.end(),
                     [&](const ImpactMethod& method) { return method.stepper == entry.name; }))
      throw InputError(
          fmt::format("stepper '{}' handles impacts but has no line in studies/impact_methods.cpp",
                      entry.name));
  }
  return all;
}

bool accepts(const ImpactMethod& method, const ImpactProblem& problem) {
  return problem.system->sizes().slips == 0 ||
         make_stepper(method.stepper, method.options)->traits().friction;
}

MethodRun run_method(const ImpactProblem& problem, const ImpactMethod& method, double setting) {
  MethodRun run;
  const auto n = static_cast<std::size_t>(problem.start.position.size());
  State state = problem.start;
  *problem.evaluations = 0;
  const double begin = process_cpu_seconds();
  const auto stepper = make_stepper(method.stepper, method.options);
  const auto controller = controller_of(problem, method, stepper->traits(), setting);
  const Summary summary =
      simulate(*problem.system, state, *stepper, *controller, {.end_time = problem.end},
               [&](const Moment& moment) {
                 run.path.add(moment.state.time, moment.state.position.data(), n);
                 return true;
               });
  run.seconds = process_cpu_seconds() - begin;
  if (!summary.ok())
    throw std::runtime_error(
        fmt::format("{} on the {}, {}: {}", method.name, problem.name, setting, summary.message));
  run.steps = summary.accepted;
  run.evaluations = *problem.evaluations;
  return run;
}

}  // namespace picus::studies
