// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/closest_direction.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace picus {
namespace {

constexpr int kIterations = 64;
constexpr double kPrecision = 1e-10;  // of the squared distance
constexpr double kTouching = 1e-10;   // of the size: closer than that there is no direction

std::size_t slot(int i) {
  return static_cast<std::size_t>(i);
}

// One to four points of the difference A − B, and what of their hull is next to the origin.
class Simplex {
 public:
  int size() const { return size_; }
  const Vector3& nearest() const { return nearest_; }
  bool has(const Vector3& x) const {
    return std::find(points_.begin(), points_.begin() + size_, x) != points_.begin() + size_;
  }
  // Keeps the points that span the nearest place; four of them are around the origin.
  void add(const Vector3& x) {
    points_[slot(size_++)] = x;
    if (size_ == 1)
      nearest_ = x;
    else if (size_ == 2)
      take(on_segment(points_[0], points_[1]));
    else if (size_ == 3)
      take(on_triangle(points_[0], points_[1], points_[2]));
    else
      reduce_tetrahedron();
  }

 private:
  struct Part {
    int size;
    std::array<Vector3, 3> points;
    Vector3 nearest;
  };
  void take(const Part& part) {
    size_ = part.size;
    std::copy_n(part.points.begin(), part.size, points_.begin());
    nearest_ = part.nearest;
  }
  static Part on_segment(const Vector3& a, const Vector3& b) {
    const Vector3 ab = b - a;
    const double u = -a.dot(ab), square = ab.squaredNorm();
    if (u <= 0.0) return {1, {a}, a};
    if (u >= square) return {1, {b}, b};
    return {2, {a, b}, a + u / square * ab};
  }
  static Part on_triangle(const Vector3& a, const Vector3& b, const Vector3& c) {
    const Vector3 normal = cross(Vector3(b - a), Vector3(c - a));
    const double square = normal.squaredNorm();
    if (square > 0.0) {
      const double in_a = cross(b, c).dot(normal), in_b = cross(c, a).dot(normal),
                   in_c = cross(a, b).dot(normal);
      if (in_a >= 0.0 && in_b >= 0.0 && in_c >= 0.0)
        return {3, {a, b, c}, a.dot(normal) / square * normal};
    }
    return nearer(nearer(on_segment(a, b), on_segment(b, c)), on_segment(c, a));
  }
  static Part nearer(const Part& a, const Part& b) {
    return b.nearest.squaredNorm() < a.nearest.squaredNorm() ? b : a;
  }
  void reduce_tetrahedron() {
    const auto [a, b, c, d] = points_;
    const auto sees = [](const Vector3& x, const Vector3& y, const Vector3& z,
                         const Vector3& other) {
      const Vector3 normal = cross(Vector3(y - x), Vector3(z - x));
      const double side = normal.dot(other - x), origin = -normal.dot(x);
      return side * origin <= 0.0;
    };
    Part best{0, {}, Vector3::Constant(std::numeric_limits<double>::infinity())};
    if (sees(a, b, c, d)) best = nearer(best, on_triangle(a, b, c));
    if (sees(a, b, d, c)) best = nearer(best, on_triangle(a, b, d));
    if (sees(a, c, d, b)) best = nearer(best, on_triangle(a, c, d));
    if (sees(b, c, d, a)) best = nearer(best, on_triangle(b, c, d));
    if (best.size > 0)
      take(best);
    else
      nearest_.setZero();
  }

  int size_ = 0;
  std::array<Vector3, 4> points_;
  Vector3 nearest_ = Vector3::Zero();
};

}  // namespace

ClosestDirection closest_direction(const Solid& a, const PoseInSpace& a_in_b, const Solid& b,
                                   double part_less) {
  const double less_a = part_less * a.thickness, less_b = part_less * b.thickness;
  const auto support = [&](const Vector3& n) {
    return Vector3(a_in_b.r + a_in_b.A * a.support(a_in_b.A.transpose() * n, less_a) -
                   b.support(-n, less_b));
  };
  Vector3 start = a_in_b.point(a.centre) - b.centre;
  if (start.squaredNorm() == 0.0) start = Vector3::UnitX();
  Simplex simplex;
  simplex.add(support(-start));
  const double touching = kTouching * std::min(a.reach, b.reach);
  for (int k = 0; k < kIterations; ++k) {
    const Vector3& v = simplex.nearest();
    const double square = v.squaredNorm();
    if (simplex.size() == 4 || square <= touching * touching) return {};
    const Vector3 w = support(-v);
    if (square - v.dot(w) <= kPrecision * square || simplex.has(w)) break;
    simplex.add(w);
  }
  const double distance = simplex.nearest().norm();
  if (!(distance > touching)) return {};
  return {true, simplex.nearest() / distance, distance};
}

}  // namespace picus
