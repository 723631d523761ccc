// SPDX-License-Identifier: BSD-3-Clause
#include "studies/page.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>

#include <nlohmann/json.hpp>

namespace picus::studies {
namespace {

// Of the least-squares line through the logarithms; none for guides and curves of two points.
std::optional<double> slope_of(const Curve& curve) {
  if (curve.name.empty() || curve.marker == Marker::kNone) return std::nullopt;
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!(curve.x[i] > 0.0 && curve.y[i] > 0.0)) continue;
    const double u = std::log(curve.x[i]), v = std::log(curve.y[i]);
    n += 1.0, x += u, y += v, xx += u * u, xy += u * v;
  }
  const double spread = n * xx - x * x;
  if (n < 3.0 || !(spread > 0.0)) return std::nullopt;
  return (n * xy - x * y) / spread;
}

// A panel by its title and axes.
std::string words_for(const Panel& panel) {
  const std::string axes = panel.y.label + " over " + panel.x.label;
  return panel.title.empty() ? axes : panel.title + ": " + axes;
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<report::StudySlope> slopes_of(const Figure& figure) {
  std::vector<report::StudySlope> slopes;
  for (const Panel& panel : figure.panels) {
    if (panel.x.scale != Scale::kLog || panel.y.scale != Scale::kLog) continue;
    for (const Curve& curve : panel.curves)
      if (const auto slope = slope_of(curve))
        slopes.push_back({words_for(panel), curve.name, *slope});
  }
  return slopes;
}

}  // namespace

report::StudyPage page_of(const Report& report, const ReportHeader& header) {
  report::StudyPage page{std::string(header.id),
                         std::string(header.paper),
                         std::string(header.title),
                         header.seconds,
                         {},
                         {},
                         {},
                         report.notes()};
  for (const Claim& claim : report.claims())
    page.claims.push_back({claim.claim, claim.value, claim.wanted, claim.holds});
  for (const auto& [name, figure] : report.figures())
    page.figures.push_back({to_svg(figure), slopes_of(figure)});
  for (const auto& entry : report.tables())
    page.files.push_back(entry.first + ".csv");
  page.files.emplace_back("summary.json");
  return page;
}

std::optional<report::StudyPage> page_in(const std::filesystem::path& folder) {
  const auto json = nlohmann::json::parse(text_of_file(folder / "summary.json"), nullptr,
                                          /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("id")) return std::nullopt;
  report::StudyPage page;
  page.id = json.value("id", "");
  page.paper = json.value("paper", "");
  page.title = json.value("title", "");
  page.seconds = json.value("seconds", 0.0);
  for (const auto& claim : json.value("claims", nlohmann::json::array()))
    page.claims.push_back(
        {claim.value("claim", ""), 0.0, claim.value("wanted", ""), claim.value("holds", false)});
  std::vector<std::filesystem::path> figures;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".svg") figures.push_back(file.path());
  std::sort(figures.begin(), figures.end());
  for (const auto& figure : figures)
    page.figures.push_back({text_of_file(figure), {}});
  return page;
}

}  // namespace picus::studies
