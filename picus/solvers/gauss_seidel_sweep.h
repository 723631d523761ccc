// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/solvers/local_contact.h"

namespace picus {

/// Solves one contact after the other exactly, the others' impulses being what they are.
class GaussSeidelSweep {
 public:
  /// Studies the diagonal blocks; once per problem.
  void prepare(const ContactProblem& problem);
  /// One visit to every contact, forwards or backwards. Returns the largest change of an impulse
  /// as a velocity, ‖Δp_i‖/ρ_i.
  double run(const ContactProblem& problem, double relaxation, bool backwards, Vector& p) const;
  /// Plain sweeps from p: where impulses grow without end, the direction they take may prove that
  /// there is no solution.
  bool proves_no_solution(const ContactProblem& problem, Vector p) const;

 private:
  std::vector<LocalContact> locals_;
  std::vector<double> mobilities_;  ///< 1/ρ², of impulses squared
};

}  // namespace picus
