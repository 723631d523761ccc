// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "picus/mechanism/joint_batch.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// Where friction in a joint acts, with the coefficient included. Of a joint that rotates [m]: the
/// radii of journal and collar, times μ. Of one that slides: μ itself, and what the torque about
/// the axis adds, μ over the radius at which it is held [1/m].
struct BearingShape {
  double across = 0.0, along = 0.0, about = 0.0;
  double length = 0.0;  ///< distance between two supports along the axis [m]; 0: a single one
};

/// The friction that the reaction of a joint allows about or along its axis a,
///
///     across (|S₊| + |S₋|) + along |a·F| + about |a·T|,    S± = (F_a ∓ 2 a × T / length) / 2,
///
/// with the reaction force F and torque T of the joint on its second body, at its point, and the
/// part F_a of F across the axis. S± are the forces on two supports on that body, half of the
/// length before and after the point: together they are F_a and have the moment T across the axis.
/// A single support takes no moment, and |S₊| + |S₋| is |F_a|.
class BearingLoad {
 public:
  static constexpr int kRows = 5;  ///< joints with one coordinate have no more

  /// `rows` number the equations of the joint in g.
  BearingLoad(int body, BodyFrame frame, int axis_body, Vector3 axis, std::vector<int> rows,
              std::vector<ConstraintEquation> equations, const BearingShape& shape);

  /// [N m], or [N]; 0 where a state has no reactions.
  double evaluate(const Bodies& bodies, const State& s) const;
  /// Calls visit(row of g, derivative of the above along its multiplier) for each of its rows.
  template <class Visit>
  void differentiate(const Bodies& bodies, const State& s, Visit&& visit) const {
    const Forms forms = forms_at(bodies, s);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      visit(rows_[i], forms.slope(i));
  }

 private:
  /// Linear forms of the multipliers whose sizes add up: both supports, then along and about.
  struct Forms {
    std::array<Eigen::Matrix<double, 8, 1>, kRows> each;  ///< of a multiplier of one
    Eigen::Matrix<double, 8, 1> sum = Eigen::Matrix<double, 8, 1>::Zero();
    const BearingShape* shape = nullptr;

    double load() const;
    double slope(std::size_t row) const;
  };
  Forms forms_at(const Bodies& bodies, const State& s) const;

  int body_, axis_body_;
  Vector3 point_, axis_;
  std::vector<int> rows_;
  std::vector<ConstraintEquation> equations_;
  BearingShape shape_;
};

}  // namespace picus
