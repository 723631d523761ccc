// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What may stand at a place of a command line: the shells' scripts ask the program itself.

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace picus::app {

struct CompletionWord {
  std::string text;
  std::string meaning = {};
};

struct Completion {
  std::vector<CompletionWord> words;
  std::vector<std::string> endings;  ///< of files that may stand there too, "yaml"
  bool any_file = false;
};

/// What the last of `words` may become; before it stand the words after `picus` so far.
Completion complete(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace picus::app
