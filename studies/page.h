// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a study found, for its page.

#include "picus/report/study_page.h"
#include "studies/report.h"

namespace picus::studies {

report::StudyPage page_of(const Report& report, const ReportHeader& header);

}  // namespace picus::studies
