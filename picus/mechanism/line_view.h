// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A contact of lines (elements/line_contact.h) in a mechanism, with all its derivatives: what
// TermView is to directions between two bodies.

#include <array>

#include "picus/dynamics/system.h"
#include "picus/elements/line_contact.h"
#include "picus/mechanism/bodies.h"

namespace picus {

/// A contact of lines and the bodies that carry its four frames; those it does not have are the
/// ground.
struct PlacedLineContact {
  LineContact contact = {};
  std::array<int, 4> frames{Bodies::kGround, Bodies::kGround, Bodies::kGround, Bodies::kGround};
};

/// Its gap, or one of its slips, at a state.
class LineView {
 public:
  using Places = std::array<int, kLineColumns>;
  static constexpr int kGap = -1;

  /// `which`: kGap, or the number of a slip. Derivatives are along the increment of the chart.
  LineView(const Bodies& bodies, const PlacedLineContact& placed, int which, const State& s);
  LineView(const Bodies& bodies, const PlacedLineContact& placed, int which, const State& s,
           const Chart& chart)
      : LineView(bodies, placed, which, s) {
    chart_ = &chart;
  }

  double value() const { return placed_.contact.gap(poses_); }
  const LineRow<double>& row() const { return row_; }
  double rate() const { return row_.dot(velocity_); }
  /// row · v̇ + v · ∂row · v
  double acceleration() const;

  LineRow<double> value_tangent() const { return charted(row_); }
  LineHessian row_tangent() const;       ///< ∂row/∂q
  LineRow<double> rate_tangent() const;  ///< ∂(row · v)/∂q
  LineRow<double> acceleration_tangent() const;
  LineRow<double> acceleration_along_velocity() const;

  const Places& places() const { return places_; }

 private:
  LineRow<double> charted(LineRow<double> row) const;
  const LineHessian& hessian() const;
  LineRow<double> entries(const Vector& v) const;
  bool turn(std::size_t frame, Matrix3& T) const;

  const Bodies& bodies_;
  const PlacedLineContact& placed_;
  const State& state_;
  const Chart* chart_ = nullptr;
  int which_;
  LineFrames<double> poses_;
  Places places_;
  LineRow<double> shares_;  ///< Bodies::shares() of all frames
  LineRow<double> velocity_, row_;
  mutable bool has_hessian_ = false;
  mutable LineHessian hessian_;
};

}  // namespace picus
