// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The page of a run: one HTML file that needs neither a server nor a network.

#include <filesystem>
#include <string>

#include "picus/report/payload.h"

namespace picus::report {

/// The page of a result. Throws InputError when this program was built without pages.
std::string run_page(const ResultFile& result, const PayloadOptions& options = {});

/// The same without a result: it asks the server it came from, again and again. Another run may be
/// in it, see comparing_page.
std::string live_page();
std::string live_page(const ResultFile& other, const std::string& name,
                      const PayloadOptions& options = {});

/// The same with another run: dashed curves, and bodies of glass or side by side. It is called
/// `name`.
std::string comparing_page(const ResultFile& result, const ResultFile& other,
                           const std::string& name, const PayloadOptions& options = {});

/// Writes a page to a file; folders on the way are made. Throws WriteError when it cannot.
void write_page(const std::string& page, const std::filesystem::path& path);

}  // namespace picus::report
