// SPDX-License-Identifier: BSD-3-Clause
#include "bench/pile_engine.h"

#if __has_include(<NonSmoothDrivers.h>)

#include <cstdlib>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

namespace picus::bench {
namespace {

constexpr int kMostSweeps = 10000;

// Its blocks are those of W itself; Siconos stores columns, too.
class SiconosNsgs final : public ContactSolver {
 public:
  explicit SiconosNsgs(double tolerance)
      : options_(solver_options_create(SICONOS_FRICTION_3D_NSGS)) {
    options_->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = kMostSweeps;
  }
  ~SiconosNsgs() override { solver_options_delete(options_); }
  SiconosNsgs(const SiconosNsgs&) = delete;
  SiconosNsgs& operator=(const SiconosNsgs&) = delete;

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    if (problem.contacts() == 0) return {ContactReport::Status::kConverged, 0, 0.0};
    lend(problem);
    Vector q = problem.b, u = Vector::Zero(p.size());
    FrictionContactProblem theirs{};
    theirs.dimension = 3;
    theirs.numberOfContacts = problem.contacts();
    theirs.M = NM_new_SBM(problem.W.size(), problem.W.size(), &matrix_);
    theirs.q = q.data();
    theirs.mu = mu_.data();
    fc3d_driver(&theirs, p.data(), u.data(), options_);
    NM_clear_not_SBM(theirs.M);
    std::free(theirs.M);
    std::free(matrix_.diagonal_blocks);
    return {ContactReport::Status::kConverged, options_->iparam[SICONOS_IPARAM_ITER_DONE],
            contact_residual(problem, p)};
  }

 private:
  void lend(const ContactProblem& problem) {
    const int n = problem.contacts();
    blocks_.clear();
    columns_.clear();
    starts_.assign(1, 0);
    sizes_.clear();
    mu_.clear();
    for (int i = 0; i < n; ++i) {
      const BlockMatrix3::Row row = problem.W.row(i);
      for (std::size_t k = 0; k < row.columns.size(); ++k) {
        blocks_.push_back(const_cast<double*>(row.values[k].data()));  // NOLINT: not written to
        columns_.push_back(static_cast<std::size_t>(row.columns[k]));
      }
      starts_.push_back(blocks_.size());
      sizes_.push_back(static_cast<unsigned>(3 * (i + 1)));
      mu_.push_back(problem.law(i).coefficient);
    }
    matrix_ = {};
    matrix_.nbblocks = static_cast<unsigned>(blocks_.size());
    matrix_.block = blocks_.data();
    matrix_.blocknumber0 = matrix_.blocknumber1 = static_cast<unsigned>(n);
    matrix_.blocksize0 = matrix_.blocksize1 = sizes_.data();
    matrix_.filled1 = starts_.size();
    matrix_.filled2 = blocks_.size();
    matrix_.index1_data = starts_.data();
    matrix_.index2_data = columns_.data();
  }

  SolverOptions* options_;
  SparseBlockStructuredMatrix matrix_{};
  std::vector<double*> blocks_;
  std::vector<std::size_t> starts_, columns_;
  std::vector<unsigned> sizes_;
  std::vector<double> mu_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_siconos_nsgs(double tolerance) {
  return std::make_unique<SiconosNsgs>(tolerance);
}

}  // namespace picus::bench

#else

namespace picus::bench {

std::unique_ptr<ContactSolver> make_siconos_nsgs(double) {
  return nullptr;
}

}  // namespace picus::bench

#endif
