// SPDX-License-Identifier: BSD-3-Clause
// Cheap methods first, and each only where it is needed. After some sweeps over a large problem
// most contacts are where they should be; what is left to do is in regions of their own. Those are
// solved as problems of their own, with as many sweeps as each of them takes, while the impulses
// around them stay; what that disturbs is in the regions of the next round. So the work does not
// grow with the hardest place times the size of the whole.
#include <algorithm>

#include "picus/solvers/accelerated_sweeps.h"
#include "picus/solvers/contact_cascade.h"
#include "picus/solvers/contact_regions.h"

namespace picus {
namespace {

constexpr int kLarge = 200;              // contacts from which regions are looked for
constexpr int kFirstSweeps = 10;         // before that, twice as many each time
constexpr double kLargestShare = 0.3;    // of the contacts in regions: the whole is no more
constexpr int kRounds = 12, kRings = 4;  // one more ring every round
constexpr double kMargin = 0.7;          // of the tolerance, to which regions are solved

class AutomaticContactSolver final : public ContactSolver {
 public:
  explicit AutomaticContactSolver(const AutomaticOptions& options)
      : tolerance_(options.tolerance),
        sweeps_({.tolerance = options.tolerance}),
        whole_(options),
        part_({kMargin * options.tolerance, options.max_iterations}) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    if (problem.contacts() < kLarge) return whole_.solve(problem, p);
    ContactReport report = begin_contact_solve(problem, p, tolerance_);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    sweeps_.start(problem, p, report.residual);
    const int most = ContactCascade::sweeps_first(problem, tolerance_);
    for (int next = kFirstSweeps; sweeps_.sweeps() < most; next *= 2) {
      const int before = sweeps_.sweeps();
      sweeps_.run(problem, std::min(next, most - before));
      report.iterations += sweeps_.sweeps() - before;
      report.residual = sweeps_.progress().best();
      p = sweeps_.progress().impulse();
      if (sweeps_.converged() || settle(problem, p, report)) {
        report.status = ContactReport::Status::kConverged;
        return report;
      }
    }
    return whole_.solve_after_sweeps(problem, p, report);
  }

 private:
  // Solves region after region; false, with p as it was, where there is too much of them or one
  // resists.
  bool settle(const ContactProblem& problem, Vector& p, ContactReport& report) {
    settled_ = p;
    const double speed = problem.residual_speed();
    for (int round = 0; round < kRounds; ++round) {
      regions_.find(problem, settled_, kMargin * tolerance_ * speed, kRings + round);
      if (regions_.worst() <= tolerance_ * speed) {
        p.swap(settled_);
        report.residual = regions_.worst() / speed;
        return true;
      }
      if (regions_.contacts() > kLargestShare * problem.contacts()) return false;
      for (int k = 0; k < regions_.count(); ++k) {
        regions_.pose(problem, settled_, k, region_, share_);
        const ContactReport part = part_.solve(region_, share_);
        report.iterations += part.iterations;
        if (!part.ok()) return false;
        regions_.put_back(k, share_, settled_);
      }
    }
    return false;
  }

  double tolerance_;
  AcceleratedSweeps sweeps_;
  ContactCascade whole_, part_;
  ContactRegions regions_;
  ContactProblem region_;
  Vector settled_, share_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_automatic_contact_solver(const AutomaticOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  return std::make_unique<AutomaticContactSolver>(options);
}

}  // namespace picus
