// SPDX-License-Identifier: BSD-3-Clause
// Projected Jacobi and Gauss–Seidel relaxation, studer-leine-glocker (22) and (23): every law is
// the projective equation (19)
//
//     p_n = prox_{≥0}(p_n − r_n u_n),   p_t = prox_{disc(μ p_n)}(p_t − r_t u_t)
//
// and is iterated as it stands. The paper leaves r > 0 open. Here r = ω / (what a unit impulse
// moves): for Gauss–Seidel the diagonal of W, for Jacobi, where all contacts move at once, the sum
// of the magnitudes in the row, which bounds the spectral radius of r W by ω (Gershgorin). ω grows
// while the residual falls and shrinks when it stalls or rises.
//
//   paper   here            paper   here
//   P̂_i    p_i             G, c    W, b
//   γ_E     u               r_i     r_n, r_t
#include <algorithm>
#include <cmath>
#include <vector>

#include "picus/solvers/contact_cone.h"
#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/contact_solver.h"

namespace picus {
namespace {

enum class Relaxation { kJacobi, kGaussSeidel };

// Measured on the collection of tests/solvers: ω may neither jump nor become tiny.
constexpr int kSweepsPerLook = 10;    // between evaluations of the residual
constexpr int kSweepsPerWindow = 50;  // after which ω is judged
constexpr double kGrowth = 1.05, kShrink = 0.8;
constexpr double kLeastOmega = 0.1, kMostOmega = 1.9;  // below 2: the bound of (25) and (26)
constexpr double kForgetting = 1.02;                   // of an ω that was too large once

class ProjectedRelaxation final : public ContactSolver {
 public:
  ProjectedRelaxation(Relaxation scheme, const ProjectionOptions& options)
      : scheme_(scheme), options_(options) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    ContactReport report = begin_contact_solve(problem, p, options_.tolerance);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    prepare(problem);
    progress_.start(p, report.residual);
    before_ = p;
    omega_ = options_.relaxation;
    ceiling_ = kMostOmega;
    double last = report.residual;
    for (int k = 1; k <= options_.max_iterations; ++k) {
      scheme_ == Relaxation::kJacobi ? sweep_jacobi(problem, p) : sweep_gauss_seidel(problem, p);
      if (k == options_.max_iterations / 2) before_ = p;
      if (k % kSweepsPerLook != 0 && k > kSweepsPerLook) continue;
      const double residual = contact_residual(problem, p);
      if (residual <= options_.tolerance) return {ContactReport::Status::kConverged, k, residual};
      progress_.offer(p, residual);
      if (k % kSweepsPerWindow != 0) continue;
      adapt(residual / last);
      last = residual;
    }
    return end_contact_solve(problem, progress_, before_, p, options_.max_iterations);
  }

 private:
  struct Factors {
    double normal, tangential;  ///< r at ω = 1; 0 where nothing moves
  };

  void prepare(const ContactProblem& problem) {
    factors_.resize(static_cast<std::size_t>(problem.contacts()));
    u_.resize(problem.W.size());
    for (int i = 0; i < problem.contacts(); ++i) {
      Vector3 moved = Vector3::Zero();
      if (scheme_ == Relaxation::kJacobi) {
        for (const Matrix3& block : problem.W.row(i).values)
          moved += block.cwiseAbs().rowwise().sum();
      } else {
        const Matrix3& W = problem.W.diagonal(i);
        moved = Vector3(W(0, 0), W(1, 1) + std::abs(W(1, 2)), W(2, 2) + std::abs(W(1, 2)));
      }
      const double tangential = std::max(moved(1), moved(2));
      factors_[static_cast<std::size_t>(i)] = {moved(0) > 0.0 ? 1.0 / moved(0) : 0.0,
                                               tangential > 0.0 ? 1.0 / tangential : 0.0};
    }
  }

  void project(const ContactProblem& problem, int contact, const Vector3& u, Vector& p) const {
    const ImpulseLaw& law = problem.law(contact);
    const Factors& r = factors_[static_cast<std::size_t>(contact)];
    auto mine = p.segment<3>(3 * contact);
    double radius = law.coefficient;
    if (law.kind == ContactKind::kContact) {
      mine(0) = std::max(0.0, mine(0) - omega_ * r.normal * u(0));
      radius *= mine(0);
    }
    mine.tail<2>() = project_on_disc(mine.tail<2>() - omega_ * r.tangential * u.tail<2>(), radius);
  }

  void sweep_jacobi(const ContactProblem& problem, Vector& p) {  // (22)
    problem.W.multiply(p, u_);
    u_ += problem.b;
    for (int i = 0; i < problem.contacts(); ++i)
      project(problem, i, u_.segment<3>(3 * i), p);
  }

  void sweep_gauss_seidel(const ContactProblem& problem, Vector& p) const {  // (23)
    for (int i = 0; i < problem.contacts(); ++i)
      project(problem, i, problem.velocity(i, p), p);
  }

  // `ratio` of the residuals after and before a window
  void adapt(double ratio) {
    if (ratio > 1.0) {
      ceiling_ = std::max(0.9 * omega_, kLeastOmega);
      omega_ = std::max(kShrink * omega_, kLeastOmega);
    } else {
      ceiling_ = std::min(kForgetting * ceiling_, kMostOmega);
      omega_ = std::min(kGrowth * omega_, ceiling_);
    }
  }

  Relaxation scheme_;
  ProjectionOptions options_;
  ContactProgress progress_;
  std::vector<Factors> factors_;
  Vector u_, before_;
  double omega_ = 1.0, ceiling_ = kMostOmega;
};

std::unique_ptr<ContactSolver> make_projected(Relaxation scheme, const ProjectionOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  if (!(options.relaxation > 0.0)) throw InputError("relaxation: expected a positive number");
  return std::make_unique<ProjectedRelaxation>(scheme, options);
}

}  // namespace

std::unique_ptr<ContactSolver> make_projected_jacobi(const ProjectionOptions& options) {
  return make_projected(Relaxation::kJacobi, options);
}

std::unique_ptr<ContactSolver> make_projected_gauss_seidel(const ProjectionOptions& options) {
  return make_projected(Relaxation::kGaussSeidel, options);
}

}  // namespace picus
