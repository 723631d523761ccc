// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a study finds: claims with the number behind each, curves and figures. A study only collects
// them; files are written at the end.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "studies/svg_plot.h"

namespace picus::studies {

/// A number, what it should be in words, and whether it is. NaN is never what it should be.
struct Check {
  double value = 0.0;
  std::string wanted;
  bool holds = false;
};

Check near(double value, double reference, double relative);  ///< "0.000492 ± 20 %"
Check within(double value, double centre, double radius);     ///< "2 ± 0.1"
Check below(double value, double limit);                      ///< "< 1e-13"
Check at_least(double value, double limit);                   ///< "≥ 100"

struct Claim {
  std::string claim;
  double value = 0.0;
  std::string wanted;
  bool holds = false;
};

/// Columns of numbers; becomes a CSV file.
struct Table {
  std::vector<std::string> columns = {};
  std::vector<std::vector<double>> rows = {};
};

class Report {
 public:
  void claim(std::string text, const Check& check) {
    claims_.push_back({std::move(text), check.value, check.wanted, check.holds});
  }
  /// What a reader must know beside the claims: what was left out, and why.
  void note(std::string text) { notes_.push_back(std::move(text)); }
  /// Names of curves and figures become file names.
  void curves(std::string name, Table table) {
    tables_.emplace_back(std::move(name), std::move(table));
  }
  void figure(std::string name, Figure figure) {
    figures_.emplace_back(std::move(name), std::move(figure));
  }

  const std::vector<Claim>& claims() const { return claims_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::pair<std::string, Table>>& tables() const { return tables_; }
  const std::vector<std::pair<std::string, Figure>>& figures() const { return figures_; }

  /// True when there are claims and all of them hold.
  bool holds() const;

 private:
  std::vector<Claim> claims_;
  std::vector<std::string> notes_;
  std::vector<std::pair<std::string, Table>> tables_;
  std::vector<std::pair<std::string, Figure>> figures_;
};

/// Which study a report belongs to, for its summary.
struct ReportHeader {
  std::string_view id, paper, title;
  double seconds = 0.0;
};

/// Writes folder/*.csv, folder/*.svg and folder/summary.json. Throws InputError when it cannot.
void write_report(const Report& report, const ReportHeader& header,
                  const std::filesystem::path& folder);

/// The claims as an aligned table, with terminal colours on request, and the notes below.
std::string claims_table(const Report& report, bool colours);

std::string to_csv(const Table& table);

/// {"id": …, "paper": …, "claims": [{"claim", "value", "wanted", "holds"}]} and a few more keys.
std::string summary_json(const Report& report, const ReportHeader& header);

}  // namespace picus::studies
