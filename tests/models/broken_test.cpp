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

// An override by the old name of a key counts, and says what the key is called now.
TEST(Overrides, TakeOldNamesOfKeys) {
  const std::string text =
      "picus: 1\ndimension: 2\nbodies:\n  a: {mass: 1, inertia: 1}\n  b: {mass: 1, inertia: 1}\n"
      "forces:\n  f: {type: force, body: a, force: [1, 0]}\n";
  const std::vector<std::string> overrides{"forces.f.on=b"};
  const LoadedModel loaded = load_model_text("m.yaml", text, overrides);
  EXPECT_EQ(loaded.diagnostics.text(loaded.document.files),
            "--set 'forces.f.on=b': warning: the key 'on' is now called 'body'");
  EXPECT_EQ(std::get<PointForce>(loaded.model.forces.front().value).body.text, "b");
}

}  // namespace
}  // namespace picus::testing
