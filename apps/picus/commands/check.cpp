// SPDX-License-Identifier: BSD-3-Clause
// picus check: can a model be used, and what is odd about it?
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/findings.h"
#include "apps/picus/model_arguments.h"
#include "apps/picus/terminal.h"
#include "picus/base/text.h"
#include "picus/runs/inspect.h"

namespace picus::app {
namespace {

struct CheckArguments : ModelArguments {
  bool strict = false, json = false, quiet = false;
};

// Those that are there: "3 bodies, 1 joint".
std::string listed(const std::vector<std::pair<int, std::string>>& counts) {
  std::vector<std::string> present;
  for (const auto& [number, text] : counts)
    if (number > 0) present.push_back(text);
  return present.empty() ? "none" : fmt::format("{}", fmt::join(present, ", "));
}

std::string parts_of(const Inspection& in) {
  return listed({{in.bodies, counted(in.bodies, "body", "bodies")},
                 {in.flexible, counted(in.flexible, "flexible part")},
                 {in.joints, counted(in.joints, "joint")},
                 {in.motions, counted(in.motions, "motion")},
                 {in.forces, counted(in.forces, "force")},
                 {in.contacts, counted(in.contacts, "contact")},
                 {in.controls, counted(in.controls, "control")}});
}

std::string equations_of(const Inspection& in) {
  const SystemSizes& n = in.sizes;
  return listed({{n.velocities, counted(n.velocities, "velocity", "velocities")},
                 {n.joints(), counted(n.joints(), "constraint")},
                 {n.rollings(), counted(n.rollings(), "rolling condition")},
                 {n.controls, counted(n.controls, "control equation")}});
}

// "rod.rotation z" as "rod, rotation z"
std::string with_comma(const std::string& coordinate) {
  const std::size_t dot = coordinate.rfind('.');
  return dot == std::string::npos ? coordinate
                                  : coordinate.substr(0, dot) + ", " + coordinate.substr(dot + 1);
}

void print_facts(const LoadedModel& loaded, const Inspection& in) {
  fmt::print("{}\n", toned(loaded.model.name, Tone::kBold, stdout));
  std::vector<Row> rows{{"parts", parts_of(in)}, {"equations", equations_of(in)}};
  if (in.sizes.contacts > 0)
    rows.push_back({"contacts", fmt::format("{}, {}", counted(in.sizes.contacts, "contact point"),
                                            counted(in.contact_slips, "sliding direction"))});
  if (in.sizes.friction_elements > 0)
    rows.push_back(
        {"friction", fmt::format("{}, {}", counted(in.sizes.friction_elements, "friction element"),
                                 counted(in.sizes.slips - in.contact_slips, "sliding direction"))});
  if (!loaded.model.collisions.empty())
    rows.push_back(
        {"collisions",
         fmt::format("{}, {} and {} in {}", counted(in.balls, "ball"), counted(in.shapes, "shape"),
                     counted(in.planes, "plane"),
                     counted(static_cast<long>(loaded.model.collisions.size()), "group"))});
  if (in.start.consistency.ok()) {
    rows.push_back(
        {"degrees of freedom", in.position_freedoms == in.velocity_freedoms
                                   ? fmt::format("{}", in.position_freedoms)
                                   : fmt::format("{} in position, {} in velocity",
                                                 in.position_freedoms, in.velocity_freedoms)});
    rows.push_back({"initial energy", fmt::format("{:.6g} J kinetic, {:.6g} J potential",
                                                  in.kinetic_energy, in.potential_energy)});
    if (!in.fastest.empty())
      rows.push_back({"largest initial acceleration",
                      fmt::format("{:.6g} {} ({})", in.acceleration, in.acceleration_unit,
                                  with_comma(in.fastest))});
  }
  fmt::print("{}", columns(rows, 2));
}

int check(const CheckArguments& arguments) {
  const LoadedModel loaded = arguments.load();
  const Inspection inspection = inspect(loaded);
  const bool passes = inspection.usable && !(arguments.strict && inspection.has_warnings());
  if (arguments.json) {
    fmt::print("{}\n", to_json(inspection));
    return passes ? kSuccess : kFailed;
  }
  if (!arguments.quiet) print_facts(loaded, inspection);
  std::vector<Finding> findings = inspection.findings;
  if (arguments.quiet)
    std::erase_if(findings, [](const Finding& f) { return f.level == Finding::Level::kNote; });
  fmt::print("{}", to_text(findings, stdout, 2));
  if (!arguments.quiet)
    fmt::print("{}\n", !inspection.usable ? "the model cannot run"
                       : passes           ? "the model can run"
                                          : "the model has warnings");
  return passes ? kSuccess : kFailed;
}

}  // namespace

void describe_check(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<CheckArguments>();
  verb.add_option("MODEL", arguments->model, "Model file (.yaml)")->required();
  describe_model_options(verb, *arguments);
  verb.add_flag("--strict", arguments->strict, "Treat warnings as errors");
  verb.add_flag("--json", arguments->json, "Print as JSON");
  verb.add_flag("-q,--quiet", arguments->quiet, "Print errors and warnings only");
  verb.footer(
      "Mistakes in the file itself are reported with line and column; the exit code is then 2.\n\n"
      "Examples:\n  picus check models/pendulum.yaml\n"
      "  picus check models/pendulum.yaml --set L=3 --strict\n"
      "  picus check models/pendulum.yaml --json\n");
  verb.callback([arguments, &code] { code = check(*arguments); });
}

}  // namespace picus::app
