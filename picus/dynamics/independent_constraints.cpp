// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/independent_constraints.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>

namespace picus {
namespace {

// Growth of the volume of the kept rows by one exchange: beyond the first, rows are exchanged until
// it is below the second.
constexpr double kPoorChoice = 8.0;
constexpr double kFairChoice = 2.0;
// Of the limit under reactions of size one: that of reactions that do not enter it.
constexpr double kNoLoad = 1e-8;
constexpr double kIrregular = 0.618;  // so that such reactions do not cancel

}  // namespace

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

int IndependentConstraints::place_of(int row) const {
  const int joints = full_.sizes().joints();
  if (row < joints) return place_[static_cast<std::size_t>(row)];
  const int local = place_nonholonomic_[static_cast<std::size_t>(row - joints)];
  return local < 0 ? -1 : sizes_.joints() + local;
}

// Column d is (c, -1 at d), where the kept directions combine to the one left out:
// J_keptᵀ c = J_dᵀ, solved as the least-squares saddle point [I J_keptᵀ; J_kept 0]. Contacts take
// no part: none is left out, and what is left out follows from joints and rolling alone.
const Matrix& IndependentConstraints::dependencies(const State& full_state) const {
  const SystemSizes n = full_.sizes();
  const int rows = n.joints() + n.rollings();
  const int kept = sizes_.joints() + sizes_.rollings();
  dropped_.clear();
  row_of_.resize(static_cast<std::size_t>(kept));
  for (int row = 0; row < rows; ++row) {
    if (place_of(row) < 0) {
      dropped_.push_back(row);
    } else {
      row_of_[static_cast<std::size_t>(place_of(row))] = row;
    }
  }

  Matrix of_dropped = Matrix::Zero(n.velocities, rows - kept);
  lengths_.setZero(kept);
  directions_.begin(n.velocities, kept);
  const auto sort_out = [&](int row, int velocity, double value) {
    if (place_of(row) >= 0) {
      directions_.add(velocity, place_of(row), value);
      lengths_(place_of(row)) += value * value;
    } else {
      const auto it = std::lower_bound(dropped_.begin(), dropped_.end(), row);
      of_dropped(velocity, it - dropped_.begin()) = value;
    }
  };
  full_.multiplier_tangent(full_state, scratch_a_, scratch_b_);
  scratch_a_.for_each([&](int velocity, int row, double x) {
    if (row < n.joints()) sort_out(row, velocity, x);
  });
  scratch_b_.for_each([&](int velocity, int row, double x) {
    if (row < n.rollings()) sort_out(n.joints() + row, velocity, x);
  });
  directions_.end();
  lengths_ = lengths_.cwiseSqrt();

  best_ = {};
  independent_part_ = 0.0;
  if (!combination_.factorize(directions_)) {  // the next step will fail and say so
    dependencies_.resize(rows, 0);
    return dependencies_;
  }
  dependencies_.setZero(rows, rows - kept);
  for (int d = 0; d < dependencies_.cols(); ++d) {
    const double length = of_dropped.col(d).norm();
    const double left = combination_.solve(of_dropped.col(d));
    for (int i = 0; i < kept; ++i)
      dependencies_(row_of_[static_cast<std::size_t>(i)], d) = combination_.coefficients()(i);
    dependencies_(dropped_[static_cast<std::size_t>(d)], d) = -1.0;
    if (length == 0.0) continue;
    independent_part_ = std::max(independent_part_, left / length);
    judge(d, length);
  }
  return dependencies_;
}

// Exchanges of one kind, so that sizes stay.
void IndependentConstraints::judge(int d, double length) const {
  const int in = dropped_[static_cast<std::size_t>(d)], joints = full_.sizes().joints();
  for (int i = 0; i < lengths_.size(); ++i) {
    const int out = row_of_[static_cast<std::size_t>(i)];
    const double gain = std::abs(dependencies_(out, d)) * lengths_(i) / length;
    if (gain > best_.gain && (out < joints) == (in < joints)) best_ = {in, out, gain};
  }
}

// Reactions with the same effect differ by combinations of the dependencies N; the shortest ones
// are orthogonal to all of them: λ = λ0 - N (NᵀN)⁻¹ Nᵀ λ0.
void IndependentConstraints::restore(const State& reduced, State& full_state) const {
  full_state = expanded(reduced);
  const Matrix& N = dependencies(full_state);
  if (N.cols() == 0) return;
  const SystemSizes n = full_.sizes();
  Vector all(N.rows());
  all << full_state.multiplier.head(n.joints()),
      full_state.nonholonomic_multiplier.head(n.rollings());
  const Matrix NtN = N.transpose() * N;
  all -= N * NtN.llt().solve(N.transpose() * all);
  full_state.multiplier.head(n.joints()) = all.head(n.joints());
  full_state.nonholonomic_multiplier.head(n.rollings()) = all.tail(n.rollings());
}

// λ + N λ_dropped has no reaction where N has its -1.
void IndependentConstraints::gather(const State& full_state, State& reduced) const {
  const Matrix& N = dependencies(full_state);
  const SystemSizes n = full_.sizes();
  State all = full_state;
  for (int d = 0; d < N.cols(); ++d) {
    const int row = dropped_[static_cast<std::size_t>(d)];
    const double reaction = row < n.joints() ? full_state.multiplier(row)
                                             : full_state.nonholonomic_multiplier(row - n.joints());
    all.multiplier.head(n.joints()) += reaction * N.col(d).head(n.joints());
    all.nonholonomic_multiplier.head(n.rollings()) += reaction * N.col(d).tail(n.rollings());
  }
  reduce(all, reduced);
}

bool IndependentConstraints::is_poor_choice() const {
  return best_.gain > kPoorChoice;
}

bool IndependentConstraints::choose_again(const State& full_state) {
  const int joints = full_.sizes().joints();
  bool changed = false;
  for (dependencies(full_state); best_.gain > kFairChoice; dependencies(full_state)) {
    const bool holonomic = best_.in < joints;
    std::vector<int>& kept = holonomic ? kept_ : kept_nonholonomic_;
    const int first = holonomic ? 0 : joints;
    *std::find(kept.begin(), kept.end(), best_.out - first) = best_.in - first;
    std::sort(kept.begin(), kept.end());
    select(std::move(kept_), std::move(kept_nonholonomic_));
    number_rows();
    changed = true;
  }
  return changed;
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

std::vector<int> IndependentConstraints::reaction_limits() const {
  std::vector<int> elements;
  for (const int element : full_.reaction_limits()) {
    const auto at = std::lower_bound(kept_elements_.begin(), kept_elements_.end(), element);
    if (at != kept_elements_.end() && *at == element)
      elements.push_back(static_cast<int>(at - kept_elements_.begin()));
  }
  return elements;
}

void IndependentConstraints::friction_limit_tangent(const State& s,
                                                    SparseMatrix& along_multiplier) const {
  full_.friction_limit_tangent(expanded(s), scratch_a_);
  along_multiplier.begin(sizes_.friction_elements, sizes_.constraints);
  scratch_a_.for_each([&](int element, int row, double value) {
    const auto at = std::lower_bound(kept_elements_.begin(), kept_elements_.end(), element);
    const int place = place_[static_cast<std::size_t>(row)];
    if (at != kept_elements_.end() && *at == element && place >= 0)
      along_multiplier.add(static_cast<int>(at - kept_elements_.begin()), place, value);
  });
  along_multiplier.end();
}

// Limits add up sizes of forces: those of reactions n without effect are zero if and only if no
// such force sees n.
int IndependentConstraints::undetermined_limit(const State& full_state) const {
  if (!full_.limits_read_reactions()) return -1;
  const SystemSizes n = full_.sizes();
  const Matrix N = dependencies(full_state);
  State probe = full_state;
  Vector none, limits, usual;
  probe.multiplier.setZero(n.constraints);
  full_.friction_limits(probe, none);
  for (int row = 0; row < n.joints(); ++row)
    probe.multiplier(row) = 1.0 + std::fmod(kIrregular * row, 1.0);
  full_.friction_limits(probe, usual);
  for (int d = 0; d < N.cols(); ++d) {
    const double size = N.col(d).cwiseAbs().maxCoeff();
    probe.multiplier.setZero();
    probe.multiplier.head(n.joints()) = N.col(d).head(n.joints()) / size;
    full_.friction_limits(probe, limits);
    for (int j = 0; j < n.friction_elements; ++j)
      if (limits(j) - none(j) > kNoLoad * (usual(j) - none(j))) return j;
  }
  return -1;
}

}  // namespace picus
