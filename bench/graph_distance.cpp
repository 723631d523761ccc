// SPDX-License-Identifier: BSD-3-Clause
// What the Hausdorff distance of two filled-in graphs costs, on graphs that are close, that are far
// apart, and that oscillate from sample to sample.
#include "picus/math/graph_distance.h"

#include <cmath>
#include <random>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/session.h"
#include "bench/table.h"

namespace {

using namespace picus;

// A sawtooth with `teeth` jumps; the k-th comes up to `shift` late, each by another amount.
FilledGraph sawtooth(int samples, int teeth, double shift) {
  std::vector<double> jumps;
  for (int k = 1; k < teeth; ++k)
    jumps.push_back((k + shift * std::fmod(0.618 * k, 1.0)) / teeth);
  return filled_graph(jumps, 1.0, 1.0 / samples, [&](std::size_t piece, double t) {
    return t * teeth - static_cast<double>(piece);
  });
}

FilledGraph noise(int samples, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  FilledGraph graph;
  for (int i = 0; i <= samples; ++i)
    graph.add(static_cast<double>(i) / samples, value(random));
  return graph;
}

struct Case {
  std::string name;
  FilledGraph (*make)(int samples, bool second);
};
const Case kCases[] = {
    {"smooth, 1e-6 apart",
     [](int samples, bool second) {
       return filled_graph({}, 1.0, 1.0 / samples, [second](std::size_t, double t) {
         return std::sin(20.0 * t) + (second ? 1e-6 * std::cos(300.0 * t) : 0.0);
       });
     }},
    {"1000 jumps, a little late",
     [](int samples, bool second) { return sawtooth(samples, 1000, second ? 0.01 : 0.0); }},
    {"1000 jumps, late by up to half a tooth",
     [](int samples, bool second) { return sawtooth(samples, 1000, second ? 0.5 : 0.0); }},
    {"noise", [](int samples, bool second) { return noise(samples, second ? 1u : 2u); }},
};

}  // namespace

int main(int argc, char** argv) {
  const bench::CommandLine line(argc, argv);
  bench::Session session(line.effort);
  const std::vector<int> sizes =
      line.smoke() ? std::vector{1000, 2000} : std::vector{100'000, 1'000'000};
  std::vector<std::pair<FilledGraph, FilledGraph>> pairs;
  for (const Case& c : kCases)
    for (const int samples : sizes)
      pairs.emplace_back(c.make(samples, false), c.make(samples, true));
  std::size_t next = 0;
  for (const Case& c : kCases) {
    for (const int samples : sizes) {
      session.add(fmt::format("{} {}", c.name, samples), [&pair = pairs[next]] {
        benchmark::DoNotOptimize(hausdorff_distance(pair.first, pair.second));
      });
      ++next;
    }
  }
  session.run(3);
  bench::Table table{
      "graph_distance", "Hausdorff distance of two filled-in graphs, ms", {"graphs"}, {}};
  for (const int samples : sizes)
    table.columns.push_back(fmt::format("{} samples each", samples));
  for (const Case& c : kCases) {
    std::vector<std::string> row{c.name};
    for (const int samples : sizes)
      row.push_back(bench::number(1e3 * session.seconds(fmt::format("{} {}", c.name, samples))));
    table.add(std::move(row));
  }
  bench::print(table);
  return bench::write_json(line, {table});
}
