// SPDX-License-Identifier: BSD-3-Clause
#include "bench/table.h"

#include <cmath>
#include <fstream>

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

int write_json(const CommandLine& line, const std::vector<Table>& tables) {
  if (line.json.empty()) return 0;
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  for (const Table& table : tables)
    result.push_back({{"name", table.name},
                      {"title", table.title},
                      {"columns", table.columns},
                      {"rows", table.rows}});
  std::ofstream out(line.json);
  out << result.dump(1) << '\n';
  return out ? 0 : 1;
}

std::string number(double value) {
  const double size = std::abs(value);
  if (size >= 1e6 || (size < 1e-3 && size > 0.0)) return fmt::format("{:.1e}", value);
  if (size >= 100.0) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

std::string growth_exponent(const std::map<int, double>& seconds, int first) {
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (const auto& [size, time] : seconds) {
    if (size < first) continue;
    const double u = std::log(size), w = std::log(time);
    n += 1.0;
    x += u;
    y += w;
    xx += u * u;
    xy += u * w;
  }
  return n < 2.0 ? "" : fmt::format("{:.2f}", (n * xy - x * y) / (n * xx - x * x));
}

}  // namespace picus::bench
