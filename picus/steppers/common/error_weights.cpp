// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/error_weights.h"

#include <algorithm>

namespace picus {
namespace {

// A motion of a system without size that is smaller than this [m] is no scale: where it begins as a
// power of time, the error of no step is a small part of it.
constexpr double kLeastLength = 1e-9;

}  // namespace

void ErrorWeights::start(const System& system, const State& state, WeightKind kind) {
  const SystemSizes n = system.sizes();
  kind_ = kind;
  is_angle_.resize(static_cast<std::size_t>(n.velocities));
  for (int i = 0; i < n.velocities; ++i)
    is_angle_[static_cast<std::size_t>(i)] = system.unit_of(i) == Unit::kAngle;
  has_coordinates_ = n.positions == n.velocities;
  length_ = length_end_ = system.extent(state);
  moved_ = moved_end_ = Vector::Zero(n.velocities);
  speed_ = speed_end_ = {};
  largest_ = Vector::Ones(n.velocities + n.controls);
  largest_end_ = position_ = control_ = largest_;
  position_.resize(n.velocities);
  control_.resize(n.controls);
  include(moved_, state);
  accept();
}

void ErrorWeights::include(const Vector& increment, const State& end) {
  const Eigen::Index n = moved_.size();
  moved_end_ = moved_ + increment;
  length_end_ = length_;
  speed_end_ = speed_;
  for (Eigen::Index i = 0; i < n; ++i) {
    double& speed = speed_end_[is_angle_[static_cast<std::size_t>(i)] ? 1 : 0];
    speed = std::max(speed, std::abs(end.velocity(i)));
    const double coordinate = has_coordinates_ ? end.position(i) : moved_end_(i);
    largest_end_(i) = std::max(largest_(i), std::abs(coordinate));
    if (!is_angle_[static_cast<std::size_t>(i)])
      length_end_ = std::max(length_end_, std::abs(moved_end_(i)));
  }
  if (length_end_ > 0.0) length_end_ = std::max(length_end_, kLeastLength);
  for (Eigen::Index i = 0; i < control_.size(); ++i)
    control_(i) = largest_end_(n + i) = std::max(largest_(n + i), std::abs(end.control(i)));
  for (Eigen::Index i = 0; i < n; ++i) {
    const double scale = is_angle_[static_cast<std::size_t>(i)] ? 1.0 : length_end_;
    position_(i) = kind_ == WeightKind::kPaper ? largest_end_(i) : scale;
  }
}

void ErrorWeights::accept() {
  moved_.swap(moved_end_);
  largest_ = largest_end_;
  length_ = length_end_;
  speed_ = speed_end_;
}

}  // namespace picus
