// SPDX-License-Identifier: BSD-3-Clause
// The command line: reads arguments, calls a verb, turns outcomes into exit codes.
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/commit.h"
#include "apps/picus/terminal.h"
#include "picus/base/error.h"
#include "picus/base/output_file.h"
#include "picus/base/text.h"
#include "picus/base/version.h"
#include "picus/io/diagnostics.h"
#include "picus/results/library.h"

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

// "-t" and "--tolerance" of a verb.
std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

bool has_option(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "--tolerance" of "--tolerance=1e-6", "-t" of "-t1e-6"; empty for what is no option, as numbers.
std::string_view option_in(std::string_view word) {
  if (word.starts_with("--")) return word.substr(0, word.find('='));
  const bool is_short =
      word.size() > 1 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0;
  return is_short ? word.substr(0, 2) : std::string_view{};
}

// The parser would list all it did not expect, values too, and suggest nothing.
void refuse_unknown_options(const CLI::App& verb, const CLI::App& run, std::span<char*> words) {
  const std::vector<std::string> names = option_names(verb), of_run = option_names(run);
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  for (const std::string_view word : words) {
    const std::string_view name = option_in(word);
    if (name == "--") return;
    if (name.empty() || has_option(names, name)) continue;
    if (has_option(of_run, name) && has_option(names, "--set"))
      throw InputError(
          fmt::format("{0} has no option '{1}', which is one of run; it takes such values from the "
                      "model: --set run.tolerance=1e-6, --set run.integrator=radau_iia (picus {0} "
                      "--help)",
                      verb.get_name(), name));
    const bool is_letter = !name.starts_with("--");  // any other one is as near
    throw InputError(fmt::format("{} (picus {} --help)",
                                 is_letter ? fmt::format("unknown option '{}'", name)
                                           : unknown_name("option", name, candidates),
                                 verb.get_name()));
  }
}

std::string version_line() {
  if (commit().empty()) return fmt::format("picus {}", version());
  return fmt::format("picus {} ({})", version(), commit());
}

int run(int argc, char** argv) {
  if (argc > 1) refuse_unknown_verb(argv[1]);
  CLI::App app{"Picus simulates mechanisms that hit, stick and slip", "picus"};
  app.set_version_flag("--version", version_line());
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
  if (argv[1][0] != '-')  // a verb, as was seen above
    refuse_unknown_options(*app.get_subcommand(argv[1]), *app.get_subcommand("run"),
                           std::span(argv + 2, static_cast<std::size_t>(argc - 2)));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kBadUsage;
  }
  return code;
}

// Runs a verb and tells what went wrong.
int guarded_run(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const ModelError& error) {
    print_message("{}\n", error.what());  // file:line:column first, as editors expect
    return kBadUsage;
  } catch (const WriteError& error) {
    print_message("picus: {}\n", printable(error.what()));
    return kNotWritten;
  } catch (const InputError& error) {
    print_message("picus: {}\n", printable(error.what()));
    return kBadUsage;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return kSuccess;  // see below
    print_message("picus: internal error: {}\n", printable(error.what()));
    return kInternalError;
  }
}

bool is_reader_gone() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return ::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

// What could not be printed was not done, unless whoever read it had enough (| head).
int checked_output(int code) {
  errno = 0;
  const bool fails = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!fails || errno == EPIPE || is_reader_gone()) return code;
  print_message("picus: cannot write to standard output: {}\n",
                errno != 0 ? std::generic_category().message(errno) : "it is full or closed");
  return code == kSuccess ? kNotWritten : code;
}

}  // namespace
}  // namespace picus::app

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away ends no run
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is met as a full disk is
  picus::app::fill_closed_streams();
  picus::skip_tidying_of_hdf5();
  return picus::app::checked_output(picus::app::guarded_run(argc, argv));
}
