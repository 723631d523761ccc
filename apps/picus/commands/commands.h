// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One file per verb. A verb describes its arguments and, when it is called, puts its exit code into
// `code`.

#include <span>

#include <CLI/App.hpp>

namespace picus::app {

enum ExitCode {
  kSuccess = 0,
  kFailed = 1,  ///< a run that did not reach its end, a model that cannot move, a claim that fails
  kBadUsage = 2,
  kInternalError = 3,
  kNotWritten = 4,
  kSignalled = 128  ///< and the number of the signal that ended a run
};

inline constexpr const char* kExitCodes =
    "Exit codes:\n"
    "  0    success; every claim holds\n"
    "  1    failure: a run that failed, a model that cannot move, a claim that does not hold\n"
    "  2    bad usage or bad input: unknown names, mistakes in a model, unreadable files\n"
    "  3    internal error: please report it\n"
    "  4    a file could not be written: full disk, missing folder, no permission\n"
    "  130  stopped by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP; results so far are kept\n";

struct Verb {
  const char* name;
  const char* summary;
  void (*describe)(CLI::App& verb, int& code);
};

/// All verbs, in the order of the help.
std::span<const Verb> verb_table();

void describe_run(CLI::App& verb, int& code);
void describe_verify(CLI::App& verb, int& code);
void describe_check(CLI::App& verb, int& code);
void describe_info(CLI::App& verb, int& code);
void describe_static(CLI::App& verb, int& code);
void describe_modes(CLI::App& verb, int& code);
void describe_report(CLI::App& verb, int& code);
void describe_plot(CLI::App& verb, int& code);
void describe_view(CLI::App& verb, int& code);
void describe_watch(CLI::App& verb, int& code);
void describe_export(CLI::App& verb, int& code);
void describe_new(CLI::App& verb, int& code);
void describe_list(CLI::App& verb, int& code);
void describe_schema(CLI::App& verb, int& code);
void describe_reference(CLI::App& verb, int& code);
void describe_reproduce(CLI::App& verb, int& code);
void describe_completion(CLI::App& verb, int& code);
void describe_manual(CLI::App& verb, int& code);

}  // namespace picus::app
