// SPDX-License-Identifier: BSD-3-Clause
// A primal-dual interior point method for all contacts at once, in the manner of second-order cone
// programming [AlizadehGoldfarb2003]. In
// the coordinates r = (μ p_n, p_t), v = (u_n/μ + ‖u_t‖, u_t) the law of De Saxcé is
//
//     L ∋ r ⊥ v ∈ L,   v = Ŵ r + b̂ + ‖v_t‖ n,     L = {x_n ≥ ‖x_t‖},
//
// and the iteration follows r ∘ v = σ e towards σ = 0 by the predictor and corrector of Mehrotra
// with the scaling of Nesterov and Todd. The term ‖v_t‖, which makes friction differ from a convex
// problem, is differentiated like the others. Without a guess it begins far out in the middle of
// the cones, where the path is the same for all problems; a start near the boundary, before the
// equations hold, costs steps along it or the way. No proof of convergence covers the whole: the
// path may fold back. Redundant contacts do no harm: the scaling keeps the matrix regular where W
// is not.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "picus/solvers/contact_cone.h"
#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/contact_solver.h"
#include "picus/solvers/newton_matrix.h"
#include "picus/solvers/second_order_cone.h"

namespace picus {
namespace {

using second_order_cone::Scaling;

constexpr double kToBoundary = 0.99;  // of the way that a step goes at most
constexpr double kShortStep = 1e-3;   // shorter ones get nowhere
constexpr int kShortSteps = 5;        // in a row
constexpr double kPath = 2.0 / 3.0;   // of all steps for one path, before another is tried
constexpr double kLeastCentring = 1e-8;
// A step this short leads along the boundary: the next one goes to the middle of the cones.
constexpr double kLost = 0.1;
// After the first, r ∘ v does not fall below this part of the largest miss: otherwise the boundary
// is reached before the equations hold.
constexpr double kGapPerMiss = 1e-3;
constexpr double kLargest = 1e10;  // of r and v: they grow without end when there is no solution
constexpr int kPolish = 30;        // Newton steps from where rounding ends the way
// How far inside the cones it begins with a guess, in units of the largest velocity: the better the
// guess, the less. Measured on heaps; closer to the guess the way out of its mistakes is longer.
constexpr double kInside = 0.1, kLeastInside = 1e-3;
constexpr double kFarOut = 1.0;  // further, the guess does not matter
// Where it begins without one: impulses of resting heaps are many times what stops one body.
constexpr double kFirstImpulse = 10.0, kFirstVelocity = 1.0;

class InteriorPoint final : public ContactSolver {
 public:
  explicit InteriorPoint(const InteriorPointOptions& options) : options_(options) {
    matrix_.trust();
    polish_ = make_semismooth_newton({options.tolerance, kPolish});
  }

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    ContactReport report = begin_contact_solve(problem, p, options_.tolerance);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    progress_.start(p, report.residual);
    before_ = p;
    iterations_ = 0;
    if (max_abs(p) > 0.0)
      follow(problem, std::clamp(kInside * report.residual, kLeastInside, kInside), p);
    for (const double inside : {kFarOut, kInside}) {
      if (progress_.best() <= options_.tolerance) break;
      p.setZero();
      follow(problem, inside, p);
    }
    return finish(problem, p, iterations_);
  }

 private:
  /// A contact in the coordinates of the cone.
  struct Cone {
    Vector3 to_impulse;     ///< p = to_impulse ∘ r, component by component
    Vector3 takes_part;     ///< 1 for components with an equation, 0 for those that do not move
    bool is_rough = false;  ///< with the term ‖v_t‖
    Vector3 r, v;
    Vector3 miss;    ///< Ŵ r + b̂ + ‖v_t‖ n − v
    Vector3 target;  ///< what v + dv + F² dr is to be, less v
    Vector3 dr, dv;
    Matrix3 turn;  ///< ∂(v − ‖v_t‖ n)/∂v
    Scaling scaling;
  };

  void follow(const ContactProblem& problem, double inside, Vector& p);
  ContactReport finish(const ContactProblem& problem, Vector& p, int iterations);
  void begin(const ContactProblem& problem, const Vector& p, double inside);
  void lay_out(const ContactProblem& problem, int contact, const Vector& p, double inside);
  void impulses(Vector& p) const;
  double advance(const ContactProblem& problem);
  void evaluate(const ContactProblem& problem);
  bool factorize(const ContactProblem& problem);
  void find_direction(const ContactProblem& problem);
  double largest_step() const;
  double mean_gap(double step) const;

  InteriorPointOptions options_;
  ContactProgress progress_;
  NewtonMatrix matrix_;
  std::unique_ptr<ContactSolver> polish_;
  std::vector<Cone> cones_;
  std::vector<Matrix3> A_, B_;
  Vector p_, u_, x_, before_;
  bool is_lost_ = false;  ///< the last step was short
  int iterations_ = 0;
  bool was_lost_ = false;               ///< one of the steps so far
  double speed_ = 1.0, impulse_ = 1.0;  ///< units in which r and v are of order one
};

// The path from p, moved into the cones.
void InteriorPoint::follow(const ContactProblem& problem, double inside, Vector& p) {
  begin(problem, p, inside);
  int short_steps = 0;
  is_lost_ = was_lost_ = false;
  const int path = static_cast<int>(kPath * options_.max_iterations) + 1;
  const int last = std::min(options_.max_iterations, iterations_ + path);
  while (iterations_ < last && short_steps < kShortSteps) {
    ++iterations_;
    const double step = advance(problem);
    if (!(step >= 0.0)) return;  // singular, or not finite
    short_steps = step < kShortStep ? short_steps + 1 : 0;
    impulses(p);
    progress_.offer(p, contact_residual(problem, p));
    if (progress_.best() <= options_.tolerance || max_abs(p) > kLargest * impulse_) return;
  }
}

// Near the boundary of the cones rounding ends the way at residuals of about 1e-7; from there the
// solution is close enough for Newton's method.
ContactReport InteriorPoint::finish(const ContactProblem& problem, Vector& p, int iterations) {
  if (progress_.best() <= options_.tolerance) {
    p = progress_.impulse();
    return {ContactReport::Status::kConverged, iterations, progress_.best()};
  }
  if (!p.allFinite()) p = progress_.impulse();
  const ContactReport report = end_contact_solve(problem, progress_, before_, p, iterations);
  if (report.status == ContactReport::Status::kNoSolution) return report;
  ContactReport polished = polish_->solve(problem, p);
  polished.iterations += iterations;
  return polished;
}

// Velocities are measured by the largest one given, impulses by what causes it.
void InteriorPoint::begin(const ContactProblem& problem, const Vector& p, double inside) {
  const auto count = static_cast<std::size_t>(problem.contacts());
  cones_.resize(count);
  A_.resize(count);
  B_.resize(count);
  p_.resize(problem.b.size());
  u_.resize(problem.b.size());
  x_.resize(problem.b.size());
  matrix_.prepare(problem.W);
  double inertia = 0.0;
  for (int i = 0; i < problem.contacts(); ++i)
    inertia += contact_inertia(problem, i) / problem.contacts();
  speed_ = max_abs(problem.b);
  impulse_ = inertia * speed_;
  problem.W.multiply(p, u_);
  u_ += problem.b;
  for (int i = 0; i < problem.contacts(); ++i)
    lay_out(problem, i, p, inside);
}

// Begins at the guess, moved into the interior, or far out in its middle.
void InteriorPoint::lay_out(const ContactProblem& problem, int contact, const Vector& p,
                            double inside) {
  Cone& cone = cones_[static_cast<std::size_t>(contact)];
  const ImpulseLaw& law = problem.law(contact);
  const double mu = law.coefficient;
  cone.is_rough = law.kind == ContactKind::kContact && mu > 0.0;
  cone.takes_part.setOnes();
  cone.to_impulse.setConstant(impulse_);
  if (cone.is_rough) cone.to_impulse(0) /= mu;
  if (law.kind == ContactKind::kFriction) cone.takes_part(0) = 0.0;
  if (law.kind == ContactKind::kContact && mu == 0.0) cone.takes_part.tail<2>().setZero();
  cone.r = p.segment<3>(3 * contact).cwiseQuotient(cone.to_impulse);
  cone.v = u_.segment<3>(3 * contact).cwiseProduct(cone.to_impulse) / (speed_ * impulse_);
  if (law.kind == ContactKind::kFriction) {
    cone.r(0) = std::max(mu / impulse_, 1e-12);  // the limit; no room at all is no friction
    cone.r.tail<2>() =
        project_on_disc(cone.r.tail<2>(), (1.0 - std::min(inside, kInside)) * cone.r(0));
    cone.v(0) = cone.v.tail<2>().norm() + (inside < kFarOut ? inside : kFirstVelocity);
    return;
  }
  if (inside >= kFarOut) {
    cone.r = Vector3(kFirstImpulse, 0.0, 0.0);
    cone.v = Vector3(kFirstVelocity, 0.0, 0.0);
    return;
  }
  cone.r = cone.r.cwiseProduct(cone.takes_part);
  cone.v = cone.v.cwiseProduct(cone.takes_part);
  if (cone.is_rough) cone.v(0) += cone.v.tail<2>().norm();
  cone.r(0) = std::max(cone.r(0), cone.r.tail<2>().norm()) + inside;
  cone.v(0) = std::max(cone.v(0), cone.v.tail<2>().norm()) + inside;
}

void InteriorPoint::impulses(Vector& p) const {
  for (std::size_t i = 0; i < cones_.size(); ++i)
    p.segment<3>(static_cast<int>(3 * i)) =
        cones_[i].to_impulse.cwiseProduct(cones_[i].r).cwiseProduct(cones_[i].takes_part);
}

// One iteration; returns the length of the step, NaN when there is none.
double InteriorPoint::advance(const ContactProblem& problem) {
  evaluate(problem);
  if (!factorize(problem)) return std::numeric_limits<double>::quiet_NaN();
  for (Cone& cone : cones_)
    cone.target = -cone.v;
  find_direction(problem);
  const double gap = mean_gap(0.0);
  const double left = std::max(0.0, mean_gap(std::min(1.0, largest_step()))) / gap;
  const double centring = is_lost_ ? 1.0 : std::clamp(left * left * left, kLeastCentring, 1.0);
  double miss = 0.0;
  for (const Cone& cone : cones_)
    miss = std::max(miss, cone.miss.norm());
  const double least = was_lost_ ? std::min(gap, kGapPerMiss * miss) : 0.0;
  const double goal = std::max(centring * gap, least);
  for (Cone& cone : cones_) {
    const Vector3 point = cone.scaling.F * cone.r;
    Vector3 z = -second_order_cone::product(point, point);
    if (!is_lost_)
      z -= second_order_cone::product(cone.scaling.inverse * cone.dv, cone.scaling.F * cone.dr);
    z(0) += goal;
    cone.target = cone.scaling.F * second_order_cone::quotient(z, point);
  }
  find_direction(problem);
  const double step = std::min(1.0, kToBoundary * largest_step());
  is_lost_ = step < kLost;
  was_lost_ = was_lost_ || is_lost_;
  for (Cone& cone : cones_) {
    cone.r += step * cone.dr;
    cone.v += step * cone.dv;
  }
  return step;
}

void InteriorPoint::evaluate(const ContactProblem& problem) {
  impulses(p_);
  problem.W.multiply(p_, u_);
  u_ += problem.b;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    Cone& cone = cones_[i];
    const Vector3 u = u_.segment<3>(static_cast<int>(3 * i));
    cone.miss = u.cwiseProduct(cone.to_impulse) / (speed_ * impulse_) - cone.v;
    cone.turn.setIdentity();
    const double sliding = cone.v.tail<2>().norm();
    if (cone.is_rough && sliding > 0.0) {
      cone.miss(0) += sliding;
      cone.turn.topRightCorner<1, 2>() = -cone.v.tail<2>().transpose() / sliding;
    }
    cone.scaling = Scaling(cone.r, cone.v);
  }
}

// Ŵ dr + turn F² dr, in impulses and velocities: W dp + A dp.
bool InteriorPoint::factorize(const ContactProblem& problem) {
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const Cone& cone = cones_[i];
    const Vector3 back = cone.to_impulse.cwiseInverse();
    Matrix3 A = speed_ * impulse_ *
                (back.asDiagonal() * (cone.turn * cone.scaling.square) * back.asDiagonal());
    for (int k = 0; k < 3; ++k) {
      if (cone.takes_part(k) != 0.0) continue;
      A.row(k).setZero();
      A.col(k).setZero();
      A(k, k) = speed_ / impulse_;
    }
    A_[i] = A;
    B_[i] = cone.takes_part.asDiagonal();
  }
  return matrix_.factorize(problem.W, A_, B_, 0.0);
}

// dr and dv with Ŵ dr − turn dv = −miss and dv + F² dr = target.
void InteriorPoint::find_direction(const ContactProblem& problem) {
  for (int i = 0; i < problem.contacts(); ++i) {
    const Cone& cone = cones_[static_cast<std::size_t>(i)];
    x_.segment<3>(3 * i) = (cone.turn * cone.target - cone.miss)
                               .cwiseQuotient(cone.to_impulse)
                               .cwiseProduct(cone.takes_part) *
                           (speed_ * impulse_);
  }
  matrix_.solve(x_);
  for (int i = 0; i < problem.contacts(); ++i) {
    Cone& cone = cones_[static_cast<std::size_t>(i)];
    cone.dr = x_.segment<3>(3 * i).cwiseQuotient(cone.to_impulse).cwiseProduct(cone.takes_part);
    cone.dv = cone.target - cone.scaling.square * cone.dr;
  }
}

double InteriorPoint::largest_step() const {
  double step = std::numeric_limits<double>::infinity();
  for (const Cone& cone : cones_)
    step = std::min({step, second_order_cone::largest_step(cone.r, cone.dr),
                     second_order_cone::largest_step(cone.v, cone.dv)});
  return step;
}

// r·v over contacts after a step.
double InteriorPoint::mean_gap(double step) const {
  double sum = 0.0;
  for (const Cone& cone : cones_)
    sum += (cone.r + step * cone.dr).dot(cone.v + step * cone.dv);
  return sum / static_cast<double>(cones_.size());
}

}  // namespace

std::unique_ptr<ContactSolver> make_interior_point(const InteriorPointOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  return std::make_unique<InteriorPoint>(options);
}

}  // namespace picus
