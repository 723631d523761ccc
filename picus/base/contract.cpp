// SPDX-License-Identifier: BSD-3-Clause
#include "picus/base/contract.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace picus {

void contract_violated(std::string_view what, const SourceLine& where) {
  fmt::print(stderr, "{}:{}: {}: broken promise: {}\n", where.file, where.line, where.function,
             what);
  std::abort();
}

}  // namespace picus
