// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the dimensions of the tables of a result are: times, items, components. Internal to the
// room.

#include <vector>

#include "picus/results/hdf5_file.h"
#include "picus/results/quantity.h"

namespace picus {

/// Gives every dimension of every table a scale with its names, and every group the time, so that
/// netCDF and xarray show coordinates. All tables are there, and no row yet.
void add_scales(const hdf5::File& file, const std::vector<Quantity>& quantities);

}  // namespace picus
