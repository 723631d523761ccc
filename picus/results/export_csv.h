// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "picus/results/result_file.h"

namespace picus {

/// Which samples an export takes: every n-th, or those nearest to the times when there are any.
struct SampleChoice {
  long every = 1;
  std::vector<double> times;  ///< [s], ascending
};

/// The numbers of the chosen samples, ascending, each once. Throws InputError on a bad choice.
std::vector<long> chosen_samples(const ResultFile& result, const SampleChoice& choice);

struct CsvOptions {
  std::vector<std::string> channels;  ///< patterns such as "bodies.*.position.?"; all when empty
  SampleChoice samples;
};

/// Writes a table: a line of names with units, "time [s],bodies.rod.position.x [m]", then one line
/// per sample. Numbers are the shortest that read back as the same double.
void export_csv(const ResultFile& result, const CsvOptions& options, std::ostream& out);

}  // namespace picus
