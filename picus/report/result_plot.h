// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Channels of a result as a figure.

#include <limits>
#include <string>
#include <vector>

#include "picus/report/svg_plot.h"
#include "picus/results/result_file.h"

namespace picus::report {

struct ResultPlotOptions {
  std::vector<std::string> channels = {};  ///< patterns; the plots of the model when empty
  std::string x = {};                      ///< channel of the abscissa; time when empty
  std::string title = {};                  ///< default: the name of the model
  double from = -std::numeric_limits<double>::infinity();  ///< [s]
  double to = std::numeric_limits<double>::infinity();     ///< [s]
  bool logarithmic = false;                                ///< the ordinates
  double width = 640.0, height = 260.0;                    ///< of each panel [px]
};

/// A panel for each unit among the channels. Throws InputError with the nearest name for a channel
/// that is not there, when no sample lies in the range, or when there is nothing to draw.
Figure plot_of(const ResultFile& result, const ResultPlotOptions& options);

}  // namespace picus::report
