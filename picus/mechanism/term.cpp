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

/// States V · ∂row · V, see elements/convective.h.
template <class D>
concept HasConvective = requires(const D& d, const Pose<double>& p, const Row<double>& v) {
  d.convective(p, p, v);
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
    const CarriedFrame* frame = bodies[body].carried.get();
    return body == Bodies::kGround ||
           (is_point(bodies[body].kind) && (frame == nullptr || frame->has_constant_map()));
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

double TermGeometry::value(const Pose<double>& i, const Pose<double>& j, const Vector& q) const {
  return term->weight * value_between(*term, i, j, q);
}

double TermGeometry::convective(const Pose<double>& i, const Pose<double>& j,
                                const Row<double>& v) const {
  return term->weight * std::visit(
                            [&](const auto& d) -> double {
                              if constexpr (HasConvective<std::decay_t<decltype(d)>>) {
                                return d.convective(i, j, v);
                              } else {
                                // the rate of the row along v
                                const Row<Dual<1>> row = d.row(moving<double>(i, v.head<6>()),
                                                               moving<double>(j, v.tail<6>()));
                                double sum = 0.0;
                                for (int r = 0; r < 12; ++r)
                                  sum += v(r) * row(r).d(0);
                                return sum;
                              }
                            },
                            term->direction);
}

void TermGeometry::hessian(const Pose<double>& i, const Pose<double>& j, Hessian& H) const {
  std::visit(
      [&](const auto& d) {
        if constexpr (HasHessian<std::decay_t<decltype(d)>>) {
          d.hessian(i, j, H);
        } else {
          const Row<Dual<12>> row = d.row(perturbed<12>(i, 0), perturbed<12>(j, 6));
          for (int r = 0; r < 12; ++r)
            for (int c = 0; c < 12; ++c)
              H(r, c) = row(r).d(c);
        }
      },
      term->direction);
  if (term->weight != 1.0) H *= term->weight;
}

// ∂(v · ∂row · v)/∂q: the rate of the row along v, with the tangent directions of the poses
Row<double> TermGeometry::along_acceleration(const Pose<double>& i, const Pose<double>& j,
                                             const Row<double>& v) const {
  Row<double> tangent = Row<double>::Zero();
  std::visit(
      [&](const auto& d) {
        if constexpr (HasAlongAcceleration<std::decay_t<decltype(d)>>) {
          tangent = term->weight * d.along_acceleration(i, j, v);
        } else {
          const Vector6 v_i = v.head<6>(), v_j = v.tail<6>();
          const Row<Dual<1, Dual<12>>> row =
              d.row(moving(perturbed<12>(i, 0), v_i), moving(perturbed<12>(j, 6), v_j));
          for (int r = 0; r < 12; ++r) {
            if (v(r) == 0.0) continue;
            for (int c = 0; c < 12; ++c)
              tangent(c) += term->weight * v(r) * row(r).d(0).d(c);
          }
        }
      },
      term->direction);
  return tangent;
}

void PairView::turn_to(int body_i, int body_j) {
  if (body_i != body_i_) load(body_i, 0);
  if (body_j != body_j_) load(body_j, 1);
  body_i_ = body_i;
  body_j_ = body_j;
}

void PairView::load(int number, std::size_t side) {
  const Body& body = bodies_[number];
  expects(!is_carried(body.kind), "a pair of bodies");
  const auto first = 6 * static_cast<int>(side);
  velocity_.segment<6>(first) = bodies_.entries(number, state_.velocity);
  std::copy_n(body.velocity.begin(), 6, places_.begin() + first);
  turns_[side] = nullptr;
  if (table_ != nullptr) {
    poses_[side] = &(*table_)[number];
    if (turn_table_ != nullptr && turn_table_->is_turned(number))
      turns_[side] = &(*turn_table_)[number];
    return;
  }
  bodies_.put_pose(number, state_.position, own_poses_[side]);
  poses_[side] = &own_poses_[side];
  if (chart_ == nullptr || body.kind != BodyKind::kSpatial) return;
  const Vector3 phi = chart_->increment.segment<3>(body.velocity[3]);
  if (phi.isZero(0.0)) return;
  own_turns_[side] = increment_jacobian(phi);
  turns_[side] = &own_turns_[side];
}

const Hessian& TermView::hessian() const {
  if (has_hessian_) return hessian_;
  geometry().hessian(pair_.i(), pair_.j(), hessian_);
  has_hessian_ = true;
  return hessian_;
}

Row<double> TermView::charted(Row<double> row) const {
  for (const std::size_t side : {0u, 1u}) {
    const int first = side == 0 ? 3 : 9;
    if (const Matrix3* T = pair_.turn(side))
      row.segment<3>(first) = (T->transpose() * row.segment<3>(first)).eval();
  }
  return row;
}

void apply_chart(const PairView& pair, Hessian& H) {
  for (const std::size_t side : {0u, 1u}) {
    const int first = side == 0 ? 3 : 9;
    if (const Matrix3* T = pair.turn(side))
      H.middleCols<3>(first) = (H.middleCols<3>(first) * *T).eval();
  }
}

Hessian TermView::row_tangent() const {
  Hessian H = hessian();
  apply_chart(pair_, H);
  return H;
}

Row<double> TermView::acceleration_entries() const {
  Row<double> a;
  a << pair_.bodies().entries(term_.body_i, pair_.state().acceleration),
      pair_.bodies().entries(term_.body_j, pair_.state().acceleration);
  return a;
}

double TermView::acceleration() const {
  return row_->dot(acceleration_entries()) +
         geometry().convective(pair_.i(), pair_.j(), pair_.velocity());
}

Row<double> TermView::rate_tangent() const {
  return charted(hessian().transpose().lazyProduct(pair_.velocity()));
}

Row<double> TermView::acceleration_along_velocity() const {
  return hessian().lazyProduct(pair_.velocity()) +
         hessian().transpose().lazyProduct(pair_.velocity());
}

Row<double> TermView::acceleration_tangent() const {
  return charted(geometry().along_acceleration(pair_.i(), pair_.j(), pair_.velocity()) +
                 hessian().transpose().lazyProduct(acceleration_entries()));
}

double rate_of(const Bodies& bodies, const Term& term, const State& s) {
  double rate = 0.0;
  view_one(
      bodies, term, [&](const auto& view) { rate = view.rate(); }, s);
  return rate;
}

double acceleration_of(const Bodies& bodies, const Term& term, const State& s) {
  double acceleration = 0.0;
  view_one(
      bodies, term, [&](const auto& view) { acceleration = view.acceleration(); }, s);
  return acceleration;
}

}  // namespace picus
