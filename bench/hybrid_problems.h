// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Motions with impacts as hybrid systems: smooth equations, roots that end them, and what happens
// there. Written by hand for integrators that know nothing of contacts.

#include <memory>

#include "bench/precision_engines.h"

namespace picus::bench {

class HybridProblem {
 public:
  virtual ~HybridProblem() = default;
  virtual int states() const = 0;
  virtual int roots() const = 0;
  virtual void start(double* y) const = 0;
  virtual void rate(const double* y, double* dy) const = 0;
  /// A root is where one of them falls to zero.
  virtual void root_functions(const double* y, double* g) const = 0;
  /// Behind the root of that number.
  virtual void pass(int root, double* y) = 0;
  virtual void note(double time, const double* y, studies::ImpactPath& path) const = 0;
};

// A bounce that would not go higher than the tolerance is a rest.
std::unique_ptr<HybridProblem> make_hybrid(const OneCoordinate& problem, double tolerance);
std::unique_ptr<HybridProblem> make_hybrid(const WallPendulum& problem, double tolerance);
std::unique_ptr<HybridProblem> make_hybrid(const ThreeContacts& problem, double tolerance);

}  // namespace picus::bench
