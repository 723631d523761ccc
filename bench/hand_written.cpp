// SPDX-License-Identifier: BSD-3-Clause
#include "bench/hand_written.h"

#include <cmath>
#include <numbers>

#include <Eigen/LU>

namespace picus::bench {
namespace {

using Vec3 = Eigen::Vector3d;
using Vec5 = Eigen::Matrix<double, 5, 1>;
using Mat5 = Eigen::Matrix<double, 5, 5>;

constexpr double kMass = 1.0, kInertia = 0.1, kLength = 1.0, kGravity = -10.0;
constexpr double kRho = 0.8, kTolerance = 1e-10;

struct Pendulum {
  Vec3 q, v, vdot, a;  // a is the shifted acceleration
  Eigen::Vector2d lambda;
};

Pendulum start() {
  constexpr double kRate = 10.0, kAngle = std::numbers::pi / 6.0;
  const double c = std::cos(kAngle), s = std::sin(kAngle), w2 = kRate * kRate;
  const double alpha = kMass * kGravity * kLength * c / (kInertia + kMass * kLength * kLength);
  Pendulum p;
  p.q << kLength * c, kLength * s, kAngle;
  p.v << -kLength * s * kRate, kLength * c * kRate, kRate;
  p.vdot << kLength * (-s * alpha - c * w2), kLength * (c * alpha - s * w2), alpha;
  p.a = p.vdot;
  p.lambda << kMass * p.vdot(0), kMass * (p.vdot(1) - kGravity);
  return p;
}

}  // namespace

double hand_written_pendulum(double h, int steps) {
  const double alpha_m = (2.0 * kRho - 1.0) / (kRho + 1.0), alpha_f = kRho / (kRho + 1.0);
  const double gamma = 0.5 + alpha_f - alpha_m;
  const double beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
  const double gain = (1.0 - alpha_f) / (1.0 - alpha_m);
  const double dq = h * h * beta * gain, dv = h * gamma * gain;
  const Vec3 mass(kMass, kMass, kInertia);

  Pendulum p = start();
  Vec5 x, before;
  x << p.vdot, p.lambda;
  before = x;
  Eigen::PartialPivLU<Mat5> lu;
  for (int n = 0; n < steps; ++n) {
    const Vec3 free_a = (alpha_f * p.vdot - alpha_m * p.a) / (1.0 - alpha_m);
    const Vec3 free_q = p.q + h * p.v + h * h * ((0.5 - beta) * p.a + beta * free_a);
    const Vec3 free_v = p.v + h * ((1.0 - gamma) * p.a + gamma * free_a);
    const Vec5 guess = 2.0 * x - before;
    before = x;
    x = n > 1 ? guess : x;
    double last = -1.0;
    for (int iteration = 0; iteration < 30; ++iteration) {
      const Vec3 q = free_q + dq * x.head<3>();
      const double c = kLength * std::cos(q(2)), s = kLength * std::sin(q(2));
      Vec5 r;
      r << mass.cwiseProduct(x.head<3>()), (q(0) - c) / dq, (q(1) - s) / dq;
      r(0) -= x(3);
      r(1) -= kMass * kGravity + x(4);
      r(2) -= s * x(3) - c * x(4);
      if (iteration == 0) {  // one matrix a step, as the library by default
        Mat5 A = Mat5::Zero();
        A.diagonal().head<3>() = mass;
        A(2, 2) -= dq * (c * x(3) + s * x(4));
        A(0, 3) = A(1, 4) = -1.0;
        A(2, 3) = -s;
        A(2, 4) = c;
        A(3, 0) = A(4, 1) = 1.0;
        A(3, 2) = s;
        A(4, 2) = -c;
        lu.compute(A);
      }
      const Vec5 correction = lu.solve(r);
      x -= correction;
      const double size =
          std::max(correction.head<3>().lpNorm<Eigen::Infinity>() /
                       x.head<3>().lpNorm<Eigen::Infinity>(),
                   correction.tail<2>().lpNorm<Eigen::Infinity>() / x.lpNorm<Eigen::Infinity>()) /
          kTolerance;
      const double rate = size / last;
      if (size <= 1.0 || (last > 0.0 && rate < 1.0 && rate / (1.0 - rate) * size <= 1.0)) break;
      last = size;
    }
    p.q = free_q + dq * x.head<3>();
    p.v = free_v + dv * x.head<3>();
    p.vdot = x.head<3>();
    p.a = free_a + gain * p.vdot;
    p.lambda = x.tail<2>();
  }
  return p.q(2);
}

}  // namespace picus::bench
