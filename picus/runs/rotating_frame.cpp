// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/rotating_frame.h"

#include <cmath>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/math/rotation.h"
#include "picus/runs/names.h"

namespace picus {
namespace {

constexpr double kTurns = 1e-6;  // of rates and forces, relative to the largest

void put(const SparseMatrix& from, SparseMatrix& to) {
  to.begin(from.rows(), from.cols());
  from.for_each([&](int row, int col, double value) { to.add(row, col, value); });
  to.end();
}

}  // namespace

RotatingFrame::RotatingFrame(const System& full, const Bodies& bodies, const Vector3& spin)
    : full_(full), bodies_(bodies), spin_(spin) {
  int own = 0;
  for (int b = 1; b < bodies.size(); ++b) {
    for (const int velocity : bodies[b].velocity)
      own += velocity >= 0 ? 1 : 0;
    const BodyKind kind = bodies[b].kind;
    if ((kind == BodyKind::kPlanar || kind == BodyKind::kPlanarPoint) && spin.head<2>().norm() > 0)
      throw InputError("a planar model turns about z: give one angular velocity");
  }
  if (own != bodies.velocities() || bodies.has_carried())
    throw InputError("bars move along lines that do not turn with a rotating frame; take beams");
  if (full.sizes().nonholonomic > 0)
    throw InputError("equilibria and modes in a rotating frame are not defined with rolling");
}

void RotatingFrame::find_rows(const Vector& q) const {
  rows_.resize(static_cast<std::size_t>(bodies_.velocities()));
  const Matrix3 w = skew(spin_), ww = w * w;
  for (int b = 1; b < bodies_.size(); ++b) {
    const auto& places = bodies_[b].velocity;
    const Matrix3 seen = skew(Vector3(bodies_.pose(b, q).A.transpose() * spin_));
    for (int k = 0; k < 3; ++k) {
      if (const int v = places[static_cast<std::size_t>(k)]; v >= 0)
        rows_[static_cast<std::size_t>(v)] = {{places[0], places[1], places[2]},
                                              w.row(k).transpose(),
                                              ww.row(k).transpose(),
                                              2.0 * w.row(k).transpose()};
      if (const int v = places[static_cast<std::size_t>(k) + 3]; v >= 0)
        rows_[static_cast<std::size_t>(v)] = {{places[3], places[4], places[5]},
                                              seen.row(k).transpose(),
                                              Vector3::Zero(),
                                              seen.row(k).transpose()};
    }
  }
}

// v_s and a_s.
void RotatingFrame::find_steady(const Vector& q, Vector& v, Vector& a) const {
  v.setZero(bodies_.velocities());
  a.setZero(bodies_.velocities());
  for (int b = 1; b < bodies_.size(); ++b) {
    const Pose<double> pose = bodies_.pose(b, q);
    const Vector3 moves = cross(spin_, pose.r), falls = cross(spin_, moves),
                  turns = pose.A.transpose() * spin_;
    for (int k = 0; k < 3; ++k) {
      if (const int place = bodies_[b].velocity[static_cast<std::size_t>(k)]; place >= 0) {
        v(place) = moves(k);
        a(place) = falls(k);
      }
      if (const int place = bodies_[b].velocity[static_cast<std::size_t>(k) + 3]; place >= 0)
        v(place) = turns(k);
    }
  }
}

void RotatingFrame::to_space(const State& s, State& space) const {
  space = s;
  find_steady(s.position, scratch_v_, scratch_a_);
  find_rows(s.position);
  space.velocity += scratch_v_;
  space.acceleration += scratch_a_;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (const int col = rows_[i].columns[static_cast<std::size_t>(k)]; col >= 0)
        space.acceleration(static_cast<int>(i)) += rows_[i].coriolis(k) * s.velocity(col);
}

// M u̇ = F − M (C u + a_s)
void RotatingFrame::force(const State& s, Vector& F) const {
  State rest = s;
  rest.acceleration.setZero(s.velocity.size());
  to_space(rest, space_);
  full_.force(space_, F);
  full_.mass_matrix(space_, M_);
  M_.multiply_add(-1.0, space_.acceleration, F);
}

void RotatingFrame::combine(const SparseMatrix& plain, const SparseMatrix& B, Vector3 Row::*of_B,
                            const SparseMatrix& also, Vector3 Row::*of_also,
                            SparseMatrix& to) const {
  to.begin(plain.rows(), plain.cols());
  plain.for_each([&](int row, int col, double value) { to.add(row, col, value); });
  const auto add = [&](const SparseMatrix& left, Vector3 Row::*kind) {
    left.for_each([&](int row, int middle, double value) {
      const Row& right = rows_[static_cast<std::size_t>(middle)];
      for (int k = 0; k < 3; ++k)
        if (const int col = right.columns[static_cast<std::size_t>(k)]; col >= 0)
          to.add(row, col, value * (right.*kind)(k));
    });
  };
  add(B, of_B);
  add(also, of_also);
  to.end();
}

void RotatingFrame::momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                                     SparseMatrix& D) const {
  to_space(s, space_);
  full_.momentum_tangent(space_, chart, K_, D_);
  full_.mass_matrix(space_, M_);
  none_.begin(M_.rows(), M_.cols());
  none_.end();
  combine(K_, D_, &Row::turn, M_, &Row::pull, K);
  combine(D_, M_, &Row::coriolis, none_, &Row::turn, D);
}

void RotatingFrame::constraint_velocity(const State& s, Vector& rate) const {
  to_space(s, space_);
  full_.constraint_velocity(space_, rate);
}

void RotatingFrame::constraint_acceleration(const State& s, Vector& acceleration) const {
  to_space(s, space_);
  full_.constraint_acceleration(space_, acceleration);
}

void RotatingFrame::constraint_acceleration_tangent(const State& s, const Chart& chart,
                                                    SparseMatrix& along_position,
                                                    SparseMatrix& along_velocity) const {
  to_space(s, space_);
  SparseMatrix G;
  full_.constraint_acceleration_tangent(space_, chart, K_, D_);
  full_.constraint_jacobian(space_, G);
  none_.begin(G.rows(), G.cols());
  none_.end();
  combine(K_, D_, &Row::turn, G, &Row::pull, along_position);
  combine(D_, G, &Row::coriolis, none_, &Row::turn, along_velocity);
}

void RotatingFrame::multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                                       SparseMatrix& along_nonholonomic) const {
  to_space(s, space_);
  full_.multiplier_tangent(space_, along_multiplier, along_nonholonomic);
}

void RotatingFrame::control(const State& s, Vector& d) const {
  to_space(s, space_);
  full_.control(space_, d);
}

void RotatingFrame::control_tangent(const State& s, const Chart& chart,
                                    ControlTangent& tangent) const {
  to_space(s, space_);
  full_.control_tangent(space_, chart, control_);
  put(control_.rate, tangent.rate);
  put(control_.control, tangent.control);
  put(control_.acceleration, tangent.acceleration);
  put(control_.multiplier, tangent.multiplier);
  put(control_.force, tangent.force);
  none_.begin(control_.velocity.rows(), control_.velocity.cols());
  none_.end();
  combine(control_.position, control_.velocity, &Row::turn, control_.acceleration, &Row::pull,
          tangent.position);
  combine(control_.velocity, control_.acceleration, &Row::coriolis, none_, &Row::turn,
          tangent.velocity);
}

// The applied forces must be those of the mechanism turned by 1 rad, turned with it.
void RotatingFrame::check(const State& s) const {
  State rest = s;
  rest.velocity.setZero();
  rest.multiplier.setZero();
  Vector rate;
  constraint_velocity(rest, rate);
  find_steady(rest.position, scratch_v_, scratch_a_);
  int worst = 0;
  if (rate.size() > 0 && rate.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&worst) >
                             kTurns * std::max(1e-9, max_abs(scratch_v_)))
    throw InputError(
        fmt::format("{} does not turn with the frame: it holds what should move at {:.3g}; let it "
                    "turn freely about the axis, or drive it at that speed",
                    full_.name_of(Equation::kConstraint, worst), std::abs(rate(worst))));
  Vector before, after;
  force(rest, before);
  const Matrix3 turn = rotation_matrix(quaternion_of(Vector3(spin_.normalized())));
  State turned = rest;
  for (int b = 1; b < bodies_.size(); ++b) {
    Pose<double> pose = bodies_.pose(b, rest.position);
    pose.r = turn * pose.r;
    pose.A = turn * pose.A;
    pose.angle += spin_(2) > 0.0 ? 1.0 : -1.0;
    bodies_.place(b, pose, turned.position);
  }
  force(turned, after);
  for (int b = 1; b < bodies_.size(); ++b) {
    const Vector6 is = bodies_.entries(b, after), was = bodies_.entries(b, before);
    Vector6 wanted = was;
    wanted.head<3>() = turn * was.head<3>();
    if ((is - wanted).cwiseAbs().maxCoeff() >
        kTurns * std::max({max_abs(before), max_abs(after), 1e-9}))
      throw InputError(fmt::format(
          "a force on {} does not turn with the frame: weight across its axis, or a spring to the "
          "ground away from it",
          bodies_[b].name));
  }
}

}  // namespace picus
