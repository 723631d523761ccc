// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The methods that know friction, as the studies of friction show them.

#include <string>
#include <vector>

#include "picus/picus.h"
#include "studies/svg_plot.h"

namespace picus::studies {

struct FrictionMethod {
  const char* name;
  const char* stepper;
  Colour colour;
  Marker marker;
};
constexpr FrictionMethod kFrictionMethods[] = {
    {"PVA", "nonsmooth_pva", Colour::kBlue, Marker::kCircle},
    {"PVV", "nonsmooth_pvv", Colour::kVermilion, Marker::kSquare},
    {"Moreau–Jean", "moreau_jean", Colour::kGreen, Marker::kTriangle}};

/// Errors over steps on log-log axes, one curve per method and a guide of each slope.
Panel error_panel(const std::string& title, const std::string& label, const std::vector<double>& h,
                  const std::vector<std::vector<double>>& errors,
                  const std::vector<double>& slopes);

/// "h", then the errors of every method.
std::vector<std::vector<double>> error_rows(const std::vector<double>& h,
                                            const std::vector<std::vector<double>>& errors);

}  // namespace picus::studies
