// SPDX-License-Identifier: BSD-3-Clause
// picus check: can a model be used, and what is odd about it?
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/findings.h"
#include "apps/picus/model_arguments.h"
#include "apps/picus/terminal.h"
#include "picus/runs/inspect.h"

namespace picus::app {
namespace {

struct CheckArguments : ModelArguments {
  bool strict = false, json = false, quiet = false;
};

void print_facts(const LoadedModel& loaded, const Inspection& in) {
  fmt::print("{}\n", toned(loaded.model.name, Tone::kBold, stdout));
  std::vector<Row> rows{
      {"parts",
       fmt::format("{} bodies, {}{} joints, {} motions, {} forces, {} contacts, {} controls",
                   in.bodies, in.flexible > 0 ? fmt::format("{} flexible, ", in.flexible) : "",
                   in.joints, in.motions, in.forces, in.contacts, in.controls)},
      {"equations", fmt::format("{} velocities, {} constraints, {} rolling conditions, {} controls",
                                in.sizes.velocities, in.sizes.joints(), in.sizes.rollings(),
                                in.sizes.controls)}};
  if (in.sizes.contacts > 0)
    rows.push_back({"may touch at", fmt::format("{} places, {} sliding directions",
                                                in.sizes.contacts, in.contact_slips)});
  if (in.sizes.friction_elements > 0)
    rows.push_back({"may stick at",
                    fmt::format("{} friction elements, {} sliding directions",
                                in.sizes.friction_elements, in.sizes.slips - in.contact_slips)});
  if (!loaded.model.collisions.empty())
    rows.push_back({"may collide", fmt::format("{} balls and {} planes in {} groups", in.balls,
                                               in.planes, loaded.model.collisions.size())});
  if (in.start.consistency.ok()) {
    rows.push_back({"freedoms", in.position_freedoms == in.velocity_freedoms
                                    ? fmt::format("{}", in.position_freedoms)
                                    : fmt::format("{} of positions, {} of velocities",
                                                  in.position_freedoms, in.velocity_freedoms)});
    rows.push_back({"energy", fmt::format("{:.6g} J kinetic, {:.6g} J potential", in.kinetic_energy,
                                          in.potential_energy)});
    if (!in.fastest.empty())
      rows.push_back({"starts with", fmt::format("{:.6g} as the largest acceleration, of {}",
                                                 in.acceleration, in.fastest)});
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
    fmt::print("{}\n", !inspection.usable ? "cannot be used"
                       : passes           ? "can be used"
                                          : "has warnings");
  return passes ? kSuccess : kFailed;
}

}  // namespace

void describe_check(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<CheckArguments>();
  verb.add_option("MODEL", arguments->model, "Model file (.yaml)")->required();
  describe_model_options(verb, *arguments);
  verb.add_flag("--strict", arguments->strict, "Warnings fail too");
  verb.add_flag("--json", arguments->json, "Print as JSON");
  verb.add_flag("-q,--quiet", arguments->quiet, "Errors and warnings only");
  verb.footer(
      "Mistakes in the file itself are told with their places; the code is 2 then.\n\n"
      "Examples:\n  picus check models/pendulum.yaml\n"
      "  picus check models/pendulum.yaml --set L=3 --strict\n"
      "  picus check models/pendulum.yaml --json\n");
  verb.callback([arguments, &code] { code = check(*arguments); });
}

}  // namespace picus::app
