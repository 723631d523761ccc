// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/independent_constraints.h"

#include <algorithm>
#include <utility>

#include <Eigen/Cholesky>

namespace picus {
namespace {

std::vector<int> inverse(const std::vector<int>& kept, int size) {
  std::vector<int> place(static_cast<std::size_t>(size), -1);
  for (std::size_t i = 0; i < kept.size(); ++i)
    place[static_cast<std::size_t>(kept[i])] = static_cast<int>(i);
  return place;
}

void select(const Vector& from, const std::vector<int>& kept, Vector& to) {
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

}  // namespace

IndependentConstraints::IndependentConstraints(const System& full, std::vector<int> kept,
                                               std::vector<int> kept_nonholonomic)
    : full_(full), kept_(std::move(kept)), kept_nonholonomic_(std::move(kept_nonholonomic)) {
  number_rows();
}

IndependentConstraints::IndependentConstraints(System& full, std::vector<int> kept,
                                               std::vector<int> kept_nonholonomic)
    : IndependentConstraints(std::as_const(full), std::move(kept), std::move(kept_nonholonomic)) {
  finder_ = &full;
}

void IndependentConstraints::number_rows() {
  const SystemSizes all = full_.sizes();
  const auto count_from = [](const std::vector<int>& rows, int first) {
    return static_cast<int>(rows.end() - std::lower_bound(rows.begin(), rows.end(), first));
  };
  place_ = inverse(kept_, all.constraints);
  place_nonholonomic_ = inverse(kept_nonholonomic_, all.nonholonomic);
  sizes_ = all;
  sizes_.contacts = count_from(kept_, all.joints());
  sizes_.slips = count_from(kept_nonholonomic_, all.rollings());
  sizes_.constraints = static_cast<int>(kept_.size());
  sizes_.nonholonomic = static_cast<int>(kept_nonholonomic_.size());
  kept_elements_.clear();
  for (int j = 0; j < all.friction_elements; ++j)
    if (place_nonholonomic_[static_cast<std::size_t>(
            full_.contact_law(all.contacts + j).first_slip)] >= 0)
      kept_elements_.push_back(j);
  sizes_.friction_elements = static_cast<int>(kept_elements_.size());
  held_ = Vector::Zero(all.constraints);
  held_nonholonomic_ = Vector::Zero(all.nonholonomic);
}

void IndependentConstraints::hold(const State& full_state) {
  held_ = full_state.multiplier;
  held_nonholonomic_ = full_state.nonholonomic_multiplier;
}

bool IndependentConstraints::find_contacts(const State& s, double duration, ContactChange& change) {
  if (finder_ == nullptr || !finder_->find_contacts(s, duration, change)) return false;
  const SystemSizes all = full_.sizes();
  const auto keep = [](std::vector<int>& rows, int first, int end) {
    rows.erase(std::lower_bound(rows.begin(), rows.end(), first), rows.end());
    for (int row = first; row < end; ++row)
      rows.push_back(row);
  };
  keep(kept_, all.joints(), all.constraints);
  keep(kept_nonholonomic_, all.rollings(), all.nonholonomic);
  number_rows();
  return true;
}

const State& IndependentConstraints::expanded(const State& s) const {
  scratch_.time = s.time;
  scratch_.position = s.position;
  scratch_.velocity = s.velocity;
  scratch_.acceleration = s.acceleration;
  scratch_.control = s.control;
  scratch_.control_rate = s.control_rate;
  scratch_.multiplier = held_;
  for (std::size_t i = 0; i < kept_.size(); ++i)
    scratch_.multiplier(kept_[i]) = s.multiplier(static_cast<int>(i));
  scratch_.nonholonomic_multiplier = held_nonholonomic_;
  for (std::size_t i = 0; i < kept_nonholonomic_.size(); ++i)
    scratch_.nonholonomic_multiplier(kept_nonholonomic_[i]) =
        s.nonholonomic_multiplier(static_cast<int>(i));
  return scratch_;
}

void IndependentConstraints::expand(const State& reduced, State& full_state) const {
  full_state = expanded(reduced);
}

void IndependentConstraints::reduce(const State& full_state, State& reduced) const {
  reduced = full_state;
  select(full_state.multiplier, kept_, reduced.multiplier);
  select(full_state.nonholonomic_multiplier, kept_nonholonomic_, reduced.nonholonomic_multiplier);
}

// Column d is (c, -1 at d), where the kept directions combine to the one left out:
// J_keptᵀ c = J_dᵀ, solved as the least-squares saddle point [I J_keptᵀ; J_kept 0].
Matrix IndependentConstraints::dependencies(const State& full_state) const {
  const SystemSizes n = full_.sizes();
  const int rows = n.constraints + n.nonholonomic;
  const int kept = sizes_.constraints + sizes_.nonholonomic;
  const auto place = [&](int row) {
    if (row < n.constraints) return place_[static_cast<std::size_t>(row)];
    const int local = place_nonholonomic_[static_cast<std::size_t>(row - n.constraints)];
    return local < 0 ? -1 : sizes_.constraints + local;
  };
  std::vector<int> dropped, row_of(static_cast<std::size_t>(kept));
  for (int row = 0; row < rows; ++row) {
    if (place(row) < 0) {
      dropped.push_back(row);
    } else {
      row_of[static_cast<std::size_t>(place(row))] = row;
    }
  }

  Matrix of_dropped = Matrix::Zero(n.velocities, rows - kept);
  directions_.begin(n.velocities, kept);
  const auto sort_out = [&](int row, int velocity, double value) {
    if (place(row) >= 0) {
      directions_.add(velocity, place(row), value);
    } else {
      const auto it = std::lower_bound(dropped.begin(), dropped.end(), row);
      of_dropped(velocity, it - dropped.begin()) = value;
    }
  };
  full_.multiplier_tangent(full_state, scratch_a_, scratch_b_);
  scratch_a_.for_each([&](int velocity, int row, double x) { sort_out(row, velocity, x); });
  scratch_b_.for_each(
      [&](int velocity, int row, double x) { sort_out(n.constraints + row, velocity, x); });
  directions_.end();

  if (identity_.rows() != n.velocities) {
    identity_ = SparseMatrix::identity(n.velocities);
    dependency_.reset({n.velocities, kept});
  }
  dependency_.begin();
  dependency_.add(0, 0, 1.0, identity_);
  dependency_.add(0, 1, 1.0, directions_);
  dependency_.add(1, 0, 1.0, directions_, Transposed::kYes);
  if (!dependency_.factorize()) return Matrix(rows, 0);  // the next step will fail and say so
  Matrix N = Matrix::Zero(rows, rows - kept);
  Vector x(n.velocities + kept);
  for (int d = 0; d < N.cols(); ++d) {
    x << of_dropped.col(d), Vector::Zero(kept);
    dependency_.solve(x);
    for (int i = 0; i < kept; ++i)
      N(row_of[static_cast<std::size_t>(i)], d) = x(n.velocities + i);
    N(dropped[static_cast<std::size_t>(d)], d) = -1.0;
  }
  return N;
}

// Reactions with the same effect differ by combinations of the dependencies N; the shortest ones
// are orthogonal to all of them: λ = λ0 - N (NᵀN)⁻¹ Nᵀ λ0.
void IndependentConstraints::restore(const State& reduced, State& full_state) const {
  full_state = expanded(reduced);
  const Matrix N = dependencies(full_state);
  if (N.cols() == 0) return;
  Vector all(N.rows());
  all << full_state.multiplier, full_state.nonholonomic_multiplier;
  const Matrix NtN = N.transpose() * N;
  all -= N * NtN.llt().solve(N.transpose() * all);
  full_state.multiplier = all.head(full_state.multiplier.size());
  full_state.nonholonomic_multiplier = all.tail(full_state.nonholonomic_multiplier.size());
}

std::string IndependentConstraints::name_of(Equation kind, int index) const {
  const auto i = static_cast<std::size_t>(index);
  if (kind == Equation::kConstraint) return full_.name_of(kind, kept_[i]);
  if (kind == Equation::kNonholonomic) return full_.name_of(kind, kept_nonholonomic_[i]);
  return full_.name_of(kind, index);
}

double IndependentConstraints::extent(const State& s) const {
  return full_.extent(expanded(s));
}

void IndependentConstraints::switch_values(const State& s, Vector& values) const {
  full_.switch_values(expanded(s), values);
}

void IndependentConstraints::retract(const Vector& q, const Vector& dq, Vector& result) const {
  full_.retract(q, dq, result);
}

void IndependentConstraints::difference(const Vector& from, const Vector& to, Vector& dq) const {
  full_.difference(from, to, dq);
}

void IndependentConstraints::mass_matrix(const State& s, SparseMatrix& M) const {
  full_.mass_matrix(expanded(s), M);
}

void IndependentConstraints::force(const State& s, Vector& F) const {
  full_.force(expanded(s), F);
}

void IndependentConstraints::momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                                              SparseMatrix& D) const {
  full_.momentum_tangent(expanded(s), chart, K, D);
}

void IndependentConstraints::correction_tangent(const State& s, const Chart& chart,
                                                SparseMatrix& along_position,
                                                SparseMatrix& along_velocity) const {
  full_.correction_tangent(expanded(s), chart, along_position, along_velocity);
}

void IndependentConstraints::constraint(const State& s, Vector& g) const {
  full_.constraint(expanded(s), scratch_vector_);
  select(scratch_vector_, kept_, g);
}

void IndependentConstraints::constraint_velocity(const State& s, Vector& rate) const {
  full_.constraint_velocity(expanded(s), scratch_vector_);
  select(scratch_vector_, kept_, rate);
}

void IndependentConstraints::constraint_acceleration(const State& s, Vector& acceleration) const {
  full_.constraint_acceleration(expanded(s), scratch_vector_);
  select(scratch_vector_, kept_, acceleration);
}

void IndependentConstraints::constraint_jacobian(const State& s, SparseMatrix& G) const {
  full_.constraint_jacobian(expanded(s), scratch_a_);
  select_rows(scratch_a_, place_, sizes_.constraints, G);
}

void IndependentConstraints::constraint_tangent(const State& s, const Chart& chart,
                                                SparseMatrix& G) const {
  full_.constraint_tangent(expanded(s), chart, scratch_a_);
  select_rows(scratch_a_, place_, sizes_.constraints, G);
}

void IndependentConstraints::constraint_velocity_tangent(const State& s, const Chart& chart,
                                                         SparseMatrix& along_position) const {
  full_.constraint_velocity_tangent(expanded(s), chart, scratch_a_);
  select_rows(scratch_a_, place_, sizes_.constraints, along_position);
}

void IndependentConstraints::constraint_acceleration_tangent(const State& s, const Chart& chart,
                                                             SparseMatrix& along_position,
                                                             SparseMatrix& along_velocity) const {
  full_.constraint_acceleration_tangent(expanded(s), chart, scratch_a_, scratch_b_);
  select_rows(scratch_a_, place_, sizes_.constraints, along_position);
  select_rows(scratch_b_, place_, sizes_.constraints, along_velocity);
}

void IndependentConstraints::multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                                                SparseMatrix& along_nonholonomic) const {
  full_.multiplier_tangent(expanded(s), scratch_a_, scratch_b_);
  select_cols(scratch_a_, place_, sizes_.constraints, along_multiplier);
  select_cols(scratch_b_, place_nonholonomic_, sizes_.nonholonomic, along_nonholonomic);
}

void IndependentConstraints::nonholonomic(const State& s, Vector& k) const {
  full_.nonholonomic(expanded(s), scratch_vector_);
  select(scratch_vector_, kept_nonholonomic_, k);
}

void IndependentConstraints::nonholonomic_rate(const State& s, Vector& rate) const {
  full_.nonholonomic_rate(expanded(s), scratch_vector_);
  select(scratch_vector_, kept_nonholonomic_, rate);
}

void IndependentConstraints::nonholonomic_jacobian(const State& s,
                                                   SparseMatrix& along_velocity) const {
  full_.nonholonomic_jacobian(expanded(s), scratch_b_);
  select_rows(scratch_b_, place_nonholonomic_, sizes_.nonholonomic, along_velocity);
}

void IndependentConstraints::nonholonomic_tangent(const State& s, const Chart& chart,
                                                  SparseMatrix& along_position,
                                                  SparseMatrix& along_velocity) const {
  full_.nonholonomic_tangent(expanded(s), chart, scratch_a_, scratch_b_);
  select_rows(scratch_a_, place_nonholonomic_, sizes_.nonholonomic, along_position);
  select_rows(scratch_b_, place_nonholonomic_, sizes_.nonholonomic, along_velocity);
}

void IndependentConstraints::nonholonomic_rate_tangent(const State& s, const Chart& chart,
                                                       SparseMatrix& along_position,
                                                       SparseMatrix& along_velocity) const {
  full_.nonholonomic_rate_tangent(expanded(s), chart, scratch_a_, scratch_b_);
  select_rows(scratch_a_, place_nonholonomic_, sizes_.nonholonomic, along_position);
  select_rows(scratch_b_, place_nonholonomic_, sizes_.nonholonomic, along_velocity);
}

void IndependentConstraints::control(const State& s, Vector& d) const {
  full_.control(expanded(s), d);
}

void IndependentConstraints::control_tangent(const State& s, const Chart& chart,
                                             ControlTangent& tangent) const {
  // the matrix of d along λ is narrower here; swap it in so that the other five are filled in place
  std::swap(tangent.multiplier, scratch_control_.multiplier);
  full_.control_tangent(expanded(s), chart, tangent);
  std::swap(tangent.multiplier, scratch_control_.multiplier);
  select_cols(scratch_control_.multiplier, place_, sizes_.constraints, tangent.multiplier);
}

ContactLaw IndependentConstraints::contact_law(int contact) const {
  // contacts that were left out come before or between those that stay
  const int number =
      contact < sizes_.contacts
          ? kept_[static_cast<std::size_t>(sizes_.joints() + contact)] - full_.sizes().joints()
          : full_.sizes().contacts +
                kept_elements_[static_cast<std::size_t>(contact - sizes_.contacts)];
  ContactLaw law = full_.contact_law(number);
  if (law.slips > 0) law.first_slip = place_nonholonomic_[static_cast<std::size_t>(law.first_slip)];
  if (law.first_slip < 0) law.slips = 0;
  return law;
}

void IndependentConstraints::friction_limits(const State& s, Vector& limits) const {
  full_.friction_limits(expanded(s), scratch_vector_);
  select(scratch_vector_, kept_elements_, limits);
}

}  // namespace picus
