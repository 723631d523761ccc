// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a force states itself: magnitudes that work along directions between its two frames. Frame J
// belongs to the first body of `between`, frame I to the second; a positive magnitude moves I the
// way the direction grows.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "picus/model/joint_equations.h"
#include "picus/model/table_part.h"

namespace picus {

/// −stiffness (value − free) − damping · rate + preload; curves of (value − free) and of the rate
/// may replace the products.
struct LinearLaw {
  double stiffness = 0.0, damping = 0.0, free = 0.0, preload = 0.0;
  bool free_is_initial = false;  ///< the free value is the one at the assembled start
  const CurvePart* spring = nullptr;
  const CurvePart* damper = nullptr;

  /// Of a field that may be missing.
  static const CurvePart* curve(const std::optional<CurvePart>& part) {
    return part ? &*part : nullptr;
  }
};

/// A formula of the user, with the names that only this force knows ("length", "rate").
struct FormulaLaw {
  struct LocalName {
    std::string name;
    Direction direction;
    bool is_rate = false;
    Dimension unit = {};
  };
  Formula formula;
  Dimension unit;
  std::vector<LocalName> names = {};
};

/// A law in code, of values and rates of directions.
struct CodedLaw {
  struct Input {
    Direction direction;
    bool is_rate = false;
  };
  std::vector<Input> inputs;
  std::function<double(std::span<const double>, std::span<double>)> law;
  std::function<double(std::span<const double>)> potential = {};  ///< energy stored, if any
  std::function<double(std::span<const double>)> kink = {};  ///< changes its sign at a kink, if any
};

struct ForceRow {
  std::string name;
  Direction direction;
  std::variant<LinearLaw, FormulaLaw, CodedLaw> magnitude;
  /// A linear law may read another measure than the direction it works along.
  std::optional<Direction> measured = {};
};

class ForceEquations {
 public:
  ForceEquations(BodyFrame i, BodyFrame j, bool planar, double initial_turn)
      : geometry_(std::move(i), std::move(j), planar, initial_turn) {}

  /// Words about the frames, as joints use them.
  const JointEquations& geometry() const { return geometry_; }
  bool is_planar() const { return geometry_.is_planar(); }
  const BodyFrame& frame_i() const { return geometry_.frame_i(); }
  const BodyFrame& frame_j() const { return geometry_.frame_j(); }

  void add(ForceRow row) { rows_.push_back(std::move(row)); }
  const std::vector<ForceRow>& rows() const { return rows_; }

 private:
  JointEquations geometry_;
  std::vector<ForceRow> rows_;
};

}  // namespace picus
