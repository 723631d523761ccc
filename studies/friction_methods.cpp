// SPDX-License-Identifier: BSD-3-Clause
#include "studies/friction_methods.h"

#include <algorithm>

namespace picus::studies {

Panel error_panel(const std::string& title, const std::string& label, const std::vector<double>& h,
                  const std::vector<std::vector<double>>& errors,
                  const std::vector<double>& slopes) {
  Panel panel{.title = title,
              .x = {.label = "h [s]", .scale = Scale::kLog},
              .y = {.label = label, .scale = Scale::kLog}};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const FrictionMethod& method = kFrictionMethods[i];
    panel.curves.push_back({.name = method.name,
                            .x = h,
                            .y = errors[i],
                            .colour = method.colour,
                            .marker = method.marker});
  }
  for (const double slope : slopes) {
    // below the most accurate curve for steep slopes, above the others for flat ones
    double at_end = slope > 1.5 ? 1e300 : 0.0;
    for (const auto& error : errors)
      at_end = slope > 1.5 ? std::min(at_end, 0.5 * error.front())
                           : std::max(at_end, 2.0 * error.front());
    panel.curves.push_back(slope_guide(slope, h.back(), h.front(), at_end));
  }
  return panel;
}

std::vector<std::vector<double>> error_rows(const std::vector<double>& h,
                                            const std::vector<std::vector<double>>& errors) {
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < h.size(); ++k) {
    rows.push_back({h[k]});
    for (const auto& error : errors)
      rows.back().push_back(error[k]);
  }
  return rows;
}

}  // namespace picus::studies
