// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One run of a random mechanism, and what may be said of it without looking at another.

#include <string>
#include <vector>

#include "tests/laws/random_mechanisms.h"

namespace picus::campaign {

/// How to run a mechanism.
struct Method {
  std::string integrator = "auto";
  double tolerance = 1e-6;  ///< of error control
  double step = 0.0;        ///< [s]; 0: error control

  std::string text() const;
};

enum class Ending {
  kSuccess,
  kRefused,  ///< the method does not take the model, and says so
  kFailed,   ///< the run ended early with a message
  kStalled,  ///< it did not end in time
  kSilent    ///< it ended early, or with numbers that are none, without a message
};

struct Trajectory {
  std::vector<double> times;
  std::vector<std::string> names;           ///< of the columns
  std::vector<std::vector<double>> values;  ///< by sample: positions and quaternions of bodies

  bool empty() const { return values.empty(); }
};

struct CampaignRun {
  Method method;
  std::string taken;         ///< the method that auto took, with its steps
  bool is_adaptive = false;  ///< else constant steps
  double step = 0.0;         ///< of those [s]
  Ending ending = Ending::kSuccess;
  std::string message;
  Trajectory path;
  long impacts = 0;
  double seconds = 0.0;
  double fastest = 0.0;  ///< speed of a body at a sample [m/s]
  /// Laws that a sample broke, each in one sentence with its size; empty when all hold.
  std::vector<std::string> broken_laws;
  std::vector<std::string> audit_warnings;  ///< of the run itself; empty when its audit is green

  bool ok() const { return ending == Ending::kSuccess; }
};

CampaignRun run_campaign(const RandomMechanism& mechanism, const Method& method);

/// The largest difference of two paths up to each sample.
std::vector<double> difference(const Trajectory& a, const Trajectory& b);

}  // namespace picus::campaign
