// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/result_file.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

#include "picus/base/output_file.h"
#include "picus/base/version.h"
#include "picus/results/hdf5_file.h"
#include "picus/results/result_writer.h"
#include "tests/results/sample_result.h"
#include "tests/support/allocation_counter.h"

namespace picus::testing {
namespace {

class ResultFileTest : public ResultTest {
 protected:
  // A finished file with so many samples.
  void write(long samples) const {
    ResultWriter writer(path(), sample_header());
    for (long row = 0; row < samples; ++row)
      writer.append(sample_time(row), sample_values(row));
    writer.finish(R"({"accepted": 7})");
  }

  std::string refusal() const {
    try {
      ResultFile file(path());
      file.column("energy.total");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(ResultFileTest, GivesBackEveryField) {
  write(3);
  const ResultFile file(path());
  EXPECT_EQ(file.header(), sample_header());
  EXPECT_EQ(file.samples(), 3);
  EXPECT_EQ(file.times(), (std::vector<double>{0.0, 0.25, 0.5}));
  EXPECT_EQ(file.summary(), R"({"accepted": 7})");
  EXPECT_TRUE(file.is_complete());
  EXPECT_TRUE(file.events().empty());
}

TEST_F(ResultFileTest, NamesItsChannelsByGroupItemQuantityComponent) {
  write(1);
  EXPECT_EQ(ResultFile(path()).channels(),
            (std::vector<std::string>{"bodies.crank.position.x", "bodies.crank.position.y",
                                      "bodies.crank.position.z", "bodies.Stößel.position.x",
                                      "bodies.Stößel.position.y", "bodies.Stößel.position.z",
                                      "energy.total", "states.θ.value"}));
}

// more than one chunk (1024 samples here), the last one partly filled
TEST_F(ResultFileTest, ColumnsHoldWhatWasAppended) {
  constexpr long kSamples = 2500;
  write(kSamples);
  const ResultFile file(path());
  ASSERT_EQ(file.samples(), kSamples);
  for (std::size_t i = 0; i < file.channels().size(); ++i) {
    const std::vector<double> column = file.column(file.channels()[i]);
    ASSERT_EQ(column.size(), kSamples);
    for (long row = 0; row < kSamples; ++row)
      ASSERT_EQ(column[static_cast<std::size_t>(row)], sample_values(row)[i]) << row;
  }
}

TEST_F(ResultFileTest, BlocksHoldWhatWasAppended) {
  write(1500);
  const ResultFile file(path());
  std::vector<double> block;
  file.read(0, 1020, 10, block);
  ASSERT_EQ(block.size(), 60U);
  for (std::size_t k = 0; k < block.size(); ++k)
    EXPECT_EQ(block[k], sample_values(1020 + static_cast<long>(k / 6))[k % 6]);
  file.read(1, 0, 0, block);
  EXPECT_TRUE(block.empty());
}

TEST_F(ResultFileTest, KeepsNumbersThatAreNone) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  {
    ResultWriter writer(path(), sample_header());
    std::vector<double> values = sample_values(0);
    values[6] = std::numeric_limits<double>::quiet_NaN();
    values[7] = -kInfinity;
    writer.append(0.0, values);
    writer.append(1.0, sample_values(1));
    writer.finish("");
  }
  const ResultFile file(path());
  EXPECT_EQ(file.samples(), 2);
  EXPECT_TRUE(std::isnan(file.column("energy.total")[0]));
  EXPECT_EQ(file.column("states.θ.value")[0], -kInfinity);
  EXPECT_EQ(file.summary(), "{}");
}

TEST_F(ResultFileTest, EmptyVersionAndTimeAreFilledIn) {
  ResultHeader header = sample_header();
  header.version = header.created = "";
  ResultWriter(path(), header).finish("{}");
  const ResultFile file(path());
  EXPECT_EQ(file.header().version, version());
  ASSERT_EQ(file.header().created.size(), std::string("2024-05-06T07:08:09Z").size());
  EXPECT_EQ(file.header().created[10], 'T');
  EXPECT_EQ(file.header().created.back(), 'Z');
}

TEST_F(ResultFileTest, EventsComeBackInOrderAndWhole) {
  std::string saga;
  while (saga.size() < 2000)
    saga += "Stoß → ";  // characters of one, two and three bytes at every possible cut
  const std::vector<Event> events{{0.5, "impact", "ball on floor"},
                                  {0.75, "note", saga},
                                  {0.75, "sticking", ""},
                                  {1.0, std::string(32, 'k'), std::string(256, 't')},
                                  {1.5, "Stoß", "ende"}};
  {
    ResultWriter writer(path(), sample_header());
    for (std::size_t i = 0; i < events.size(); ++i) {
      writer.log_event(events[i].time, events[i].kind, events[i].text);
      if (i == 2) writer.flush();
    }
    writer.finish("{}");
  }
  EXPECT_EQ(ResultFile(path()).events(), events);
}

TEST_F(ResultFileTest, LongTextsAndManyItemsFit) {
  ResultHeader header = sample_header();
  header.model_text = std::string(3'000'000, 'm') + "é";
  Quantity many{"joints", "force", {}, {"x", "y", "z"}, "N", "Reaction."};
  for (int i = 0; i < 20000; ++i)
    many.items.push_back("joint number " + std::to_string(i));
  header.quantities = {many};
  ResultWriter(path(), header).finish("{}");
  EXPECT_EQ(ResultFile(path()).header(), header);
}

TEST_F(ResultFileTest, ManySamplesPassQuickly) {
  write(100'000);
  const ResultFile file(path());
  EXPECT_EQ(file.samples(), 100'000);
  EXPECT_EQ(file.column("energy.total").back(), sample_values(99'999)[6]);
}

TEST_F(ResultFileTest, CanBeReadWhileItIsWritten) {
  ResultWriter writer(path(), sample_header());
  for (long row = 0; row < 10; ++row)
    writer.append(sample_time(row), sample_values(row));
  writer.flush();
  const ResultFile early(path());
  EXPECT_EQ(early.samples(), 10);
  EXPECT_FALSE(early.is_complete());
  EXPECT_EQ(early.summary(), "");
  EXPECT_EQ(early.column("energy.total")[9], sample_values(9)[6]);
  for (long row = 10; row < 3000; ++row)
    writer.append(sample_time(row), sample_values(row));
  writer.flush();
  EXPECT_EQ(ResultFile(path()).samples(), 3000);
  writer.finish("{}");
  EXPECT_TRUE(ResultFile(path()).is_complete());
}

TEST_F(ResultFileTest, WithoutFinishItIsIncompleteButWhole) {
  {
    ResultWriter writer(path(), sample_header());
    for (long row = 0; row < 1500; ++row)
      writer.append(sample_time(row), sample_values(row));
  }
  const ResultFile file(path());
  EXPECT_EQ(file.samples(), 1500);
  EXPECT_FALSE(file.is_complete());
}

TEST_F(ResultFileTest, ReplacesAnOlderResult) {
  write(50);
  write(3);
  EXPECT_EQ(ResultFile(path()).samples(), 3);
}

// A chunk that is stored before it is full is rewritten in place; the rest are headers.
TEST_F(ResultFileTest, FlushingEverySampleCostsNoSpace) {
  ResultHeader header = sample_header();
  header.quantities[0].items.clear();
  for (int i = 0; i < 100; ++i)
    header.quantities[0].items.push_back("body" + std::to_string(i));
  ResultWriter writer(path(), header);
  constexpr long kSamples = 4 * 432;  // chunks that are full in the end
  for (long row = 0; row < kSamples; ++row) {
    writer.append(sample_time(row), sample_values(row, writer.width()));
    writer.flush();
  }
  const double plain = static_cast<double>(kSamples) * 8.0 * static_cast<double>(writer.width());
  writer.finish("{}");
  EXPECT_LT(static_cast<double>(std::filesystem::file_size(path())), 1.1 * plain);
}

TEST_F(ResultFileTest, AppendingAllocatesNothingBetweenFlushes) {
  ResultWriter writer(path(), sample_header());
  const std::vector<double> values = sample_values(0);
  writer.append(0.0, values);
  writer.flush();  // sizes everything; the next flush comes with the 1024th sample
  const long before = allocations();
  for (long row = 1; row < 1000; ++row)
    writer.append(sample_time(row), values);
  EXPECT_EQ(allocations() - before, 0);
}

TEST_F(ResultFileTest, UnknownChannelGetsTheNearestName) {
  write(1);
  try {
    ResultFile(path()).column("bodies.crank.positon.x");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "unknown channel 'bodies.crank.positon.x'; did you mean "
                 "'bodies.crank.position.x'?");
  }
}

TEST_F(ResultFileTest, RefusesWhatItCannotCreate) {
  const std::string nowhere = path("missing/folder/run.h5");
  try {
    ResultWriter(nowhere, sample_header());
    FAIL();
  } catch (const WriteError& error) {
    EXPECT_EQ(std::string(error.what()), "cannot write '" + nowhere + "': the folder '" +
                                             path("missing/folder") + "' does not exist");
  }
}

TEST_F(ResultFileTest, RefusesBadQuantities) {
  const auto refused = [&](const Quantity& quantity) {
    ResultHeader header = sample_header();
    header.quantities.push_back(quantity);
    EXPECT_THROW(ResultWriter(path(), header), InputError) << quantity.group << quantity.name;
    EXPECT_FALSE(std::filesystem::exists(path()));
  };
  refused({"energy", "total", {}, {}, "J", "Twice."});
  refused({"bodies", "velocity", {"rod", "rod"}, {}, "m/s", "Two items of one name."});
  refused({"a/b", "value", {}, {}, "", ""});
  refused({"a.b", "c", {}, {}, "", ""});
  refused({"", "value", {}, {}, "", ""});
  refused({"time", "value", {}, {}, "", ""});
}

TEST_F(ResultFileTest, SaysThatAFileIsMissing) {
  EXPECT_EQ(refusal(), "result file '" + path() + "' does not exist");
}

TEST_F(ResultFileTest, SaysThatAFileIsAnotherFormat) {
  std::ofstream(path()) << "time,x\n0,1\n";
  EXPECT_EQ(refusal(), "'" + path() + "' is not a result file: it is not in HDF5 format");
  std::filesystem::remove(path());
  std::ofstream(path()).close();
  EXPECT_SAYS(refusal(), "not in HDF5 format");
}

TEST_F(ResultFileTest, SaysThatAnHdf5FileIsNotAResult) {
  hdf5::File::create(path()).start_appending();
  EXPECT_SAYS(refusal(), "is an HDF5 file, but not a Picus result");
}

TEST_F(ResultFileTest, SaysThatAFormatIsNewer) {
  {
    hdf5::File file = hdf5::File::create(path());
    file.write_integer("format_version", 99);
    file.write_text("/", "picus_version", "7.0.0");
    file.start_appending();
  }
  EXPECT_SAYS(refusal(),
              "has format 99, written by Picus 7.0.0; this program reads up to format 2");
}

using ResultWriterDeathTest = ResultTest;

TEST_F(ResultWriterDeathTest, SampleOfWrongWidthIsABrokenPromise) {
  ResultWriter writer(path(), sample_header());
  EXPECT_DEATH(writer.append(0.0, std::vector<double>(3)), "one number for every channel");
  EXPECT_DEATH(writer.append(std::numeric_limits<double>::quiet_NaN(), sample_values(0)),
               "finite time");
  writer.finish("{}");
  EXPECT_DEATH(writer.flush(), "nothing follows the end");
}

}  // namespace
}  // namespace picus::testing
