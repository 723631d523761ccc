// SPDX-License-Identifier: BSD-3-Clause
// The command line: reads arguments, calls a verb, turns outcomes into exit codes.
#include <exception>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "picus/base/error.h"
#include "picus/base/version.h"
#include "picus/io/diagnostics.h"

namespace picus::app {
namespace {

// The parser would only say that a command is missing.
void refuse_unknown_verb(std::string_view word) {
  if (word.starts_with('-')) return;
  std::vector<std::string_view> names;
  for (const Verb& verb : verb_table())
    names.emplace_back(verb.name);
  if (std::find(names.begin(), names.end(), word) == names.end())
    throw InputError(unknown_name("command", word, names));
}

int run(int argc, char** argv) {
  if (argc > 1) refuse_unknown_verb(argv[1]);
  CLI::App app{"Picus simulates flexible multibody systems", "picus"};
  app.set_version_flag("--version", fmt::format("picus {}", version()));
  app.require_subcommand(1);
  app.footer(
      fmt::format("Examples:\n  picus new swing.yaml\n  picus check swing.yaml\n"
                  "  picus run swing.yaml\n  picus export swing.h5 --csv -\n"
                  "  picus run --help\n\n{}",
                  kExitCodes));
  int code = kSuccess;
  for (const Verb& verb : verb_table())
    verb.describe(*app.add_subcommand(verb.name, verb.summary), code);
  if (argc == 1) {
    fmt::print("{}", app.help());
    return kSuccess;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kBadUsage;
  }
  return code;
}

}  // namespace
}  // namespace picus::app

int main(int argc, char** argv) {
  try {
    return picus::app::run(argc, argv);
  } catch (const picus::ModelError& error) {
    fmt::print(stderr, "{}\n", error.what());  // file:line:column first, as editors expect
    return picus::app::kBadUsage;
  } catch (const picus::InputError& error) {
    fmt::print(stderr, "picus: {}\n", error.what());
    return picus::app::kBadUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "picus: internal error: {}\n", error.what());
    return picus::app::kInternalError;
  }
}
