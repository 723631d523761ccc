// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How two runs of one motion part. Internal to the room.

#include <optional>
#include <span>

#include "picus/runs/verify.h"

namespace picus {

/// `difference`: of positions relative to their size, at each of `times`. None when it stays below
/// a tenth.
std::optional<Divergence> divergence_of(std::span<const double> times,
                                        std::span<const double> difference);

}  // namespace picus
