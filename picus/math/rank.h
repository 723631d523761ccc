// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/math/sparse_matrix.h"

namespace picus {

/// Which rows of a matrix are linearly independent, and how the others follow from them.
struct RowRank {
  std::vector<int> independent;  ///< ascending
  struct Dependent {
    int row;
    std::vector<int> on;  ///< independent rows whose combination it is; empty for a zero row
  };
  std::vector<Dependent> dependent;  ///< ascending by row
};

/// Rank-revealing QR of the rows, each scaled to length one. `tolerance` is the part of a row that
/// must be new for it to count as independent.
RowRank find_independent_rows(const SparseMatrix& A, double tolerance = 1e-9);

/// The independent rows alone, ascending, chosen in stages: rows of stage 0 among themselves, those
/// of each later stage only as far as they are new to all before. One stage for each row. Dense.
std::vector<int> find_independent_rows(const SparseMatrix& A, const std::vector<int>& stages,
                                       double tolerance = 1e-9);

}  // namespace picus
