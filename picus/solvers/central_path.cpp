// SPDX-License-Identifier: BSD-3-Clause
// Linear systems are those of interior point methods with the scaling of Nesterov and Todd
// [AlizadehGoldfarb2003]. The term ‖v_t‖, which makes friction differ from a convex problem, is
// differentiated like the others. Redundant contacts do no harm: the scaling keeps the matrix
// regular where W is not.
#include "picus/solvers/central_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/solvers/contact_cone.h"

namespace picus {
namespace {

using second_order_cone::product;
using second_order_cone::quotient;

constexpr double kLargest = 1e10;  // of r: it grows without end when there is no solution
constexpr double kTipRounding =
    0.1;  // of the tip of ‖v_t‖, against r and v of a contact that closes
constexpr double kMissWeight = 2.0;  // of equations missed against r ∘ v, in distances

// The positive root of r (r − x) = gap.
double positive_root(double x, double gap) {
  const double root = std::hypot(x, 2.0 * std::sqrt(gap));
  return x > 0.0 ? 0.5 * (x + root) : 2.0 * gap / (root - x);
}

// The length of r_t of a disc with radius `limit` for which r_t − v_t has length x.
double length_in_disc(double x, double limit, double gap) {
  double low = 0.0, high = std::min(x, limit);
  for (int k = 0; k < 60; ++k) {  // halvings down to rounding
    const double r = 0.5 * (low + high);
    const double here = r + gap * r / ((limit - r) * (limit + r));
    (here < x ? low : high) = r;
  }
  return low;
}

}  // namespace

double CentralPath::Parameter::of(const Pairs& step, double dt) const {
  double sum = t * dt;
  for (std::size_t i = 0; i < row.size(); ++i)
    sum += row[i].r.dot(step[i].r) + row[i].v.dot(step[i].v);
  return sum;
}

// Velocities are measured by the largest one given, impulses by what causes it.
void CentralPath::begin(const ContactProblem& problem, const Vector& p, double gap, Point& start) {
  const auto count = static_cast<std::size_t>(problem.contacts());
  cones_.resize(count);
  A_.resize(count);
  B_.resize(count);
  sides_.resize(count);
  start.at.resize(count);
  for (Vector* x : {&p_, &u_, &x_})
    x->resize(problem.b.size());
  matrix_.trust();
  matrix_.prepare(problem.W);
  double inertia = 0.0;
  for (int i = 0; i < problem.contacts(); ++i)
    inertia += contact_inertia(problem, i) / problem.contacts();
  speed_ = max_abs(problem.b);
  impulse_ = inertia * speed_;
  gap_ = gap;
  rounding_ = kTipRounding * std::sqrt(gap);
  start.t = 1.0;
  problem.W.multiply(p, u_);
  u_ += problem.b;
  for (int i = 0; i < problem.contacts(); ++i) {
    lay_out(problem, i);
    const Cone& cone = cones_[static_cast<std::size_t>(i)];
    const Vector3 r =
        p.segment<3>(3 * i).cwiseQuotient(cone.to_impulse).cwiseProduct(cone.takes_part);
    Vector3 v = u_.segment<3>(3 * i).cwiseProduct(cone.to_impulse).cwiseProduct(cone.takes_part) /
                (speed_ * impulse_);
    if (cone.is_rough) v(0) += v.tail<2>().norm();
    start.at[static_cast<std::size_t>(i)] = first_pair(cone, r, v);
  }
  evaluate(problem, start);
  first_miss_ = std::numeric_limits<double>::min();
  for (Cone& cone : cones_) {
    cone.first_miss = cone.miss;
    first_miss_ = std::max(first_miss_, cone.miss.norm());
  }
}

void CentralPath::lay_out(const ContactProblem& problem, int contact) {
  Cone& cone = cones_[static_cast<std::size_t>(contact)];
  const ImpulseLaw& law = problem.law(contact);
  const double mu = law.coefficient;
  cone.is_rough = law.kind == ContactKind::kContact && mu > 0.0;
  cone.limit = law.kind == ContactKind::kFriction ? mu / impulse_ : 0.0;
  cone.takes_part.setOnes();
  cone.to_impulse.setConstant(impulse_);
  if (cone.is_rough) cone.to_impulse(0) /= mu;
  if (law.kind == ContactKind::kFriction) cone.takes_part(0) = 0.0;
  if (mu == 0.0) cone.takes_part.tail<2>().setZero();
  if (problem.W.diagonal(contact)(2, 2) == 0.0) cone.takes_part(2) = 0.0;  // in the plane
}

// r − v is given and r ∘ v = gap e: both follow from the eigenvalues of the difference, as in
// smoothing methods. Where friction has a known limit, r_n is that limit.
CentralPath::Pair CentralPath::first_pair(const Cone& cone, const Vector3& r,
                                          const Vector3& v) const {
  Vector3 w = r - v;
  const double length = w.tail<2>().norm();
  const Vector2 along = length > 0.0 ? Vector2(w.tail<2>() / length) : Vector2::Zero();
  double large = 1.0,
         small = 1.0;  // eigenvalues of r; of a contact without rows they do not matter
  if (cone.takes_part(0) != 0.0) {
    large = positive_root(w(0) + length, gap_);
    small = positive_root(w(0) - length, gap_);
  } else if (cone.limit > 0.0) {
    const double inside = length_in_disc(length, cone.limit, gap_);
    large = cone.limit + inside;
    small = cone.limit - inside;
  }
  Pair pair;
  pair.r << 0.5 * (large + small), 0.5 * (large - small) * along;
  pair.v << 0.5 * gap_ * (1.0 / large + 1.0 / small),
      0.5 * gap_ * (1.0 / large - 1.0 / small) * along;
  return pair;
}

// ‖v_t‖, rounded off where it has a tip while t > 0.
double CentralPath::sliding(const Point& x, std::size_t contact) const {
  return std::hypot(x.at[contact].v.tail<2>().norm(), rounding_ * x.t);
}

void CentralPath::impulses(const Point& x, Vector& p) const {
  for (std::size_t i = 0; i < cones_.size(); ++i)
    p.segment<3>(static_cast<int>(3 * i)) =
        cones_[i].to_impulse.cwiseProduct(x.at[i].r).cwiseProduct(cones_[i].takes_part);
}

double CentralPath::largest_impulse() const {
  return kLargest * impulse_;
}

void CentralPath::evaluate(const ContactProblem& problem, const Point& x) {
  impulses(x, p_);
  problem.W.multiply(p_, u_);
  u_ += problem.b;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    Cone& cone = cones_[i];
    const Vector3 u = u_.segment<3>(static_cast<int>(3 * i));
    cone.miss = u.cwiseProduct(cone.to_impulse) / (speed_ * impulse_) - x.at[i].v;
    if (cone.is_rough) cone.miss(0) += sliding(x, i);
    cone.miss = cone.miss.cwiseProduct(cone.takes_part);
  }
}

double CentralPath::distance(const ContactProblem& problem, const Point& x) {
  evaluate(problem, x);
  double worst = 0.0;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    Vector3 z = product(x.at[i].r, x.at[i].v);
    z(0) -= x.t * gap_;
    const Vector3 miss = cones_[i].miss - x.t * cones_[i].first_miss;
    worst =
        std::max({worst, z.norm() / (x.t * gap_), kMissWeight * miss.norm() / (x.t * first_miss_)});
  }
  return worst;
}

// Ŵ dr + turn F² dr, in impulses and velocities: W dp + A dp.
bool CentralPath::linearize(const ContactProblem& problem, const Point& x) {
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    Cone& cone = cones_[i];
    const Pair& pair = x.at[i];
    cone.scaling = second_order_cone::Scaling(pair.r, pair.v);
    cone.point = cone.scaling.F * pair.r;
    cone.turn.setIdentity();
    if (cone.is_rough)
      cone.turn.topRightCorner<1, 2>() = -pair.v.tail<2>().transpose() / sliding(x, i);
    const Vector3 back = cone.to_impulse.cwiseInverse();
    A_[i] = speed_ * impulse_ *
            (back.asDiagonal() * (cone.turn * cone.scaling.square) * back.asDiagonal());
    for (int k = 0; k < 3; ++k) {
      if (cone.takes_part(k) != 0.0) continue;
      A_[i].row(k).setZero();
      A_[i].col(k).setZero();
      A_[i](k, k) = speed_ / impulse_;
    }
    B_[i] = cone.takes_part.asDiagonal();
  }
  return matrix_.factorize(problem.W, A_, B_, 0.0);
}

// Ŵ dr − turn dv = −(r of the right hand side), v ∘ dr + r ∘ dv = its v, in scaled coordinates.
void CentralPath::solve(Pairs& direction) {
  direction.resize(cones_.size());
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const Cone& cone = cones_[i];
    direction[i].v = cone.scaling.F * quotient(sides_[i].v, cone.point);  // dv + F² dr
    x_.segment<3>(static_cast<int>(3 * i)) = (cone.turn * direction[i].v - sides_[i].r)
                                                 .cwiseQuotient(cone.to_impulse)
                                                 .cwiseProduct(cone.takes_part) *
                                             (speed_ * impulse_);
  }
  matrix_.solve(x_);
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const Cone& cone = cones_[i];
    direction[i].r = x_.segment<3>(static_cast<int>(3 * i))
                         .cwiseQuotient(cone.to_impulse)
                         .cwiseProduct(cone.takes_part);
    direction[i].v -= cone.scaling.square * direction[i].r;
  }
}

void CentralPath::find_correction(const Point& x, Pairs& correction) {
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const Cone& cone = cones_[i];
    sides_[i] = {cone.miss - x.t * cone.first_miss, -product(cone.point, cone.point)};
    sides_[i].v(0) += x.t * gap_;
  }
  solve(correction);
}

void CentralPath::find_tangent(const Point& x, Pairs& tangent) {
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    sides_[i] = {-cones_[i].first_miss, Vector3(gap_, 0.0, 0.0)};
    if (cones_[i].is_rough) sides_[i].r(0) += rounding_ * rounding_ * x.t / sliding(x, i);
  }
  solve(tangent);
}

void CentralPath::find_curvature(const Point& x, const Pairs& tangent, Pairs& curvature) {
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const Cone& cone = cones_[i];
    const Pair& d = tangent[i];
    sides_[i] = {Vector3::Zero(), -2.0 * product(cone.scaling.inverse * d.v, cone.scaling.F * d.r)};
    if (!cone.is_rough) continue;
    const double length = sliding(x, i), part = rounding_ * rounding_;
    const double away = (d.v.tail<2>().dot(x.at[i].v.tail<2>()) + part * x.t) / length;
    sides_[i].r(0) = (d.v.tail<2>().squaredNorm() + part - away * away) / length;
  }
  solve(curvature);
}

void CentralPath::choose_parameter(const Point& x, const Pairs& tangent, int direction,
                                   Parameter& parameter) {
  parameter.row.resize(cones_.size());
  double weights = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const auto& scaling = cones_[i].scaling;
    const Vector3 r = scaling.F * tangent[i].r, v = scaling.inverse * tangent[i].v;
    const double square = r.squaredNorm() + v.squaredNorm();
    weights += square;
    sum += square * square;
    parameter.row[i] = {square * (scaling.F * r), square * (scaling.inverse * v)};
  }
  const double unit = weights * x.t * gap_;
  parameter.speed = std::sqrt(sum / unit + 1.0 / (x.t * x.t));
  for (Pair& row : parameter.row) {
    row.r *= direction / (unit * parameter.speed);
    row.v *= direction / (unit * parameter.speed);
  }
  parameter.t = direction / (x.t * x.t * parameter.speed);
}

double CentralPath::largest_step(const Pairs& at, const Pairs& step) {
  double largest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < at.size(); ++i)
    largest = std::min({largest, second_order_cone::largest_step(at[i].r, step[i].r),
                        second_order_cone::largest_step(at[i].v, step[i].v)});
  return largest;
}

}  // namespace picus
