// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/io/toy_files.h"
#include "tests/support/broken_files.h"

namespace picus {
namespace {

TEST(BrokenFiles, GetTheMessagesTheyExpect) {
  testing::expect_messages_of_folder(
      PICUS_SOURCE_DIR "/tests/io/broken", 75,
      [](const std::string& path) { return toy::messages_of_file(path); });
}

TEST(BrokenFiles, ThatDoNotExistAreNamed) {
  EXPECT_EQ(toy::messages_of_file("no/such/file.yaml"),
            "no/such/file.yaml: this file does not exist");
}

// "line:column" of character `offset` of the formula that is read from `force: value`.
std::string place_of(const std::string& value, std::size_t offset) {
  const std::string text =
      "picus: 1\nforces:\n  p[i]:\n    for: {i: [12]}\n    type: push\n"
      "    body: a\n    force: " +
      value + "\n    weights: []\n";
  Diagnostics diagnostics;
  const Document document = load_document_text("a.yaml", text, {}, diagnostics);
  const auto model = read_model<toy::Model>(document, diagnostics);
  EXPECT_EQ(diagnostics.text(document.files), "");
  const Formula& formula = std::get<toy::Push>(model.forces.at(0).value).force;
  const SourcePlace place = document.place_in(formula, offset);
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

TEST(PlaceInFormula, FollowsQuotesEscapesAndIndices) {
  EXPECT_EQ(place_of("abc + d", 6), "7:18") << "plain";
  EXPECT_EQ(place_of("\"abc + d\"", 6), "7:19") << "quoted";
  EXPECT_EQ(place_of("'''a b''.x + d'", 11), "7:26") << "two quotes for one";
  EXPECT_EQ(place_of(R"("\"a b\".x + d")", 11), "7:26") << "escapes";
  EXPECT_EQ(place_of("&f abc + d", 6), "7:21") << "an anchor before";
  EXPECT_EQ(place_of("abc\n      + d", 6), "8:9") << "two lines";
  EXPECT_EQ(place_of("\"abc\n      + d\"", 6), "8:9") << "two lines in quotes";
  EXPECT_EQ(place_of("|\n      abc\n      + d", 6), "9:9") << "a block";
  EXPECT_EQ(place_of(">\n      abc\n      + d", 6), "9:9") << "a folded block";
  EXPECT_EQ(place_of("link[i-1].x + dd # why", 11), "7:26") << "link11.x + dd: after the index";
  EXPECT_EQ(place_of("link[i-1].x + dd", 2), "7:14") << "before the index";
  EXPECT_EQ(place_of("abc", 3), "7:15") << "the end";
}

}  // namespace
}  // namespace picus
