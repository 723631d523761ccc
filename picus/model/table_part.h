// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "picus/expressions/table.h"
#include "picus/model/values.h"

namespace picus {

/// A curve through points that formulas call like a function.
struct TablePart {
  std::string file, x_column, y_column;
  std::vector<double> x, y;
  Interpolation interpolation = Interpolation::kAkima;
  Extrapolation extrapolation = Extrapolation::kConstant;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("file", self.file, "CSV file, relative to the model file that names it", FieldTraits{});
    visit("x_column", self.x_column, "column of the abscissae; default: the first", FieldTraits{});
    visit("y_column", self.y_column, "column of the ordinates; default: the second", FieldTraits{});
    visit("x", self.x, "abscissae, instead of a file", FieldTraits{});
    visit("y", self.y, "ordinates, instead of a file", FieldTraits{});
    visit("interpolation", self.interpolation, "linear, cubic, akima or monotone", FieldTraits{});
    visit("extrapolation", self.extrapolation, "constant or linear", FieldTraits{});
  }
};

/// The characteristic of a force, given as a curve.
struct CurvePart : TablePart {
  SourcePlace place;                   ///< set by the reader
  std::shared_ptr<const Table> curve;  ///< read from the file by the reader
};

/// Characteristics of a spring and a damper, instead of numbers.
struct SpringCurves {
  std::optional<CurvePart> stiffness_table, damping_table;
};

/// One curve for each axis of a frame.
struct AxisCurves {
  std::optional<CurvePart> x, y, z;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("x", self.x, "curve of the x axis", FieldTraits{});
    visit("y", self.y, "curve of the y axis", FieldTraits{});
    visit("z", self.z, "curve of the z axis", FieldTraits{});
  }
  const std::optional<CurvePart>& operator()(int axis) const {
    return axis == 0 ? x : axis == 1 ? y : z;
  }
};

}  // namespace picus
