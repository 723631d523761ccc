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

bool all_zero(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0.0; });
}

}  // namespace

using CarriedTermView = CarriedView<TermGeometry>;

/// Room for numbers along the columns of a group.
template <>
struct ForceBatch::Room<TermView> {
  explicit Room(const PairView&) {}
  void make(TermView* at, const PairView& pair, const Term& term) { new (at) TermView(pair, term); }
  static Row<double> zeros(const TermView&) { return Row<double>::Zero(); }
  static Hessian square(const TermView&) {
    return Hessian();  // not initialised
  }
};

template <>
struct ForceBatch::Room<CarriedTermView> {
  explicit Room(const PairView&) {}
  void make(CarriedTermView* at, const PairView& pair, const Term& term) {
    new (at) CarriedTermView(pair.bodies(), {&term}, pair.state(), pair.chart(), scratch_);
  }
  Eigen::Map<Vector> zeros(const CarriedTermView& view) {
    Eigen::Map<Vector> x = scratch_.vector(static_cast<int>(view.places().size()));
    x.setZero();
    return x;
  }
  Eigen::Map<Matrix> square(const CarriedTermView& view) {
    const auto n = static_cast<int>(view.places().size());
    return scratch_.matrix(n, n);
  }

 private:
  Scratch scratch_;
};

/// The terms of a group at a state.
template <class View>
class ForceBatch::GroupView {
 public:
  using Values = std::array<double, kMaxSignals>;

  GroupView(const Group& group, const PairView& pair) : room_(pair) {
    static_assert(std::is_trivially_destructible_v<View>);
    for (std::size_t k = 0; k < group.terms.size(); ++k)
      room_.make(terms() + k, pair, group.terms[k]);
    for (std::size_t k = 0; k < group.terms.size(); ++k) {
      if (group.values_read[k]) values_[k] = terms()[k].value();
      if (group.rates_read[k]) rates_[k] = terms()[k].rate();
    }
  }
  const View& operator[](std::size_t term) const { return terms()[term]; }

  auto zeros() { return room_.zeros(terms()[0]); }
  auto square() { return room_.square(terms()[0]); }

  /// What a law reads.
  std::span<const double> read(const Formulation& law, const Lookup& lookup, const PairView& pair,
                               Values& values) const {
    for (std::size_t k = 0; k < law.signals.size(); ++k) {
      const Signal& signal = law.signals[k];
      if (lookup.signals[k] < 0) {
        values[k] = signal.read(pair.bodies(), pair.state());
      } else {
        const auto term = static_cast<std::size_t>(lookup.signals[k]);
        values[k] = signal.scale * (signal.kind == Kind::kValue ? values_[term] : rates_[term]);
      }
    }
    return std::span<const double>(values).first(law.signals.size());
  }

  /// Adds ∂magnitude along positions and velocities, through the signals of this pair.
  void add_slopes(const Formulation& law, const Lookup& lookup, std::span<const double> gradient,
                  auto& q, auto& v) const {
    for (std::size_t k = 0; k < law.signals.size(); ++k) {
      if (lookup.signals[k] < 0 || gradient[k] == 0.0) continue;
      const View& seen = terms()[lookup.signals[k]];
      if (law.signals[k].kind == Kind::kValue) {
        q += gradient[k] * seen.value_tangent();
      } else {
        q += gradient[k] * seen.rate_tangent();
        v += gradient[k] * seen.row();
      }
    }
  }

 private:
  View* terms() { return reinterpret_cast<View*>(bytes_); }
  const View* terms() const { return reinterpret_cast<const View*>(bytes_); }

  Room<View> room_;
  // not an array of std::optional: that would be cleared for every group
  alignas(View) std::byte bytes_[kMaxTerms * sizeof(View)];
  std::array<double, kMaxTerms> values_, rates_;  // of the terms that are read
};

ForceBatch::ForceBatch(const Bodies& bodies, std::vector<ForceComponent> components)
    : bodies_(bodies), components_(std::move(components)) {
  for (std::size_t n = 0; n < components_.size(); ++n) {
    const Term& along = components_[n].direction;
    if (!groups_.empty() && groups_.back().body_i == along.body_i &&
        groups_.back().body_j == along.body_j) {
      Group grown = groups_.back();
      grown.lookups.push_back(lookup_of(components_[n], grown));
      grown.end = n + 1;
      if (grown.terms.size() <= kMaxTerms) {
        groups_.back() = std::move(grown);
        continue;
      }
    }
    Group group{.body_i = along.body_i, .body_j = along.body_j, .first = n, .end = n + 1};
    group.is_carried = picus::is_carried(bodies_, along);
    group.lookups.push_back(lookup_of(components_[n], group));
    groups_.push_back(std::move(group));
  }
}

ForceBatch::Lookup ForceBatch::lookup_of(const ForceComponent& component, Group& group) const {
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
  Lookup lookup{number_of(component.direction), {}};
  for (const Signal& signal : component.magnitude.signals) {
    const bool is_near =
        (signal.kind == Kind::kValue || signal.kind == Kind::kRate) &&
        signal.term.body_i == group.body_i && signal.term.body_j == group.body_j &&
        // a formula may read more measures than fit; those are then looked up one by one
        group.terms.size() < kMaxTerms;
    lookup.signals.push_back(is_near ? static_cast<int>(number_of(signal.term)) : -1);
    if (!is_near) continue;
    const auto term = static_cast<std::size_t>(lookup.signals.back());
    (signal.kind == Kind::kValue ? group.values_read : group.rates_read)[term] = true;
    group.reads_rates = group.reads_rates || signal.kind == Kind::kRate;
  }
  return lookup;
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

template <class Work>
void ForceBatch::with_view_type(const Group& group, PairView& pair, Work&& work) {
  if (group.is_carried) {
    work.template operator()<CarriedTermView>();
  } else {
    pair.turn_to(group.body_i, group.body_j);
    work.template operator()<TermView>();
  }
}

void ForceBatch::force(const State& s, Vector& F) const {
  PairView pair = PairView::of_batch(bodies_, s);
  for (const Group& group : groups_)
    with_view_type(group, pair, [&]<class View>() { add_force<View>(group, pair, F); });
}

template <class View>
void ForceBatch::add_force(const Group& group, const PairView& pair, Vector& F) const {
  typename GroupView<View>::Values values;
  GroupView<View> view(group, pair);
  auto sum = view.zeros();
  for (std::size_t n = group.first; n < group.end; ++n) {
    const Lookup& lookup = group.lookups[n - group.first];
    const Formulation& law = components_[n].magnitude;
    const double magnitude = law.value(view.read(law, lookup, pair, values));
    if (magnitude != 0.0) sum += magnitude * view[lookup.direction].row();
  }
  add_to(F, view[0].places(), sum);
}

void ForceBatch::momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                                  SparseMatrix& D) const {
  if (forces == Forces::kReactionsOnly) return;
  PairView pair = PairView::of_batch(bodies_, s, &c);
  for (const Group& group : groups_)
    with_view_type(group, pair, [&]<class View>() { add_tangent<View>(group, pair, K, D); });
}

template <class View>
void ForceBatch::add_tangent(const Group& group, const PairView& pair, SparseMatrix& K,
                             SparseMatrix& D) const {
  typename GroupView<View>::Values values, storage;
  GroupView<View> view(group, pair);
  auto along_q = view.square();
  auto along_v = view.square();
  auto slope_q = view.zeros();
  auto slope_v = view.zeros();
  bool is_empty = true;  // most contacts are open
  for (std::size_t n = group.first; n < group.end; ++n) {
    const Lookup& lookup = group.lookups[n - group.first];
    const Formulation& law = components_[n].magnitude;
    const std::span<double> gradient = std::span(storage).first(law.signals.size());
    const double magnitude = law.value(view.read(law, lookup, pair, values), gradient);
    const View& along = view[lookup.direction];
    for (std::size_t k = 0; k < law.signals.size(); ++k)
      if (lookup.signals[k] < 0) add_elsewhere(law.signals[k], gradient[k], along, pair, K, D);
    if (magnitude == 0.0 && all_zero(gradient)) continue;
    if (std::exchange(is_empty, false)) {
      along_q.setZero();
      along_v.setZero();
    }
    slope_q.setZero();
    slope_v.setZero();
    view.add_slopes(law, lookup, gradient, slope_q, slope_v);
    along_q -= magnitude * along.row_tangent();
    along_q.noalias() -= along.row().lazyProduct(slope_q.transpose());
    if (group.reads_rates) along_v.noalias() -= along.row().lazyProduct(slope_v.transpose());
  }
  const auto put = [&](SparseMatrix& A, const auto& square) {
    if (is_empty)
      add_zeros(A, view[0].places());
    else
      add_square(A, view[0].places(), 1.0, square);
  };
  put(K, along_q);
  if (group.reads_rates) put(D, along_v);
}

// −∂force through a signal that looks at other bodies.
template <class View>
void ForceBatch::add_elsewhere(const Signal& signal, double slope, const View& along,
                               const PairView& pair, SparseMatrix& K, SparseMatrix& D) const {
  if (signal.kind != Kind::kValue && signal.kind != Kind::kRate) return;
  view_one(
      bodies_, signal.term,
      [&](const auto& seen) {
        const auto add = [&](SparseMatrix& A, const auto& row) {
          add_outer(A, along.places(), along.row(), seen.places(), row, -slope);
        };
        if (signal.kind == Kind::kValue) return add(K, seen.value_tangent());
        add(K, seen.rate_tangent());
        add(D, seen.row());
      },
      pair.state(), *pair.chart());
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
    view_one(
        bodies_, component.direction,
        [&](const auto& view) {
          for (std::size_t k = 0; k < signals.size(); ++k)
            if (signals[k].kind == Kind::kControl)
              add_column(tangent.force, signals[k].index, view.places(), gradient[k] * view.row());
        },
        s);
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
