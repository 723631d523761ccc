// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Functions with branches: kinks, jumps, steps and one-sided forces. Rules as in elementary.h.
// `switches` gives the numbers whose sign tells on which side of a kink or jump a point lies.

#include "picus/expressions/elementary.h"

namespace picus::formula {

struct Abs {
  static constexpr FunctionEntry kEntry{"abs(x)", "absolute value", 1};
  static auto value(const auto& x) -> ScalarOf<decltype(x)> {
    if (plain_value(x[0]) == 0.0) return 0.0;
    return plain_value(x[0]) < 0.0 ? -x[0] : x[0];
  }
  static void switches(const auto& x, double* out) { out[0] = x[0]; }
};

struct Sign {
  static constexpr FunctionEntry kEntry{"sign(x)", "-1, 0 or 1", 1};
  static auto value(const auto& x) -> ScalarOf<decltype(x)> {
    const double a = plain_value(x[0]);
    return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a;
  }
  static void switches(const auto& x, double* out) { out[0] = x[0]; }
};

struct Min {
  static constexpr FunctionEntry kEntry{"min(a, b, ...)", "the least of its arguments", 1};
  static auto value(const auto& x) { return x[1] < x[0] ? x[1] : x[0]; }
  static void switches(const auto& x, double* out) { out[0] = x[0] - x[1]; }
};

struct Max {
  static constexpr FunctionEntry kEntry{"max(a, b, ...)", "the greatest of its arguments", 1};
  static auto value(const auto& x) { return x[0] < x[1] ? x[1] : x[0]; }
  static void switches(const auto& x, double* out) { out[0] = x[0] - x[1]; }
};

struct Floor {
  static constexpr FunctionEntry kEntry{"floor(x)", "largest whole number not above x", 1};
  static auto value(const auto& x) -> ScalarOf<decltype(x)> {
    return std::floor(plain_value(x[0]));
  }
  static void switches(const auto& x, double* out) { out[0] = whole_number_crossing(x[0]); }
};

struct Ceil {
  static constexpr FunctionEntry kEntry{"ceil(x)", "smallest whole number not below x", 1};
  static auto value(const auto& x) -> ScalarOf<decltype(x)> { return std::ceil(plain_value(x[0])); }
  static void switches(const auto& x, double* out) { out[0] = whole_number_crossing(x[0]); }
};

struct Round {
  static constexpr FunctionEntry kEntry{"round(x)", "nearest whole number, halves away from zero",
                                        1};
  static auto value(const auto& x) -> ScalarOf<decltype(x)> {
    return std::round(plain_value(x[0]));
  }
  static void switches(const auto& x, double* out) { out[0] = whole_number_crossing(x[0] + 0.5); }
};

struct Mod {
  static constexpr FunctionEntry kEntry{"mod(x, period)",
                                        "x - period floor(x/period); has the sign of period", 1};
  static auto value(const auto& x) { return smooth<RemainderParts>(x[0], x[1]); }
  static void switches(const auto& x, double* out) { out[0] = whole_number_crossing(x[0] / x[1]); }
};

struct Clamp {
  static constexpr FunctionEntry kEntry{
      "clamp(x, lo, hi)", "x, but not below lo nor above hi", 2, {1, 2}};
  static auto value(const auto& x) { return x[0] < x[1] ? x[1] : x[2] < x[0] ? x[2] : x[0]; }
  static void switches(const auto& x, double* out) {
    out[0] = x[0] - x[1];
    out[1] = x[0] - x[2];
  }
};

struct Deadband {
  static constexpr FunctionEntry kEntry{
      "deadband(x, lo, hi)", "0 from lo to hi; x - lo below, x - hi above", 2, {1, 2}};
  static auto value(const auto& x) -> ScalarOf<decltype(x)> {
    if (x[0] < x[1]) return x[0] - x[1];
    if (x[2] < x[0]) return x[0] - x[2];
    return 0.0 * plain_value(x[0]);
  }
  static void switches(const auto& x, double* out) { Clamp::switches(x, out); }
};

/// y0 up to x0, y1 from x1 on, shape(s) of s = (x − x0)/(x1 − x0) in between.
template <class T, class Shape>
T rise(const auto& x, const Shape& shape) {
  if (plain_value(x[0]) <= plain_value(x[1])) return x[2];
  if (plain_value(x[0]) >= plain_value(x[3])) return x[4];
  const T s = (x[0] - x[1]) / (x[3] - x[1]);
  return x[2] + (x[4] - x[2]) * shape(s);
}

struct Step {
  static constexpr FunctionEntry kEntry{
      "step(x, x0, y0, x1, y1)",
      "y0 up to x0, y1 from x1 on, cubic in between (smooth slope)",
      0,
      {1, 3}};
  static auto value(const auto& x) {
    using T = ScalarOf<decltype(x)>;
    return rise<T>(x, [](const T& s) { return T(s * s * (3.0 - 2.0 * s)); });
  }
};

struct Step5 {
  static constexpr FunctionEntry kEntry{
      "step5(x, x0, y0, x1, y1)",
      "like step, but of fifth degree in between (smooth second derivative)",
      0,
      {1, 3}};
  static auto value(const auto& x) {
    using T = ScalarOf<decltype(x)>;
    return rise<T>(x, [](const T& s) { return T(s * s * s * (10.0 + s * (6.0 * s - 15.0))); });
  }
};

struct Ramp {
  static constexpr FunctionEntry kEntry{"ramp(x, x0, y0, x1, y1)",
                                        "y0 up to x0, y1 from x1 on, a straight line in between",
                                        2,
                                        {1, 3}};
  static auto value(const auto& x) {
    using T = ScalarOf<decltype(x)>;
    return rise<T>(x, [](const T& s) { return s; });
  }
  static void switches(const auto& x, double* out) {
    out[0] = x[0] - x[1];
    out[1] = x[0] - x[3];
  }
};

struct Pulse {
  static constexpr FunctionEntry kEntry{
      "pulse(x, x0, x1)", "1 from x0 to x1 (excluded), else 0", 2, {1, 2}};
  static auto value(const auto& x) -> ScalarOf<decltype(x)> {
    return x[0] < x[1] || !(x[0] < x[2]) ? 0.0 : 1.0;
  }
  static void switches(const auto& x, double* out) { Clamp::switches(x, out); }
};

struct Square {
  static constexpr FunctionEntry kEntry{"square(x, period)",
                                        "1 in the first half of every period, -1 in the second", 1};
  static auto value(const auto& x) -> ScalarOf<decltype(x)> {
    const double period = plain_value(x[1]);
    return RemainderParts::value(plain_value(x[0]), period) / period < 0.5 ? 1.0 : -1.0;
  }
  static void switches(const auto& x, double* out) {
    out[0] = whole_number_crossing(2.0 * x[0] / x[1]);
  }
};

/// Force of a one-sided spring with damping that grows with the depth. It never pulls.
template <class T>
struct OneSidedForce {
  T x, v, x1, k, e, cmax, d;

  bool touches() const { return plain_value(x) < plain_value(x1); }

  /// k (x1 − x)^e − cmax v step(x, x1 − d, 1, x1, 0), to be cut off at zero.
  T uncut() const {
    const std::array<T, 5> ends{x, x1 - d, T(1.0), x1, T(0.0)};
    return k * smooth<PowerParts>(T(x1 - x), e) - cmax * v * Step::value(ends);
  }

  T value() const {
    if (!touches()) return T(0.0);
    const T force = uncut();
    return plain_value(force) < 0.0 ? T(0.0) : force;
  }

  /// Where contact begins, and where the force is cut off; away from contact nothing is cut.
  static void switches(const OneSidedForce<double>& spring, double* out) {
    out[0] = spring.x - spring.x1;
    out[1] = spring.touches() ? spring.uncut() : 1.0;
  }
};

struct Impact {
  static constexpr FunctionEntry kEntry{
      "impact(x, v, x1, k, e, cmax, d)",
      "contact force of a stop at x1, v = rate of x: 0 for x >= x1, else "
      "k (x1 - x)^e - cmax v step(x, x1 - d, 1, x1, 0), never negative",
      2};
  static auto value(const auto& x) {
    using T = ScalarOf<decltype(x)>;
    return OneSidedForce<T>{x[0], x[1], x[2], x[3], x[4], x[5], x[6]}.value();
  }
  static void switches(const auto& x, double* out) {
    OneSidedForce<double>::switches({x[0], x[1], x[2], x[3], x[4], x[5], x[6]}, out);
  }
};

struct Bistop {
  static constexpr FunctionEntry kEntry{
      "bistop(x, v, x1, x2, k, e, cmax, d)",
      "contact force of two stops: impact at x1 pushes up, its mirror image at x2 pushes down",
      4,
      {2, 3}};
  static auto value(const auto& x) {
    using T = ScalarOf<decltype(x)>;
    return lower<T>(x).touches() ? lower<T>(x).value() : T(-upper<T>(x).value());
  }
  static void switches(const auto& x, double* out) {
    OneSidedForce<double>::switches(lower<double>(x), out);
    OneSidedForce<double>::switches(upper<double>(x), out + 2);
  }

 private:
  template <class T>
  static OneSidedForce<T> lower(const auto& x) {
    return {x[0], x[1], x[2], x[4], x[5], x[6], x[7]};
  }
  template <class T>
  static OneSidedForce<T> upper(const auto& x) {
    return {-x[0], -x[1], -x[3], x[4], x[5], x[6], x[7]};
  }
};

struct If {
  static constexpr FunctionEntry kEntry{"if(condition, a, b)",
                                        "a where the condition holds, else b"};
  static auto value(const auto& x) { return plain_value(x[0]) != 0.0 ? x[1] : x[2]; }
};

}  // namespace picus::formula
