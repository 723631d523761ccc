// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/svg_plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/report/svg_drawing.h"

namespace picus::report {
namespace {

// Layout around the frames [px].
constexpr double kLeft = 74.0, kRight = 18.0, kTop = 30.0, kBottom = 52.0;
constexpr double kTitle = 34.0, kLegendRow = 22.0, kMargin = 10.0;
constexpr double kLetter = 6.7;  // mean width of a letter at 12 px

double text_width(const std::string& text) {
  const auto letters =
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return kLetter * static_cast<double>(letters);
}

double tick_width(const Tick& tick) {
  if (!tick.exponent) return text_width(tick.label);
  constexpr double kWide = 1.15;  // digits, beside letters
  return kWide *
         (text_width(tick.label + "10") + 0.8 * text_width(fmt::format("{}", *tick.exponent)));
}

Range range_of(const Panel& panel, const Axis& axis, std::vector<double> Curve::*values) {
  if (axis.range) return *axis.range;
  std::vector<double> all;
  for (const Curve& curve : panel.curves)
    all.insert(all.end(), (curve.*values).begin(), (curve.*values).end());
  return fitting_range(all, axis.scale);
}

class PanelDrawing {
 public:
  PanelDrawing(Drawing& out, const Panel& panel, const Frame& frame)
      : out_(out),
        panel_(panel),
        frame_(frame),
        x_(range_of(panel, panel.x, &Curve::x)),
        y_(range_of(panel, panel.y, &Curve::y)) {}

  void draw() {
    out_.add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", frame_.x,
             frame_.y, frame_.width, frame_.height);
    draw_x_axis();
    draw_y_axis();
    for (const Curve& curve : panel_.curves)
      draw_curve(curve);
    out_.add(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" "
        "stroke=\"#333333\"/>\n",
        frame_.x, frame_.y, frame_.width, frame_.height);
    out_.text({frame_.x + 0.5 * frame_.width, frame_.y - 9.0}, panel_.title, "middle", 13);
  }

 private:
  Point at(double x, double y) const {
    return {frame_.x + frame_.width * place(x, x_, panel_.x.scale),
            frame_.y + frame_.height * (1.0 - place(y, y_, panel_.y.scale))};
  }

  void draw_x_axis() {
    const double bottom = frame_.y + frame_.height;
    const Ticks ticks = make_ticks(panel_.x, x_);
    for (const Tick& tick : ticks.ticks) {
      const double x = at(tick.value, y_.low).x;
      const bool major = tick.is_major();
      if (major) out_.line({x, frame_.y}, {x, bottom}, "#e6e6e6");
      out_.line({x, bottom}, {x, bottom - (major ? 6.0 : 3.0)}, "#333333");
      if (tick.exponent)
        out_.power_of_ten({x, bottom + 18.0}, tick.label, *tick.exponent, "middle");
      else if (major)
        out_.text({x, bottom + 17.0}, tick.label, "middle");
    }
    if (ticks.common_exponent != 0)
      out_.power_of_ten({frame_.x + frame_.width, bottom + 34.0}, "×", ticks.common_exponent,
                        "end");
    out_.text({frame_.x + 0.5 * frame_.width, bottom + 37.0}, panel_.x.label, "middle");
  }

  void draw_y_axis() {
    const Ticks ticks = make_ticks(panel_.y, y_);
    double widest = 0.0;
    for (const Tick& tick : ticks.ticks) {
      widest = std::max(widest, tick_width(tick));
      const double y = at(x_.low, tick.value).y;
      const bool major = tick.is_major();
      if (major) out_.line({frame_.x, y}, {frame_.x + frame_.width, y}, "#e6e6e6");
      out_.line({frame_.x, y}, {frame_.x + (major ? 6.0 : 3.0), y}, "#333333");
      if (tick.exponent)
        out_.power_of_ten({frame_.x - 7.0, y + 5.0}, tick.label, *tick.exponent, "end");
      else if (major)
        out_.text({frame_.x - 7.0, y + 4.0}, tick.label, "end");
    }
    if (ticks.common_exponent != 0)
      out_.power_of_ten({frame_.x, frame_.y - 8.0}, "×", ticks.common_exponent, "start");
    // beside the widest number, and in line with the other panels where that fits
    const double x = frame_.x - std::max(52.0, widest + 17.0), y = frame_.y + 0.5 * frame_.height;
    out_.add(
        "<text x=\"{0:.1f}\" y=\"{1:.1f}\" font-size=\"12\" text-anchor=\"middle\" "
        "transform=\"rotate(-90 {0:.1f} {1:.1f})\">{2}</text>\n",
        x, y, escaped(panel_.y.label));
  }

  void draw_curve(const Curve& curve) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i)
      points.push_back(at(curve.x[i], curve.y[i]));
    if (curve.line != Line::kNone) out_.path(path_data(points, frame_), curve.colour, curve.line);
    for (const Point& point : points) {
      if (!std::isnan(point.x + point.y) && frame_.holds(point))
        out_.marker(point, curve.marker, curve.colour);
    }
  }

  Drawing& out_;
  const Panel& panel_;
  Frame frame_;
  Range x_, y_;
};

struct LegendEntry {
  const Curve* curve;
  double x = 0.0;
  int row = 0;
};

// One entry for each name, in rows no wider than the figure.
std::vector<LegendEntry> place_legend(const Figure& figure, double width) {
  std::vector<LegendEntry> entries;
  double x = kMargin + kLeft;
  int row = 0;
  for (const Panel& panel : figure.panels) {
    for (const Curve& curve : panel.curves) {
      const bool known = std::any_of(entries.begin(), entries.end(), [&](const LegendEntry& e) {
        return e.curve->name == curve.name;
      });
      if (known || curve.name.empty()) continue;
      const double needed = 58.0 + text_width(curve.name);
      if (x + needed > width - kMargin && x > kMargin + kLeft) {
        x = kMargin + kLeft;
        ++row;
      }
      entries.push_back({&curve, x, row});
      x += needed;
    }
  }
  return entries;
}

void draw_legend(Drawing& out, const std::vector<LegendEntry>& entries, double top) {
  for (const LegendEntry& entry : entries) {
    const double y = top + kLegendRow * (entry.row + 0.5);
    const Curve& curve = *entry.curve;
    if (curve.line != Line::kNone)
      out.line({entry.x, y}, {entry.x + 30.0, y}, code_of(curve.colour), 1.8, curve.line);
    out.marker({entry.x + 15.0, y}, curve.marker, curve.colour);
    out.text({entry.x + 37.0, y + 4.0}, curve.name, "start");
  }
}

}  // namespace

Curve slope_guide(double slope, double from, double to, double at_end) {
  return {.name = fmt::format("slope {:g}", slope),
          .x = {from, to},
          .y = {at_end * std::pow(from / to, slope), at_end},
          .colour = slope < 1.5 ? Colour::kGrey : Colour::kBlack,
          .line = Line::kDashed};
}

std::string to_svg(const Figure& figure) {
  const int columns = std::max(1, figure.columns);
  const int rows = (static_cast<int>(figure.panels.size()) + columns - 1) / columns;
  const double cell_width = kLeft + figure.panel_width + kRight;
  const double cell_height = kTop + figure.panel_height + kBottom;
  const double width = 2.0 * kMargin + columns * cell_width;
  const auto legend = place_legend(figure, width);
  const int legend_rows = legend.empty() ? 0 : legend.back().row + 1;
  const double top = kMargin + kTitle + legend_rows * kLegendRow + 4.0;
  const double height = top + rows * cell_height + kMargin;

  Drawing out;
  out.add(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
      "viewBox=\"0 0 {0:g} {1:g}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
      "fill=\"#1a1a1a\">\n<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"#fdfdfd\"/>\n",
      width, height);
  out.text({kMargin + kLeft, kMargin + 20.0}, figure.title, "start", 16);
  draw_legend(out, legend, kMargin + kTitle);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
    const Frame frame{kMargin + column * cell_width + kLeft, top + row * cell_height + kTop,
                      figure.panel_width, figure.panel_height};
    PanelDrawing(out, figure.panels[i], frame).draw();
  }
  out.add("</svg>\n");
  return out.take();
}

}  // namespace picus::report
