// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/line_search.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {
namespace {

// As in collision_search.cpp: durations that a list allows for, and tangents that are chosen again.
constexpr double kLineDurations = 3.0, kLineSteep = 0.3;
// Listed contacts are kept until their gap is this many margins.
constexpr double kKept = 2.0;
// Lines cross when the sine of their angle is above this; they do until it is below half of it.
constexpr double kCrossing = 0.1;
constexpr int kMostNewtonSteps = 60;
// Of a piece: what Newton's method ends at, and crossings that are one.
constexpr double kConverged = 1e-14, kSameCrossing = 1e-3;
// A piece is away from its chord by at most this part of how far its end tangents are.
constexpr double kBulge = 4.0 / 27.0;
// A piece meets a plane between its nodes where it is lower there by this part of its radius, and
// not as near as this to a node [part of its length], which meets the plane itself.
constexpr double kDip = 1e-9, kNearNode = 0.01;

// Where the height of a piece above a plane is smallest between its nodes; NaN if that is at a
// node. Its slope is the quadratic a + 2 b s + 3 c s².
double lowest_between(const Pose<double>& a, const Pose<double>& b, double length,
                      const Vector3& normal) {
  const double chord = normal.dot(b.r - a.r), start = length * normal.dot(a.A.col(0)),
               end = length * normal.dot(b.A.col(0));
  const double square = 3.0 * chord - 2.0 * start - end, cube = start + end - 2.0 * chord;
  const double discriminant = square * square - 3.0 * cube * start;
  if (!(discriminant > 0.0)) return NAN;
  // the root at which the slope grows
  const double root = std::sqrt(discriminant);
  const double s = square >= 0.0 ? -start / (square + root) : (root - square) / (3.0 * cube);
  return s > 0.0 && s < 1.0 ? s : NAN;
}

}  // namespace

LineSearch::LineSearch(const Bodies& bodies, const CollisionGroup& group)
    : bodies_(bodies), group_(group) {
  for (std::size_t k = 0; k < group.lines.size(); ++k) {
    const CollisionLine& line = group.lines[k];
    if (!(line.radius > 0.0))
      throw InputError(
          fmt::format("collisions: the line of '{}' has radius {:g} m, expected a "
                      "positive number",
                      line.name, line.radius));
    first_.push_back(group.balls.size() + line_of_.size());
    for (std::size_t e = 0; e < line.lengths.size(); ++e) {
      line_of_.push_back(static_cast<int>(k));
      piece_of_.push_back(static_cast<int>(e));
    }
    is_planar_ = is_planar_ && bodies.is_planar(line.nodes.front());
  }
  for (const CollisionBall& ball : group.balls)
    is_planar_ = is_planar_ && bodies.is_planar(ball.body);
  const std::size_t spheres = group.balls.size() + line_of_.size();
  for (auto* numbers : {&travels_, &margins_, &reaches_})
    numbers->resize(spheres);
  centres_.resize(spheres);
}

// --- nearest points --------------------------------------------------------------------------

LineSearch::Station LineSearch::station(const CollisionLine& line, double at) {
  const std::size_t piece =
      std::min(static_cast<std::size_t>(std::max(at, 0.0)), line.lengths.size() - 1);
  return {piece, at - static_cast<double>(piece), false};
}

LinePoint<double> LineSearch::point(const CollisionLine& line, const Station& at,
                                    const State& s) const {
  return {node(line, at.piece, s), node(line, at.piece + 1, s), line.lengths[at.piece], at.s};
}

// Of half the squared distance from a centre, along the line; the same from both pieces of a node.
double LineSearch::slope_at_node(const CollisionLine& line, std::size_t number,
                                 const Vector3& centre, const State& s) const {
  const Pose<double> pose = node(line, number, s);
  return (pose.r - centre).dot(pose.A.col(0));
}

// The minimum between two places of a piece: the slope is negative at the lower, positive at the
// higher.
LineSearch::Station LineSearch::within(const CollisionLine& line, std::size_t piece, double low,
                                       double high, const Vector3& centre, const State& s) const {
  const Pose<double> a = node(line, piece, s), b = node(line, piece + 1, s);
  double at = 0.5 * (low + high);
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    const LinePoint<double> here(a, b, line.lengths[piece], at);
    const Vector3 apart = here.x - centre;
    const double slope = apart.dot(here.slope);
    (slope < 0.0 ? low : high) = at;
    const double curvature = here.slope.squaredNorm() + apart.dot(here.bend);
    double next = at - slope / curvature;
    if (!(curvature > 0.0) || !(next >= low && next <= high)) next = 0.5 * (low + high);
    const bool is_there = std::abs(next - at) <= kConverged;
    at = next;
    if (is_there) break;
  }
  return {piece, at, false};
}

// Downhill from a place on the line.
LineSearch::Station LineSearch::nearest(const CollisionLine& line, double from,
                                        const Vector3& centre, const State& s) const {
  const std::size_t pieces = line.lengths.size();
  auto [piece, at, is_end] = station(line, from);
  const LinePoint<double> here = point(line, {piece, at, is_end}, s);
  if ((here.x - centre).dot(here.slope) < 0.0) {
    for (;; ++piece, at = 0.0) {
      if (slope_at_node(line, piece + 1, centre, s) > 0.0)
        return within(line, piece, at, 1.0, centre, s);
      if (piece + 1 == pieces) return {piece, 1.0, true};
    }
  }
  for (;; --piece, at = 1.0) {
    if (slope_at_node(line, piece, centre, s) <= 0.0)
      return within(line, piece, 0.0, at, centre, s);
    if (piece == 0) return {0, 0.0, true};
  }
}

// Newton's method for the nearest points of two lines; false where there are none between their
// ends.
bool LineSearch::cross(const CollisionLine& i, const CollisionLine& j, double& at_i, double& at_j,
                       const State& s) const {
  constexpr double kLongest = 0.5;  // step, in pieces
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    const LinePoint<double> a = point(i, station(i, at_i), s), b = point(j, station(j, at_j), s);
    const Vector3 apart = a.x - b.x;
    const double aa = a.slope.squaredNorm(), bb = b.slope.squaredNorm(), ab = a.slope.dot(b.slope);
    double ii = aa + apart.dot(a.bend), jj = bb - apart.dot(b.bend);
    if (!(ii > 0.0 && ii * jj > ab * ab)) {  // no minimum near here: as straight lines
      ii = aa;
      jj = bb;
    }
    const double determinant = ii * jj - ab * ab;
    if (!(determinant > 0.0)) return false;
    const double f_i = apart.dot(a.slope), f_j = -apart.dot(b.slope);
    double d_i = -(jj * f_i + ab * f_j) / determinant, d_j = -(ii * f_j + ab * f_i) / determinant;
    const double longest = std::max(std::abs(d_i), std::abs(d_j));
    if (longest > kLongest) {
      d_i *= kLongest / longest;
      d_j *= kLongest / longest;
    }
    const double from_i = at_i, from_j = at_j;
    at_i = std::clamp(at_i + d_i, 0.0, static_cast<double>(i.lengths.size()));
    at_j = std::clamp(at_j + d_j, 0.0, static_cast<double>(j.lengths.size()));
    const bool is_inside = at_i == from_i + d_i && at_j == from_j + d_j;
    const double moved = std::max(std::abs(at_i - from_i), std::abs(at_j - from_j));
    if (moved <= kConverged * static_cast<double>(i.lengths.size() + j.lengths.size()))
      return is_inside;
  }
  return true;  // within rounding, or to and fro over a node
}

// At a node for the rest of the step where the minimum has left the piece.
PlacedLineContact LineSearch::settle_on_plane(const CloseLine& close, const State& s) const {
  const CollisionLine& i = line(close.line_i);
  const CollisionPlane& plane = group_.planes[static_cast<std::size_t>(close.plane)];
  const auto piece = static_cast<std::size_t>(close.at_i);
  PlacedLineContact placed;
  placed.frames = {i.nodes[piece], i.nodes[piece + 1], plane.body, Bodies::kGround};
  LineContact& contact = placed.contact;
  contact.is_ball = contact.is_free_j = false;
  contact.is_plane = true;
  contact.point = plane.point;
  contact.plane_normal = plane.normal;
  contact.axis = close.axis;
  contact.radius_i = i.radius;
  contact.length_i = i.lengths[piece];
  const Vector3 normal = bodies_.pose(plane.body, s.position).direction(plane.normal);
  const double at =
      lowest_between(node(i, piece, s), node(i, piece + 1, s), contact.length_i, normal);
  contact.is_free_i = std::isfinite(at);
  contact.s_i = contact.is_free_i ? at : std::round(close.at_i - static_cast<double>(piece));
  return placed;
}

PlacedLineContact LineSearch::settle(const CloseLine& close, const State& s) const {
  if (close.plane >= 0) return settle_on_plane(close, s);
  const CollisionLine& j = line(close.line);
  PlacedLineContact placed;
  LineContact& contact = placed.contact;
  contact.axis = close.axis;
  contact.radius_j = j.radius;
  const auto put = [&placed](const CollisionLine& on, double at, bool is_end, std::size_t first,
                             double& length, double& where, bool& is_free) {
    const Station here = station(on, at);
    length = on.lengths[here.piece];
    where = here.s;
    is_free = !is_end;
    placed.frames[first] = on.nodes[here.piece];
    placed.frames[first + 1] = on.nodes[here.piece + 1];
  };
  if (close.ball >= 0) {
    const CollisionBall& i = ball(close.ball);
    contact.centre = i.centre;
    contact.radius_i = i.radius;
    placed.frames[0] = i.body;
    const Vector3 centre = bodies_.pose(i.body, s.position).point(i.centre);
    const Station at = nearest(j, close.at, centre, s);
    put(j, static_cast<double>(at.piece) + at.s, at.is_end, 2, contact.length_j, contact.s_j,
        contact.is_free_j);
    return placed;
  }
  const CollisionLine& i = line(close.line_i);
  contact.is_ball = false;
  contact.radius_i = i.radius;
  double at_i = close.at_i, at = close.at;
  if (!cross(i, j, at_i, at, s)) {  // past an end, for the rest of the step
    at_i = std::clamp(at_i, 0.0, static_cast<double>(i.lengths.size()));
    at = std::clamp(at, 0.0, static_cast<double>(j.lengths.size()));
    put(i, at_i, true, 0, contact.length_i, contact.s_i, contact.is_free_i);
    put(j, at, true, 2, contact.length_j, contact.s_j, contact.is_free_j);
    return placed;
  }
  put(i, at_i, false, 0, contact.length_i, contact.s_i, contact.is_free_i);
  put(j, at, false, 2, contact.length_j, contact.s_j, contact.is_free_j);
  return placed;
}

LineSearch::Passing LineSearch::passing(const CloseLine& close, const State& s) const {
  using Along = Dual<1>;
  const PlacedLineContact placed = settle(close, s);
  const LineContact& contact = placed.contact;
  LineFrames<double> still;
  LineFrames<Along> frames;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    still[f] = bodies_.pose(placed.frames[f], s.position);
    frames[f] = moving(still[f], bodies_.twist(placed.frames[f], s.position, s.velocity));
  }
  const auto here = contact.touch(still);
  const LinePoint<Along> j(frames[2], frames[3], contact.length_j, Along(here.s_j));
  Passing passing{here.x_i - here.x_j, {}, contact.radius_i, contact.radius_j};
  const auto rest_along = [&passing](const LinePoint<Along>& line) {
    Vector3 tangent;
    for (int k = 0; k < 3; ++k)
      tangent(k) = line.slope(k).value;
    tangent.normalize();
    passing.velocity -= tangent.dot(passing.velocity) * tangent;
  };
  if (contact.is_ball) {
    const Vec3<Along> ball = frames[0].point(contact.centre);
    for (int k = 0; k < 3; ++k)
      passing.velocity(k) = ball(k).d(0) - j.x(k).d(0);
    if (contact.is_free_j) rest_along(j);
    return passing;
  }
  const LinePoint<Along> i(frames[0], frames[1], contact.length_i, Along(here.s_i));
  for (int k = 0; k < 3; ++k)
    passing.velocity(k) = i.x(k).d(0) - j.x(k).d(0);
  if (contact.is_free_i && contact.is_free_j)  // along the normal of both
    passing.velocity = here.normal.dot(passing.velocity) * here.normal;
  return passing;
}

// --- the list --------------------------------------------------------------------------------

// Balls, then pieces of lines within spheres.
void LineSearch::place(const State& s, double duration) {
  const std::size_t balls = group_.balls.size();
  for (std::size_t i = 0; i < balls; ++i) {
    const CollisionBall& ball = group_.balls[i];
    const SmallVector<double, 6> twist = bodies_.twist(ball.body, s.position, s.velocity);
    centres_[i] = bodies_.pose(ball.body, s.position).point(ball.centre);
    travels_[i] = duration * (twist.head<3>().norm() + twist.tail<3>().norm() * ball.centre.norm());
    margins_[i] = group_.slack * ball.radius + kLineDurations * travels_[i];
    reaches_[i] = ball.radius + kKept * margins_[i];
  }
  for (std::size_t k = 0; k < line_of_.size(); ++k) {
    const CollisionLine& line = this->line(line_of_[k]);
    const auto piece = static_cast<std::size_t>(piece_of_[k]);
    const double length = line.lengths[piece];
    const Pose<double> a = node(line, piece, s), b = node(line, piece + 1, s);
    const Vector3 chord = b.r - a.r;
    const double bulge =
        kBulge * ((length * a.A.col(0) - chord).norm() + (length * b.A.col(0) - chord).norm());
    double speed = 0.0, turn = 0.0;
    for (const std::size_t end : {piece, piece + 1}) {
      const SmallVector<double, 6> twist = bodies_.twist(line.nodes[end], s.position, s.velocity);
      speed = std::max(speed, twist.head<3>().norm());
      turn += twist.tail<3>().norm();
    }
    const std::size_t at = balls + k;
    centres_[at] = 0.5 * (a.r + b.r);
    travels_[at] = duration * (speed + kBulge * length * turn);
    margins_[at] = group_.slack * line.radius + kLineDurations * travels_[at];
    reaches_[at] = 0.5 * chord.norm() + bulge + line.radius + kKept * margins_[at];
  }
}

void LineSearch::add(const CloseLine& close, const State& s, double need, double margin,
                     bool is_new) {
  const PlacedLineContact placed = settle(close, s);
  LineFrames<double> frames;
  for (std::size_t f = 0; f < frames.size(); ++f)
    frames[f] = bodies_.pose(placed.frames[f], s.position);
  const auto touch = placed.contact.touch(frames);
  const double gap = touch.distance - placed.contact.radius_i - placed.contact.radius_j;
  if (!(gap <= kKept * margin)) return;
  found_.push_back({close, gap, need, margin, -1, is_new && gap <= margin});
  normals_.push_back(touch.normal);
}

// A minimum of the distance belongs to the piece in which its slope changes sign, or to an end.
void LineSearch::find_nearest_to_ball(int number, int to, std::size_t piece, const State& s) {
  const CollisionBall& from = ball(number);
  const CollisionLine& line = this->line(to);
  if (from.line == to || (from.body >= line.nodes.front() && from.body <= line.nodes.back()))
    return;
  const Vector3& centre = centres_[static_cast<std::size_t>(number)];
  const double start = slope_at_node(line, piece, centre, s),
               end = slope_at_node(line, piece + 1, centre, s);
  const bool is_first = piece == 0 && start > 0.0,
             is_last = piece + 1 == line.lengths.size() && end <= 0.0;
  if (!is_first && !is_last && !(start <= 0.0 && end > 0.0)) return;
  // nodes of lines meet ends where both are ends, once
  if (from.line >= 0 && (is_first || is_last)) {
    const std::vector<int>& own = this->line(from.line).nodes;
    if (from.line > to || (from.body != own.front() && from.body != own.back())) return;
  }
  CloseLine close{.ball = number, .line = to};
  if (is_first)
    close.at = 0.0;
  else if (is_last)
    close.at = static_cast<double>(line.lengths.size());
  else
    close.at = static_cast<double>(piece) + within(line, piece, 0.0, 1.0, centre, s).s;
  const std::size_t i = static_cast<std::size_t>(number), j = sphere(to, piece);
  add(close, s, travels_[i] + travels_[j], margins_[i] + margins_[j], true);
}

void LineSearch::find_nearest_of_lines(int line_i, std::size_t piece_i, int line_j,
                                       std::size_t piece_j, const State& s) {
  if (line_i == line_j || is_planar_) return;
  const CollisionLine &i = line(line_i), &j = line(line_j);
  CloseLine close{.line_i = line_i,
                  .line = line_j,
                  .at_i = static_cast<double>(piece_i) + 0.5,
                  .at = static_cast<double>(piece_j) + 0.5};
  if (!cross(i, j, close.at_i, close.at, s)) return;
  for (const Found& other : found_)
    if (other.close.is_pair_of(close) && std::abs(other.close.at_i - close.at_i) < kSameCrossing &&
        std::abs(other.close.at - close.at) < kSameCrossing)
      return;
  const Vector3 a = point(i, station(i, close.at_i), s).slope.normalized(),
                b = point(j, station(j, close.at), s).slope.normalized();
  const double sine = picus::cross(a, b).norm();
  if (sine < 0.5 * kCrossing) return;
  const std::size_t at_i = sphere(line_i, piece_i), at_j = sphere(line_j, piece_j);
  add(close, s, travels_[at_i] + travels_[at_j], margins_[at_i] + margins_[at_j], sine > kCrossing);
}

void LineSearch::find_nearest_to_planes(int number, std::size_t piece, const State& s) {
  const CollisionLine& line = this->line(number);
  const Pose<double> a = node(line, piece, s), b = node(line, piece + 1, s);
  for (std::size_t k = 0; k < group_.planes.size(); ++k) {
    const CollisionPlane& plane = group_.planes[k];
    const Pose<double> pose = bodies_.pose(plane.body, s.position);
    const Vector3 normal = pose.direction(plane.normal);
    const double at = lowest_between(a, b, line.lengths[piece], normal);
    if (!std::isfinite(at)) continue;
    const double low = normal.dot(LinePoint<double>(a, b, line.lengths[piece], at).x),
                 dip = std::min(normal.dot(a.r), normal.dot(b.r)) - low;
    if (!(dip > 0.0)) continue;
    const bool is_new = dip > kDip * line.radius && at > kNearNode && at < 1.0 - kNearNode;
    const auto own = sphere(number, piece);
    const SmallVector<double, 6> twist = bodies_.twist(plane.body, s.position, s.velocity);
    const double travel =
        duration_ * (twist.head<3>().norm() +
                     twist.tail<3>().norm() *
                         (LinePoint<double>(a, b, line.lengths[piece], at).x - pose.r).norm());
    add({.line_i = number,
         .line = -1,
         .plane = static_cast<int>(k),
         .at_i = static_cast<double>(piece) + at},
        s, travels_[own] + travel, margins_[own] + kLineDurations * travel, is_new);
  }
}

// Each contact found takes the nearest of the same pair from the list.
void LineSearch::match() {
  taken_.assign(list_.size(), 0);
  for (Found& found : found_) {
    double least = 0.0;
    for (std::size_t k = 0; k < list_.size(); ++k) {
      if (taken_[k] != 0 || !list_[k].is_pair_of(found.close)) continue;
      const double away =
          std::abs(list_[k].at - found.close.at) + std::abs(list_[k].at_i - found.close.at_i);
      if (found.former >= 0 && away >= least) continue;
      found.former = static_cast<int>(k);
      least = away;
    }
    if (found.former < 0) continue;
    taken_[static_cast<std::size_t>(found.former)] = 1;
    found.close.axis = list_[static_cast<std::size_t>(found.former)].axis;
  }
}

bool LineSearch::is_steep(const Found& found) const {
  const auto number = static_cast<std::size_t>(&found - found_.data());
  return !is_planar_ && picus::cross(found.close.axis, normals_[number]).norm() <= kLineSteep;
}

bool LineSearch::find(const State& s, double duration) {
  if (group_.lines.empty()) return false;
  duration_ = duration;
  place(s, duration);
  found_.clear();
  normals_.clear();
  pairs_.find(centres_, reaches_);
  const auto balls = static_cast<int>(group_.balls.size());
  for (const auto& [first, second] : pairs_.pairs()) {
    if (second < balls) continue;
    const auto j = static_cast<std::size_t>(second - balls);
    const auto piece_j = static_cast<std::size_t>(piece_of_[j]);
    if (first < balls) {
      find_nearest_to_ball(first, line_of_[j], piece_j, s);
    } else {
      const auto i = static_cast<std::size_t>(first - balls);
      find_nearest_of_lines(line_of_[i], static_cast<std::size_t>(piece_of_[i]), line_of_[j],
                            piece_j, s);
    }
  }
  for (std::size_t k = 0; k < line_of_.size() && !group_.planes.empty(); ++k)
    find_nearest_to_planes(line_of_[k], static_cast<std::size_t>(piece_of_[k]), s);
  match();
  if (has_list_ && keeps_list()) return false;
  make_list();
  return true;
}

// Whether the contacts of the list are those that are found, and serve on.
bool LineSearch::keeps_list() {
  std::size_t matched = 0;
  for (const Found& found : found_) {
    if (found.former >= 0) ++matched;
    if (found.former >= 0 ? is_steep(found) : found.is_new && found.gap <= found.need) return false;
  }
  if (matched != list_.size()) return false;
  for (const Found& found : found_)
    if (found.former >= 0) list_[static_cast<std::size_t>(found.former)] = found.close;
  return true;
}

void LineSearch::make_list() {
  has_list_ = true;
  came_from_.clear();
  list_.clear();
  for (Found& found : found_) {
    if (found.former < 0 && !found.is_new) continue;
    if (is_steep(found)) {
      int least = 0;  // the coordinate axis least along the normal
      normals_[static_cast<std::size_t>(&found - found_.data())].cwiseAbs().minCoeff(&least);
      found.close.axis = Vector3::Unit(least);
    }
    list_.push_back(found.close);
    came_from_.push_back(found.former);
  }
}

}  // namespace picus
