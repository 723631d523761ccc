// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/separating_axis.h"

#include <algorithm>
#include <cmath>

#include "picus/collision/closest_direction.h"

namespace picus {
namespace {

// Pairs of edges must be better than faces by this part of the size: faces carry more points.
constexpr double kPreferFaces = 1e-7;
constexpr double kParallel = 1e-4;  // sine between edges that have no common normal
constexpr double kOnArc = 1e-9;     // sine by which a normal may miss the arc of an edge
// By this part of their thickness round solids are made smaller to see which way they face.
constexpr double kPartLess = 0.2;
constexpr int kWays = 6;  // in which a normal may turn uphill

}  // namespace

double AxisSearch::separation(const Vector3& n, const Solid& a, const PoseInSpace& a_in_b,
                              const Solid& b) {
  const Vector3 m = a_in_b.A.transpose() * n;
  const double of_a = n.dot(a_in_b.r) + m.dot(a.support(-m));
  if (b.kind == Solid::Kind::kHalfSpace) return of_a - n.dot(b.faces[0].point);
  return of_a - n.dot(b.support(n));
}

SeparatingAxis AxisSearch::find(const Solid& a, const PoseInSpace& a_in_b, const Solid& b,
                                double margin) {
  if (b.kind == Solid::Kind::kHalfSpace) {
    const Vector3& n = b.faces[0].normal;
    return {n, separation(n, a, a_in_b, b), true};
  }
  if (a.is_round() || b.is_round()) return of_round(a, a_in_b, b);
  best_ = {};
  points_.clear();
  for (const Solid::Vertex& vertex : a.vertices)
    points_.push_back(a_in_b.point(vertex.point));
  try_faces(a, a_in_b, b);
  if (best_.separation <= margin && !a.edges.empty() && !b.edges.empty())
    try_edges(a, a_in_b, b, margin);
  return best_;
}

void AxisSearch::try_normal(const Vector3& normal, double apart) {
  if (apart > best_.separation) best_ = {normal, apart, true};
}

void AxisSearch::try_faces(const Solid& a, const PoseInSpace& a_in_b, const Solid& b) {
  for (const Solid::Face& face : b.faces) {
    double least = std::numeric_limits<double>::infinity();
    for (const Vector3& x : points_)
      least = std::min(least, face.normal.dot(x));
    try_normal(face.normal, least - face.normal.dot(face.point));
  }
  for (const Solid::Face& face : a.faces) {
    const Vector3 out = a_in_b.A * face.normal;
    double least = std::numeric_limits<double>::infinity();
    for (const Solid::Vertex& vertex : b.vertices)
      least = std::min(least, out.dot(vertex.point));
    try_normal(-out, least - out.dot(a_in_b.point(face.point)));
  }
}

// Edges that meet are next to the other solid: by the margin, or by what faces find them to
// overlap.
void AxisSearch::try_edges(const Solid& a, const PoseInSpace& a_in_b, const Solid& b,
                           double margin) {
  const double near =
      std::isfinite(best_.separation) ? std::max(margin, -best_.separation) : margin + a.reach;
  Bounds of_a, of_b;
  for (const Vector3& x : points_)
    of_a.add(x);
  for (const Solid::Vertex& vertex : b.vertices)
    of_b.add(vertex.point);
  of_a.grow(near);
  of_b.grow(near);
  const auto is_near = [](const Vector3& from, const Vector3& along, const Bounds& bounds) {
    Bounds own;
    own.add(from);
    own.add(from + along);
    return own.overlaps(bounds);
  };
  edges_a_.clear();
  for (const Solid::Edge& edge : a.edges) {
    const Vector3 point = a_in_b.point(edge.point), along = a_in_b.A * edge.along;
    if (!edge.is_free || !is_near(point, edge.length * along, of_b)) continue;
    PlacedEdge placed{point, along, edge.into, edge.into_count};
    for (Vector3& into : placed.into)
      into = a_in_b.A * into;
    edges_a_.push_back(placed);
  }
  edges_b_.clear();
  for (const Solid::Edge& edge : b.edges)
    if (edge.is_free && is_near(edge.point, edge.length * edge.along, of_a))
      edges_b_.push_back({edge.point, edge.along, edge.into, edge.into_count});
  SeparatingAxis found;
  for (const PlacedEdge& i : edges_a_)
    for (const PlacedEdge& j : edges_b_) {
      const SeparatingAxis between = common_normal(i, j);
      if (between.separation > found.separation) found = between;
    }
  const double prefer = kPreferFaces * std::min(a.reach, b.reach);
  if (found.separation > best_.separation + prefer) best_ = found;
}

// The common normal n of two edges, where −n is outward of both faces beside that of A, and n of
// those beside that of B.
SeparatingAxis AxisSearch::common_normal(const PlacedEdge& i, const PlacedEdge& j) {
  const Vector3 c = cross(i.along, j.along);
  double low = 0.0, high = 0.0;
  for (int k = 0; k < i.into_count; ++k) {
    const double height = c.dot(i.into[static_cast<std::size_t>(k)]);
    low = std::min(low, height);
    high = std::max(high, height);
  }
  for (int k = 0; k < j.into_count; ++k) {
    const double height = -c.dot(j.into[static_cast<std::size_t>(k)]);
    low = std::min(low, height);
    high = std::max(high, height);
  }
  const bool is_up = low >= -kOnArc, is_down = high <= kOnArc;
  if (!is_up && !is_down) return {};
  const double size = c.norm();
  if (size < kParallel) return {};
  const double height = c.dot(i.point - j.point) / size;
  const bool is_along = is_up && (!is_down || height >= 0.0);
  return {c / (is_along ? size : -size), is_along ? height : -height, false};
}

SeparatingAxis AxisSearch::of_round(const Solid& a, const PoseInSpace& a_in_b, const Solid& b) {
  const ClosestDirection smaller = closest_direction(a, a_in_b, b, kPartLess);
  if (!smaller.is_apart) return deepest(a, a_in_b, b);
  return {smaller.normal, separation(smaller.normal, a, a_in_b, b), false};
}

SeparatingAxis AxisSearch::deepest(const Solid& a, const PoseInSpace& a_in_b, const Solid& b) {
  tries_.clear();
  tries_.push_back(a_in_b.point(a.centre) - b.centre);
  for (const Solid::Face& face : b.faces)
    tries_.push_back(face.normal);
  for (const Solid::Face& face : a.faces)
    tries_.push_back(-(a_in_b.A * face.normal));
  for (int k = 0; k < 3; ++k) {
    tries_.push_back(b.axes.col(k));
    tries_.push_back(a_in_b.A * a.axes.col(k));
    for (int i = 0; i < 3; ++i)
      tries_.push_back(cross(Vector3(a_in_b.A * a.axes.col(i)), Vector3(b.axes.col(k))));
  }
  for (int k = 0; k < 8; ++k)
    tries_.push_back({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
  best_ = {};
  for (const Vector3& along : tries_) {
    const double size = along.norm();
    if (!(size > 1e-9)) continue;
    for (const double sign : {1.0, -1.0}) {
      const Vector3 n = sign / size * along;
      try_normal(n, separation(n, a, a_in_b, b));
    }
  }
  // uphill from the best one, in directions that turn
  double turn = 0.0;
  for (double step = 0.3; step > 1e-4;) {
    const Vector3 n = best_.normal;
    const Matrix3 frame = frame_along(n);
    for (int k = 0; k < kWays; ++k) {
      const double angle = turn + 2.0 * M_PI * k / kWays;
      const Vector3 aside =
          (n + step * (std::cos(angle) * frame.col(0) + std::sin(angle) * frame.col(1)))
              .normalized();
      try_normal(aside, separation(aside, a, a_in_b, b));
    }
    turn += 1.0;
    if (best_.normal == n) step *= 0.6;
  }
  best_.is_face = false;
  return best_;
}

}  // namespace picus
