// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Directions at the contact of a feature of I with one of J (collision/feature_pair.h). The pair is
// that of a list of contacts, which outlives the direction.

#include "picus/collision/feature_pair.h"
#include "picus/elements/ball_contact.h"

namespace picus {

/// The gap between two features; ∂gap is the normal times what the points of contact move by.
struct FeatureGap {
  const FeaturePair* pair = nullptr;

  template <class T>
  T value(const Pose<T>& i, const Pose<T>& j) const {
    return pair->gap(i, j);
  }
  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    const auto touch = pair->touch(i, j);
    return rows::slip(touch.normal, touch.point_a, touch.point_b, i, j);
  }

  bool operator==(const FeatureGap&) const = default;
};

/// How they slide on each other, along a tangent as in ball_contact.h.
struct FeatureSlip {
  const FeaturePair* pair = nullptr;
  Vector3 axis = Vector3::UnitZ();
  int which = 0;

  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    const auto touch = pair->touch(i, j);
    return rows::slip(rows::tangent(touch.normal, axis, which), touch.point_a, touch.point_b, i, j);
  }

  bool operator==(const FeatureSlip&) const = default;
};

}  // namespace picus
