// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A direction (elements/directions.h) between two bodies of a mechanism, with all its derivatives.

#include <array>

#include "picus/dynamics/system.h"
#include "picus/elements/directions.h"
#include "picus/mechanism/bodies.h"
#include "picus/mechanism/carried_view.h"
#include "picus/mechanism/pose_table.h"

namespace picus {

struct Term {
  double weight = 1.0;
  int body_i = Bodies::kGround, body_j = Bodies::kGround;
  Direction direction = {};
  /// Position that remembers the value of an angle from step to step, so that it counts full turns;
  /// -1 when the value needs no memory.
  int memory = -1;

  bool operator==(const Term&) const = default;
};

/// Whether the direction is the gradient of a measure; sliding velocities in space are not.
bool has_value(const Direction& direction);

/// What the term does along the twists of its two bodies, in space; weighted.
Row<double> row_in_space(const Term& term, const Pose<double>& i, const Pose<double>& j);

/// What a term states between poses; weights are included.
struct TermGeometry {
  static constexpr int kFrames = 2;
  using Poses = std::array<Pose<double>, 2>;
  const Term* term;

  double value(const Pose<double>& i, const Pose<double>& j, const Vector& q) const;
  /// V · ∂row · V: the acceleration while velocities stay as they are.
  double convective(const Pose<double>& i, const Pose<double>& j, const Row<double>& twists) const;
  void hessian(const Pose<double>& i, const Pose<double>& j, Hessian& H) const;
  Row<double> along_acceleration(const Pose<double>& i, const Pose<double>& j,
                                 const Row<double>& twists) const;

  // for CarriedView
  std::array<int, 2> frames() const { return {term->body_i, term->body_j}; }
  double value(const Poses& at, const Vector& q) const { return value(at[0], at[1], q); }
  Row<double> row(const Poses& at) const { return row_in_space(*term, at[0], at[1]); }
  void hessian(const Poses& at, Hessian& H) const { hessian(at[0], at[1], H); }
  Row<double> along_acceleration(const Poses& at, const Row<double>& twists) const {
    return along_acceleration(at[0], at[1], twists);
  }
};
extern template class CarriedView<TermGeometry>;

/// Two bodies at a state: what all terms between them share.
class PairView {
 public:
  PairView(const Bodies& bodies, const State& s) : PairView(bodies, s, nullptr) {}
  /// The same with derivatives along the increment of a chart.
  PairView(const Bodies& bodies, const State& s, const Chart& chart)
      : PairView(bodies, s, &chart) {}
  PairView(const PairView&) = delete;
  PairView& operator=(const PairView&) = delete;

  /// For the terms of a batch: poses are those that all batches share at this state.
  static PairView of_batch(const Bodies& bodies, const State& s, const Chart* chart = nullptr) {
    return {bodies, s, chart, poses_at(bodies, s.position)};
  }

  /// Turns to these bodies, neither of which is carried; what is known of them from before is kept.
  void turn_to(int body_i, int body_j);

  const Bodies& bodies() const { return bodies_; }
  const State& state() const { return state_; }
  const Chart* chart() const { return chart_; }
  /// Null unless made for a batch.
  const PoseTable* table() const { return table_; }
  const Pose<double>& i() const { return *poses_[0]; }
  const Pose<double>& j() const { return *poses_[1]; }
  /// The twists of both.
  const Row<double>& velocity() const { return velocity_; }
  /// Places of the twelve velocities in the system; -1 for those a body does not have.
  const std::array<int, 12>& places() const { return places_; }
  /// False when the chart changes nothing.
  bool has_chart() const { return turns_[0] != nullptr || turns_[1] != nullptr; }
  /// T of the chart of body I (0) or J (1); null when that is the identity.
  const Matrix3* turn(std::size_t side) const { return turns_[side]; }

 private:
  PairView(const Bodies& bodies, const State& s, const Chart* chart)
      : bodies_(bodies), state_(s), chart_(chart) {}
  PairView(const Bodies& bodies, const State& s, const Chart* chart, const PoseTable& table)
      : bodies_(bodies),
        state_(s),
        chart_(chart),
        table_(&table),
        turn_table_(chart == nullptr ? nullptr : &turns_at(bodies, *chart)) {}

  void load(int body, std::size_t side);

  const Bodies& bodies_;
  const State& state_;
  const Chart* chart_ = nullptr;
  const PoseTable* table_ = nullptr;
  const TurnTable* turn_table_ = nullptr;
  int body_i_ = -1, body_j_ = -1;
  std::array<const Pose<double>*, 2> poses_{nullptr, nullptr};
  std::array<const Matrix3*, 2> turns_{nullptr, nullptr};
  Row<double> velocity_;
  std::array<int, 12> places_;
  std::array<Pose<double>, 2> own_poses_;  ///< of a pair that is not of a batch
  std::array<Matrix3, 2> own_turns_;
};

/// What a term looks like at a state; weights are included. See view_term().
class TermView {
 public:
  /// The pair looks at the bodies of the term for as long as the view is used.
  TermView(const PairView& pair, const Term& term) : pair_(pair), term_(term), row_(&own_row_) {
    own_row_ = row_in_space(term, pair.i(), pair.j());
  }
  /// The same when the row is known.
  TermView(const PairView& pair, const Term& term, const Row<double>& row)
      : pair_(pair), term_(term), row_(&row) {}
  TermView(const TermView&) = delete;
  TermView& operator=(const TermView&) = delete;

  double value() const { return geometry().value(pair_.i(), pair_.j(), pair_.state().position); }
  /// Along the twelve velocities.
  const Row<double>& row() const { return *row_; }
  double rate() const { return row_->dot(pair_.velocity()); }
  /// row · v̇ + v · ∂row · v
  double acceleration() const;

  // Derivatives along positions (increments of the chart), twelve columns.

  Row<double> value_tangent() const { return charted(*row_); }
  Hessian row_tangent() const;       ///< ∂row/∂q
  Row<double> rate_tangent() const;  ///< ∂(row · v)/∂q
  Row<double> acceleration_tangent() const;
  /// ∂(acceleration)/∂v: (H + Hᵀ) v.
  Row<double> acceleration_along_velocity() const;

  const std::array<int, 12>& places() const { return pair_.places(); }

 private:
  TermGeometry geometry() const { return {&term_}; }
  Row<double> charted(Row<double> row) const;
  const Hessian& hessian() const;
  /// Entries of the acceleration at places().
  Row<double> acceleration_entries() const;

  const PairView& pair_;
  const Term& term_;
  const Row<double>* row_;
  Row<double> own_row_;
  mutable bool has_hessian_ = false;
  mutable Hessian hessian_;
};

/// H ← H T: columns along the tangent directions of the pair become those along the increment of
/// its chart.
void apply_chart(const PairView& pair, Hessian& H);

/// Whether a view of the term has other columns than twelve.
inline bool is_carried(const Bodies& bodies, const Term& term) {
  return bodies.is_carried(term.body_i) || bodies.is_carried(term.body_j);
}

/// Calls visit(view) with what the term looks like at the state (and chart) of the pair: with a
/// TermView between bodies, with a CarriedView of the same functions when a frame is carried. Both
/// scatter alike (scatter.h). The pair may stay for further terms.
template <class Visit>
void view_term(PairView& pair, const Term& term, Visit&& visit) {
  if (is_carried(pair.bodies(), term)) {
    Scratch scratch;
    visit(CarriedView<TermGeometry>(pair.bodies(), {&term}, pair.state(), pair.chart(), scratch));
  } else {
    pair.turn_to(term.body_i, term.body_j);
    visit(TermView(pair, term));
  }
}

/// The same for one term on its own at a state, or a state and a chart.
template <class Visit, class... Where>
void view_one(const Bodies& bodies, const Term& term, Visit&& visit, const Where&... where) {
  PairView pair(bodies, where...);
  view_term(pair, term, visit);
}

/// Numbers of one term on its own; weighted.
double rate_of(const Bodies& bodies, const Term& term, const State& s);
double acceleration_of(const Bodies& bodies, const Term& term, const State& s);

/// True when its row is the same everywhere: a direction of space between bodies that do not turn.
bool is_constant(const Bodies& bodies, const Term& term);

/// Value of the term's measure, near the remembered one when it has a memory. Not weighted.
double measure(const Bodies& bodies, const Term& term, const Vector& q);

}  // namespace picus
