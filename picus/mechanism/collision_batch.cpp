// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/collision_batch.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "picus/dynamics/equation_system.h"
#include "picus/mechanism/passage.h"

namespace picus {

const CollisionBatch& CollisionBatch::of(const System& system, std::size_t number) {
  return static_cast<const CollisionBatch&>(
      *static_cast<const EquationSystem&>(system).found_contacts()[number]);
}

bool CollisionBatch::find(const State& s, double duration) {
  const int first_of_shapes = of_balls(), first_of_lines = of_pairs();
  const bool balls = search_.find(s, duration), shapes = shapes_.find(s, duration),
             lines = lines_.find(s, duration);
  if (!balls && !shapes && !lines) return false;
  came_from_.clear();
  const auto follow = [this](bool is_new, const auto& search, int first) {
    for (std::size_t i = 0; i < search.list().size(); ++i) {
      const int from = is_new ? search.came_from()[i] : static_cast<int>(i);
      came_from_.push_back(from < 0 ? -1 : first + from);
    }
  };
  follow(balls, search_, 0);
  follow(shapes, shapes_, first_of_shapes);
  follow(lines, lines_, first_of_lines);
  return true;
}

// --- numbers of a time step ----------------------------------------------------------------

void CollisionBatch::load(const State& s) const {
  poses_ = &poses_at(bodies_, s.position);
}

CollisionBatch::Touch CollisionBatch::touch(int contact) const {
  if (!is_of_shapes(contact)) return touch_of_balls(contact);
  const CloseFeatures& c = features(contact);
  const Pose<double>&i = pose(body_i(contact)), &j = pose(body_j(contact));
  const FeatureTouch<double> here = c.contact.pair.touch(i, j);
  return {here.gap, here.normal, here.point_a - i.r, here.point_b - j.r, c.axis};
}

CollisionBatch::Touch CollisionBatch::touch_of_balls(int contact) const {
  const CloseBall& c = pair(contact);
  const CollisionBall& ball = search_.ball(c.ball);
  const Pose<double>&i = pose(body_i(contact)), &j = pose(body_j(contact));
  const Vector3 centre = i.point(ball.centre);
  Touch touch;
  touch.axis = c.axis;
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

double CollisionBatch::passing_time(const State& s, double part) const {
  double shortest = std::numeric_limits<double>::infinity();
  for (const CloseBall& c : search_.list()) {
    if (search_.is_plane(c)) continue;
    const CollisionBall &i = search_.ball(c.ball), &j = search_.ball(c.other);
    const MovingPoint p = moving_point(bodies_, i.body, i.centre, s),
                      r = moving_point(bodies_, j.body, j.centre, s);
    shortest = std::min(shortest, picus::passing_time(p.point - r.point, p.velocity - r.velocity,
                                                      i.radius, j.radius, gravity_, part));
  }
  for (const CloseLine& c : lines_.list()) {
    if (c.plane >= 0) continue;
    const LineSearch::Passing p = lines_.passing(c, s);
    shortest = std::min(
        shortest, picus::passing_time(p.apart, p.velocity, p.radius_i, p.radius_j, gravity_, part));
  }
  return shortest;
}

CollisionBatch::ContactFrame CollisionBatch::frame_of(const State& s, int contact) const {
  if (contact >= of_pairs()) {
    const PlacedLineContact placed = lines_.settle(line_pair(contact), s);
    LineFrames<double> frames;
    for (std::size_t f = 0; f < frames.size(); ++f)
      frames[f] = bodies_.pose(placed.frames[f], s.position);
    const auto here = placed.contact.touch(frames);
    const auto tangent = [&](int which) {
      return rows::tangent(here.normal, placed.contact.axis, which);
    };
    return {
        here.x_i - placed.contact.radius_i * here.normal, here.normal, {tangent(0), tangent(1)}};
  }
  load(s);
  const Touch here = touch(contact);
  return {pose(body_i(contact)).r + here.arm_i, here.normal, {here.tangent(0), here.tangent(1)}};
}

Vector3 CollisionBatch::velocity(int contact, const Touch& touch, const State& s) const {
  const int i = body_i(contact), j = body_j(contact);
  const Vector6 twist_i = bodies_.twist(i, s.position, s.velocity),
                twist_j = bodies_.twist(j, s.position, s.velocity);
  const Vector3 turn_i = pose(i).A * twist_i.tail<3>(), turn_j = pose(j).A * twist_j.tail<3>();
  return twist_i.head<3>() + cross(turn_i, touch.arm_i) - twist_j.head<3>() -
         cross(turn_j, touch.arm_j);
}

Row<double> CollisionBatch::row(int contact, const Touch& touch, const Vector3& along) const {
  Row<double> row;
  row << along, pose(body_i(contact)).A.transpose() * cross(touch.arm_i, along), -along,
      pose(body_j(contact)).A.transpose() * cross(along, touch.arm_j);
  return row;
}

// --- their further derivatives ---------------------------------------------------------------

Term CollisionBatch::gap_term(int contact) const {
  Term term{.body_i = body_i(contact), .body_j = body_j(contact)};
  if (is_of_shapes(contact)) {
    term.direction = FeatureGap{&features(contact).contact.pair};
    return term;
  }
  const CloseBall& c = pair(contact);
  const CollisionBall& ball = search_.ball(c.ball);
  if (search_.is_plane(c)) {
    const CollisionPlane& plane = search_.plane(c);
    term.direction = Offset{ball.centre, plane.point, plane.normal};
  } else {
    term.direction = Distance{ball.centre, search_.ball(c.other).centre};
  }
  return term;
}

Term CollisionBatch::slip_term(int contact, int which) const {
  Term term{.body_i = body_i(contact), .body_j = body_j(contact)};
  if (is_of_shapes(contact)) {
    const CloseFeatures& c = features(contact);
    term.direction = FeatureSlip{&c.contact.pair, c.axis, which};
    return term;
  }
  const CloseBall& c = pair(contact);
  const CollisionBall& ball = search_.ball(c.ball);
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

template <class Visit>
void CollisionBatch::view_gap(PairView& pair, int contact, Visit&& visit) const {
  const Term term = gap_term(contact);
  view_term(pair, term, [&](const auto& view) { visit(first_gap_ + contact, view); });
}

template <class Visit>
void CollisionBatch::view_slips(PairView& pair, int contact, Visit&& visit) const {
  for (int k = 0; k < slips_each(); ++k) {
    const Term term = slip_term(contact, k);
    view_term(pair, term, [&](const auto& view) { visit(slip_of(contact) + k, view); });
  }
}

template <class Visit, class... Where>
void CollisionBatch::for_each_gap(Visit&& visit, const Where&... where) const {
  PairView pair(bodies_, where...);
  for (int i = 0; i < of_pairs(); ++i)
    view_gap(pair, i, visit);
  for_each_line_gap(visit, where...);
}

template <class Visit, class... Where>
void CollisionBatch::for_each_slip(Visit&& visit, const Where&... where) const {
  PairView pair(bodies_, where...);
  for (int i = 0; i < of_pairs(); ++i)
    view_slips(pair, i, visit);
  for_each_line_slip(visit, where...);
}

namespace {

const Chart* chart_in() {
  return nullptr;
}
const Chart* chart_in(const Chart& chart) {
  return &chart;
}

}  // namespace

template <class Visit, class... Where>
void CollisionBatch::for_each_line_gap(Visit&& visit, const State& s, const Where&... where) const {
  for (int i = of_pairs(); i < contacts(); ++i) {
    const PlacedLineContact placed = lines_.settle(line_pair(i), s);
    view_line(bodies_, placed, LineView::kGap, s, chart_in(where...),
              [&](const auto& view) { visit(first_gap_ + i, view); });
  }
}

template <class Visit, class... Where>
void CollisionBatch::for_each_line_slip(Visit&& visit, const State& s,
                                        const Where&... where) const {
  for (int i = of_pairs(); i < contacts(); ++i) {
    const PlacedLineContact placed = lines_.settle(line_pair(i), s);
    for (int k = 0; k < slips_each(); ++k)
      view_line(bodies_, placed, k, s, chart_in(where...),
                [&](const auto& view) { visit(slip_of(i) + k, view); });
  }
}

// Gaps and slips of lines whose multipliers are not zero.
template <class Visit, class... Where>
void CollisionBatch::for_each_line_reaction(Visit&& visit, const State& s,
                                            const Where&... where) const {
  for (int i = of_pairs(); i < contacts(); ++i) {
    const double normal = s.multiplier(first_gap_ + i);
    const auto tangential = s.nonholonomic_multiplier.segment(slip_of(i), slips_each());
    if (normal == 0.0 && tangential.isZero(0.0)) continue;
    const PlacedLineContact placed = lines_.settle(line_pair(i), s);
    const auto look = [&](int which, double reaction) {
      if (reaction != 0.0)
        view_line(bodies_, placed, which, s, chart_in(where...),
                  [&](const auto& view) { visit(reaction, view); });
    };
    look(LineView::kGap, normal);
    for (int k = 0; k < slips_each(); ++k)
      look(k, tangential(k));
  }
}

// --- the batch -------------------------------------------------------------------------------

void CollisionBatch::constraint(const State& s, Level level, Vector& g) const {
  if (level == Level::kAcceleration) {
    for_each_gap([&](int row, const auto& view) { g(row) += view.acceleration(); }, s);
    return;
  }
  load(s);
  for (int i = 0; i < of_pairs(); ++i) {
    const Touch here = touch(i);
    g(first_gap_ + i) +=
        level == Level::kPosition ? here.gap : here.normal.dot(velocity(i, here, s));
  }
  for_each_line_gap(
      [&](int row, const auto& view) {
        g(row) += level == Level::kPosition ? view.value() : view.rate();
      },
      s);
}

void CollisionBatch::constraint_tangent(const State& s, const Chart& chart, SparseMatrix& G) const {
  if (!chart.increment.isZero(0.0)) {
    for_each_gap(
        [&](int row, const auto& view) { add_row(G, row, view.places(), view.value_tangent()); }, s,
        chart);
    return;
  }
  load(s);
  PairView carried(bodies_, s);
  for (int i = 0; i < of_pairs(); ++i) {
    if (is_carried(i)) {
      view_gap(carried, i,
               [&](int row, const auto& view) { add_row(G, row, view.places(), view.row()); });
      continue;
    }
    const Touch here = touch(i);
    add_row(G, first_gap_ + i, places(i), row(i, here, here.normal));
  }
  for_each_line_gap([&](int row, const auto& view) { add_row(G, row, view.places(), view.row()); },
                    s);
}

void CollisionBatch::nonholonomic(const State& s, Level level, Vector& k) const {
  if (level == Level::kAcceleration) {
    for_each_slip([&](int row, const auto& view) { k(row) += view.acceleration(); }, s);
    return;
  }
  load(s);
  for (int i = 0; i < of_pairs(); ++i) {
    const Touch here = touch(i);
    const Vector3 slip = velocity(i, here, s);
    for (int which = 0; which < slips_each(); ++which)
      k(slip_of(i) + which) += here.tangent(which).dot(slip);
  }
  for_each_line_slip([&](int number, const auto& view) { k(number) += view.rate(); }, s);
}

void CollisionBatch::nonholonomic_jacobian(const State& s, const Chart&, SparseMatrix& k_v) const {
  load(s);
  PairView carried(bodies_, s);
  for (int i = 0; i < of_pairs(); ++i) {
    if (is_carried(i)) {
      view_slips(carried, i,
                 [&](int row, const auto& view) { add_row(k_v, row, view.places(), view.row()); });
      continue;
    }
    const Touch here = touch(i);
    for (int which = 0; which < slips_each(); ++which)
      add_row(k_v, slip_of(i) + which, places(i), row(i, here, here.tangent(which)));
  }
  for_each_line_slip(
      [&](int row, const auto& view) { add_row(k_v, row, view.places(), view.row()); }, s);
}

// Contacts without a reaction leave no trace, so that what is open does not couple bodies.
void CollisionBatch::force(const State& s, Vector& F) const {
  load(s);
  PairView carried(bodies_, s);
  for (int i = 0; i < of_pairs(); ++i) {
    const double normal = s.multiplier(first_gap_ + i);
    const auto tangential = s.nonholonomic_multiplier.segment(slip_of(i), slips_each());
    if (normal == 0.0 && tangential.isZero(0.0)) continue;
    if (is_carried(i)) {
      view_gap(carried, i, [&](int row, const auto& view) {
        add_to(F, view.places(), s.multiplier(row) * view.row());
      });
      view_slips(carried, i, [&](int row, const auto& view) {
        add_to(F, view.places(), s.nonholonomic_multiplier(row) * view.row());
      });
      continue;
    }
    const Touch here = touch(i);
    Vector3 reaction = normal * here.normal;
    for (int which = 0; which < slips_each(); ++which)
      reaction += tangential(which) * here.tangent(which);
    add_to(F, places(i), row(i, here, reaction));
  }
  for_each_line_reaction(
      [&](double reaction, const auto& view) { add_to(F, view.places(), reaction * view.row()); },
      s);
}

void CollisionBatch::momentum_tangent(const State& s, const Chart& chart, Forces, SparseMatrix& K,
                                      SparseMatrix&) const {
  PairView pair = PairView::of_batch(bodies_, s, &chart);
  const auto add = [&](const Term& term, double reaction) {
    if (reaction == 0.0) return;
    view_term(pair, term, [&](const auto& view) {
      add_square(K, view.places(), -reaction, view.row_tangent());
    });
  };
  for (int i = 0; i < of_pairs(); ++i) {
    if (const double normal = s.multiplier(first_gap_ + i); normal != 0.0) add(gap_term(i), normal);
    for (int k = 0; k < slips_each(); ++k) {
      const double reaction = s.nonholonomic_multiplier(slip_of(i) + k);
      if (reaction != 0.0) add(slip_term(i, k), reaction);
    }
  }
  for_each_line_reaction(
      [&](double reaction, const auto& view) {
        add_square(K, view.places(), -reaction, view.row_tangent());
      },
      s, chart);
}

void CollisionBatch::constraint_velocity_tangent(const State& s, const Chart& chart,
                                                 SparseMatrix& along_q) const {
  for_each_gap(
      [&](int row, const auto& view) { add_row(along_q, row, view.places(), view.rate_tangent()); },
      s, chart);
}

void CollisionBatch::constraint_acceleration_tangent(const State& s, const Chart& chart,
                                                     SparseMatrix& along_q,
                                                     SparseMatrix& along_v) const {
  for_each_gap(
      [&](int row, const auto& view) {
        add_row(along_q, row, view.places(), view.acceleration_tangent());
        add_row(along_v, row, view.places(), view.acceleration_along_velocity());
      },
      s, chart);
}

void CollisionBatch::multiplier_tangent(const State& s, SparseMatrix& along_lambda,
                                        SparseMatrix& along_psi) const {
  for_each_gap(
      [&](int row, const auto& view) { add_column(along_lambda, row, view.places(), view.row()); },
      s);
  for_each_slip(
      [&](int row, const auto& view) { add_column(along_psi, row, view.places(), view.row()); }, s);
}

void CollisionBatch::nonholonomic_tangent(const State& s, const Chart& chart, Level level,
                                          SparseMatrix& along_q, SparseMatrix& along_v) const {
  for_each_slip(
      [&](int row, const auto& view) {
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
