// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One program writes a file at a time. Internal to the room.

#include <filesystem>

namespace picus::hdf5 {

/// Tells others that whoever holds the descriptor writes the file. Folders on a network may know no
/// locks; there nobody is told.
void claim(int descriptor);

/// Does somebody write it, in this process or another?
bool is_claimed(const std::filesystem::path& path);

}  // namespace picus::hdf5
