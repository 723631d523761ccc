// SPDX-License-Identifier: BSD-3-Clause
#include <random>

#include <gtest/gtest.h>

#include "picus/base/text.h"
#include "tests/io/toy_files.h"

namespace picus {
namespace {

constexpr std::string_view kValid = R"yaml(picus: 1
units: {length: mm, angle: deg}
parameters: {N: 3, L: 2*N + 1, w: "sqrt(L)"}
title: 'a chain'
gravity: [0, -9.81]
run: {end_time: 2, steps: 40}
bodies:
  link[i]: &link
    for: {i: 1..N}
    when: i != 7
    type: ball
    mass: 2*i
    position: [L*i, 0, 0]
    markers: {top: {at: [0, 1]}}
  copy[i]: {<<: *link, mass: 5}
  rod: {type: beam, length: L, angle: 30}
forces:
  s[i]: {for: {i: 2..N}, type: spring, from: "link[i-1]", to: "link[i]", stiffness: 1e3}
  p: {type: push, body: rod, force: 3*sin(2*pi*time), weights: [1, w]}
stations:
  - {for: {i: 1..3}, at: i^2}
watched: [link1, rod]
)yaml";

std::string mutated(std::string text, std::mt19937& random) {
  constexpr std::string_view kSigns = "[]{}:,-*&!|>'\"%@`#?<>. \t\n\\=+()^~ieN019\x1b\x07\x80\xff";
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t changes = 1 + pick(4);
  for (std::size_t k = 0; k < changes && !text.empty(); ++k) {
    const std::size_t at = pick(10) == 0 ? 0 : pick(text.size());  // the first sign counts
    switch (pick(4)) {
      case 0:
        text[at] = kSigns[pick(kSigns.size())];
        break;
      case 1:
        text.insert(at, 1, kSigns[pick(kSigns.size())]);
        break;
      case 2:
        text.erase(at, 1 + pick(5));
        break;
      default:
        text.insert(at, text.substr(pick(text.size()), pick(40)));
    }
  }
  return text;
}

// The claim is that nothing crashes, hangs or escapes as an exception, and that every message has a
// place inside the text.
TEST(Fuzz, MutatedTextIsReadOrRefused) {
  constexpr unsigned kSeed = 20240607;
  std::mt19937 random(kSeed);
  ASSERT_EQ(toy::messages(std::string(kValid)), "");
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = mutated(std::string(kValid), random);
    Diagnostics diagnostics;
    const Document document = load_document_text("fuzz.yaml", text, {}, diagnostics);
    read_model<toy::Model>(document, diagnostics);
    refused += diagnostics.has_errors() ? 1 : 0;
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    for (const Diagnostic& diagnostic : diagnostics.sorted()) {
      ASSERT_EQ(diagnostic.place.file, 0) << "seed " << kSeed << "\n" << text;
      ASSERT_GE(diagnostic.place.line, 1) << diagnostic.message << "\n" << text;
      ASSERT_LE(diagnostic.place.line, lines) << diagnostic.message << "\n" << text;
      ASSERT_GE(diagnostic.place.column, 1) << diagnostic.message << "\n" << text;
    }
    const std::string text_of_errors = diagnostics.text(document.files);
    ASSERT_EQ(printable(text_of_errors), text_of_errors)
        << "control characters reach the terminal\n"
        << text;
  }
  EXPECT_GT(refused, 2000);
  EXPECT_LT(refused, 4000);
}

TEST(Fuzz, DeepNestingIsRefused) {
  for (const char* const open : {"[", "{a: ", "- "}) {
    std::string text = "picus: 1\nrun: ";
    if (open[0] == '-') text = "";
    for (int i = 0; i < 20000; ++i) {
      text += open;
    }
    EXPECT_NE(toy::messages(text), "");
  }
}

}  // namespace
}  // namespace picus
