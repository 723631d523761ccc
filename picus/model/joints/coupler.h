// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "picus/model/values.h"

namespace picus {

/// A coordinate of a joint with a weight.
struct CoupledCoordinate {
  Name joint;  ///< "pin", or "pin.angle" when the joint has several
  double ratio = 1.0;
  std::optional<Dimension> wants = {};  ///< what the coordinate must be; not read from files

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("joint", self.joint, "a joint, or joint.coordinate", FieldTraits{.required = true});
    visit("ratio", self.ratio, "its weight in the sum, in SI units (rad, m)", FieldTraits{});
  }
};

/// Σ ratio · coordinate keeps its initial value.
struct Coupler {
  static constexpr std::string_view kType = "coupler";
  static constexpr std::string_view kSummary =
      "keeps a weighted sum of joint coordinates at its initial value";

  std::vector<CoupledCoordinate> of;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("of", self.of, "the coordinates and their weights", FieldTraits{.required = true});
  }

  std::vector<CoupledCoordinate> coordinates() const { return of; }
};

/// Two wheels in mesh: the angles of two revolute joints in a fixed ratio.
struct Gear {
  static constexpr std::string_view kType = "gear";
  static constexpr std::string_view kSummary =
      "couples two revolute joints: the second turns ratio times the first";

  std::vector<Name> joints;
  double ratio = 1.0;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("joints", self.joints, "the driving and the driven revolute joint",
          FieldTraits{.required = true});
    visit("ratio", self.ratio,
          "turns of the second per turn of the first; negative for outer wheels in mesh",
          FieldTraits{.required = true});
  }

  std::vector<CoupledCoordinate> coordinates() const {
    std::vector<CoupledCoordinate> result;
    if (joints.size() == 2)
      result = {{joints[1], 1.0, unit::kAngle}, {joints[0], -ratio, unit::kAngle}};
    return result;
  }
};

/// A rack on a pinion.
struct RackAndPinion {
  static constexpr std::string_view kType = "rack_and_pinion";
  static constexpr std::string_view kSummary =
      "couples a rack (prismatic joint) to a pinion (revolute joint): the rack moves by radius "
      "times the angle";

  Name rack, pinion;
  double radius = 0.0;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("rack", self.rack, "the prismatic joint of the rack", FieldTraits{.required = true});
    visit("pinion", self.pinion, "the revolute joint of the pinion", FieldTraits{.required = true});
    visit("radius", self.radius, "pitch radius of the pinion; negative reverses the rack",
          FieldTraits{.unit = unit::kLength, .required = true});
  }

  std::vector<CoupledCoordinate> coordinates() const {
    return {{rack, 1.0, unit::kLength}, {pinion, -radius, unit::kAngle}};
  }
};

}  // namespace picus
