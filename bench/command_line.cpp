// SPDX-License-Identifier: BSD-3-Clause
#include "bench/command_line.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace picus::bench {

CommandLine::CommandLine(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--smoke") {
      effort = Effort::kSmoke;
    } else if (word != "--json") {
      others.emplace_back(word);
    } else if (i + 1 < argc) {
      json = argv[++i];
    } else {
      fmt::print(stderr, "{}: --json needs a file\n", argv[0]);
      std::exit(2);
    }
  }
}

bool CommandLine::has(std::string_view word) const {
  return std::find(others.begin(), others.end(), word) != others.end();
}

}  // namespace picus::bench
