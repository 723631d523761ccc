// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <ida/ida.h>

namespace picus::bench {

struct IdaCounts {
  bool ok = false;
  long steps = 0, error_failures = 0, convergence_failures = 0;
  long residuals = 0, jacobians = 0, iterations = 0;
  int last_order = 0;
};

/// SUNDIALS IDA with its vectors and whatever else it wants to have freed.
class IdaMemory {
 public:
  using Map = Eigen::Map<Eigen::VectorXd>;
  struct Functions {
    IDAResFn residual;
    IDALsJacFn jacobian;
    void* data;
  };

  explicit IdaMemory(Eigen::Index size);
  IdaMemory(const IdaMemory&) = delete;
  IdaMemory& operator=(const IdaMemory&) = delete;
  ~IdaMemory();

  // To be filled in before start().
  Map y() { return map(y_); }
  Map yp() { return map(yp_); }
  Map absolute_tolerances() { return map(absolute_); }
  /// 1 where the local error counts, 0 elsewhere.
  Map in_error_test() { return map(id_); }

  SUNContext context() const { return context_; }
  N_Vector vector() const { return y_; }  ///< of the size and kind of all
  /// To be made in the context above; freed here by their own functions.
  void use(SUNMatrix matrix, SUNLinearSolver solver);

  /// Throws std::runtime_error when IDA refuses anything.
  void start(const Functions& functions, double time, double end, double tolerance,
             long most_steps);
  /// Integrates to a time and leaves y and yp there; false when IDA gives up.
  bool advance(double time, double& reached);
  IdaCounts counts() const;

 private:
  Map map(N_Vector x) const { return {N_VGetArrayPointer(x), size_}; }

  Eigen::Index size_;
  SUNContext context_ = nullptr;
  void* ida_ = nullptr;
  N_Vector y_ = nullptr, yp_ = nullptr, id_ = nullptr, absolute_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  bool ok_ = true;
};

}  // namespace picus::bench
