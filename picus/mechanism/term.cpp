// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/term.h"

#include <algorithm>
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

/// States the derivative of its convective acceleration, see elements/convective.h.
template <class D>
concept HasAlongAcceleration = requires(const D& d, const Pose<double>& p, const Row<double>& v) {
  d.along_acceleration(p, p, v);
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

bool has_value(const Direction& direction) {
  return std::visit([](const auto& d) { return HasValue<std::decay_t<decltype(d)>>; }, direction);
}

double measure(const Bodies& bodies, const Term& term, const Vector& q) {
  return value_between(term, bodies.pose(term.body_i, q), bodies.pose(term.body_j, q), q);
}

bool is_constant(const Bodies& bodies, const Term& term) {
  const auto keeps_direction = [&](int body) {
    return body == Bodies::kGround || is_point(bodies[body].kind);
  };
  return keeps_direction(term.body_i) && keeps_direction(term.body_j) &&
         (std::holds_alternative<Separation>(term.direction) ||
          std::holds_alternative<Offset>(term.direction) ||
          std::holds_alternative<Push>(term.direction));
}

Row<double> row_in_space(const Term& term, const Pose<double>& i, const Pose<double>& j) {
  return term.weight *
         std::visit([&](const auto& d) -> Row<double> { return d.row(i, j); }, term.direction);
}

void PairView::look_at(int body_i, int body_j) {
  if (body_j != body_j_) {
    if (body_j == body_i_) {  // as along a chain
      j_ = i_;
      velocity_.tail<6>() = velocity_.head<6>();
      std::copy_n(places_.begin(), 6, places_.begin() + 6);
      is_turned_j_ = is_turned_i_;
      turn_j_ = turn_i_;
    } else {
      load(body_j, 6, j_);
      is_turned_j_ = turn(body_j, turn_j_);
    }
    has_shares_j_ = share(body_j, 6);
    body_j_ = body_j;
  }
  if (body_i != body_i_) {
    load(body_i, 0, i_);
    is_turned_i_ = turn(body_i, turn_i_);
    has_shares_i_ = share(body_i, 0);
    body_i_ = body_i;
  }
}

void PairView::load(int body, int first, Pose<double>& pose) {
  pose = bodies_.pose(body, state_.position);
  velocity_.segment<6>(first) = bodies_.entries(body, state_.velocity);
  std::copy_n(bodies_[body].velocity.begin(), 6, places_.begin() + first);
}

bool PairView::share(int body, int first) {
  if (bodies_[body].kind == BodyKind::kAxialPoint) {
    shares_.segment<6>(first) = bodies_.shares(body);
    return true;
  }
  if (has_shares()) shares_.segment<6>(first).setOnes();
  return false;
}

bool PairView::turn(int body, Matrix3& T) const {
  if (chart_ == nullptr) return false;
  T.setIdentity();
  if (bodies_[body].kind != BodyKind::kSpatial) return false;
  const Vector3 phi = chart_->increment.segment<3>(bodies_[body].velocity[3]);
  if (phi.isZero(0.0)) return false;
  T = increment_jacobian(phi);
  return true;
}

TermView::TermView(const PairView& pair, const Term& term) : pair_(pair), term_(term) {
  row_ = row_in_space(term, pair_.i(), pair_.j());
  if (pair_.has_shares()) row_ = row_.cwiseProduct(pair_.shares()).eval();
}

double TermView::value() const {
  return term_.weight * value_between(term_, pair_.i(), pair_.j(), pair_.state().position);
}

const Hessian& TermView::hessian() const {
  if (has_hessian_) return hessian_;
  std::visit(
      [&](const auto& d) {
        if constexpr (HasHessian<std::decay_t<decltype(d)>>) {
          d.hessian(pair_.i(), pair_.j(), hessian_);
        } else {
          const Row<Dual<12>> row = d.row(perturbed<12>(pair_.i(), 0), perturbed<12>(pair_.j(), 6));
          for (int r = 0; r < 12; ++r)
            for (int c = 0; c < 12; ++c)
              hessian_(r, c) = row(r).d(c);
        }
      },
      term_.direction);
  hessian_ *= term_.weight;
  if (pair_.has_shares())
    hessian_ = hessian_.cwiseProduct(pair_.shares() * pair_.shares().transpose()).eval();
  has_hessian_ = true;
  return hessian_;
}

Row<double> TermView::charted(Row<double> row) const {
  if (!pair_.has_chart()) return row;
  row.segment<3>(3) = (pair_.turn_i().transpose() * row.segment<3>(3)).eval();
  row.segment<3>(9) = (pair_.turn_j().transpose() * row.segment<3>(9)).eval();
  return row;
}

Hessian TermView::row_tangent() const {
  Hessian H = hessian();
  if (!pair_.has_chart()) return H;
  H.middleCols<3>(3) = (H.middleCols<3>(3) * pair_.turn_i()).eval();
  H.middleCols<3>(9) = (H.middleCols<3>(9) * pair_.turn_j()).eval();
  return H;
}

Row<double> TermView::acceleration_entries() const {
  Row<double> a;
  a << pair_.bodies().entries(term_.body_i, pair_.state().acceleration),
      pair_.bodies().entries(term_.body_j, pair_.state().acceleration);
  return a;
}

double TermView::acceleration() const {
  return row_.dot(acceleration_entries()) + pair_.velocity().dot(hessian() * pair_.velocity());
}

Row<double> TermView::rate_tangent() const {
  return charted(hessian().transpose() * pair_.velocity());
}

Row<double> TermView::acceleration_along_velocity() const {
  return (hessian() + hessian().transpose()) * pair_.velocity();
}

Row<double> TermView::acceleration_tangent() const {
  Row<double> tangent = Row<double>::Zero();
  // ∂(v · ∂row · v)/∂q: the rate of the row along v, with the tangent directions of the poses
  Row<double> v = pair_.velocity();
  if (pair_.has_shares()) v = v.cwiseProduct(pair_.shares()).eval();
  std::visit(
      [&](const auto& d) {
        if constexpr (HasAlongAcceleration<std::decay_t<decltype(d)>>) {
          tangent = term_.weight * d.along_acceleration(pair_.i(), pair_.j(), v);
        } else {
          const SmallVector<double, 6> v_i = v.head<6>(), v_j = v.tail<6>();
          const Row<Dual<1, Dual<12>>> row = d.row(moving(perturbed<12>(pair_.i(), 0), v_i),
                                                   moving(perturbed<12>(pair_.j(), 6), v_j));
          for (int r = 0; r < 12; ++r) {
            if (v(r) == 0.0) continue;
            for (int c = 0; c < 12; ++c)
              tangent(c) += term_.weight * v(r) * row(r).d(0).d(c);
          }
        }
      },
      term_.direction);
  if (pair_.has_shares()) tangent = tangent.cwiseProduct(pair_.shares()).eval();
  return charted(tangent + hessian().transpose() * acceleration_entries());
}

}  // namespace picus
