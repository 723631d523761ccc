// SPDX-License-Identifier: BSD-3-Clause
// What is recorded and drawn of beams.
#include <cmath>

#include "picus/mechanism/beam.h"

namespace picus {

PartQuantity AssembledBeam::of_elements(std::string quantity, std::string unit,
                                        std::string meaning) const {
  PartQuantity result{
      .name = std::move(quantity), .unit = std::move(unit), .meaning = std::move(meaning)};
  for (std::size_t e = 1; e <= size(); ++e)
    result.items.push_back(name() + "." + std::to_string(e));
  return result;
}

// The largest stress along the beam at the outline of a section, positive when it pulls.
double AssembledBeam::outer_stress(const Vector6& strain) const {
  double largest = 0.0;
  for (const Vector3& point : data_.outline) {
    const double here = strain(0) + strain(4) * point(2) - strain(5) * point(1);
    if (std::abs(here) > std::abs(largest)) largest = here;
  }
  return data_.modulus * largest;
}

std::vector<PartQuantity> AssembledBeam::quantities() const {
  const std::vector<std::string> axes{"x", "y", "z"};
  const auto halves = [this](void (AssembledBeam::*what)(const State&, std::vector<Vector6>&) const,
                             int first) {
    return [this, what, first](const State& s, std::vector<double>& to) {
      std::vector<Vector6> all;
      (this->*what)(s, all);
      for (const Vector6& one : all)
        for (int k = first; k < first + 3; ++k)
          to.push_back(one(k));
    };
  };
  std::vector<PartQuantity> all;
  const auto add = [&](PartQuantity quantity, std::vector<std::string> components, auto values) {
    quantity.components = std::move(components);
    quantity.values = std::move(values);
    all.push_back(std::move(quantity));
  };
  add(of_elements("section_force", "N",
                  "force in the section, in its axes: along the beam (positive when it pulls) and "
                  "two shear forces"),
      axes, halves(&AssembledBeam::stresses, 0));
  add(of_elements("section_moment", "N m",
                  "moment in the section, in its axes: torsion and two bending moments"),
      axes, halves(&AssembledBeam::stresses, 3));
  add(of_elements("strain", "1", "axial strain and two shear strains"), axes,
      halves(&AssembledBeam::strains, 0));
  add(of_elements("curvature", "1/m", "twist and two curvatures, relative to the unstrained beam"),
      axes, halves(&AssembledBeam::strains, 3));
  if (data_.outline.empty()) return all;
  add(of_elements("stress", "Pa", "largest normal stress at the outline of the section"), {},
      [this](const State& s, std::vector<double>& to) {
        std::vector<Vector6> strains;
        this->strains(s, strains);
        for (const Vector6& strain : strains)
          to.push_back(outer_stress(strain));
      });
  return all;
}

PartLine AssembledBeam::line() const {
  return {.kind = "beam",
          .nodes = nodes(),
          .area = data_.area,
          .modulus = data_.modulus,
          .outline = data_.outline};
}

}  // namespace picus
