// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One file per verb. A verb adds itself to the command line and, when it is called, puts its exit
// code into `code`.

#include <string_view>

#include <CLI/App.hpp>

namespace picus::app {

enum ExitCode {
  kSuccess = 0,
  kFailed = 1,  ///< a run that did not reach its end, a model that cannot move, a claim that fails
  kBadUsage = 2,
  kInternalError = 3,
  kInterrupted = 130
};

void add_run(CLI::App& app, int& code);

}  // namespace picus::app
