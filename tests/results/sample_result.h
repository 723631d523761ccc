// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "picus/results/quantity.h"

namespace picus::testing {

/// A folder of its own for the running test, empty at the start.
class ResultTest : public ::testing::Test {
 protected:
  ResultTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("picus-") + test->test_suite_name() + "-" + test->name() + "-" +
               std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ResultTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name = "run.h5") const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

/// Two bodies, an energy and a state; names beyond ASCII.
inline ResultHeader sample_header() {
  ResultHeader header;
  header.model_name = "Kurbel – 曲柄";
  header.model_text = "bodies:\n  crank: {mass: 1}\n";
  header.options = R"({"end_time": 2})";
  header.integrator = "stabilized_index1";
  header.version = "1.2.3";
  header.created = "2024-05-06T07:08:09Z";
  header.scene = R"({"bodies": []})";
  header.quantities = {
      {"bodies", "position", {"crank", "Stößel"}, {"x", "y", "z"}, "m", "Centre of mass."},
      {"energy", "total", {}, {}, "J", "Kinetic and potential energy."},
      {"states", "value", {"θ"}, {}, "", "Integrated states."},
  };
  return header;
}

/// The sample number `row` of the header above: every number tells its row and place.
inline std::vector<double> sample_values(long row, std::size_t width = 8) {
  std::vector<double> values(width);
  for (std::size_t i = 0; i < width; ++i)
    values[i] = static_cast<double>(row) + 0.01 * static_cast<double>(i);
  return values;
}

inline double sample_time(long row) {
  return 0.25 * static_cast<double>(row);
}

}  // namespace picus::testing
