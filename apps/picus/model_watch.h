// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs a model whenever one of its files changes, in a process of its own, so that a run that takes
// long can be given up and one that breaks down does no harm.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "apps/picus/live_server.h"
#include "apps/picus/model_arguments.h"

namespace picus::app {

class ModelWatch {
 public:
  /// Begins at once. `options` go to 'picus run' besides those of the model.
  ModelWatch(ModelArguments model, std::vector<std::string> options);
  ModelWatch(const ModelWatch&) = delete;
  ModelWatch& operator=(const ModelWatch&) = delete;
  /// Ends the run under way.
  ~ModelWatch();

  /// The last run that wrote a result, and what is wrong since; may be called from any thread.
  LiveSource source() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace picus::app
