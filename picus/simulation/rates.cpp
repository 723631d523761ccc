// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/rates.h"

#include <algorithm>
#include <cmath>

#include "picus/math/block_matrix.h"
#include "picus/math/decompositions.h"

namespace picus {
namespace {

// The largest of several thousand frequencies is then known to about a tenth.
constexpr int kIterations = 20;
// Their feedback is dense.
constexpr int kMostVariables = 200;

/// The rows of a matrix that are kept.
SparseMatrix rows_of(const SparseMatrix& full, const std::vector<int>& kept, int limit) {
  std::vector<int> place(static_cast<std::size_t>(full.rows()), -1);
  int count = 0;
  for (const int row : kept)
    if (row < limit) place[static_cast<std::size_t>(row)] = count++;
  SparseMatrix result;
  result.begin(count, full.cols());
  full.for_each([&](int row, int col, double value) {
    const int to = place[static_cast<std::size_t>(row)];
    if (to >= 0) result.add(to, col, value);
  });
  result.end();
  return result;
}

/// Accelerations under given forces that the joints and rollings allow: M a + Jᵀμ = f, J a = 0.
class AllowedAnswer {
 public:
  AllowedAnswer(const System& system, const State& s, const Consistency& consistency) {
    const SystemSizes n = system.sizes();
    system.mass_matrix(s, M_);
    if (n.joints() > 0) {
      SparseMatrix G;
      system.constraint_jacobian(s, G);
      G_ = rows_of(G, consistency.independent, n.joints());
    }
    if (n.rollings() > 0) {
      SparseMatrix k_v;
      system.nonholonomic_jacobian(s, k_v);
      k_v_ = rows_of(k_v, consistency.independent_nonholonomic, n.rollings());
    }
    matrix_.reset({n.velocities, G_.rows(), k_v_.rows()});
    matrix_.begin();
    matrix_.add(0, 0, 1.0, M_);
    if (G_.rows() > 0) border(1, G_);
    if (k_v_.rows() > 0) border(2, k_v_);
    is_regular_ = matrix_.factorize();
    x_ = Vector::Zero(matrix_.size());
  }

  bool is_regular() const { return is_regular_; }

  /// y = the answer to the force −A x.
  void operator()(const SparseMatrix& A, const Vector& x, Vector& y) {
    y.setZero();
    A.multiply_add(-1.0, x, y);
    x_.setZero();
    x_.head(y.size()) = y;
    matrix_.solve(x_);
    y = x_.head(y.size());
  }

  double kinetic_norm(const Vector& x) {
    momentum_ = Vector::Zero(x.size());
    M_.multiply_add(1.0, x, momentum_);
    return std::sqrt(std::max(0.0, x.dot(momentum_)));
  }

 private:
  void border(int block, const SparseMatrix& J) {
    matrix_.add(0, block, 1.0, J, Transposed::kYes);
    matrix_.add(block, 0, 1.0, J);
  }

  SparseMatrix M_, G_, k_v_;
  BlockMatrix matrix_;
  bool is_regular_ = false;
  Vector x_, momentum_;
};

/// Numbers without a pattern, the same in every run.
Vector scattered(int size) {
  Vector x(size);
  for (int i = 0; i < size; ++i)
    x(i) = std::sin(1.0 + 12.9898 * i * (1.0 + 0.1 * i));
  return x;
}

/// The largest |μ| with −M⁻¹A x = μ x among allowed motions.
double largest_factor(AllowedAnswer& answer, const SparseMatrix& A) {
  Vector x = scattered(A.cols()), y = x;
  double factor = 0.0;
  for (int i = 0; i <= kIterations; ++i) {
    answer(A, x, y);
    const double before = answer.kinetic_norm(x), after = answer.kinetic_norm(y);
    if (!(after > 0.0) || !std::isfinite(after)) return 0.0;
    // the first answer only drops what is not allowed
    if (i > 0 && before > 0.0) factor = after / before;
    x = y / after;
  }
  return factor;
}

/// The last `count` rows of a matrix, or columns.
Matrix last_rows(const SparseMatrix& A, int count) {
  Matrix rows = Matrix::Zero(count, A.cols());
  const int first = A.rows() - count;
  A.for_each([&](int row, int col, double value) {
    if (row >= first) rows(row - first, col) += value;
  });
  return rows;
}
Matrix last_columns(const SparseMatrix& A, int count) {
  Matrix columns = Matrix::Zero(A.rows(), count);
  const int first = A.cols() - count;
  A.for_each([&](int row, int col, double value) {
    if (col >= first) columns(row, col - first) += value;
  });
  return columns;
}

SparseMatrix sum_of(const SparseMatrix& A, const Matrix& B) {
  SparseMatrix sum;
  sum.begin(A.rows(), A.cols());
  A.for_each([&](int row, int col, double value) { sum.add(row, col, value); });
  for (int col = 0; col < B.cols(); ++col)
    for (int row = 0; row < B.rows(); ++row)
      if (B(row, col) != 0.0) sum.add(row, col, B(row, col));
  sum.end();
  return sum;
}

// Variables answer at once to positions and velocities, and forces to variables: a controller is as
// stiff as a spring. δx = −d_x⁻¹ (d_q δq + d_v δv) for the variables, whose equations are the last.
void add_feedback(const System& system, const State& s, SparseMatrix& K, SparseMatrix& D) {
  const SystemSizes n = system.sizes();
  if (n.variables == 0 || n.variables > kMostVariables) return;
  const Vector zero = Vector::Zero(n.velocities);
  ControlTangent tangent;
  system.control_tangent(s, {s.position, zero}, tangent);
  const Matrix own = last_columns(tangent.control, n.variables).bottomRows(n.variables);
  Matrix motion(n.variables, 2 * n.velocities);
  motion << last_rows(tangent.position, n.variables), last_rows(tangent.velocity, n.variables);
  const Matrix answer = last_columns(tangent.force, n.variables) * solve_dense(own, motion);
  if (!answer.allFinite()) return;  // variables that nothing determines
  K = sum_of(K, answer.leftCols(n.velocities));
  D = sum_of(D, answer.rightCols(n.velocities));
}

double rate_of_forces(const System& system, const State& s, const Consistency& consistency) {
  AllowedAnswer answer(system, s, consistency);
  if (!answer.is_regular()) return 0.0;
  const Vector zero = Vector::Zero(system.sizes().velocities);
  SparseMatrix K, D;
  system.momentum_tangent(s, {s.position, zero}, K, D);
  add_feedback(system, s, K, D);
  const double omega = std::sqrt(largest_factor(answer, K));
  const double damping = largest_factor(answer, D);
  // the larger root of μ² − damping μ + ω² = 0, as if one motion had both
  return damping < 2.0 * omega
             ? omega
             : 0.5 * (damping + std::sqrt(damping * damping - 4.0 * omega * omega));
}

/// Of ∂d/∂ẋ ẋ + ∂d/∂x x = 0, each state by itself.
double rate_of_controls(const System& system, const State& s) {
  const SystemSizes n = system.sizes();
  const int states = n.controls - n.variables;
  if (states == 0) return 0.0;
  const Vector zero = Vector::Zero(n.velocities);
  ControlTangent tangent;
  system.control_tangent(s, {s.position, zero}, tangent);
  Vector rate = Vector::Zero(n.controls), control = Vector::Zero(n.controls);
  tangent.rate.for_each(
      [&](int row, int, double value) { rate(row) = std::max(rate(row), std::abs(value)); });
  tangent.control.for_each([&](int row, int col, double value) {
    if (row == col) control(row) = std::abs(value);
  });
  double largest = 0.0;
  for (int i = 0; i < states; ++i)
    if (rate(i) > 0.0) largest = std::max(largest, control(i) / rate(i));
  return largest;
}

double rate_of_motion(const System& system, const State& s) {
  const double extent = system.extent(s);
  double largest = 0.0;
  for (int i = 0; i < s.velocity.size(); ++i) {
    const bool is_angle = system.unit_of(i) == Unit::kAngle;
    if (!is_angle && extent <= 0.0) continue;
    const double scale = is_angle ? 1.0 : extent;
    largest = std::max(
        {largest, std::abs(s.velocity(i)) / scale, std::sqrt(std::abs(s.acceleration(i)) / scale)});
  }
  return largest;
}

}  // namespace

Rates rates_of(const System& system, const State& state, const Consistency& consistency) {
  if (!consistency.ok()) return {};
  return {.forces = rate_of_forces(system, state, consistency),
          .controls = rate_of_controls(system, state),
          .motion = rate_of_motion(system, state)};
}

}  // namespace picus
