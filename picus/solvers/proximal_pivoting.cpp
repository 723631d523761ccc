// SPDX-License-Identifier: BSD-3-Clause
// Proximal problems one after the other, each with the solution of the last as p₀, and each solved
// by pivots along its path. ε says how far one may lead: where a path arrives after few pivots ε
// shrinks, where it is lost ε grows. For small ε leave the impulses of redundant contacts nearly
// free, and paths fold again and again. In space, where a path is straightened, its end may be no
// better than its start; the impulses are those of the way there then.
#include <algorithm>

#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/contact_solver.h"
#include "picus/solvers/pivoting_path.h"

namespace picus {
namespace {

// Measured on contact problems of heaps of a thousand disks and spheres.
constexpr double kFirstEpsilon = 1e-3, kLeastEpsilon = 1e-10, kMostEpsilon = 1e3;
constexpr double kEpsilonGrowth = 3.0;
constexpr int kPathPivots = 200;       // after which a path counts as lost
constexpr double kEasyEpsilon = 0.1;   // from which it may be as long as there are contacts
constexpr int kPivotsPerContact = 4;
constexpr double kPromisedGain = 0.1;  // part of what t promises that F must have lost

// What ε is multiplied by after a path that has arrived.
double shrinkage_after(int pivots) {
  return pivots < 5 ? 0.1 : pivots < 20 ? 0.3 : 0.5;
}

class ProximalPivoting final : public ContactSolver {
 public:
  explicit ProximalPivoting(const PivotingOptions& options) : options_(options) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    ContactReport report = begin_contact_solve(problem, p, options_.tolerance);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    path_.prepare(problem);
    progress_.start(p, report.residual);
    before_ = p;
    const int longest = std::max(kPathPivots, kPivotsPerContact * problem.contacts());
    double epsilon = kFirstEpsilon;
    int iterations = 0;
    while (iterations < options_.max_iterations && epsilon <= kMostEpsilon) {
      path_.begin(problem, p, epsilon);
      path_.follow(problem, epsilon < kEasyEpsilon ? kPathPivots : longest);
      iterations += 1 + path_.pivots();
      if (path_.arrives()) {
        switch (take_from_path(problem, p)) {
          case Gain::kWhole:
            epsilon *= shrinkage_after(path_.pivots());
            break;
          case Gain::kPart:
            break;
          case Gain::kNone:
            epsilon *= kEpsilonGrowth;
            break;
        }
      } else {
        epsilon *= kEpsilonGrowth;
      }
      epsilon = std::max(kLeastEpsilon, epsilon);
      if (progress_.best() > options_.tolerance) continue;
      p = progress_.impulse();
      return {ContactReport::Status::kConverged, iterations, progress_.best()};
    }
    return end_contact_solve(problem, progress_, before_, p, iterations);
  }

 private:
  enum class Gain { kWhole, kPart, kNone };

  // p becomes the impulses of the last stop where F is smaller than at the start.
  Gain take_from_path(const ContactProblem& problem, Vector& p) {
    for (std::size_t stop = PivotingPath::kStops.size(); stop-- > 0;) {
      const double t = PivotingPath::kStops[stop];
      const double miss = path_.impulses_at(problem, stop, trial_);
      if (!(miss < (1.0 - kPromisedGain * (1.0 - t)) * path_.miss())) continue;
      p.swap(trial_);
      progress_.offer(p, contact_residual(problem, p));
      return t == 0.0 ? Gain::kWhole : Gain::kPart;
    }
    return Gain::kNone;
  }

  PivotingOptions options_;
  PivotingPath path_;
  ContactProgress progress_;
  Vector before_, trial_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_proximal_pivoting(const PivotingOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  return std::make_unique<ProximalPivoting>(options);
}

}  // namespace picus
