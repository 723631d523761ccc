// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The pages that were built into the program. Internal to the room.

#include <string>
#include <string_view>

namespace picus::report {

/// The page of a run, built from viewer/; throws InputError when this program has none.
std::string_view run_template();

/// The page of a study and of the gallery: plain HTML, always there.
std::string_view study_template();

/// The template with `mark` replaced by `text`; the mark must be there.
std::string filled(std::string_view page, std::string_view mark, std::string_view text);

/// Text as it stands in HTML.
std::string escaped(std::string_view text);

}  // namespace picus::report
