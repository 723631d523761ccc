// SPDX-License-Identifier: BSD-3-Clause
// Time to a given accuracy on the pendulum and the slider-crank, against SUNDIALS IDA.
//
// The error is the largest relative error of a component of position or velocity at the end;
// components that the constraints keep at zero do not count. Our methods of second order run with
// constant steps, some of them with error control, too, as do the Runge-Kutta methods; IDA has its
// own control of step and order. All start from the same consistent state, and all times contain
// the set-up of the integrator.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "bench/ida_ggl.h"
#include "bench/session.h"
#include "bench/table.h"
#include "picus/base/contract.h"
#include "picus/picus.h"
#include "studies/problems/pendulum.h"
#include "studies/problems/slider_crank.h"

namespace {

using namespace picus;
using namespace picus::bench;

constexpr double kEnd = 2.0;
constexpr std::array kTargets{1e-4, 1e-6};
constexpr double kSmokeTarget = 1e-2;
constexpr int kMostSteps = 200000;  // of anybody
constexpr std::array<std::string_view, 4> kMethods{"index3", "hht_i3", "ggl", "stabilized_index1"};

/// A method with error control; `auto` takes one of order 5 for smooth motions.
struct Adaptive {
  std::string_view method;
  int order = 0;           ///< 0: the method has one
  bool has_matrix = true;  ///< which may be kept across steps

  std::string name() const {
    return order == 0 ? std::string(method) : fmt::format("{}, order {}", method, order);
  }
};
constexpr std::array kAdaptive{Adaptive{"hht_i3"},
                               Adaptive{"soi2"},
                               Adaptive{"half_explicit", 5, false},
                               Adaptive{"half_explicit", 6, false},
                               Adaptive{"radau_iia", 5},
                               Adaptive{"lobatto_iiia", 4},
                               Adaptive{"lobatto_iiia", 6}};
// the default, and one that matches the accuracy wanted
constexpr std::array kTolerances{"1e-10", "1e-6"};
// without full Newton, to save time
constexpr std::array kPolicies{"every_step", "across_steps"};

struct Problem {
  std::string name;
  std::unique_ptr<EquationSystem> system;
  HandMechanism by_hand;
  State start, reference;
};

double error_of(const Vector& position, const Vector& velocity, const State& reference) {
  double worst = 0.0;
  const auto compare = [&](const Vector& x, const Vector& exact) {
    for (int i = 0; i < exact.size(); ++i)
      if (exact(i) != 0.0) worst = std::max(worst, std::abs(x(i) / exact(i) - 1.0));
  };
  compare(position, reference.position);
  compare(velocity, reference.velocity);
  return std::isfinite(worst) ? worst : 1e9;
}

Problem pendulum() {
  const problems::Pendulum p;
  Problem result{
      "pendulum", make_system(p), pendulum_by_hand(), p.at(std::numbers::pi / 6.0, 10.0), {}};
  expects(make_consistent(*result.system, result.start).ok(), "a consistent start");
  // the angle by a high-precision run, its rate by the conservation of energy
  const double angle = 21.16813891387217;
  const double height = p.length * (std::sin(angle) - 0.5);
  const double inertia = p.inertia + p.mass_ * p.length * p.length;
  result.reference = p.at(angle, std::sqrt(100.0 + 2.0 * p.mass_ * p.gravity * height / inertia));
  return result;
}

Problem slider_crank() {
  const problems::SliderCrank p;
  Problem result{"slider-crank", make_system(p), slider_crank_by_hand(), p.at(0.0, 10.0), {}};
  expects(make_consistent(*result.system, result.start).ok(), "a consistent start");
  result.reference = p.at(-0.8586768421720, -8.342298075653);  // minimal coordinate, 1e-12
  return result;
}

struct Ours {
  std::string name;  ///< of its row; the fastest of a name is shown
  std::string_view method;
  std::string setting;
  OptionValues options;
  int steps = 0;
  double error = 0.0;
  double tolerance = 0.0;  ///< of error control; 0 for constant steps
};

/// Runs one of our methods; empty when a step fails.
std::optional<double> run(const Problem& problem, const Ours& how, long* taken = nullptr) {
  const auto stepper = make_stepper(how.method, how.options);
  std::unique_ptr<Controller> controller;
  if (how.tolerance > 0.0)
    controller = std::make_unique<AdaptiveStep>(AdaptiveOptions{.tolerance = how.tolerance});
  else
    controller = std::make_unique<FixedStep>(kEnd / how.steps);
  State state = problem.start;
  const Summary summary = simulate(*problem.system, state, *stepper, *controller,
                                   {.end_time = kEnd, .max_steps = kMostSteps});
  if (!summary.ok()) return {};
  if (taken != nullptr) *taken = summary.accepted;
  return error_of(state.position, state.velocity, problem.reference);
}

/// The largest step that reaches the target, and the next smaller one, too: no lucky hits. The
/// search begins a little before the number of steps that second order suggests.
std::optional<Ours> find_steps(const Problem& problem, Ours how, double target) {
  how.steps = 1000;
  const double first = run(problem, how).value_or(1.0);
  bool met = false;
  Ours candidate = how;
  for (double steps = 800.0 * std::sqrt(first / target); steps < kMostSteps; steps *= 1.1) {
    how.steps = static_cast<int>(steps);
    const auto error = run(problem, how);
    if (error && *error <= target) {
      if (met) return candidate;
      met = true;
      candidate = how;
      candidate.error = *error;
    } else {
      met = false;
    }
  }
  return {};
}

/// The largest tolerance of error control that reaches the target, by the same rule.
std::optional<Ours> find_tolerance(const Problem& problem, Ours how, double target) {
  bool met = false;
  Ours candidate = how;
  for (how.tolerance = 1e-2; how.tolerance > 1e-12; how.tolerance /= std::sqrt(std::sqrt(10.0))) {
    long taken = 0;
    const auto error = run(problem, how, &taken);
    if (error && *error <= target) {
      if (met) return candidate;
      met = true;
      candidate = how;
      candidate.error = *error;
      candidate.steps = static_cast<int>(taken);
      candidate.setting = fmt::format("{}tolerance {:.1e}", how.setting, how.tolerance);
    } else {
      met = false;
    }
  }
  return {};
}

struct Theirs {
  IdaOptions options;
  IdaResult result;
  double error = 0.0;
};

IdaResult run(const Problem& problem, const IdaOptions& options) {
  const State& s = problem.start;
  return run_ida(problem.by_hand, s.position, s.velocity, s.acceleration, s.multiplier, kEnd,
                 options);
}

/// The largest tolerance that reaches the target, by the same rule.
std::optional<Theirs> find_tolerance(const Problem& problem, bool ignore_multipliers,
                                     double target) {
  bool met = false;
  Theirs candidate;
  for (double tolerance = 1e-2; tolerance > 1e-13; tolerance /= std::sqrt(std::sqrt(10.0))) {
    const IdaOptions options{tolerance, ignore_multipliers, kMostSteps};
    const IdaResult result = run(problem, options);
    const double error = error_of(result.position, result.velocity, problem.reference);
    if (result.counts.ok && error <= target) {
      if (met) return candidate;
      met = true;
      candidate = {options, result, error};
    } else {
      met = false;
    }
  }
  return {};
}

/// Ours with constant steps.
void find_constant(const Problem& problem, double target, std::vector<Ours>& ours) {
  for (const auto method : kMethods) {
    for (const char* tolerance : kTolerances) {
      auto found = find_steps(
          problem, {std::string(method), method, "", {{"newton_tolerance", tolerance}}}, target);
      if (!found) continue;
      for (const auto policy : kPolicies) {
        Ours how = *found;
        how.setting = fmt::format("{}, newton_tolerance {}", policy, tolerance);
        how.options.emplace_back("jacobian_reuse", policy);
        how.error = run(problem, how).value_or(1.0);
        if (how.error <= target) ours.push_back(how);  // a policy may fail to converge
      }
    }
  }
}

/// Ours with error control.
void find_adaptive(const Problem& problem, double target, std::vector<Ours>& ours) {
  for (const Adaptive& adaptive : kAdaptive) {
    Ours how{adaptive.name() + ", error control", adaptive.method, "", {}};
    if (adaptive.order > 0) how.options.emplace_back("order", std::to_string(adaptive.order));
    if (!adaptive.has_matrix) {
      if (const auto found = find_tolerance(problem, how, target)) ours.push_back(*found);
      continue;
    }
    for (const auto policy : kPolicies) {
      Ours kept = how;
      kept.setting = fmt::format("{}, ", policy);
      kept.options.emplace_back("jacobian_reuse", policy);
      if (const auto found = find_tolerance(problem, kept, target)) ours.push_back(*found);
    }
  }
}

/// One problem to one accuracy.
Table compare(const Problem& problem, double target, Effort effort) {
  Session session(effort);
  std::vector<Ours> ours;
  std::vector<Theirs> theirs;
  find_constant(problem, target, ours);
  find_adaptive(problem, target, ours);
  for (const bool ignore : {false, true})
    if (const auto found = find_tolerance(problem, ignore, target)) theirs.push_back(*found);

  const auto ours_label = [](std::size_t i) { return fmt::format("ours {}", i); };
  const auto theirs_label = [](std::size_t i) { return fmt::format("IDA {}", i); };
  for (std::size_t i = 0; i < ours.size(); ++i)
    session.add(ours_label(i), [&, i] { run(problem, ours[i]); });
  for (std::size_t i = 0; i < theirs.size(); ++i)
    session.add(theirs_label(i), [&, i] { run(problem, theirs[i].options); });
  session.run(5);

  double fastest = 1e9;  // of IDA's variants
  for (std::size_t i = 0; i < theirs.size(); ++i)
    fastest = std::min(fastest, session.seconds(theirs_label(i)));
  Table table{fmt::format("work_precision_{}_{:.0e}", problem.name, target),
              fmt::format("{}, relative error {:.0e}", problem.name, target),
              {"method", "setting", "steps", "error", "ms", "time over IDA"},
              {}};
  const auto row = [&](std::string name, std::string setting, long steps, double error,
                       double seconds) {
    table.add({std::move(name), std::move(setting), std::to_string(steps),
               fmt::format("{:.1e}", error), number(1e3 * seconds), number(seconds / fastest)});
  };
  for (std::size_t i = 0; i < theirs.size(); ++i)
    row("IDA, GGL",
        fmt::format("tolerance {:.1e}{}", theirs[i].options.tolerance,
                    theirs[i].options.ignore_multipliers ? ", multipliers ignored" : ""),
        theirs[i].result.counts.steps, theirs[i].error, session.seconds(theirs_label(i)));
  std::vector<std::string> names;  // in the order of the search
  for (const Ours& how : ours)
    if (std::find(names.begin(), names.end(), how.name) == names.end()) names.push_back(how.name);
  for (const std::string& name : names) {  // the best setting of each
    std::size_t best = ours.size();
    for (std::size_t i = 0; i < ours.size(); ++i)
      if (ours[i].name == name && (best == ours.size() || session.seconds(ours_label(i)) <
                                                              session.seconds(ours_label(best))))
        best = i;
    row(name, ours[best].setting, ours[best].steps, ours[best].error,
        session.seconds(ours_label(best)));
  }
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line(argc, argv);
  const std::vector<double> targets = line.smoke()
                                          ? std::vector{kSmokeTarget}
                                          : std::vector<double>(kTargets.begin(), kTargets.end());
  std::vector<Table> tables;
  for (const auto& make : {pendulum, slider_crank}) {
    const Problem problem = make();
    for (const double target : targets) {
      tables.push_back(compare(problem, target, line.effort));
      print(tables.back());
    }
  }
  return write_json(line, tables);
}
