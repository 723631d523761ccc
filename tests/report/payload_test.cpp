// SPDX-License-Identifier: BSD-3-Clause
// What pages hold. How they look is tested in a browser (viewer/test).
#include "picus/report/payload.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "picus/report/encoding.h"
#include "picus/report/page_template.h"
#include "picus/report/run_page.h"
#include "picus/report/study_page.h"
#include "picus/results/result_writer.h"
#include "tests/results/sample_result.h"

namespace picus::report {
namespace {

using testing::ResultTest;

class PayloadTest : public ResultTest {
 protected:
  std::string write(long samples) const {
    ResultWriter writer(path(), testing::sample_header());
    for (long row = 0; row < samples; ++row)
      writer.append(testing::sample_time(row), testing::sample_values(row));
    writer.finish(R"({"accepted": 7})");
    return path();
  }
};

TEST(Encoding, Base64IsThatOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Encoding, PacksBytesOfEqualWeightTogether) {
  // 1.0F is 3f800000; the second of a run is a difference, zero here
  const std::vector<float> values{1.0F, 1.0F};
  EXPECT_EQ(packed(values, 2), std::string("\0\0\0\0\x80\0\x3f\0", 8));
  EXPECT_EQ(packed(values, 1), std::string("\0\0\0\0\x80\x80\x3f\x3f", 8));
}

TEST(Encoding, WholeNumbersOnAStraightLineVanish) {
  // 3, 5, 7: the first as it is (6 with its sign below), then the rise of 2, then nothing
  const std::vector<std::int32_t> line{3, 5, 7, 9};
  EXPECT_EQ(packed(line, 4), std::string("\6\4\0\0", 4) + std::string(12, '\0'));
  // small negative ones are small, and extremes of the range survive
  const std::vector<std::int32_t> signs{-1, -1, 0x7fffffff, -0x7fffffff};
  EXPECT_EQ(packed(signs, 1), std::string("\1\1\xfe\xfd\0\0\xff\xff\0\0\xff\xff\0\0\xff\xff", 16));
}

TEST_F(PayloadTest, ThinsOutLongRuns) {
  const ResultFile result(write(20000));
  const std::string all = payload_of(result), few = payload_of(result, {.numbers = 8000});
  EXPECT_LT(few.size(), all.size() / 4);
}

TEST_F(PayloadTest, ThePageHoldsTheDataOrTellsWhatIsMissing) {
  const ResultFile result(write(10));
  try {
    const std::string page = run_page(result);
    EXPECT_NE(page.find("<script id=\"data\""), std::string::npos);
    EXPECT_NE(page.find("Kurbel – 曲柄"), std::string::npos);
    EXPECT_EQ(page.find("<!--picus:"), std::string::npos);
    write_page(page, path("deep/in/page.html"));
    EXPECT_TRUE(std::filesystem::exists(path("deep/in/page.html")));
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("Node.js"), std::string::npos);
  }
}

TEST_F(PayloadTest, APageThatCannotBeWrittenIsTold) {
  std::ofstream(path("file")) << "in the way";
  EXPECT_THROW(write_page("x", path("file/page.html")), InputError);
}

TEST(StudyPages, ShowClaimsInGreenAndRedAndEscapeWords) {
  const StudyPage study{"id<1>",
                        "paper",
                        "title & more",
                        1.5,
                        {{"a < b", 1.0, "< 2", true}, {"c", 3.0, "≥ 4", false}},
                        {{"<?xml version=\"1.0\"?><svg></svg>", {{"errors", "q", 1.98}}}},
                        {"curve.csv"},
                        {"left out: a < b"}};
  const std::string page = study_page(study);
  EXPECT_NE(page.find("1 of 2 claims hold"), std::string::npos);
  EXPECT_NE(page.find("badge good\">holds"), std::string::npos);
  EXPECT_NE(page.find("badge bad\">fails"), std::string::npos);
  EXPECT_NE(page.find("a &lt; b"), std::string::npos);
  EXPECT_NE(page.find("<p>left out: a &lt; b</p>"), std::string::npos);
  EXPECT_NE(page.find("1.98"), std::string::npos);
  EXPECT_EQ(page.find("<?xml"), std::string::npos);
  const std::string gallery = gallery_page({study});
  EXPECT_NE(gallery.find("href=\"id&lt;1&gt;/index.html\""), std::string::npos);
  EXPECT_NE(gallery.find("1 of 2 claims hold"), std::string::npos);
}

}  // namespace
}  // namespace picus::report
