// SPDX-License-Identifier: BSD-3-Clause
// Newton's method on the projective equations of all contacts at once [AlartCurnier1991]. With
// x = p − ρ u they are
//
//     Φ_n = p_n − max(0, x_n),   Φ_t = p_t − proj of x_t on the disc of radius μ max(0, x_n),
//
// piecewise smooth, and dΦ = A dp + B du with 3×3 blocks that depend on the mode of the contact.
//
// Redundant contacts (a table on four legs) make W, and with it the matrix A + B W, singular. Each
// attempt therefore solves a proximal problem, W p + b + ε D (p − p₀) in place of W p + b, with p₀
// the impulses it begins with and D the diagonal of W. ε = 1e-10 at first: impulses that the
// problem leaves open stay where they were, and the solution is exact, because convergence is
// measured on the true problem. When an attempt fails, exact Gauss–Seidel sweeps bring the impulses
// closer, and ε grows, which makes the next proximal problem easy; when one is solved, ε shrinks
// again.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "picus/solvers/contact_cone.h"
#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/contact_solver.h"
#include "picus/solvers/gauss_seidel_sweep.h"
#include "picus/solvers/newton_matrix.h"

namespace picus {
namespace {

double square(double x) {
  return x * x;
}

constexpr int kNewtonSteps = 50;    // of one attempt
constexpr int kHalvings = 10;       // of a step
constexpr std::size_t kMemory = 4;  // merits among which the largest is the reference
constexpr int kFirstSweeps = 10, kMostSweeps = 160;
// of ε
constexpr double kLeastShift = 1e-10, kFirstShift = 1e-2, kMostShift = 1.0;
constexpr double kShiftIncrease = 3.0, kShiftDecrease = 0.3;
constexpr std::size_t kFailures = 8;  // of attempts before a new start
// ρ decides which mode an iterate counts as; another one leads elsewhere
constexpr std::array kInertiaFactors{1.0, 1.0, 0.1, 10.0, 1.0};
// of the sweeps between attempts, which cycle less the smaller it is
constexpr std::array kRelaxations{1.0, 1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1};
constexpr double kAdoption = 0.5;  // gain that makes sweeps continue from a failed attempt

class SemismoothNewton final : public ContactSolver {
 public:
  explicit SemismoothNewton(const SemismoothOptions& options) : options_(options) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    ContactReport report = begin_contact_solve(problem, p, options_.tolerance);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    if (problem.contacts() == 1 && solve_alone(problem, p, report)) return report;
    prepare(problem);
    progress_.start(p, report.residual);
    before_ = p;
    iterations_ = 0;
    shift_ = kLeastShift;
    int sweeps = kFirstSweeps;
    std::size_t failures = 0;
    while (iterations_ < options_.max_iterations) {
      swept_ = p;
      choose_inertias(problem, kInertiaFactors[failures % kInertiaFactors.size()]);
      const bool solved = attempt(problem, p);
      if (progress_.best() <= options_.tolerance) break;
      if (solved) {  // the proximal problem: come closer to the true one
        shift_ = std::max(kLeastShift, kShiftDecrease * shift_);
        continue;
      }
      shift_ = std::clamp(kShiftIncrease * shift_, kFirstShift, kMostShift);
      // Gauss–Seidel keeps its own sequence: an attempt that failed must not spoil it
      if (!(contact_residual(problem, p) < kAdoption * contact_residual(problem, swept_)))
        p = swept_;
      sweep(problem, sweeps, kRelaxations[failures % kRelaxations.size()], p);
      if (progress_.best() <= options_.tolerance) break;
      if (sweeps < kMostSweeps) sweeps *= 2;
      if (++failures % kFailures != 0) continue;
      restart(problem, static_cast<int>(failures / kFailures), p);
      sweeps = kFirstSweeps;
    }
    if (progress_.best() > options_.tolerance)
      return end_contact_solve(problem, progress_, before_, p, iterations_);
    p = progress_.impulse();
    return {ContactReport::Status::kConverged, iterations_, progress_.best()};
  }

 private:
  bool solve_alone(const ContactProblem& problem, Vector& p, ContactReport& report) const;
  void prepare(const ContactProblem& problem);
  void choose_inertias(const ContactProblem& problem, double factor);
  void restart(const ContactProblem& problem, int which, Vector& p) const;
  bool attempt(const ContactProblem& problem, Vector& p);
  void sweep(const ContactProblem& problem, int sweeps, double relaxation, Vector& p);
  bool search_along_step(const ContactProblem& problem, double reference, Vector& p);
  double evaluate(const ContactProblem& problem, const Vector& p);
  void differentiate(const ContactProblem& problem, const Vector& p);
  void differentiate_friction(int contact, const Vector2& x, double radius, double slope);

  /// ρ of a contact: what it takes to change its velocities by one.
  struct Inertia {
    double normal, tangential;
  };

  SemismoothOptions options_;
  GaussSeidelSweep sweep_;
  ContactProgress progress_;
  NewtonMatrix matrix_;
  std::vector<Inertia> rho_;
  std::vector<Matrix3> A_, B_;
  Vector u_, phi_, step_, trial_, anchor_, swept_, before_;
  double shift_ = kLeastShift;  ///< ε, relative to the diagonal of W
  int iterations_ = 0;
};

// One contact needs no iteration. False when its matrix is not as LocalContact wants it.
bool SemismoothNewton::solve_alone(const ContactProblem& problem, Vector& p,
                                   ContactReport& report) const {
  LocalContact local;
  local.prepare(problem.W.diagonal(0), problem.law(0));
  const Vector3 alone = local.solve(problem.b);
  const Vector3 u = problem.W.diagonal(0) * alone + problem.b;
  const double residual = contact_violation(problem, 0, alone, u) / problem.residual_speed();
  if (!(residual <= options_.tolerance)) return false;
  p = alone;
  report = {ContactReport::Status::kConverged, 1, residual};
  return true;
}

void SemismoothNewton::prepare(const ContactProblem& problem) {
  const auto count = static_cast<std::size_t>(problem.contacts());
  sweep_.prepare(problem);
  matrix_.prepare(problem.W);
  rho_.resize(count);
  A_.resize(count);
  B_.resize(count);
  u_.resize(problem.b.size());
  phi_.resize(problem.b.size());
}

void SemismoothNewton::choose_inertias(const ContactProblem& problem, double factor) {
  for (int i = 0; i < problem.contacts(); ++i) {
    const Matrix3& W = problem.W.diagonal(i);
    const double fallback = contact_inertia(problem, i);
    const double tangential = std::max(W(1, 1), W(2, 2));
    rho_[static_cast<std::size_t>(i)] = {factor * (W(0, 0) > 0.0 ? 1.0 / W(0, 0) : fallback),
                                         factor * (tangential > 0.0 ? 1.0 / tangential : fallback)};
  }
}

// Fills u and Φ of the proximal problem, the latter as velocities; returns the merit ‖Φ‖².
double SemismoothNewton::evaluate(const ContactProblem& problem, const Vector& p) {
  problem.W.multiply(p, u_);
  u_ += problem.b;
  for (int i = 0; i < problem.contacts(); ++i) {
    const double D = shift_ * problem.W.diagonal(i).trace() / 3.0;
    u_.segment<3>(3 * i) += D * (p.segment<3>(3 * i) - anchor_.segment<3>(3 * i));
    const ImpulseLaw& law = problem.law(i);
    const Inertia& rho = rho_[static_cast<std::size_t>(i)];
    double normal = p(3 * i), radius = law.coefficient;
    if (law.kind == ContactKind::kContact) {
      const double x = std::max(0.0, p(3 * i) - rho.normal * u_(3 * i));
      normal -= x;
      radius *= x;
    }
    const Vector2 p_t = p.segment<2>(3 * i + 1);
    phi_(3 * i) = normal / rho.normal;
    phi_.segment<2>(3 * i + 1) =
        (p_t - project_on_disc(p_t - rho.tangential * u_.segment<2>(3 * i + 1), radius)) /
        rho.tangential;
  }
  return phi_.squaredNorm();
}

// A and B at the point where evaluate() was called last, scaled as Φ is.
void SemismoothNewton::differentiate(const ContactProblem& problem, const Vector& p) {
  for (int i = 0; i < problem.contacts(); ++i) {
    const ImpulseLaw& law = problem.law(i);
    const Inertia& rho = rho_[static_cast<std::size_t>(i)];
    Matrix3 &A = A_[static_cast<std::size_t>(i)], &B = B_[static_cast<std::size_t>(i)];
    A = Vector3(1.0 / rho.normal, 1.0 / rho.tangential, 1.0 / rho.tangential).asDiagonal();
    B.setZero();
    double radius = law.coefficient, slope = 0.0;
    if (law.kind == ContactKind::kContact) {
      const double x = p(3 * i) - rho.normal * u_(3 * i);
      if (x <= 0.0) continue;  // open: Φ = p
      A(0, 0) = 0.0;
      B(0, 0) = 1.0;  // closed: Φ_n = u_n
      slope = law.coefficient;
      radius *= x;
    }
    if (radius > 0.0)
      differentiate_friction(i, p.segment<2>(3 * i + 1) - rho.tangential * u_.segment<2>(3 * i + 1),
                             radius, slope);
  }
}

// Tangential rows; x = p_t − ρ u_t, `radius` of the disc and its derivative `slope` by x_n.
void SemismoothNewton::differentiate_friction(int contact, const Vector2& x, double radius,
                                              double slope) {
  const Inertia& rho = rho_[static_cast<std::size_t>(contact)];
  Matrix3 &A = A_[static_cast<std::size_t>(contact)], &B = B_[static_cast<std::size_t>(contact)];
  const double length = x.norm();
  if (length <= radius) {  // sticks: Φ_t = u_t
    A.bottomRows<2>().setZero();
    B.bottomRightCorner<2, 2>().setIdentity();
    return;
  }
  const Vector2 d = x / length;
  const SmallMatrix<double, 2, 2> turn =
      (radius / length) * (SmallMatrix<double, 2, 2>::Identity() - d * d.transpose());
  A.bottomRightCorner<2, 2>() -= turn / rho.tangential;
  B.bottomRightCorner<2, 2>() = turn;
  A.block<2, 1>(1, 0) = -slope / rho.tangential * d;
  B.block<2, 1>(1, 0) = slope * rho.normal / rho.tangential * d;
}

// Some problems have traps that sweeps do not leave: begin again elsewhere, from impulses that stop
// part of the approach of each contact.
void SemismoothNewton::restart(const ContactProblem& problem, int which, Vector& p) const {
  p.setZero();
  for (int i = 0; i < problem.contacts(); ++i) {
    if (problem.law(i).kind == ContactKind::kFriction) continue;
    const double part = std::fmod((i + 1) * which * std::numbers::phi, 1.0);
    p(3 * i) = part * contact_inertia(problem, i) * std::max(0.0, -problem.b(3 * i));
  }
}

// Newton steps from p; true when the proximal problem is solved.
bool SemismoothNewton::attempt(const ContactProblem& problem, Vector& p) {
  anchor_ = p;
  const double goal = square(0.1 * options_.tolerance * problem.residual_speed());
  std::array<double, kMemory> merits;
  merits.fill(evaluate(problem, p));
  for (std::size_t k = 0; k < kNewtonSteps && iterations_ < options_.max_iterations; ++k) {
    differentiate(problem, p);
    if (!matrix_.factorize(problem.W, A_, B_, shift_)) return false;
    step_ = phi_;
    matrix_.solve(step_);
    ++iterations_;
    if (!step_.allFinite()) return false;
    if (!search_along_step(problem, *std::max_element(merits.begin(), merits.end()), p))
      return false;
    merits[k % kMemory] = phi_.squaredNorm();
    progress_.offer(p, contact_residual(problem, p));
    if (progress_.best() <= options_.tolerance || phi_.squaredNorm() <= goal) return true;
  }
  return false;
}

// p ← p − α step with the largest α = 1, 1/2, … that lowers the merit below the reference.
bool SemismoothNewton::search_along_step(const ContactProblem& problem, double reference,
                                         Vector& p) {
  double alpha = 1.0;
  for (int k = 0; k < kHalvings; ++k, alpha *= 0.5) {
    trial_ = p - alpha * step_;
    if (evaluate(problem, trial_) > (1.0 - 1e-4 * alpha) * reference) continue;
    p.swap(trial_);
    return true;
  }
  return false;
}

void SemismoothNewton::sweep(const ContactProblem& problem, int sweeps, double relaxation,
                             Vector& p) {
  before_ = p;
  for (int k = 0; k < sweeps && iterations_ < options_.max_iterations; ++k, ++iterations_)
    sweep_.run(problem, relaxation, k % 2 == 1, p);
  progress_.offer(p, contact_residual(problem, p));
}

}  // namespace

std::unique_ptr<ContactSolver> make_semismooth_newton(const SemismoothOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  return std::make_unique<SemismoothNewton>(options);
}

}  // namespace picus
