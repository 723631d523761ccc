// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/collision_batch.h"

#include <algorithm>

#include <fmt/format.h>

namespace picus {

std::string CollisionBatch::name_of_contact(int contact) const {
  const CloseBall& c = search_.list()[static_cast<std::size_t>(contact)];
  return fmt::format("between {} and {}", bodies_[body_i(c)].name, bodies_[body_j(c)].name);
}

void CollisionBatch::contact_laws(int joints, std::vector<ContactLaw>& laws) const {
  for (int i = 0; i < contacts(); ++i) {
    const CloseBall& c = search_.list()[static_cast<std::size_t>(i)];
    ContactLaw law = search_.is_plane(c) ? search_.plane(c).law : search_.group().law;
    law.slips = slips_each();
    law.first_slip = first_slip_ + i * slips_each();
    laws[static_cast<std::size_t>(first_gap_ - joints + i)] = law;
  }
}

Places CollisionBatch::places(const CloseBall& c) const {
  Places places;
  std::copy_n(bodies_[body_i(c)].velocity.begin(), 6, places.begin());
  std::copy_n(bodies_[body_j(c)].velocity.begin(), 6, places.begin() + 6);
  return places;
}

// --- numbers of a time step ----------------------------------------------------------------

void CollisionBatch::load(const State& s) const {
  poses_.resize(static_cast<std::size_t>(bodies_.size()));
  for (int b = 0; b < bodies_.size(); ++b)
    poses_[static_cast<std::size_t>(b)] = bodies_.pose(b, s.position);
}

CollisionBatch::Touch CollisionBatch::touch(const CloseBall& c) const {
  const CollisionBall& ball = search_.ball(c.ball);
  const Pose<double>&i = pose(body_i(c)), &j = pose(body_j(c));
  const Vector3 centre = i.point(ball.centre);
  Touch touch;
  if (search_.is_plane(c)) {
    const CollisionPlane& plane = search_.plane(c);
    touch.normal = j.direction(plane.normal);
    touch.gap = touch.normal.dot(centre - j.point(plane.point)) - ball.radius;
    touch.arm_j = centre - ball.radius * touch.normal - j.r;
  } else {
    const CollisionBall& other = search_.ball(c.other);
    const Vector3 other_centre = j.point(other.centre);
    touch.normal = centre - other_centre;
    const double distance = touch.normal.norm();
    touch.normal /= distance;
    touch.gap = distance - ball.radius - other.radius;
    touch.arm_j = other_centre + other.radius * touch.normal - j.r;
  }
  touch.arm_i = centre - ball.radius * touch.normal - i.r;
  return touch;
}

CollisionBatch::Place CollisionBatch::place_of(const State& s, int contact) const {
  const CloseBall& c = pair(contact);
  poses_.resize(static_cast<std::size_t>(bodies_.size()));
  for (const int body : {body_i(c), body_j(c)})
    poses_[static_cast<std::size_t>(body)] = bodies_.pose(body, s.position);
  const Touch here = touch(c);
  return {pose(body_i(c)).r + here.arm_i, here.normal, {here.tangent(c, 0), here.tangent(c, 1)}};
}

Vector3 CollisionBatch::Touch::tangent(const CloseBall& c, int which) const {
  return rows::tangent(normal, c.axis, which);
}

Vector3 CollisionBatch::velocity(const CloseBall& c, const Touch& touch, const State& s) const {
  const int i = body_i(c), j = body_j(c);
  const SmallVector<double, 6> twist_i = bodies_.twist(i, s.velocity),
                               twist_j = bodies_.twist(j, s.velocity);
  const Vector3 turn_i = pose(i).A * twist_i.tail<3>(), turn_j = pose(j).A * twist_j.tail<3>();
  return twist_i.head<3>() + cross(turn_i, touch.arm_i) - twist_j.head<3>() -
         cross(turn_j, touch.arm_j);
}

Row<double> CollisionBatch::row(const CloseBall& c, const Touch& touch,
                                const Vector3& along) const {
  Row<double> row;
  row << along, pose(body_i(c)).A.transpose() * cross(touch.arm_i, along), -along,
      pose(body_j(c)).A.transpose() * cross(along, touch.arm_j);
  return row;
}

// --- their further derivatives ---------------------------------------------------------------

Term CollisionBatch::gap_term(const CloseBall& c) const {
  const CollisionBall& ball = search_.ball(c.ball);
  Term term{.body_i = body_i(c), .body_j = body_j(c)};
  if (search_.is_plane(c)) {
    const CollisionPlane& plane = search_.plane(c);
    term.direction = Offset{ball.centre, plane.point, plane.normal};
  } else {
    term.direction = Distance{ball.centre, search_.ball(c.other).centre};
  }
  return term;
}

Term CollisionBatch::slip_term(const CloseBall& c, int which) const {
  const CollisionBall& ball = search_.ball(c.ball);
  Term term{.body_i = body_i(c), .body_j = body_j(c)};
  if (search_.is_plane(c)) {
    term.direction =
        BallPlaneSlip{ball.centre, ball.radius, search_.plane(c).normal, c.axis, which};
  } else {
    const CollisionBall& other = search_.ball(c.other);
    term.direction =
        BallPairSlip{ball.centre, other.centre, ball.radius, other.radius, c.axis, which};
  }
  return term;
}

template <class Visit, class... Where>
void CollisionBatch::for_each_gap(Visit&& visit, const Where&... where) const {
  PairView pair(bodies_, where...);
  for (int i = 0; i < contacts(); ++i) {
    const Term term = gap_term(search_.list()[static_cast<std::size_t>(i)]);
    pair.look_at(term);
    visit(first_gap_ + i, TermView(pair, term));
  }
}

template <class Visit, class... Where>
void CollisionBatch::for_each_slip(Visit&& visit, const Where&... where) const {
  PairView pair(bodies_, where...);
  for (int i = 0; i < contacts(); ++i) {
    for (int k = 0; k < slips_each(); ++k) {
      const Term term = slip_term(search_.list()[static_cast<std::size_t>(i)], k);
      pair.look_at(term);
      visit(first_slip_ + i * slips_each() + k, TermView(pair, term));
    }
  }
}

// --- the batch -------------------------------------------------------------------------------

void CollisionBatch::constraint(const State& s, Level level, Vector& g) const {
  if (level == Level::kAcceleration) {
    for_each_gap([&](int row, const TermView& view) { g(row) += view.acceleration(); }, s);
    return;
  }
  load(s);
  for (int i = 0; i < contacts(); ++i) {
    const CloseBall& c = search_.list()[static_cast<std::size_t>(i)];
    const Touch here = touch(c);
    g(first_gap_ + i) +=
        level == Level::kPosition ? here.gap : here.normal.dot(velocity(c, here, s));
  }
}

void CollisionBatch::constraint_tangent(const State& s, const Chart& chart, SparseMatrix& G) const {
  if (!chart.increment.isZero(0.0)) {
    for_each_gap(
        [&](int row, const TermView& view) {
          add_row(G, row, view.places(), view.value_tangent());
        },
        s, chart);
    return;
  }
  load(s);
  for (int i = 0; i < contacts(); ++i) {
    const CloseBall& c = search_.list()[static_cast<std::size_t>(i)];
    const Touch here = touch(c);
    add_row(G, first_gap_ + i, places(c), row(c, here, here.normal));
  }
}

void CollisionBatch::nonholonomic(const State& s, Level level, Vector& k) const {
  if (level == Level::kAcceleration) {
    for_each_slip([&](int row, const TermView& view) { k(row) += view.acceleration(); }, s);
    return;
  }
  load(s);
  int row = first_slip_;
  for (const CloseBall& c : search_.list()) {
    const Touch here = touch(c);
    const Vector3 slip = velocity(c, here, s);
    for (int which = 0; which < slips_each(); ++which)
      k(row++) += here.tangent(c, which).dot(slip);
  }
}

void CollisionBatch::nonholonomic_jacobian(const State& s, const Chart&, SparseMatrix& k_v) const {
  load(s);
  int number = first_slip_;
  for (const CloseBall& c : search_.list()) {
    const Touch here = touch(c);
    for (int which = 0; which < slips_each(); ++which)
      add_row(k_v, number++, places(c), row(c, here, here.tangent(c, which)));
  }
}

// Contacts without a reaction leave no trace, so that what is open does not couple bodies.
void CollisionBatch::force(const State& s, Vector& F) const {
  load(s);
  int number = first_slip_;
  for (int i = 0; i < contacts(); ++i) {
    const CloseBall& c = search_.list()[static_cast<std::size_t>(i)];
    const double normal = s.multiplier(first_gap_ + i);
    const auto tangential = s.nonholonomic_multiplier.segment(number, slips_each());
    number += slips_each();
    if (normal == 0.0 && tangential.isZero(0.0)) continue;
    const Touch here = touch(c);
    Vector3 reaction = normal * here.normal;
    for (int which = 0; which < slips_each(); ++which)
      reaction += tangential(which) * here.tangent(c, which);
    add_to(F, places(c), row(c, here, reaction));
  }
}

void CollisionBatch::momentum_tangent(const State& s, const Chart& chart, Forces, SparseMatrix& K,
                                      SparseMatrix&) const {
  PairView pair(bodies_, s, chart);
  const auto add = [&](const Term& term, double reaction) {
    if (reaction == 0.0) return;
    pair.look_at(term);
    const TermView view(pair, term);
    add_square(K, view.places(), -reaction, view.row_tangent());
  };
  for (int i = 0; i < contacts(); ++i) {
    const CloseBall& c = search_.list()[static_cast<std::size_t>(i)];
    if (const double normal = s.multiplier(first_gap_ + i); normal != 0.0) add(gap_term(c), normal);
    for (int k = 0; k < slips_each(); ++k) {
      const double reaction = s.nonholonomic_multiplier(first_slip_ + i * slips_each() + k);
      if (reaction != 0.0) add(slip_term(c, k), reaction);
    }
  }
}

void CollisionBatch::constraint_velocity_tangent(const State& s, const Chart& chart,
                                                 SparseMatrix& along_q) const {
  for_each_gap(
      [&](int row, const TermView& view) {
        add_row(along_q, row, view.places(), view.rate_tangent());
      },
      s, chart);
}

void CollisionBatch::constraint_acceleration_tangent(const State& s, const Chart& chart,
                                                     SparseMatrix& along_q,
                                                     SparseMatrix& along_v) const {
  for_each_gap(
      [&](int row, const TermView& view) {
        add_row(along_q, row, view.places(), view.acceleration_tangent());
        add_row(along_v, row, view.places(), view.acceleration_along_velocity());
      },
      s, chart);
}

void CollisionBatch::multiplier_tangent(const State& s, SparseMatrix& along_lambda,
                                        SparseMatrix& along_psi) const {
  for_each_gap(
      [&](int row, const TermView& view) {
        add_column(along_lambda, row, view.places(), view.row());
      },
      s);
  for_each_slip(
      [&](int row, const TermView& view) { add_column(along_psi, row, view.places(), view.row()); },
      s);
}

void CollisionBatch::nonholonomic_tangent(const State& s, const Chart& chart, Level level,
                                          SparseMatrix& along_q, SparseMatrix& along_v) const {
  for_each_slip(
      [&](int row, const TermView& view) {
        if (level == Level::kVelocity) {
          add_row(along_q, row, view.places(), view.rate_tangent());
          add_row(along_v, row, view.places(), view.row());
        } else {
          add_row(along_q, row, view.places(), view.acceleration_tangent());
          add_row(along_v, row, view.places(), view.acceleration_along_velocity());
        }
      },
      s, chart);
}

}  // namespace picus
