// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The elementary functions of formulas. A rule is written once for any scalar: plain numbers give
// values, dual numbers exact derivatives of any order, and Dual<n> seeded on the n arguments the
// local partial derivatives of reverse mode. `x` is anything that gives the arguments by index.
//
// Where a function has a value but no finite derivative, the derivative is zero by convention
// (docs/expressions.md): Newton's method can go on from zero, not from NaN.

#include <cmath>
#include <numbers>
#include <utility>

#include "picus/expressions/functions.h"
#include "picus/math/dual.h"

namespace picus::formula {

/// The scalar type of a list of arguments.
template <class X>
using ScalarOf = std::remove_cvref_t<decltype(std::declval<const X&>()[0])>;

/// F::value on plain numbers and F::slope on any scalar make a function of any scalar.
template <class F>
double smooth(double x) {
  return F::value(x);
}
template <class F, int N, class T>
Dual<N, T> smooth(const Dual<N, T>& x) {
  const T y = smooth<F>(x.value);
  return Dual<N, T>::chain(x, y, F::slope(x.value, y));
}

/// The same for two arguments: F::slopes gives both partial derivatives.
template <class F>
double smooth(double x, double y) {
  return F::value(x, y);
}
template <class F, int N, class T>
Dual<N, T> smooth(const Dual<N, T>& x, const Dual<N, T>& y) {
  const T z = smooth<F>(x.value, y.value);
  const auto [dx, dy] = F::slopes(x.value, y.value, z);
  Dual<N, T> result(z);
  for (std::size_t i = 0; i < x.grad.size(); ++i)
    result.grad[i] = dx * x.grad[i] + dy * y.grad[i];
  return result;
}

struct SquareRootParts {
  static double value(double x) { return std::sqrt(x); }
  template <class T>
  static T slope(const T&, const T& y) {
    return plain_value(y) == 0.0 ? T(0.0) : T(0.5 / y);
  }
};

struct CubeRootParts {
  static double value(double x) { return std::cbrt(x); }
  template <class T>
  static T slope(const T&, const T& y) {
    return plain_value(y) == 0.0 ? T(0.0) : T(1.0 / (3.0 * y * y));
  }
};

struct ArcSineParts {
  static double value(double x) { return std::asin(x); }
  template <class T>
  static T slope(const T& x, const T&) {
    using std::sqrt;
    const T r = (1.0 - x) * (1.0 + x);
    return plain_value(r) == 0.0 ? T(0.0) : T(1.0 / sqrt(r));
  }
};

struct ArcTangent2Parts {
  static double value(double y, double x) { return std::atan2(y, x); }
  template <class T>
  static std::pair<T, T> slopes(const T& y, const T& x, const T&) {
    const T r = x * x + y * y;
    if (plain_value(r) == 0.0) return {T(0.0), T(0.0)};
    return {x / r, -y / r};
  }
};

struct HypotenuseParts {
  static double value(double x, double y) { return std::hypot(x, y); }
  template <class T>
  static std::pair<T, T> slopes(const T& x, const T& y, const T& r) {
    if (plain_value(r) == 0.0) return {T(0.0), T(0.0)};
    return {x / r, y / r};
  }
};

/// x^p with a constant exponent: whole exponents are exact for negative bases too.
inline double power(double x, double p) {
  return std::pow(x, p);
}
template <int N, class T>
Dual<N, T> power(const Dual<N, T>& x, double p) {
  if (p == 0.0) return Dual<N, T>(1.0);
  const bool vertical = p < 1.0 && plain_value(x) == 0.0;
  return Dual<N, T>::chain(x, power(x.value, p), vertical ? T(0.0) : T(p * power(x.value, p - 1)));
}

struct PowerParts {
  static double value(double x, double p) { return std::pow(x, p); }
  // by x: p x^(p−1); by p: x^p log x where the logarithm exists, else zero
  template <class T>
  static std::pair<T, T> slopes(const T& x, const T& p, const T& z) {
    using std::log;
    const bool vertical = plain_value(p) < 1.0 && plain_value(x) == 0.0;
    const T by_base = vertical ? T(0.0) : T(p * smooth<PowerParts>(x, p - 1.0));
    return {by_base, plain_value(x) > 0.0 ? T(z * log(x)) : T(0.0)};
  }
};

struct RemainderParts {
  static double value(double x, double y) {
    const double r = std::fmod(x, y);
    return r != 0.0 && (r < 0.0) != (y < 0.0) ? r + y : r;
  }
  // x − n y with the whole number n of periods
  template <class T>
  static std::pair<T, T> slopes(const T& x, const T& y, const T& r) {
    const double n = (plain_value(x) - plain_value(r)) / plain_value(y);
    return {T(1.0), T(-std::round(n))};
  }
};

/// Crosses zero at every whole number, and nowhere else: 4 t (1 − |t|) with t = x folded to [−1,
/// 1].
inline double whole_number_crossing(double x) {
  const double t = std::remainder(x, 2.0);
  return 4.0 * t * (1.0 - std::abs(t));
}

struct Sin {
  static constexpr FunctionEntry kEntry{"sin(x)", "sine, x in radians"};
  static auto value(const auto& x) {
    using std::sin;
    return sin(x[0]);
  }
};

struct Cos {
  static constexpr FunctionEntry kEntry{"cos(x)", "cosine, x in radians"};
  static auto value(const auto& x) {
    using std::cos;
    return cos(x[0]);
  }
};

struct Tan {
  static constexpr FunctionEntry kEntry{"tan(x)", "tangent, x in radians"};
  static auto value(const auto& x) {
    using std::tan;
    return tan(x[0]);
  }
};

struct Asin {
  static constexpr FunctionEntry kEntry{"asin(x)", "inverse sine, in radians from -pi/2 to pi/2"};
  static auto value(const auto& x) { return smooth<ArcSineParts>(x[0]); }
};

struct Acos {
  static constexpr FunctionEntry kEntry{"acos(x)", "inverse cosine, in radians from 0 to pi"};
  struct Parts {
    static double value(double x) { return std::acos(x); }
    template <class T>
    static T slope(const T& x, const T& y) {
      return -ArcSineParts::slope(x, y);
    }
  };
  static auto value(const auto& x) { return smooth<Parts>(x[0]); }
};

struct Atan {
  static constexpr FunctionEntry kEntry{"atan(x)", "inverse tangent, in radians"};
  static auto value(const auto& x) {
    using std::atan;
    return atan(x[0]);
  }
};

struct Atan2 {
  static constexpr FunctionEntry kEntry{"atan2(y, x)",
                                        "angle of the point (x, y), in radians from -pi to pi"};
  static auto value(const auto& x) { return smooth<ArcTangent2Parts>(x[0], x[1]); }
};

struct Sinh {
  static constexpr FunctionEntry kEntry{"sinh(x)", "hyperbolic sine"};
  static auto value(const auto& x) {
    using std::sinh;
    return sinh(x[0]);
  }
};

struct Cosh {
  static constexpr FunctionEntry kEntry{"cosh(x)", "hyperbolic cosine"};
  static auto value(const auto& x) {
    using std::cosh;
    return cosh(x[0]);
  }
};

struct Tanh {
  static constexpr FunctionEntry kEntry{"tanh(x)", "hyperbolic tangent"};
  static auto value(const auto& x) {
    using std::tanh;
    return tanh(x[0]);
  }
};

struct Exp {
  static constexpr FunctionEntry kEntry{"exp(x)", "exponential"};
  static auto value(const auto& x) {
    using std::exp;
    return exp(x[0]);
  }
};

struct Log {
  static constexpr FunctionEntry kEntry{"log(x)", "natural logarithm"};
  static auto value(const auto& x) {
    using std::log;
    return log(x[0]);
  }
};

struct Log10 {
  static constexpr FunctionEntry kEntry{"log10(x)", "logarithm to base 10"};
  struct Parts {
    static double value(double x) { return std::log10(x); }
    template <class T>
    static T slope(const T& x, const T&) {
      return 1.0 / (std::numbers::ln10 * x);
    }
  };
  static auto value(const auto& x) { return smooth<Parts>(x[0]); }
};

struct Sqrt {
  static constexpr FunctionEntry kEntry{"sqrt(x)", "square root"};
  static auto value(const auto& x) { return smooth<SquareRootParts>(x[0]); }
};

struct Cbrt {
  static constexpr FunctionEntry kEntry{"cbrt(x)", "cube root, of negative numbers too"};
  static auto value(const auto& x) { return smooth<CubeRootParts>(x[0]); }
};

struct Hypot {
  static constexpr FunctionEntry kEntry{"hypot(a, b, ...)", "sqrt(a^2 + b^2 + ...)"};
  static auto value(const auto& x) { return smooth<HypotenuseParts>(x[0], x[1]); }
};

struct Pow {
  static constexpr FunctionEntry kEntry{"pow(x, p)", "x^p"};
  static auto value(const auto& x) { return smooth<PowerParts>(x[0], x[1]); }
};

}  // namespace picus::formula
