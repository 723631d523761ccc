// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "picus/dynamics/system.h"
#include "picus/steppers/alpha_methods.h"

namespace picus {

/// The scales Y_i by which local errors are judged, negrut-hht-i3 (35).
///
/// `paper`: Y_i = max(1, max_j |q_ij|), in model units. `motion`: one radian for angles and, for
/// every length, the size of the system or of its motion so far, whichever is larger; the steps
/// then do not depend on the unit of length. Controls have units that nobody knows: always
/// max(1, max_j |x_ij|).
class ErrorWeights {
 public:
  void start(const System& system, const State& state, WeightKind kind);
  /// Takes the end of the step under way into account.
  void include(const Vector& increment, const State& end);
  void accept();

  /// The root mean square of error over scale. What rounding of size `noise` explains is left out,
  /// and so is what has no scale because nothing has moved yet.
  template <class Error>
  double position_norm(const Error& error, double noise = 0.0) const {
    double sum = 0.0;
    for (Eigen::Index i = 0; i < error.size(); ++i) {
      const double size = std::abs(error(i));
      if (size <= noise || position_(i) == 0.0) continue;
      sum += square((size - noise) / position_(i));
    }
    return root_mean(sum, error.size());
  }
  template <class Error>
  double control_norm(const Error& error) const {
    double sum = 0.0;
    for (Eigen::Index i = 0; i < error.size(); ++i)
      sum += square(error(i) / control_(i));
    return root_mean(sum, error.size());
  }
  const Vector& position() const { return position_; }
  /// The largest velocity so far of coordinates of the same unit.
  double speed(Eigen::Index coordinate) const {
    return speed_end_[is_angle_[static_cast<std::size_t>(coordinate)] ? 1 : 0];
  }
  /// The scale of lengths; 0 when nothing has one.
  double length() const { return length_end_; }

 private:
  static double square(double x) { return x * x; }
  static double root_mean(double sum, Eigen::Index count) {
    return count == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(count));
  }

  WeightKind kind_ = WeightKind::kMotion;
  std::vector<bool> is_angle_;
  bool has_coordinates_ = true;   ///< positions are as many as velocities
  double length_ = 0.0;           ///< scale of all lengths, of accepted steps
  Vector moved_, moved_end_;      ///< sum of the increments, and with the step under way
  Vector largest_, largest_end_;  ///< of the accepted steps: positions, then controls
  Vector position_, control_;
  double length_end_ = 0.0;
  std::array<double, 2> speed_{}, speed_end_{};  ///< of lengths and of angles
};

}  // namespace picus
