// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "picus/model/values.h"

namespace picus {

/// A coordinate of a joint, or a point along an axis, that follows a function of time.
struct PrescribedMotion {
  std::optional<Name> joint = {};
  std::optional<Name> point = {};
  Vector3 along = Vector3::UnitX();
  Formula value = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("joint", self.joint, "the joint, or joint.coordinate, to drive", FieldTraits{});
    visit("point", self.point, "the marker or body to drive instead of a joint", FieldTraits{});
    visit("along", self.along, "direction, in space, in which the point is driven", FieldTraits{});
    visit("value", self.value,
          "formula of time: the coordinate, or the position of the point along the direction",
          FieldTraits{.required = true});
  }
};

}  // namespace picus
