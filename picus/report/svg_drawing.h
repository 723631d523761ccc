// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The strokes a plot is made of, as SVG elements.

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "picus/report/page_template.h"
#include "picus/report/svg_plot.h"

namespace picus::report {

struct Point {
  double x = 0.0, y = 0.0;  ///< [px], y downwards; NaN where a line is interrupted
};

struct Frame {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;

  bool holds(const Point& p) const;
};

/// "#0072b2" and the like.
const char* code_of(Colour colour);

/// The polyline cut at the frame, as the data of a path element.
std::string path_data(const std::vector<Point>& points, const Frame& frame);

/// Collects SVG elements.
class Drawing {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  void text(const Point& at, const std::string& words, const char* anchor, int size = 12);
  void power_of_ten(const Point& at, const std::string& before, int exponent, const char* anchor);
  void line(const Point& a, const Point& b, const char* colour, double width = 1.0,
            Line style = Line::kSolid);
  /// The path of a curve, from path_data().
  void path(const std::string& data, Colour colour, Line style);
  void marker(const Point& at, Marker marker, Colour colour);

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace picus::report
