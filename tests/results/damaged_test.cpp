// SPDX-License-Identifier: BSD-3-Clause
// Bits that flip and files that are cut short: the same numbers, or a word about it.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include <sys/wait.h>
#include <unistd.h>

#include "picus/results/result_file.h"
#include "picus/results/result_writer.h"
#include "tests/results/sample_result.h"

namespace picus::testing {
namespace {

enum class Ending { kFinished, kDropped, kFlushedOften };

class DamagedFile : public ResultTest {
 protected:
  // Finished, dropped (as by a run that fails to write its end), or stored while chunks were open.
  void write(long samples, Ending ending) const {
    ResultWriter writer(path(), sample_header());
    for (long row = 0; row < samples; ++row) {
      writer.append(sample_time(row), sample_values(row));
      if (row % 100 == 50) writer.log_event(sample_time(row), "fifty", std::to_string(row));
      if (ending == Ending::kFlushedOften && row % 31 == 0) writer.flush();
    }
    if (ending != Ending::kDropped) writer.finish(R"({"accepted": 7})");
  }

  std::string bytes() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void put(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes;
  }

  struct Content {
    std::vector<std::vector<double>> columns;
    bool is_whole = true;
  };
  Content content() const {
    const ResultFile file(path());
    Content all{{file.times()}, file.damage().empty()};
    for (const std::string& channel : file.channels())
      all.columns.push_back(file.column(channel));
    file.events();
    return all;
  }

  // Reads in a child: the library may crash.
  enum Outcome { kSame, kChanged, kReported, kCrashed };
  Outcome outcome(const Content& expected) const {
    const pid_t child = ::fork();
    if (child == 0) {
      Outcome found = kReported;
      try {
        const Content now = content();
        const bool same =
            std::equal(now.columns.begin(), now.columns.end(), expected.columns.begin(),
                       expected.columns.end(), [](const auto& a, const auto& b) {
                         return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
                       });
        const bool all = now.columns.front().size() == expected.columns.front().size();
        if (!same || (!all && now.is_whole))
          found = kChanged;
        else
          found = now.is_whole ? kSame : kReported;
      } catch (const InputError&) {
        found = kReported;
      }
      ::_exit(found);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? static_cast<Outcome>(WEXITSTATUS(status)) : kCrashed;
  }

  // Flips a bit at every `stride`-th byte, each of the eight in turn.
  void flip_bits(std::size_t stride) const {
    const Content expected = content();
    const std::string whole = bytes();
    int reported = 0;
    for (std::size_t at = 0, bit = 0; at < whole.size(); at += stride, bit = (bit + 1) % 8) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      put(damaged);
      const Outcome found = outcome(expected);
      EXPECT_TRUE(found == kSame || found == kReported)
          << "bit " << bit << " of byte " << at << ": "
          << (found == kChanged ? "other numbers" : "a crash");
      reported += found == kReported ? 1 : 0;
    }
    EXPECT_GT(reported, 20);
  }
};

TEST_F(DamagedFile, FlippedBitsOfAShortRunAreHarmlessOrReported) {
  write(500, Ending::kFinished);
  flip_bits(199);
}

TEST_F(DamagedFile, FlippedBitsOfALongRunAreHarmlessOrReported) {
  write(2300, Ending::kFinished);
  flip_bits(499);
}

TEST_F(DamagedFile, FlippedBitsOfChunksStoredEarlyAreHarmlessOrReported) {
  write(500, Ending::kFlushedOften);
  flip_bits(997);
}

TEST_F(DamagedFile, FlippedBitsOfAnUnfinishedRunAreHarmlessOrReported) {
  write(500, Ending::kDropped);
  flip_bits(997);
}

// Names, units and the model: HDF5 has no checksums for them and crashes on some.
TEST_F(DamagedFile, FlippedBitsOfTextsAreReported) {
  write(3, Ending::kFinished);
  const Content expected = content();
  const std::string whole = bytes();
  const std::size_t begin = whole.find("GCOL");
  ASSERT_NE(begin, std::string::npos);
  for (std::size_t at = begin; at < begin + 600; at += 7) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    put(damaged);
    EXPECT_EQ(outcome(expected), kReported) << at;
  }
}

TEST_F(DamagedFile, ACutFileGivesBackWhatIsWhole) {
  for (const Ending ending : {Ending::kFinished, Ending::kFlushedOften}) {
    write(5000, ending);
    const Content expected = content();
    const std::string whole = bytes();
    std::size_t before = 0, most = 0;  // the most of those that lost some
    for (int percent = 2; percent < 100; percent += 7) {
      put(whole.substr(0, whole.size() * static_cast<std::size_t>(percent) / 100));
      EXPECT_EQ(outcome(expected), kReported) << percent;
      try {
        const ResultFile file(path());
        const auto samples = static_cast<std::size_t>(file.samples());
        EXPECT_GE(samples, before) << percent;
        EXPECT_NE(file.damage().find("truncated"), std::string::npos) << file.damage();
        before = samples;
        if (samples < expected.columns.front().size())  // else the cut is behind the last of them
          most = std::max(most, samples);
        else
          EXPECT_GT(percent, 90);
      } catch (const InputError&) {
        EXPECT_LT(percent, 40);  // not even the names are there
      }
    }
    EXPECT_GE(most, 3 * 1024U);
  }
}

// Wherever the damage is: some of it hits what other tools read (dimension scales), or nothing.
TEST_F(DamagedFile, MessagesAreNotThoseOfTheLibrary) {
  enum { kHarmless, kPlain, kCryptic, kOtherNumbers };
  constexpr std::size_t kBlock = 2000;
  write(500, Ending::kFinished);
  const Content expected = content();
  const std::string whole = bytes();
  int plain = 0;
  for (std::size_t at = kBlock; at < whole.size(); at += kBlock) {
    std::string damaged = whole;
    for (std::size_t i = at; i < std::min(at + kBlock, whole.size()); ++i)
      damaged[i] = static_cast<char>(~damaged[i]);
    put(damaged);
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        ::_exit(content().columns == expected.columns ? kHarmless : kOtherNumbers);
      } catch (const InputError& error) {
        const std::string text = error.what();
        const bool is_plain = text.find("H5") == std::string::npos &&
                              text.find("addr") == std::string::npos &&
                              text.find("is truncated or damaged: ") != std::string::npos;
        ::_exit(is_plain ? kPlain : kCryptic);
      }
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << at;
    EXPECT_TRUE(WEXITSTATUS(status) == kHarmless || WEXITSTATUS(status) == kPlain)
        << at << ": " << WEXITSTATUS(status);
    plain += WEXITSTATUS(status) == kPlain ? 1 : 0;
  }
  EXPECT_GT(plain, 10);
}

}  // namespace
}  // namespace picus::testing
