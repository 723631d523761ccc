// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a study found, for its page.

#include <filesystem>
#include <optional>

#include "picus/report/study_page.h"
#include "studies/report.h"

namespace picus::studies {

report::StudyPage page_of(const Report& report, const ReportHeader& header);

/// What a study left in a folder when it ran before: enough for its card in a gallery. None when
/// there is no summary.
std::optional<report::StudyPage> page_in(const std::filesystem::path& folder);

}  // namespace picus::studies
