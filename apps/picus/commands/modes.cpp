// SPDX-License-Identifier: BSD-3-Clause
// picus modes: small vibrations of a model.
#include "picus/runs/modes.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/model_arguments.h"
#include "apps/picus/terminal.h"
#include "picus/base/text.h"
#include "picus/runs/linearization.h"

namespace picus::app {
namespace {

struct ModesArguments : ModelArguments {
  std::string at = "static";
  int count = 20;
  SpinArgument spin;
  bool json = false;
};

std::string damping_text(const Mode& mode) {
  if (mode.is_unstable)
    return fmt::format("grows e-fold every {:.4g} s", 1.0 / mode.eigenvalue.real());
  if (mode.frequency == 0.0)
    return fmt::format("decays e-fold every {:.4g} s", -1.0 / mode.eigenvalue.real());
  return fmt::format("{:.6f}", std::abs(mode.damping) < 5e-7 ? 0.0 : mode.damping);
}

void print_modes(const Modes& modes, int count) {
  std::vector<Row> rows{{"mode", "frequency [Hz]", "damping ratio", "moves mostly"}};
  int number = 0;
  for (const Mode& mode : modes.modes) {
    if (count >= 0 && number >= count) break;
    rows.push_back({fmt::format("{}", ++number),
                    mode.frequency > 0.0 ? fmt::format("{:.6g}", mode.frequency) : "-",
                    damping_text(mode), fmt::format("{}", fmt::join(mode.leading, ", "))});
  }
  if (number > 0) fmt::print("{}", columns(rows));
  const auto left = static_cast<int>(modes.modes.size()) - number;
  if (left > 0) fmt::print("{} more; --count {} shows all\n", left, modes.modes.size());
  if (modes.modes.empty()) fmt::print("no vibration modes\n");
  if (modes.zero_eigenvalues > 0)
    fmt::print("note: {} zero\n",
               counted(modes.zero_eigenvalues, "eigenvalue is", "eigenvalues are"));
  for (const auto& motion : modes.free_motions)
    fmt::print("note: no force resists a motion of {}\n", fmt::join(motion, ", "));
  if (!modes.is_stable())
    fmt::print("{}: unstable; see the growing modes\n", toned("warning", Tone::kWarning, stdout));
}

int find_modes_of(const ModesArguments& arguments) {
  static constexpr std::array<std::string_view, 2> kPlaces{"static", "start"};
  if (arguments.at != "static" && arguments.at != "start")
    throw InputError(unknown_name("place", arguments.at, kPlaces));
  const LoadedModel loaded = arguments.load();
  const Mechanism& mechanism = *loaded.mechanism;
  const Start start = assemble_start(mechanism);
  std::string message = start.consistency.message;
  State state = start.state;
  if (start.consistency.ok() && arguments.at == "static") {
    Equilibrium found = find_equilibrium(mechanism, start, {.spin = arguments.spin.spin()});
    message = found.found ? "" : found.message + " (--at start needs no equilibrium)";
    state = std::move(found.state);
  }
  if (!message.empty()) {
    print_message("picus: {}: {}\n", arguments.model, message);
    return kFailed;
  }
  const Modes modes = find_modes(mechanism, start.consistency, state, arguments.spin.spin());
  if (arguments.json) {
    fmt::print("{}\n", to_json(modes, mechanism, arguments.count));
    return kSuccess;
  }
  constexpr double kAtRest = 1e-6;
  if (modes.unbalanced > kAtRest)
    fmt::print("note: not at rest: {} accelerates by {:.4g} {}; --at static uses the equilibrium\n",
               modes.fastest, modes.unbalanced, modes.unit);
  print_modes(modes, arguments.count);
  return kSuccess;
}

}  // namespace

void describe_modes(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<ModesArguments>();
  verb.add_option("MODEL", arguments->model, "Model file (.yaml)")->required();
  verb.add_option("-n,--count", arguments->count, "Show the N slowest modes; negative for all")
      ->capture_default_str();
  verb.add_option("--at", arguments->at,
                  "Linearize at: static, the equilibrium; start, the initial position")
      ->capture_default_str();
  describe_spin(verb, arguments->spin);
  describe_model_options(verb, *arguments);
  verb.add_flag("--json", arguments->json, "Print as JSON, with mode shapes");
  verb.footer(fmt::format(
      "The frequency of a damped mode is |λ|/2π, its damping ratio -Re λ/|λ|. Velocities are set\n"
      "to zero, or with --spin to those of a steady rotation: frequencies are then those seen in "
      "the\n"
      "frame that turns. Matrices are dense: up to {} unknowns (velocities, constraints, "
      "controls).\n\n"
      "Examples:\n  picus modes models/pendulum.yaml\n"
      "  picus modes models/pendulum.yaml --at start --count 3 --json\n"
      "  picus modes rotor.yaml --spin 120,0,0\n",
      kLargestDense));
  verb.callback([arguments, &code] { code = find_modes_of(*arguments); });
}

}  // namespace picus::app
