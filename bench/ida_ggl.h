// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include <Eigen/Core>

#include "bench/ida_memory.h"

namespace picus::bench {

using VectorMap = Eigen::Map<const Eigen::VectorXd>;

/// A mechanism with constant mass and force whose constraints g(q) have no mixed second
/// derivatives: all that the GGL form and its exact Jacobian need, written by hand for IDA so that
/// it does not pay for our generality.
struct HandMechanism {
  Eigen::VectorXd mass;  ///< the diagonal of M
  Eigen::VectorXd force;
  int constraints = 0;
  std::function<void(const VectorMap& q, Eigen::Ref<Eigen::VectorXd> g)> constraint;
  /// Writes the entries of G that are not zero; the rest has been cleared.
  std::function<void(const VectorMap& q, Eigen::MatrixXd& G)> jacobian;
  /// The same for C(k, i) = ∂²g_k/∂q_i².
  std::function<void(const VectorMap& q, Eigen::MatrixXd& C)> curvature;
};

HandMechanism pendulum_by_hand();
HandMechanism slider_crank_by_hand();

struct IdaOptions {
  double tolerance = 1e-6;  ///< relative and absolute
  /// Multipliers are left out of the local error test in any case; this takes them out of the
  /// convergence test of Newton's iteration, too, by a generous absolute tolerance.
  bool ignore_multipliers = false;
  long most_steps = 1'000'000;
};

struct IdaResult {
  Eigen::VectorXd position, velocity;
  IdaCounts counts;
};

/// SUNDIALS IDA on the form of Gear, Gupta and Leimkuhler,
///   q̇ = v + Gᵀ μ,  M v̇ = f + Gᵀ λ,  0 = g,  0 = G v,
/// dense, exact Jacobian, from consistent initial values (μ = 0) to `end`.
IdaResult run_ida(const HandMechanism& mechanism, const Eigen::VectorXd& q,
                  const Eigen::VectorXd& v, const Eigen::VectorXd& vdot,
                  const Eigen::VectorXd& lambda, double end, const IdaOptions& options);

}  // namespace picus::bench
