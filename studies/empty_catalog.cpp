// SPDX-License-Identifier: BSD-3-Clause
// The catalog of a program that was built without the studies.
#include <fmt/format.h>

#include "picus/base/error.h"
#include "studies/catalog.h"

namespace picus::studies {

std::span<const StudyEntry> study_catalog() {
  return {};
}

const StudyEntry& find_study(std::string_view id) {
  throw InputError(fmt::format(
      "found study '{}', but this program was built without the studies; './dev build' adds them",
      id));
}

}  // namespace picus::studies
