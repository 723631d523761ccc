// SPDX-License-Identifier: BSD-3-Clause
// Modes, long summaries and files of models in results, and results of the former format.
#include <sstream>

#include "picus/results/export_events.h"
#include "picus/results/impact.h"
#include "picus/results/result_file.h"
#include "picus/results/result_writer.h"
#include "tests/results/sample_result.h"

namespace picus::testing {
namespace {

class FormatsTest : public ResultTest {
 protected:
  // Three contacts with modes beside the quantities of the sample.
  static ResultHeader header() {
    ResultHeader header = sample_header();
    header.quantities.push_back(
        {"contacts", "mode", {"a", "b", "c"}, {}, "", "what they do", {"open", "stick", "slip"}});
    header.quantities.push_back({"outputs", "left.height", {}, {}, "m", "of a submodel"});
    header.files = {{"tables/spring.csv", "x,y\n0,0\n1,2\n"}, {"wheel.yaml", "picus: 1\n"}};
    return header;
  }
  static std::vector<double> values(long row) {
    std::vector<double> numbers = sample_values(row);
    for (const long shift : {0, 1, 2})
      numbers.push_back(static_cast<double>((row + shift) % 3));
    numbers.push_back(0.5 * static_cast<double>(row));
    return numbers;
  }
  static void expect_samples(const ResultFile& file, long samples) {
    ASSERT_EQ(file.samples(), samples);
    for (std::size_t i = 0; i < file.channels().size(); ++i) {
      const std::vector<double> column = file.column(file.channels()[i]);
      for (long row = 0; row < samples; ++row)
        ASSERT_EQ(column[static_cast<std::size_t>(row)], values(row)[i])
            << file.channels()[i] << " " << row;
    }
  }
};

// whole chunks, a last one that is not full, and one of an odd number of entries
TEST_F(FormatsTest, ModesAreReadBackAsTheyWere) {
  for (const long samples : {1L, 7L, 1024L, 2500L}) {
    ResultWriter writer(path(), header());
    for (long row = 0; row < samples; ++row)
      writer.append(sample_time(row), values(row));
    writer.finish("{}");
    const ResultFile file(path());
    EXPECT_EQ(file.header(), header());
    expect_samples(file, samples);
    std::vector<double> some;
    file.read(3, samples / 2, samples - samples / 2, some);
    EXPECT_EQ(some.front(), static_cast<double>(samples / 2 % 3));
  }
}

TEST_F(FormatsTest, ModesOfAnUnfinishedRunAreReadFromItsLastChunk) {
  for (const long samples : {1L, 30L, 1500L}) {
    ResultWriter writer(path(), header());
    for (long row = 0; row < samples; ++row)
      writer.append(sample_time(row), values(row));
    writer.flush();
    const ResultFile file(path());
    EXPECT_FALSE(file.is_complete());
    EXPECT_EQ(file.damage(), "");
    expect_samples(file, samples);
  }
}

TEST_F(FormatsTest, SummariesMayBeLong) {
  for (const std::size_t size : {0u, 10u, 65535u, 65536u, 65537u, 200000u}) {
    std::string text = R"({"notes": ")";
    while (text.size() < size)
      text += "größer ";
    text += "\"}";
    ResultWriter(path(), sample_header()).finish(text);
    EXPECT_EQ(ResultFile(path()).summary(), text);
  }
}

// Written by version 0.1 before dimensions had names.
TEST_F(FormatsTest, FilesOfFormatOneAreStillRead) {
  const ResultFile file(PICUS_SOURCE_DIR "/tests/results/format1.h5");
  EXPECT_EQ(file.samples(), 4);
  EXPECT_TRUE(file.is_complete());
  EXPECT_NE(file.summary().find(R"("ending":"reached the end time")"), std::string::npos);
  EXPECT_NE(file.header().model_text.find("ball_on_plane"), std::string::npos);
  EXPECT_TRUE(file.header().files.empty());
  EXPECT_EQ(file.column("bodies.ball.position.y").front(), 0.1);
  EXPECT_NEAR(file.column("energy.total").front(), 0.981, 1e-12);
  EXPECT_EQ(file.column("contacts.floor.mode").front(), 0.0);
  for (const Quantity& quantity : file.header().quantities)
    if (quantity.group == "bodies" && quantity.name == "position") {
      EXPECT_EQ(quantity.unit, "m");
      EXPECT_EQ(quantity.meaning, "origin of the body's frame");
      EXPECT_EQ(quantity.components, (std::vector<std::string>{"x", "y", "z"}));
    }
  long impacts = 0;
  for (const Event& event : file.events())
    impacts += impact_of(event) ? 1 : 0;
  EXPECT_EQ(impacts, 2);
}

TEST(EventTable, HasTimeKindPartAndImpulseInTheOrderOfTime) {
  const std::vector<Event> events{
      to_event({.time = 0.5,
                .contact = "floor",
                .first = "ground",
                .second = "ball",
                .before = -2.0,
                .after = 1.0,
                .impulse = 3.0,
                .tangential_impulse = 0.25,
                .lost = 1.5}),
      {0.5, "slip", "floor"},
      {0.75, "opens", "floor"},
      {0.25, "restart", "formula 'if(x, 1, 2)' changed sign"},
  };
  std::ostringstream out;
  export_events(events, out);
  EXPECT_EQ(out.str(),
            "time [s],kind,part,impulse [N s],tangential_impulse [N s],text\n"
            "0.25,restart,,,,\"formula 'if(x, 1, 2)' changed sign\"\n"
            "0.5,impact,floor,3,0.25,ground hits ball\n"
            "0.5,slip,floor,,,\n"
            "0.75,opens,floor,,,\n");
}

TEST(EventTable, OfAnglesHasTheirUnit) {
  Impact impact;
  impact.contact = "stop";
  impact.is_angle = true;
  std::ostringstream out;
  export_events({to_event(impact)}, out);
  EXPECT_TRUE(out.str().starts_with("time [s],kind,part,impulse [N m s],")) << out.str();
}

TEST(ChosenChannels, MayBeLeftOut) {
  const std::vector<std::string> channels{"a.x", "a.y", "b.x", "b.y"};
  using Numbers = std::vector<std::size_t>;
  EXPECT_EQ(chosen_channels(channels, {"not a.*"}), (Numbers{2, 3}));
  EXPECT_EQ(chosen_channels(channels, {"*.y", "not b.*"}), (Numbers{1}));
  EXPECT_EQ(chosen_channels(channels, {"b", "not b.x", "*.x"}), (Numbers{3, 0, 2}));
  EXPECT_EQ(chosen_channels(channels, {"not a", "not b.y", "a.x"}), (Numbers{2, 0}));
  EXPECT_THROW(chosen_channels(channels, {"not c.*"}), InputError);
}

TEST(ChosenChannels, ThatNobodyHasAreAnsweredWithTheNearestPattern) {
  const std::vector<std::string> channels{"joints.pin.angle", "joints.rail.position",
                                          "energy.total"};
  const auto answer = [&](const std::string& pattern) -> std::string {
    try {
      chosen_channels(channels, {pattern});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(answer("joint.*.angle"),
            "no channel matches 'joint.*.angle'; did you mean 'joints.*.angle'?");
  EXPECT_EQ(answer("joints.p*.angel"),
            "no channel matches 'joints.p*.angel'; did you mean 'joints.p*.angle'?");
  EXPECT_EQ(answer("joints.pn.angle"),
            "unknown channel 'joints.pn.angle'; did you mean 'joints.pin.angle'?");
  EXPECT_NE(answer("contacts.*.gap").find("there are 3 channels"), std::string::npos);
}

}  // namespace
}  // namespace picus::testing
