// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/bodies/shapes.h"

namespace picus {

/// What a surface of triangles encloses, and whether it encloses anything.
struct MeshVolume {
  double volume = 0.0;                ///< negative where the surface is seen from inside
  Vector3 center = Vector3::Zero();   ///< of the volume
  Matrix3 inertia = Matrix3::Zero();  ///< about the centre, of unit density, positive
  long open_edges = 0;                ///< that belong to one triangle only
  long torn_edges = 0;                ///< that belong to triangles of different sense, or to many

  bool is_closed() const { return open_edges + torn_edges == 0; }
};

/// Exact integrals over the volume inside of the triangles. Points with the same coordinates are
/// one.
MeshVolume volume_inside(const Triangles& surface);

}  // namespace picus
