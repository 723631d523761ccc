// SPDX-License-Identifier: BSD-3-Clause
#include "tests/laws/campaign_judge.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace picus::campaign {
namespace {

// The change by which sensitivity is measured: relative, of gravity and of one mass; in metres, of
// a clearance. Errors of positions are relative to the size of a mechanism, and change what play is
// left of a clearance by as much.
constexpr double kNudge = 1e-6;
// Global errors of error-controlled runs, in tolerances, where the motion amplifies nothing.
constexpr double kOfTolerance = 100.0;
// Methods of constant steps may place an event by a step or two.
constexpr double kOfStep = 4.0;
// Two estimates by halved steps or smaller tolerances are right to about this factor.
constexpr double kOfOwn = 4.0;
// A method of constant steps knows nothing of its error, and its two steps may both miss what order
// contacts close in: if it disagrees, a much smaller one decides.
constexpr double kFiner = 0.125;
// Runs are compared while a nudge is amplified by less.
constexpr double kTooSensitive = 1e4;

RandomMechanism nudged(RandomMechanism mechanism) {
  std::string& text = mechanism.text;
  const std::string gravity = "-9.81]";
  if (const std::size_t at = text.find(gravity); at != std::string::npos)
    text.replace(at, gravity.size(), fmt::format("{:.17g}]", -9.81 * (1.0 + kNudge)));
  if (const std::size_t at = text.find("mass: "); at != std::string::npos)
    text.insert(at + 6, fmt::format("{:.17g}*", 1.0 + kNudge));
  const std::string clearance = "clearance: ";
  if (const std::size_t at = text.find(clearance); at != std::string::npos)
    text.insert(at + clearance.size(), fmt::format("{:g} + ", kNudge));
  return mechanism;
}

/// A method at two accuracies.
struct Pair {
  Method coarse, fine;
};

Pair by_tolerance(const char* integrator, double tolerance) {
  return {{integrator, tolerance, 0.0}, {integrator, 0.01 * tolerance, 0.0}};
}

Pair by_step(const char* integrator, double step) {
  return {{integrator, 1e-6, step}, {integrator, 1e-6, 0.5 * step}};
}

// The methods of a mechanism: auto, one that resolves events or is of second order, one of
// Moreau's.
std::array<Pair, 3> methods_of(const RandomMechanism& mechanism, int seed) {
  const double tolerance = std::pow(10.0, -3 - seed % 4);
  const double step = mechanism.end_time / 2000.0;
  Pair second = by_step("nonsmooth_pva", step), third = by_step("moreau_jean", step);
  if (seed % 3 == 1) second = by_tolerance("event_capturing", tolerance);
  if (seed % 5 == 2) third = by_step("moreau_midpoint", step);
  if (mechanism.text.find("\ncollisions:") != std::string::npos)
    second = by_step("nonsmooth_pva", step);
  return {by_tolerance("auto", tolerance), second, third};
}

/// Two runs of one method.
struct PairOfRuns {
  const CampaignRun &coarse, &fine;
  std::vector<double> own;  ///< difference of the two up to each sample

  PairOfRuns(const CampaignRun& a, const CampaignRun& b)
      : coarse(a), fine(b), own(difference(a.path, b.path)) {}
  bool ok() const { return coarse.ok() && fine.ok(); }
  bool is_controlled() const { return fine.is_adaptive; }
  /// What the finer one may be off by.
  double error(std::size_t sample, double amplification) const {
    const double own_error = coarse.ok() ? kOfOwn * own[sample] : 0.0;
    const double method =
        is_controlled() ? kOfTolerance * fine.method.tolerance : kOfStep * fine.step * fine.fastest;
    return own_error + method * (1.0 + amplification);
  }
};

// Collects what is wrong, the worst verdict first.
class Judge {
 public:
  Judge(const RandomMechanism& mechanism, int seed) : mechanism_(mechanism) {
    for (const Pair& pair : methods_of(mechanism, seed)) {
      result_.runs.push_back(run_campaign(mechanism, pair.coarse));
      result_.runs.push_back(run_campaign(mechanism, pair.fine));
    }
    look_at_endings();
    measure_sensitivity();
    compare();
  }
  Judgement result() && { return std::move(result_); }

 private:
  void say(Verdict verdict, const std::string& why) {
    result_.verdict = std::max(result_.verdict, verdict);
    result_.why += "    " + why + "\n";
  }

  void look_at_endings() {
    for (const CampaignRun& run : result_.runs) {
      const std::string who = fmt::format("{} ({})", run.method.text(), run.taken);
      switch (run.ending) {
        case Ending::kSuccess:
          break;
        case Ending::kRefused:
        case Ending::kFailed:
          say(Verdict::kNamed, fmt::format("{}: {}", who, run.message));
          break;
        case Ending::kStalled:
          say(Verdict::kStalled, fmt::format("{} stalls {}", who, run.message));
          break;
        case Ending::kSilent:
          say(Verdict::kSilent, fmt::format("{}: {}", who, run.message));
      }
      if (run.ok() && run.method.integrator == "auto")
        for (const std::string& law : run.broken_laws)
          say(Verdict::kLawBroken, fmt::format("{}: {}", who, law));
      if (run.ok() && run.method.integrator == "auto")
        for (const std::string& warning : run.audit_warnings)
          say(Verdict::kWarned, fmt::format("{}: {}", who, warning));
    }
  }

  void measure_sensitivity() {
    const CampaignRun& run = result_.runs[1];
    amplification_.assign(run.path.values.size(), 10.0);
    if (!run.ok()) return;
    const CampaignRun other = run_campaign(nudged(mechanism_), run.method);
    if (!other.ok()) return;
    amplification_ = difference(run.path, other.path);
    for (double& a : amplification_)
      a /= kNudge;
  }

  // The last sample at which a comparison says something.
  std::size_t horizon(std::size_t samples) const {
    std::size_t last = 0;
    while (last + 1 < samples && amplification_[last + 1] < kTooSensitive)
      ++last;
    return last;
  }

  void compare() {
    const std::vector<CampaignRun>& runs = result_.runs;
    const PairOfRuns first(runs[0], runs[1]), second(runs[2], runs[3]), third(runs[4], runs[5]);
    if (first.fine.ok()) {
      const std::size_t last = horizon(amplification_.size());
      result_.until = first.fine.path.times[last];
      result_.sensitivity = amplification_[last];
      if (last + 1 < amplification_.size())
        say(Verdict::kSensitive,
            fmt::format("a nudge of {:g} grows by {:.0e} at t = {:.4g}: compared until then",
                        kNudge, kTooSensitive, result_.until));
      check_own(first, last);
      check_own(second, last);
      check_between(first, second, last);
      check_between(first, third, last);
    } else if (second.fine.ok() && third.fine.ok()) {
      check_between(second, third, second.fine.path.values.size() - 1);
    }
  }

  double amplification(std::size_t sample) const {
    return sample < amplification_.size() ? amplification_[sample] : 10.0;
  }

  // Error control keeps what it promises.
  void check_own(const PairOfRuns& pair, std::size_t last) {
    if (!pair.ok() || !pair.is_controlled()) return;
    const double bound = kOfTolerance * pair.coarse.method.tolerance * (1.0 + amplification(last));
    if (pair.own[last] > bound)
      say(Verdict::kDisagree,
          fmt::format("{} and {} differ by {:.3g}, allowed {:.3g}, {}", pair.coarse.method.text(),
                      pair.fine.method.text(), pair.own[last], bound, sudden(pair.own)));
  }

  void check_between(const PairOfRuns& a, const PairOfRuns& b, std::size_t last) {
    if (!a.fine.ok() || !b.fine.ok()) return;
    const std::vector<double> apart = difference(a.fine.path, b.fine.path);
    const double bound = a.error(last, amplification(last)) + b.error(last, amplification(last));
    if (apart[last] > bound)
      say(agrees_if_finer(a, b, last) ? Verdict::kCoarse : Verdict::kDisagree,
          fmt::format("{} and {} differ by {:.3g}, allowed {:.3g} (own {:.2g} and {:.2g}, nudges "
                      "grow by {:.2g}), {}",
                      a.fine.method.text(), b.fine.method.text(), apart[last], bound, a.own[last],
                      b.own[last], amplification(last), sudden(apart)));
  }

  bool agrees_if_finer(const PairOfRuns& a, const PairOfRuns& b, std::size_t last) const {
    if (b.is_controlled()) return false;
    Method method = b.fine.method;
    method.step *= kFiner;
    const CampaignRun finer = run_campaign(mechanism_, method);
    if (!finer.ok()) return false;
    const double bound = a.error(last, amplification(last)) +
                         kOfStep * finer.step * finer.fastest * (1.0 + amplification(last));
    return difference(a.fine.path, finer.path)[last] <= bound;
  }

  // When a difference has come about.
  std::string sudden(const std::vector<double>& grown) const {
    const auto half =
        std::find_if(grown.begin(), grown.end(), [&](double d) { return d > 0.1 * grown.back(); });
    const auto& times = result_.runs[0].path.times;
    const auto at = static_cast<std::size_t>(half - grown.begin());
    return fmt::format("a tenth of it from t = {:.4g} on", at < times.size() ? times[at] : 0.0);
  }

  const RandomMechanism& mechanism_;
  Judgement result_;
  std::vector<double> amplification_;
};

}  // namespace

const char* word_of(Verdict verdict) {
  static constexpr std::array<const char*, kVerdicts> kWords{"agree",
                                                             "agree until sensitive",
                                                             "agree, audit warns",
                                                             "agree with h/8",
                                                             "named failure",
                                                             "DISAGREE",
                                                             "LAW BROKEN",
                                                             "STALLED",
                                                             "SILENT"};
  return kWords[static_cast<std::size_t>(verdict)];
}

Judgement judge(const RandomMechanism& mechanism, int seed) {
  return Judge(mechanism, seed).result();
}

}  // namespace picus::campaign
