// SPDX-License-Identifier: BSD-3-Clause
// The models in the manual: what a reader copies must load.
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "picus/io/model_file.h"

namespace picus::testing {
namespace {

const std::string kDocs = PICUS_SOURCE_DIR "/docs/";

struct Example {
  int line = 0;  ///< of its first line, in the page
  std::string text;

  bool is_model() const { return text.starts_with("picus: 1\n"); }
};

/// The blocks of a page that are fenced as YAML.
std::vector<Example> examples_of(const std::string& page) {
  std::ifstream file(kDocs + page);
  EXPECT_TRUE(file.is_open()) << page;
  std::vector<Example> examples;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line == "```yaml") {
      inside = true;
      examples.push_back({number + 1, {}});
    } else if (line.starts_with("```")) {
      inside = false;
    } else if (inside) {
      examples.back().text += line + "\n";
    }
  }
  return examples;
}

/// Loads an example as if it were a file beside the README; includes are relative to that.
void expect_loads(const std::string& page, const Example& example) {
  SCOPED_TRACE(page + ":" + std::to_string(example.line));
  try {
    const LoadedModel loaded = load_model_text(PICUS_SOURCE_DIR "/example.yaml", example.text);
    EXPECT_EQ(loaded.diagnostics.text(loaded.document.files), "");
    EXPECT_NE(loaded.mechanism, nullptr);
  } catch (const ModelError& error) {
    ADD_FAILURE() << error.what();
  }
}

TEST(Manual, HasCompleteModelsThatLoadInTutorialAndParts) {
  for (const std::string page : {"tutorial.md", "parts.md"}) {
    const std::vector<Example> examples = examples_of(page);
    EXPECT_GE(examples.size(), 7u) << page;
    for (const Example& example : examples) {
      EXPECT_TRUE(example.is_model()) << page << ":" << example.line << " is not a whole model";
      expect_loads(page, example);
    }
  }
}

TEST(Manual, HasModelsThatLoadInThePageAboutTheLanguage) {
  int models = 0;
  for (const Example& example : examples_of("model-files.md")) {
    if (!example.is_model()) continue;
    ++models;
    expect_loads("model-files.md", example);
  }
  EXPECT_GE(models, 7);
}

/// Every kind of part must have an example: a new one is missed here.
template <class Variant, std::size_t... Is>
void expect_types(const std::string& text, std::index_sequence<Is...>) {
  const auto expect = [&](std::string_view type) {
    EXPECT_NE(text.find("type: " + std::string(type)), std::string::npos)
        << "docs/parts.md has no example of " << type;
  };
  (expect(std::variant_alternative_t<Is, Variant>::kType), ...);
}
template <class Variant>
void expect_every(const std::string& text) {
  expect_types<Variant>(text, std::make_index_sequence<std::variant_size_v<Variant>>());
}

TEST(Manual, ShowsEveryJointForceControlAndFlexiblePart) {
  std::string text;
  for (const Example& example : examples_of("parts.md"))
    text += example.text;
  expect_every<Joint>(text);
  expect_every<Force>(text);
  expect_every<Control>(text);
  expect_every<Flexible>(text);
}

}  // namespace
}  // namespace picus::testing
