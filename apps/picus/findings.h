// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "picus/runs/inspect.h"

namespace picus::app {

/// One line each, "warning: …", after `indent` blanks: the first of many, and how many more.
std::string to_text(const std::vector<Finding>& findings, std::FILE* stream,
                    std::size_t indent = 0);

}  // namespace picus::app
