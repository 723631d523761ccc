// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/bar_batch.h"

namespace picus {
namespace {

// The sum over the elements of [end off; off end], one entry after the other.
void add_tridiagonal(const AssembledBar& bar, double end, double off, SparseMatrix& A) {
  const int first = bar.first_velocity, last = first + bar.elements;
  for (int i = first; i <= last; ++i) {
    if (i > first) A.add(i - 1, i, off);
    A.add(i, i, i == first || i == last ? end : 2.0 * end);
    if (i < last) A.add(i + 1, i, off);
  }
}

}  // namespace

double AssembledBar::force(int e, const State& s) const {
  const int q = first_position + e, v = first_velocity + e;
  return stiffness * (s.position(q + 1) - s.position(q)) +
         damping * (s.velocity(v + 1) - s.velocity(v));
}

double AssembledBar::kinetic_energy(const State& s) const {
  double energy = 0.0;
  for (int e = 0; e < elements; ++e) {
    const double a = s.velocity(first_velocity + e), b = s.velocity(first_velocity + e + 1);
    energy += has_consistent_mass ? element_mass / 6.0 * (a * a + a * b + b * b)
                                  : element_mass / 4.0 * (a * a + b * b);
  }
  return energy;
}

double AssembledBar::elastic_energy(const State& s) const {
  double energy = 0.0;
  for (int e = 0; e < elements; ++e) {
    const int q = first_position + e;
    const double stretch = s.position(q + 1) - s.position(q);
    energy += 0.5 * stiffness * stretch * stretch;
  }
  return energy;
}

void BarBatch::mass(const State&, SparseMatrix& M) const {
  for (const AssembledBar& bar : bars_) {
    if (bar.has_consistent_mass) {
      add_tridiagonal(bar, bar.element_mass / 3.0, bar.element_mass / 6.0, M);
    } else {
      for (int node = 0; node <= bar.elements; ++node)
        M.add(bar.first_velocity + node, bar.first_velocity + node, bar.mass_of_node(node));
    }
  }
}

void BarBatch::force(const State& s, Vector& F) const {
  for (const AssembledBar& bar : bars_) {
    double before = 0.0;  // pull of the element behind the node
    for (int node = 0; node <= bar.elements; ++node) {
      const double ahead = node < bar.elements ? bar.force(node, s) : 0.0;
      F(bar.first_velocity + node) += ahead - before + bar.mass_of_node(node) * bar.gravity;
      before = ahead;
    }
  }
}

void BarBatch::momentum_tangent(const State&, const Chart&, Forces forces, SparseMatrix& K,
                                SparseMatrix& D) const {
  if (forces == Forces::kReactionsOnly) return;
  for (const AssembledBar& bar : bars_) {
    add_tridiagonal(bar, bar.stiffness, -bar.stiffness, K);
    if (bar.damping > 0.0) add_tridiagonal(bar, bar.damping, -bar.damping, D);
  }
}

}  // namespace picus
