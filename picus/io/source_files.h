// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a model may read. A model from a stranger is a program of a kind: it names files. It gets
// those of its own folder, and of them regular files of a sensible size.

#include <cstddef>
#include <filesystem>
#include <string>

namespace picus {

/// Larger files are no models, tables or meshes [bytes].
inline constexpr std::size_t kLargestFile = std::size_t{64} << 20u;

/// A text, or why there is none: "does not exist".
struct FileText {
  std::string text;
  std::string fault;

  bool ok() const { return fault.empty(); }
};

/// Reads a regular file; devices, pipes and folders are refused before they are opened.
FileText read_text_file(const std::filesystem::path& path, std::size_t limit = kLargestFile);

/// The folder of a model, beside and below which it reads.
class ModelFolder {
 public:
  ModelFolder() = default;
  /// Of the model file that the user named; links in its own path are the user's business.
  explicit ModelFolder(const std::filesystem::path& model, bool allow_outside);

  /// The file that `from`, a file of the model, names: relative paths begin beside it.
  static std::filesystem::path path_of(const std::filesystem::path& from, const std::string& name);

  /// Why the model may not read that file; empty when it may. Follows links.
  std::string refusal(const std::filesystem::path& from, const std::string& name) const;

 private:
  std::filesystem::path root_;
  bool allow_outside_ = false;
};

/// read_text_file of a file that the model names and may read.
FileText read_named_file(const ModelFolder& folder, const std::filesystem::path& from,
                         const std::string& name);

}  // namespace picus
