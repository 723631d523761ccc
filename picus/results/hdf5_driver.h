// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How HDF5 reaches the disk: the driver that reads and writes result files. Internal to the room.
//
// The library's own driver reports a failed write to the library, which then cannot close the file
// any more (a full disk ended in a segmentation fault). This one keeps the failure to itself and
// writes nothing from then on. The library orders its writes so that the file can be read after
// each of them, so the disk holds what it would after a kill at that moment, and HDF5 goes on in
// peace until whoever looks at Disk::error closes the file.

#include <cstdint>
#include <memory>
#include <vector>

namespace picus::hdf5 {

/// A piece of a file.
struct Block {
  std::uint64_t address = 0, size = 0;
};

/// What a driver knows about its file.
struct Disk {
  int error = 0;        ///< errno of the first write that failed; 0 for none
  bool is_cut = false;  ///< the file is shorter than its header says
  bool lists_blocks = false;
  std::vector<Block> raw_blocks;  ///< if so, those written: heaps of texts, rows of tables
};

/// Lets files opened with these access properties use the driver and tell `disk`. The pointer must
/// live until the file is open.
void use_driver(std::int64_t access, const std::shared_ptr<Disk>& disk);

}  // namespace picus::hdf5
