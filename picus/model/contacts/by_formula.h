// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Contacts whose gap is not a measure between two frames.

#include <optional>
#include <vector>

#include "picus/base/fields.h"
#include "picus/model/contacts/surface.h"

namespace picus {

/// Limits of a joint coordinate.
struct Stop {
  static constexpr std::string_view kType = "stop";
  static constexpr std::string_view kSummary = "hard limits of a joint coordinate";

  Name joint;
  std::optional<Formula> lower, upper;
  Surface surface;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("joint", self.joint, "a joint, or joint.coordinate", FieldTraits{.required = true});
    visit("lower", self.lower, "smallest value: a number or a formula of time", FieldTraits{});
    visit("upper", self.upper, "largest value: a number or a formula of time", FieldTraits{});
    Surface::for_each_field(self.surface, visit);
  }
};

enum class CurveSide { kAbove, kBelow };
template <>
struct EnumNames<CurveSide> {
  static constexpr std::array<std::string_view, 2> names{"above", "below"};
};

/// A point that stays on one side of a curve.
struct PointOnCurve {
  static constexpr std::string_view kType = "point_on_curve";
  static constexpr std::string_view kSummary =
      "a point of the second body above or below a curve y(x) drawn on the first";

  std::vector<Name> between;
  Formula curve;
  CurveSide side = CurveSide::kAbove;
  Surface surface;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("between", self.between, "the frame the curve is drawn in, then the point",
          FieldTraits{.required = true});
    visit("curve", self.curve,
          "y of the curve, a smooth formula of x (and of time), both in the first frame",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("side", self.side, "above or below", FieldTraits{});
    Surface::for_each_field(self.surface, visit);
  }
};

/// Anything that must not become negative.
struct FormulaContact {
  static constexpr std::string_view kType = "gap";
  static constexpr std::string_view kSummary = "a gap by formula, with sliding by formula";

  Formula gap;
  std::vector<Formula> slip;
  std::optional<Name> at;
  std::optional<Vector3> normal;
  Surface surface;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("gap", self.gap,
          "the gap, a smooth formula of positions (BODY.x, JOINT.angle, px(a, b)) and time; with "
          "friction, a length whose gradient has length one",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("slip", self.slip,
          "sliding velocities, one or two formulas that are linear in velocities (BODY.vx, …)",
          FieldTraits{.unit = unit::kSpeed});
    visit("at", self.at,
          "body or marker at the contact point: for pictures and recorded vectors only",
          FieldTraits{});
    visit("normal", self.normal,
          "direction in space in which the contact pushes that body, for pictures and recorded "
          "vectors; default: the gradient of the gap",
          FieldTraits{});
    Surface::for_each_field(self.surface, visit);
  }
};

}  // namespace picus
