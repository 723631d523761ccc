// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "picus/dynamics/consistent_state.h"
#include "picus/runs/step_scale.h"
#include "picus/simulation/simulate.h"
#include "picus/steppers/catalog.h"
#include "picus/steppers/common/refusal.h"

namespace picus {
namespace {

constexpr double kLeastConstantSteps = 100.0;  // of a run
constexpr double kLeastTolerance = 1e-15;

// Options of the integrator and of the step-size control share one list in the model file. True for
// one of the control.
bool take_control(RunPlan& plan, const Named<std::string>& option) {
  bool is_control = false;
  const auto take = [&](const char* field, auto& target, const char*) {
    if (option.name != field) return;
    fields::assign(target, option.name, option.value);
    is_control = true;
  };
  try {
    if (plan.searches) {
      SwitchingOptions::for_each_field(plan.search, take);
      SwitchingSearch{plan.search};  // complains about values out of range
    } else {
      AdaptiveOptions::for_each_field(plan.control, take);
      AdaptiveStep{plan.control};
    }
  } catch (const InputError& error) {
    throw PlacedError(option.place, error.what());
  }
  return is_control;
}

// What `integrator: auto` takes. A start that cannot be assembled is another's to report.
Choice choose_for(const RunPart& run, const Mechanism& mechanism) {
  const System& system = mechanism.system();
  Occasion occasion{.tolerance = run.tolerance, .step = run.step};
  State start = mechanism.initial_state();
  occasion.duration = run.end_time - start.time;
  if (!system.finds_contacts()) {
    const Consistency consistency = make_consistent(system, start);
    occasion.rates = rates_of(system, start, consistency);
    occasion.corners = most_corners(system, start);
  }
  return choose_method(system, occasion);
}

void take(const Choice& choice, RunPlan& plan) {
  plan.integrator = choice.stepper;
  plan.options = choice.options;
  plan.control = choice.control;
  plan.reason = choice.reason;
  plan.brief = choice.brief;
}

// What make_stepper says of one option or of the name, at the place where it was written.
std::unique_ptr<Stepper> make_at(SourcePlace place, const std::string& integrator,
                                 const OptionValues& options) {
  try {
    return make_stepper(integrator, options);
  } catch (const InputError& error) {
    throw PlacedError(place, error.what());
  }
}

// An option that the method does not know; where auto has chosen the method, the message says
// which.
[[noreturn]] void refuse_option(const RunPart& run, const RunPlan& plan, SourcePlace place,
                                const std::string& message) {
  if (run.integrator.text != "auto") throw PlacedError(place, message);
  throw PlacedError(
      place,
      fmt::format("{} (integrator: auto chose {}, {}; name an integrator to set its options)",
                  message, plan.name(), plan.reason));
}

// Whether an option stands in the model, and the integrator it may have been meant for does not
// count any more.
bool is_of_another(const RunPart& run, bool is_overruled, const Named<std::string>& option) {
  return is_overruled && option.place.file >= 0 && option.place.file != run.integrator.place.file;
}

// Whether a part of the model was given by an override.
bool is_override(const LoadedModel& loaded, SourcePlace place) {
  return place.file >= 0 && loaded.document.files[static_cast<std::size_t>(place.file)].is_override;
}

// What the model says goes before what auto has chosen.
void take_option(const RunPart& run, bool is_overruled, RunPlan& plan,
                 const Named<std::string>& option) {
  OptionValues options = plan.options;
  std::erase_if(options, [&](const auto& chosen) { return chosen.first == option.name; });
  options.emplace_back(option.name, option.value);
  try {
    make_stepper(plan.integrator, options);
    plan.options = std::move(options);
  } catch (const InputError& error) {
    if (!is_of_another(run, is_overruled, option))
      refuse_option(run, plan, option.place, error.what());
    plan.notes.push_back(fmt::format("ignored the model's option '{}': {} does not have it",
                                     option.name, plan.integrator));
  }
}

void take_options(const RunPart& run, bool is_overruled, RunPlan& plan) {
  for (const Named<std::string>& option : run.options) {
    if (!take_control(plan, option)) {
      take_option(run, is_overruled, plan, option);
    } else if (!plan.adaptive) {
      plan.notes.push_back(fmt::format(
          "the option '{}' has no effect with constant steps; --step 0 selects error control",
          option.name));
    }
  }
}

void check_features(const RunPart& run, const RunPlan& plan, const StepperTraits& can,
                    const System& system) {
  if ((system.sizes().contacts > 0 || system.finds_contacts()) && !can.handles_impacts)
    throw PlacedError(
        run.integrator.place,
        fmt::format("{} cannot handle impacts, and the model has {}: use auto or another of 'picus "
                    "list integrators'{}",
                    plan.integrator, system.finds_contacts() ? "collisions" : "contacts",
                    system.finds_contacts() ? "" : ", or give the contacts compliance"));
  if (system.sizes().friction_elements > 0 && !can.friction)
    throw PlacedError(run.integrator.place,
                      fmt::format("{} cannot handle dry friction, and the model has {}: use auto, "
                                  "nonsmooth_pva or moreau_jean, or give slip_speed",
                                  plan.integrator, friction_elements_of(system)));
  try {
    refuse_reaction_limits(plan.integrator, can, system);
  } catch (const InputError& error) {
    throw PlacedError(run.integrator.place, error.what());
  }
}

void check_times(const RunPart& run, const Mechanism& mechanism) {
  const double start = mechanism.initial_state().time;
  if (!(run.end_time > start) || !std::isfinite(run.end_time))
    throw PlacedError(run.place,
                      fmt::format("end_time: found {:g} s, expected a time after the start, {:g} s",
                                  run.end_time, start),
                      "run.end_time");
  if (run.step < 0.0)
    throw PlacedError(run.place,
                      fmt::format("step: found {:g} s, expected a positive number", run.step),
                      "run.step");
  if (!std::isfinite(run.step))
    throw PlacedError(run.place,
                      fmt::format("step: found {:g} s, expected a finite number", run.step),
                      "run.step");
  if (run.step > run.end_time - start)
    throw PlacedError(run.place,
                      fmt::format("step: found {:g} s, longer than the whole run of {:g} s; "
                                  "expected a fraction of the fastest period",
                                  run.step, run.end_time - start),
                      "run.step");
  if (run.tolerance > 0.0 && run.tolerance < kLeastTolerance)
    throw PlacedError(
        run.place,
        fmt::format("tolerance: found {:g}, expected at least {:g}: double precision has 16 digits",
                    run.tolerance, kLeastTolerance),
        "run.tolerance");
  if (!(run.tolerance > 0.0 && run.tolerance < 1.0))
    throw PlacedError(
        run.place,
        fmt::format("tolerance: found {:g}, expected a number above 0 and below 1", run.tolerance),
        "run.tolerance");
  for (const PrescribedFormula& formula : mechanism.prescribed())
    if (const auto jump = find_value_jump(formula, run.end_time))
      throw PlacedError(formula.place,
                        fmt::format("{} jumps by {:.4g} at t = {:.6g} s, which no body can follow; "
                                    "step5(time, t0, value0, t1, value1) makes a smooth transition",
                                    formula.label, jump->size, jump->time));
}

// Methods of Moreau take limits of friction where a step begins. Where these fall with the slip, as
// Stribeck's do, errors grow from step to step, and no tolerance sees them.
void note_late_limits(const Mechanism& mechanism, RunPlan& plan) {
  if (plan.integrator.find("moreau") != 0) return;
  const auto reads_rate = [](const AssembledFriction& friction) {
    const std::vector<Signal>& signals = friction.limit.signals;
    return !friction.is_smooth() &&
           std::any_of(signals.begin(), signals.end(),
                       [](const Signal& s) { return s.kind == Signal::Kind::kRate; });
  };
  const auto& all = mechanism.frictions();
  const auto found = std::find_if(all.begin(), all.end(), reads_rate);
  if (found == all.end()) return;
  plan.notes.push_back(fmt::format(
      "the limit of friction '{}' reads a velocity, which {} takes from the beginning of a step: "
      "errors of stick-slip fall with the step size only, far more slowly than the tolerance; "
      "event_driven follows the limit",
      found->name, plan.integrator));
}

// The step of a method without error control, from the mechanism and the tolerance. At impacts, and
// where friction begins or ends to slip, all methods are of first order.
void fix_step(RunPlan& plan, const StepperTraits& can, const Mechanism& mechanism, double tolerance,
              double duration) {
  if (!plan.adaptive || plan.searches || can.estimates_error) return;
  const System& system = mechanism.system();
  State start = mechanism.initial_state();
  const Consistency consistency = make_consistent(system, start);
  const StepScale scale =
      step_scale_of(mechanism, start, rates_of(system, start, consistency), plan.end_time);
  const bool has_laws = system.sizes().laws() > 0 || system.finds_contacts();
  const ScaledStep scaled =
      step_for(scale, tolerance, has_laws ? 1 : can.order, plan.integrator == "moreau_midpoint");
  const double longest = duration / kLeastConstantSteps;
  plan.adaptive = false;
  plan.step = scaled.step > 0.0 ? std::min(scaled.step, longest) : longest;
  plan.step_source = scaled.step > 0.0 && scaled.step <= longest
                         ? fmt::format("the tolerance and {}", scaled.source)
                         : fmt::format("1/{:g} of the duration", kLeastConstantSteps);
}

std::string steps_of(const RunPlan& plan, const RunPart& run) {
  if (plan.adaptive)
    return fmt::format("error control, tolerance {:g}{}", run.tolerance,
                       plan.searches ? ", short steps at switching points" : "");
  return fmt::format(
      "steps of {:.4g} s{}", plan.step,
      run.step == 0.0 ? fmt::format(", from {} (--step sets another)", plan.step_source) : "");
}

// What the program decided: the integrator, and the step of one that does not control its error.
std::string brief_of(const RunPlan& plan, const RunPart& run) {
  const bool has_own_step = !plan.adaptive && run.step == 0.0;
  const std::string steps =
      has_own_step ? fmt::format(" with steps of {:.4g} s", plan.step) : std::string();
  if (run.integrator.text == "auto")
    return fmt::format("auto chose {}{}: {}", plan.name(), steps, plan.brief);
  if (has_own_step) return fmt::format("{}{}, from {}", plan.name(), steps, plan.step_source);
  return {};
}

// Steps and samples that no run has the time for, or that the clock does not see.
void check_length(const RunPart& run, const RunPlan& plan, double begin) {
  const double duration = run.end_time - begin;
  const auto most = static_cast<double>(SimulateOptions{}.max_steps);
  const double least = duration / most;
  const double tick =
      4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(begin), run.end_time);
  const auto refuse = [&](SourcePlace place, const std::string& what, double size,
                          const char* remedy) {
    if (!(size > 0.0 && duration > 0.0) || (size >= least && size > tick)) return;
    throw PlacedError(place, fmt::format("{} of {:g} s: that is {:.2g} in {:g} s, and a run ends "
                                         "after {:g}; {} at least {:.2g} s",
                                         what, size, duration / size, duration, most, remedy,
                                         std::max(least, tick)));
  };
  if (plan.adaptive) {
    refuse(run.place, "h_max: steps", plan.searches ? plan.search.h_max : plan.control.h_max,
           "set it to");
  } else if (run.step > 0.0) {
    refuse(run.place, "step: steps", plan.step, "give");
  } else {
    refuse(run.place,
           fmt::format("tolerance: {:g} with {}, which has no error control, needs steps",
                       run.tolerance, plan.integrator),
           plan.step, "loosen it, use an integrator with error control, or give a step of");
  }
  refuse(run.place, "output_interval: samples", plan.output_interval, "give");
}

}  // namespace

std::string RunPlan::name() const {
  for (const auto& [option, value] : options)
    if (option == "smooth") return fmt::format("{} over {}", integrator, value);
  return integrator;
}

OptionValues RunPlan::control_values() const {
  OptionValues values;
  const auto add_field = [&](const char* field, const auto& value, const char*) {
    values.emplace_back(field, fields::text_of(value));
  };
  if (adaptive && searches) {
    SwitchingOptions::for_each_field(search, add_field);
  } else if (adaptive) {
    AdaptiveOptions::for_each_field(control, add_field);
  }
  return values;
}

RunPlan plan_of(const LoadedModel& loaded, bool is_overruled) {
  const RunPart& run = loaded.model.run;
  try {
    return plan_of(run, *loaded.mechanism,
                   is_overruled || is_override(loaded, run.integrator.place));
  } catch (const PlacedError& error) {
    if (error.place().file < 0) throw;
    const SourcePlace place =
        error.path().empty() ? error.place() : loaded.document.place_of(error.path());
    Diagnostics diagnostics;
    diagnostics.error(place, error.what());
    throw ModelError(diagnostics, loaded.document.files);
  }
}

RunPlan plan_of(const RunPart& run, const Mechanism& mechanism, bool is_overruled) {
  RunPlan plan;
  plan.end_time = run.end_time;
  plan.audit = run.audit;
  plan.output_interval = run.output_interval;
  plan.adaptive = run.step == 0.0;
  plan.step = run.step;
  check_times(run, mechanism);
  const double duration = run.end_time - mechanism.initial_state().time;
  if (run.integrator.text == "auto") {
    take(choose_for(run, mechanism), plan);
  } else {
    plan.integrator = run.integrator.text;
    plan.reason = "as requested";
  }
  plan.control.tolerance = plan.search.tolerance = run.tolerance;
  plan.searches =
      make_at(run.integrator.place, plan.integrator, plan.options)->traits().finds_switches;
  take_options(run, is_overruled, plan);
  const StepperTraits can = make_stepper(plan.integrator, plan.options)->traits();
  check_features(run, plan, can, mechanism.system());
  fix_step(plan, can, mechanism, run.tolerance, duration);
  check_length(run, plan, mechanism.initial_state().time);
  note_late_limits(mechanism, plan);
  plan.reason = fmt::format("{}, {}", steps_of(plan, run), plan.reason);
  plan.brief = brief_of(plan, run);
  return plan;
}

}  // namespace picus
