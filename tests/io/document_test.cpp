// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/document.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/io/toy_files.h"

namespace picus {
namespace {

namespace fs = std::filesystem;

// A folder of files that vanishes with the test.
class Folder {
 public:
  explicit Folder(const std::string& name) : path_(fs::path(::testing::TempDir()) / name) {
    fs::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  std::string write(const std::string& name, const std::string& text) const {
    const fs::path file = path_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }

 private:
  fs::path path_;
};

toy::Model read_file(const std::string& path) {
  Diagnostics diagnostics;
  const Document document = load_document(path, {}, diagnostics);
  auto model = read_model<toy::Model>(document, diagnostics);
  EXPECT_EQ(diagnostics.text(document.files), "");
  return model;
}

TEST(Include, JoinsMapsAndListsAndKeepsTheUnitsOfEachFile) {
  const Folder folder("picus_include");
  folder.write("common.yaml", "picus: 1\nparameters: {n: 2}\n");
  folder.write("parts/ball.yaml",
               "picus: 1\nunits: {length: mm}\ninclude: ../common.yaml\n"
               "bodies: {a: {type: ball, mass: 1, radius: 30}}\nstations: [{at: 5}]\n");
  const auto model = read_file(folder.write(
      "main.yaml",
      "picus: 1\ninclude: [common.yaml, parts/ball.yaml]\n"
      "bodies: {b: {type: ball, mass: n, radius: 0.2}}\nstations: [{at: 5}]\nwatched: []\n"));
  ASSERT_EQ(model.bodies.size(), 2u);
  EXPECT_EQ(model.bodies[0].name, "a") << "included files come first";
  EXPECT_DOUBLE_EQ(std::get<toy::Ball>(model.bodies[0].value).radius, 0.03);
  EXPECT_EQ(std::get<toy::Ball>(model.bodies[1].value).radius, 0.2);
  EXPECT_EQ(std::get<toy::Ball>(model.bodies[1].value).mass, 2.0);
  ASSERT_EQ(model.stations.size(), 2u);
  EXPECT_DOUBLE_EQ(model.stations[0].at, 0.005);
  EXPECT_EQ(model.stations[1].at, 5.0);
}

TEST(Document, KeepsFilesParametersAndUnits) {
  Diagnostics diagnostics;
  const std::vector<std::string> overrides{"a=7", "run.steps=3"};
  const Document document =
      load_document_text("x.yaml", "picus: 1\nunits: {length: mm}\nparameters: {b: a + 1, a: 1}\n",
                         overrides, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(document.files.size(), 2u);
  EXPECT_EQ(document.files[1].name, "override");
  EXPECT_EQ(document.files[1].text, "a=7\nrun.steps=3\n");
  ASSERT_EQ(document.parameters.size(), 2u);
  EXPECT_EQ(document.parameters[0].name, "b");
  EXPECT_EQ(document.parameters[0].value, 8.0);
  EXPECT_EQ(document.find_parameter("a")->place.line, 3);
  EXPECT_EQ(document.find_parameter("c"), nullptr);
  EXPECT_EQ(document.units_at({0, 1, 1}).length, 1e-3);
  EXPECT_EQ(document.units_at({1, 2, 1}).length, 1e-3) << "overrides are in those of the model";
  EXPECT_EQ(document.units_at({}).length, 1.0);
}

}  // namespace
}  // namespace picus
