// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace picus::app {

/// The signal that asked to end: after the step under way, with all that was computed; 0 for none.
int stop_signal();

/// While it lives, Ctrl-C, what batch systems send, and what a closed terminal sends are noted in
/// stop_signal(), unless they are ignored (nohup); a second one ends the process.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();
};

}  // namespace picus::app
