// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Files that appear whole or not at all.

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "picus/base/error.h"

namespace picus {

/// A file that could not be written: a full disk, a missing folder, no permission.
class WriteError : public InputError {
 public:
  using InputError::InputError;
};

/// "cannot write 'x.csv': No space left on device", with the reason of `error` (an errno).
WriteError cannot_write(const std::filesystem::path& path, int error);

/// A new file beside `path`, under a name nobody can guess, open for reading and writing. Links
/// are followed, so that renaming it replaces what `path` leads to.
struct FreshFile {
  int descriptor = -1;
  std::filesystem::path path;    ///< where it is now
  std::filesystem::path target;  ///< `path`, with links followed
};

/// Throws WriteError when there cannot be one.
FreshFile fresh_file_beside(const std::filesystem::path& path);

/// Writes a file under a passing name beside it and renames it when all of it is on disk. So a
/// failure leaves what was there before. Devices and pipes are written directly.
class OutputFile {
 public:
  /// Throws WriteError.
  explicit OutputFile(const std::filesystem::path& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Without commit() nothing remains.
  ~OutputFile();

  std::ostream& stream() { return stream_; }
  /// Throws WriteError when anything of it could not be written.
  void commit();

 private:
  class Buffer;
  std::filesystem::path path_;
  FreshFile file_;
  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_;
};

/// Throws WriteError.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace picus
