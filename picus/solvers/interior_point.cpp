// SPDX-License-Identifier: BSD-3-Clause
// An interior point method: all contacts at once are led along the central path, from a start near
// the guess to the solution. With friction this path may fold back, in heaps many times, and
// methods that lower the gap step by step end at the first fold. Here the path is followed by its
// length [AllgowerGeorg1990]: a step along the tangent, with the curvature of the path, and
// Newton's corrections across it; at a fold t rises for a while. On which side of a fold a point
// lies tells the sign of the determinant. Where rounding ends the way, or earlier, Newton's method
// on the projective equations arrives. Starts with another gap lead along other paths: if one takes
// too many steps the next is tried.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "picus/solvers/central_path.h"
#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/contact_solver.h"

namespace picus {
namespace {

// r ∘ v at the start, in units of the largest velocity and what causes it. Small ones are for good
// guesses: fewer steps, but more of the paths end nowhere.
constexpr std::array kGaps{1e-3, 1e-1, 1e-2, 1.0, 1e-4, 10.0};
// Steps before the next start is tried. Near enough for loose tolerances most paths come in a few
// dozen, for tight ones many take one to two hundred; where all are longer, going on pays.
constexpr double kLoose = 1e-4;
constexpr int kLooseSteps = 100, kTightSteps = 250, kMostSteps = 400;
// Distances from the path: where a step may end, from where the next may begin, and what counts as
// on the path where it is not clear in which direction it goes on.
constexpr double kFarthest = 0.9, kNear = 0.25, kTight = 0.02;
constexpr double kStepGrowth = 1.5;       // of steps that end near the path
constexpr int kStepHalvings = 10;         // of a step
constexpr double kShorter = 0.25;         // steps after going back
constexpr int kReturns = 12;              // to a point before the path is given up
constexpr int kReturnsBeforeTurn = 6;     // then the other direction is tried,
constexpr double kLengthAfterTurn = 0.2;  // with steps of this length
constexpr double kInside = 1.01;          // times a step must stay inside the cones
constexpr double kLeastPart = 0.01;       // of t that is left after a step
constexpr int kDampings = 4;              // halvings of a correction
constexpr double kGain = 0.3;             // of the distance, by a correction
constexpr double kPolishFrom = 1e-4,
                 kPolishAgain = 0.1;  // residuals where Newton's method is tried,
constexpr double kPolishNear = 10.0;  // and times the tolerance, if that is more
constexpr int kPolish = 30;           // Newton steps and sweeps
constexpr double kPolishGain = 0.7;   // of the residual, to try again from the best impulses

class InteriorPoint final : public ContactSolver {
 public:
  explicit InteriorPoint(const InteriorPointOptions& options)
      : options_(options), polish_(make_semismooth_newton({options.tolerance, kPolish})) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    ContactReport report = begin_contact_solve(problem, p, options_.tolerance);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    progress_.start(p, report.residual);
    before_ = p;
    iterations_ = 0;
    bool continues = true;
    const int first_steps = options_.tolerance >= kLoose ? kLooseSteps : kTightSteps;
    for (const int steps : {first_steps, kMostSteps})
      for (const double gap : kGaps)
        continues = continues && try_path(problem, gap, steps, p);
    if (!is_solved()) {
      if (!p.allFinite()) p = progress_.impulse();
      return end_contact_solve(problem, progress_, before_, p, iterations_);
    }
    p = progress_.impulse();
    return {ContactReport::Status::kConverged, iterations_, progress_.best()};
  }

 private:
  bool is_solved() const { return progress_.best() <= options_.tolerance; }
  bool try_path(const ContactProblem& problem, double gap, int steps, Vector& p);
  void follow(const ContactProblem& problem, double gap, int steps, Vector& p);
  bool step(const ContactProblem& problem);
  bool know_direction();
  bool predict(const ContactProblem& problem);
  bool correct(const ContactProblem& problem);
  bool go_back(const ContactProblem& problem);
  void polish(const ContactProblem& problem, const Vector& p);

  InteriorPointOptions options_;
  std::unique_ptr<ContactSolver> polish_;
  ContactProgress progress_;
  CentralPath path_;
  CentralPath::Point here_, next_;
  CentralPath::Pairs correction_, tangent_, curvature_, step_;
  CentralPath::Parameter parameter_;
  Vector before_, polished_;
  int iterations_ = 0;
  double distance_ = 0.0;  ///< of `here_` from the path
  double length_ = 1.0;    ///< of the next step along it
  int first_side_ = 0;     ///< of the determinant, where t falls
  int direction_ = -1;     ///< of t
  bool has_parameter_ = false;
  bool is_strict_ = false;  ///< come closer to the path before the next step along it
  struct {
    CentralPath::Point point;
    double length = 1.0;
    int direction = -1;
    int returns = 0;
    bool is_set = false, is_here = false;
  } last_;  ///< the point from which the last step along the path began
};

// False when another path would not help: it is solved, or has no solution, or has taken too long.
bool InteriorPoint::try_path(const ContactProblem& problem, double gap, int steps, Vector& p) {
  follow(problem, gap, steps, p);
  if (is_solved() || iterations_ >= options_.max_iterations) return false;
  if (max_abs(p) > path_.largest_impulse()) return false;
  for (double before = INFINITY; !is_solved() && progress_.best() < kPolishGain * before;) {
    before = progress_.best();
    polish(problem, progress_.impulse());
  }
  return !is_solved();
}

// Offers all points of a path; p is the last one.
void InteriorPoint::follow(const ContactProblem& problem, double gap, int steps, Vector& p) {
  path_.begin(problem, progress_.impulse(), gap, here_);
  distance_ = path_.distance(problem, here_);
  length_ = 1.0;
  first_side_ = 0;
  direction_ = -1;
  has_parameter_ = is_strict_ = last_.is_set = last_.is_here = false;
  last_.returns = 0;
  double next_polish = std::max(kPolishFrom, kPolishNear * options_.tolerance);
  const int end = std::min(options_.max_iterations, iterations_ + steps);
  while (iterations_ < end) {
    ++iterations_;
    if (!step(problem)) return;
    path_.impulses(here_, p);
    const double residual = contact_residual(problem, p);
    progress_.offer(p, residual);
    if (is_solved() || max_abs(p) > path_.largest_impulse()) return;
    if (residual > next_polish) continue;
    next_polish = kPolishAgain * residual;
    polish(problem, p);
    if (is_solved()) return;
  }
}

void InteriorPoint::polish(const ContactProblem& problem, const Vector& p) {
  polished_ = p;
  const ContactReport report = polish_->solve(problem, polished_);
  progress_.offer(polished_, report.residual);
}

// One factorisation; false when the path is lost.
bool InteriorPoint::step(const ContactProblem& problem) {
  if (!path_.linearize(problem, here_)) return false;
  path_.find_correction(here_, correction_);
  path_.find_tangent(here_, tangent_);
  const bool is_near = distance_ < (is_strict_ ? kTight : kNear) || last_.is_here;
  if (is_near && know_direction()) return predict(problem);
  return correct(problem) || go_back(problem);
}

// Chooses the direction of t and with it the parameter. False where the determinant and the last
// step say different things and the point is too far off the path to tell.
bool InteriorPoint::know_direction() {
  if (first_side_ == 0) first_side_ = path_.side();
  int direction = path_.side() == first_side_ ? -1 : 1;
  if (last_.is_here) {
    direction = last_.direction;
  } else {
    const bool agree = !has_parameter_ || direction * parameter_.of(tangent_, 1.0) > 0.0;
    if (!agree && !is_strict_) {
      is_strict_ = true;
      if (distance_ >= kTight) return false;
    }
    last_.returns = 0;
  }
  direction_ = direction;
  path_.choose_parameter(here_, tangent_, direction_, parameter_);
  has_parameter_ = true;
  return true;
}

// A step along the path, corrected across it: with s its length and (y, 1), (w, 0) the first and
// second derivatives by t, x + a + dt y + (dt/ds s)²/2 w, dt such that a and w have no part along.
bool InteriorPoint::predict(const ContactProblem& problem) {
  is_strict_ = last_.is_here = false;
  path_.find_curvature(here_, tangent_, curvature_);
  const double speed = parameter_.speed;
  const double back = direction_ * parameter_.of(correction_, 0.0) / speed;
  const double bend = direction_ * parameter_.of(curvature_, 0.0) / speed;
  last_.point = here_;
  last_.length = length_;
  last_.direction = direction_;
  last_.is_set = true;
  step_.resize(here_.at.size());
  for (int k = 0; k < kStepHalvings; ++k, length_ *= 0.5) {
    double along = direction_ * length_ / speed;
    double dt = -back + along - 0.5 * along * along * bend;
    if (here_.t + dt < kLeastPart * here_.t) {
      dt = (kLeastPart - 1.0) * here_.t;
      along = dt + back;
    }
    for (std::size_t i = 0; i < step_.size(); ++i) {
      step_[i].r = correction_[i].r + dt * tangent_[i].r + 0.5 * along * along * curvature_[i].r;
      step_[i].v = correction_[i].v + dt * tangent_[i].v + 0.5 * along * along * curvature_[i].v;
    }
    if (!(CentralPath::largest_step(here_.at, step_) > kInside)) continue;
    next_.t = here_.t + dt;
    next_.at = here_.at;
    for (std::size_t i = 0; i < step_.size(); ++i) {
      next_.at[i].r += step_[i].r;
      next_.at[i].v += step_[i].v;
    }
    const double distance = path_.distance(problem, next_);
    if (!(distance < kFarthest)) continue;
    last_.length = std::min(last_.length, length_);
    if (k == 0 && distance < 0.5 * kFarthest) length_ *= kStepGrowth;
    distance_ = distance;
    std::swap(here_, next_);
    return true;
  }
  path_.distance(problem, here_);
  is_strict_ = true;  // come closer, if that is possible
  return distance_ > kTight;
}

// Newton's step across the path, damped.
bool InteriorPoint::correct(const ContactProblem& problem) {
  if (!has_parameter_) return false;
  const double dt = -parameter_.of(correction_, 0.0) / parameter_.of(tangent_, 1.0);
  step_.resize(here_.at.size());
  for (std::size_t i = 0; i < step_.size(); ++i)
    step_[i] = {correction_[i].r + dt * tangent_[i].r, correction_[i].v + dt * tangent_[i].v};
  double part = std::min(1.0, kFarthest * CentralPath::largest_step(here_.at, step_));
  for (int k = 0; k < kDampings; ++k, part *= 0.5) {
    if (!(here_.t + part * dt > 0.0)) continue;
    next_.t = here_.t + part * dt;
    next_.at = here_.at;
    for (std::size_t i = 0; i < step_.size(); ++i) {
      next_.at[i].r += part * step_[i].r;
      next_.at[i].v += part * step_[i].v;
    }
    const double distance = path_.distance(problem, next_);
    if (!(distance < (1.0 - kGain * part) * distance_)) continue;
    distance_ = distance;
    std::swap(here_, next_);
    return true;
  }
  return false;
}

// To where the last step along the path began, for a shorter one, at last in the other direction.
bool InteriorPoint::go_back(const ContactProblem& problem) {
  if (!last_.is_set || ++last_.returns >= kReturns) return false;
  last_.length *= kShorter;
  if (last_.returns == kReturnsBeforeTurn) {
    last_.direction = -last_.direction;
    last_.length = kLengthAfterTurn;
  }
  here_ = last_.point;
  length_ = last_.length;
  distance_ = path_.distance(problem, here_);
  last_.is_here = true;
  is_strict_ = false;
  return true;
}

}  // namespace

std::unique_ptr<ContactSolver> make_interior_point(const InteriorPointOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  return std::make_unique<InteriorPoint>(options);
}

}  // namespace picus
