// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The terms of many equations, with what they share.

#include <vector>

#include "picus/mechanism/motion.h"
#include "picus/mechanism/term.h"

namespace picus {

/// Σ weight · measure = constant + motion(t), or the same of rates for a nonholonomic constraint
/// (then Σ weight · rate = motion's value).
struct ConstraintEquation {
  std::vector<Term> terms = {};
  double constant = 0.0;
  Motion motion = {};  ///< may be empty
};

/// The terms of equations in their order. Those one after the other that look at the same two
/// frames form a group: poses are looked up once, and derivatives of reactions become one block.
/// Rows are found once for each q and shared by all functions of a batch (pose_table.h).
class TermList {
 public:
  TermList(const Bodies& bodies, const std::vector<ConstraintEquation>& equations);

  bool is_constant() const;

  /// visit(row, value) with values of measures.
  template <class Visit>
  void for_each_value(const State& s, Visit&& visit) const;
  /// visit(row, view) at a state, and a chart unless that is null.
  template <class Visit>
  void for_each(const State& s, const Chart* chart, Visit&& visit) const;
  /// K −= Σ multiplier(row) ∂row/∂q. Places are filled where multipliers are zero, too.
  void add_reaction_tangent(const Vector& multiplier, const State& s, const Chart& chart,
                            SparseMatrix& K) const;

 private:
  struct Entry {
    int row;
    Term term;
  };
  struct Group {
    int body_i, body_j;
    std::size_t first, end;  ///< entries
    bool is_carried;
  };

  /// Of all entries, those of carried frames left out.
  const Row<double>* rows_at(const PoseTable& poses) const;
  void add_block(const Group& group, const Vector& multiplier, PairView& pair,
                 SparseMatrix& K) const;

  const Bodies& bodies_;
  std::vector<Entry> entries_;
  std::vector<Group> groups_;
  std::uint64_t id_;
};

template <class Visit>
void TermList::for_each_value(const State& s, Visit&& visit) const {
  const PoseTable& poses = poses_at(bodies_, s.position);
  for (const Entry& entry : entries_)
    visit(entry.row, TermGeometry{&entry.term}.value(poses[entry.term.body_i],
                                                     poses[entry.term.body_j], s.position));
}

template <class Visit>
void TermList::for_each(const State& s, const Chart* chart, Visit&& visit) const {
  PairView pair = PairView::of_batch(bodies_, s, chart);
  const Row<double>* rows = rows_at(*pair.table());
  for (const Group& group : groups_) {
    if (!group.is_carried) pair.turn_to(group.body_i, group.body_j);
    for (std::size_t n = group.first; n < group.end; ++n) {
      const Entry& entry = entries_[n];
      if (group.is_carried)
        view_term(pair, entry.term, [&](const auto& view) { visit(entry.row, view); });
      else
        visit(entry.row, TermView(pair, entry.term, rows[n]));
    }
  }
}

}  // namespace picus
