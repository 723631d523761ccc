// SPDX-License-Identifier: BSD-3-Clause
// Files from strangers: they read nothing that is not theirs, and neither hang, crash nor command
// the terminal.
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "picus/base/text.h"
#include "picus/io/model_file.h"
#include "tests/io/toy_files.h"

namespace picus {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSecret = "root:hunter2:0:0";

// A folder of a model within a folder that is not the model's.
class Sandbox : public ::testing::Test {
 protected:
  Sandbox()
      : outside_(fs::temp_directory_path() / ("picus_sandbox_" + std::to_string(::getpid()))) {
    fs::remove_all(outside_);
    fs::create_directories(folder() / "parts");
    write(outside_ / "secret.txt", std::string(kSecret) + "\n");
    write(outside_ / "common.yaml", "picus: 1\nparameters: {a: 1}\n");
    write(outside_ / "curve.csv", "0,0\n1,1\n");
    write(outside_ / "part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  }
  ~Sandbox() override { fs::remove_all(outside_); }

  fs::path folder() const { return outside_ / "mine"; }
  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

  std::string load(const std::string& text, bool allow_outside = false) const {
    write(folder() / "model.yaml", "picus: 1\n" + text);
    try {
      load_model((folder() / "model.yaml").string(), {}, {.allow_outside = allow_outside});
      return {};
    } catch (const InputError& error) {
      return error.what();
    }
  }
  static std::string include(const std::string& name) { return "include: ['" + name + "']\n"; }
  static std::string table(const std::string& name) {
    return "tables: {c: {file: '" + name + "'}}\n";
  }
  static std::string mesh(const std::string& name) {
    return "bodies: {b: {mass: 1, inertia: [1, 1, 1], shape: {type: mesh, file: '" + name +
           "'}}}\n";
  }

  fs::path outside_;
};

TEST_F(Sandbox, NothingOutsideIsReadUnlessAllowed) {
  fs::create_symlink(outside_ / "common.yaml", folder() / "link.yaml");
  fs::create_symlink(outside_, folder() / "out");
  fs::create_symlink(outside_ / "curve.csv", folder() / "curve.csv");
  const std::string up = outside_.string() + "/";
  const std::vector<std::string> ways{
      include("../common.yaml"),   include("parts/../../common.yaml"),
      include("link.yaml"),        include("out/common.yaml"),
      include(up + "common.yaml"), table("../curve.csv"),
      table("curve.csv"),          table(up + "curve.csv"),
      table("out/curve.csv"),      mesh("../part.obj"),
      mesh(up + "part.obj"),       mesh("out/../../part.obj"),
  };
  for (const std::string& text : ways) {
    const std::string message = load(text);
    EXPECT_NE(message.find("--allow-outside"), std::string::npos) << text << message;
    EXPECT_NE(message.find("model.yaml:2:"), std::string::npos) << text << message;
    EXPECT_EQ(load(text, true), "") << text;
  }
}

TEST_F(Sandbox, WhatIsNotThereOutsideIsNotToldEither) {
  EXPECT_NE(load(include("../none.yaml")).find("leads out"), std::string::npos);
  EXPECT_EQ(load(include("../none.yaml")).find("exist"), std::string::npos);
}

TEST_F(Sandbox, FilesBesideAndBelowAreRead) {
  fs::copy_file(outside_ / "curve.csv", folder() / "parts" / "curve.csv");
  write(folder() / "common.yaml", "picus: 1\nparameters: {b: 2}\n");
  write(folder() / "parts" / "part.yaml",
        "picus: 1\ninclude: ../common.yaml\ntables: {c: {file: curve.csv}}\n");
  EXPECT_EQ(load(include("parts/part.yaml")), "");
  fs::create_symlink(folder() / "common.yaml", folder() / "same.yaml");
  EXPECT_EQ(load(include("same.yaml")), "") << "a link that stays inside";
  fs::create_symlink(folder() / "model.yaml", outside_ / "alias.yaml");
  EXPECT_EQ(load(""), "");
}

TEST_F(Sandbox, LinesOfWhatIsNoModelAreNotShown) {
  write(folder() / "notes.txt", std::string(kSecret) + "\n");
  write(folder() / "notes.yaml", "bodies: {" + std::string(kSecret) + ": 1}\n");
  for (const char* name : {"notes.txt", "notes.yaml"}) {
    const std::string message = load(include(name));
    EXPECT_NE(message.find("expected a model"), std::string::npos) << message;
    EXPECT_EQ(message.find("hunter2"), std::string::npos) << message;
  }
  const std::string message = load(include("../secret.txt"), true);
  EXPECT_EQ(message.find("hunter2"), std::string::npos) << message;
}

TEST_F(Sandbox, OnlyRegularFilesOfASensibleSizeAreRead) {
  const fs::path pipe = folder() / "pipe.yaml";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(load(include("pipe.yaml")).find("is a device or a pipe"), std::string::npos);
  EXPECT_NE(load(table("pipe.yaml")).find("is a device or a pipe"), std::string::npos);
  EXPECT_NE(load(mesh("pipe.yaml")).find("is a device or a pipe"), std::string::npos);
  EXPECT_NE(load(table("/dev/zero"), true).find("is a device or a pipe"), std::string::npos);
  EXPECT_NE(load(include("parts")).find("is a folder"), std::string::npos);
  EXPECT_NE(load(table("none.csv")).find("does not exist"), std::string::npos);
  EXPECT_EQ(read_text_file(folder()).fault, "is a folder, expected a file");
  write(folder() / "large", std::string((3u << 20u) + 1, ' '));
  EXPECT_EQ(read_text_file(folder() / "large", 3u << 20u).fault, "is larger than 3 MB");
  EXPECT_EQ(read_text_file(folder() / "large").text.size(), (3u << 20u) + 1);
}

TEST(Hostile, TextsThatBeginWithAnySignEnd) {
  for (int c = 1; c < 256; ++c) {
    const std::string sign(1, static_cast<char>(c));
    for (const std::string& text :
         {sign + "picus: 1\n", sign + "\npicus: 1\n", "picus: 1\n" + sign + "\n",
          "{picus: 1}\n" + sign + "\n", "--- \n" + sign + " picus: 1\n"})
      toy::messages(text);  // it returns
  }
  EXPECT_EQ(toy::messages(", picus: 1\n"), "toy.yaml:1:1: found ',' where no key can begin");
  EXPECT_EQ(toy::messages("] picus: 1\n"),
            "toy.yaml:1:1: found a closing bracket that nothing opened");
}

bool is_tame(const std::string& text) {
  return printable(text) == text;
}

TEST(Hostile, ControlCharactersDoNotReachMessages) {
  for (const char* evil : {"\\e[2J", "\\x1b]0;x\\x07", "\\x9b", "\\u009b2J", "\\u202e", "\\u2066",
                           "\\x7f", "\\r", "\\b"}) {
    const std::string text = std::string("\"") + evil + "\"";
    for (const std::string& model :
         {"picus: 1\ntitle: " + text + "\n", "picus: 1\n" + text + ": 1\n",
          "picus: 1\nbodies: {" + text + ": {type: ball}}\n", "picus: 1\ninclude: [" + text + "]\n",
          "picus: 1\nparameters: {" + text + ": 1}\n",
          "picus: 1\nparameters: {a: " + text + "}\n"}) {
      const std::string messages = toy::messages(model);
      EXPECT_NE(messages.find("control character"), std::string::npos) << model << messages;
      EXPECT_TRUE(is_tame(messages)) << model;
    }
  }
  EXPECT_TRUE(is_tame(toy::messages("picus: 1\n\x1b[2J: 1\n")));
  EXPECT_TRUE(is_tame(toy::messages("picus: 1\n", {"a\x1b[2J=1"})));
  EXPECT_TRUE(is_tame(toy::messages_of_file("no\x1b[2J.yaml")));
}

TEST(Printable, WritesOutWhatTerminalsObey) {
  EXPECT_EQ(printable("plain\ttext\nα → β"), "plain\ttext\nα → β");
  EXPECT_EQ(printable("\x1b[31m\x7f\r"), "\\x1b[31m\\x7f\\x0d");
  EXPECT_EQ(printable("a\u202eb\u009bc"), "a\\u202eb\\x9bc");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3") << "no UTF-8";
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "longer than needed";
  EXPECT_EQ(shortened("äöü", 3), "ä…");
  EXPECT_EQ(shortened("äöü", 6), "äöü");
}

// Seconds of this process: others on the machine do not count.
template <class Work>
double seconds_of(Work&& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

std::string repeated(int count, const std::function<std::string(const std::string&)>& line) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += line(std::to_string(i));
  return text;
}

// Quadratic costs are ten times the bound here, and minutes for the 1e5 entries of a large file.
TEST(Hostile, CostIsLinearInTheFile) {
  constexpr int kMany = 30000;
  const std::vector<std::pair<const char*, std::string>> texts{
      {"parameters",
       "parameters:\n" + repeated(kMany, [](const auto& i) { return "  p" + i + ": 1\n"; })},
      {"a parameter that all use",
       "parameters:\n  a: 1\n" +
           repeated(kMany, [](const auto& i) { return "  p" + i + ": a\n"; })},
      {"parameters that are used",
       "parameters:\n" + repeated(kMany, [](const auto& i) { return "  p" + i + ": 1\n"; }) +
           "stations:\n" + repeated(kMany, [](const auto& i) { return "- {at: p" + i + "}\n"; })},
      {"unknown names",
       "parameters:\n" +
           repeated(kMany, [](const auto& i) { return "  p" + i + ": q" + i + "\n"; })},
      {"unknown keys", repeated(kMany, [](const auto& i) { return "key" + i + ": 1\n"; })},
      {"unknown keys of a map",
       "run:\n" + repeated(kMany, [](const auto& i) { return "  end_tim" + i + ": 1\n"; })},
      {"bodies",
       "bodies:\n" +
           repeated(kMany, [](const auto& i) { return "  b" + i + ": {type: ball, mass: 1}\n"; })},
      {"bodies of an unknown type",
       "bodies:\n" + repeated(kMany, [](const auto& i) { return "  b" + i + ": {type: bal}\n"; })},
      {"merged maps",
       "x: &x\n" + repeated(kMany, [](const auto& i) { return "  a" + i + ": 1\n"; }) +
           "y:\n  <<: *x\n" + repeated(kMany, [](const auto& i) { return "  b" + i + ": 1\n"; })},
      {"one long key", std::string(30 * kMany, 'k') + ": 1\n"},
  };
  for (const auto& [what, text] : texts) {
    std::string messages;
    const double seconds = seconds_of([&] { messages = toy::messages("picus: 1\n" + text); });
    EXPECT_LT(seconds, 2.0) << what;
    EXPECT_LT(messages.size(), 100000u) << what;
  }
}

TEST(Hostile, MessagesAreCountedNotCollected) {
  const std::string text =
      "picus: 1\n" + repeated(5000, [](const auto& i) { return "key" + i + ": 1\n"; });
  const std::string messages = toy::messages(text);
  EXPECT_EQ(std::count(messages.begin(), messages.end(), '\n'), 50);
  EXPECT_NE(messages.find("… and at least 150 more"), std::string::npos) << messages;
}

}  // namespace
}  // namespace picus
