// SPDX-License-Identifier: BSD-3-Clause
#include "bench/ida_ggl.h"

#include <cmath>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "studies/problems/pendulum.h"
#include "studies/problems/slider_crank.h"

namespace picus::bench {
namespace {

using Map = Eigen::Map<Eigen::VectorXd>;

struct Context {
  const HandMechanism& mechanism;
  Eigen::MatrixXd G, C;

  explicit Context(const HandMechanism& m)
      : mechanism(m), G(m.constraints, m.mass.size()), C(m.constraints, m.mass.size()) {}
};

// The four parts of the unknowns.
struct Parts {
  VectorMap q, v, lambda, mu;

  Parts(N_Vector y, Eigen::Index nv, Eigen::Index nc)
      : q(N_VGetArrayPointer(y), nv),
        v(q.data() + nv, nv),
        lambda(v.data() + nv, nc),
        mu(lambda.data() + nc, nc) {}
};

int residual(realtype, N_Vector y, N_Vector yp, N_Vector r, void* data) {
  Context& context = *static_cast<Context*>(data);
  const HandMechanism& m = context.mechanism;
  const auto nv = m.mass.size();
  const Eigen::Index nc = m.constraints;
  const Parts now(y, nv, nc), rate(yp, nv, nc);
  Eigen::MatrixXd& G = context.G;
  G.setZero();
  m.jacobian(now.q, G);
  Map out(N_VGetArrayPointer(r), 2 * (nv + nc));
  out.head(nv) = rate.q - now.v;
  out.head(nv).noalias() -= G.transpose() * now.mu;
  out.segment(nv, nv) = m.mass.cwiseProduct(rate.v) - m.force;
  out.segment(nv, nv).noalias() -= G.transpose() * now.lambda;
  m.constraint(now.q, out.segment(2 * nv, nc));
  out.tail(nc).noalias() = G * now.v;
  return 0;
}

int jacobian(realtype, realtype cj, N_Vector y, N_Vector, N_Vector, SUNMatrix J, void* data,
             N_Vector, N_Vector, N_Vector) {
  Context& context = *static_cast<Context*>(data);
  const HandMechanism& m = context.mechanism;
  const auto nv = m.mass.size();
  const Eigen::Index nc = m.constraints, n = 2 * (nv + nc);
  const Parts now(y, nv, nc);
  Eigen::MatrixXd &G = context.G, &C = context.C;
  G.setZero();
  C.setZero();
  m.jacobian(now.q, G);
  m.curvature(now.q, C);
  Eigen::Map<Eigen::MatrixXd> A(SUNDenseMatrix_Data(J), n, n);  // cleared by IDA
  A.topLeftCorner(nv, nv).diagonal() = -C.transpose() * now.mu;
  A.topLeftCorner(nv, nv).diagonal().array() += cj;
  A.block(0, nv, nv, nv).diagonal().array() = -1.0;
  A.block(0, 2 * nv + nc, nv, nc) = -G.transpose();
  A.block(nv, 0, nv, nv).diagonal() = -C.transpose() * now.lambda;
  A.block(nv, nv, nv, nv).diagonal() = cj * m.mass;
  A.block(nv, 2 * nv, nv, nc) = -G.transpose();
  A.block(2 * nv, 0, nc, nv) = G;
  A.block(2 * nv + nc, 0, nc, nv) = C * now.v.asDiagonal();
  A.block(2 * nv + nc, nv, nc, nv) = G;
  return 0;
}

constexpr double kGenerous = 1e6;  // absolute tolerance of a multiplier that does not matter

}  // namespace

HandMechanism pendulum_by_hand() {
  const problems::Pendulum p;
  HandMechanism m;
  m.mass = Eigen::Vector3d(p.mass_, p.mass_, p.inertia);
  m.force = Eigen::Vector3d(0.0, p.mass_ * p.gravity, 0.0);
  m.constraints = 2;
  m.constraint = [p](const VectorMap& q, Eigen::Ref<Eigen::VectorXd> g) {
    g(0) = q(0) - p.length * std::cos(q(2));
    g(1) = q(1) - p.length * std::sin(q(2));
  };
  m.jacobian = [p](const VectorMap& q, Eigen::MatrixXd& G) {
    G(0, 0) = G(1, 1) = 1.0;
    G(0, 2) = p.length * std::sin(q(2));
    G(1, 2) = -p.length * std::cos(q(2));
  };
  m.curvature = [p](const VectorMap& q, Eigen::MatrixXd& C) {
    C(0, 2) = p.length * std::cos(q(2));
    C(1, 2) = p.length * std::sin(q(2));
  };
  return m;
}

HandMechanism slider_crank_by_hand() {
  const problems::SliderCrank p;
  const double a = 0.5 * p.crank, b = 0.5 * p.rod;
  HandMechanism m;
  m.mass.resize(9);
  m.mass << p.m1, p.m1, p.m1 * p.crank * p.crank / 12.0, p.m2, p.m2, p.m2 * p.rod * p.rod / 12.0,
      p.m3, p.m3, p.J3;
  m.force.resize(9);
  m.force << 0.0, -p.m1 * p.g, 0.0, 0.0, -p.m2 * p.g, 0.0, 0.0, -p.m3 * p.g, 0.0;
  m.constraints = 8;
  m.constraint = [a, b](const VectorMap& q, Eigen::Ref<Eigen::VectorXd> g) {
    const double c1 = std::cos(q(2)), s1 = std::sin(q(2));
    const double c2 = std::cos(q(5)), s2 = std::sin(q(5));
    g << q(0) - a * c1, q(1) - a * s1, q(0) + a * c1 - q(3) + b * c2, q(1) + a * s1 - q(4) + b * s2,
        q(3) + b * c2 - q(6), q(4) + b * s2 - q(7), q(7), q(8);
  };
  m.jacobian = [a, b](const VectorMap& q, Eigen::MatrixXd& G) {
    const double c1 = std::cos(q(2)), s1 = std::sin(q(2));
    const double c2 = std::cos(q(5)), s2 = std::sin(q(5));
    G(0, 0) = G(1, 1) = G(2, 0) = G(3, 1) = G(4, 3) = G(5, 4) = G(6, 7) = G(7, 8) = 1.0;
    G(2, 3) = G(3, 4) = G(4, 6) = G(5, 7) = -1.0;
    G(0, 2) = a * s1;
    G(1, 2) = -a * c1;
    G(2, 2) = -a * s1;
    G(3, 2) = a * c1;
    G(2, 5) = G(4, 5) = -b * s2;
    G(3, 5) = G(5, 5) = b * c2;
  };
  m.curvature = [a, b](const VectorMap& q, Eigen::MatrixXd& C) {
    const double c1 = std::cos(q(2)), s1 = std::sin(q(2));
    const double c2 = std::cos(q(5)), s2 = std::sin(q(5));
    C(0, 2) = a * c1;
    C(1, 2) = a * s1;
    C(2, 2) = -a * c1;
    C(3, 2) = -a * s1;
    C(2, 5) = C(4, 5) = -b * c2;
    C(3, 5) = C(5, 5) = -b * s2;
  };
  return m;
}

IdaResult run_ida(const HandMechanism& mechanism, const Eigen::VectorXd& q,
                  const Eigen::VectorXd& v, const Eigen::VectorXd& vdot,
                  const Eigen::VectorXd& lambda, double end, const IdaOptions& options) {
  const auto nv = q.size();
  const Eigen::Index nc = mechanism.constraints, n = 2 * (nv + nc);
  Context context(mechanism);
  IdaMemory memory(n);
  const SUNMatrix A = SUNDenseMatrix(n, n, memory.context());
  memory.use(A, SUNLinSol_Dense(memory.vector(), A, memory.context()));
  memory.y() << q, v, lambda, Eigen::VectorXd::Zero(nc);
  memory.yp() << v, vdot, Eigen::VectorXd::Zero(2 * nc);
  memory.in_error_test() << Eigen::VectorXd::Ones(2 * nv), Eigen::VectorXd::Zero(2 * nc);
  memory.absolute_tolerances().setConstant(options.tolerance);
  if (options.ignore_multipliers) memory.absolute_tolerances().tail(2 * nc).setConstant(kGenerous);
  memory.start({residual, jacobian, &context}, 0.0, end, options.tolerance, options.most_steps);
  double reached = 0.0;
  memory.advance(end, reached);
  return {memory.y().head(nv), memory.y().segment(nv, nv), memory.counts()};
}

}  // namespace picus::bench
