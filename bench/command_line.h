// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace picus::bench {

/// kSmoke: the smallest size of everything, once. Shows that a measurement works, not what it says.
enum class Effort { kFull, kSmoke };

/// What follows the name of a bench on the command line.
struct CommandLine {
  Effort effort = Effort::kFull;         ///< --smoke
  std::string json;                      ///< --json FILE: where the tables go
  std::vector<std::string> others = {};  ///< names and options of the bench itself

  /// Exits with code 2 when --json has no file.
  CommandLine(int argc, char** argv);

  bool smoke() const { return effort == Effort::kSmoke; }
  bool has(std::string_view word) const;
  /// Nothing named means everything.
  bool asks_for(std::string_view name) const { return others.empty() || has(name); }
};

}  // namespace picus::bench
