// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tests/io/toy_model.h"

namespace picus::toy {

using Overrides = std::vector<std::string>;

/// The model of a text; every message is a failure of the test.
Model read(const std::string& text, const Overrides& overrides = {});

/// What is said about a text, or about a file.
std::string messages(const std::string& text, const Overrides& overrides = {});
std::string messages_of_file(const std::string& path, const Overrides& overrides = {});

}  // namespace picus::toy
