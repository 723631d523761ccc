// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/initial_variables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picus/math/decompositions.h"

namespace picus {
namespace {

constexpr int kMostSweeps = 200;
constexpr int kIterations = 50;
constexpr int kHalvings = 20;
constexpr int kLargestLoop = 500;  // dense matrices
constexpr double kSolved = 1e-12;  // change of a value, relative to 1 + its size

// d(…, x, …) = 0 of the variables x, the last of the controls.
class VariableSolver {
 public:
  VariableSolver(const System& system, State& state)
      : system_(system),
        state_(state),
        first_(system.sizes().controls - system.sizes().variables),
        count_(system.sizes().variables),
        zero_(Vector::Zero(system.sizes().velocities)) {}

  std::vector<int> run() {
    const Vector given = state_.control;
    // what reads only what has settled settles in the next sweep
    std::vector<int> open;
    for (int sweep = 0; sweep <= std::min(count_, kMostSweeps); ++sweep) {
      open = improve_each();
      if (open.empty()) return open;
    }
    if (static_cast<int>(open.size()) > kLargestLoop) return open;
    for (const double start : {0.0, 1.0}) {
      for (const int i : open)
        state_.control(i) = start == 0.0 ? given(i) : start;
      if (solve_together(open)) return {};
    }
    for (const int i : open)
      state_.control(i) = given(i);
    return open;
  }

 private:
  // One step for each variable as if the others were right. Returns those that moved, or could not.
  std::vector<int> improve_each() {
    evaluate();
    Vector diagonal = Vector::Zero(count_);
    tangent_.control.for_each([&](int row, int col, double value) {
      if (row == col && row >= first_) diagonal(row - first_) += value;
    });
    std::vector<int> moved;
    for (int k = 0; k < count_; ++k) {
      double& x = state_.control(first_ + k);
      const double step = -d_(first_ + k) / diagonal(k);
      if (std::isfinite(step)) x += step;
      if (!(std::abs(step) <= kSolved * (1.0 + std::abs(x)))) moved.push_back(first_ + k);
    }
    return moved;
  }

  bool solve_together(const std::vector<int>& open) {
    const auto n = static_cast<Eigen::Index>(open.size());
    std::vector<int> place(static_cast<std::size_t>(first_ + count_), -1);
    for (std::size_t k = 0; k < open.size(); ++k)
      place[static_cast<std::size_t>(open[k])] = static_cast<int>(k);
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      evaluate();
      Matrix J = Matrix::Zero(n, n);
      tangent_.control.for_each([&](int row, int col, double value) {
        const int i = place[static_cast<std::size_t>(row)],
                  j = place[static_cast<std::size_t>(col)];
        if (i >= 0 && j >= 0) J(i, j) += value;
      });
      const Vector r = part(d_, open), from = part(state_.control, open);
      if (!r.allFinite() || !J.allFinite()) return false;
      Vector step = -solve_dense(J, r);
      if (!step.allFinite()) return false;
      if (!move(open, from, step, r.norm())) return false;
      if (step.cwiseAbs().maxCoeff() <= kSolved * (1.0 + from.cwiseAbs().maxCoeff())) return true;
    }
    return false;
  }

  // Halves the step while the equations are no numbers there, or further from solved.
  bool move(const std::vector<int>& open, const Vector& from, Vector& step, double last) {
    for (int halving = 0; halving < kHalvings; ++halving) {
      for (std::size_t k = 0; k < open.size(); ++k)
        state_.control(open[k]) = from(static_cast<int>(k)) + step(static_cast<int>(k));
      system_.control(state_, d_);
      const double size = part(d_, open).norm();
      if (size <= last || size <= kSolved * (1.0 + from.norm())) return true;  // false for NaN
      step *= 0.5;
    }
    return false;
  }

  static Vector part(const Vector& x, const std::vector<int>& places) {
    Vector result(static_cast<int>(places.size()));
    for (std::size_t k = 0; k < places.size(); ++k)
      result(static_cast<int>(k)) = x(places[k]);
    return result;
  }

  void evaluate() {
    system_.control(state_, d_);
    system_.control_tangent(state_, {state_.position, zero_}, tangent_);
  }

  const System& system_;
  State& state_;
  int first_, count_;
  Vector zero_, d_;
  ControlTangent tangent_;
};

}  // namespace

std::string advice_on(const System& system, const std::vector<int>& open) {
  constexpr std::size_t kShown = 5;
  if (open.size() < 2) return {};
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(kShown, open.size()); ++k)
    names.push_back(system.name_of(Equation::kControl, open[k]));
  return fmt::format(
      "; {}{} depend on each other, and Newton's method found no solution starting from 0 or from "
      "1: make one of them a state with an initial value, or rewrite its formula",
      fmt::join(names, ", "), open.size() > kShown ? ", …" : "");
}

void HeldVariables::find(int first, Vector& residual) {
  rows_.clear();
  for (int i = first; i < residual.size(); ++i) {
    if (std::isfinite(residual(i))) continue;
    rows_.push_back(i);
    residual(i) = 0.0;
  }
}

bool HeldVariables::contains(int row) const {
  return std::find(rows_.begin(), rows_.end(), row) != rows_.end();
}

void HeldVariables::drop_from(SparseMatrix& A) {
  if (empty()) return;
  rest_.begin(A.rows(), A.cols());
  A.for_each([&](int row, int col, double value) {
    if (!contains(row)) rest_.add(row, col, value);
  });
  rest_.end();
  std::swap(A, rest_);
}

std::vector<int> solve_variables(const System& system, State& state) {
  if (system.sizes().variables == 0) return {};
  return VariableSolver(system, state).run();
}

}  // namespace picus
