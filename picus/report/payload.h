// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picus/results/result_file.h"

namespace picus::report {

struct PayloadOptions {
  long numbers = 4000000;    ///< to which the samples of a result are thinned out
  long least_samples = 400;  ///< kept of every result, however wide it is
};

/// A result as a page reads it (docs/formats/page.md), compressed.
std::string payload_of(const ResultFile& result, const PayloadOptions& options = {});

}  // namespace picus::report
