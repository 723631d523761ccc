// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/collision_batch.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "picus/mechanism/passage.h"

namespace picus {

bool CollisionBatch::find(const State& s, double duration) {
  const int before = of_balls();
  const bool balls = search_.find(s, duration), lines = lines_.find(s, duration);
  if (!balls && !lines) return false;
  came_from_.clear();
  for (int i = 0; i < of_balls(); ++i)
    came_from_.push_back(balls ? search_.came_from()[static_cast<std::size_t>(i)] : i);
  for (std::size_t i = 0; i < lines_.list().size(); ++i) {
    const int from = lines ? lines_.came_from()[i] : static_cast<int>(i);
    came_from_.push_back(from < 0 ? -1 : before + from);
  }
  return true;
}

std::pair<std::string, std::string> CollisionBatch::names_of(int contact) const {
  const auto name = [this](const CollisionBall& ball) {
    return ball.line < 0 ? bodies_[ball.body].name
                         : group().lines[static_cast<std::size_t>(ball.line)].name;
  };
  const auto line = [this](int number) {
    return group().lines[static_cast<std::size_t>(number)].name;
  };
  if (contact < of_balls()) {
    const CloseBall& c = pair(contact);
    return {name(search_.ball(c.ball)), bodies_[body_j(c)].name};
  }
  const CloseLine& c = line_pair(contact);
  if (c.plane >= 0) return {line(c.line_i), bodies_[plane_of(c).body].name};
  return {c.ball >= 0 ? name(search_.ball(c.ball)) : line(c.line_i), line(c.line)};
}

std::string CollisionBatch::name_of_contact(int contact) const {
  const auto [i, j] = names_of(contact);
  return fmt::format("between {} and {}", i, j);
}

const ContactLaw& CollisionBatch::law_of(int contact) const {
  if (contact >= of_balls()) {
    const CloseLine& c = line_pair(contact);
    return c.plane >= 0 ? plane_of(c).law : group().law;
  }
  return search_.is_plane(pair(contact)) ? search_.plane(pair(contact)).law : group().law;
}

double CollisionBatch::friction_of(int contact) const {
  return law_of(contact).friction;
}

double CollisionBatch::radius_of(int contact) const {
  if (contact < of_balls()) return search_.ball(pair(contact).ball).radius;
  const CloseLine& c = line_pair(contact);
  return c.ball >= 0 ? search_.ball(c.ball).radius
                     : group().lines[static_cast<std::size_t>(c.line_i)].radius;
}

std::uint64_t CollisionBatch::partners_of(int contact) const {
  constexpr int kPartner = 28;  // bits
  const auto number = [](int i, int j) {
    return (static_cast<std::uint64_t>(i) << kPartner) ^ static_cast<std::uint64_t>(j);
  };
  if (contact < of_balls()) return number(pair(contact).ball, pair(contact).other);
  // lines are numbered after balls and planes
  const auto first = static_cast<int>(group().balls.size() + group().planes.size());
  const CloseLine& c = line_pair(contact);
  if (c.plane >= 0)
    return number(first + c.line_i, static_cast<int>(group().balls.size()) + c.plane);
  return number(c.ball >= 0 ? c.ball : first + c.line_i, first + c.line);
}

void CollisionBatch::contact_laws(int joints, std::vector<ContactLaw>& laws) const {
  for (int i = 0; i < contacts(); ++i) {
    ContactLaw law = law_of(i);
    law.slips = slips_each();
    law.first_slip = slip_of(i);
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
  poses_ = &poses_at(bodies_, s.position);
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
  if (contact >= of_balls()) {
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
  const CloseBall& c = pair(contact);
  load(s);
  const Touch here = touch(c);
  return {pose(body_i(c)).r + here.arm_i, here.normal, {here.tangent(c, 0), here.tangent(c, 1)}};
}

Vector3 CollisionBatch::Touch::tangent(const CloseBall& c, int which) const {
  return rows::tangent(normal, c.axis, which);
}

Vector3 CollisionBatch::velocity(const CloseBall& c, const Touch& touch, const State& s) const {
  const int i = body_i(c), j = body_j(c);
  const Vector6 twist_i = bodies_.twist(i, s.position, s.velocity),
                twist_j = bodies_.twist(j, s.position, s.velocity);
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

template <class Visit>
void CollisionBatch::view_gap(PairView& pair, int contact, Visit&& visit) const {
  const Term term = gap_term(this->pair(contact));
  view_term(pair, term, [&](const auto& view) { visit(first_gap_ + contact, view); });
}

template <class Visit>
void CollisionBatch::view_slips(PairView& pair, int contact, Visit&& visit) const {
  for (int k = 0; k < slips_each(); ++k) {
    const Term term = slip_term(this->pair(contact), k);
    view_term(pair, term, [&](const auto& view) { visit(slip_of(contact) + k, view); });
  }
}

template <class Visit, class... Where>
void CollisionBatch::for_each_gap(Visit&& visit, const Where&... where) const {
  PairView pair(bodies_, where...);
  for (int i = 0; i < of_balls(); ++i)
    view_gap(pair, i, visit);
  for_each_line_gap(visit, where...);
}

template <class Visit, class... Where>
void CollisionBatch::for_each_slip(Visit&& visit, const Where&... where) const {
  PairView pair(bodies_, where...);
  for (int i = 0; i < of_balls(); ++i)
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
  for (int i = of_balls(); i < contacts(); ++i) {
    const PlacedLineContact placed = lines_.settle(line_pair(i), s);
    view_line(bodies_, placed, LineView::kGap, s, chart_in(where...),
              [&](const auto& view) { visit(first_gap_ + i, view); });
  }
}

template <class Visit, class... Where>
void CollisionBatch::for_each_line_slip(Visit&& visit, const State& s,
                                        const Where&... where) const {
  for (int i = of_balls(); i < contacts(); ++i) {
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
  for (int i = of_balls(); i < contacts(); ++i) {
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
  for (int i = 0; i < of_balls(); ++i) {
    const CloseBall& c = pair(i);
    const Touch here = touch(c);
    g(first_gap_ + i) +=
        level == Level::kPosition ? here.gap : here.normal.dot(velocity(c, here, s));
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
  for (int i = 0; i < of_balls(); ++i) {
    const CloseBall& c = pair(i);
    if (is_carried(c)) {
      view_gap(carried, i,
               [&](int row, const auto& view) { add_row(G, row, view.places(), view.row()); });
      continue;
    }
    const Touch here = touch(c);
    add_row(G, first_gap_ + i, places(c), row(c, here, here.normal));
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
  for (int i = 0; i < of_balls(); ++i) {
    const CloseBall& c = pair(i);
    const Touch here = touch(c);
    const Vector3 slip = velocity(c, here, s);
    for (int which = 0; which < slips_each(); ++which)
      k(slip_of(i) + which) += here.tangent(c, which).dot(slip);
  }
  for_each_line_slip([&](int number, const auto& view) { k(number) += view.rate(); }, s);
}

void CollisionBatch::nonholonomic_jacobian(const State& s, const Chart&, SparseMatrix& k_v) const {
  load(s);
  PairView carried(bodies_, s);
  for (int i = 0; i < of_balls(); ++i) {
    const CloseBall& c = pair(i);
    if (is_carried(c)) {
      view_slips(carried, i,
                 [&](int row, const auto& view) { add_row(k_v, row, view.places(), view.row()); });
      continue;
    }
    const Touch here = touch(c);
    for (int which = 0; which < slips_each(); ++which)
      add_row(k_v, slip_of(i) + which, places(c), row(c, here, here.tangent(c, which)));
  }
  for_each_line_slip(
      [&](int row, const auto& view) { add_row(k_v, row, view.places(), view.row()); }, s);
}

// Contacts without a reaction leave no trace, so that what is open does not couple bodies.
void CollisionBatch::force(const State& s, Vector& F) const {
  load(s);
  PairView carried(bodies_, s);
  for (int i = 0; i < of_balls(); ++i) {
    const CloseBall& c = pair(i);
    const double normal = s.multiplier(first_gap_ + i);
    const auto tangential = s.nonholonomic_multiplier.segment(slip_of(i), slips_each());
    if (normal == 0.0 && tangential.isZero(0.0)) continue;
    if (is_carried(c)) {
      view_gap(carried, i, [&](int row, const auto& view) {
        add_to(F, view.places(), s.multiplier(row) * view.row());
      });
      view_slips(carried, i, [&](int row, const auto& view) {
        add_to(F, view.places(), s.nonholonomic_multiplier(row) * view.row());
      });
      continue;
    }
    const Touch here = touch(c);
    Vector3 reaction = normal * here.normal;
    for (int which = 0; which < slips_each(); ++which)
      reaction += tangential(which) * here.tangent(c, which);
    add_to(F, places(c), row(c, here, reaction));
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
  for (int i = 0; i < of_balls(); ++i) {
    const CloseBall& c = this->pair(i);
    if (const double normal = s.multiplier(first_gap_ + i); normal != 0.0) add(gap_term(c), normal);
    for (int k = 0; k < slips_each(); ++k) {
      const double reaction = s.nonholonomic_multiplier(slip_of(i) + k);
      if (reaction != 0.0) add(slip_term(c, k), reaction);
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
