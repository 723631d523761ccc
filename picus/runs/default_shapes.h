// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shapes for bodies that state none. Internal to the room.

#include <vector>

#include "picus/mechanism/mechanism.h"
#include "picus/model/model.h"

namespace picus {

/// A piece of a body without a shape, in the frame of the body.
struct DefaultPiece {
  enum class Form { kBall, kRod, kDisc };  ///< rods have round ends
  Form form = Form::kBall;
  Vector3 from = Vector3::Zero(), to = Vector3::Zero();  ///< equal for a ball; the axis of a disc
  double radius = 0.0;
  bool is_sign = false;  ///< it has no size of its own: one that can be seen was taken
};

/// A point of a body, seen from its centre of mass, in the frame of the user.
inline Vector3 in_user_frame(const Mechanism& mechanism, int body, const Vector3& point) {
  return point - mechanism.origin(body);
}

/// Chooses shapes by the points by which joints, forces and contacts hold a body: wheels where
/// gears, racks and rolling joints tell of radii, balls of contacts, rods to the other points.
class DefaultShapes {
 public:
  DefaultShapes(const Model& model, const Mechanism& mechanism);

  std::vector<DefaultPiece> pieces_of(int body) const;
  double extent() const { return extent_; }  ///< of the model at its start [m]

 private:
  struct Hold {
    Vector3 point;
    double radius;  ///< of a ball there, 0 for none
  };
  struct Wheel {
    BodyFrame frame;  ///< z is its axle
    double radius;
    int layer;  ///< wheels on one body lie beside each other
  };
  void hold(int body, const Vector3& point, double radius = 0.0);
  void hold(const AssembledJoint& joint);
  void find_wheels(const Model& model);
  void mesh(const Gear& gear, const AssembledJoint& first, const AssembledJoint& second);
  void add_wheel(const AssembledJoint& joint, double radius, int layer);
  void find_extent(const Model& model);

  const Mechanism& mechanism_;
  std::vector<std::vector<Hold>> holds_;    ///< by body
  std::vector<std::vector<Wheel>> wheels_;  ///< by body
  double extent_ = 0.0;
};

}  // namespace picus
