// SPDX-License-Identifier: BSD-3-Clause
#include "bench/ida_system.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "picus/math/block_matrix.h"

namespace picus::bench {
namespace {

using Map = Eigen::Map<Vector>;
using ConstMap = Eigen::Map<const Vector>;

enum Block { kPosition, kVelocity, kMultiplier, kCorrection };

/// The equations at IDA's unknowns y = (q, v, λ, μ).
struct Equations {
  const System& system;
  int nv, nc;
  State s, corrected;  ///< `corrected` holds μ in place of λ, without accelerations
  Vector F, g, zero, rhs;
  SparseMatrix M, K, D, G, Gv, C, unused, one;
  BlockMatrix A;

  Equations(const System& of, const State& start)
      : system(of),
        nv(of.sizes().velocities),
        nc(of.sizes().constraints),
        s(start),
        corrected(start),
        zero(Vector::Zero(nv)),
        one(SparseMatrix::identity(nv)) {
    corrected.acceleration.setZero();
    A.reset({nv, nv, nc, nc});
  }

  int size() const { return 2 * (nv + nc); }

  void set(double t, N_Vector y, N_Vector yp) {
    const ConstMap now(N_VGetArrayPointer(y), size()), rate(N_VGetArrayPointer(yp), size());
    s.time = corrected.time = t;
    s.position = corrected.position = now.head(nv);
    s.velocity = corrected.velocity = now.segment(nv, nv);
    s.multiplier = now.segment(2 * nv, nc);
    s.acceleration = rate.segment(nv, nv);
    corrected.multiplier = now.tail(nc);
  }

  void residual(N_Vector yp, N_Vector r) {
    const ConstMap rate(N_VGetArrayPointer(yp), size());
    Map out(N_VGetArrayPointer(r), size());
    rhs = rate.head(nv) - s.velocity;
    system.constraint_jacobian(s, G);
    G.multiply_transposed_add(-1.0, corrected.multiplier, rhs);
    out.head(nv) = rhs;
    system.force(s, F);
    rhs = -F;
    system.mass_matrix(s, M);
    M.multiply_add(1.0, s.acceleration, rhs);
    out.segment(nv, nv) = rhs;
    system.constraint(s, g);
    out.segment(2 * nv, nc) = g;
    system.constraint_velocity(s, g);
    out.tail(nc) = g;
  }

  void jacobian(double cj) {
    const Chart chart{s.position, zero};
    system.mass_matrix(s, M);
    system.momentum_tangent(s, chart, K, D);
    system.constraint_jacobian(s, G);
    system.constraint_velocity_tangent(s, chart, Gv);
    system.correction_tangent(corrected, chart, C, unused);
    A.begin();
    A.add(kPosition, kPosition, cj, one);
    A.add(kPosition, kPosition, 1.0, C);
    A.add(kPosition, kVelocity, -1.0, one);
    A.add(kPosition, kCorrection, -1.0, G, Transposed::kYes);
    A.add(kVelocity, kPosition, 1.0, K);
    A.add(kVelocity, kVelocity, cj, M);
    A.add(kVelocity, kVelocity, 1.0, D);
    A.add(kVelocity, kMultiplier, -1.0, G, Transposed::kYes);
    A.add(kMultiplier, kPosition, 1.0, G);
    A.add(kCorrection, kPosition, 1.0, Gv);
    A.add(kCorrection, kVelocity, 1.0, G);
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
int solver_solve(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype) {
  Equations& equations = *static_cast<Equations*>(solver->content);
  equations.rhs = ConstMap(N_VGetArrayPointer(b), equations.size());
  equations.A.solve(equations.rhs);
  Map(N_VGetArrayPointer(x), equations.size()) = equations.rhs;
  return 0;
}

// Everything SUNDIALS wants to have freed.
struct Memory {
  SUNContext context = nullptr;
  void* ida = nullptr;
  N_Vector y = nullptr, yp = nullptr, id = nullptr, absolute = nullptr;
  SUNMatrix A = nullptr;
  SUNLinearSolver solver = nullptr;

  explicit Memory(Equations& equations) {
    SUNContext_Create(nullptr, &context);
    ida = IDACreate(context);
    for (N_Vector* v : {&y, &yp, &id, &absolute})
      *v = N_VNew_Serial(equations.size(), context);
    A = SUNMatNewEmpty(context);
    A->ops->getid = matrix_id;
    A->ops->zero = matrix_zero;
    solver = SUNLinSolNewEmpty(context);
    solver->ops->gettype = solver_type;
    solver->ops->setup = solver_setup;
    solver->ops->solve = solver_solve;
    solver->content = &equations;
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    IDAFree(&ida);
    SUNLinSolFreeEmpty(solver);
    SUNMatFreeEmpty(A);
    for (N_Vector v : {y, yp, id, absolute})
      N_VDestroy(v);
    SUNContext_Free(&context);
  }
};

Vector absolute_tolerances(const System& system, const IdaSettings& settings) {
  const int nv = system.sizes().velocities, nc = system.sizes().constraints;
  Vector result = Vector::Constant(2 * (nv + nc), 1e6);  // multipliers do not matter
  for (int i = 0; i < nv; ++i) {
    const bool is_angle = system.unit_of(i) == Unit::kAngle;
    result(i) = settings.tolerance * (is_angle ? 1.0 : settings.length);
    result(nv + i) = settings.tolerance * (is_angle ? settings.spin : settings.speed);
  }
  return result;
}

}  // namespace

IdaCounts run_ida(const System& system, const State& start, const std::vector<double>& times,
                  const IdaSettings& settings, const std::function<void(const State&)>& sample) {
  Equations equations(system, start);
  const int nv = equations.nv, nc = equations.nc, n = equations.size();
  const Memory memory(equations);
  const auto map = [n](N_Vector x) { return Map(N_VGetArrayPointer(x), n); };
  map(memory.y) << start.position, start.velocity, start.multiplier, Vector::Zero(nc);
  map(memory.yp) << start.velocity, start.acceleration, Vector::Zero(2 * nc);
  map(memory.id).setZero();
  map(memory.id).head(settings.control_velocity ? 2 * nv : nv).setOnes();
  map(memory.absolute) = absolute_tolerances(system, settings);

  IDAInit(memory.ida, residual, start.time, memory.y, memory.yp);
  IDASVtolerances(memory.ida, settings.tolerance, memory.absolute);
  IDASetUserData(memory.ida, &equations);
  IDASetId(memory.ida, memory.id);
  IDASetSuppressAlg(memory.ida, 1);
  IDASetLinearSolver(memory.ida, memory.solver, memory.A);
  IDASetJacFn(memory.ida, jacobian);
  IDASetStopTime(memory.ida, times.back());
  IDASetMaxNumSteps(memory.ida, 10'000'000);
  IDASetErrFile(memory.ida, nullptr);

  IdaCounts counts;
  counts.ok = true;
  State seen = start;
  for (const double time : times) {
    double reached = time;
    if (time > start.time)
      counts.ok = IDASolve(memory.ida, time, &reached, memory.y, memory.yp, IDA_NORMAL) >= 0;
    if (!counts.ok) break;
    seen.time = reached;
    seen.position = map(memory.y).head(nv);
    seen.velocity = map(memory.y).segment(nv, nv);
    seen.multiplier = map(memory.y).segment(2 * nv, nc);
    seen.acceleration = map(memory.yp).segment(nv, nv);
    sample(seen);
  }
  IDAGetNumSteps(memory.ida, &counts.steps);
  IDAGetNumErrTestFails(memory.ida, &counts.error_failures);
  IDAGetNumResEvals(memory.ida, &counts.residuals);
  IDAGetNumJacEvals(memory.ida, &counts.jacobians);
  IDAGetNumNonlinSolvIters(memory.ida, &counts.iterations);
  IDAGetNumNonlinSolvConvFails(memory.ida, &counts.convergence_failures);
  IDAGetLastOrder(memory.ida, &counts.last_order);
  return counts;
}

}  // namespace picus::bench
