// SPDX-License-Identifier: BSD-3-Clause
#include "bench/ida_memory.h"

#include <stdexcept>
#include <string>

#include <nvector/nvector_serial.h>

namespace picus::bench {
namespace {

void must(int status, const char* what) {
  if (status < 0)
    throw std::runtime_error(std::string("IDA: ") + what + " ends with code " +
                             std::to_string(status));
}

}  // namespace

IdaMemory::IdaMemory(Eigen::Index size) : size_(size) {
  must(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
  ida_ = IDACreate(context_);
  for (N_Vector* v : {&y_, &yp_, &id_, &absolute_})
    *v = N_VNew_Serial(size, context_);
}

IdaMemory::~IdaMemory() {
  IDAFree(&ida_);
  if (solver_ != nullptr) SUNLinSolFree(solver_);
  if (matrix_ != nullptr) SUNMatDestroy(matrix_);
  for (N_Vector v : {y_, yp_, id_, absolute_})
    N_VDestroy(v);
  SUNContext_Free(&context_);
}

void IdaMemory::use(SUNMatrix matrix, SUNLinearSolver solver) {
  matrix_ = matrix;
  solver_ = solver;
}

void IdaMemory::start(const Functions& functions, double time, double end, double tolerance,
                      long most_steps) {
  must(IDAInit(ida_, functions.residual, time, y_, yp_), "IDAInit");
  must(IDASVtolerances(ida_, tolerance, absolute_), "IDASVtolerances");
  must(IDASetUserData(ida_, functions.data), "IDASetUserData");
  must(IDASetId(ida_, id_), "IDASetId");
  must(IDASetSuppressAlg(ida_, 1), "IDASetSuppressAlg");
  must(IDASetLinearSolver(ida_, solver_, matrix_), "IDASetLinearSolver");
  must(IDASetJacFn(ida_, functions.jacobian), "IDASetJacFn");
  must(IDASetStopTime(ida_, end), "IDASetStopTime");
  must(IDASetMaxNumSteps(ida_, most_steps), "IDASetMaxNumSteps");
  must(IDASetErrFile(ida_, nullptr), "IDASetErrFile");
}

bool IdaMemory::advance(double time, double& reached) {
  ok_ = IDASolve(ida_, time, &reached, y_, yp_, IDA_NORMAL) >= 0;
  return ok_;
}

IdaCounts IdaMemory::counts() const {
  IdaCounts counts;
  counts.ok = ok_;
  IDAGetNumSteps(ida_, &counts.steps);
  IDAGetNumErrTestFails(ida_, &counts.error_failures);
  IDAGetNumResEvals(ida_, &counts.residuals);
  IDAGetNumJacEvals(ida_, &counts.jacobians);
  IDAGetNumNonlinSolvIters(ida_, &counts.iterations);
  IDAGetNumNonlinSolvConvFails(ida_, &counts.convergence_failures);
  IDAGetLastOrder(ida_, &counts.last_order);
  return counts;
}

}  // namespace picus::bench
