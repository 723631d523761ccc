// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/contact_impulses.h"

#include <algorithm>

namespace picus {

void ContactMotion::see(const System& system, const State& s, const Chart& chart) {
  system.constraint_velocity(s, gap_rate);
  system.constraint_jacobian(s, gap_rows);
  if (system.sizes().nonholonomic == 0) return;
  system.nonholonomic(s, slip);
  system.nonholonomic_tangent(s, chart, along_position_, slip_rows);
}

void ContactImpulses::start(const System& system) {
  sizes_ = system.sizes();
  laws_.clear();
  for (int j = 0; j < sizes_.laws(); ++j)
    laws_.push_back(system.contact_law(j));
  active_.clear();
  active_.reserve(laws_.size());
  remembered_.assign(3 * laws_.size(), 0.0);
  response_.clear();
  friction_limit_ = Vector::Zero(sizes_.friction_elements);
}

void ContactImpulses::activate_friction(const System& system, const State& s, double span) {
  if (sizes_.friction_elements == 0) return;
  system.friction_limits(s, friction_limit_);
  friction_limit_ = span * friction_limit_.cwiseMax(0.0);
  for (int j = sizes_.contacts; j < sizes_.laws(); ++j)
    active_.push_back(j);
}

std::span<const int> ContactImpulses::active_contacts() const {
  const auto end = std::lower_bound(active_.begin(), active_.end(), sizes_.contacts);
  return std::span(active_).first(static_cast<std::size_t>(end - active_.begin()));
}

ContactImpulses::Row ContactImpulses::row(int i, int direction) const {
  if (direction == 0) return {false, sizes_.joints() + active_[static_cast<std::size_t>(i)]};
  return {true, law(i).first_slip + direction - 1};
}

ContactReport ContactImpulses::solve(const BlockMatrix& matrix, const ContactMotion& free,
                                     const ContactMotion& before) {
  state_problem(free, before);
  respond(matrix, free);
  const ContactReport report = solver_->solve(problem_, impulse_);
  for (std::size_t i = 0; i < active_.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      remembered_[3 * static_cast<std::size_t>(active_[i]) + d] =
          impulse_(static_cast<int>(3 * i + d));
  return report;
}

// b = J v_free + e J v_before, in the normal direction and along the slips.
void ContactImpulses::state_problem(const ContactMotion& free, const ContactMotion& before) {
  const int count = static_cast<int>(active_.size());
  problem_.laws.resize(active_.size());
  resize(problem_.b, 3 * count);
  resize(impulse_, 3 * count);
  problem_.b.setZero();
  for (int i = 0; i < count; ++i) {
    const ContactLaw& contact = law(i);
    problem_.laws[static_cast<std::size_t>(i)] =
        is_friction(i)
            ? ImpulseLaw{ContactKind::kFriction,
                         friction_limit_(active_[static_cast<std::size_t>(i)] - sizes_.contacts)}
            : ImpulseLaw{ContactKind::kContact, contact.friction};
    for (int d = first_direction(i); d < directions(i); ++d) {
      const auto [is_slip, index] = row(i, d);
      const double e = is_slip ? contact.tangential_restitution : contact.restitution;
      problem_.b(3 * i + d) = (is_slip ? free.slip : free.gap_rate)(index) +
                              e * (is_slip ? before.slip : before.gap_rate)(index);
    }
    for (int d = 0; d < 3; ++d)
      impulse_(3 * i + d) =
          remembered_[static_cast<std::size_t>(3 * active_[static_cast<std::size_t>(i)] + d)];
  }
}

// W, column by column: what an impulse of one does to the contacts it reaches.
void ContactImpulses::respond(const BlockMatrix& matrix, const ContactMotion& motion) {
  const int count = static_cast<int>(active_.size());
  place_of_gap_.assign(static_cast<std::size_t>(sizes_.constraints), -1);
  place_of_slip_.assign(static_cast<std::size_t>(sizes_.nonholonomic), -1);
  if (response_.size() < 3 * active_.size()) response_.resize(3 * active_.size());
  resize(sums_, 3 * count);
  sums_.setZero();
  for (int i = 0; i < count; ++i) {
    for (int d = first_direction(i); d < directions(i); ++d) {
      const auto [is_slip, index] = row(i, d);
      (is_slip ? place_of_slip_ : place_of_gap_)[static_cast<std::size_t>(index)] = 3 * i + d;
      Vector& x = response_[static_cast<std::size_t>(3 * i + d)];
      x.setZero(matrix.size());
    }
  }
  const auto begin_columns = [&](const SparseMatrix& rows, const std::vector<int>& place) {
    rows.for_each([&](int row_index, int col, double value) {
      const int at = place[static_cast<std::size_t>(row_index)];
      if (at >= 0) response_[static_cast<std::size_t>(at)](col) = value;
    });
  };
  begin_columns(motion.gap_rows, place_of_gap_);
  if (sizes_.slips > 0) begin_columns(motion.slip_rows, place_of_slip_);
  problem_.W.begin(count);
  for (int i = 0; i < count; ++i) {
    for (int d = first_direction(i); d < directions(i); ++d) {
      matrix.solve(response_[static_cast<std::size_t>(3 * i + d)]);
      add_column(3 * i + d, motion);
    }
  }
  problem_.W.end();
}

void ContactImpulses::add_column(int column, const ContactMotion& motion) {
  const Vector& x = response_[static_cast<std::size_t>(column)];
  touched_.clear();
  const auto see = [&](const SparseMatrix& rows, const std::vector<int>& place) {
    for (int col = 0; col < rows.cols(); ++col) {
      if (x(col) == 0.0) continue;
      const auto first =
          static_cast<std::size_t>(rows.column_starts()[static_cast<std::size_t>(col)]);
      const auto last =
          static_cast<std::size_t>(rows.column_starts()[static_cast<std::size_t>(col) + 1]);
      for (std::size_t k = first; k < last; ++k) {
        const int at = place[static_cast<std::size_t>(rows.row_indices()[k])];
        if (at < 0) continue;
        if (sums_(at) == 0.0) touched_.push_back(at);
        sums_(at) += rows.values()[k] * x(col);
      }
    }
  };
  see(motion.gap_rows, place_of_gap_);
  if (sizes_.slips > 0) see(motion.slip_rows, place_of_slip_);
  std::sort(touched_.begin(), touched_.end());
  for (const int at : touched_) {
    problem_.W.add(at, column, sums_(at));
    sums_(at) = 0.0;
  }
}

void ContactImpulses::add_response(Vector& x) const {
  for (int i = 0; i < static_cast<int>(active_.size()); ++i)
    for (int d = first_direction(i); d < directions(i); ++d)
      x += impulse_(3 * i + d) * response_[static_cast<std::size_t>(3 * i + d)];
}

void ContactImpulses::put(Vector& constraint_impulse, Vector& nonholonomic_impulse) const {
  constraint_impulse.tail(sizes_.contacts).setZero();
  nonholonomic_impulse.tail(sizes_.slips).setZero();
  for (int i = 0; i < static_cast<int>(active_.size()); ++i) {
    for (int d = first_direction(i); d < directions(i); ++d) {
      const auto [is_slip, index] = row(i, d);
      (is_slip ? nonholonomic_impulse : constraint_impulse)(index) = impulse_(3 * i + d);
    }
  }
}

}  // namespace picus
