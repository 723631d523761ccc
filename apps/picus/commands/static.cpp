// SPDX-License-Identifier: BSD-3-Clause
// picus static: where does a model stay at rest?
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/model_arguments.h"
#include "apps/picus/overwrite.h"
#include "apps/picus/terminal.h"
#include "picus/base/output_file.h"
#include "picus/base/text.h"
#include "picus/math/rotation.h"
#include "picus/runs/equilibrium.h"

namespace picus::app {
namespace {

struct StaticArguments : ModelArguments {
  std::string out;
  EquilibriumOptions options;
  SpinArgument spin;
  bool json = false, quiet = false, force = false;
};

std::string three(const Vector3& v) {
  const auto clean = [](double x) { return x == 0.0 ? 0.0 : x; };  // no -0
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", clean(v(0)), clean(v(1)), clean(v(2)));
}

void print_equilibrium(const Equilibrium& found, const Mechanism& mechanism) {
  const State& s = found.state;
  std::vector<Row> rows{{"body", "position [m]", "rotation [rad]"}};
  for (int b = 1; b < mechanism.bodies().size(); ++b) {
    const Pose<double> pose = mechanism.bodies().pose(b, s.position);
    rows.push_back({mechanism.bodies()[b].name, three(pose.point(mechanism.origin(b))),
                    three(rotation_vector(pose.A))});
  }
  fmt::print("{}", columns(rows));
  if (!mechanism.joints().empty()) {
    rows = {{"joint", "force on second body [N]", "torque [N m]"}};
    for (const AssembledJoint& joint : mechanism.joints()) {
      const Reaction reaction = mechanism.reaction(joint, s);
      rows.push_back({joint.name, three(reaction.force), three(reaction.torque)});
    }
    fmt::print("\n{}", columns(rows));
  }
  if (!mechanism.controls().empty()) {
    rows = {{"control", "value"}};
    for (const AssembledControl& control : mechanism.controls())
      rows.push_back({control.name, fmt::format("{:.6g}", s.control(control.index))});
    fmt::print("\n{}", columns(rows));
  }
  fmt::print("\nresidual {:.2g} at forces of {:.4g} N or N m, {}\n", found.residual,
             found.force_scale, counted(found.iterations, "iteration"));
  if (found.load_steps > 1 && !found.is_relaxed)
    fmt::print("note: loads were applied in {} steps\n", found.load_steps);
  if (found.is_relaxed && found.load_reached > 0.0 && found.load_reached < 1.0)
    fmt::print(
        "note: loads in steps reach {:.3g} % of their size; there the structure gives way "
        "(buckles or\n      snaps through), and the position is the one it relaxes to\n",
        100.0 * found.load_reached);
  for (const auto& motion : found.free_motions)
    fmt::print("note: no force resists a motion of {}\n", fmt::join(motion, ", "));
  if (!found.is_stable)
    fmt::print("{}: unstable: a small motion of {} grows\n",
               toned("warning", Tone::kWarning, stdout), fmt::join(found.unstable, ", "));
}

int find_statics(const StaticArguments& arguments) {
  const LoadedModel loaded = arguments.load();
  if (!arguments.out.empty())
    guard_output({arguments.out, OutputKind::kEquilibrium}, {arguments.model}, arguments.force);
  const Mechanism& mechanism = *loaded.mechanism;
  EquilibriumOptions options = arguments.options;
  options.spin = arguments.spin.spin();
  const Equilibrium found = find_equilibrium(mechanism, assemble_start(mechanism), options);
  const std::string json = to_json(found, mechanism) + "\n";
  if (!arguments.out.empty()) write_file(arguments.out, json);
  if (arguments.json) fmt::print("{}", json);
  if (!found.found) {
    print_message("picus: {}: {}\n", arguments.model, found.message);
    return kFailed;
  }
  if (!arguments.json && !arguments.quiet) print_equilibrium(found, mechanism);
  return kSuccess;
}

}  // namespace

void describe_static(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<StaticArguments>();
  verb.add_option("MODEL", arguments->model, "Model file (.yaml)")->required();
  verb.add_option("-o,--out", arguments->out, "Write the equilibrium to this file (JSON)");
  describe_model_options(verb, *arguments);
  verb.add_option("--max-iterations", arguments->options.max_iterations,
                  "Largest number of iterations")
      ->capture_default_str();
  describe_spin(verb, arguments->spin);
  verb.add_flag("--json", arguments->json, "Print as JSON");
  verb.add_flag("--force", arguments->force, kForceHelp);
  verb.add_flag("-q,--quiet", arguments->quiet, "Print errors only");
  verb.footer(
      "Joints stay closed, velocities are zero and time is the start time. The search "
      "goes\ndownhill from the initial position, so it ends at a stable equilibrium unless it "
      "starts\nat an unstable one. Models with beams are loaded at once, or in steps where that "
      "fails.\nWith --spin the model rests in a frame that turns: a steady rotation. Its axis goes "
      "through the\norigin, joints and forces must turn with it, and stability is left to "
      "modes.\n\n"
      "Examples:\n  picus static models/pendulum.yaml\n"
      "  picus static models/pendulum.yaml --set m=3 -o rest.json\n");
  verb.callback([arguments, &code] { code = find_statics(*arguments); });
}

}  // namespace picus::app
