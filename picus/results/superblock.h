// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The first bytes of an HDF5 file (version 3 of its superblock). Internal to the room.

#include <cstdint>
#include <optional>

namespace picus::hdf5 {

struct Superblock {
  unsigned char flags = 0;        ///< set while a program writes
  std::uint64_t end_of_file = 0;  ///< as far as the file goes
};

/// Nothing when there is none, or one of another version.
std::optional<Superblock> read_superblock(int descriptor);

/// Makes the file that is being written look like one that was closed now: no program is told that
/// another one writes, and all that is there belongs to it. False when it could not be written.
bool mark_as_closed(int descriptor);

}  // namespace picus::hdf5
