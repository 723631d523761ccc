// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/simulation/simulate.h"

namespace picus {

/// Keeps states in memory: after every step, or at regular times by dense output.
class Recorder {
 public:
  /// An interval of 0 records every step.
  explicit Recorder(double interval = 0.0) : interval_(interval) {}

  /// The observer to pass to simulate(); the recorder must outlive it.
  Observer observer() {
    return [this](const Moment& moment) { return observe(moment); };
  }

  const std::vector<State>& states() const { return states_; }

 private:
  bool observe(const Moment& moment);

  double interval_;
  double begin_ = 0.0;
  std::vector<State> states_;
};

}  // namespace picus
