// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cerrno>
#include <filesystem>
#include <string>

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include "picus/base/output_file.h"

namespace picus {

/// A folder among the temporary ones, for its owner alone and under a name nobody can guess; gone
/// with all that is in it when it goes out of scope.
class PassingFolder {
 public:
  PassingFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "picus-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw cannot_write(name, errno);
    path_ = name;
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  ~PassingFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace picus
