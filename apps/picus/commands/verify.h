// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "picus/runs/verify.h"

namespace picus::app {

/// What `run --verify` and `verify` show.
struct VerifyPrinting {
  std::vector<std::string> channels;
  bool by_another_method = true;
  bool quiet = false, json = false;
  /// What else there is to say, a few lines.
  std::function<std::string(const Verification&)> after = {};
};

/// Verifies a run with progress, prints what came out and gives the exit code.
int verify_and_tell(const LoadedModel& loaded, const Start& start, const RunPlan& plan,
                    const VerifyPrinting& printing);

}  // namespace picus::app
