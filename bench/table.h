// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/command_line.h"

namespace picus::bench {

/// A result to read (Markdown) and to process (JSON): every cell is text, numbers included.
struct Table {
  std::string name;  ///< key in the JSON file and in docs/performance.md
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
};

/// Prints the table as Markdown.
void print(const Table& table);

/// Writes the tables where the command line says, if it does. Returns the exit code of main.
int write_json(const CommandLine& line, const std::vector<Table>& tables);

/// Three significant digits, without exponent where that reads better.
std::string number(double value);

/// Slope of log(seconds) over log(size) from the size `first` on; empty with fewer than two of
/// them.
std::string growth_exponent(const std::map<int, double>& seconds, int first);

}  // namespace picus::bench
