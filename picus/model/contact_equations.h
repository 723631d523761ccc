// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a contact states itself: gaps between its two frames, and how the surfaces slide. Frame J
// belongs to the first body of `between`, frame I to the second.

#include <string>
#include <utility>
#include <vector>

#include "picus/model/joint_equations.h"

namespace picus {

/// One place where two bodies may touch: gap = weight · measure − constant ≥ 0.
struct ContactRow {
  std::string name;  ///< "upper"; empty when the contact has one place only
  double weight = 1.0;
  Direction measure;
  double constant = 0.0;
  std::vector<Direction> slips = {};  ///< sliding velocities of I on J, one or two
  /// They touch at this distance from a point of I, against the normal that pushes I.
  Vector3 point_i = Vector3::Zero();
  double radius = 0.0;
};

class ContactEquations {
 public:
  ContactEquations(BodyFrame i, BodyFrame j, bool planar)
      : geometry_(std::move(i), std::move(j), planar, 0.0) {}

  /// Words about the frames, as joints use them.
  const JointEquations& geometry() const { return geometry_; }
  bool is_planar() const { return geometry_.is_planar(); }
  const BodyFrame& frame_i() const { return geometry_.frame_i(); }
  const BodyFrame& frame_j() const { return geometry_.frame_j(); }

  /// Whether an axis of J sticks out of the plane of motion.
  bool is_out_of_plane(int axis) const {
    return is_planar() && std::abs(frame_j().axes(2, axis)) > 0.5;
  }

  /// How a point of I, or a ball around it, slides on a plane of J with this axis as normal: along
  /// the other axes.
  std::vector<Direction> slips_on_plane(const Vector3& point_i, double radius, int normal) const {
    std::vector<Direction> slips;
    for (int axis = 0; axis < 3; ++axis)
      if (axis != normal && !is_out_of_plane(axis))
        slips.emplace_back(
            BallSlip{point_i, radius, frame_j().axes.col(normal), frame_j().axes.col(axis)});
    return slips;
  }

  void add(ContactRow row) { rows_.push_back(std::move(row)); }
  const std::vector<ContactRow>& rows() const { return rows_; }

  /// What is wrong with the contact, if anything.
  void complain(std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
  }
  const std::string& fault() const { return fault_; }

 private:
  JointEquations geometry_;
  std::vector<ContactRow> rows_;
  std::string fault_;
};

}  // namespace picus
