// SPDX-License-Identifier: BSD-3-Clause
#include "bench/ida_system.h"

#include "picus/base/contract.h"
#include "picus/math/block_matrix.h"
#include "picus/math/rotation.h"

namespace picus::bench {
namespace {

using Map = Eigen::Map<Vector>;
using ConstMap = Eigen::Map<const Vector>;

constexpr long kMostSteps = 10'000'000;

enum Block { kPosition, kVelocity, kMultiplier, kCorrection };

/// T(q) and its inverse: plain coordinates are their own tangents, quaternions are not.
class Kinematics {
 public:
  Kinematics(const SystemSizes& sizes, const std::vector<int>& quaternions) {
    int position = 0, velocity = 0;
    const auto plain_until = [&](int end) {
      while (position < end)
        plain_.push_back({position++, velocity++});
    };
    for (const int first : quaternions) {
      plain_until(first);
      turning_.push_back({first, velocity});
      position += 4;
      velocity += 3;
    }
    plain_until(sizes.positions);
    expects(velocity == sizes.velocities, "a system whose quaternions are all listed");
  }

  /// rate = T(q) u
  void rates(const Vector& q, const Vector& u, Vector& rate) const {
    for (const BodyIndices& body : plain_)
      rate(body.position) = u(body.velocity);
    for (const BodyIndices& body : turning_)
      rate.segment<4>(body.position) = half_product(q, u.segment<3>(body.velocity), body);
  }

  void normalize(Vector& q) const {
    for (const BodyIndices& body : turning_)
      q.segment<4>(body.position).normalize();
  }

  /// Components of x, one number per position, along the tangents at q; lengths are left out.
  void reduce(const Vector& q, const Vector& x, Vector& tangent) const {
    for (const BodyIndices& body : plain_)
      tangent(body.velocity) = x(body.position);
    for (const BodyIndices& body : turning_) {
      Quaternion conjugate = -q.segment<4>(body.position);
      conjugate(0) = -conjugate(0);
      tangent.segment<3>(body.velocity) =
          2.0 * quaternion_product(conjugate, x.segment<4>(body.position)).tail<3>();
    }
  }

  /// The inverse: x = T(q) tangent, and what x held along q itself times `along`.
  void expand(const Vector& q, const Vector& tangent, double along, Vector& x) const {
    for (const BodyIndices& body : plain_)
      x(body.position) = tangent(body.velocity);
    for (const BodyIndices& body : turning_) {
      const Quaternion p = q.segment<4>(body.position);
      const Quaternion radial = along * p.dot(x.segment<4>(body.position)) * p;
      x.segment<4>(body.position) =
          half_product(q, tangent.segment<3>(body.velocity), body) + radial;
    }
  }

  /// The derivative of −T(q) u along the tangents, seen in the tangents: ½ u ×.
  void turning_tangent(const Vector& u, int size, SparseMatrix& result) const {
    result.begin(size, size);
    for (const BodyIndices& body : turning_) {
      const int k = body.velocity;
      const Matrix3 half = 0.5 * skew(u.segment<3>(k));
      const std::array indices{k, k + 1, k + 2};
      result.add_block(indices, indices, half);
    }
    result.end();
  }

  bool is_flat() const { return turning_.empty(); }

 private:
  struct BodyIndices {
    int position, velocity;
  };

  static Quaternion half_product(const Vector& q, const Vector3& omega, const BodyIndices& body) {
    Quaternion turn;
    turn << 0.0, 0.5 * omega;
    return quaternion_product(q.segment<4>(body.position), turn);
  }

  std::vector<BodyIndices> plain_, turning_;
};

/// The equations at IDA's unknowns y = (q, v, λ, μ).
struct Equations {
  const System& system;
  Kinematics kinematics;
  int nq, nv, nc;
  State s, corrected;  ///< `corrected` holds μ in place of λ, without accelerations
  Vector F, g, zero, u, rate, rhs, full, linearized_at;
  SparseMatrix M, K, D, G, Gv, C, turning, unused, one;
  BlockMatrix A;
  double cj = 1.0;

  Equations(const System& of, const State& start, const std::vector<int>& quaternions)
      : system(of),
        kinematics(of.sizes(), quaternions),
        nq(of.sizes().positions),
        nv(of.sizes().velocities),
        nc(of.sizes().constraints),
        s(start),
        corrected(start),
        zero(Vector::Zero(nv)),
        u(nv),
        rate(nq),
        rhs(2 * (nv + nc)),
        full(nq),
        one(SparseMatrix::identity(nv)) {
    corrected.acceleration.setZero();
    A.reset({nv, nv, nc, nc});
  }

  int size() const { return nq + nv + 2 * nc; }

  void set(double t, N_Vector y, N_Vector yp) {
    const ConstMap now(N_VGetArrayPointer(y), size()), rates(N_VGetArrayPointer(yp), size());
    s.time = corrected.time = t;
    full = now.head(nq);
    s.position = full;
    kinematics.normalize(s.position);
    corrected.position = s.position;
    s.velocity = corrected.velocity = now.segment(nq, nv);
    s.multiplier = now.segment(nq + nv, nc);
    s.acceleration = rates.segment(nq, nv);
    corrected.multiplier = now.tail(nc);
  }

  /// G and u = v + Gᵀ μ.
  void correct_velocity() {
    system.constraint_jacobian(s, G);
    u = s.velocity;
    G.multiply_transposed_add(1.0, corrected.multiplier, u);
  }

  void residual(N_Vector yp, N_Vector r) {
    const ConstMap rates(N_VGetArrayPointer(yp), size());
    Map out(N_VGetArrayPointer(r), size());
    correct_velocity();
    kinematics.rates(full, u, rate);
    out.head(nq) = rates.head(nq) - rate;
    system.force(s, F);
    u = -F;
    system.mass_matrix(s, M);
    M.multiply_add(1.0, s.acceleration, u);
    out.segment(nq, nv) = u;
    system.constraint(s, g);
    out.segment(nq + nv, nc) = g;
    system.constraint_velocity(s, g);
    out.tail(nc) = g;
  }

  void jacobian(double of_rates) {
    cj = of_rates;
    const Chart chart{s.position, zero};
    correct_velocity();
    system.mass_matrix(s, M);
    system.momentum_tangent(s, chart, K, D);
    system.constraint_velocity_tangent(s, chart, Gv);
    system.correction_tangent(corrected, chart, C, unused);
    A.begin();
    A.add(kPosition, kPosition, cj, one);
    A.add(kPosition, kPosition, 1.0, C);
    if (!kinematics.is_flat()) {
      kinematics.turning_tangent(u, nv, turning);
      A.add(kPosition, kPosition, 1.0, turning);
    }
    A.add(kPosition, kVelocity, -1.0, one);
    A.add(kPosition, kCorrection, -1.0, G, Transposed::kYes);
    A.add(kVelocity, kPosition, 1.0, K);
    A.add(kVelocity, kVelocity, cj, M);
    A.add(kVelocity, kVelocity, 1.0, D);
    A.add(kVelocity, kMultiplier, -1.0, G, Transposed::kYes);
    A.add(kMultiplier, kPosition, 1.0, G);
    A.add(kCorrection, kPosition, 1.0, Gv);
    A.add(kCorrection, kVelocity, 1.0, G);
    linearized_at = s.position;
  }

  /// Along a quaternion the equations say cj δq = b, apart from all others.
  void solve(Map b) {
    full = b.head(nq);
    kinematics.reduce(linearized_at, full, u);
    rhs << u, b.tail(nv + 2 * nc);
    A.solve(rhs);
    u = rhs.head(nv);
    kinematics.expand(linearized_at, u, 1.0 / cj, full);
    b << full, rhs.tail(nv + 2 * nc);
  }
};

int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* data) {
  Equations& equations = *static_cast<Equations*>(data);
  equations.set(t, y, yp);
  equations.residual(yp, r);
  return 0;
}

int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix, void* data,
             N_Vector, N_Vector, N_Vector) {
  Equations& equations = *static_cast<Equations*>(data);
  equations.set(t, y, yp);
  equations.jacobian(cj);
  return 0;
}

// A matrix and a solver for SUNDIALS that stand for those of the equations.

SUNMatrix_ID matrix_id(SUNMatrix) {
  return SUNMATRIX_CUSTOM;
}
int matrix_zero(SUNMatrix) {
  return 0;
}
SUNLinearSolver_Type solver_type(SUNLinearSolver) {
  return SUNLINEARSOLVER_DIRECT;
}
int solver_setup(SUNLinearSolver solver, SUNMatrix) {
  return static_cast<Equations*>(solver->content)->A.factorize() ? 0 : 1;
}
int solver_free(SUNLinearSolver solver) {
  SUNLinSolFreeEmpty(solver);
  return 0;
}
int solver_solve(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype) {
  Equations& equations = *static_cast<Equations*>(solver->content);
  Map result(N_VGetArrayPointer(x), equations.size());
  result = ConstMap(N_VGetArrayPointer(b), equations.size());
  equations.solve(result);
  return 0;
}

void use_equations(IdaMemory& memory, Equations& equations) {
  SUNMatrix A = SUNMatNewEmpty(memory.context());
  A->ops->getid = matrix_id;
  A->ops->zero = matrix_zero;
  A->ops->destroy = SUNMatFreeEmpty;
  SUNLinearSolver solver = SUNLinSolNewEmpty(memory.context());
  solver->ops->gettype = solver_type;
  solver->ops->setup = solver_setup;
  solver->ops->solve = solver_solve;
  solver->ops->free = solver_free;
  solver->content = &equations;
  memory.use(A, solver);
}

Vector absolute_tolerances(const Equations& equations, const IdaSettings& settings) {
  const int nq = equations.nq, nv = equations.nv;
  const auto is_angle = [&](int i) { return equations.system.unit_of(i) == Unit::kAngle; };
  Vector of_positions(nv), spread = Vector::Zero(nq);
  Vector result = Vector::Constant(equations.size(), 1e6);  // multipliers do not matter
  for (int i = 0; i < nv; ++i) {
    of_positions(i) = is_angle(i) ? 1.0 : settings.length;
    result(nq + i) = settings.tolerance * (is_angle(i) ? settings.spin : settings.speed);
  }
  equations.kinematics.rates(spread, of_positions, spread);
  for (int i = 0; i < nq; ++i)  // the components of a quaternion are angles
    result(i) = settings.tolerance * (spread(i) > 0.0 ? spread(i) : 1.0);
  return result;
}

}  // namespace

IdaCounts run_ida(const System& system, const State& start, const std::vector<double>& times,
                  const IdaSettings& settings, const std::function<void(const State&)>& sample) {
  Equations equations(system, start, settings.quaternions);
  const int nq = equations.nq, nv = equations.nv, nc = equations.nc;
  IdaMemory memory(equations.size());
  use_equations(memory, equations);
  memory.y() << start.position, start.velocity, start.multiplier, Vector::Zero(nc);
  Vector rate(nq);
  equations.kinematics.rates(start.position, start.velocity, rate);
  memory.yp() << rate, start.acceleration, Vector::Zero(2 * nc);
  memory.in_error_test().setZero();
  memory.in_error_test().head(settings.control_velocity ? nq + nv : nq).setOnes();
  memory.absolute_tolerances() = absolute_tolerances(equations, settings);
  memory.start({residual, jacobian, &equations}, start.time, times.back(), settings.tolerance,
               kMostSteps);

  State seen = start;
  for (const double time : times) {
    double reached = time;
    if (time > start.time && !memory.advance(time, reached)) break;
    seen.time = reached;
    seen.position = memory.y().head(nq);
    equations.kinematics.normalize(seen.position);
    seen.velocity = memory.y().segment(nq, nv);
    seen.multiplier = memory.y().segment(nq + nv, nc);
    seen.acceleration = memory.yp().segment(nq, nv);
    sample(seen);
  }
  return memory.counts();
}

}  // namespace picus::bench
