// SPDX-License-Identifier: BSD-3-Clause
#include "studies/report.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "picus/base/output_file.h"
#include "picus/base/version.h"

namespace picus::studies {
namespace {

// Letters as a reader counts them, not bytes.
std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t count = letters(text);
  return std::string(text) + std::string(width > count ? width - count : 0, ' ');
}

}  // namespace

Check near(double value, double reference, double relative) {
  return {value, fmt::format("{:.5g} ± {:g} %", reference, 100.0 * relative),
          std::abs(value - reference) <= relative * std::abs(reference)};
}

Check within(double value, double centre, double radius) {
  return {value, fmt::format("{:g} ± {:g}", centre, radius), std::abs(value - centre) <= radius};
}

Check below(double value, double limit) {
  return {value, fmt::format("< {:g}", limit), value < limit};
}

Check at_least(double value, double limit) {
  return {value, fmt::format("≥ {:g}", limit), value >= limit};
}

bool Report::holds() const {
  return !claims_.empty() &&
         std::all_of(claims_.begin(), claims_.end(), [](const Claim& c) { return c.holds; });
}

std::string to_csv(const Table& table) {
  std::vector<std::string> names;
  for (const std::string& column : table.columns)
    names.push_back(column.find(',') == std::string::npos ? column : '"' + column + '"');
  std::string text = fmt::format("{}\n", fmt::join(names, ","));
  for (const std::vector<double>& row : table.rows)
    fmt::format_to(std::back_inserter(text), "{:.12g}\n", fmt::join(row, ","));
  return text;
}

std::string summary_json(const Report& report, const ReportHeader& header) {
  nlohmann::ordered_json json;
  json["id"] = header.id;
  json["paper"] = header.paper;
  json["title"] = header.title;
  json["version"] = version();
  json["seconds"] = header.seconds;
  json["holds"] = report.holds();
  json["claims"] = nlohmann::ordered_json::array();
  for (const Claim& claim : report.claims()) {
    json["claims"].push_back({{"claim", claim.claim},
                              {"value", claim.value},
                              {"wanted", claim.wanted},
                              {"holds", claim.holds}});
  }
  if (!report.notes().empty()) json["notes"] = report.notes();
  return json.dump(1) + "\n";
}

void write_report(const Report& report, const ReportHeader& header,
                  const std::filesystem::path& folder) {
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  if (trouble)
    throw WriteError(
        fmt::format("cannot make the folder '{}': {}", folder.string(), trouble.message()));
  for (const auto& [name, table] : report.tables())
    write_file(folder / (name + ".csv"), to_csv(table));
  for (const auto& [name, figure] : report.figures())
    write_file(folder / (name + ".svg"), to_svg(figure));
  write_file(folder / "summary.json", summary_json(report, header));
}

std::string claims_table(const Report& report, bool colours) {
  std::size_t claim_width = 0, wanted_width = 0;
  for (const Claim& claim : report.claims()) {
    claim_width = std::max(claim_width, letters(claim.claim));
    wanted_width = std::max(wanted_width, letters(claim.wanted));
  }
  const char* const good = colours ? "\033[32mok\033[0m" : "ok";
  const char* const bad = colours ? "\033[1;31mFAIL\033[0m" : "FAIL";
  std::string text;
  for (const Claim& claim : report.claims()) {
    fmt::format_to(std::back_inserter(text), "  {}  {:>11.4g}  {}  {}\n",
                   padded(claim.claim, claim_width), claim.value,
                   padded(claim.wanted, wanted_width), claim.holds ? good : bad);
  }
  for (const std::string& note : report.notes())
    fmt::format_to(std::back_inserter(text), "  note: {}\n", note);
  return text;
}

}  // namespace picus::studies
