// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "picus/io/diagnostics.h"
#include "picus/io/tree.h"

namespace picus {

/// The units of one file, as factors to SI units. Values are multiplied by factor() when they are
/// read: models, mechanisms and results are in SI units throughout.
struct Units {
  double length = 1.0, mass = 1.0, time = 1.0, angle = 1.0, force = 1.0;

  /// SI value of 1 in these units.
  double factor(const Dimension& dimension) const;
  bool operator==(const Units&) const = default;
};

/// A unit that `units:` knows.
struct UnitName {
  std::string_view quantity;  ///< length, mass, time, angle, force
  std::string_view name;
  double factor;
};

/// All of them, by quantity, the SI unit first.
std::span<const UnitName> unit_names();

/// Reads `units: {length: mm, …}`.
Units read_units(const TreeNode& node, Diagnostics& diagnostics);

/// "kg·m²", "N/m", "1" when there is none: for the reference.
std::string si_name(const Dimension& dimension);

}  // namespace picus
