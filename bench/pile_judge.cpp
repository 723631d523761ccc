// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>

#include "bench/pile_engine.h"
#include "picus/collision/ball_pairs.h"
#include "picus/elements/ball_contact.h"
#include "picus/solvers/contact_problem.h"

namespace picus::bench {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

PileJudge::PileJudge(const problems::Pile& pile)
    : pile_(pile), balls_(pile.start()), walls_(pile.walls()) {}

void PileJudge::look_before(const PileEngine& engine) {
  centres_.clear();
  free_.clear();
  turns_before_.clear();
  const double h = engine.next_step();
  for (int i = 0; i < pile_.balls; ++i) {
    centres_.push_back(engine.centre(i) + engine.looks_ahead() * h * engine.velocity(i));
    free_.push_back(engine.velocity(i) - h * pile_.gravity * pile_.up());
    turns_before_.push_back(engine.turn(i));
  }
}

double PileJudge::gap(int ball, int other, const std::vector<Vector3>& centres) const {
  if (other >= 0)
    return (centres[at(ball)] - centres[at(other)]).norm() - balls_[at(ball)].radius -
           balls_[at(other)].radius;
  const auto& [point, normal] = walls_[at(-1 - other)];
  return normal.dot(centres[at(ball)] - point) - balls_[at(ball)].radius;
}

PileJudge::Met PileJudge::met(int ball, int other) const {
  Met met;
  met.arm_j.setZero();
  if (other >= 0) {
    met.normal = (centres_[at(ball)] - centres_[at(other)]).normalized();
    met.arm_j = balls_[at(other)].radius * met.normal;
  } else {
    met.normal = walls_[at(-1 - other)].second;
  }
  met.arm_i = -balls_[at(ball)].radius * met.normal;
  return met;
}

Vector3 PileJudge::relative(const Met& met, int ball, int other,
                            const std::vector<Vector3>& velocities,
                            const std::vector<Vector3>& turns) const {
  Vector3 u = velocities[at(ball)] + cross(turns[at(ball)], met.arm_i);
  if (other >= 0) u -= velocities[at(other)] + cross(turns[at(other)], met.arm_j);
  return u;
}

// Contacts are those the engine names and those that overlapped before the step; W is needed on its
// diagonal alone: a ball has no coupling of normal and tangents.
PileJudge::Verdict PileJudge::judge(const PileEngine& engine) {
  Verdict verdict;
  std::vector<Vector3> centres, velocities, turns;
  std::vector<double> radii;
  for (int i = 0; i < pile_.balls; ++i) {
    const problems::Pile::Ball& ball = balls_[at(i)];
    centres.push_back(engine.centre(i));
    velocities.push_back(engine.velocity(i));
    turns.push_back(engine.turn_at_contacts(i));
    radii.push_back(ball.radius);
    verdict.kinetic += 0.5 * ball.mass * velocities.back().squaredNorm() +
                       0.5 * ball.inertia * turns.back().squaredNorm();
  }
  std::map<std::pair<int, int>, Vector3> impulses;
  BallPairs pairs;
  pairs.find(centres_, radii);
  for (const auto& pair : pairs.pairs())
    impulses[pair] = Vector3::Zero();
  const auto walls = static_cast<int>(walls_.size());
  for (int i = 0; i < pile_.balls; ++i)
    for (int k = 0; k < walls; ++k)
      if (gap(i, -1 - k, centres_) <= 0.0) impulses[{i, -1 - k}] = Vector3::Zero();
  std::vector<PileContact> said;
  engine.contacts(said);
  for (const PileContact& c : said) {
    const bool is_turned = c.other >= 0 && c.other < c.ball;
    const std::pair key = is_turned ? std::pair(c.other, c.ball) : std::pair(c.ball, c.other);
    if (!impulses.contains(key)) impulses[key] = Vector3::Zero();
    impulses[key] += is_turned ? Vector3(-c.impulse) : c.impulse;
  }
  double worst = 0.0, fastest = 0.0;
  for (const auto& [pair, impulse] : impulses) {
    const auto [i, j] = pair;
    const Met here = met(i, j);
    double normal = 1.0 / balls_[at(i)].mass, tangential = normal;
    tangential += balls_[at(i)].radius * balls_[at(i)].radius / balls_[at(i)].inertia;
    if (j >= 0) {
      normal += 1.0 / balls_[at(j)].mass;
      tangential += 1.0 / balls_[at(j)].mass +
                    balls_[at(j)].radius * balls_[at(j)].radius / balls_[at(j)].inertia;
    }
    ContactProblem one;
    one.W.begin(1);
    one.W.add_block(0, 0, Vector3(normal, tangential, tangential).asDiagonal());
    one.W.end();
    one.laws = {{ContactKind::kContact, pile_.friction}};
    const Vector3 axis = Vector3::Unit([&] {
      int least = 0;
      here.normal.cwiseAbs().minCoeff(&least);
      return least;
    }());
    Matrix3 frame;
    frame << here.normal, rows::tangent(here.normal, axis, 0), rows::tangent(here.normal, axis, 1);
    const Vector3 u = frame.transpose() * relative(here, i, j, velocities, turns);
    const Vector3 b = frame.transpose() * relative(here, i, j, free_, turns_before_);
    const Vector3 p = frame.transpose() * impulse;
    worst = std::max(worst, contact_violation(one, 0, p, u));
    fastest = std::max(fastest, b.cwiseAbs().maxCoeff());
    verdict.contacts += p(0) > 0.0 ? 1 : 0;
  }
  verdict.residual = fastest > 0.0 ? worst / fastest : 0.0;
  double deepest = 0.0;
  pairs.find(centres, radii);
  for (const auto& [i, j] : pairs.pairs())
    deepest = std::min(deepest, gap(i, j, centres));
  for (int i = 0; i < pile_.balls; ++i)
    for (int k = 0; k < walls; ++k)
      deepest = std::min(deepest, gap(i, -1 - k, centres));
  verdict.penetration = -deepest / pile_.radius;
  return verdict;
}

}  // namespace picus::bench
