// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/stop_signals.h"

#include <array>
#include <atomic>
#include <csignal>

namespace picus::app {
namespace {

constexpr std::array kStopSignals{SIGINT, SIGTERM, SIGHUP};

std::atomic<int> stopped_by{0};  // NOLINT: a signal handler reaches nothing else

void on_stop_signal(int signal) {
  stopped_by = signal;
  std::signal(signal, SIG_DFL);  // a second one ends the process
}

}  // namespace

int stop_signal() {
  return stopped_by;
}

StopSignals::StopSignals() {
  for (const int signal : kStopSignals)
    if (std::signal(signal, on_stop_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
}

StopSignals::~StopSignals() {
  for (const int signal : kStopSignals)
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace picus::app
