// SPDX-License-Identifier: BSD-3-Clause
// What a newcomer reads about a model with a mistake.
#include <gtest/gtest.h>

#include "picus/io/model_file.h"
#include "picus/runs/equilibrium.h"
#include "picus/runs/run.h"
#include "tests/support/broken_files.h"

namespace picus::testing {
namespace {

// All that `picus run` would say before the first step.
std::string messages_of_file(const std::string& path) {
  try {
    const LoadedModel loaded = load_model(path);
    const std::string warnings = loaded.diagnostics.text(loaded.document.files);
    if (!warnings.empty()) return warnings;
    plan_of(loaded);
    record_of(loaded);
    const Start start = start_of(loaded);
    return start.consistency.ok() ? "" : path + ": " + start.consistency.message;
  } catch (const ModelError& error) {
    return error.what();
  } catch (const InputError& error) {
    return path + ": " + error.what();
  }
}

TEST(BrokenModels, GetTheMessagesTheyExpect) {
  expect_messages_of_folder(PICUS_SOURCE_DIR "/tests/models/broken", 90, messages_of_file);
}

}  // namespace
}  // namespace picus::testing
