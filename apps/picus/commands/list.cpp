// SPDX-License-Identifier: BSD-3-Clause
// picus list: what there is, from the same tables that the library works with.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/commands/lists.h"
#include "apps/picus/terminal.h"
#include "picus/base/error.h"
#include "picus/expressions/functions.h"
#include "picus/io/types.h"
#include "picus/io/units.h"
#include "picus/mechanism/formula_names.h"
#include "picus/model/model.h"
#include "picus/simulation/adaptive_step.h"
#include "picus/solvers/contact_catalog.h"
#include "picus/steppers/catalog.h"
#include "studies/catalog.h"

namespace picus::app {
namespace {

/// An entry of any list: a line, and details on request.
struct Entry {
  std::string name, summary;
  std::string details = {};  ///< printed when the entry is asked for
};
using Entries = std::vector<Entry>;

std::string text(std::string_view view) {
  return std::string(view);
}

std::string option_table(const std::vector<FieldDescription>& options) {
  std::vector<Row> rows{{"option", "default", "meaning"}};
  for (const FieldDescription& option : options)
    rows.push_back({option.name, option.default_value, option.meaning});
  return columns(rows, 2);
}

Entries integrators() {
  Entries entries;
  for (const StepperEntry& entry : stepper_catalog()) {
    std::string details = option_table(entry.options());
    if (entry.make({})->traits().estimates_error) {
      details += "\n  under error control (step: 0) also\n\n" +
                 option_table(describe_fields<AdaptiveOptions>());
    } else {
      details +=
          "\n  no error control; without a step size, Picus derives one from the tolerance\n";
    }
    entries.push_back({text(entry.name), text(entry.summary), details});
  }
  return entries;
}

Entries contact_solvers() {
  Entries entries;
  for (const ContactSolverEntry& entry : contact_solver_catalog())
    entries.push_back({text(entry.name), text(entry.summary), option_table(entry.options())});
  return entries;
}

std::string value_of(const Type& type) {
  switch (type.kind) {
    case TypeKind::kNumber:
      return "number";
    case TypeKind::kInteger:
      return "whole number";
    case TypeKind::kBool:
      return "true/false";
    case TypeKind::kText:
      return "text";
    case TypeKind::kChoice:
      return fmt::format("{}", fmt::join(type.choices, "|"));
    case TypeKind::kVector:
      return "vector";
    case TypeKind::kName:
      return "name";
    case TypeKind::kFormula:
      return "formula";
    case TypeKind::kStruct:
    case TypeKind::kVariant:
      return "map";
    case TypeKind::kOptional:
      return value_of(type.item());
    case TypeKind::kList:
      return "list of " + value_of(type.item());
    case TypeKind::kCollection:
      return "named " + value_of(type.item());
  }
  return {};
}

std::string field_table(const Type& type) {
  if (type.fields.empty()) return "  no keys\n";
  std::vector<Row> rows{{"key", "value", "unit", "default", "meaning"}};
  for (const FieldInfo& field : type.fields) {
    const std::string given = field.traits.required         ? "required"
                              : field.default_value.empty() ? "-"
                                                            : field.default_value;
    rows.push_back(
        {field.name, value_of(field.type()), si_name(field.traits.unit), given, field.meaning});
  }
  return columns(rows, 2);
}

Entries alternatives(const Type& variant) {
  Entries entries;
  for (const TypeOf alternative : variant.alternatives) {
    const Type& type = alternative();
    entries.push_back({type.name, type.summary, field_table(type)});
  }
  return entries;
}

Entries joints() {
  return alternatives(type_of<Joint>());
}
Entries flexible() {
  return alternatives(type_of<Flexible>());
}
Entries forces() {
  return alternatives(type_of<Force>());
}
Entries contacts() {
  return alternatives(type_of<Contact>());
}
Entries controls() {
  return alternatives(type_of<Control>());
}

// Bodies differ by `type`, which is a choice among one struct, and by their shapes.
Entries bodies() {
  const std::string keys = field_table(type_of<BodyPart>());
  Entries entries{
      {"spatial", "a rigid body in space, six degrees of freedom", keys},
      {"planar", "a rigid body in a plane z = constant, three degrees of freedom", keys},
      {"point", "a particle, three degrees of freedom (two in a 2D model)", keys}};
  for (Entry& shape : alternatives(type_of<Shape>()))
    entries.push_back({"shape " + shape.name, shape.summary, shape.details});
  return entries;
}

Entries functions() {
  Entries entries;
  for (const FunctionEntry& entry : function_catalog())
    entries.push_back({text(entry.name), fmt::format("{}: {}", entry.signature, entry.meaning)});
  return entries;
}

Entries measures() {
  Entries entries;
  for (const MeasureEntry& entry : measure_catalog())
    entries.push_back({text(entry.name), fmt::format("{}: {}", entry.call, entry.meaning)});
  return entries;
}

Entries units() {
  Entries entries;
  for (const UnitName& entry : unit_names())
    entries.push_back(
        {text(entry.name), fmt::format("{}, {:.10g} in SI units", entry.quantity, entry.factor)});
  return entries;
}

Entries all_studies() {
  Entries entries;
  for (const studies::StudyEntry& study : studies::study_catalog())
    entries.push_back({text(study.id), fmt::format("[{}] {}", study.paper, study.title)});
  return entries;
}

struct List {
  std::string_view name;
  Entries (*entries)();
};

constexpr std::array kLists{
    List{"integrators", integrators},
    List{"joints", joints},
    List{"forces", forces},
    List{"contacts", contacts},
    List{"contact_solvers", contact_solvers},
    List{"bodies", bodies},
    List{"flexible", flexible},
    List{"controls", controls},
    List{"functions", functions},
    List{"measures", measures},
    List{"units", units},
    List{"studies", all_studies},
};

// What older models and scripts call a list.
std::string_view current_name(std::string_view what) {
  return what == "steppers" ? "integrators" : what;
}

const List& find_list(std::string_view what) {
  for (const List& list : kLists)
    if (list.name == what) return list;
  throw InputError(unknown_name("list", what, list_names()));
}

void show_entry(const Entries& entries, std::string_view what, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) {
    names.emplace_back(entry.name);
    if (entry.name != name && entry.name != "shape " + text(name)) continue;
    fmt::print("{}: {}\n", entry.name, entry.summary);
    if (!entry.details.empty()) fmt::print("\n{}", entry.details);
    return;
  }
  // "integrators" is a list of integrators
  throw InputError(unknown_name(what == "bodies"     ? "body"
                                : what == "studies"  ? "study"
                                : what == "flexible" ? "flexible part"
                                                     : what.substr(0, what.size() - 1),
                                name, names));
}

}  // namespace

std::vector<std::string_view> list_names() {
  std::vector<std::string_view> names;
  names.reserve(kLists.size());
  for (const List& list : kLists)
    names.push_back(list.name);
  return names;
}

std::vector<std::pair<std::string, std::string>> list_entries(std::string_view what) {
  std::vector<std::pair<std::string, std::string>> all;
  for (Entry& entry : find_list(what).entries())
    all.emplace_back(std::move(entry.name), std::move(entry.summary));
  return all;
}

void show_list(std::string_view asked, std::string_view name) {
  const std::string_view what = current_name(asked);
  const Entries entries = find_list(what).entries();
  if (!name.empty()) {
    show_entry(entries, what, name);
    return;
  }
  std::vector<Row> rows;
  for (const Entry& entry : entries)
    rows.push_back({entry.name, entry.summary});
  fmt::print("{}", columns(rows));
}

void describe_list(CLI::App& verb, int&) {
  struct Arguments {
    std::string what, name;
  };
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("WHAT", arguments->what, fmt::format("{}", fmt::join(list_names(), ", ")))
      ->required();
  verb.add_option("NAME", arguments->name, "Show its keys or options");
  verb.footer(
      ""
      "Examples:\n  picus list integrators\n  picus list integrators hht_i3\n"
      "  picus list joints revolute\n  picus list functions\n");
  verb.callback([arguments] { show_list(arguments->what, arguments->name); });
}

}  // namespace picus::app
