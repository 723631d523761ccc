// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "picus/dynamics/system.h"

namespace picus {

/// Values of the algebraic variables that solve their equations at t, q, v and the states, where
/// accelerations, multipliers and rates are as they stand. A variable that reads no other gets its
/// value first, then those that read it, and so on; for variables that read each other Newton's
/// method goes from the values given, and from 1 where these are no start. Returns the variables
/// (numbers of controls) that have no value yet; they keep the ones given.
std::vector<int> solve_variables(const System& system, State& state);

/// What to do about several that have none, to follow a message; empty for fewer.
std::string advice_on(const System& system, const std::vector<int>& open);

/// Variables whose equations are no numbers yet, since they read accelerations, or others that do.
/// They stay as they are, without an equation, until these are better.
class HeldVariables {
 public:
  /// Those from number `first` on whose residual is no number; it becomes zero.
  void find(int first, Vector& residual);
  bool empty() const { return rows_.empty(); }
  int first() const { return rows_.front(); }
  bool contains(int row) const;
  /// Takes their rows out of a matrix.
  void drop_from(SparseMatrix& A);

 private:
  std::vector<int> rows_;
  SparseMatrix rest_;
};

}  // namespace picus
