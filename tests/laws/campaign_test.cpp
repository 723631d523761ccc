// SPDX-License-Identifier: BSD-3-Clause
// Random mechanisms with contacts, motions, friction and formulas that switch: by `auto` at two
// tolerances and by two other methods they move alike, or a run says by name why it cannot.
//
// The gate runs a few seeds of each family; ./dev campaign runs 25 of each, which makes 525, and
// these variables of the environment change what is run:
//
//   PICUS_CAMPAIGN_SEEDS=25          so many of each family
//   PICUS_CAMPAIGN_FIRST=100         from this seed on
//   PICUS_CAMPAIGN_FOLDER=/tmp/x     writes the model of whatever does not agree
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/laws/campaign_judge.h"

namespace picus::campaign {

static void PrintTo(const Family& family, std::ostream* out) {
  *out << family.name;
}

namespace {

constexpr int kSeedsOfTheGate = 4;

int from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

void keep(const RandomMechanism& mechanism) {
  const char* folder = std::getenv("PICUS_CAMPAIGN_FOLDER");
  if (folder == nullptr) return;
  std::ofstream file(fmt::format("{}/{}.yaml", folder, mechanism.name));
  file << mechanism.text << fmt::format("run: {{end_time: {:.17g}}}\n", mechanism.end_time);
}

/// How many mechanisms of each family ended in which verdict.
class Tally {
 public:
  void add(const char* family, Verdict verdict) {
    if (rows_.empty() || rows_.back().family != family) rows_.push_back({family, {}});
    ++rows_.back().counts[static_cast<std::size_t>(verdict)];
  }
  void print() const {
    Row all{"all", {}};
    for (const Row& row : rows_)
      for (std::size_t i = 0; i < kVerdicts; ++i)
        all.counts[i] += row.counts[i];
    fmt::print("\n{:10}{:>6}", "family", "runs");
    for (std::size_t i = 0; i < kVerdicts; ++i)
      fmt::print("  {}", word_of(static_cast<Verdict>(i)));
    fmt::print("\n");
    for (const Row& row : rows_)
      print(row);
    print(all);
  }

 private:
  struct Row {
    std::string_view family;
    std::array<int, kVerdicts> counts;
  };
  static void print(const Row& row) {
    fmt::print("{:10}{:>6}", row.family, std::accumulate(row.counts.begin(), row.counts.end(), 0));
    for (std::size_t i = 0; i < kVerdicts; ++i)
      fmt::print("  {:>{}}", row.counts[i],
                 std::string_view(word_of(static_cast<Verdict>(i))).size());
    fmt::print("\n");
  }

  std::vector<Row> rows_;
};

class Campaign : public ::testing::TestWithParam<Family> {
 public:
  static void TearDownTestSuite() { tally().print(); }

 protected:
  static Tally& tally() {
    static Tally all;
    return all;
  }
};

TEST_P(Campaign, MethodsAgreeOrSayWhyNot) {
  const Family& family = GetParam();
  const int first = from_environment("PICUS_CAMPAIGN_FIRST", 0);
  const int seeds = from_environment("PICUS_CAMPAIGN_SEEDS", kSeedsOfTheGate);
  for (int seed = first; seed < first + seeds; ++seed) {
    const RandomMechanism mechanism = random_mechanism(family, seed);
    const Judgement judgement = judge(mechanism, seed);
    tally().add(family.name, judgement.verdict);
    if (judgement.verdict != Verdict::kAgree) {
      fmt::print("  {}: {}\n{}", mechanism.name, word_of(judgement.verdict), judgement.why);
      keep(mechanism);
    }
    EXPECT_FALSE(is_silent(judgement.verdict))
        << mechanism.name << " (" << family.what << "), to t = " << mechanism.end_time << "\n"
        << judgement.why << mechanism.text;
    std::fflush(stdout);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Campaign, ::testing::ValuesIn(families().begin(), families().end()),
                         [](const auto& family) { return std::string(family.param.name); });

}  // namespace
}  // namespace picus::campaign
