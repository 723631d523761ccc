// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/formula_fault.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "picus/dynamics/initial_variables.h"

namespace picus {
namespace {

constexpr int kDecades = 12;  // below the horizon

// "infinite", "not a number"; empty of a finite one.
std::string fault_in(double value) {
  if (std::isfinite(value)) return {};
  return std::isnan(value) ? "not a number" : "infinite";
}

std::string geometric_fault(const Mechanism& mechanism, const State& state) {
  std::vector<double> inputs;
  for (const ScheduledFormula& formula : mechanism.geometric()) {
    inputs.clear();
    for (const Signal& signal : formula.signals)
      inputs.push_back(signal.read(mechanism.bodies(), state));
    const std::string fault = fault_in(formula.expression->evaluate<double>(inputs));
    if (!fault.empty())
      return fmt::format("{}: the formula '{}' is {} at t = {:.9g} s", formula.owner,
                         formula.expression->text(), fault, state.time);
  }
  return {};
}

}  // namespace

std::string formula_at_fault(const Mechanism& mechanism, const State& state) {
  const auto fault_of = [&](const char* kind, const std::string& name,
                            const Formulation& law) -> std::string {
    if (law.text.empty()) return {};
    const std::string fault = fault_in(law.evaluate(mechanism.bodies(), state));
    if (fault.empty()) return {};
    return fmt::format("{} '{}': the formula '{}' is {} at t = {:.9g} s", kind, name, law.text,
                       fault, state.time);
  };
  // variables first: what reads them follows
  for (const AssembledControl& control : mechanism.controls())
    if (std::string fault = fault_of("control", control.name, control.law); !fault.empty())
      return fault;
  for (const AssembledForce& force : mechanism.forces())
    for (const AssembledForce::Component& component : force.components)
      if (std::string fault = fault_of("force", force.name, component.magnitude); !fault.empty())
        return fault;
  for (const AssembledFriction& friction : mechanism.frictions())
    if (std::string fault = fault_of("contact", friction.name, friction.limit); !fault.empty())
      return fault;
  return geometric_fault(mechanism, state);
}

std::string formula_at_fault_behind(const Mechanism& mechanism, const State& state,
                                    double horizon) {
  if (std::string here = formula_at_fault(mechanism, state); !here.empty()) return here;
  State probe = state;
  Vector increment;
  for (int decade = kDecades; decade >= 0; --decade) {
    const double ahead = horizon * std::pow(10.0, -decade);
    increment = ahead * state.velocity;
    mechanism.system().retract(state.position, increment, probe.position);
    probe.time = state.time + ahead;
    if (state.acceleration.size() == state.velocity.size())
      probe.velocity = state.velocity + ahead * state.acceleration;
    if (std::string fault = formula_at_fault(mechanism, probe); !fault.empty()) return fault;
  }
  return {};
}

std::string formula_at_fault_at_start(const Mechanism& mechanism) {
  State state = mechanism.initial_state();
  size_state(mechanism.system(), state);
  solve_variables(mechanism.system(), state);
  return formula_at_fault(mechanism, state);
}

}  // namespace picus
