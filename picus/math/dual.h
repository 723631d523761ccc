// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Forward-mode automatic differentiation: a value and its N partial derivatives. Duals nest, so
// Dual<1, Dual<6>> carries exact second derivatives. Comparisons look at the values alone.

#include <array>
#include <cmath>
#include <type_traits>

#include "picus/math/types.h"

namespace picus {

template <int N, class T = double>
struct Dual {
  T value{};
  std::array<T, static_cast<std::size_t>(N)> grad{};

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT: numbers are constants
  Dual(const T& constant) requires(!std::is_same_v<T, double>) : value(constant) {}  // NOLINT

  /// A variable: its own derivative is one.
  static Dual variable(const T& at, int index) {
    Dual result(at);
    result.grad[static_cast<std::size_t>(index)] = T(1.0);
    return result;
  }

  const T& d(int index) const { return grad[static_cast<std::size_t>(index)]; }

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  /// f(a) from f and its derivative at the value: the chain rule.
  static Dual chain(const Dual& a, const T& f, const T& df) {
    Dual result(f);
    for (std::size_t i = 0; i < a.grad.size(); ++i)
      result.grad[i] = df * a.grad[i];
    return result;
  }

  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual result(a.value + b.value);
    for (std::size_t i = 0; i < a.grad.size(); ++i)
      result.grad[i] = a.grad[i] + b.grad[i];
    return result;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual result(a.value - b.value);
    for (std::size_t i = 0; i < a.grad.size(); ++i)
      result.grad[i] = a.grad[i] - b.grad[i];
    return result;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual result(a.value * b.value);
    for (std::size_t i = 0; i < a.grad.size(); ++i)
      result.grad[i] = a.grad[i] * b.value + a.value * b.grad[i];
    return result;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T quotient = a.value / b.value;
    Dual result(quotient);
    for (std::size_t i = 0; i < a.grad.size(); ++i)
      result.grad[i] = (a.grad[i] - quotient * b.grad[i]) / b.value;
    return result;
  }
  friend Dual operator-(const Dual& a) { return Dual(0.0) - a; }
  friend Dual operator+(const Dual& a) { return a; }

  // with plain numbers: no derivatives to carry
  friend Dual operator+(const Dual& a, double b) {
    Dual result = a;
    result.value = a.value + b;
    return result;
  }
  friend Dual operator+(double a, const Dual& b) { return b + a; }
  friend Dual operator-(const Dual& a, double b) { return a + (-b); }
  friend Dual operator-(double a, const Dual& b) { return -b + a; }
  friend Dual operator*(const Dual& a, double b) {
    Dual result(a.value * b);
    for (std::size_t i = 0; i < a.grad.size(); ++i)
      result.grad[i] = a.grad[i] * b;
    return result;
  }
  friend Dual operator*(double a, const Dual& b) { return b * a; }
  friend Dual operator/(const Dual& a, double b) { return a * (1.0 / b); }
  friend Dual operator/(double a, const Dual& b) { return Dual(a) / b; }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return b < a; }
  friend bool operator<=(const Dual& a, const Dual& b) { return !(b < a); }
  friend bool operator>=(const Dual& a, const Dual& b) { return !(a < b); }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend bool operator!=(const Dual& a, const Dual& b) { return !(a == b); }

  friend Dual sin(const Dual& a) {
    using std::cos, std::sin;
    return chain(a, sin(a.value), cos(a.value));
  }
  friend Dual cos(const Dual& a) {
    using std::cos, std::sin;
    return chain(a, cos(a.value), -sin(a.value));
  }
  friend Dual tan(const Dual& a) {
    using std::tan;
    const T f = tan(a.value);
    return chain(a, f, 1.0 + f * f);
  }
  friend Dual asin(const Dual& a) {
    using std::asin, std::sqrt;
    return chain(a, asin(a.value), 1.0 / sqrt(1.0 - a.value * a.value));
  }
  friend Dual acos(const Dual& a) {
    using std::acos, std::sqrt;
    return chain(a, acos(a.value), -1.0 / sqrt(1.0 - a.value * a.value));
  }
  friend Dual atan(const Dual& a) {
    using std::atan;
    return chain(a, atan(a.value), 1.0 / (1.0 + a.value * a.value));
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const T square = x.value * x.value + y.value * y.value;
    Dual result(atan2(y.value, x.value));
    for (std::size_t i = 0; i < y.grad.size(); ++i)
      result.grad[i] = (x.value * y.grad[i] - y.value * x.grad[i]) / square;
    return result;
  }
  friend Dual exp(const Dual& a) {
    using std::exp;
    const T f = exp(a.value);
    return chain(a, f, f);
  }
  friend Dual log(const Dual& a) {
    using std::log;
    return chain(a, log(a.value), 1.0 / a.value);
  }
  friend Dual sqrt(const Dual& a) {
    using std::sqrt;
    const T f = sqrt(a.value);
    return chain(a, f, 0.5 / f);
  }
  friend Dual tanh(const Dual& a) {
    using std::tanh;
    const T f = tanh(a.value);
    return chain(a, f, 1.0 - f * f);
  }
  friend Dual sinh(const Dual& a) {
    using std::cosh, std::sinh;
    return chain(a, sinh(a.value), cosh(a.value));
  }
  friend Dual cosh(const Dual& a) {
    using std::cosh, std::sinh;
    return chain(a, cosh(a.value), sinh(a.value));
  }
  friend Dual abs(const Dual& a) { return a < Dual(0.0) ? -a : a; }
  friend Dual pow(const Dual& a, double exponent) {
    using std::pow;
    if (exponent == 0.0) return Dual(1.0);  // no derivative, also at zero
    return chain(a, pow(a.value, exponent), exponent * pow(a.value, exponent - 1.0));
  }
};

/// Strips every level of derivatives.
inline double plain_value(double a) {
  return a;
}
template <int N, class T>
double plain_value(const Dual<N, T>& a) {
  return plain_value(a.value);
}

}  // namespace picus

namespace Eigen {

template <int N, class T>
struct NumTraits<picus::Dual<N, T>> : NumTraits<double> {
  using Real = picus::Dual<N, T>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N + 1,
    AddCost = N + 1,
    MulCost = 3 * N + 1
  };
};

template <int N, class T, class Op>
struct ScalarBinaryOpTraits<picus::Dual<N, T>, double, Op> {
  using ReturnType = picus::Dual<N, T>;
};
template <int N, class T, class Op>
struct ScalarBinaryOpTraits<double, picus::Dual<N, T>, Op> {
  using ReturnType = picus::Dual<N, T>;
};

}  // namespace Eigen
