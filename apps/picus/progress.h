// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far a run is: one line that is redrawn on a terminal, a plain line every tenth elsewhere,
// there only once a run has lasted two seconds.

#include <cstdio>
#include <functional>
#include <string>

namespace picus::app {

/// A moment of a run as its user sees it.
struct ProgressState {
  double begin = 0.0, end = 1.0;  ///< simulated time of the whole run [s]
  double time = 0.0;              ///< reached [s]
  double step = 0.0;              ///< the last one [s]
  long steps = 0;                 ///< accepted so far
  long iterations = 0;            ///< of Newton's method so far
  double elapsed = 0.0;           ///< on the clock [s]
};

/// Done part of the run, 0 to 1.
double fraction_of(const ProgressState& state);

/// What is left on the clock if the run goes on at its mean pace [s]; negative when unknown.
double remaining_of(const ProgressState& state);

/// "0.4 s", "12 s", "3 min 05 s", "2 h 07 min", "4 d 03 h".
std::string duration_text(double seconds);

/// " 42 %  t 0.84 s  h 1e-3 s  2.1 it/step  12 s, 17 s left".
std::string progress_text(const ProgressState& state);

/// The same behind a bar, cut to the width of the terminal.
std::string progress_bar(const ProgressState& state, std::size_t columns);

enum class ProgressStyle { kQuiet, kLines, kRedrawn };

/// Redrawn on a terminal, lines elsewhere, silent when the user wants so.
ProgressStyle progress_style(bool quiet, bool terminal);

/// Shows the progress of one run.
class Progress {
 public:
  using Write = std::function<void(const std::string&)>;
  using Seconds = std::function<double()>;

  /// To standard error, by the clock on the wall.
  Progress(double begin, double end, bool quiet);
  /// To anywhere, by any clock.
  Progress(double begin, double end, ProgressStyle style, Write write, Seconds now);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// To be called after every step; cheap when nothing is to be shown.
  void update(double time, double step, long steps, long iterations);

  /// Removes the redrawn line, so that other output can follow.
  void clear();

 private:
  void redraw();
  void add_line();

  ProgressStyle style_;
  Write write_;
  Seconds now_;
  ProgressState state_;
  double started_ = 0.0;
  double last_drawn_;
  int tenths_ = 0;  // shown as lines
  bool is_drawn_ = false;
};

}  // namespace picus::app
