// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/bearing.h"

#include <cmath>
#include <utility>

#include "picus/base/contract.h"

namespace picus {
namespace {

double sign(double x) {
  return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
}

// The derivative of |x| along y; zero at the kink.
double along(const Vector3& x, const Vector3& y) {
  const double size = x.norm();
  return size > 0.0 ? x.dot(y) / size : 0.0;
}

}  // namespace

BearingLoad::BearingLoad(int body, BodyFrame frame, int axis_body, Vector3 axis,
                         std::vector<int> rows, std::vector<ConstraintEquation> equations,
                         const BearingShape& shape)
    : body_(body),
      axis_body_(axis_body),
      point_(std::move(frame.point)),
      axis_(std::move(axis)),
      rows_(std::move(rows)),
      equations_(std::move(equations)),
      shape_(shape) {
  expects(rows_.size() <= kRows, "a joint with one coordinate");
}

// The wrench of each equation as Mechanism::reaction() has it.
BearingLoad::Forms BearingLoad::forms_at(const Bodies& bodies, const State& s) const {
  Forms forms;
  forms.shape = &shape_;
  const Pose<double> pose = bodies.pose(body_, s.position);
  const Vector3 axis = bodies.pose(axis_body_, s.position).direction(axis_).normalized();
  const Vector3 arm = pose.direction(point_);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Vector3 force = Vector3::Zero(), about_centre = Vector3::Zero();
    for (const Term& term : equations_[i].terms) {
      const Row<double> row = row_in_space(term, bodies.pose(term.body_i, s.position),
                                           bodies.pose(term.body_j, s.position));
      const int first = term.body_i == body_ ? 0 : 6;
      force += row.segment<3>(first);
      about_centre += row.segment<3>(first + 3);
    }
    const Vector3 torque = pose.A * about_centre - cross(arm, force);
    const Vector3 across = force - axis.dot(force) * axis;
    Vector3 couple = Vector3::Zero();
    if (shape_.length > 0.0) couple = 2.0 / shape_.length * cross(axis, torque);
    auto& form = forms.each[i];
    form << 0.5 * (across - couple), 0.5 * (across + couple), axis.dot(force), axis.dot(torque);
    if (rows_[i] < s.multiplier.size()) forms.sum += s.multiplier(rows_[i]) * form;
  }
  return forms;
}

double BearingLoad::Forms::load() const {
  return shape->across * (sum.head<3>().norm() + sum.segment<3>(3).norm()) +
         shape->along * std::abs(sum(6)) + shape->about * std::abs(sum(7));
}

double BearingLoad::Forms::slope(std::size_t row) const {
  const auto& one = each[row];
  return shape->across *
             (along(sum.head<3>(), one.head<3>()) + along(sum.segment<3>(3), one.segment<3>(3))) +
         shape->along * sign(sum(6)) * one(6) + shape->about * sign(sum(7)) * one(7);
}

double BearingLoad::evaluate(const Bodies& bodies, const State& s) const {
  return forms_at(bodies, s).load();
}

}  // namespace picus
