// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/force_batch.h"

#include <array>

#include "picus/mechanism/scatter.h"

namespace picus {
namespace {

using Kind = Signal::Kind;

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

}  // namespace

void ForceBatch::renumber_controls(std::span<const int> place) {
  for (ForceComponent& component : components_)
    for (Signal& signal : component.magnitude.signals)
      if (signal.kind == Kind::kControl)
        signal.index = place[static_cast<std::size_t>(signal.index)];
}

void ForceBatch::force(const State& s, Vector& F) const {
  for (const ForceComponent& component : components_) {
    const TermView view(bodies_, component.direction, s);
    add_to(F, view.places(), component.magnitude.evaluate(bodies_, s) * view.row());
  }
}

void ForceBatch::momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                                  SparseMatrix& D) const {
  if (forces == Forces::kReactionsOnly) return;
  std::array<double, kMaxSignals> storage;
  for (const ForceComponent& component : components_) {
    const std::vector<Signal>& signals = component.magnitude.signals;
    const std::span<double> gradient = std::span(storage).first(signals.size());
    const double magnitude = component.magnitude.evaluate(bodies_, s, gradient);
    const TermView view(bodies_, component.direction, s, c);
    add_square(K, view.places(), view.places(), -magnitude, view.row_tangent());
    for (std::size_t k = 0; k < signals.size(); ++k) {
      const Kind kind = signals[k].kind;
      if (kind != Kind::kValue && kind != Kind::kRate) continue;
      const TermView seen(bodies_, signals[k].term, s, c);
      if (kind == Kind::kValue) {
        add_outer(K, view.places(), view.row(), seen.places(), seen.value_tangent(), -gradient[k]);
      } else {
        add_outer(K, view.places(), view.row(), seen.places(), seen.rate_tangent(), -gradient[k]);
        add_outer(D, view.places(), view.row(), seen.places(), seen.row(), -gradient[k]);
      }
    }
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
    const TermView view(bodies_, component.direction, s);
    for (std::size_t k = 0; k < signals.size(); ++k)
      if (signals[k].kind == Kind::kControl)
        add_column(tangent.force, signals[k].index, view.places(), gradient[k] * view.row());
  }
}

int ForceBatch::switches() const {
  int count = 0;
  for (const ForceComponent& component : components_)
    count += component.magnitude.switches;
  return count;
}

void ForceBatch::switch_values(const State& s, int first, Vector& values) const {
  put_switch_values(
      bodies_, components_,
      [](const ForceComponent& component) -> const Formulation& { return component.magnitude; }, s,
      first, values);
}

std::string ForceBatch::name_of_switch(int index) const {
  for (const ForceComponent& component : components_) {
    if (index < component.magnitude.switches) return "formula '" + component.magnitude.text + "'";
    index -= component.magnitude.switches;
  }
  return {};
}

}  // namespace picus
