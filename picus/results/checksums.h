// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checksums of result files. Internal to the room.

#include <cstddef>
#include <cstdint>
#include <span>

#include "picus/results/hdf5_driver.h"

namespace picus::hdf5 {

/// The checksum of the filter of that name: Fletcher's, of big-endian words of 16 bits. `bytes` is
/// even.
std::uint32_t fletcher32(const void* data, std::size_t bytes);

/// CRC-32 of a sample, continued number by number; begins with 0.
std::uint32_t checksum_of(std::span<const double> values, std::uint32_t before);

/// CRC-32 of a piece of a file; of what is there when it is shorter.
std::uint32_t checksum_of_file(int descriptor, const Block& block);

}  // namespace picus::hdf5
