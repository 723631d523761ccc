// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace picus::app {
namespace {

constexpr double kRedrawInterval = 0.1;  // [s]
constexpr double kShortRun = 2.0;        // [s]; shorter ones need no lines
constexpr std::size_t kBar = 20;         // columns

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::size_t terminal_columns() {
  winsize size{};
  constexpr std::size_t kUsual = 80;
  if (::ioctl(::fileno(stderr), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return size.ws_col;
}

void write_to_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

double fraction_of(const ProgressState& state) {
  const double length = state.end - state.begin;
  if (!(length > 0.0)) return 1.0;
  return std::clamp((state.time - state.begin) / length, 0.0, 1.0);
}

double remaining_of(const ProgressState& state) {
  const double done = fraction_of(state);
  return done > 0.0 ? state.elapsed * (1.0 - done) / done : -1.0;
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60.0, kHour = 3600.0, kDay = 86400.0;
  constexpr double kRepresentable = 1e15;
  if (!(seconds >= 0.0) || seconds > kRepresentable) return "?";
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const long whole = std::lround(seconds);
  if (seconds < kMinute - 0.5) return fmt::format("{} s", whole);
  if (seconds < kHour - 0.5) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  const long minutes = std::lround(seconds / kMinute);
  if (seconds < kDay - 30.0) return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  const long hours = std::lround(seconds / kHour);
  return fmt::format("{} d {:02} h", hours / 24, hours % 24);
}

std::string progress_text(const ProgressState& state) {
  // rounded down: 100 % is said at the end and not before
  std::string text = fmt::format("{:3.0f} %  t {:.4g} s  h {:.2g} s",
                                 std::floor(100.0 * fraction_of(state)), state.time, state.step);
  if (state.steps > 0)
    text += fmt::format("  {:.1f} it/step",
                        static_cast<double>(state.iterations) / static_cast<double>(state.steps));
  text += "  " + duration_text(state.elapsed);
  const double remaining = remaining_of(state);
  if (remaining >= 0.0 && fraction_of(state) < 1.0)
    text += ", " + duration_text(remaining) + " left";
  return text;
}

std::string progress_bar(const ProgressState& state, std::size_t columns) {
  const auto filled =
      static_cast<std::size_t>(std::floor(static_cast<double>(kBar) * fraction_of(state)));
  std::string bar = fmt::format("[{}{}] {}", std::string(filled, '#'),
                                std::string(kBar - filled, '.'), progress_text(state));
  if (columns > 0 && bar.size() >= columns) bar.resize(columns - 1);  // a full line would wrap
  return bar;
}

ProgressStyle progress_style(bool quiet, bool terminal) {
  if (quiet) return ProgressStyle::kQuiet;
  return terminal ? ProgressStyle::kRedrawn : ProgressStyle::kLines;
}

Progress::Progress(double begin, double end, bool quiet)
    : Progress(begin, end, progress_style(quiet, ::isatty(::fileno(stderr)) != 0), write_to_stderr,
               wall_clock) {}

Progress::Progress(double begin, double end, ProgressStyle style, Write write, Seconds now)
    : style_(style),
      write_(std::move(write)),
      now_(std::move(now)),
      started_(now_()),
      last_drawn_(-std::numeric_limits<double>::infinity()) {
  state_.begin = state_.time = begin;
  state_.end = end;
}

Progress::~Progress() {
  clear();
}

void Progress::update(double time, double step, long steps, long iterations) {
  if (style_ == ProgressStyle::kQuiet) return;
  state_.time = time;
  state_.step = step;
  state_.steps = steps;
  state_.iterations = iterations;
  if (style_ == ProgressStyle::kRedrawn)
    redraw();
  else
    add_line();
}

void Progress::redraw() {
  const double now = now_();
  if (now - last_drawn_ < kRedrawInterval) return;
  last_drawn_ = now;
  state_.elapsed = now - started_;
  write_("\r\033[K" + progress_bar(state_, terminal_columns()));
  is_drawn_ = true;
}

void Progress::add_line() {
  constexpr double kRounding = 1e-9;  // a sum of steps ends just below the end
  const int tenths = static_cast<int>(std::floor(10.0 * fraction_of(state_) + kRounding));
  if (tenths <= tenths_) return;
  tenths_ = tenths;
  state_.elapsed = now_() - started_;
  if (state_.elapsed < kShortRun) return;
  write_(progress_text(state_) + "\n");
}

void Progress::clear() {
  if (is_drawn_) write_("\r\033[K");
  is_drawn_ = false;
}

}  // namespace picus::app
