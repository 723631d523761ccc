// SPDX-License-Identifier: BSD-3-Clause
#include "picus/base/contract.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace picus {

void contract_violated(std::string_view what, const std::source_location& where) {
  fmt::print(stderr, "{}:{}: {}: broken promise: {}\n", where.file_name(), where.line(),
             where.function_name(), what);
  std::abort();
}

}  // namespace picus
