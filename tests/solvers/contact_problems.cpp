// SPDX-License-Identifier: BSD-3-Clause
#include "tests/solvers/contact_problems.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace picus::testing {

int ContactScene::add_body(double mass, double inertia, const Vector3& position,
                           const Vector3& velocity, const Vector3& spin) {
  bodies_.push_back({mass, inertia, position, velocity, spin});
  return static_cast<int>(bodies_.size()) - 1;
}

void ContactScene::add_contact(int first, int second, const Vector3& point, const Vector3& normal,
                               double mu, double restitution) {
  add(first, second, point, normal, {{}, {}, {ContactKind::kContact, mu}, restitution});
}

void ContactScene::add_friction(int first, int second, const Vector3& point, const Vector3& normal,
                                double limit) {
  add(first, second, point, normal, {{}, {}, {ContactKind::kFriction, limit}, 0.0});
}

void ContactScene::add(int first, int second, const Vector3& point, const Vector3& normal,
                       Contact contact) {
  const Vector3 n = normal.normalized();
  Vector3 tangents[2];
  tangents[0] = planar_ ? Vector3(-n.y(), n.x(), 0.0) : n.unitOrthogonal();
  tangents[1] = n.cross(tangents[0]);
  for (int side = 0; side < 2; ++side) {
    const int body = side == 0 ? first : second;
    const double sign = side == 0 ? 1.0 : -1.0;
    contact.bodies[side] = body;
    contact.J[side].setZero();
    if (body == kGround) continue;
    const Vector3 arm = point - bodies_[static_cast<std::size_t>(body)].position;
    for (int k = 0; k < (planar_ ? 2 : 3); ++k) {
      const Vector3 direction = k == 0 ? n : tangents[k - 1];
      contact.J[side].row(k) << sign * direction.transpose(),
          sign * arm.cross(direction).transpose();
    }
  }
  contacts_.push_back(contact);
}

ContactProblem ContactScene::problem() const {
  ContactProblem result;
  const int count = static_cast<int>(contacts_.size());
  result.b.setZero(3 * count);
  result.W.begin(count);
  for (int i = 0; i < count; ++i) {
    const Contact& mine = contacts_[static_cast<std::size_t>(i)];
    result.laws.push_back(mine.law);
    for (int side = 0; side < 2; ++side) {
      if (mine.bodies[side] == kGround) continue;
      const Body& body = bodies_[static_cast<std::size_t>(mine.bodies[side])];
      SmallVector<double, 6> twist, mobility;
      twist << body.velocity, body.spin;
      mobility << Vector3::Constant(1.0 / body.mass), Vector3::Constant(1.0 / body.inertia);
      result.b.segment<3>(3 * i) += mine.J[side] * twist;
      for (int j = 0; j < count; ++j)
        for (int other = 0; other < 2; ++other) {
          const Contact& theirs = contacts_[static_cast<std::size_t>(j)];
          if (theirs.bodies[other] != mine.bodies[side]) continue;
          result.W.add_block(i, j,
                             mine.J[side] * mobility.asDiagonal() * theirs.J[other].transpose());
        }
    }
    if (result.b(3 * i) < 0.0) result.b(3 * i) *= 1.0 + mine.restitution;
  }
  result.W.end();
  return result;
}

ContactProblem make_problem(const Matrix& W, const Vector& b, std::vector<ImpulseLaw> laws) {
  ContactProblem result;
  result.W.begin(static_cast<int>(laws.size()));
  for (int j = 0; j < W.cols(); ++j)
    for (int i = 0; i < W.rows(); ++i)
      if (W(i, j) != 0.0) result.W.add(i, j, W(i, j));
  result.W.end();
  result.b = b;
  result.laws = std::move(laws);
  return result;
}

namespace {

const Vector3 kUp(0, 1, 0);
const Vector3 kFall(0, -0.01, 0);  // what gravity does in a step of a millisecond

// `count` boxes of width 1 and height 1 on each other; every interface has two or four corners.
ContactCase box_stack(int count, bool planar, double mu, double mass_ratio, double push) {
  ContactScene scene(planar);
  double mass = 1.0;
  for (int i = 0; i < count; ++i, mass *= mass_ratio) {
    const double sideways = i + 1 == count ? push : 0.0;
    const int body = scene.add_body(mass, mass / 6.0, Vector3(0, i + 0.5, 0),
                                    kFall + Vector3(sideways, 0, planar ? 0.0 : 0.4 * sideways));
    for (const double x : {-0.5, 0.5})
      for (const double z : {-0.5, 0.5}) {
        if (planar && z > 0.0) continue;
        scene.add_contact(body, body - 1, Vector3(x, i, planar ? 0.0 : z), kUp, mu);
      }
  }
  return {"stack of " + std::to_string(count) + (planar ? " squares" : " boxes") + ", mu " +
              std::to_string(mu) + ", mass ratio " + std::to_string(mass_ratio),
          scene.problem(), planar};
}

// Spheres in a row, the first one fast.
ContactCase sphere_chain(int count, double restitution) {
  ContactScene scene;
  for (int i = 0; i < count; ++i) {
    const int body =
        scene.add_body(1.0, 0.1, Vector3(i, 0, 0), i == 0 ? Vector3(1, 0, 0.1) : Vector3(0, 0, 0));
    if (i > 0)
      scene.add_contact(body, body - 1, Vector3(i - 0.5, 0, 0), {1, 0, 0}, 0.3, restitution);
    scene.add_contact(body, ContactScene::kGround, Vector3(i, -0.5, 0), kUp, 0.3);
  }
  return {"chain of " + std::to_string(count) + " spheres", scene.problem()};
}

// A wedge pushed between two walls of half angle `angle`: it jams when tan(angle) < mu.
ContactCase wedge(double angle, double mu, bool planar) {
  ContactScene scene(planar);
  const int body = scene.add_body(2.0, 0.3, Vector3::Zero(), Vector3(0.1, -1, 0), {0, 0, 0.2});
  const double c = std::cos(angle), s = std::sin(angle);
  for (const double side : {-1.0, 1.0})
    for (const double y : {-0.3, 0.5})
      scene.add_contact(body, ContactScene::kGround, {side * (0.5 + y * s / c), y, 0},
                        {-side * c, s, 0}, mu);
  return {"wedge of " + std::to_string(angle) + " rad, mu " + std::to_string(mu), scene.problem(),
          planar};
}

// Four legs on the ground: the normal impulses are not determined, the motion is.
ContactCase table(double mu, const Vector3& velocity, const Vector3& spin) {
  ContactScene scene;
  const int body = scene.add_body(20.0, 3.0, Vector3(0, 0.7, 0), velocity, spin);
  for (const double x : {-0.6, 0.6})
    for (const double z : {-0.4, 0.4})
      scene.add_contact(body, ContactScene::kGround, Vector3(x, 0, z), kUp, mu);
  return {"table, mu " + std::to_string(mu), scene.problem()};
}

// A block held by friction elements of given limit while it is pushed over the ground.
ContactCase brakes() {
  ContactScene scene;
  const int body =
      scene.add_body(3.0, 0.5, Vector3(0, 0.5, 0), Vector3(0.6, -0.01, 0.2), {0, 1, 0});
  for (const double x : {-0.5, 0.5})
    scene.add_contact(body, ContactScene::kGround, Vector3(x, 0, 0), kUp, 0.2);
  scene.add_friction(body, ContactScene::kGround, Vector3(0, 0, 0.5), {0, 0, 1}, 0.5);
  scene.add_friction(body, ContactScene::kGround, Vector3(0, 0.5, -0.5), {0, 0, 1}, 1e3);
  return {"brakes", scene.problem()};
}

double pick(std::mt19937& random, std::initializer_list<double> values) {
  return *(values.begin() + random() % values.size());
}

Vector3 random_vector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random);  // one order on every compiler
  return {x, y, normal(random)};
}

}  // namespace

ContactCase pyramid(int rows, bool planar, double mu) {
  ContactScene scene(planar);
  std::vector<std::vector<int>> layers;
  const double height = std::sqrt(0.75);
  for (int r = 0; r < rows; ++r) {
    layers.emplace_back();
    for (int k = 0; k < rows - r; ++k) {
      const Vector3 centre(k + 0.5 * r, 0.5 + r * height, 0);
      const int body = scene.add_body(1.0, 0.1, centre, kFall);
      layers.back().push_back(body);
      if (r == 0) {
        scene.add_contact(body, ContactScene::kGround, centre - 0.5 * kUp, kUp, mu);
        continue;
      }
      for (int side = 0; side < 2; ++side) {
        const Vector3 below(k + side + 0.5 * (r - 1), 0.5 + (r - 1) * height, 0);
        scene.add_contact(
            body, layers[static_cast<std::size_t>(r) - 1][static_cast<std::size_t>(k + side)],
            0.5 * (centre + below), centre - below, mu);
      }
    }
  }
  return {"pyramid of " + std::to_string(rows) + (planar ? " rows of disks" : " rows of spheres"),
          scene.problem(), planar};
}

std::vector<ContactCase> mechanical_cases() {
  std::vector<ContactCase> cases;
  for (const bool planar : {true, false})
    for (const double mu : {0.0, 0.3, 1.0}) {
      cases.push_back(box_stack(1, planar, mu, 1.0, 0.02));
      cases.push_back(box_stack(4, planar, mu, 1.0, 0.01));
      cases.push_back(box_stack(10, planar, mu, 1.0, 0.0));
      cases.push_back(box_stack(5, planar, mu, 4.0, 0.0));
      cases.push_back(pyramid(4, planar, mu));
      cases.push_back(wedge(0.3, mu, planar));
      cases.push_back(wedge(0.05, mu, planar));
    }
  for (const double mu : {0.0, 0.2, 0.8}) {
    cases.push_back(table(mu, kFall, Vector3::Zero()));
    cases.push_back(table(mu, Vector3(0.3, -0.01, 0.1), Vector3(0, 0.5, 0)));
    cases.push_back(table(mu, Vector3(0.001, -0.5, 0), Vector3(0.4, 0, 0.9)));
  }
  cases.push_back(sphere_chain(2, 0.0));
  cases.push_back(sphere_chain(8, 0.5));
  cases.push_back(brakes());
  return cases;
}

namespace {

// The first of the problems drawn that has friction somewhere.
template <class Draw>
ContactCase with_friction(unsigned seed, const Draw& draw) {
  std::mt19937 random(seed);
  for (;;) {
    ContactCase c = draw(random);
    if (std::any_of(c.problem.laws.begin(), c.problem.laws.end(),
                    [](const ImpulseLaw& law) { return law.coefficient > 0.0; })) {
      c.name += " " + std::to_string(seed);
      return c;
    }
  }
}

ContactCase draw_scene(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const bool planar = random() % 2 == 0;
  const double unit = std::pow(10.0, 6.0 * uniform(random));
  const int bodies = 1 + static_cast<int>(random() % 6);
  const int contacts = 1 + static_cast<int>(random() % 14);
  ContactScene scene(planar);
  std::vector<Vector3> centres;
  const auto flat = [&](Vector3 x) {
    if (planar) x.z() = 0.0;
    return x;
  };
  for (int i = 0; i < bodies; ++i) {
    const double mass = unit * std::pow(10.0, uniform(random));
    centres.push_back(flat(random_vector(random)));
    const Vector3 velocity = flat(random_vector(random));
    Vector3 spin = random_vector(random);
    if (planar) spin.head<2>().setZero();
    scene.add_body(mass, 0.4 * mass, centres.back(), velocity, spin);
  }
  for (int i = 0; i < contacts; ++i) {
    const int first = static_cast<int>(random() % static_cast<unsigned>(bodies));
    int second = static_cast<int>(random() % static_cast<unsigned>(bodies + 1)) - 1;
    if (second == first) second = ContactScene::kGround;
    const Vector3 normal = flat(random_vector(random));
    const Vector3 point = centres[static_cast<std::size_t>(first)] - normal.normalized() +
                          0.3 * flat(random_vector(random));
    const double mu = pick(random, {0.0, 0.1, 0.3, 0.3, 0.6, 1.0});
    if (random() % 16 == 0) {
      scene.add_friction(first, second, point, normal, unit * mu);
    } else {
      scene.add_contact(first, second, point, normal, mu);
    }
  }
  return {"random scene", scene.problem(), planar};
}

ContactCase draw_problem(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const bool planar = random() % 2 == 0;
  const int contacts = 1 + static_cast<int>(random() % 10);
  const int freedoms = 3 + static_cast<int>(random() % 30);
  const double unit = std::pow(10.0, 6.0 * uniform(random));
  Matrix J = Matrix::Zero(3 * contacts, freedoms);
  Vector mobility(freedoms), velocity(freedoms);
  for (int k = 0; k < freedoms; ++k) {
    mobility(k) = std::pow(10.0, uniform(random)) / unit;
    velocity(k) = uniform(random);
  }
  std::vector<ImpulseLaw> laws;
  for (int i = 0; i < contacts; ++i) {
    for (int k = 0; k < (planar ? 2 : 3); ++k)
      for (int entry = 0; entry < 4; ++entry)
        J(3 * i + k, static_cast<int>(random() % static_cast<unsigned>(freedoms))) =
            uniform(random);
    laws.push_back({ContactKind::kContact, pick(random, {0.0, 0.1, 0.3, 0.7, 1.0, 3.0})});
  }
  return {"random problem",
          make_problem(J * mobility.asDiagonal() * J.transpose(), J * velocity, laws), planar};
}

}  // namespace

ContactCase random_scene(unsigned seed) {
  return with_friction(seed, draw_scene);
}

ContactCase random_problem(unsigned seed) {
  return with_friction(seed, draw_problem);
}

}  // namespace picus::testing
