// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/narrow_phase.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "picus/collision/closest_direction.h"

namespace picus {
namespace {

// Sines of angles between the best normal and normals of features that are looked at.
constexpr double kMiss = 0.7;
// Normals of pairs of edges count up to this far from the best one, and from their own arcs.
constexpr double kOffArc = 0.3;
constexpr double kNearNormal = 0.955;  // its cosine
// Edges and rims at smaller sines cross in the plane of the faces they border.
constexpr double kSkew = 0.01;
constexpr double kLevel = 1e-5;
// Cosine of the angle with the best normal beyond which nothing overlaps.
constexpr double kBesides = 0.9;
// Ends and edges count as flat on a face at smaller sines.
constexpr double kFlat = 0.1;
// By this part of the size places may be beyond the ends of features: what is flush with something
// stays on it.
constexpr double kBeyond = 1e-6;
constexpr double kOnCone = 1e-6;  // sine by which normals of vertices and edges may miss
// The same on surfaces, where they pass over what is nearly flat.
constexpr double kOnSurface = 0.05;
constexpr double kSamePlace = 1e-6;

bool is_edge(FeatureRef which) {
  return which.kind == FeatureKind::kEdge;
}

// Which of two solids comes first, however they are listed.
bool is_first(const Vector3& apart) {
  int most = 0;
  apart.cwiseAbs().maxCoeff(&most);
  return apart(most) >= 0.0;
}

}  // namespace

void NarrowPhase::find(const Solid& a, const PoseInSpace& pose_a, const Solid& b,
                       const PoseInSpace& pose_b, double margin,
                       std::vector<FeatureContact>& found) {
  const bool is_plane_a = a.kind == Solid::Kind::kHalfSpace,
             is_plane_b = b.kind == Solid::Kind::kHalfSpace;
  if (is_plane_a && is_plane_b) return;
  const Vector3 apart = pose_a.point(a.centre) - pose_b.point(b.centre);
  if (!is_plane_a && !is_plane_b && apart.norm() > a.reach + b.reach + margin) return;
  const bool is_turned = is_plane_a || (!is_plane_b && !is_first(apart));
  const Solid &first = is_turned ? b : a, &second = is_turned ? a : b;
  const PoseInSpace &at_a = is_turned ? pose_b : pose_a, &at_b = is_turned ? pose_a : pose_b;
  place(first, at_a, second, at_b, margin);
  is_surface_a_ = is_surface_b_ = false;

  candidates_.clear();
  const double cores = margin + a.rounding + b.rounding;
  SeparatingAxis axis = axes_.find(*a_, a_in_b_, *b_, cores);
  if (axis.separation > cores) return;
  with_corners_ = !axis.is_face || a.faces.empty() || b.faces.empty();
  list_pairs(axis.normal, axis.separation);
  // vertices that face vertices or edges are farther apart than any axis says
  const bool is_round = a.is_round() || b.is_round();
  if (!(least_apart() <= best_known(axis).separation + 1e-6 * size_)) {
    const ClosestDirection closest = closest_direction(*a_, a_in_b_, *b_, 0.0);
    if (closest.is_apart) {
      if (closest.distance > cores * (1.0 + 1e-9)) return;
      axis = {closest.normal, closest.distance, false};
    } else if (is_round) {
      axis = axes_.deepest(*a_, a_in_b_, *b_);
    }
    with_corners_ = true;
    list_pairs(axis.normal, axis.separation);
  }
  const SeparatingAxis best = best_known(axis);
  drop_buried(best);
  if (!(least_apart() <= best.separation + 1e-6 * size_)) add_plane(best.normal);
  remove_doubles();

  const auto start = static_cast<std::ptrdiff_t>(found.size());
  give(is_turned, at_a, at_b, found);
  std::sort(found.begin() + start, found.end(),
            [](const FeatureContact& c, const FeatureContact& d) { return c.id < d.id; });
}

void NarrowPhase::find_on_surface(const Solid& a, const PoseInSpace& pose_a, bool is_surface_a,
                                  const Solid& triangle, const PoseInSpace& pose_b, double margin,
                                  std::vector<FeatureContact>& found) {
  place(a, pose_a, triangle, pose_b, margin);
  is_surface_a_ = is_surface_a;
  is_surface_b_ = true;
  const Solid::Face& face = triangle.faces[0];
  const double cores = margin + a.rounding + triangle.rounding;
  const double separation = AxisSearch::separation(face.normal, a, a_in_b_, triangle);
  // what has its middle below the triangle belongs to another one
  const double middle = face.normal.dot(a_in_b_.point(a.centre) - face.point);
  if (separation > cores || middle < (is_surface_a ? separation : 0.0)) return;
  double least = std::numeric_limits<double>::infinity();
  const auto keep = [&] {
    // no deeper than the middle
    std::erase_if(candidates_, [&](const Candidate& c) { return c.touch.gap < -0.5 * a.reach; });
    least = std::min(least, least_apart());
    remove_doubles();
    give(false, pose_a, pose_b, found);
  };
  with_corners_ = a.is_round() || a.rounding + triangle.rounding > 0.0;
  list_pairs(face.normal, separation);
  keep();
  // over edges that stick out far the normal of the triangle is not the best one
  for (const Solid::Edge& edge : triangle.edges) {
    if (!edge.is_free || edge.into_count < 2) continue;
    const Vector3 out = -(edge.into[0] + edge.into[1]).normalized();
    if (out.dot(face.normal) > kBesides) continue;
    list_pairs(out, std::min(0.0, AxisSearch::separation(out, a, a_in_b_, triangle)));
    keep();
  }
  if (least <= separation + 1e-6 * size_) return;
  const ClosestDirection closest = closest_direction(a, a_in_b_, triangle, 0.0);
  if (!closest.is_apart || closest.distance > cores) return;
  with_corners_ = true;
  list_pairs(closest.normal, closest.distance);
  keep();
}

void NarrowPhase::place(const Solid& a, const PoseInSpace& pose_a, const Solid& b,
                        const PoseInSpace& pose_b, double margin) {
  a_ = &a;
  b_ = &b;
  a_in_b_.A = pose_b.A.transpose() * pose_a.A;
  a_in_b_.r = pose_b.A.transpose() * (pose_a.r - pose_b.r);
  size_ = std::min(a.reach, b.reach);
  margin_ = margin;
}

// Appends what is within the margin, in space; turned round where solids were exchanged.
void NarrowPhase::give(bool is_turned, const PoseInSpace& pose_a, const PoseInSpace& pose_b,
                       std::vector<FeatureContact>& found) const {
  for (const Candidate& c : candidates_) {
    if (c.touch.gap > margin_) continue;
    FeatureContact contact{.pair = c.pair};
    contact.gap = c.touch.gap;
    contact.is_exact = c.is_exact;
    contact.point = pose_b.point(0.5 * (c.touch.point_a + c.touch.point_b));
    contact.normal = pose_b.direction(c.touch.normal);
    contact.point_a = a_in_b_.A.transpose() * (c.touch.point_a - a_in_b_.r);
    contact.point_b = c.touch.point_b;
    if (c.is_exact)
      contact.id = FeatureContact::id_of(c.a, a_->number_of(c.a), c.b, b_->number_of(c.b));
    contact.id ^= static_cast<std::uint64_t>(c.which) << 27;
    contact.pair.hint = c.touch.normal;
    if (is_turned) {
      contact.id = (contact.id << 32) | (contact.id >> 32);
      contact.normal = -contact.normal;
      contact.pair.hint = pose_a.A.transpose() * contact.normal;
      std::swap(contact.pair.a, contact.pair.b);
      std::swap(contact.point_a, contact.point_b);
    }
    found.push_back(contact);
  }
}

void NarrowPhase::list_pairs(const Vector3& normal, double separation) {
  candidates_.clear();
  normal_ = normal;
  normal_a_ = a_in_b_.A.transpose() * normal;
  const double slab = margin_ + a_->rounding + b_->rounding - separation + 1e-6 * size_;
  a_->near(-normal_a_, slab, kMiss, near_a_);
  b_->near(normal_, slab, kMiss, near_b_);
  for (const FeatureRef i : near_a_)
    for (const FeatureRef j : near_b_)
      try_pair(i, j);
}

void NarrowPhase::try_pair(FeatureRef i, FeatureRef j) {
  const bool is_face_i = i.kind == FeatureKind::kFace, is_face_j = j.kind == FeatureKind::kFace;
  if (is_face_i && is_face_j) return;
  if (is_face_i || is_face_j) return try_face(is_face_i ? i : j, is_face_i ? j : i, is_face_i);
  if (is_edge(i) && is_edge(j)) return try_edges(i, j);
  if (!with_corners_) return;
  if (i.kind == FeatureKind::kRim && j.kind == FeatureKind::kRim) cross_rims(i, j);
  const FeaturePair pair{a_->feature(i), b_->feature(j), normal_};
  // rims that lie flat have no outermost point
  const auto is_level = [](const Feature& feature, const Vector3& normal) {
    return feature.kind == FeatureKind::kRim && cross(normal, feature.axis).norm() < kLevel;
  };
  if (!is_level(pair.a, normal_a_) && !is_level(pair.b, normal_)) add(i, j, pair, 3);
}

void NarrowPhase::try_face(FeatureRef face, FeatureRef other, bool is_face_a) {
  switch (other.kind) {
    case FeatureKind::kEdge:  // the flat end of a round solid on the border of a face
      if ((is_face_a ? a_ : b_)->is_round()) cross_rim(face, other, is_face_a);
      break;
    case FeatureKind::kVertex:
      try_vertex(face, other, is_face_a);
      break;
    case FeatureKind::kRim:
    case FeatureKind::kEllipsoid:
      try_round(face, other, is_face_a);
      break;
    case FeatureKind::kCone:
    case FeatureKind::kFace:
      break;
  }
}

// The place of a vertex of the other solid in the frame of the one with the face.
Vector3 NarrowPhase::seen_by_face(const Solid& other, int vertex, bool is_face_a) const {
  const Vector3& x = other.vertices[static_cast<std::size_t>(vertex)].point;
  return is_face_a ? Vector3(a_in_b_.A.transpose() * (x - a_in_b_.r)) : a_in_b_.point(x);
}

// Adds a pair if it touches where both features are.
bool NarrowPhase::add(FeatureRef i, FeatureRef j, const FeaturePair& pair, int rank, int which) {
  const FeatureTouch<double> touch = pair.touch(a_in_b_, PoseInSpace{});
  if (!(touch.gap <= margin_) || !touch.point_a.allFinite()) return false;
  const Vector3 x_a = touch.point_a + pair.a.rounding * touch.normal;
  const Vector3 x_b = touch.point_b - pair.b.rounding * touch.normal;
  const Vector3 d = x_a - x_b;
  const double apart = d.dot(touch.normal);
  if ((d - apart * touch.normal).norm() > 1e-7 * size_) return false;  // not where they are nearest
  if (rank >= 3 && std::abs(apart) < 1e-10 * size_ && !pair.a.is_round() && !pair.b.is_round())
    return false;  // no direction
  const double beyond = kBeyond * size_;
  const auto miss = [&](bool is_surface) {
    return rank > 2 ? kOnCone : is_surface ? kOnSurface : kOffArc;
  };
  const Vector3 local = a_in_b_.A.transpose() * (x_a - a_in_b_.r);
  if (!a_->holds(i, local, -(a_in_b_.A.transpose() * touch.normal), beyond, miss(is_surface_a_)))
    return false;
  if (!b_->holds(j, x_b, touch.normal, beyond, miss(is_surface_b_))) return false;
  candidates_.push_back({i, j, pair, touch, rank, which});
  return true;
}

// A vertex over a face.
void NarrowPhase::try_vertex(FeatureRef face_ref, FeatureRef vertex, bool is_face_a) {
  const Solid &solid = is_face_a ? *a_ : *b_, &other = is_face_a ? *b_ : *a_;
  const Solid::Face& face = solid.faces[static_cast<std::size_t>(face_ref.number)];
  const Vector3 x = seen_by_face(other, vertex.number, is_face_a);
  const double height = face.normal.dot(x - face.point);
  if (height - a_->rounding - b_->rounding > margin_) return;
  if (!solid.is_inside(face, x, kBeyond * size_)) return;
  if (is_face_a ? is_surface_b_ : is_surface_a_) {  // surfaces touch where they stick out
    const Vector3 out = is_face_a ? Vector3(-(a_in_b_.A * face.normal))
                                  : Vector3(-(a_in_b_.A.transpose() * face.normal));
    const auto& point = other.vertices[static_cast<std::size_t>(vertex.number)].point;
    if (!other.holds(vertex, point, out, 0.0, kOnSurface)) return;
  }
  push(is_face_a ? face_ref : vertex, is_face_a ? vertex : face_ref, is_face_a ? 1 : 0);
}

// A rim or an ellipsoid over a face.
void NarrowPhase::try_round(FeatureRef face_ref, FeatureRef round, bool is_face_a) {
  const Solid &solid = is_face_a ? *a_ : *b_, &other = is_face_a ? *b_ : *a_;
  const Solid::Face& face = solid.faces[static_cast<std::size_t>(face_ref.number)];
  if (round.kind == FeatureKind::kRim) {
    const Vector3& axis = other.rims[static_cast<std::size_t>(round.number)].axis;
    const Vector3 here =
        is_face_a ? Vector3(a_in_b_.A.transpose() * axis) : Vector3(a_in_b_.A * axis);
    if (cross(face.normal, here).norm() < 1e-7) return;  // level: no lowest point
  }
  push(is_face_a ? face_ref : round, is_face_a ? round : face_ref, 2);
  const FeatureTouch<double>& touch = candidates_.back().touch;
  const Vector3 x = is_face_a ? Vector3(a_in_b_.A.transpose() *
                                        (touch.point_b - b_->rounding * touch.normal - a_in_b_.r))
                              : Vector3(touch.point_a + a_->rounding * touch.normal);
  const Vector3 out = is_face_a ? touch.normal : Vector3(-(a_in_b_.A.transpose() * touch.normal));
  // a rim touches by the side that looks down
  if (!(touch.gap <= margin_) || !solid.is_inside(face, x, kBeyond * size_) ||
      !other.holds(round, x, out, 0.0, kMiss))
    candidates_.pop_back();
}

void NarrowPhase::push(FeatureRef i, FeatureRef j, int rank) {
  const FeaturePair pair{a_->feature(i), b_->feature(j), normal_};
  candidates_.push_back({i, j, pair, pair.touch(a_in_b_, PoseInSpace{}), rank});
}

// Edges that cross, seen along the normal.
void NarrowPhase::try_edges(FeatureRef i, FeatureRef j) {
  const Solid::Edge &of_a = a_->edges[static_cast<std::size_t>(i.number)],
                    &of_b = b_->edges[static_cast<std::size_t>(j.number)];
  const Vector3 along = a_in_b_.A * of_a.along, c = cross(along, of_b.along);
  const double square = c.squaredNorm(), beyond = kBeyond * size_;
  const double up = c.dot(normal_);
  if (!(square >= kSkew * kSkew && up * up >= kNearNormal * kNearNormal * square))
    return cross_in_plane(i, j);
  const Vector3 d = of_b.point - a_in_b_.point(of_a.point);
  const double u = cross(d, of_b.along).dot(c) / square, w = cross(d, along).dot(c) / square;
  if (u < -beyond || u > of_a.length + beyond || w < -beyond || w > of_b.length + beyond) return;
  add(i, j, {a_->feature(i), b_->feature(j), normal_}, 2);
}

// The face of a solid that looks along `out` and has a line in it, if there is one.
const Solid::Face* NarrowPhase::flat_face(const Solid& solid, const Vector3& out,
                                          const Vector3& point, const Vector3& along) const {
  const Solid::Face* best = nullptr;
  for (const Solid::Face& face : solid.faces) {
    if (std::abs(face.normal.dot(along)) > 1e-6 ||
        std::abs(face.normal.dot(point - face.point)) > 1e-6 * solid.reach)
      continue;
    const double facing = face.normal.dot(out);
    if (facing > kNearNormal && (best == nullptr || facing > best->normal.dot(out))) best = &face;
  }
  return best;
}

// Edges so nearly parallel that their common normal says nothing: where they cross, a point of one
// of them meets the face that the other one borders.
void NarrowPhase::cross_in_plane(FeatureRef i, FeatureRef j) {
  const Solid::Edge &of_a = a_->edges[static_cast<std::size_t>(i.number)],
                    &of_b = b_->edges[static_cast<std::size_t>(j.number)];
  if (of_a.radius > 0.0 || of_b.radius > 0.0) return;  // their ends touch
  const Vector3 along = a_in_b_.A * of_a.along;
  // ends that count as beyond the other edge on both sides say as much
  const double nearly = kBeyond * size_ / std::min(of_a.length, of_b.length);
  if (std::abs(cross(along, of_b.along).dot(normal_)) < nearly) return;
  if (std::max(std::abs(along.dot(normal_)), std::abs(of_b.along.dot(normal_))) > kFlat) return;
  const auto* face = flat_face(*b_, normal_, of_b.point, of_b.along);
  const auto* own = face ? nullptr : flat_face(*a_, -normal_a_, of_a.point, of_a.along);
  if (face == nullptr && own == nullptr) return;
  const Vector3 n = face ? face->normal : Vector3(-(a_in_b_.A * own->normal));
  const double c = cross(along, of_b.along).dot(n);
  const Vector3 d = of_b.point - a_in_b_.point(of_a.point);
  const double u = cross(d, of_b.along).dot(n) / c, w = cross(d, along).dot(n) / c;
  if (u < 0.0 || u > of_a.length || w < 0.0 || w > of_b.length) return;
  const Vector3 on_a = of_a.point + u * of_a.along, on_b = of_b.point + w * of_b.along;
  const FeaturePair pair =
      face ? FeaturePair{Feature::vertex(on_a, a_->rounding),
                         Feature::face(on_b, face->normal, b_->rounding), normal_}
           : FeaturePair{Feature::face(on_a, own->normal, a_->rounding),
                         Feature::vertex(on_b, b_->rounding), normal_};
  const auto touch = pair.touch(a_in_b_, PoseInSpace{});
  if (touch.gap <= margin_) candidates_.push_back({i, j, pair, touch, 2});
}

// Where the border of a face crosses the flat end of a round solid: a point of the border meets the
// end.
void NarrowPhase::cross_rim(FeatureRef face_ref, FeatureRef edge_ref, bool is_face_a) {
  const Solid &round = is_face_a ? *a_ : *b_, &other = is_face_a ? *b_ : *a_;
  if (other.is_round()) return;
  const Solid::Face& face = round.faces[static_cast<std::size_t>(face_ref.number)];
  if (cross(face.normal, is_face_a ? normal_a_ : normal_).norm() > kFlat) return;
  const Solid::Edge& edge = other.edges[static_cast<std::size_t>(edge_ref.number)];
  // in the frame of the round solid
  const auto here = [&](const Vector3& x) {
    return is_face_a ? Vector3(a_in_b_.A.transpose() * (x - a_in_b_.r)) : a_in_b_.point(x);
  };
  const Vector3 from = here(edge.point) - face.point,
                along = here(edge.point + edge.along) - face.point - from;
  const auto flat = [&](const Vector3& x) { return Vector3(x - x.dot(face.normal) * face.normal); };
  const Vector3 d = flat(from), e = flat(along);
  const double ee = e.squaredNorm(), de = d.dot(e);
  const double root = de * de - ee * (d.squaredNorm() - face.radius * face.radius);
  if (!(root > 0.0)) return;
  for (const int side : {1, 2}) {
    const double u = (-de + (side == 1 ? -1.0 : 1.0) * std::sqrt(root)) / ee;
    if (u < 0.0 || u > edge.length) continue;
    FeaturePair pair{Feature::vertex(edge.point + u * edge.along, other.rounding),
                     Feature::face(face.point, face.normal, round.rounding), normal_};
    if (is_face_a) std::swap(pair.a, pair.b);
    const auto touch = pair.touch(a_in_b_, PoseInSpace{});
    const FeatureRef rim{FeatureKind::kRim, face_ref.number};
    if (touch.gap <= margin_)
      candidates_.push_back(
          {is_face_a ? rim : edge_ref, is_face_a ? edge_ref : rim, pair, touch, 2, side});
  }
}

// Flat end on flat end: where the rims cross, a point of one meets the end of the other.
void NarrowPhase::cross_rims(FeatureRef i, FeatureRef j) {
  const Solid::Rim &of_a = a_->rims[static_cast<std::size_t>(i.number)],
                   &of_b = b_->rims[static_cast<std::size_t>(j.number)];
  const Vector3 axis = a_in_b_.A * of_a.axis;
  if (cross(axis, of_b.axis).norm() > 2.0 * kSkew || axis.dot(of_b.axis) > 0.0) return;
  const Vector3 d = a_in_b_.point(of_a.centre) - of_b.centre;
  const Vector3 e = d - d.dot(of_b.axis) * of_b.axis;
  const double distance = e.norm();
  if (!(distance > kBeyond * size_)) return;  // one over the other
  const double u = 0.5 *
                   (distance * distance + of_b.radius * of_b.radius - of_a.radius * of_a.radius) /
                   distance;
  const double square = of_b.radius * of_b.radius - u * u;
  if (!(square > 0.0)) return;
  for (const int side : {1, 2}) {
    const Vector3 across = (side == 1 ? 1.0 : -1.0) / distance * cross(of_b.axis, e);
    const Vector3 x = of_b.centre + u / distance * e + std::sqrt(square) * across;
    const Vector3 there = a_in_b_.A.transpose() * (x - a_in_b_.r);
    const Vector3 out = there - of_a.centre;
    const Vector3 on_a =
        of_a.centre + of_a.radius * (out - out.dot(of_a.axis) * of_a.axis).normalized();
    const FeaturePair pair{Feature::vertex(on_a, a_->rounding),
                           Feature::face(of_b.centre, of_b.axis, b_->rounding), normal_};
    const auto touch = pair.touch(a_in_b_, PoseInSpace{});
    if (touch.gap <= margin_) candidates_.push_back({i, j, pair, touch, 2, side});
  }
}

double NarrowPhase::least_apart() const {
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate& c : candidates_)
    least = std::min(least, c.touch.gap);
  return least + a_->rounding + b_->rounding;
}

// The direction that separates the cores most. The axis is the one for polytopes; of round solids
// the normals of the pairs know better.
SeparatingAxis NarrowPhase::best_known(const SeparatingAxis& axis) const {
  SeparatingAxis best = axis;
  if (a_->is_round() || b_->is_round())
    for (const Candidate& c : candidates_) {
      const double apart = AxisSearch::separation(c.touch.normal, *a_, a_in_b_, *b_);
      if (apart > best.separation) best = {c.touch.normal, apart};
    }
  return best;
}

// No point of one solid is deeper in the other than they overlap: what looks deeper is seen through
// the body, along the normal of a feature beside.
void NarrowPhase::drop_buried(const SeparatingAxis& best) {
  const double least = best.separation - a_->rounding - b_->rounding - 1e-6 * size_;
  std::erase_if(candidates_, [&](const Candidate& c) {
    return c.touch.gap < least || (c.touch.gap < 0.0 && c.touch.normal.dot(best.normal) < kBesides);
  });
}

// Nothing was found although they are close: outermost points, and a plane between.
void NarrowPhase::add_plane(const Vector3& normal) {
  const Vector3 on_a = a_->support(-(a_in_b_.A.transpose() * normal)), on_b = b_->support(normal);
  const FeaturePair pair{Feature::vertex(on_a, a_->rounding),
                         Feature::face(on_b, normal, b_->rounding), normal};
  candidates_.push_back({{}, {}, pair, pair.touch(a_in_b_, PoseInSpace{}), 3});
  candidates_.back().is_exact = false;
}

// Of several at one place the first in rank stays, of faces under one vertex the highest.
void NarrowPhase::remove_doubles() {
  const auto order = [](const Candidate& c) {
    return std::tuple(c.rank, -c.touch.gap, c.a.number, c.b.number, c.which);
  };
  std::sort(candidates_.begin(), candidates_.end(),
            [&](const Candidate& c, const Candidate& d) { return order(c) < order(d); });
  const auto is_double = [&](const Candidate& c, const Candidate& d) {
    if (c.rank <= 1 && d.rank == c.rank && (c.rank == 0 ? c.a == d.a : c.b == d.b)) return true;
    return c.touch.normal.dot(d.touch.normal) > 0.99 &&
           (c.touch.point_b - d.touch.point_b).squaredNorm() <
               kSamePlace * kSamePlace * size_ * size_;
  };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    bool stays = true;
    for (std::size_t k = 0; k < kept && stays; ++k)
      stays = !is_double(candidates_[k], candidates_[i]);
    if (stays) candidates_[kept++] = candidates_[i];
  }
  candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(kept), candidates_.end());
}

}  // namespace picus
