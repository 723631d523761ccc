// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/command_line.h"

namespace picus::bench {

/// Measurements that belong together: Google Benchmark repeats them in random order, so that the
/// load of the machine falls on all of them alike, and ratios of the medians mean something.
class Session {
 public:
  explicit Session(Effort effort) : effort_(effort) {}

  /// Measures the CPU time of `work`, called as often as needed.
  void add(const std::string& label, std::function<void()> work);

  /// Measures what `work` says it took, in seconds: for work with a preparation of its own.
  void add_timed(const std::string& label, std::function<double()> work);

  /// One short repetition in a smoke run.
  void run(int repetitions = 9);

  /// Median over the repetitions [s].
  double seconds(const std::string& label) const;

 private:
  struct Item {
    std::string label;
    std::function<void()> work;
    std::function<double()> timed_work;
  };
  Effort effort_;
  std::vector<Item> items_;
  std::map<std::string, double> medians_;
};

/// CPU time of this thread [s].
double cpu_seconds();

double median(std::vector<double> values);

}  // namespace picus::bench
