// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace picus {

/// For programs that use HDF5 through Picus alone, as the first thing in main: the library does not
/// tidy up when the process ends. Files are closed by then; one that is damaged makes it complain
/// in words of its own.
void skip_tidying_of_hdf5();

}  // namespace picus
