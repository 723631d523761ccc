// SPDX-License-Identifier: BSD-3-Clause
// What it costs to find where two shapes touch, against Bullet with numbers of double precision and
// polyhedral features; without Bullet its columns are empty.
#include "picus/collision/narrow_phase.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "bench/session.h"
#include "bench/table.h"
#include "picus/collision/mesh_phase.h"

#if __has_include(<btBulletCollisionCommon.h>) && defined(BT_USE_DOUBLE_PRECISION)
#define PICUS_HAS_BULLET
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <btBulletCollisionCommon.h>
#pragma GCC diagnostic pop
#endif

namespace {

using namespace picus;

constexpr double kMargin = 0.02;
constexpr int kPlacements = 64;

struct Placement {
  PoseInSpace a, b;
};

// Two shapes, and places at which the gap of their hulls of balls is small.
struct Case {
  std::string name;
  ShapeOnBody a, b;
  std::vector<Placement> placements;
};

PoseInSpace turned(std::mt19937& random, const Vector3& at) {
  std::normal_distribution<double> normal;
  const Quaternion p(normal(random), normal(random), normal(random), normal(random));
  return {at, rotation_matrix(p / p.norm())};
}

// Random directions and turns, moved along until the gap is between -0.01 and 0.01.
std::vector<Placement> near_contact(const ShapeOnBody& a, const ShapeOnBody& b) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Solid solid_a(a), solid_b(b);
  NarrowPhase narrow_phase;
  std::vector<FeatureContact> found;
  std::vector<Placement> placements;
  while (placements.size() < kPlacements) {
    const Vector3 up = Vector3(unit(random), unit(random), unit(random)).normalized();
    const PoseInSpace at_b = turned(random, Vector3::Zero());
    PoseInSpace at_a = turned(random, Vector3::Zero());
    const double gap = 0.01 * unit(random);
    double high = solid_a.reach + solid_b.reach, low = 0.35 * high;
    for (int k = 0; k < 24; ++k) {
      at_a.r = 0.5 * (low + high) * up;
      found.clear();
      narrow_phase.find(solid_a, at_a, solid_b, at_b, 0.02, found);
      double least = 1.0;
      for (const FeatureContact& c : found)
        least = std::min(least, c.gap);
      (least < gap ? low : high) = 0.5 * (low + high);
    }
    placements.push_back({at_a, at_b});
  }
  return placements;
}

// Flat on flat, turned about the vertical and shifted a little.
std::vector<Placement> at_rest(double height) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::vector<Placement> placements;
  for (int k = 0; k < kPlacements; ++k) {
    const Vector3 turn(0, 0, 0.3 * unit(random));
    placements.push_back({{{0.3 * unit(random), 0.3 * unit(random), height + 1e-6 * unit(random)},
                           rotation_matrix(quaternion_of(turn))},
                          {}});
  }
  return placements;
}

std::vector<Vector3> cloud(int count) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  std::vector<Vector3> points;
  for (int k = 0; k < count; ++k)
    points.push_back(0.5 * Vector3(normal(random), normal(random), normal(random)).normalized());
  return points;
}

ShapeOnBody waves(int cells) {
  shapes::HeightField field{cells + 1, cells + 1, 0.2, 0.2, {}};
  for (int row = 0; row <= cells; ++row)
    for (int column = 0; column <= cells; ++column)
      field.heights.push_back(0.05 * std::sin(0.9 * row) * std::cos(1.1 * column));
  return {field, 0.0, {-0.1 * cells, -0.1 * cells, -0.05}};
}

#ifdef PICUS_HAS_BULLET

class BulletPair {
 public:
  BulletPair(const ShapeOnBody& a, const ShapeOnBody& b)
      : dispatcher_(&configuration_), shape_a_(make(a)), shape_b_(make(b)) {
    info_.m_enableSatConvex = true;
    a_.setCollisionShape(shape_a_.get());
    b_.setCollisionShape(shape_b_.get());
  }
  bool is_known() const { return shape_a_ && shape_b_; }

  int look(const Placement& at) {
    a_.setWorldTransform(transform(at.a));
    b_.setWorldTransform(transform(at.b));
    const btCollisionObjectWrapper wrap_a(nullptr, shape_a_.get(), &a_, a_.getWorldTransform(), -1,
                                          -1),
        wrap_b(nullptr, shape_b_.get(), &b_, b_.getWorldTransform(), -1, -1);
    if (algorithm_ == nullptr)
      algorithm_ =
          dispatcher_.findAlgorithm(&wrap_a, &wrap_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    btManifoldResult result(&wrap_a, &wrap_b);
    algorithm_->processCollision(&wrap_a, &wrap_b, info_, &result);
    manifolds_.resize(0);
    algorithm_->getAllContactManifolds(manifolds_);
    int points = 0;
    for (int k = 0; k < manifolds_.size(); ++k) {
      points += manifolds_[k]->getNumContacts();
      manifolds_[k]->clearManifold();
    }
    return points;
  }

 private:
  static btTransform transform(const PoseInSpace& pose) {
    const Matrix3& A = pose.A;
    return btTransform(btMatrix3x3(A(0, 0), A(0, 1), A(0, 2), A(1, 0), A(1, 1), A(1, 2), A(2, 0),
                                   A(2, 1), A(2, 2)),
                       btVector3(pose.r(0), pose.r(1), pose.r(2)));
  }
  static std::unique_ptr<btConvexShape> hull(const std::vector<Vector3>& points) {
    auto shape = std::make_unique<btConvexHullShape>();
    for (const Vector3& x : points)
      shape->addPoint(btVector3(x(0), x(1), x(2)));
    shape->setMargin(0.0);
    shape->initializePolyhedralFeatures();
    return shape;
  }
  static std::unique_ptr<btConvexShape> make(const ShapeOnBody& shape) {
    if (const auto* s = std::get_if<shapes::Sphere>(&shape.geometry))
      return std::make_unique<btSphereShape>(s->radius);
    if (const auto* s = std::get_if<shapes::Capsule>(&shape.geometry))
      return std::make_unique<btCapsuleShapeZ>(s->radius, s->length);
    if (const auto* s = std::get_if<shapes::Cylinder>(&shape.geometry)) {
      auto cylinder =
          std::make_unique<btCylinderShapeZ>(btVector3(s->radius, s->radius, 0.5 * s->length));
      cylinder->setMargin(1e-4);  // none is not supported
      return cylinder;
    }
    if (const auto* s = std::get_if<shapes::Hull>(&shape.geometry)) return hull(s->points);
    if (const auto* s = std::get_if<shapes::Box>(&shape.geometry)) {
      std::vector<Vector3> corners;
      for (int i = 0; i < 8; ++i)
        corners.push_back(0.5 * Vector3(i & 1 ? s->size(0) : -s->size(0),
                                        i & 2 ? s->size(1) : -s->size(1),
                                        i & 4 ? s->size(2) : -s->size(2)));
      return hull(corners);
    }
    return nullptr;
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDispatcherInfo info_;
  std::unique_ptr<btConvexShape> shape_a_, shape_b_;
  btCollisionObject a_, b_;
  btCollisionAlgorithm* algorithm_ = nullptr;
  btManifoldArray manifolds_;
};

#endif

}  // namespace

int main(int argc, char** argv) {
  const bench::CommandLine line(argc, argv);
  bench::Session session(line.effort);
  const ShapeOnBody ball{shapes::Sphere{0.5}}, capsule{shapes::Capsule{0.3, 1.0}},
      box{shapes::Box{{1, 1, 1}}}, drum{shapes::Cylinder{0.5, 1.0}},
      egg{shapes::Ellipsoid{{0.6, 0.5, 0.4}}}, stone{shapes::Hull{cloud(32)}},
      boulder{shapes::Hull{cloud(128)}};
  std::vector<Case> cases{{"box flat on box", box, box, at_rest(1.0)},
                          {"ball and box", ball, box, {}},
                          {"capsule and capsule", capsule, capsule, {}},
                          {"box and box", box, box, {}},
                          {"capsule and box", capsule, box, {}},
                          {"hulls of 32 points", stone, stone, {}},
                          {"hulls of 128 points", boulder, boulder, {}},
                          {"cylinder flat on box", drum, box, at_rest(1.0)},
                          {"cylinder and box", drum, box, {}},
                          {"cylinder and cylinder", drum, drum, {}},
                          {"ellipsoid and ellipsoid", egg, egg, {}}};
  bench::Table table{"narrow_phase",
                     "Where two shapes touch: time and points for a pair near contact",
                     {"pair", "Picus [ns]", "points", "Bullet [ns]", "points"},
                     {}};
  struct Work {
    Solid a, b;
    NarrowPhase narrow_phase;
    std::vector<FeatureContact> found;
    double points = 0.0, peer_points = 0.0;
#ifdef PICUS_HAS_BULLET
    std::unique_ptr<BulletPair> peer;
#endif
  };
  std::vector<Work> works(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Case& c = cases[i];
    Work& work = works[i];
    if (c.placements.empty()) c.placements = near_contact(c.a, c.b);
    work.a = Solid(c.a);
    work.b = Solid(c.b);
    const auto look = [&c, &work] {
      long points = 0;
      for (const Placement& at : c.placements) {
        work.found.clear();
        work.narrow_phase.find(work.a, at.a, work.b, at.b, kMargin, work.found);
        points += static_cast<long>(work.found.size());
      }
      work.points = static_cast<double>(points) / kPlacements;
    };
    session.add(c.name, look);
#ifdef PICUS_HAS_BULLET
    work.peer = std::make_unique<BulletPair>(c.a, c.b);
    if (work.peer->is_known())
      session.add(c.name + ", Bullet", [&c, &work] {
        long points = 0;
        for (const Placement& at : c.placements)
          points += work.peer->look(at);
        work.peer_points = static_cast<double>(points) / kPlacements;
      });
#endif
  }
  const SurfaceMesh field(waves(40));
  MeshPhase mesh_phase;
  std::vector<FeatureContact> found;
  const Solid solid_box(box);
  const std::vector<Placement> on_field = at_rest(0.48);
  double mesh_points = 0.0;
  session.add("box on waves", [&] {
    long points = 0;
    for (const Placement& at : on_field) {
      found.clear();
      mesh_phase.find(solid_box, at.a, field, PoseInSpace{}, kMargin, found);
      points += static_cast<long>(found.size());
    }
    mesh_points = static_cast<double>(points) / kPlacements;
  });
  session.run();
  const auto cost = [&](const std::string& label) {
    return bench::number(1e9 * session.seconds(label) / kPlacements);
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<std::string> row{cases[i].name, cost(cases[i].name), bench::number(works[i].points),
                                 "", ""};
#ifdef PICUS_HAS_BULLET
    if (works[i].peer->is_known()) {
      row[3] = cost(cases[i].name + ", Bullet");
      row[4] = bench::number(works[i].peer_points);
    }
#endif
    table.add(row);
  }
  table.add(
      {"box on waves of triangles", cost("box on waves"), bench::number(mesh_points), "", ""});
  bench::print(table);
  return bench::write_json(line, {table});
}
