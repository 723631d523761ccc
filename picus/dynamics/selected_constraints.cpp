// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/selected_constraints.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace picus {
namespace {

std::vector<int> inverse(const std::vector<int>& kept, int size) {
  std::vector<int> place(static_cast<std::size_t>(size), -1);
  for (std::size_t i = 0; i < kept.size(); ++i)
    place[static_cast<std::size_t>(kept[i])] = static_cast<int>(i);
  return place;
}

void select_entries(const Vector& from, const std::vector<int>& kept, Vector& to) {
  resize(to, static_cast<int>(kept.size()));
  for (std::size_t i = 0; i < kept.size(); ++i)
    to(static_cast<int>(i)) = from(kept[i]);
}

void select_rows(const SparseMatrix& from, const std::vector<int>& place, int rows,
                 SparseMatrix& to) {
  to.begin(rows, from.cols());
  from.for_each([&](int row, int col, double value) {
    if (place[static_cast<std::size_t>(row)] >= 0)
      to.add(place[static_cast<std::size_t>(row)], col, value);
  });
  to.end();
}

void select_cols(const SparseMatrix& from, const std::vector<int>& place, int cols,
                 SparseMatrix& to) {
  to.begin(from.rows(), cols);
  from.for_each([&](int row, int col, double value) {
    if (place[static_cast<std::size_t>(col)] >= 0)
      to.add(row, place[static_cast<std::size_t>(col)], value);
  });
  to.end();
}

// Vectors may be as short as a coordinate, and this is called with every evaluation.
void copy(const Vector& from, Vector& to) {
  if (to.size() == from.size())
    std::copy_n(from.data(), from.size(), to.data());
  else
    to = from;
}

void clear(Vector& x, std::size_t size) {
  resize(x, static_cast<int>(size));
  std::fill_n(x.data(), size, 0.0);
}

// All but the reactions; no memory is taken where sizes are the same.
void copy_motion(const State& from, State& to) {
  to.time = from.time;
  copy(from.position, to.position);
  copy(from.velocity, to.velocity);
  copy(from.acceleration, to.acceleration);
  copy(from.control, to.control);
  copy(from.control_rate, to.control_rate);
}

}  // namespace

std::vector<int> first_rows(int count) {
  std::vector<int> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

void SelectedConstraints::select(std::vector<int> kept, std::vector<int> kept_nonholonomic) {
  const auto count_from = [](const std::vector<int>& rows, int first) {
    return static_cast<int>(rows.end() - std::lower_bound(rows.begin(), rows.end(), first));
  };
  kept_ = std::move(kept);
  kept_nonholonomic_ = std::move(kept_nonholonomic);
  sizes_ = full_.sizes();
  place_ = inverse(kept_, sizes_.constraints);
  place_nonholonomic_ = inverse(kept_nonholonomic_, sizes_.nonholonomic);
  sizes_.contacts = count_from(kept_, full_.sizes().joints());
  sizes_.slips = count_from(kept_nonholonomic_, full_.sizes().rollings());
  sizes_.constraints = static_cast<int>(kept_.size());
  sizes_.nonholonomic = static_cast<int>(kept_nonholonomic_.size());
}

const State& SelectedConstraints::expanded(const State& s) const {
  copy_motion(s, scratch_);
  clear(scratch_.multiplier, place_.size());
  clear(scratch_.nonholonomic_multiplier, place_nonholonomic_.size());
  for (std::size_t i = 0; i < kept_.size(); ++i)
    scratch_.multiplier(kept_[i]) = s.multiplier(static_cast<int>(i));
  for (std::size_t i = 0; i < kept_nonholonomic_.size(); ++i)
    scratch_.nonholonomic_multiplier(kept_nonholonomic_[i]) =
        s.nonholonomic_multiplier(static_cast<int>(i));
  add_reactions(scratch_);
  return scratch_;
}

void SelectedConstraints::expand(const State& reduced, State& full_state) const {
  const State& all = expanded(reduced);
  copy_motion(all, full_state);
  copy(all.multiplier, full_state.multiplier);
  copy(all.nonholonomic_multiplier, full_state.nonholonomic_multiplier);
}

void SelectedConstraints::reduce(const State& full_state, State& reduced) const {
  copy_motion(full_state, reduced);
  select_entries(full_state.multiplier, kept_, reduced.multiplier);
  select_entries(full_state.nonholonomic_multiplier, kept_nonholonomic_,
                 reduced.nonholonomic_multiplier);
}

std::string SelectedConstraints::name_of(Equation kind, int index) const {
  const auto i = static_cast<std::size_t>(index);
  if (kind == Equation::kConstraint) return full_.name_of(kind, kept_[i]);
  if (kind == Equation::kNonholonomic) return full_.name_of(kind, kept_nonholonomic_[i]);
  return full_.name_of(kind, index);
}

double SelectedConstraints::extent(const State& s) const {
  return full_.extent(expanded(s));
}

double SelectedConstraints::forcing_time(const State& s) const {
  return has_forcing() ? full_.forcing_time(expanded(s)) : full_.forcing_time(s);
}

double SelectedConstraints::passing_time(const State& s, double part) const {
  return full_.passing_time(has_passages() ? expanded(s) : s, part);
}

void SelectedConstraints::switch_values(const State& s, Vector& values) const {
  full_.switch_values(expanded(s), values);
}

void SelectedConstraints::retract(const Vector& q, const Vector& dq, Vector& result) const {
  full_.retract(q, dq, result);
}

void SelectedConstraints::difference(const Vector& from, const Vector& to, Vector& dq) const {
  full_.difference(from, to, dq);
}

void SelectedConstraints::increment_rate(const Chart& chart, const Vector& v, Vector& rate) const {
  full_.increment_rate(chart, v, rate);
}

void SelectedConstraints::increment_rate_tangent(const Chart& chart, const Vector& v,
                                                 SparseMatrix& along_increment,
                                                 SparseMatrix& along_velocity) const {
  full_.increment_rate_tangent(chart, v, along_increment, along_velocity);
}

void SelectedConstraints::mass_matrix(const State& s, SparseMatrix& M) const {
  full_.mass_matrix(expanded(s), M);
}

void SelectedConstraints::force(const State& s, Vector& F) const {
  full_.force(expanded(s), F);
}

void SelectedConstraints::momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                                           SparseMatrix& D) const {
  full_.momentum_tangent(expanded(s), chart, K, D);
}

void SelectedConstraints::correction_tangent(const State& s, const Chart& chart,
                                             SparseMatrix& along_position,
                                             SparseMatrix& along_velocity) const {
  full_.correction_tangent(expanded(s), chart, along_position, along_velocity);
}

void SelectedConstraints::constraint(const State& s, Vector& g) const {
  full_.constraint(expanded(s), scratch_vector_);
  select_entries(scratch_vector_, kept_, g);
}

void SelectedConstraints::constraint_velocity(const State& s, Vector& rate) const {
  full_.constraint_velocity(expanded(s), scratch_vector_);
  select_entries(scratch_vector_, kept_, rate);
}

void SelectedConstraints::constraint_acceleration(const State& s, Vector& acceleration) const {
  full_.constraint_acceleration(expanded(s), scratch_vector_);
  select_entries(scratch_vector_, kept_, acceleration);
}

void SelectedConstraints::constraint_jacobian(const State& s, SparseMatrix& G) const {
  full_.constraint_jacobian(expanded(s), scratch_a_);
  select_rows(scratch_a_, place_, sizes_.constraints, G);
}

void SelectedConstraints::constraint_tangent(const State& s, const Chart& chart,
                                             SparseMatrix& G) const {
  full_.constraint_tangent(expanded(s), chart, scratch_a_);
  select_rows(scratch_a_, place_, sizes_.constraints, G);
}

void SelectedConstraints::constraint_velocity_tangent(const State& s, const Chart& chart,
                                                      SparseMatrix& along_position) const {
  full_.constraint_velocity_tangent(expanded(s), chart, scratch_a_);
  select_rows(scratch_a_, place_, sizes_.constraints, along_position);
}

void SelectedConstraints::constraint_acceleration_tangent(const State& s, const Chart& chart,
                                                          SparseMatrix& along_position,
                                                          SparseMatrix& along_velocity) const {
  full_.constraint_acceleration_tangent(expanded(s), chart, scratch_a_, scratch_b_);
  select_rows(scratch_a_, place_, sizes_.constraints, along_position);
  select_rows(scratch_b_, place_, sizes_.constraints, along_velocity);
}

void SelectedConstraints::multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                                             SparseMatrix& along_nonholonomic) const {
  full_.multiplier_tangent(expanded(s), scratch_a_, scratch_b_);
  select_cols(scratch_a_, place_, sizes_.constraints, along_multiplier);
  select_cols(scratch_b_, place_nonholonomic_, sizes_.nonholonomic, along_nonholonomic);
}

void SelectedConstraints::nonholonomic(const State& s, Vector& k) const {
  full_.nonholonomic(expanded(s), scratch_vector_);
  select_entries(scratch_vector_, kept_nonholonomic_, k);
}

void SelectedConstraints::nonholonomic_rate(const State& s, Vector& rate) const {
  full_.nonholonomic_rate(expanded(s), scratch_vector_);
  select_entries(scratch_vector_, kept_nonholonomic_, rate);
}

void SelectedConstraints::nonholonomic_jacobian(const State& s,
                                                SparseMatrix& along_velocity) const {
  full_.nonholonomic_jacobian(expanded(s), scratch_b_);
  select_rows(scratch_b_, place_nonholonomic_, sizes_.nonholonomic, along_velocity);
}

void SelectedConstraints::nonholonomic_tangent(const State& s, const Chart& chart,
                                               SparseMatrix& along_position,
                                               SparseMatrix& along_velocity) const {
  full_.nonholonomic_tangent(expanded(s), chart, scratch_a_, scratch_b_);
  select_rows(scratch_a_, place_nonholonomic_, sizes_.nonholonomic, along_position);
  select_rows(scratch_b_, place_nonholonomic_, sizes_.nonholonomic, along_velocity);
}

void SelectedConstraints::nonholonomic_rate_tangent(const State& s, const Chart& chart,
                                                    SparseMatrix& along_position,
                                                    SparseMatrix& along_velocity) const {
  full_.nonholonomic_rate_tangent(expanded(s), chart, scratch_a_, scratch_b_);
  select_rows(scratch_a_, place_nonholonomic_, sizes_.nonholonomic, along_position);
  select_rows(scratch_b_, place_nonholonomic_, sizes_.nonholonomic, along_velocity);
}

void SelectedConstraints::control(const State& s, Vector& d) const {
  full_.control(expanded(s), d);
}

void SelectedConstraints::control_tangent(const State& s, const Chart& chart,
                                          ControlTangent& tangent) const {
  // the matrix of d along λ is narrower here; swap it in so that the other five are filled in place
  std::swap(tangent.multiplier, scratch_control_.multiplier);
  full_.control_tangent(expanded(s), chart, tangent);
  std::swap(tangent.multiplier, scratch_control_.multiplier);
  select_cols(scratch_control_.multiplier, place_, sizes_.constraints, tangent.multiplier);
}

}  // namespace picus
