// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/joint_batch.h"

#include "picus/mechanism/scatter.h"

namespace picus {
namespace {

// −λ ∂row/∂q; contacts that are open need no derivative, only its places.
void add_reaction_tangent(const TermView& view, double multiplier, SparseMatrix& K) {
  if (multiplier == 0.0)
    add_square(K, view.places(), nullptr);
  else
    add_square(K, view.places(), -multiplier, view.row_tangent());
}

}  // namespace

bool JointBatch::is_linear() const {
  for (const ConstraintEquation& equation : equations_)
    for (const Term& term : equation.terms)
      if (!is_constant(bodies_, term)) return false;
  return true;
}

void JointBatch::force(const State& s, Vector& F) const {
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) {
        add_to(F, view.places(), s.multiplier(row) * view.row());
      },
      s);
}

void JointBatch::momentum_tangent(const State& s, const Chart& c, Forces, SparseMatrix& K,
                                  SparseMatrix&) const {
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) { add_reaction_tangent(view, s.multiplier(row), K); }, s,
      c);
}

void JointBatch::constraint(const State& s, Level level, Vector& g) const {
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) {
        g(row) += level == Level::kPosition   ? view.value()
                  : level == Level::kVelocity ? view.rate()
                                              : view.acceleration();
      },
      s);
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
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) { add_row(G, row, view.places(), view.value_tangent()); },
      s, c);
}

void JointBatch::constraint_velocity_tangent(const State& s, const Chart& c,
                                             SparseMatrix& along_q) const {
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) {
        add_row(along_q, row, view.places(), view.rate_tangent());
      },
      s, c);
}

void JointBatch::constraint_acceleration_tangent(const State& s, const Chart& c,
                                                 SparseMatrix& along_q,
                                                 SparseMatrix& along_v) const {
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) {
        add_row(along_q, row, view.places(), view.acceleration_tangent());
        add_row(along_v, row, view.places(), view.acceleration_along_velocity());
      },
      s, c);
}

void JointBatch::multiplier_tangent(const State& s, SparseMatrix& along_lambda,
                                    SparseMatrix&) const {
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) {
        add_column(along_lambda, row, view.places(), view.row());
      },
      s);
}

void RollingBatch::force(const State& s, Vector& F) const {
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) {
        add_to(F, view.places(), s.nonholonomic_multiplier(row) * view.row());
      },
      s);
}

void RollingBatch::momentum_tangent(const State& s, const Chart& c, Forces, SparseMatrix& K,
                                    SparseMatrix&) const {
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) {
        add_reaction_tangent(view, s.nonholonomic_multiplier(row), K);
      },
      s, c);
}

void RollingBatch::multiplier_tangent(const State& s, SparseMatrix&,
                                      SparseMatrix& along_psi) const {
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) { add_column(along_psi, row, view.places(), view.row()); },
      s);
}

void RollingBatch::nonholonomic(const State& s, Level level, Vector& k) const {
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) {
        k(row) += level == Level::kVelocity ? view.rate() : view.acceleration();
      },
      s);
  for (std::size_t row = 0; row < equations_.size(); ++row) {
    if (!equations_[row].motion) continue;
    const MotionValue motion = equations_[row].motion(s.time);
    k(static_cast<int>(row)) -= level == Level::kVelocity ? motion.value : motion.rate;
  }
}

void RollingBatch::nonholonomic_tangent(const State& s, const Chart& c, Level level,
                                        SparseMatrix& along_q, SparseMatrix& along_v) const {
  for_each_view(
      bodies_, equations_,
      [&](int row, const TermView& view) {
        if (level == Level::kVelocity) {
          add_row(along_q, row, view.places(), view.rate_tangent());
          add_row(along_v, row, view.places(), view.row());
        } else {
          add_row(along_q, row, view.places(), view.acceleration_tangent());
          add_row(along_v, row, view.places(), view.acceleration_along_velocity());
        }
      },
      s, c);
}

}  // namespace picus
