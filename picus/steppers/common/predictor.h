// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>

#include "picus/math/types.h"

namespace picus {

/// The guess of Newton's method: the polynomial of degree up to three through the last solutions,
/// on any step sizes. negrut-hht-i3, "The prediction stage"
///
/// Newton's divided differences D_k = [x_n, …, x_{n-k}] make the polynomials nested,
/// p_k = p_{k-1} + D_k Π (t - t_i), and x_{n+1} - p_k(t_{n+1}) is the next of these terms. So the
/// sizes of successive differences at the step just accepted tell which degree would have served it
/// best; that one serves the next. Unknowns that oscillate from step to step thus get a low degree.
/// A rejected step, a sign of a rough solution, allows no more than a line, and each accepted step
/// one degree more.
class Predictor {
 public:
  static constexpr int kMaxDegree = 3;

  /// `is_shifted` is 1 for unknowns that lie at a shifted time, 0 for others.
  void start(const Vector& guess, const Vector& is_shifted);
  /// Extrapolates over a step h; shifted unknowns to `shift` more, as a time.
  void predict(double h, double shift, Vector& x);
  /// Takes the solution of the step predicted last. `size` measures a vector of unknowns.
  template <class Size>
  void accept(const Vector& x, Size&& size) {
    choose_degree(x, size);
    insert(x);
  }
  void reject() { limit_ = std::min(limit_, 1); }

  int degree() const { return degree_; }

 private:
  template <class Size>
  void choose_degree(const Vector& x, Size&& size) {
    double best = 0.0;
    for (int k = 0; k < count_; ++k) {
      work_ = x - polynomial_[index(k)];
      const double error = size(work_);
      if (k > 0 && !(error < best)) continue;
      best = error;
      degree_ = k;
    }
    limit_ = std::min(limit_ + 1, kMaxDegree);
  }
  static std::size_t index(int k) { return static_cast<std::size_t>(k); }
  void insert(const Vector& x);

  std::array<Vector, kMaxDegree + 1> difference_, polynomial_;
  std::array<double, kMaxDegree + 1> age_{}, shift_{};  ///< where the solutions lie, as times
  Vector is_shifted_, work_;
  double h_ = 0.0, new_shift_ = 0.0;
  int count_ = 0;  ///< solutions known
  int degree_ = 0, limit_ = kMaxDegree;
};

}  // namespace picus
