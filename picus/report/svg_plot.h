// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A small plot writer: panels in a grid, one legend for all of them.

#include <string>
#include <vector>

#include "picus/report/plot_axis.h"

namespace picus::report {

enum class Marker { kNone, kCircle, kSquare, kTriangle, kDiamond, kCross, kPlus, kDot };
enum class Line { kNone, kSolid, kDashed };

/// Colours that most people can tell apart (Okabe and Ito), grey for guides, and three dark ones of
/// Tol's where six are too few.
enum class Colour {
  kBlue,
  kVermilion,
  kGreen,
  kPurple,
  kOrange,
  kSky,
  kBlack,
  kGrey,
  kWine,
  kOlive,
  kIndigo
};

/// Curves of the same name share one entry of the legend; a curve without name has none.
struct Curve {
  std::string name = {};
  std::vector<double> x = {}, y = {};
  Colour colour = Colour::kBlue;
  Marker marker = Marker::kNone;
  Line line = Line::kSolid;
};

struct Panel {
  std::string title = {};
  Axis x = {}, y = {};
  std::vector<Curve> curves = {};
};

struct Figure {
  std::string title = {};
  int columns = 1;
  std::vector<Panel> panels = {};
  double panel_width = 400.0, panel_height = 260.0;  ///< of the frames [px]
};

/// A dashed line of the given slope on log-log axes, over [from, to] and through (to, at_end).
Curve slope_guide(double slope, double from, double to, double at_end);

/// The figure as a complete SVG document. What lies outside a frame is cut off.
std::string to_svg(const Figure& figure);

}  // namespace picus::report
