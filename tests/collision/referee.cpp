// SPDX-License-Identifier: BSD-3-Clause
#include "tests/collision/referee.h"

#include <algorithm>

namespace picus::testing {

std::vector<RefereeBody> referee_bodies(double scale, std::mt19937& random) {
  std::uniform_real_distribution<double> size(0.4 * scale, 1.6 * scale), sign(-1.0, 1.0);
  std::vector<RefereeBody> bodies;
  bodies.push_back({"sphere", {shapes::Sphere{size(random)}}, {}});
  bodies.push_back({"capsule", {shapes::Capsule{0.5 * size(random), size(random)}}, {}});
  const Vector3 sides(size(random), size(random), size(random));
  RefereeBody box{"box", {shapes::Box{sides}}, {}};
  for (int i = 0; i < 8; ++i)
    box.corners.push_back(0.5 * Vector3(i & 1 ? sides(0) : -sides(0), i & 2 ? sides(1) : -sides(1),
                                        i & 4 ? sides(2) : -sides(2)));
  bodies.push_back(box);
  RefereeBody rounded = box;
  rounded.name = "rounded box";
  rounded.shape.rounding = 0.2 * scale;
  bodies.push_back(rounded);
  RefereeBody hull{"hull", {}, {}};
  for (int i = 0; i < 14; ++i)
    hull.corners.push_back(0.7 * scale * Vector3(sign(random), sign(random), sign(random)));
  hull.shape.geometry = shapes::Hull{hull.corners};
  bodies.push_back(hull);
  RefereeBody plate{"plate", {shapes::Rectangle{sides(0), sides(1)}}, {}};
  for (int i = 0; i < 4; ++i)
    plate.corners.push_back(
        0.5 * Vector3(i & 1 ? sides(0) : -sides(0), i & 2 ? sides(1) : -sides(1), 0.0));
  bodies.push_back(plate);
  bodies.push_back({"cylinder", {shapes::Cylinder{0.5 * size(random), size(random)}}, {}});
  bodies.push_back({"disc", {shapes::Cylinder{0.7 * size(random), 0.1 * size(random)}}, {}});
  bodies.push_back({"cone", {shapes::Cone{0.5 * size(random), size(random)}}, {}});
  bodies.push_back({"ellipsoid",
                    {shapes::Ellipsoid{0.7 * Vector3(size(random), size(random), size(random))}},
                    {}});
  for (RefereeBody& body : bodies) {
    body.shape.at = 0.3 * scale * Vector3(sign(random), sign(random), sign(random));
    body.shape.axes = random_pose(random, 0.0).A;
  }
  return bodies;
}

PoseInSpace random_pose(std::mt19937& random, double distance) {
  std::normal_distribution<double> normal;
  Quaternion p(normal(random), normal(random), normal(random), normal(random));
  PoseInSpace pose;
  pose.A = rotation_matrix(p / p.norm());
  pose.r = distance * Vector3(normal(random), normal(random), normal(random)).normalized();
  return pose;
}

double outside(const RefereeBody& body, const PoseInSpace& pose, const Vector3& x,
               const Vector3& about) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  double most = -1e300;
  for (int k = 0; k < 40; ++k) {
    const double spread = k < 20 ? std::pow(10.0, -0.4 * k) : 10.0;
    const Vector3 n =
        (about + spread * Vector3(normal(random), normal(random), normal(random))).normalized();
    most = std::max(most, n.dot(x - pose.r) - body.reach(pose.A.transpose() * n));
  }
  return std::max(most, about.dot(x - pose.r) - body.reach(pose.A.transpose() * about));
}

}  // namespace picus::testing
