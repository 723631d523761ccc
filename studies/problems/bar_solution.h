// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The exact motion of the mesh of an ElasticBar (bar.h) with e = 0: modes of the free bar and of
// the bar whose end is held by the wall, joined at the impact and at the release.

#include <stdexcept>

#include <Eigen/Cholesky>

#include "picus/math/decompositions.h"
#include "studies/problems/bar.h"

namespace picus::problems {

class BarSolution {
 public:
  explicit BarSolution(const ElasticBar& bar) : bar_(bar) {
    const int n = bar.elements;
    matrices();
    held_ = Vibration(M_.bottomRightCorner(n, n), K_.bottomRightCorner(n, n));
    free_ = Vibration(M_, K_);
    // the impact takes the velocity of the first node by an impulse there
    const Vector column = M_.ldlt().solve(Vector::Unit(n + 1, 0));
    impulse_ = bar.speed / column(0);
    Vector v = Vector::Constant(n + 1, -bar.speed) + impulse_ * column;
    held_.start(Vector::Zero(n), v.tail(n));
    contact_ = find_release();
    impulse_ += impulse_until(contact_);
    const auto [q, rate] = held_.at(contact_);
    Vector position(n + 1);
    position << 0.0, q;
    v << 0.0, rate;
    free_.start(position, v);
  }

  double release() const { return bar_.closes() + contact_; }
  double impulse() const { return impulse_; }

  /// Displacements and velocities.
  State at(double t) const {
    State s;
    s.time = t;
    const int n = bar_.elements;
    const double held = t - bar_.closes(), flown = held - contact_;
    if (held <= 0.0) {
      s.position = Vector::Constant(n + 1, -bar_.speed * t);
      s.velocity = Vector::Constant(n + 1, -bar_.speed);
    } else if (flown <= 0.0) {
      const auto [q, v] = held_.at(held);
      s.position = s.velocity = Vector::Zero(n + 1);
      s.position.tail(n) = q;
      s.velocity.tail(n) = v;
      s.position.array() -= bar_.distance;
    } else {
      std::tie(s.position, s.velocity) = free_.at(flown);
      s.position.array() -= bar_.distance;
    }
    return s;
  }

 private:
  /// M q̈ + K q = 0 by its modes; those of frequency zero drift.
  class Vibration {
   public:
    Vibration() = default;
    Vibration(const Matrix& M, const Matrix& K) {
      SymmetricModes modes = symmetric_modes(K, M);
      shapes_ = std::move(modes.vectors);
      projection_ = shapes_.transpose() * M;
      const Vector& squares = modes.values;
      const double zero = 1e-10 * squares.maxCoeff();
      frequency_ = squares.unaryExpr([&](double x) { return x > zero ? std::sqrt(x) : 0.0; });
    }
    void start(const Vector& q, const Vector& v) {
      a_ = projection_ * q;
      b_ = projection_ * v;
    }
    std::pair<Vector, Vector> at(double t) const {
      Vector x(a_.size()), rate(a_.size());
      for (int i = 0; i < a_.size(); ++i) {
        const double w = frequency_(i), c = std::cos(w * t), s = std::sin(w * t);
        x(i) = a_(i) * c + b_(i) * (w > 0.0 ? s / w : t);
        rate(i) = b_(i) * c - a_(i) * w * s;
      }
      return {shapes_ * x, shapes_ * rate};
    }
    /// q̈
    Vector acceleration(double t) const {
      Vector x = projection_ * at(t).first;
      x.array() *= -frequency_.array().square();
      return shapes_ * x;
    }

   private:
    Matrix shapes_, projection_;
    Vector frequency_, a_, b_;
  };

  void matrices() {
    const int n = bar_.elements;
    const double m = bar_.mass_of_element(), k = bar_.stiffness_of_element();
    M_ = K_ = Matrix::Zero(n + 1, n + 1);
    Eigen::Matrix2d mass, stiffness;
    if (bar_.mass == BarMass::kConsistent)
      mass << m / 3.0, m / 6.0, m / 6.0, m / 3.0;
    else
      mass << m / 2.0, 0.0, 0.0, m / 2.0;
    stiffness << k, -k, -k, k;
    for (int i = 0; i < n; ++i) {
      M_.block<2, 2>(i, i) += mass;
      K_.block<2, 2>(i, i) += stiffness;
    }
  }

  /// Of the wall on the held bar, t after the impact.
  double force(double t) const {
    return M_(0, 1) * held_.acceleration(t)(0) + K_(0, 1) * held_.at(t).first(0);
  }

  // Where the force first changes its sign, once the wave that has been to the free end is near.
  double find_release() const {
    const double there_and_back = 2.0 * bar_.L / bar_.wave_speed();
    const double step = 0.01 * there_and_back / bar_.elements;
    double from = 0.75 * there_and_back;
    for (; force(from + step) > 0.0; from += step)
      if (from > 2.0 * there_and_back) throw std::runtime_error("the bar does not leave the wall");
    double to = from + step;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (from + to);
      (force(middle) > 0.0 ? from : to) = middle;
    }
    return from;
  }

  // The impulse of the wall is the change of momentum of the held bar.
  double impulse_until(double t) const {
    const int n = bar_.elements;
    const auto momentum = [&](double at) {
      Vector v = Vector::Zero(n + 1);
      v.tail(n) = held_.at(at).second;
      return Vector(M_ * v).sum();
    };
    return momentum(t) - momentum(0.0);
  }

  ElasticBar bar_;
  Matrix M_, K_;
  Vibration held_, free_;
  double contact_ = 0.0, impulse_ = 0.0;
};

}  // namespace picus::problems
