// SPDX-License-Identifier: BSD-3-Clause
#include "bench/step_matrix.h"

#include <algorithm>
#include <array>
#include <vector>

namespace picus::bench {
namespace {

class Assembly {
 public:
  void add(int row, int col, double factor, const SparseMatrix& A, bool transposed = false) {
    for (int j = 0; j < A.cols(); ++j) {
      for (int k = A.column_starts()[static_cast<std::size_t>(j)];
           k < A.column_starts()[static_cast<std::size_t>(j) + 1]; ++k) {
        const int i = A.row_indices()[static_cast<std::size_t>(k)];
        const double value = factor * A.values()[static_cast<std::size_t>(k)];
        triplets_.emplace_back(row + (transposed ? j : i), col + (transposed ? i : j), value);
      }
    }
  }

  Eigen::SparseMatrix<double> finish(int size) const {
    Eigen::SparseMatrix<double> result(size, size);
    result.setFromTriplets(triplets_.begin(), triplets_.end());
    result.makeCompressed();
    return result;
  }

 private:
  std::vector<Eigen::Triplet<double>> triplets_;
};

}  // namespace

Eigen::SparseMatrix<double> step_matrix(const System& system, const State& s, double h,
                                        int levels) {
  const int nv = system.sizes().velocities, nc = system.sizes().constraints, n = nv + nc;
  const Vector zero = Vector::Zero(nv);
  const Chart chart{s.position, zero};
  SparseMatrix M, K, D, G, Gv_q, Ga_q, Ga_v, C_q, C_v;
  system.mass_matrix(s, M);
  system.momentum_tangent(s, chart, K, D);
  system.constraint_jacobian(s, G);
  system.constraint_velocity_tangent(s, chart, Gv_q);
  system.constraint_acceleration_tangent(s, chart, Ga_q, Ga_v);
  system.correction_tangent(s, chart, C_q, C_v);
  const double dq = 0.25 * h * h, dv = 0.5 * h;
  // corrections are small, so are the derivatives of their rows; only the pattern matters here
  const double small = 1e-6 * dq;

  Assembly A;
  A.add(0, 0, 1.0, M);
  A.add(0, 0, dq, K);
  A.add(0, 0, dv, D);
  A.add(0, nv, -1.0, G, true);
  for (int level = 1; level < levels; ++level) {  // M u - Gᵀ ν
    const int at = level * n;
    A.add(at, at, 1.0, M);
    A.add(at, at, small, C_q);
    A.add(at, 0, small, C_q);
    A.add(at, at + nv, -1.0, G, true);
  }
  if (levels == 1) {
    A.add(nv, 0, 1.0, G);
  } else {
    A.add(0, n, dq, K);  // positions move by the correction, too
    A.add(n + nv, 0, 1.0, G);
    A.add(n + nv, n, 1.0, G);
    const int velocity = levels == 2 ? nv : 2 * n + nv;
    A.add(velocity, 0, 1.0, G);
    A.add(velocity, 0, dq / dv, Gv_q);
    A.add(velocity, n, dq / dv, Gv_q);
  }
  if (levels == 3) {
    A.add(2 * n + nv, 2 * n, 1.0, G);
    A.add(0, 2 * n, dv, D);
    A.add(nv, 0, 1.0, G);
    for (const int col : {0, n})
      A.add(nv, col, dq, Ga_q);
    for (const int col : {0, 2 * n})
      A.add(nv, col, dv, Ga_v);
    A.add(2 * n, n, small, C_q);
    A.add(n, 2 * n, small, C_v);
  }
  return A.finish(levels * n);
}

CompressedColumns view(const Eigen::SparseMatrix<double>& A) {
  const auto entries = static_cast<std::size_t>(A.nonZeros());
  return {static_cast<int>(A.cols()),
          {A.outerIndexPtr(), static_cast<std::size_t>(A.cols()) + 1},
          {A.innerIndexPtr(), entries},
          {A.valuePtr(), entries}};
}

int levels_of(std::string_view method) {
  if (method == "stabilized_index1") return 3;
  constexpr std::array<std::string_view, 3> kTwo{"ggl", "soi2", "hht_soi2"};
  return std::find(kTwo.begin(), kTwo.end(), method) != kTwo.end() ? 2 : 1;
}

}  // namespace picus::bench
