// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The kinds of values a model is made of. A part of a model is a plain struct that lists its fields
// once, with everything the file reader, the reference page and the editor schema need:
//
//   struct Point {
//     static constexpr std::string_view kType = "point";
//     static constexpr std::string_view kSummary = "a particle";
//     double mass = 0.0;
//     std::optional<Vector3> velocity;
//
//     template <class Self, class Visit>
//     static void for_each_field(Self& self, Visit&& visit) {
//       visit("mass", self.mass, "mass", FieldTraits{.unit = unit::kMass, .required = true});
//       visit("velocity", self.velocity, "initial velocity", FieldTraits{.unit = unit::kSpeed});
//     }
//   };
//
// Fields are numbers, whole numbers, bool, text, enums (EnumNames), Vector3, Name, Formula, such
// structs themselves, and std::optional, std::vector, std::variant (chosen by `type: kType`) or
// std::vector<Named<…>> of them.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "picus/math/types.h"

namespace picus {

/// Where in the model files something was written; line and column count from 1.
struct SourcePlace {
  int file = -1;  ///< index into Document::files; -1 when it was not read from a file
  int line = 0;
  int column = 0;
};

/// The name of another part: "ground", "crank", "crank.tip".
struct Name {
  std::string text;
  SourcePlace place;
};

/// A formula of time, coordinates, states and variables, evaluated during the run.
struct Formula {
  std::string text;
  SourcePlace place;
  int placement = 0;  ///< of the submodel whose names and axes it uses: index of Model::placements
};

/// A part with its name.
template <class T>
struct Named {
  std::string name;
  SourcePlace place;
  T value;
  int placement = 0;  ///< of the submodel it belongs to: index of Model::placements; 0 for none
};

/// Exponents of the units a user chooses once per file; Picus itself works in SI units.
struct Dimension {
  int length = 0, mass = 0, time = 0, angle = 0, force = 0;

  bool operator==(const Dimension&) const = default;
};

namespace unit {
inline constexpr Dimension kNone{};
inline constexpr Dimension kLength{.length = 1};
inline constexpr Dimension kAngle{.angle = 1};
inline constexpr Dimension kMass{.mass = 1};
inline constexpr Dimension kTime{.time = 1};
inline constexpr Dimension kForce{.force = 1};
inline constexpr Dimension kArea{.length = 2};
inline constexpr Dimension kStress{.length = -2, .force = 1};
inline constexpr Dimension kSpeed{.length = 1, .time = -1};
inline constexpr Dimension kAcceleration{.length = 1, .time = -2};
inline constexpr Dimension kAngularVelocity{.time = -1, .angle = 1};
inline constexpr Dimension kDensity{.length = -3, .mass = 1};
inline constexpr Dimension kInertia{.length = 2, .mass = 1};
inline constexpr Dimension kTorque{.length = 1, .force = 1};
inline constexpr Dimension kStiffness{.length = -1, .force = 1};
inline constexpr Dimension kDamping{.length = -1, .time = 1, .force = 1};
inline constexpr Dimension kTorsionalStiffness{.length = 1, .angle = -1, .force = 1};
inline constexpr Dimension kTorsionalDamping{.length = 1, .time = 1, .angle = -1, .force = 1};
}  // namespace unit

/// What a field is besides its name and meaning.
struct FieldTraits {
  Dimension unit = {};
  bool required = false;
  std::string_view former = {};  ///< its name in older files, which is read with a warning
  bool is_keyword = false;       ///< a Name that is a word of Picus, not the name of a part
};

}  // namespace picus
