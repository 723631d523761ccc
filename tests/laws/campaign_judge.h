// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A random mechanism run by `auto` at two tolerances and by two other methods at two accuracies
// each, and whether these runs tell of one motion.

#include <cstddef>
#include <string>
#include <vector>

#include "tests/laws/campaign_run.h"

namespace picus::campaign {

enum class Verdict {
  kAgree,      ///< all runs reach the end and agree within their errors
  kSensitive,  ///< they do until a change of 1e-6 in mass and gravity tells, then nobody knows
  kWarned,     ///< they agree, and the audit of a run by auto has a warning
  kCoarse,     ///< they agree once a method of constant steps takes an eighth of its step
  kNamed,      ///< a run ended with a message; those that did not agree
  kDisagree,   ///< runs differ by more than their errors: one of them is silently wrong
  kLawBroken,  ///< a run by auto broke a law without a word
  kStalled,    ///< a run did not end in time
  kSilent      ///< a run ended early without a message
};

constexpr std::size_t kVerdicts = 9;

const char* word_of(Verdict verdict);

/// Whether nobody would have noticed.
inline bool is_silent(Verdict verdict) {
  return verdict >= Verdict::kDisagree;
}

struct Judgement {
  Verdict verdict = Verdict::kAgree;
  std::vector<CampaignRun> runs;  ///< auto, auto finer, then the others
  std::string why;                ///< numbers, in a few lines
  double sensitivity = 0.0;       ///< by what a change of mass and gravity is amplified [m]
  double until = 0.0;             ///< the runs were compared up to here [s]
};

Judgement judge(const RandomMechanism& mechanism, int seed);

}  // namespace picus::campaign
