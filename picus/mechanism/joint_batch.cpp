// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/joint_batch.h"

#include "picus/mechanism/scatter.h"

namespace picus {

void JointBatch::force(const State& s, Vector& F) const {
  terms_.for_each(s, nullptr, [&](int row, const auto& view) {
    add_to(F, view.places(), s.multiplier(row) * view.row());
  });
}

void JointBatch::momentum_tangent(const State& s, const Chart& c, Forces, SparseMatrix& K,
                                  SparseMatrix&) const {
  terms_.add_reaction_tangent(s.multiplier, s, c, K);
}

void JointBatch::constraint(const State& s, Level level, Vector& g) const {
  if (level == Level::kPosition) {
    terms_.for_each_value(s, [&](int row, double value) { g(row) += value; });
  } else {
    terms_.for_each(s, nullptr, [&](int row, const auto& view) {
      g(row) += level == Level::kVelocity ? view.rate() : view.acceleration();
    });
  }
  for (std::size_t row = 0; row < equations_.size(); ++row) {
    const ConstraintEquation& equation = equations_[row];
    const auto i = static_cast<int>(row);
    if (level == Level::kPosition) g(i) -= equation.constant;
    if (!equation.motion) continue;
    const MotionValue motion = equation.motion(s.time);
    g(i) -= level == Level::kPosition   ? motion.value
            : level == Level::kVelocity ? motion.rate
                                        : motion.acceleration;
  }
}

void JointBatch::constraint_tangent(const State& s, const Chart& c, SparseMatrix& G) const {
  terms_.for_each(s, &c, [&](int row, const auto& view) {
    add_row(G, row, view.places(), view.value_tangent());
  });
}

void JointBatch::constraint_velocity_tangent(const State& s, const Chart& c,
                                             SparseMatrix& along_q) const {
  terms_.for_each(s, &c, [&](int row, const auto& view) {
    add_row(along_q, row, view.places(), view.rate_tangent());
  });
}

void JointBatch::constraint_acceleration_tangent(const State& s, const Chart& c,
                                                 SparseMatrix& along_q,
                                                 SparseMatrix& along_v) const {
  terms_.for_each(s, &c, [&](int row, const auto& view) {
    add_row(along_q, row, view.places(), view.acceleration_tangent());
    add_row(along_v, row, view.places(), view.acceleration_along_velocity());
  });
}

void JointBatch::multiplier_tangent(const State& s, SparseMatrix& along_lambda,
                                    SparseMatrix&) const {
  terms_.for_each(s, nullptr, [&](int row, const auto& view) {
    add_column(along_lambda, row, view.places(), view.row());
  });
}

void RollingBatch::force(const State& s, Vector& F) const {
  terms_.for_each(s, nullptr, [&](int row, const auto& view) {
    add_to(F, view.places(), s.nonholonomic_multiplier(row) * view.row());
  });
}

void RollingBatch::momentum_tangent(const State& s, const Chart& c, Forces, SparseMatrix& K,
                                    SparseMatrix&) const {
  terms_.add_reaction_tangent(s.nonholonomic_multiplier, s, c, K);
}

void RollingBatch::multiplier_tangent(const State& s, SparseMatrix&,
                                      SparseMatrix& along_psi) const {
  terms_.for_each(s, nullptr, [&](int row, const auto& view) {
    add_column(along_psi, row, view.places(), view.row());
  });
}

void RollingBatch::nonholonomic(const State& s, Level level, Vector& k) const {
  terms_.for_each(s, nullptr, [&](int row, const auto& view) {
    k(row) += level == Level::kVelocity ? view.rate() : view.acceleration();
  });
  for (std::size_t row = 0; row < equations_.size(); ++row) {
    if (!equations_[row].motion) continue;
    const MotionValue motion = equations_[row].motion(s.time);
    k(static_cast<int>(row)) -= level == Level::kVelocity ? motion.value : motion.rate;
  }
}

void RollingBatch::nonholonomic_tangent(const State& s, const Chart& c, Level level,
                                        SparseMatrix& along_q, SparseMatrix& along_v) const {
  terms_.for_each(s, &c, [&](int row, const auto& view) {
    if (level == Level::kVelocity) {
      add_row(along_q, row, view.places(), view.rate_tangent());
      add_row(along_v, row, view.places(), view.row());
    } else {
      add_row(along_q, row, view.places(), view.acceleration_tangent());
      add_row(along_v, row, view.places(), view.acceleration_along_velocity());
    }
  });
}

}  // namespace picus
