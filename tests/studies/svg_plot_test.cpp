// SPDX-License-Identifier: BSD-3-Clause
#include "studies/svg_plot.h"

#include <cmath>
#include <regex>
#include <set>
#include <stack>

#include <gtest/gtest.h>

#include "picus/report/svg_drawing.h"
#include "studies/impact_errors.h"

namespace picus::studies {
namespace {

using report::fitting_range, report::make_ticks, report::path_data;
using report::Frame, report::Tick, report::Ticks;

// Tags that close in the order they opened, and no stray special characters between them.
bool is_well_formed(const std::string& xml) {
  static const std::regex tag("<(/?)([a-z]+)[^<>]*?(/?)>");
  std::stack<std::string> open;
  for (std::sregex_iterator it(xml.begin(), xml.end(), tag), end; it != end; ++it) {
    const std::smatch& match = *it;
    if (match[1].length() > 0) {
      if (open.empty() || open.top() != match[2]) return false;
      open.pop();
    } else if (match[3].length() == 0) {
      open.push(match[2]);
    }
  }
  static const std::regex bare("&(?!(amp|lt|gt|quot);)");
  return open.empty() && !std::regex_search(xml, bare);
}

TEST(SvgPlot, IsWellFormedWhateverTheWords) {
  Figure figure{.title = "a < b & \"c\"", .columns = 2};
  figure.panels = {{.title = "<panel>", .curves = {{.name = "R&D", .x = {0, 1}, .y = {1, 2}}}},
                   {.x = {.scale = Scale::kLog},
                    .y = {.scale = Scale::kLog},
                    .curves = {{.x = {1, 10}, .y = {1e-3, 1e3}, .marker = Marker::kDiamond},
                               slope_guide(2.0, 1.0, 10.0, 100.0)}}};
  const std::string svg = to_svg(figure);
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  EXPECT_NE(svg.find("R&amp;D"), std::string::npos);
  EXPECT_NE(svg.find("slope 2"), std::string::npos);
}

TEST(SvgPlot, SurvivesEmptyPanelsAndUselessNumbers) {
  const double nan = std::nan(""), infinite = HUGE_VAL;
  Figure figure;
  figure.panels = {{},
                   {.y = {.scale = Scale::kLog},
                    .curves = {{.x = {0, 1, 2, nan}, .y = {-1.0, 0.0, infinite, 1.0}}}},
                   {.curves = {{.x = {1, 1}, .y = {5, 5}}}}};
  const std::string svg = to_svg(figure);
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

// Also where only lines are drawn; behind nine they are dashed.
TEST(SvgPlot, MethodsCanBeToldApart) {
  std::set<std::pair<std::string, Line>> looks;
  for (std::size_t i = 0; i < 18; ++i)
    looks.emplace(code_of(colour_of(i)), line_of(i));
  EXPECT_EQ(looks.size(), 18u);
}

TEST(PathData, CutsLinesAtTheFrame) {
  const Frame frame{10.0, 20.0, 100.0, 50.0};
  EXPECT_EQ(path_data({{0.0, 45.0}, {200.0, 45.0}}, frame), "M10.00 45.00L110.00 45.00");
  EXPECT_EQ(path_data({{0.0, 0.0}, {200.0, 0.0}}, frame), "");
  // out and in again: two pieces
  EXPECT_EQ(path_data({{60.0, 45.0}, {160.0, 45.0}, {60.0, 55.0}}, frame),
            "M60.00 45.00L110.00 45.00M110.00 50.00L60.00 55.00");
}

TEST(PathData, IsInterruptedWhereAValueHasNoPlace) {
  const Frame frame{0.0, 0.0, 10.0, 10.0};
  const double nan = std::nan("");
  EXPECT_EQ(path_data({{1, 1}, {2, 2}, {nan, 3}, {4, 4}, {5, 5}}, frame),
            "M1.00 1.00L2.00 2.00M4.00 4.00L5.00 5.00");
}

TEST(Ticks, AreOneTwoFiveOnLinearAxes) {
  std::vector<std::string> labels;
  for (const Tick& tick : make_ticks({-0.3, 1.1}, Scale::kLinear).ticks)
    labels.push_back(tick.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"−0.2", "0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
}

TEST(Ticks, TakeOutACommonPowerOfTen) {
  const Ticks ticks = make_ticks({0.0, 6.5e-5}, Scale::kLinear);
  EXPECT_EQ(ticks.common_exponent, -5);
  EXPECT_EQ(ticks.ticks[1].label, "1");
}

TEST(Ticks, AreDecadesOnLogAxes) {
  int decades = 0;
  for (const Tick& tick : make_ticks({1e-5, 1.0}, Scale::kLog).ticks)
    decades += tick.exponent.has_value() ? 1 : 0;
  EXPECT_EQ(decades, 6);
}

TEST(Ticks, MayHaveNames) {
  const Ticks ticks = make_ticks(Axis{.names = {"N", "F"}}, Range{0.3, 2.7});
  ASSERT_EQ(ticks.ticks.size(), 2u);
  EXPECT_EQ(ticks.ticks[1].value, 2.0);
  EXPECT_EQ(ticks.ticks[1].label, "F");
}

}  // namespace
}  // namespace picus::studies
