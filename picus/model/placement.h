// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picus/model/values.h"

namespace picus {

/// Where a submodel stands in the model: x = at + axes · (x in the submodel's own file). The axes
/// of a mirrored submodel are left-handed. Bodies keep right-handed frames: they are mirrored along
/// the axes that `flip` marks, so that a body with the axes A gets axes · A · flip.
struct Placement {
  std::string name = {};  ///< "left", or "front.left" inside of another submodel
  Vector3 at = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();
  Vector3 flip = Vector3::Ones();  ///< 1 or −1 along x, y, z
  double angle = 0.0;              ///< turn about z; of all angles of planar bodies

  bool is_mirrored() const { return flip.prod() < 0.0; }
  /// −1 if positive rotations appear negative.
  double handedness() const { return is_mirrored() ? -1.0 : 1.0; }
  /// The same for rotations about z.
  double turn_sense() const { return handedness() * flip.z(); }

  Vector3 point(const Vector3& x) const { return at + axes * x; }
  Vector3 direction(const Vector3& d) const { return axes * d; }
  /// Angular velocities and torques: a mirror turns them round.
  Vector3 axial(const Vector3& w) const { return handedness() * (axes * w); }

  /// The frame of a marker, F, is mirrored as axes · F · marker_flip: x remains what it was, and so
  /// do angles about z.
  Vector3 marker_flip(int dimension) const {
    if (!is_mirrored()) return Vector3::Ones();
    return dimension == 2 ? Vector3(1.0, -1.0, 1.0) : Vector3(1.0, 1.0, -1.0);
  }

  /// "thigh" as it is called in the model: "left.thigh".
  std::string full_name(const std::string& part) const {
    return name.empty() ? part : name + "." + part;
  }

  /// Of a submodel that stands inside of this one.
  Placement of(const Placement& inner) const {
    return {full_name(inner.name), point(inner.at), axes * inner.axes,
            flip.cwiseProduct(inner.flip), angle + turn_sense() * inner.angle};
  }
};

}  // namespace picus
