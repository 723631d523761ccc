// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

namespace picus {

/// An isotropic elastic material.
struct Material {
  std::string_view name = {};
  double modulus = 0.0;  ///< Young's [Pa]
  double poisson = 0.0;
  double density = 0.0;  ///< [kg/m³]
  std::string_view source = {};
};

/// Nominal values at room temperature, for a first run; data sheets differ by some per cent.
inline constexpr std::array kMaterials{
    Material{"steel", 210e9, 0.3, 7850.0, "EN 1993-1-1, 3.2.6; EN 1991-1-1, Table A.4"},
    Material{"stainless_steel", 200e9, 0.3, 7900.0, "EN 1993-1-4, 2.1.3; EN 10088-1, Table E.1"},
    Material{"aluminium", 70e9, 0.3, 2700.0, "EN 1999-1-1, 3.2.5"},
    Material{"titanium", 114e9, 0.33, 4430.0, "Ti-6Al-4V, MMPDS-01, 5.4.1"},
};

}  // namespace picus
