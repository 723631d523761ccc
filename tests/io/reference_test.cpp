// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/reference.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/io/toy_files.h"

namespace picus {
namespace {

const std::string kFolder = PICUS_SOURCE_DIR "/tests/io/";

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(ReferencePage, IsTheOneExpected) {
  EXPECT_EQ(reference_page<toy::Model>(), text_of(kFolder + "expected/toy_reference.md"));
}

TEST(JsonSchema, IsTheOneExpected) {
  EXPECT_EQ(json_schema<toy::Model>(), text_of(kFolder + "expected/toy_schema.json"));
}

// The schema knows no formulas and no names, so it cannot refuse everything the reader refuses;
// it must accept what the reader accepts, and refuse wrong keys, types and shapes.
TEST(JsonSchema, AgreesWithTheReaderOnSamples) {
  const std::string command = "python3 '" + kFolder + "check_schema.py' '" + kFolder +
                              "expected/toy_schema.json' '" + kFolder + "schema'";
  const int status = std::system(command.c_str());
  constexpr int kSkipped = 77 << 8;
  if (status == kSkipped) GTEST_SKIP() << "python3-jsonschema and python3-yaml are not installed";
  EXPECT_EQ(status, 0);
  for (const char* const name : {"chain", "units", "all_fields"}) {
    EXPECT_EQ(toy::messages_of_file(kFolder + "schema/good/" + name + ".yaml"), "");
  }
}

}  // namespace
}  // namespace picus
