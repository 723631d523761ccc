// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/independent_constraints.h"

#include <algorithm>
#include <utility>

#include <Eigen/Cholesky>

namespace picus {
IndependentConstraints::IndependentConstraints(const System& full, std::vector<int> kept,
                                               std::vector<int> kept_nonholonomic)
    : SelectedConstraints(full) {
  select(std::move(kept), std::move(kept_nonholonomic));
  number_rows();
}

IndependentConstraints::IndependentConstraints(System& full, std::vector<int> kept,
                                               std::vector<int> kept_nonholonomic)
    : IndependentConstraints(std::as_const(full), std::move(kept), std::move(kept_nonholonomic)) {
  finder_ = &full;
}

void IndependentConstraints::number_rows() {
  const SystemSizes all = full_.sizes();
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
  select(std::move(kept_), std::move(kept_nonholonomic_));
  number_rows();
  return true;
}

void IndependentConstraints::add_reactions(State& full_state) const {
  for (int row = 0; row < held_.size(); ++row)
    if (place_[static_cast<std::size_t>(row)] < 0) full_state.multiplier(row) = held_(row);
  for (int row = 0; row < held_nonholonomic_.size(); ++row)
    if (place_nonholonomic_[static_cast<std::size_t>(row)] < 0)
      full_state.nonholonomic_multiplier(row) = held_nonholonomic_(row);
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
  resize(limits, sizes_.friction_elements);
  for (int i = 0; i < sizes_.friction_elements; ++i)
    limits(i) = scratch_vector_(kept_elements_[static_cast<std::size_t>(i)]);
}

}  // namespace picus
