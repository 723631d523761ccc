// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A contact of lines (elements/line_contact.h) in a mechanism, with all its derivatives: what
// TermView is to directions between two bodies.

#include <array>

#include "picus/dynamics/system.h"
#include "picus/elements/line_contact.h"
#include "picus/mechanism/bodies.h"
#include "picus/mechanism/carried_view.h"

namespace picus {

/// A contact of lines and the bodies that carry its four frames; those it does not have are the
/// ground.
struct PlacedLineContact {
  LineContact contact = {};
  std::array<int, 4> frames{Bodies::kGround, Bodies::kGround, Bodies::kGround, Bodies::kGround};
};

/// What its gap, or one of its slips, is between poses.
struct LineGeometry {
  static constexpr int kFrames = 4;
  using Poses = LineFrames<double>;
  const PlacedLineContact* placed;
  int which;  ///< LineView::kGap, or the number of a slip

  const std::array<int, 4>& frames() const { return placed->frames; }
  double value(const Poses& at, const Vector& /*q*/) const { return placed->contact.gap(at); }
  LineRow<double> row(const Poses& at) const { return placed->contact.row(at, which); }
  void hessian(const Poses& at, LineHessian& H) const;
  LineRow<double> along_acceleration(const Poses& at, const LineRow<double>& twists) const;
};
extern template class CarriedView<LineGeometry>;

/// Its gap, or one of its slips, at a state, between bodies. See view_line().
class LineView {
 public:
  using Places = std::array<int, kLineColumns>;
  static constexpr int kGap = -1;

  /// `which`: kGap, or the number of a slip. Derivatives are along the increment of the chart, if
  /// there is one.
  LineView(const Bodies& bodies, const PlacedLineContact& placed, int which, const State& s,
           const Chart* chart);

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
  const Chart* chart_;
  int which_;
  LineFrames<double> poses_;
  Places places_;
  LineRow<double> velocity_, row_;
  mutable bool has_hessian_ = false;
  mutable LineHessian hessian_;
};

/// Calls visit(view) as view_term() does.
template <class Visit>
void view_line(const Bodies& bodies, const PlacedLineContact& placed, int which, const State& s,
               const Chart* chart, Visit&& visit) {
  bool is_carried = false;
  for (const int frame : placed.frames)
    is_carried = is_carried || bodies.is_carried(frame);
  if (is_carried) {
    Scratch scratch;
    visit(CarriedView<LineGeometry>(bodies, {&placed, which}, s, chart, scratch));
  } else {
    visit(LineView(bodies, placed, which, s, chart));
  }
}

}  // namespace picus
