// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/result_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace picus::report {
namespace {

// More curves in one figure nobody can tell apart.
constexpr std::size_t kMostCurves = 60;
constexpr int kBrightColours = 6;  // the bright ones; further curves are dashed

/// A channel with the quantity it belongs to.
struct Drawn {
  std::string name, unit, quantity;
};

std::vector<Drawn> all_channels(const ResultFile& result) {
  std::vector<Drawn> all;
  for (const Quantity& quantity : result.header().quantities)
    for (std::string& name : channel_names(quantity))
      all.push_back({std::move(name), quantity.unit, quantity.name});
  return all;
}

std::vector<Drawn> chosen(const ResultFile& result, const std::vector<std::string>& patterns) {
  const std::vector<Drawn> all = all_channels(result);
  std::vector<Drawn> drawn;
  for (const std::size_t i : chosen_channels(result.channels(), patterns))
    drawn.push_back(all[i]);
  return drawn;
}

// Numbers of samples within the range.
struct Window {
  std::size_t first = 0, count = 0;

  std::vector<double> cut(const std::vector<double>& values) const {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }
};

Window window_of(const ResultFile& result, const ResultPlotOptions& options) {
  const std::vector<double>& times = result.times();
  const auto first = std::lower_bound(times.begin(), times.end(), options.from);
  const auto last = std::upper_bound(first, times.end(), options.to);
  if (first == last && !times.empty())
    throw InputError(
        fmt::format("no sample lies between {:g} and {:g} s: the run goes from {:g} "
                    "to {:g} s",
                    options.from, options.to, times.front(), times.back()));
  if (first == last) throw InputError("the result has no samples: there is nothing to draw");
  return {static_cast<std::size_t>(first - times.begin()), static_cast<std::size_t>(last - first)};
}

// What a curve of many samples looks like at this width: of every column of pixels the first, the
// lowest, the highest and the last point.
void thin(double width, Curve& curve) {
  const auto columns = static_cast<std::size_t>(2.0 * width);
  const std::size_t count = curve.x.size();
  if (count <= 4 * columns) return;
  Curve thinned;
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t begin = column * count / columns, end = (column + 1) * count / columns;
    const auto y = std::span(curve.y).subspan(begin, end - begin);
    const auto [low, high] = std::minmax_element(y.begin(), y.end());
    std::array<std::size_t, 4> kept{begin, begin + static_cast<std::size_t>(low - y.begin()),
                                    begin + static_cast<std::size_t>(high - y.begin()), end - 1};
    std::sort(kept.begin(), kept.end());
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (k > 0 && kept[k] == kept[k - 1]) continue;
      thinned.x.push_back(curve.x[kept[k]]);
      thinned.y.push_back(curve.y[kept[k]]);
    }
  }
  curve.x = std::move(thinned.x);
  curve.y = std::move(thinned.y);
}

std::string label(const std::string& words, const std::string& unit) {
  if (unit.empty()) return words;
  return words.empty() ? fmt::format("[{}]", unit) : fmt::format("{} [{}]", words, unit);
}

std::string with_blanks(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// The name that all have, or none.
std::string common_quantity(const std::vector<Drawn>& drawn) {
  for (const Drawn& channel : drawn)
    if (channel.quantity != drawn.front().quantity) return {};
  return with_blanks(drawn.front().quantity);
}

/// Draws groups of channels into panels of one figure; curves of one name have one colour.
class Plotter {
 public:
  Plotter(const ResultFile& result, const ResultPlotOptions& options)
      : result_(result), options_(options), window_(window_of(result, options)) {
    figure_.title = options.title.empty() ? result.header().model_name : options.title;
    figure_.panel_width = options.width;
    figure_.panel_height = options.height;
  }

  // Numbers without a unit go to the first panel that has one.
  void add(const std::vector<Drawn>& channels, const std::string& x, const std::string& title) {
    std::string main;
    for (const Drawn& channel : channels)
      if (main.empty()) main = channel.unit;
    std::vector<std::string> units;
    for (const Drawn& channel : channels) {
      const std::string& unit = channel.unit.empty() ? main : channel.unit;
      if (std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(unit);
    }
    for (const std::string& unit : units) {
      std::vector<Drawn> own;
      std::copy_if(channels.begin(), channels.end(), std::back_inserter(own),
                   [&](const Drawn& c) { return (c.unit.empty() ? main : c.unit) == unit; });
      add_panel(own, unit, x, title);
    }
  }

  Figure take() { return std::move(figure_); }

 private:
  void add_panel(const std::vector<Drawn>& channels, const std::string& unit, const std::string& x,
                 const std::string& title) {
    Panel panel{.title = title};
    panel.x.label = "t [s]";
    std::vector<double> abscissae = result_.times();
    if (!x.empty()) {
      const std::vector<Drawn> found = chosen(result_, {x});
      if (found.size() != 1)
        throw InputError(fmt::format("the abscissa is one channel; '{}' matches {}: {}, {}, …", x,
                                     found.size(), found[0].name, found[1].name));
      panel.x.label = label(found[0].name, found[0].unit);
      abscissae = result_.column(found[0].name);
    } else {
      panel.x.range =
          Range{result_.times()[window_.first], result_.times()[window_.first + window_.count - 1]};
      if (panel.x.range->low == panel.x.range->high) panel.x.range.reset();
    }
    panel.y.label =
        label(channels.size() == 1 ? channels[0].name : common_quantity(channels), unit);
    panel.y.scale = options_.logarithmic ? Scale::kLog : Scale::kLinear;
    for (const Drawn& channel : channels) {
      Curve curve{.name = channel.name,
                  .x = window_.cut(abscissae),
                  .y = window_.cut(result_.column(channel.name))};
      if (x.empty()) thin(options_.width, curve);
      paint(curve);
      panel.curves.push_back(std::move(curve));
    }
    figure_.panels.push_back(std::move(panel));
  }

  void paint(Curve& curve) {
    auto known = std::find(names_.begin(), names_.end(), curve.name);
    if (known == names_.end()) known = names_.insert(names_.end(), curve.name);
    const auto number = static_cast<int>(known - names_.begin());
    curve.colour = static_cast<Colour>(number % kBrightColours);
    curve.line = number / kBrightColours % 2 == 1 ? Line::kDashed : Line::kSolid;
    if (names_.size() > kMostCurves)
      throw InputError(fmt::format("these are more than {} channels: name fewer", kMostCurves));
  }

  const ResultFile& result_;
  const ResultPlotOptions& options_;
  Window window_;
  Figure figure_;
  std::vector<std::string> names_;
};

// The plots that the model names, as its scene has them.
nlohmann::json plots_of_model(const ResultFile& result) {
  const auto scene = nlohmann::json::parse(result.header().scene, nullptr, false);
  if (!scene.is_object()) return nlohmann::json::array();
  return scene.value("plots", nlohmann::json::array());
}

}  // namespace

Figure plot_of(const ResultFile& result, const ResultPlotOptions& options) {
  Plotter plotter(result, options);
  if (!options.channels.empty()) {
    plotter.add(chosen(result, options.channels), options.x, "");
    return plotter.take();
  }
  const nlohmann::json plots = plots_of_model(result);
  if (plots.empty())
    throw InputError(
        "nothing to draw: name channels, such as 'joints.*.angle'; 'picus info RESULT' lists them. "
        "A model may name its own under 'plots:'");
  for (const auto& plot : plots) {
    const auto channels = chosen(result, plot.value("y", std::vector<std::string>{}));
    plotter.add(channels, options.x.empty() ? plot.value("x", "") : options.x,
                plot.value("title", ""));
  }
  return plotter.take();
}

}  // namespace picus::report
