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

double value_between(const Term& term, const Pose<double>& i, const Pose<double>& j,
                     const Vector& q) {
  const double value = std::visit(
      [&](const auto& d) -> double {
        if constexpr (HasValue<std::decay_t<decltype(d)>>) return d.value(i, j);
        expects(false, "a direction with a value");
        return 0.0;
      },
      term.direction);
  return term.memory < 0 ? value : nearest_turn(value, q(term.memory));
}

}  // namespace

double measure(const Bodies& bodies, const Term& term, const Vector& q) {
  return value_between(term, bodies.pose(term.body_i, q), bodies.pose(term.body_j, q), q);
}

PairView::PairView(const Bodies& all, int number_i, int number_j, const State& s)
    : bodies(all),
      state(s),
      body_i(number_i),
      body_j(number_j),
      i(all.pose(number_i, s.position)),
      j(all.pose(number_j, s.position)) {
  velocity << all.twist(body_i, s.velocity), all.twist(body_j, s.velocity);
  for (std::size_t k = 0; k < 6; ++k) {
    places[k] = all[body_i].velocity[k];
    places[k + 6] = all[body_j].velocity[k];
  }
}

PairView::PairView(const Bodies& all, int number_i, int number_j, const State& s,
                   const Chart& chart)
    : PairView(all, number_i, number_j, s) {
  const auto increment = [&](int body) -> Vector3 {
    if (all[body].kind != BodyKind::kSpatial) return Vector3::Zero();
    return chart.increment.segment<3>(all[body].velocity[3]);
  };
  const Vector3 phi_i = increment(body_i), phi_j = increment(body_j);
  has_chart = !phi_i.isZero(0.0) || !phi_j.isZero(0.0);
  if (!has_chart) return;
  turn_i = increment_jacobian(phi_i);
  turn_j = increment_jacobian(phi_j);
}

TermView::TermView(const PairView& pair, const Term& term) : pair_(pair), term_(term) {
  row_ = term_.weight *
         std::visit([&](const auto& d) -> Row<double> { return d.row(pair_.i, pair_.j); },
                    term_.direction);
}

double TermView::value() const {
  return term_.weight * value_between(term_, pair_.i, pair_.j, pair_.state.position);
}

const Hessian& TermView::hessian() const {
  if (has_hessian_) return hessian_;
  std::visit(
      [&](const auto& d) {
        if constexpr (HasHessian<std::decay_t<decltype(d)>>) {
          d.hessian(pair_.i, pair_.j, hessian_);
        } else {
          const Row<Dual<12>> row = d.row(perturbed<12>(pair_.i, 0), perturbed<12>(pair_.j, 6));
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
  if (!pair_.has_chart) return row;
  row.segment<3>(3) = (pair_.turn_i.transpose() * row.segment<3>(3)).eval();
  row.segment<3>(9) = (pair_.turn_j.transpose() * row.segment<3>(9)).eval();
  return row;
}

Hessian TermView::row_tangent() const {
  Hessian H = hessian();
  if (!pair_.has_chart) return H;
  H.middleCols<3>(3) = (H.middleCols<3>(3) * pair_.turn_i).eval();
  H.middleCols<3>(9) = (H.middleCols<3>(9) * pair_.turn_j).eval();
  return H;
}

double TermView::acceleration() const {
  Row<double> a;
  a << pair_.bodies.twist(term_.body_i, pair_.state.acceleration),
      pair_.bodies.twist(term_.body_j, pair_.state.acceleration);
  return row_.dot(a) + pair_.velocity.dot(hessian() * pair_.velocity);
}

Row<double> TermView::rate_tangent() const {
  return charted(hessian().transpose() * pair_.velocity);
}

Row<double> TermView::acceleration_along_velocity() const {
  return (hessian() + hessian().transpose()) * pair_.velocity;
}

Row<double> TermView::acceleration_tangent() const {
  Row<double> a;
  a << pair_.bodies.twist(term_.body_i, pair_.state.acceleration),
      pair_.bodies.twist(term_.body_j, pair_.state.acceleration);
  Row<double> tangent = hessian().transpose() * a;
  // ∂(v · ∂row · v)/∂q: the rate of the row along v, with the tangent directions of the poses
  const SmallVector<double, 6> v_i = pair_.velocity.head<6>(), v_j = pair_.velocity.tail<6>();
  const auto i = moving(perturbed<12>(pair_.i, 0), v_i);
  const auto j = moving(perturbed<12>(pair_.j, 6), v_j);
  std::visit(
      [&](const auto& d) {
        const Row<Dual<1, Dual<12>>> row = d.row(i, j);
        for (int r = 0; r < 12; ++r) {
          if (pair_.velocity(r) == 0.0) continue;
          for (int c = 0; c < 12; ++c)
            tangent(c) += term_.weight * pair_.velocity(r) * row(r).d(0).d(c);
        }
      },
      term_.direction);
  return charted(tangent);
}

}  // namespace picus
