// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "picus/model/values.h"

namespace picus {

/// What joints and forces between two bodies have in common: the bodies and the frame between them.
struct Connection {
  std::vector<Name> between;  ///< two bodies or markers; the second moves relative to the first
  std::optional<Vector3> at;
  std::optional<Vector3> axis;
  std::optional<Vector3> x_axis;
  SourcePlace place;  ///< set by the reader

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("between", self.between,
          "two bodies or markers; coordinates measure the second relative to the first",
          FieldTraits{.required = true});
    visit("at", self.at,
          "the common point, in space, with the bodies as placed by the file; not needed with "
          "markers",
          FieldTraits{.unit = unit::kLength});
    visit("axis", self.axis,
          "the axis (z of the joint's frame), in space; default z, for sliding joints x",
          FieldTraits{});
    visit("x_axis", self.x_axis,
          "direction that sets the x axis of the joint's frame and so the zero of angles",
          FieldTraits{});
  }
};

}  // namespace picus
