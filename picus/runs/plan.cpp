// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "picus/dynamics/consistent_state.h"
#include "picus/steppers/catalog.h"

namespace picus {
namespace {

// Options of the integrator and of the step-size control share one list in the model file.
void sort_option(RunPlan& plan, const Named<std::string>& option) {
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
    }
  } catch (const InputError& error) {
    throw PlacedError(option.place, error.what());
  }
  if (is_control) return;
  // what the model says goes before what auto has chosen
  std::erase_if(plan.options, [&](const auto& chosen) { return chosen.first == option.name; });
  plan.options.emplace_back(option.name, option.value);
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
  }
  return choose_method(system, occasion);
}

void take(const Choice& choice, RunPlan& plan, double duration) {
  plan.integrator = choice.stepper;
  plan.options = choice.options;
  plan.control = choice.control;
  plan.reason = choice.reason;
  if (choice.adaptive || !plan.adaptive) return;
  plan.adaptive = false;
  plan.step = duration / choice.steps;
}

// What make_stepper says of one option or of the name, at the place where it was written.
std::unique_ptr<Stepper> make_at(Place place, const std::string& integrator,
                                 const OptionValues& options) {
  try {
    return make_stepper(integrator, options);
  } catch (const InputError& error) {
    throw PlacedError(place, error.what());
  }
}

// An option of the model that the method does not know; where auto has chosen the method, the
// message says which.
void check_option(const RunPart& run, const RunPlan& plan, Place place) {
  try {
    make_at(place, plan.integrator, plan.options);
  } catch (const PlacedError& error) {
    if (run.integrator.text != "auto") throw;
    throw PlacedError(place, fmt::format("{} (integrator: auto took {}, {}; name another to give "
                                         "it options of its own)",
                                         error.what(), plan.integrator, plan.reason));
  }
}

}  // namespace

RunPlan plan_of(const LoadedModel& loaded) {
  try {
    return plan_of(loaded.model.run, *loaded.mechanism);
  } catch (const PlacedError& error) {
    if (error.place().file < 0) throw;
    Diagnostics diagnostics;
    diagnostics.error(error.place(), error.what());
    throw ModelError(diagnostics, loaded.document.files);
  }
}

RunPlan plan_of(const RunPart& run, const Mechanism& mechanism) {
  RunPlan plan;
  plan.end_time = run.end_time;
  plan.output_interval = run.output_interval;
  plan.adaptive = run.step == 0.0;
  plan.step = run.step;
  if (run.step < 0.0)
    throw PlacedError(run.place,
                      fmt::format("step: found {:g}, expected a positive one", run.step));
  if (!(run.tolerance > 0.0 && run.tolerance < 1.0))
    throw PlacedError(run.place, fmt::format("tolerance: found {:g}, expected a number above 0 and "
                                             "below 1",
                                             run.tolerance));
  if (run.integrator.text == "auto") {
    take(choose_for(run, mechanism), plan, run.end_time - mechanism.initial_state().time);
  } else {
    plan.integrator = run.integrator.text;
    plan.reason = "asked for";
  }
  plan.control.tolerance = plan.search.tolerance = run.tolerance;
  const auto stepper = make_at(run.integrator.place, plan.integrator, plan.options);
  plan.searches = stepper->traits().finds_switches;
  for (const Named<std::string>& option : run.options) {
    sort_option(plan, option);
    check_option(run, plan, option.place);
  }
  const System& system = mechanism.system();
  if ((system.sizes().contacts > 0 || system.finds_contacts()) &&
      !stepper->traits().handles_impacts)
    throw PlacedError(
        run.integrator.place,
        fmt::format("{} does not step across impacts, and the model has {}: use auto or another of "
                    "'picus list integrators'{}",
                    plan.integrator, system.finds_contacts() ? "collisions" : "contacts",
                    system.finds_contacts() ? "" : ", or give the contacts compliance"));
  if (system.sizes().friction_elements > 0 && !stepper->traits().friction)
    throw PlacedError(
        run.integrator.place,
        fmt::format("{} does not know dry friction, and the model has {}: use auto, nonsmooth_pva "
                    "or moreau_jean, or give them slip_speed",
                    plan.integrator, friction_elements_of(system)));
  if (plan.adaptive && !plan.searches && !stepper->traits().estimates_error) {
    throw PlacedError(
        run.integrator.place,
        fmt::format("{} has no error control: give a step size (run: step, or --step){}",
                    plan.integrator,
                    stepper->traits().handles_impacts ? ", or use moreau_adaptive"
                                                      : ", or use hht_i3 or soi2"));
  }
  plan.reason = fmt::format(
      "{}, {}",
      plan.adaptive ? fmt::format("steps for a local error of {:g}{}", run.tolerance,
                                  plan.searches ? " and small ones at switching points" : "")
                    : fmt::format("steps of {:g} s", plan.step),
      plan.reason);
  return plan;
}

}  // namespace picus
