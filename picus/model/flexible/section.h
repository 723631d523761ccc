// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cross-sections of beams. Axes: x along the beam, y up, z = x × y; the origin is the centroid.

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <variant>
#include <vector>

#include "picus/base/fields.h"
#include "picus/model/values.h"

namespace picus {

/// What beams need of a section. Shear areas include the correction factor.
struct SectionProperties {
  double area = 0.0, shear_area_y = 0.0, shear_area_z = 0.0;
  double torsion = 0.0;                   ///< J of G J
  double moment_y = 0.0, moment_z = 0.0;  ///< ∫z² and ∫y²
  std::vector<Vector3> outline = {};      ///< points of largest normal stress, in the section
};

/// What is round: a circle, or a tube with a hole.
struct RoundSection {
  double radius = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("radius", self.radius, "outer radius",
          FieldTraits{.unit = unit::kLength, .required = true});
  }

 protected:
  /// Cowper 1966, m = bore/radius: κ = 6 (1 + ν)(1 + m²)²/((7 + 6 ν)(1 + m²)² + (20 + 12 ν) m²).
  SectionProperties with_bore(double bore, double poisson) const;
};

struct CircleSection : RoundSection {
  static constexpr std::string_view kType = "circle";
  static constexpr std::string_view kSummary = "a full circle";

  SectionProperties properties(double poisson) const { return with_bore(0.0, poisson); }
};

struct TubeSection : RoundSection {
  static constexpr std::string_view kType = "tube";
  static constexpr std::string_view kSummary = "a circle with a round hole";
  double bore = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    RoundSection::for_each_field(self, visit);
    visit("bore", self.bore, "inner radius", FieldTraits{.unit = unit::kLength, .required = true});
  }
  SectionProperties properties(double poisson) const { return with_bore(bore, poisson); }
};

struct RectangleSection {
  static constexpr std::string_view kType = "rectangle";
  static constexpr std::string_view kSummary = "a rectangle";
  double height = 0.0, width = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("height", self.height, "side along y, up",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("width", self.width, "side along z, across",
          FieldTraits{.unit = unit::kLength, .required = true});
  }
  /// Cowper 1966: κ = 10 (1 + ν)/(12 + 11 ν); torsion by Saint-Venant's series.
  SectionProperties properties(double poisson) const;
};

struct ISection {
  static constexpr std::string_view kType = "i";
  static constexpr std::string_view kSummary = "an I: a web along y between two flanges";
  double height = 0.0, width = 0.0, web = 0.0, flange = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("height", self.height, "height along y, flanges included",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("width", self.width, "width of the flanges along z",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("web", self.web, "thickness of the web",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("flange", self.flange, "thickness of a flange",
          FieldTraits{.unit = unit::kLength, .required = true});
  }
  /// Thin walls: the web carries shear along y, the flanges (5/6 of them) along z; J = Σ b t³/3.
  SectionProperties properties(double poisson) const;
};

/// Stiffnesses and masses as given; the material is not looked at.
struct GeneralSection {
  static constexpr std::string_view kType = "general";
  static constexpr std::string_view kSummary = "stiffnesses and masses per length as given";
  std::vector<double> stiffness;
  double line_mass = 0.0;
  std::vector<double> line_inertia;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("stiffness", self.stiffness,
          "EA, G A_y, G A_z, G J, E I_y, E I_z, or all 36 entries of the matrix, row by row [N, N "
          "m, N m²]",
          FieldTraits{.required = true});
    visit("line_mass", self.line_mass, "mass per length [kg/m]", FieldTraits{.required = true});
    visit("line_inertia", self.line_inertia, "ρ I about x, y, z [kg m]; three positive numbers",
          FieldTraits{.required = true});
  }
};

using Section =
    std::variant<CircleSection, TubeSection, RectangleSection, ISection, GeneralSection>;

}  // namespace picus
