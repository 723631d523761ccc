// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/units.h"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

namespace picus {
namespace {

constexpr double kPound = 0.45359237;         // international yard and pound agreement, 1959
constexpr double kStandardGravity = 9.80665;  // 3rd CGPM, 1901

constexpr std::array<UnitName, 27> kUnits{{
    {"length", "m", 1.0},
    {"length", "mm", 1e-3},
    {"length", "cm", 1e-2},
    {"length", "km", 1e3},
    {"length", "um", 1e-6},
    {"length", "inch", 0.0254},
    {"length", "ft", 0.3048},
    {"mass", "kg", 1.0},
    {"mass", "g", 1e-3},
    {"mass", "mg", 1e-6},
    {"mass", "t", 1e3},
    {"mass", "lb", kPound},
    {"mass", "slug", kPound* kStandardGravity / 0.3048},
    {"time", "s", 1.0},
    {"time", "ms", 1e-3},
    {"time", "us", 1e-6},
    {"time", "min", 60.0},
    {"time", "h", 3600.0},
    {"angle", "rad", 1.0},
    {"angle", "deg", std::numbers::pi / 180.0},
    {"angle", "rev", 2.0 * std::numbers::pi},
    {"force", "N", 1.0},
    {"force", "kN", 1e3},
    {"force", "MN", 1e6},
    {"force", "mN", 1e-3},
    {"force", "lbf", kPound* kStandardGravity},
    {"force", "kgf", kStandardGravity},
}};

constexpr std::array<std::string_view, 5> kQuantities{"length", "mass", "time", "angle", "force"};

double* member(Units& units, std::string_view quantity) {
  const std::array<double*, 5> members{&units.length, &units.mass, &units.time, &units.angle,
                                       &units.force};
  for (std::size_t i = 0; i < kQuantities.size(); ++i) {
    if (kQuantities[i] == quantity) return members[i];
  }
  return nullptr;
}

void read_unit(const TreeNode& node, double& factor, Diagnostics& diagnostics) {
  std::vector<std::string_view> names;
  for (const UnitName& unit : kUnits) {
    if (unit.quantity != node.key) continue;
    if (node.is_scalar() && unit.name == node.text) {
      factor = unit.factor;
      return;
    }
    names.push_back(unit.name);
  }
  // short names are all near each other: the list helps more than a guess
  diagnostics.error(node.place, fmt::format("'{}': found {}, expected one of: {}", node.key,
                                            describe(node), fmt::join(names, ", ")));
}

std::string power(std::string_view name, int exponent) {
  constexpr std::array<std::string_view, 5> kDigits{"", "", "²", "³", "⁴"};
  return fmt::format("{}{}", name, kDigits.at(static_cast<std::size_t>(exponent)));
}

}  // namespace

double Units::factor(const Dimension& d) const {
  const auto raise = [](double unit, int exponent) {
    return exponent == 0 || unit == 1.0 ? 1.0 : std::pow(unit, exponent);
  };
  return raise(length, d.length) * raise(mass, d.mass) * raise(time, d.time) *
         raise(angle, d.angle) * raise(force, d.force);
}

std::span<const UnitName> unit_names() {
  return kUnits;
}

Units read_units(const TreeNode& node, Diagnostics& diagnostics) {
  Units units;
  if (node.is_nothing()) return units;
  if (!node.is_map()) {
    diagnostics.error(
        node.place,
        fmt::format("'units': found {}, expected a map such as {{length: mm}}", describe(node)));
    return units;
  }
  for (const TreeNode& child : node.children) {
    if (double* factor = member(units, child.key)) {
      read_unit(child, *factor, diagnostics);
    } else {
      diagnostics.error(child.key_place, unknown_among("quantity", child.key, kQuantities));
    }
  }
  return units;
}

std::string si_name(const Dimension& d) {
  const std::array<std::pair<std::string_view, int>, 5> parts{
      {{"N", d.force}, {"kg", d.mass}, {"m", d.length}, {"rad", d.angle}, {"s", d.time}}};
  std::string above, below;
  int divisors = 0;
  for (const auto& [name, exponent] : parts) {
    if (exponent == 0) continue;
    std::string& side = exponent > 0 ? above : below;
    if (!side.empty()) side += "·";
    side += power(name, std::abs(exponent));
    if (exponent < 0) ++divisors;
  }
  if (below.empty()) return above;
  const std::string_view top = above.empty() ? std::string_view("1") : above;
  return divisors > 1 ? fmt::format("{}/({})", top, below) : fmt::format("{}/{}", top, below);
}

}  // namespace picus
