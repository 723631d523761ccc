// SPDX-License-Identifier: BSD-3-Clause
// Outputs: formulas that are recorded and act on nothing, so they may read more than others.
#include <algorithm>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/mechanism/assembler.h"

namespace picus {

void Assembler::add_outputs() {
  for (const Named<OutputPart>& part : model_.outputs)
    if (is_new_name(part.name, part.place)) add_output(part);
}

void Assembler::add_output(const Named<OutputPart>& part) {
  const Formula& formula = part.value.formula;
  const auto expression = parse(formula, Effect::kNone);
  if (!expression) return;
  AssembledOutput output{.name = part.name,
                         .unit = part.value.unit,
                         .meaning = part.value.meaning.empty() ? formula.text : part.value.meaning,
                         .formula = expression,
                         .inputs = {}};
  bool is_known = true;  // every unknown name is reported
  for (const FormulaInput& input : expression->inputs()) {
    if (auto found = find_output_input(part, input))
      output.inputs.push_back(std::move(*found));
    else
      is_known = false;
  }
  if (is_known) builder_.add_output(std::move(output));
}

std::optional<AssembledOutput::Input> Assembler::find_output_input(const Named<OutputPart>& part,
                                                                   const FormulaInput& input) {
  const Formula& formula = part.value.formula;
  if (input.arguments.empty()) {
    const Within within(*this, formula.placement);
    const std::string name = here().full_name(input.name);
    for (std::size_t i = 0; i < builder_.outputs().size(); ++i)
      if (builder_.outputs()[i].name == name) return AssembledOutput::OutputInput{i};
    if (const auto force = find_force_input(name, formula.place)) return *force;
    if (comes_later(part, name, input.column)) return std::nullopt;
  }
  const std::vector<std::string> more = names_for_outputs();
  auto signal = find_signal(input, formula, {.owner = "an output", .others = more});
  if (!signal) return std::nullopt;
  return std::move(*signal);
}

std::optional<AssembledOutput::ForceInput> Assembler::find_force_input(const std::string& name,
                                                                       SourcePlace place) const {
  const std::vector<AssembledForce>& forces = builder_.forces();
  for (std::size_t f = 0; f < forces.size(); ++f) {
    if (!name.starts_with(forces[f].name + ".")) continue;
    const std::string_view last = std::string_view(name).substr(forces[f].name.size() + 1);
    for (std::size_t c = 0; c < forces[f].components.size(); ++c) {
      const AssembledForce::Component& component = forces[f].components[c];
      if (component.name == last)
        return AssembledOutput::ForceInput{
            f, c, to_user(component.unit == "N" ? unit::kForce : unit::kTorque, place)};
    }
  }
  return std::nullopt;
}

// True, and reported, when an output reads itself or one below it.
bool Assembler::comes_later(const Named<OutputPart>& part, const std::string& name, int column) {
  const bool is_output =
      std::any_of(model_.outputs.begin(), model_.outputs.end(),
                  [&](const Named<OutputPart>& other) { return other.name == name; });
  if (!is_output) return false;
  complain(context_.place_in(part.value.formula, column),
           name == part.name
               ? fmt::format("output '{}' reads itself", part.name)
               : fmt::format("output '{}' reads '{}', which is below it or has an error; expected "
                             "outputs above it",
                             part.name, name));
  return true;
}

std::vector<std::string> Assembler::names_for_outputs() const {
  std::vector<std::string> names;
  for (const AssembledOutput& output : builder_.outputs())
    names.push_back(output.name);
  for (const AssembledForce& force : builder_.forces())
    for (const AssembledForce::Component& component : force.components)
      names.push_back(force.name + "." + component.name);
  return names;
}

}  // namespace picus
