// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/contact_phase.h"

#include <algorithm>
#include <utility>

namespace picus {
namespace {

// A slip below this, relative to 1 + velocities, has the direction in which it began.
constexpr double kSlow = 1e-12;

}  // namespace

ContactPhase::ContactPhase(const System& full, std::vector<PhaseMode> modes)
    : SelectedConstraints(full), modes_(std::move(modes)) {
  const SystemSizes n = full.sizes();
  std::vector<int> kept = first_rows(n.joints()), kept_nonholonomic = first_rows(n.rollings());
  for (int j = 0; j < n.laws(); ++j) {
    const PhaseMode& mode = modes_[static_cast<std::size_t>(j)];
    if (!mode.is_closed()) continue;
    const ContactLaw law = full.contact_law(j);
    const bool is_element = j >= n.contacts;
    if (!is_element) kept.push_back(n.joints() + j);
    if (mode.sticks()) {
      for (int i = 0; i < law.slips; ++i)
        kept_nonholonomic.push_back(law.first_slip + i);
    } else if (law.slips > 0 && (is_element || law.friction > 0.0)) {
      sliding_.push_back({j, is_element ? -1 : n.joints() + j, law.first_slip, law.slips,
                          is_element ? 1.0 : law.friction});
      turns_ = turns_ || law.slips > 1;
      has_elements_ = has_elements_ || is_element;
      has_loads_ = has_loads_ || (is_element && full.limits_read_reactions());
    }
  }
  kept_gap_ = Vector::Zero(n.contacts);
  std::sort(kept_nonholonomic.begin(), kept_nonholonomic.end());
  keep(std::move(kept), std::move(kept_nonholonomic));
}

void ContactPhase::keep(std::vector<int> constraints, std::vector<int> nonholonomic) {
  select(std::move(constraints), std::move(nonholonomic));
  joints_ = sizes_.joints();
  rollings_ = sizes_.rollings();
  sizes_.contacts = sizes_.slips = sizes_.friction_elements = 0;
}

void ContactPhase::keep_only(const std::vector<int>& constraints,
                             const std::vector<int>& nonholonomic) {
  std::vector<int> rows, rows_nonholonomic;
  for (const int row : constraints)
    rows.push_back(kept_[static_cast<std::size_t>(row)]);
  for (const int row : nonholonomic)
    rows_nonholonomic.push_back(kept_nonholonomic_[static_cast<std::size_t>(row)]);
  const int joints = full_.sizes().joints(), rollings = full_.sizes().rollings();
  for (const int row : kept_)
    if (row >= joints && !std::binary_search(rows.begin(), rows.end(), row))
      held_.push_back({row, 0.0});
  for (const int row : kept_nonholonomic_)
    if (row >= rollings &&
        !std::binary_search(rows_nonholonomic.begin(), rows_nonholonomic.end(), row))
      held_slips_.push_back({row, 0.0});
  shares_ = !held_.empty() || !held_slips_.empty();
  keep(std::move(rows), std::move(rows_nonholonomic));
}

void ContactPhase::hold(const State& full_state) {
  for (Held& held : held_)
    held.reaction = full_state.multiplier(held.row);
  for (Held& held : held_slips_)
    held.reaction = full_state.nonholonomic_multiplier(held.row);
}

void ContactPhase::set_directions(const std::vector<PhaseMode>& modes) {
  for (const Sliding& sliding : sliding_) {
    const auto law = static_cast<std::size_t>(sliding.law);
    modes_[law].direction = modes[law].direction;
    modes_[law].slip_left = modes[law].slip_left;
  }
}

void ContactPhase::constraint(const State& s, Vector& g) const {
  SelectedConstraints::constraint(s, g);
  const int joints = full_.sizes().joints();
  for (std::size_t i = kept_.size(); i-- > 0 && kept_[i] >= joints;)
    g(static_cast<int>(i)) -= kept_gap_(kept_[i] - joints);
}

Vector2 ContactPhase::regular_slip(const Sliding& sliding) const {
  const PhaseMode& mode = modes_[static_cast<std::size_t>(sliding.law)];
  return slip_.segment<2>(sliding.first_slip) - mode.slip_left + slow_ * mode.direction;
}

Vector2 ContactPhase::direction(const Sliding& sliding) const {
  if (sliding.slips == 1) return modes_[static_cast<std::size_t>(sliding.law)].direction;
  return regular_slip(sliding).normalized();
}

double ContactPhase::limit(const Sliding& sliding, const State& full_state) const {
  if (sliding.gap >= 0) return sliding.friction * full_state.multiplier(sliding.gap);
  const double largest = limits_(sliding.law - full_.sizes().contacts);
  return largest < 0.0 ? 0.0 : largest;
}

void ContactPhase::add_reactions(State& full_state) const {
  for (const Held& held : held_)
    full_state.multiplier(held.row) = held.reaction;
  for (const Held& held : held_slips_)
    full_state.nonholonomic_multiplier(held.row) = held.reaction;
  if (sliding_.empty()) return;
  if (has_elements_) full_.friction_limits(full_state, limits_);
  if (turns_) {
    full_.nonholonomic(full_state, slip_);
    slow_ = kSlow * (1.0 + max_abs(full_state.velocity));
  }
  for (const Sliding& sliding : sliding_) {
    const Vector2 against = -limit(sliding, full_state) * direction(sliding);
    for (int i = 0; i < sliding.slips; ++i)
      full_state.nonholonomic_multiplier(sliding.first_slip + i) = against(i);
  }
}

// ∂ψ/∂k = -limit (I - d dᵀ)/‖k‖. How the limit of a friction element changes along q and v is not
// known here; Newton's method does without.
void ContactPhase::add_turning(const State& full_state, const SparseMatrix& k_x,
                               SparseMatrix& A) const {
  const auto gather = [&](const SparseMatrix& from, int first, std::vector<Entry>& to) {
    to.clear();
    from.for_each([&](int row, int col, double value) {
      if (row == first || row == first + 1) to.push_back({row - first, col, value});
    });
  };
  for (const Sliding& sliding : sliding_) {
    if (sliding.slips == 1) continue;
    gather(k_v_, sliding.first_slip, left_);
    gather(k_x, sliding.first_slip, right_);
    const Vector2 d = direction(sliding);
    const Eigen::Matrix2d turning = limit(sliding, full_state) / speed(sliding) *
                                    (Eigen::Matrix2d::Identity() - d * d.transpose());
    for (const Entry& l : left_)
      for (const Entry& r : right_)
        A.add(l.col, r.col, l.value * turning(l.slip, r.slip) * r.value);
  }
}

// The mass that a slip moves is at least that without joints, 1/Σ k_i²/M_ii.
double ContactPhase::turning_rate(const State& s) const {
  if (!turns_) return 0.0;
  const State& full_state = expanded(s);
  full_.mass_matrix(full_state, scratch_a_);
  full_.nonholonomic_jacobian(full_state, k_v_);
  inertia_.setZero(sizes_.velocities);
  scratch_a_.for_each([&](int row, int col, double value) {
    if (row == col) inertia_(row) = value;
  });
  double fastest = 0.0;
  for (const Sliding& sliding : sliding_) {
    if (sliding.slips == 1) continue;
    double mobility = 0.0;
    k_v_.for_each([&](int row, int col, double value) {
      const int i = row - sliding.first_slip;
      if (i >= 0 && i < sliding.slips && inertia_(col) > 0.0)
        mobility += value * value / inertia_(col);
    });
    fastest = std::max(fastest, limit(sliding, full_state) * mobility / speed(sliding));
  }
  return fastest;
}

void ContactPhase::momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                                    SparseMatrix& D) const {
  if (!turns_) {
    SelectedConstraints::momentum_tangent(s, chart, K, D);
    return;
  }
  const State& full_state = expanded(s);
  full_.momentum_tangent(full_state, chart, scratch_a_, scratch_b_);
  full_.nonholonomic_tangent(full_state, chart, k_q_, k_v_);
  const auto add_to = [&](const SparseMatrix& plain, const SparseMatrix& k_x, SparseMatrix& A) {
    A.begin(plain.rows(), plain.cols());
    plain.for_each([&](int row, int col, double value) { A.add(row, col, value); });
    add_turning(full_state, k_x, A);
    A.end();
  };
  add_to(scratch_a_, k_q_, K);
  add_to(scratch_b_, k_v_, D);
}

// ∂F/∂λ of a contact that slips: Gᵀ - μ k_vᵀ d
void ContactPhase::multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                                      SparseMatrix& along_nonholonomic) const {
  SelectedConstraints::multiplier_tangent(s, along_multiplier, along_nonholonomic);
  if (sliding_.empty()) return;
  std::swap(along_multiplier, scratch_k_);
  along_multiplier.begin(scratch_k_.rows(), scratch_k_.cols());
  scratch_k_.for_each(
      [&](int row, int col, double value) { along_multiplier.add(row, col, value); });
  for (const Sliding& sliding : sliding_) {
    if (sliding.gap < 0 || !has_row(sliding.gap)) continue;
    const int column = place_[static_cast<std::size_t>(sliding.gap)];
    const Vector2 against = -sliding.friction * direction(sliding);
    scratch_b_.for_each([&](int row, int slip, double value) {
      const int i = slip - sliding.first_slip;
      if (i >= 0 && i < sliding.slips) along_multiplier.add(row, column, against(i) * value);
    });
  }
  if (has_loads_) add_loads(expanded(s), along_multiplier);
  along_multiplier.end();
}

// ∂ψ/∂λ = -d ∂limit/∂λ
void ContactPhase::add_loads(const State& full_state, SparseMatrix& A) const {
  full_.friction_limit_tangent(full_state, limit_rows_);
  const int contacts = full_.sizes().contacts;
  limit_rows_.for_each([&](int element, int loaded, double slope) {
    if (!has_row(loaded)) return;
    for (const Sliding& sliding : sliding_) {
      if (sliding.law != contacts + element) continue;
      const Vector2 against = -slope * direction(sliding);
      for (int i = 0; i < sliding.slips; ++i)
        scratch_b_.for_each_in(sliding.first_slip + i, [&](int row, double value) {
          A.add(row, place_of(loaded), against(i) * value);
        });
    }
  });
}

}  // namespace picus
