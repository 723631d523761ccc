// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Files that studies need, built into the program so that it runs anywhere.

#include <string_view>

namespace picus::studies {

std::string_view poly_v_belt_model();      ///< models/poly_v_belt.yaml
std::string_view poly_v_belt_reference();  ///< studies/data/poly_v_belt.csv

}  // namespace picus::studies
