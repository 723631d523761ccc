// SPDX-License-Identifier: BSD-3-Clause
#include "bench/table.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace picus::bench {

void print(const Table& table) {
  fmt::print("\n{}\n\n| {} |\n|", table.title, fmt::join(table.columns, " | "));
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    fmt::print("{}|", i == 0 ? "---" : "---:");
  fmt::print("\n");
  for (const auto& row : table.rows)
    fmt::print("| {} |\n", fmt::join(row, " | "));
  std::fflush(stdout);
}

int write_json(int argc, char** argv, const std::vector<Table>& tables) {
  const std::vector<std::string_view> words(argv, argv + argc);
  const auto option = std::find(words.begin() + 1, words.end(), "--json");
  if (option == words.end()) return 0;
  if (option + 1 == words.end()) {
    fmt::print(stderr, "{}: --json needs a file\n", words[0]);
    return 2;
  }
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  for (const Table& table : tables)
    result.push_back({{"name", table.name},
                      {"title", table.title},
                      {"columns", table.columns},
                      {"rows", table.rows}});
  std::ofstream out{std::string(option[1])};
  out << result.dump(1) << '\n';
  return out ? 0 : 1;
}

std::string number(double value) {
  const double size = std::abs(value);
  if (size >= 1e6 || (size < 1e-3 && size > 0.0)) return fmt::format("{:.1e}", value);
  if (size >= 100.0) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

}  // namespace picus::bench
