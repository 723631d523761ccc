// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What all terms share at one point of evaluation: the poses of all frames at q, and what turns
// derivatives into those along the increment of a chart. Integrators ask a System for forces,
// constraints and their derivatives at the same q, one after the other; each thread keeps what it
// found for the last few q, so that a System stays const and runs in several threads can share it.

#include <cstdint>
#include <vector>

#include "picus/dynamics/system.h"
#include "picus/mechanism/bodies.h"

namespace picus {

/// Poses of all frames.
class PoseTable {
 public:
  const Pose<double>& operator[](int body) const { return poses_[static_cast<std::size_t>(body)]; }
  /// Another number for another point, to recognise what was found at this one.
  std::uint64_t stamp() const { return stamp_; }

 private:
  friend const PoseTable& poses_at(const Bodies& bodies, const Vector& q);

  std::uint64_t owner_ = 0, stamp_ = 0;
  Vector q_;
  std::vector<Pose<double>> poses_;
};

/// The poses at q. Valid until this thread has asked for those at two other points; the cost when
/// they are known is that of comparing q, so this is for batches, not for single terms.
const PoseTable& poses_at(const Bodies& bodies, const Vector& q);

/// T(φ) of all bodies that turn in space, with φ from the increment of a chart.
class TurnTable {
 public:
  /// False when the body does not turn in space, or the chart begins where it is.
  bool is_turned(int body) const { return is_turned_[static_cast<std::size_t>(body)] != 0; }
  const Matrix3& operator[](int body) const { return turns_[static_cast<std::size_t>(body)]; }

 private:
  friend const TurnTable& turns_at(const Bodies& bodies, const Chart& chart);

  std::uint64_t owner_ = 0;
  Vector increment_;
  std::vector<char> is_turned_;
  std::vector<Matrix3> turns_;
};

/// The same for the increment of a chart.
const TurnTable& turns_at(const Bodies& bodies, const Chart& chart);

}  // namespace picus
