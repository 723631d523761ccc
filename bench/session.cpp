// SPDX-License-Identifier: BSD-3-Clause
#include "bench/session.h"

#include <algorithm>
#include <array>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <time.h>

#include "picus/base/contract.h"

namespace picus::bench {
namespace {

// Keeps the single runs and prints nothing: tables are made from the medians.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.iterations == 0) continue;
      const double total =
          run.run_name.time_type.empty() ? run.cpu_accumulated_time : run.real_accumulated_time;
      values[run.run_name.function_name].push_back(total / static_cast<double>(run.iterations));
    }
  }
  std::map<std::string, std::vector<double>> values;
};

}  // namespace

void Session::add(const std::string& label, std::function<void()> work) {
  items_.push_back({label, std::move(work), {}});
}

void Session::add_timed(const std::string& label, std::function<double()> work) {
  items_.push_back({label, {}, std::move(work)});
}

void Session::run(int repetitions) {
  const bool smoke = effort_ == Effort::kSmoke;
  if (smoke) repetitions = 1;
  std::array<std::string, 3> words{
      "bench", "--benchmark_enable_random_interleaving=true",
      smoke ? "--benchmark_min_time=0.001" : "--benchmark_min_time=0.05"};
  std::array<char*, 3> arguments{words[0].data(), words[1].data(), words[2].data()};
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  for (Item& item : items_) {
    if (item.work) {
      benchmark::RegisterBenchmark(item.label.c_str(), [&item](benchmark::State& state) {
        for (auto _ : state)
          item.work();
      })->Repetitions(repetitions);
    } else {
      benchmark::RegisterBenchmark(item.label.c_str(),
                                   [&item](benchmark::State& state) {
                                     for (auto _ : state)
                                       state.SetIterationTime(item.timed_work());
                                   })
          ->Repetitions(repetitions)
          ->Iterations(1)
          ->UseManualTime();
    }
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
  for (auto& [label, values] : collector.values)
    medians_[label] = median(values);
  items_.clear();
}

double Session::seconds(const std::string& label) const {
  const auto found = medians_.find(label);
  if (found == medians_.end()) fmt::print(stderr, "no measurement '{}'\n", label);
  expects(found != medians_.end(), "a label that was measured");
  return found->second;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  expects(!values.empty(), "something to take the median of");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace picus::bench
