// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

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

/// Writes the tables where the arguments `--json FILE` say; nothing without them. Returns the exit
/// code of main.
int write_json(int argc, char** argv, const std::vector<Table>& tables);

/// Three significant digits, without exponent where that reads better.
std::string number(double value);

}  // namespace picus::bench
