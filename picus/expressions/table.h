// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "picus/base/fields.h"
#include "picus/math/dual.h"

namespace picus {

/// How a table goes through its points.
enum class Interpolation {
  kLinear,   ///< straight lines: continuous
  kCubic,    ///< natural cubic spline: smooth second derivative, may overshoot
  kAkima,    ///< local cubics: smooth slope, little overshoot [Akima1970]
  kMonotone  ///< local cubics: smooth slope, no overshoot [FritschButland1984]
};

/// How a table goes on outside its points.
enum class Extrapolation {
  kConstant,  ///< the outermost value
  kLinear     ///< the tangent at the outermost point
};

template <>
struct EnumNames<Interpolation> {
  static constexpr std::array<std::string_view, 4> names{"linear", "cubic", "akima", "monotone"};
};
template <>
struct EnumNames<Extrapolation> {
  static constexpr std::array<std::string_view, 2> names{"constant", "linear"};
};

struct TableOptions {
  Interpolation interpolation = Interpolation::kAkima;
  Extrapolation extrapolation = Extrapolation::kConstant;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("interpolation", self.interpolation, "linear, cubic, akima or monotone");
    visit("extrapolation", self.extrapolation, "constant or linear");
  }
};

/// Columns of a CSV file by the names in its first line; empty: the file has two columns, x and y.
struct CsvColumns {
  std::string x{}, y{};
};

/// A function of one variable through given points: piecewise polynomials of degree three at most.
class Table {
 public:
  /// Points with increasing, finite x; at least two. Throws InputError otherwise.
  Table(std::vector<double> x, std::vector<double> y, const TableOptions& options = {});

  /// Reads comma, semicolon or tab separated text; `source` names it in errors ("cam.csv:7: …").
  /// A first line of names is optional without `columns`; empty lines and lines of # are skipped.
  static Table from_csv(std::string_view text, std::string_view source,
                        const CsvColumns& columns = {}, const TableOptions& options = {});

  double operator()(double x) const { return derivative(x, 0); }

  /// Exact derivative of the interpolant, order 0 (the value) and up; at a point where it jumps,
  /// the one from the right, except at the last point.
  double derivative(double x, int order) const;

  /// For dual numbers, nested ones included.
  template <class T>
  T evaluate(const T& x, int order = 0) const {
    if constexpr (std::is_same_v<T, double>) {
      return derivative(x, order);
    } else {
      return T::chain(x, evaluate(x.value, order), evaluate(x.value, order + 1));
    }
  }

  /// Whether value or slope have a kink somewhere: at every point of a linear table, at the ends of
  /// one with constant extrapolation.
  bool has_switch() const;

  /// A number that changes its sign at each of these kinks.
  double switch_value(double x) const;

  std::span<const double> x() const { return x_; }
  std::span<const double> y() const { return y_; }

 private:
  using Cubic = std::array<double, 4>;  ///< coefficients in x − x_i, lowest first

  int piece(double x) const;

  std::vector<double> x_, y_;
  TableOptions options_;
  std::vector<Cubic> pieces_;  ///< between the points; first and last: outside them
};

}  // namespace picus
