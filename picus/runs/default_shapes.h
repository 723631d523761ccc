// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shapes for bodies that state none. Internal to the room.

#include <vector>

#include "picus/mechanism/mechanism.h"

namespace picus {

/// A piece of a body without a shape, in the frame of the body: a ball, or a rod with round ends.
struct DefaultPiece {
  Vector3 from = Vector3::Zero(), to = Vector3::Zero();  ///< equal for a ball
  double radius = 0.0;
};

/// A point of a body, seen from its centre of mass, in the frame of the user.
inline Vector3 in_user_frame(const Mechanism& mechanism, int body, const Vector3& point) {
  return point - mechanism.origin(body);
}

/// Chooses shapes by the points by which joints, forces and contacts hold a body.
class DefaultShapes {
 public:
  explicit DefaultShapes(const Mechanism& mechanism);

  std::vector<DefaultPiece> pieces_of(int body) const;
  double extent() const { return extent_; }  ///< of the model at its start [m]

 private:
  struct Hold {
    Vector3 point;
    double radius;  ///< of a ball there, 0 for none
  };
  void hold(int body, const Vector3& point, double radius = 0.0);

  const Mechanism& mechanism_;
  std::vector<std::vector<Hold>> holds_;  ///< by body
  double extent_ = 0.0;
};

}  // namespace picus
