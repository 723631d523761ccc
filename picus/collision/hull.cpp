// SPDX-License-Identifier: BSD-3-Clause
// Convex hulls. Points are added one after the other to a surface of triangles, from random places
// within 1e-7 of the size around them, so that no four lie in a plane and nothing is degenerate.
// Then triangles in one plane make a face; planes and corners are those of the points as they are.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/collision/shapes.h"
#include "picus/math/rotation.h"

namespace picus {
namespace {

constexpr double kJiggle = 1e-7;   // of the size
constexpr double kInPlane = 2e-7;  // of the size: above the jiggle

struct HullTriangle {
  std::array<int, 3> corners;
  Vector3 normal;  // of length one
  bool is_there = true;
  int face = -1;
};

class TriangleHull {
 public:
  explicit TriangleHull(std::vector<Vector3> points) : points_(std::move(points)) {}

  /// False when the points span no volume.
  bool make(double size) {
    if (!start(size)) return false;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i)
      add(i);
    triangles_.erase(std::remove_if(triangles_.begin(), triangles_.end(),
                                    [](const HullTriangle& t) { return !t.is_there; }),
                     triangles_.end());
    return true;
  }
  std::vector<HullTriangle>& triangles() { return triangles_; }

 private:
  const Vector3& point(int i) const { return points_[static_cast<std::size_t>(i)]; }

  template <class Height>
  int farthest(Height&& height) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i)
      if (height(point(i)) > height(point(best))) best = i;
    return best;
  }

  bool start(double size) {
    const double least = 10.0 * kInPlane * size;
    const int a = farthest([](const Vector3& x) { return x(0); });
    const int b = farthest([&](const Vector3& x) { return (x - point(a)).norm(); });
    const Vector3 along = point(b) - point(a);
    if (along.norm() < least) return false;
    const auto aside = [&](const Vector3& x) { return cross(along, Vector3(x - point(a))); };
    const int c = farthest([&](const Vector3& x) { return aside(x).norm(); });
    const Vector3 up = aside(point(c));
    if (up.norm() < least * along.norm()) return false;
    const auto height = [&](const Vector3& x) { return up.normalized().dot(x - point(a)); };
    const int d = farthest([&](const Vector3& x) { return std::abs(height(x)); });
    if (std::abs(height(point(d))) < least) return false;
    const bool is_below = height(point(d)) < 0.0;
    const int first = is_below ? b : c, second = is_below ? c : b;
    make_triangle(a, second, first);
    make_triangle(a, first, d);
    make_triangle(first, second, d);
    make_triangle(second, a, d);
    turn_outward();
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      own_edges(t);
    return true;
  }
  // All triangles look away from the middle.
  void turn_outward() {
    Vector3 middle = Vector3::Zero();
    for (const HullTriangle& t : triangles_)
      for (const int corner : t.corners)
        middle += point(corner) / 12.0;
    for (HullTriangle& t : triangles_)
      if (t.normal.dot(point(t.corners[0]) - middle) < 0.0) {
        std::swap(t.corners[1], t.corners[2]);
        t.normal = -t.normal;
      }
  }

  void make_triangle(int a, int b, int c) {
    const Vector3 normal =
        cross(Vector3(point(b) - point(a)), Vector3(point(c) - point(a))).normalized();
    triangles_.push_back({{a, b, c}, normal});
  }
  void own_edges(std::size_t t) {
    for (std::size_t k = 0; k < 3; ++k)
      owner_[edge(t, k)] = static_cast<int>(t);
  }
  std::pair<int, int> edge(std::size_t t, std::size_t k) const {
    return {triangles_[t].corners[k], triangles_[t].corners[(k + 1) % 3]};
  }
  double height(std::size_t t, const Vector3& x) const {
    return triangles_[t].normal.dot(x - point(triangles_[t].corners[0]));
  }

  // Triangles that see the point make way for those between it and their border. They hang
  // together: they are found from the one that sees it best.
  void add(int number) {
    const Vector3& x = point(number);
    std::size_t best = triangles_.size();
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      const auto& c = triangles_[t].corners;
      if (!triangles_[t].is_there) continue;
      if (std::find(c.begin(), c.end(), number) != c.end()) return;
      if (best == triangles_.size() || height(t, x) > height(best, x)) best = t;
    }
    if (!(height(best, x) > 0.0)) return;
    seeing_.assign(1, best);
    triangles_[best].is_there = false;
    border_.clear();
    for (std::size_t i = 0; i < seeing_.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [a, b] = edge(seeing_[i], k);
        const auto other = static_cast<std::size_t>(owner_.at({b, a}));
        if (!triangles_[other].is_there) continue;
        if (height(other, x) > 0.0) {
          triangles_[other].is_there = false;
          seeing_.push_back(other);
        } else {
          border_.emplace_back(a, b);
        }
      }
    // what looked like border before its neighbour was found is none
    std::erase_if(border_, [&](const std::pair<int, int>& e) {
      return !triangles_[static_cast<std::size_t>(owner_.at({e.second, e.first}))].is_there;
    });
    for (const auto& [a, b] : border_) {
      make_triangle(a, b, number);
      own_edges(triangles_.size() - 1);
    }
  }

  std::vector<Vector3> points_;
  std::vector<HullTriangle> triangles_;
  std::map<std::pair<int, int>, int> owner_;
  std::vector<std::size_t> seeing_;
  std::vector<std::pair<int, int>> border_;
};

// Triangles in one plane, found from the largest ones outward.
class FaceMaker {
 public:
  FaceMaker(const std::vector<Vector3>& points, std::vector<HullTriangle>& triangles, double size)
      : points_(points), triangles_(triangles), in_plane_(3.0 * kInPlane * size) {
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k)
        owner_[edge(t, k)] = static_cast<int>(t);
  }

  std::vector<std::vector<int>> make() {
    std::vector<std::pair<double, int>> by_size;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      by_size.emplace_back(-twice_area(t).norm(), static_cast<int>(t));
    std::sort(by_size.begin(), by_size.end());
    std::vector<std::vector<int>> faces;
    for (const auto& [area, t] : by_size) {
      if (triangles_[static_cast<std::size_t>(t)].face >= 0) continue;
      const int face = static_cast<int>(faces.size());
      faces.push_back(border_of(grow(t, face), face));
      if (faces.back().size() < 3) faces.back().clear();
    }
    std::erase_if(faces, [](const auto& face) { return face.empty(); });
    return faces;
  }

 private:
  std::pair<int, int> edge(std::size_t t, std::size_t k) const {
    return {triangles_[t].corners[k], triangles_[t].corners[(k + 1) % 3]};
  }
  const Vector3& point(int i) const { return points_[static_cast<std::size_t>(i)]; }
  Vector3 twice_area(std::size_t t) const {
    const auto& c = triangles_[t].corners;
    return cross(Vector3(point(c[1]) - point(c[0])), Vector3(point(c[2]) - point(c[0])));
  }

  std::vector<std::size_t> grow(int seed, int face) {
    const auto first = static_cast<std::size_t>(seed);
    const Vector3 normal = twice_area(first).normalized();
    const Vector3& from = point(triangles_[first].corners[0]);
    std::vector<std::size_t> members{first};
    triangles_[first].face = face;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [a, b] = edge(members[i], k);
        const auto other = static_cast<std::size_t>(owner_.at({b, a}));
        if (triangles_[other].face >= 0) continue;
        const auto& c = triangles_[other].corners;
        const bool is_in = std::all_of(c.begin(), c.end(), [&](int corner) {
          return std::abs(normal.dot(point(corner) - from)) <= in_plane_;
        });
        if (!is_in) continue;
        triangles_[other].face = face;
        members.push_back(other);
      }
    return members;
  }

  std::vector<int> border_of(const std::vector<std::size_t>& members, int face) const {
    std::map<int, int> next;
    for (const std::size_t t : members)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [a, b] = edge(t, k);
        if (triangles_[static_cast<std::size_t>(owner_.at({b, a}))].face != face) next[a] = b;
      }
    std::vector<int> border;
    if (next.empty()) return border;
    for (int at = next.begin()->first; border.size() < next.size(); at = next.at(at)) {
      border.push_back(at);
      if (!next.contains(next.at(at))) break;
    }
    // corners in the middle of a side are none
    for (std::size_t i = 0; border.size() > 3 && i < border.size();) {
      const std::size_t n = border.size();
      const Vector3 side = point(border[(i + 1) % n]) - point(border[(i + n - 1) % n]);
      const Vector3 out = point(border[i]) - point(border[(i + n - 1) % n]);
      if (cross(side, out).norm() <= in_plane_ * side.norm())
        border.erase(border.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
    }
    return border;
  }

  const std::vector<Vector3>& points_;
  std::vector<HullTriangle>& triangles_;
  double in_plane_;
  std::map<std::pair<int, int>, int> owner_;
};

}  // namespace

HullFaces convex_hull(const std::vector<Vector3>& points) {
  Vector3 low = points.empty() ? Vector3::Zero() : points[0], high = low;
  for (const Vector3& x : points) {
    if (!x.allFinite()) throw InputError("convex hull: found a point that is not finite");
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const double size = (high - low).norm();
  std::mt19937 random(1);  // the same hull every time
  std::uniform_real_distribution<double> jiggle(-kJiggle * size, kJiggle * size);
  std::vector<Vector3> places = points;
  for (Vector3& x : places)
    for (int k = 0; k < 3; ++k)
      x(k) += jiggle(random);
  TriangleHull hull(std::move(places));
  if (points.size() < 4 || !hull.make(size))
    throw InputError(fmt::format(
        "convex hull: found {} points that lie in a plane, expected at least 4 that do not",
        points.size()));
  HullFaces result;
  result.faces = FaceMaker(points, hull.triangles(), size).make();
  std::vector<int> number(points.size(), -1);
  for (std::vector<int>& face : result.faces)
    for (int& corner : face) {
      int& known = number[static_cast<std::size_t>(corner)];
      if (known < 0) {
        known = static_cast<int>(result.points.size());
        result.points.push_back(points[static_cast<std::size_t>(corner)]);
      }
      corner = known;
    }
  return result;
}

std::vector<Vector2> convex_hull(std::vector<Vector2> points) {
  const auto turn = [](const Vector2& a, const Vector2& b, const Vector2& c) {
    return (b(0) - a(0)) * (c(1) - a(1)) - (b(1) - a(1)) * (c(0) - a(0));
  };
  std::sort(points.begin(), points.end(), [](const Vector2& a, const Vector2& b) {
    return std::pair(a(0), a(1)) < std::pair(b(0), b(1));
  });
  std::vector<Vector2> hull;
  const auto add = [&](const Vector2& x, std::size_t least) {
    while (hull.size() >= least + 2 && turn(hull[hull.size() - 2], hull.back(), x) <= 0.0)
      hull.pop_back();
    hull.push_back(x);
  };
  for (const Vector2& x : points)
    add(x, 0);
  const std::size_t upper = hull.size() - 1;
  for (std::size_t i = points.size() - 1; i-- > 0;)
    add(points[i], upper);
  if (!hull.empty()) hull.pop_back();
  if (hull.size() < 3)
    throw InputError(fmt::format("polygon: found {} points on a line, expected a convex polygon",
                                 points.size()));
  return hull;
}

}  // namespace picus
