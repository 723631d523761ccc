// SPDX-License-Identifier: BSD-3-Clause
// Cheap methods first, and each only where it is needed. After some sweeps over a large problem, or
// some pivots, most contacts are where they should be; what is left to do is in regions of their
// own. Those are solved as problems of their own, with as many sweeps as each of them takes, while
// the impulses around them stay; what that disturbs is in the regions of the next round. So the
// work does not grow with the hardest place times the size of the whole.
//
// Where sweeps do not arrive, pivots go on from where they have ended: in the plane along their
// paths, in space first by leaps with sweeps after them, which solve most heaps of spheres, and
// some not at all; the two searches go on by turns that become longer.
#include <algorithm>

#include "picus/solvers/contact_cascade.h"
#include "picus/solvers/contact_leaps.h"
#include "picus/solvers/contact_regions.h"
#include "picus/solvers/momentum_sweeps.h"
#include "picus/solvers/proximal_pivots.h"

namespace picus {
namespace {

constexpr int kLarge = 200;  // contacts from which regions are looked for
// Sweeps before that, at first; twice as many each time, up to the last where a solution is wanted
// at any price.
constexpr int kSweepsFirst = 10, kSweepsBetween = 100;
// Of the contacts in regions: more of them are no easier than the whole.
constexpr double kLargestShare = 0.3, kSmallestShare = 0.03;
constexpr int kRounds = 30, kRings = 3;  // one more where a round was of no use
// Newton steps of small regions and pivots of others, after which one stays unsolved: what is
// around it must change, too.
constexpr int kRegionSteps = 100, kRegionPivots = 200;
constexpr double kMargin = 0.7;  // of the tolerance, to which regions are solved
// In the first turns of the two searches, which take about as long; where a step may be divided
// instead; and how long the longest turn is where it would have to be divided often.
constexpr int kFirstPaths = 30, kFirstLeaps = 30, kBriefLeaps = 2, kFairTurns = 2;

class AutomaticContactSolver final : public ContactSolver {
 public:
  explicit AutomaticContactSolver(const AutomaticOptions& options)
      : tolerance_(options.tolerance),
        sweeps_(options.tolerance),
        pivots_(options.tolerance),
        leaps_(options.tolerance),
        whole_(options),
        part_({kMargin * options.tolerance, kRegionSteps}, kRegionPivots, false) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    if (problem.contacts() < kLarge) return whole_.solve(problem, p);
    ContactReport report = begin_contact_solve(problem, p, tolerance_);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    using enum ContactReport::Status;
    const bool swept = sweep(problem, p, report);
    if (!swept && sweeps_.prove_no_solution(problem)) {
      report.status = kNoSolution;
    } else if (swept || pivot(problem, p, report)) {
      report.status = kConverged;
    } else if (search_effort(problem) == SearchEffort::kUnlimited) {
      report = whole_.solve_at_last(problem, p, report);
    }
    return report;
  }

  void set_search_effort(SearchEffort effort) override {
    search_effort_ = effort;
    sweeps_.be_brief(effort == SearchEffort::kBrief);
    leaps_.be_brief(effort == SearchEffort::kBrief);
  }

 private:
  // How region after region ended: too large to be worth a try, or one of them not solved.
  enum class Settled { kYes, kTooLarge, kUnsolved };

  bool sweep(const ContactProblem& problem, Vector& p, ContactReport& report) {
    sweeps_.start(problem, p, report.residual);
    const int most = ContactCascade::sweeps(problem, tolerance_);
    const int longest = search_effort_ == SearchEffort::kBrief ? most : kSweepsBetween;
    for (int next = kSweepsFirst; sweeps_.iterations() < most; next = std::min(2 * next, longest)) {
      const int before = sweeps_.iterations();
      sweeps_.run(problem, std::min(next, most - before));
      report.iterations += sweeps_.iterations() - before;
      report.residual = sweeps_.progress().best();
      p = sweeps_.progress().impulse();
      if (sweeps_.converged() || settle(problem, kLargestShare, p, report) == Settled::kYes)
        return true;
    }
    return false;
  }

  // In the plane, where paths are exact, it pays to go on.
  SearchEffort search_effort(const ContactProblem& problem) const {
    return is_planar(problem) ? SearchEffort::kUnlimited : search_effort_;
  }

  bool pivot(const ContactProblem& problem, Vector& p, ContactReport& report) {
    const bool in_space = !is_planar(problem);
    double leap_share = kLargestShare, path_share = kLargestShare;
    if (in_space) leaps_.start(problem, p, report.residual);
    if (search_effort(problem) == SearchEffort::kBrief)
      return search(problem, leaps_, kBriefLeaps, leap_share, p, report);
    const int last =
        search_effort(problem) == SearchEffort::kFair ? kFairTurns : ContactCascade::kPivots;
    pivots_.start(problem, p, report.residual);
    for (int turn = 1;
         turn <= last && !pivots_.stuck() && pivots_.iterations() < ContactCascade::kPivots;
         turn *= 2)
      if ((in_space && search(problem, leaps_, kFirstLeaps * turn, leap_share, p, report)) ||
          search(problem, pivots_, kFirstPaths * turn, path_share, p, report))
        return true;
    return false;
  }

  // Up to so many further paths or leaps; regions may hold `share` of the contacts. p is the best
  // of all searches when they have not arrived.
  bool search(const ContactProblem& problem, ContactSearch& search, int count, double& share,
              Vector& p, ContactReport& report) {
    for (int k = 0; k < count && !search.stuck(); ++k) {
      const int before = search.iterations();
      search.run(problem, 1);
      report.iterations += search.iterations() - before;
      if (search.progress().best() < report.residual) {
        report.residual = search.progress().best();
        p = search.progress().impulse();
      }
      if (search.converged()) return true;
      trial_ = search.impulse();  // the latest: the best ones miss by less, but at more places
      const Settled settled = settle(problem, share, trial_, report);
      if (settled == Settled::kYes) {
        p.swap(trial_);
        return true;
      }
      // the next ones have to be smaller
      if (settled == Settled::kUnsolved) share = std::max(kSmallestShare, 0.5 * share);
    }
    return false;
  }

  // Solves region after region; p is as it was where that fails.
  Settled settle(const ContactProblem& problem, double share, Vector& p, ContactReport& report) {
    settled_ = p;
    Settled failure = Settled::kTooLarge;
    const double speed = problem.residual_speed();
    int rings = kRings, missing = problem.contacts();
    for (int round = 0; round < kRounds; ++round) {
      regions_.find(problem, settled_, kMargin * tolerance_ * speed, rings);
      if (regions_.missing() >= missing) ++rings;
      missing = regions_.missing();
      if (regions_.worst() <= tolerance_ * speed) {
        p.swap(settled_);
        report.residual = regions_.worst() / speed;
        return Settled::kYes;
      }
      if (regions_.contacts() > share * problem.contacts()) return failure;
      failure = Settled::kUnsolved;
      for (int k = 0; k < regions_.count(); ++k) {
        regions_.pose(problem, settled_, k, region_, share_);
        const ContactReport part = part_.solve(region_, share_);
        report.iterations += part.iterations;
        if (!part.ok()) return failure;
        regions_.put_back(k, share_, settled_);
      }
    }
    return failure;
  }

  double tolerance_;
  MomentumSweeps sweeps_;
  ProximalPivots pivots_;
  ContactLeaps leaps_;
  ContactCascade whole_, part_;
  ContactRegions regions_;
  ContactProblem region_;
  Vector trial_, settled_, share_;
  SearchEffort search_effort_ = SearchEffort::kUnlimited;
};

}  // namespace

std::unique_ptr<ContactSolver> make_automatic_contact_solver(const AutomaticOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  return std::make_unique<AutomaticContactSolver>(options);
}

}  // namespace picus
