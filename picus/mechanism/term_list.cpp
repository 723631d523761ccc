// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/term_list.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "picus/mechanism/scatter.h"

namespace picus {
namespace {

std::uint64_t next_list() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

// The rows of a list at a point; each thread keeps those of a few lists.
struct KnownRows {
  std::uint64_t list = 0, stamp = 0;
  std::vector<Row<double>> rows;
};
constexpr std::size_t kLists = 4;

}  // namespace

TermList::TermList(const Bodies& bodies, const std::vector<ConstraintEquation>& equations)
    : bodies_(bodies), id_(next_list()) {
  for (std::size_t row = 0; row < equations.size(); ++row) {
    for (const Term& term : equations[row].terms) {
      const std::size_t n = entries_.size();
      if (groups_.empty() || groups_.back().body_i != term.body_i ||
          groups_.back().body_j != term.body_j)
        groups_.push_back({term.body_i, term.body_j, n, n, is_carried(bodies, term)});
      groups_.back().end = n + 1;
      entries_.push_back({static_cast<int>(row), term});
    }
  }
}

bool TermList::is_constant() const {
  return std::all_of(entries_.begin(), entries_.end(), [this](const Entry& entry) {
    return picus::is_constant(bodies_, entry.term);
  });
}

const Row<double>* TermList::rows_at(const PoseTable& poses) const {
  thread_local std::array<KnownRows, kLists> all;
  auto known = std::find_if(all.begin(), all.end(),
                            [this](const KnownRows& rows) { return rows.list == id_; });
  if (known == all.end()) {  // in place of the one that has not been looked at for longest
    std::rotate(all.begin(), all.end() - 1, all.end());
    known = all.begin();
    known->list = id_;
    known->stamp = 0;
  }
  if (known->stamp == poses.stamp()) return known->rows.data();
  known->stamp = poses.stamp();
  known->rows.resize(entries_.size());
  for (const Group& group : groups_) {
    if (group.is_carried) continue;
    const Pose<double>&i = poses[group.body_i], &j = poses[group.body_j];
    for (std::size_t n = group.first; n < group.end; ++n)
      known->rows[n] = row_in_space(entries_[n].term, i, j);
  }
  return known->rows.data();
}

void TermList::add_reaction_tangent(const Vector& multiplier, const State& s, const Chart& chart,
                                    SparseMatrix& K) const {
  PairView pair = PairView::of_batch(bodies_, s, &chart);
  for (const Group& group : groups_) {
    if (!group.is_carried) {
      pair.turn_to(group.body_i, group.body_j);
      add_block(group, multiplier, pair, K);
      continue;
    }
    for (std::size_t n = group.first; n < group.end; ++n)
      view_term(pair, entries_[n].term, [&](const auto& view) {
        if (const double reaction = multiplier(entries_[n].row); reaction == 0.0)
          add_zeros(K, view.places());
        else
          add_square(K, view.places(), -reaction, view.row_tangent());
      });
  }
}

void TermList::add_block(const Group& group, const Vector& multiplier, PairView& pair,
                         SparseMatrix& K) const {
  Hessian sum, one;
  bool is_empty = true;
  for (std::size_t n = group.first; n < group.end; ++n) {
    const double reaction = multiplier(entries_[n].row);
    if (reaction == 0.0) continue;
    TermGeometry{&entries_[n].term}.hessian(pair.i(), pair.j(), one);
    if (is_empty)
      sum = -reaction * one;
    else
      sum -= reaction * one;
    is_empty = false;
  }
  if (!is_empty) apply_chart(pair, sum);
  add_square(K, pair.places(), is_empty ? nullptr : &sum);
}

}  // namespace picus
