// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/force_batch.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "picus/mechanism/scatter.h"

namespace picus {
namespace {

using Kind = Signal::Kind;

constexpr std::size_t kMaxTerms = 16;  ///< of a group, so that they fit on the stack

// A += factor · column ⊗ row
void add_outer(SparseMatrix& A, const Places& rows, const Row<double>& column, const Places& cols,
               const Row<double>& row, double factor) {
  for (int j = 0; j < 12; ++j) {
    const int col = cols[static_cast<std::size_t>(j)];
    if (col < 0) continue;
    for (int i = 0; i < 12; ++i) {
      const int place = rows[static_cast<std::size_t>(i)];
      if (place >= 0) A.add(place, col, factor * column(i) * row(j));
    }
  }
}

bool all_zero(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0.0; });
}

}  // namespace

/// The terms of a group at a state.
class ForceBatch::GroupView {
 public:
  using Values = std::array<double, kMaxSignals>;

  GroupView(const Group& group, const PairView& pair) {
    static_assert(std::is_trivially_destructible_v<TermView>);
    for (std::size_t k = 0; k < group.terms.size(); ++k)
      new (terms() + k) TermView(pair, group.terms[k]);
    for (std::size_t k = 0; k < group.terms.size(); ++k) {
      if (group.values_read[k]) values_[k] = terms()[k].value();
      if (group.rates_read[k]) rates_[k] = terms()[k].rate();
    }
  }
  const TermView& operator[](std::size_t term) const { return terms()[term]; }

  /// What a law reads.
  std::span<const double> read(const Formulation& law, const Sight& sight, const PairView& pair,
                               Values& values) const {
    for (std::size_t k = 0; k < law.signals.size(); ++k) {
      const Signal& signal = law.signals[k];
      if (sight.signals[k] < 0) {
        values[k] = signal.read(pair.bodies(), pair.state());
      } else {
        const auto term = static_cast<std::size_t>(sight.signals[k]);
        values[k] = signal.scale * (signal.kind == Kind::kValue ? values_[term] : rates_[term]);
      }
    }
    return std::span<const double>(values).first(law.signals.size());
  }

  /// ∂magnitude along positions and velocities, through the signals of this pair.
  std::pair<Row<double>, Row<double>> slopes(const Formulation& law, const Sight& sight,
                                             std::span<const double> gradient) const {
    Row<double> q = Row<double>::Zero(), v = Row<double>::Zero();
    for (std::size_t k = 0; k < law.signals.size(); ++k) {
      if (sight.signals[k] < 0 || gradient[k] == 0.0) continue;
      const TermView& seen = terms()[sight.signals[k]];
      if (law.signals[k].kind == Kind::kValue) {
        q += gradient[k] * seen.value_tangent();
      } else {
        q += gradient[k] * seen.rate_tangent();
        v += gradient[k] * seen.row();
      }
    }
    return {q, v};
  }

 private:
  TermView* terms() { return reinterpret_cast<TermView*>(room_); }
  const TermView* terms() const { return reinterpret_cast<const TermView*>(room_); }

  // not an array of std::optional: that would be cleared for every group
  alignas(TermView) std::byte room_[kMaxTerms * sizeof(TermView)];
  std::array<double, kMaxTerms> values_, rates_;  // of the terms that are read
};

ForceBatch::ForceBatch(const Bodies& bodies, std::vector<ForceComponent> components)
    : bodies_(bodies), components_(std::move(components)) {
  for (std::size_t n = 0; n < components_.size(); ++n) {
    const Term& along = components_[n].direction;
    if (!groups_.empty() && groups_.back().body_i == along.body_i &&
        groups_.back().body_j == along.body_j) {
      Group grown = groups_.back();
      grown.sights.push_back(sight_of(components_[n], grown));
      grown.end = n + 1;
      if (grown.terms.size() <= kMaxTerms) {
        groups_.back() = std::move(grown);
        continue;
      }
    }
    Group group{.body_i = along.body_i, .body_j = along.body_j, .first = n, .end = n + 1};
    group.sights.push_back(sight_of(components_[n], group));
    groups_.push_back(std::move(group));
  }
}

ForceBatch::Sight ForceBatch::sight_of(const ForceComponent& component, Group& group) const {
  const auto number_of = [&](const Term& term) {
    const auto found = std::find(group.terms.begin(), group.terms.end(), term);
    const auto number = static_cast<std::size_t>(found - group.terms.begin());
    if (found == group.terms.end()) {
      group.terms.push_back(term);
      group.values_read.push_back(false);
      group.rates_read.push_back(false);
    }
    return number;
  };
  Sight sight{number_of(component.direction), {}};
  for (const Signal& signal : component.magnitude.signals) {
    const bool is_near =
        (signal.kind == Kind::kValue || signal.kind == Kind::kRate) &&
        signal.term.body_i == group.body_i && signal.term.body_j == group.body_j &&
        // a formula may read more measures than fit; those are then looked up one by one
        group.terms.size() < kMaxTerms;
    sight.signals.push_back(is_near ? static_cast<int>(number_of(signal.term)) : -1);
    if (!is_near) continue;
    const auto term = static_cast<std::size_t>(sight.signals.back());
    (signal.kind == Kind::kValue ? group.values_read : group.rates_read)[term] = true;
    group.reads_rates = group.reads_rates || signal.kind == Kind::kRate;
  }
  return sight;
}

// Forces that depend on time alone.
bool ForceBatch::is_linear() const {
  return std::all_of(components_.begin(), components_.end(), [&](const ForceComponent& component) {
    const std::vector<Signal>& signals = component.magnitude.signals;
    return is_constant(bodies_, component.direction) &&
           std::all_of(signals.begin(), signals.end(),
                       [](const Signal& signal) { return signal.kind == Kind::kTime; });
  });
}

void ForceBatch::renumber_controls(std::span<const int> place) {
  for (ForceComponent& component : components_)
    component.magnitude.renumber_controls(place);
}

void ForceBatch::force(const State& s, Vector& F) const {
  GroupView::Values values;
  PairView pair(bodies_, s);
  for (const Group& group : groups_) {
    pair.look_at(group.body_i, group.body_j);
    const GroupView view(group, pair);
    Row<double> sum = Row<double>::Zero();
    for (std::size_t n = group.first; n < group.end; ++n) {
      const Sight& sight = group.sights[n - group.first];
      const Formulation& law = components_[n].magnitude;
      const double magnitude = law.value(view.read(law, sight, pair, values));
      if (magnitude != 0.0) sum += magnitude * view[sight.direction].row();
    }
    add_to(F, pair.places(), sum);
  }
}

void ForceBatch::momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                                  SparseMatrix& D) const {
  if (forces == Forces::kReactionsOnly) return;
  PairView pair(bodies_, s, c);
  for (const Group& group : groups_) {
    pair.look_at(group.body_i, group.body_j);
    add_tangent(group, pair, s, c, K, D);
  }
}

void ForceBatch::add_tangent(const Group& group, const PairView& pair, const State& s,
                             const Chart& c, SparseMatrix& K, SparseMatrix& D) const {
  GroupView::Values values, storage;
  const GroupView view(group, pair);
  Hessian along_q, along_v;
  bool is_empty = true;  // most contacts are open
  for (std::size_t n = group.first; n < group.end; ++n) {
    const Sight& sight = group.sights[n - group.first];
    const Formulation& law = components_[n].magnitude;
    const std::span<double> gradient = std::span(storage).first(law.signals.size());
    const double magnitude = law.value(view.read(law, sight, pair, values), gradient);
    const TermView& along = view[sight.direction];
    for (std::size_t k = 0; k < law.signals.size(); ++k)
      if (sight.signals[k] < 0) add_elsewhere(law.signals[k], gradient[k], along, s, c, K, D);
    if (magnitude == 0.0 && all_zero(gradient)) continue;
    if (std::exchange(is_empty, false)) {
      along_q.setZero();
      along_v.setZero();
    }
    const auto [slope_q, slope_v] = view.slopes(law, sight, gradient);
    along_q -= magnitude * along.row_tangent() + along.row() * slope_q.transpose();
    if (group.reads_rates) along_v -= along.row() * slope_v.transpose();
  }
  add_square(K, pair.places(), is_empty ? nullptr : &along_q);
  if (group.reads_rates) add_square(D, pair.places(), is_empty ? nullptr : &along_v);
}

// −∂force through a signal that looks at other bodies.
void ForceBatch::add_elsewhere(const Signal& signal, double slope, const TermView& along,
                               const State& s, const Chart& c, SparseMatrix& K,
                               SparseMatrix& D) const {
  if (signal.kind != Kind::kValue && signal.kind != Kind::kRate) return;
  const LoneTermView seen(bodies_, signal.term, s, c);
  if (signal.kind == Kind::kValue) {
    add_outer(K, along.places(), along.row(), seen.places(), seen.value_tangent(), -slope);
  } else {
    add_outer(K, along.places(), along.row(), seen.places(), seen.rate_tangent(), -slope);
    add_outer(D, along.places(), along.row(), seen.places(), seen.row(), -slope);
  }
}

void ForceBatch::control_tangent(const State& s, const Chart&, ControlTangent& tangent) const {
  std::array<double, kMaxSignals> storage;
  for (const ForceComponent& component : components_) {
    const std::vector<Signal>& signals = component.magnitude.signals;
    bool reads_controls = false;
    for (const Signal& signal : signals)
      reads_controls = reads_controls || signal.kind == Kind::kControl;
    if (!reads_controls) continue;
    const std::span<double> gradient = std::span(storage).first(signals.size());
    component.magnitude.evaluate(bodies_, s, gradient);
    const LoneTermView view(bodies_, component.direction, s);
    for (std::size_t k = 0; k < signals.size(); ++k)
      if (signals[k].kind == Kind::kControl)
        add_column(tangent.force, signals[k].index, view.places(), gradient[k] * view.row());
  }
}

int ForceBatch::switches() const {
  return count_switches(components_, &ForceComponent::magnitude);
}

void ForceBatch::switch_values(const State& s, int first, Vector& values) const {
  put_switch_values(
      bodies_, components_,
      [](const ForceComponent& component) -> const Formulation& { return component.magnitude; }, s,
      first, values);
}

std::string ForceBatch::name_of_switch(int index) const {
  return name_switch(components_, &ForceComponent::magnitude, index);
}

}  // namespace picus
