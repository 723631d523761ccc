// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/svg_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace picus::report {
namespace {

constexpr std::array<const char*, 11> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                               "#e69f00", "#56b4e9", "#000000", "#8a8a8a",
                                               "#882255", "#999933", "#332288"};

const char* dash_of(Line line) {
  return line == Line::kDashed ? " stroke-dasharray=\"6 4\"" : "";
}

// The part of a segment inside the frame (Liang-Barsky).
std::optional<std::pair<Point, Point>> clipped(const Point& a, const Point& b, const Frame& f) {
  double enter = 0.0, leave = 1.0;
  const double dx = b.x - a.x, dy = b.y - a.y;
  const std::array<std::pair<double, double>, 4> edges{
      {{-dx, a.x - f.x}, {dx, f.x + f.width - a.x}, {-dy, a.y - f.y}, {dy, f.y + f.height - a.y}}};
  for (const auto& [p, q] : edges) {
    if (p == 0.0 && q < 0.0) return {};
    if (p < 0.0) enter = std::max(enter, q / p);
    if (p > 0.0) leave = std::min(leave, q / p);
  }
  if (enter > leave) return {};
  return std::pair{Point{a.x + enter * dx, a.y + enter * dy},
                   Point{a.x + leave * dx, a.y + leave * dy}};
}

// The outline of a marker of radius r, from its centre.
std::string shape_of(Marker marker, double r) {
  switch (marker) {
    case Marker::kSquare:
      return fmt::format("m{0} {0}h{1}v{1}h{2}z", -r, 2 * r, -2 * r);
    case Marker::kTriangle:
      return fmt::format("m0 {}l{} {}h{}z", -1.2 * r, r, 2 * r, -2 * r);
    case Marker::kDiamond:
      return fmt::format("m0 {0}l{1} {1}l{0} {1}l{0} {0}z", -1.2 * r, 1.2 * r);
    case Marker::kCross:
      return fmt::format("m{0} {0}l{1} {1}m0 {2}l{2} {1}", -r, 2 * r, -2 * r);
    case Marker::kPlus:
      return fmt::format("m{0} 0h{1}m{0} {0}v{1}", -1.2 * r, 2.4 * r);
    default:
      return {};
  }
}

}  // namespace

bool Frame::holds(const Point& p) const {
  constexpr double kSlack = 1e-6;
  return p.x >= x - kSlack && p.x <= x + width + kSlack && p.y >= y - kSlack &&
         p.y <= y + height + kSlack;
}

const char* code_of(Colour colour) {
  return kColours[static_cast<std::size_t>(colour)];
}

// The polyline cut at the frame, as path data.
std::string path_data(const std::vector<Point>& points, const Frame& frame) {
  std::string d;
  Point pen{std::nan(""), std::nan("")};
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point &a = points[i - 1], &b = points[i];
    if (std::isnan(a.x + a.y + b.x + b.y)) continue;
    const auto visible = clipped(a, b, frame);
    if (!visible) continue;
    const auto& [from, to] = *visible;
    if (!(std::abs(from.x - pen.x) + std::abs(from.y - pen.y) < 1e-9))
      fmt::format_to(std::back_inserter(d), "M{:.2f} {:.2f}", from.x, from.y);
    fmt::format_to(std::back_inserter(d), "L{:.2f} {:.2f}", to.x, to.y);
    pen = to;
  }
  return d;
}

void Drawing::text(const Point& at, const std::string& words, const char* anchor, int size) {
  add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"{}\">{}</text>\n", at.x, at.y,
      size, anchor, escaped(words));
}

void Drawing::power_of_ten(const Point& at, const std::string& before, int exponent,
                           const char* anchor) {
  add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" text-anchor=\"{}\">{}10"
      "<tspan dy=\"-5\" font-size=\"9\">{}{}</tspan></text>\n",
      at.x, at.y, anchor, before, exponent < 0 ? "−" : "", std::abs(exponent));
}

void Drawing::line(const Point& a, const Point& b, const char* colour, double width, Line style) {
  add("<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\" stroke=\"{}\" stroke-width=\"{}\" "
      "fill=\"none\"{}/>\n",
      a.x, a.y, b.x, b.y, colour, width, dash_of(style));
}

void Drawing::path(const std::string& data, Colour colour, Line style) {
  if (data.empty()) return;
  add("<path d=\"{}\" stroke=\"{}\" stroke-width=\"1.5\" fill=\"none\" "
      "stroke-linejoin=\"round\"{}/>\n",
      data, code_of(colour), dash_of(style));
}

void Drawing::marker(const Point& at, Marker marker, Colour colour) {
  constexpr double kRadius = 3.4;
  constexpr const char* kPaint = "fill=\"#ffffff\" fill-opacity=\"0.6\" stroke-width=\"1.3\"";
  if (marker == Marker::kNone) return;
  if (marker == Marker::kDot) {
    add("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\"/>\n", at.x, at.y, 0.7 * kRadius,
        code_of(colour));
  } else if (marker == Marker::kCircle) {
    add("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" stroke=\"{}\" {}/>\n", at.x, at.y, kRadius,
        code_of(colour), kPaint);
  } else {
    add("<path d=\"M{:.2f} {:.2f}{}\" stroke=\"{}\" {}/>\n", at.x, at.y, shape_of(marker, kRadius),
        code_of(colour), kPaint);
  }
}

}  // namespace picus::report
