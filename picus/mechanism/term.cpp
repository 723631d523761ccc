// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/term.h"

#include <cmath>
#include <numbers>

#include "picus/base/contract.h"

namespace picus {
namespace {

template <class D>
concept HasValue = requires(const D& d, const Pose<double>& p) {
  d.value(p, p);
};

template <class D>
concept HasHessian = requires(const D& d, const Pose<double>& p, Hessian& H) {
  d.hessian(p, p, H);
};

double nearest_turn(double angle, double remembered) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  return angle + kTurn * std::round((remembered - angle) / kTurn);
}

}  // namespace

double measure(const Bodies& bodies, const Term& term, const Vector& q) {
  const Pose<double> i = bodies.pose(term.body_i, q), j = bodies.pose(term.body_j, q);
  const double value = std::visit(
      [&](const auto& d) -> double {
        if constexpr (HasValue<std::decay_t<decltype(d)>>) return d.value(i, j);
        expects(false, "a direction with a value");
        return 0.0;
      },
      term.direction);
  return term.memory < 0 ? value : nearest_turn(value, q(term.memory));
}

TermView::TermView(const Bodies& bodies, const Term& term, const State& s)
    : bodies_(bodies),
      term_(term),
      state_(s),
      i_(bodies.pose(term.body_i, s.position)),
      j_(bodies.pose(term.body_j, s.position)) {
  row_ = term.weight *
         std::visit([&](const auto& d) -> Row<double> { return d.row(i_, j_); }, term.direction);
  v_ << bodies.twist(term.body_i, s.velocity), bodies.twist(term.body_j, s.velocity);
  for (std::size_t k = 0; k < 6; ++k) {
    places_[k] = bodies[term.body_i].velocity[k];
    places_[k + 6] = bodies[term.body_j].velocity[k];
  }
}

TermView::TermView(const Bodies& bodies, const Term& term, const State& s, const Chart& chart)
    : TermView(bodies, term, s) {
  const auto turn = [&](int body, Matrix3& T) {
    if (!can_turn(body)) return;
    const Vector3 phi = chart.increment.segment<3>(bodies[body].velocity[3]);
    if (phi.isZero(0.0)) {
      T.setIdentity();
      return;
    }
    T = increment_jacobian(phi);
    has_chart_ = true;
  };
  turn_i_.setIdentity();
  turn_j_.setIdentity();
  turn(term.body_i, turn_i_);
  turn(term.body_j, turn_j_);
}

bool TermView::can_turn(int body) const {
  return bodies_[body].kind == BodyKind::kSpatial;
}

double TermView::value() const {
  return term_.weight * measure(bodies_, term_, state_.position);
}

const Hessian& TermView::hessian() const {
  if (has_hessian_) return hessian_;
  std::visit(
      [&](const auto& d) {
        if constexpr (HasHessian<std::decay_t<decltype(d)>>) {
          d.hessian(i_, j_, hessian_);
        } else {
          const Row<Dual<12>> row = d.row(perturbed<12>(i_, 0), perturbed<12>(j_, 6));
          for (int r = 0; r < 12; ++r)
            for (int c = 0; c < 12; ++c)
              hessian_(r, c) = row(r).d(c);
        }
      },
      term_.direction);
  hessian_ *= term_.weight;
  has_hessian_ = true;
  return hessian_;
}

Row<double> TermView::charted(Row<double> row) const {
  if (!has_chart_) return row;
  row.segment<3>(3) = (turn_i_.transpose() * row.segment<3>(3)).eval();
  row.segment<3>(9) = (turn_j_.transpose() * row.segment<3>(9)).eval();
  return row;
}

Hessian TermView::row_tangent() const {
  Hessian H = hessian();
  if (!has_chart_) return H;
  H.middleCols<3>(3) = (H.middleCols<3>(3) * turn_i_).eval();
  H.middleCols<3>(9) = (H.middleCols<3>(9) * turn_j_).eval();
  return H;
}

double TermView::acceleration() const {
  Row<double> a;
  a << bodies_.twist(term_.body_i, state_.acceleration),
      bodies_.twist(term_.body_j, state_.acceleration);
  return row_.dot(a) + v_.dot(hessian() * v_);
}

Row<double> TermView::rate_tangent() const {
  return charted(hessian().transpose() * v_);
}

Row<double> TermView::acceleration_along_velocity() const {
  return (hessian() + hessian().transpose()) * v_;
}

Row<double> TermView::acceleration_tangent() const {
  Row<double> a;
  a << bodies_.twist(term_.body_i, state_.acceleration),
      bodies_.twist(term_.body_j, state_.acceleration);
  Row<double> tangent = hessian().transpose() * a;
  // ∂(v · ∂row · v)/∂q: the rate of the row along v, with the tangent directions of the poses
  const SmallVector<double, 6> v_i = v_.head<6>(), v_j = v_.tail<6>();
  const auto i = moving(perturbed<12>(i_, 0), v_i);
  const auto j = moving(perturbed<12>(j_, 6), v_j);
  std::visit(
      [&](const auto& d) {
        const Row<Dual<1, Dual<12>>> row = d.row(i, j);
        for (int r = 0; r < 12; ++r) {
          if (v_(r) == 0.0) continue;
          for (int c = 0; c < 12; ++c)
            tangent(c) += term_.weight * v_(r) * row(r).d(0).d(c);
        }
      },
      term_.direction);
  return charted(tangent);
}

}  // namespace picus
