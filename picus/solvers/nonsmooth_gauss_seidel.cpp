// SPDX-License-Identifier: BSD-3-Clause
// Nonlinear block Gauss–Seidel [Jean1999]: contact after contact is solved exactly. Without
// friction it is coordinate descent of a convex quadratic function and converges for every solvable
// problem; with friction it is the method that fails least of the simple ones, but can cycle, which
// smaller steps (relaxation) usually cure. A pair of sweeps, forwards and backwards, is a map of
// the impulses whose iteration is accelerated by Anderson's method: impulses that many contacts
// pass on to each other settle several times sooner.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "picus/solvers/anderson_mixing.h"
#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/contact_solver.h"
#include "picus/solvers/gauss_seidel_sweep.h"

namespace picus {

void GaussSeidelSweep::prepare(const ContactProblem& problem) {
  const auto count = static_cast<std::size_t>(problem.contacts());
  locals_.resize(count);
  inertias_.resize(count);
  for (int i = 0; i < problem.contacts(); ++i) {
    locals_[static_cast<std::size_t>(i)].prepare(problem.W.diagonal(i), problem.law(i));
    inertias_[static_cast<std::size_t>(i)] = contact_inertia(problem, i);
  }
}

double GaussSeidelSweep::visit(const ContactProblem& problem, int contact, double relaxation,
                               Vector& p) const {
  auto mine = p.segment<3>(3 * contact);
  const Vector3 old = mine;
  const Vector3 b = problem.velocity(contact, p) - problem.W.diagonal(contact) * old;
  const Vector3 solved = locals_[static_cast<std::size_t>(contact)].solve(b);
  mine = relaxation == 1.0 ? solved : Vector3(old + relaxation * (solved - old));
  if (relaxation > 1.0) mine(0) = std::max(0.0, mine(0));
  return (mine - old).norm() / inertias_[static_cast<std::size_t>(contact)];
}

double GaussSeidelSweep::run(const ContactProblem& problem, double relaxation, bool backwards,
                             Vector& p) const {
  const int count = problem.contacts();
  double change = 0.0;
  for (int k = 0; k < count; ++k)
    change = std::max(change, visit(problem, backwards ? count - 1 - k : k, relaxation, p));
  return change;
}

namespace {

constexpr int kPairsPerCheck = 5;       // of sweeps, between evaluations of the residual
constexpr int kChecksWithoutGain = 10;  // then acceleration has lost its way
constexpr int kPlainPairs = 50;         // of sweeps to find it again, each time as many more
constexpr int kStallsPerShrink = 3;     // losing it again and again is a cycle: smaller steps
constexpr double kLeastRelaxation = 0.1;
// A pair of sweeps that changes velocities by less than this many tolerances may be the last.
constexpr double kNearlyThere = 3.0;
constexpr double kOvershoot = 2.0;  // of the smallest change: earlier sweeps mislead

class NonsmoothGaussSeidel final : public ContactSolver {
 public:
  explicit NonsmoothGaussSeidel(const GaussSeidelOptions& options) : options_(options) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    ContactReport report = begin_contact_solve(problem, p, options_.tolerance);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    prepare(problem);
    progress_.start(p, report.residual);
    const double near = kNearlyThere * options_.tolerance * max_abs(problem.b);
    double relaxation = options_.relaxation;
    int idle = 0, stalls = 0;
    for (int k = 2; k <= options_.max_iterations; k += 2) {
      swept_ = p;
      sweep_.run(problem, relaxation, false, swept_);
      const double change = sweep_.run(problem, relaxation, true, swept_);
      if (change <= near || k % (2 * kPairsPerCheck) == 0) {
        const double residual = contact_residual(problem, swept_);
        if (residual <= options_.tolerance) {
          p = swept_;
          return {ContactReport::Status::kConverged, k, residual};
        }
        idle = progress_.offer(swept_, residual) || plain_ > 0 ? 0 : idle + 1;
      }
      accelerate(p);
      if (idle < kChecksWithoutGain) continue;
      idle = 0;
      mixing_.forget();
      plain_ = kPlainPairs * ++stalls;
      if (stalls % kStallsPerShrink == 0) relaxation = std::max(kLeastRelaxation, 0.7 * relaxation);
    }
    // where impulses grow without end, plain sweeps show the direction
    p = progress_.impulse();
    for (int k = 0; k < 2 * kPlainPairs; ++k) {
      if (k == kPlainPairs) before_ = p;
      sweep_.run(problem, 1.0, k % 2 == 1, p);
    }
    return end_contact_solve(problem, progress_, before_, p, options_.max_iterations);
  }

 private:
  void prepare(const ContactProblem& problem) {
    sweep_.prepare(problem);
    weights_.resize(problem.b.size());
    for (int i = 0; i < problem.contacts(); ++i)
      weights_.segment<3>(3 * i).setConstant(1.0 / contact_inertia(problem, i));
    mixing_.start(options_.memory, weights_);
    least_miss_ = std::numeric_limits<double>::infinity();
    plain_ = 0;
  }

  // p becomes the impulses to go on from, given those that sweeps have made of it.
  void accelerate(Vector& p) {
    if (plain_ > 0) {
      --plain_;
      p = swept_;
      return;
    }
    mixing_.mix(swept_, p);
    if (mixing_.miss() > kOvershoot * least_miss_) {
      mixing_.forget();
      p = swept_;
      least_miss_ = mixing_.miss();
    }
    least_miss_ = std::min(least_miss_, mixing_.miss());
  }

  GaussSeidelOptions options_;
  GaussSeidelSweep sweep_;
  AndersonMixing mixing_;
  ContactProgress progress_;
  Vector before_, swept_, weights_;
  double least_miss_ = 0.0;
  int plain_ = 0;  ///< pairs of sweeps left without acceleration
};

}  // namespace

std::unique_ptr<ContactSolver> make_nonsmooth_gauss_seidel(const GaussSeidelOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  if (!(options.relaxation > 0.0 && options.relaxation < 2.0))
    throw InputError("relaxation of nonsmooth_gauss_seidel must lie between 0 and 2");
  if (options.memory < 0 || options.memory > AndersonMixing::kMost)
    throw InputError(fmt::format("memory of nonsmooth_gauss_seidel is {}, expected 0 to {}",
                                 options.memory, AndersonMixing::kMost));
  return std::make_unique<NonsmoothGaussSeidel>(options);
}

}  // namespace picus
