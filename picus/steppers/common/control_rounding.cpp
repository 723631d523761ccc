// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/control_rounding.h"

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

constexpr int kDeepest = 8;  // variables that read variables that read variables …

// sums += |A| |x|
template <class Size>
void add_terms(const SparseMatrix& A, const Size& size, Vector& sums) {
  A.for_each([&](int row, int col, double value) { sums(row) += std::abs(value) * size(col); });
}

}  // namespace

double size_of_positions(const System& system, const State& s) {
  const double extent = system.extent(s);
  for (int i = 0; i < system.sizes().velocities; ++i)
    if (system.unit_of(i) == Unit::kAngle) return std::max(extent, 1.0);
  return extent > 0.0 ? extent : 1.0;
}

ControlTerms ControlRounding::terms_of(const ControlTangent& tangent, const State& s, int variables,
                                       double position, double velocity) {
  const auto controls = s.control.size(), states = controls - variables;
  terms_.setZero(controls);
  pivots_.setZero(controls);
  const auto of = [](const Vector& x) { return [&x](int i) { return std::abs(x(i)); }; };
  add_terms(
      tangent.position, [&](int) { return position; }, terms_);
  add_terms(
      tangent.velocity, [&](int i) { return std::max(std::abs(s.velocity(i)), velocity); }, terms_);
  add_terms(tangent.acceleration, of(s.acceleration), terms_);
  add_terms(tangent.multiplier, of(s.multiplier), terms_);
  add_terms(tangent.control, of(s.control), terms_);
  tangent.rate.for_each([&](int row, int col, double value) {
    if (col < states && row < states) pivots_(row) = std::max(pivots_(row), std::abs(value));
  });
  tangent.control.for_each([&](int row, int col, double value) {
    if (row == col && row >= states) pivots_(row) = std::abs(value);
  });
  for (Eigen::Index i = 0; i < controls; ++i)
    terms_(i) = pivots_(i) > 0.0 ? terms_(i) / pivots_(i) : 0.0;
  // a variable hands its rounding on to those that read it
  through_ = terms_;
  for (int depth = 0; depth < kDeepest; ++depth) {
    Vector& next = terms_;
    bool has_grown = false;
    tangent.control.for_each([&](int row, int col, double value) {
      if (row == col || col < states || pivots_(row) == 0.0) return;
      const double handed = std::abs(value) * through_(col) / pivots_(row);
      if (handed <= next(row)) return;
      next(row) = handed;
      has_grown = true;
    });
    if (!has_grown) break;
    through_ = next;
  }
  ControlTerms terms;
  for (Eigen::Index i = 0; i < controls; ++i) {
    double& largest = i < states ? terms.rate : terms.value;
    largest = std::max(largest, terms_(i));
  }
  tangent.force.for_each([&](int, int col, double value) {
    const double size = col < states ? std::abs(s.control(col)) : terms_(col);
    terms.force = std::max(terms.force, std::abs(value) * size);
  });
  return terms;
}

}  // namespace picus
