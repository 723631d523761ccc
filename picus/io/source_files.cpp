// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/source_files.h"

#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/format.h>

namespace picus {
namespace {

namespace fs = std::filesystem;

std::string fault_of(const fs::path& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  switch (status.type()) {
    case fs::file_type::regular:
      return {};
    case fs::file_type::not_found:
      return "does not exist";
    case fs::file_type::directory:
      return "is a folder, expected a file";
    case fs::file_type::none:
    case fs::file_type::unknown:
      return fmt::format("cannot be read: {}", failure.message());
    default:
      return "is a device or a pipe, expected a regular file";
  }
}

// Links followed as far as the path exists.
fs::path resolved(const fs::path& path) {
  std::error_code failure;
  fs::path result = fs::weakly_canonical(fs::absolute(path, failure), failure);
  return failure ? fs::path() : result;
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return !path.empty() && !folder.empty() &&
         std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
             folder.end();
}

}  // namespace

FileText read_text_file(const fs::path& path, std::size_t limit) {
  if (std::string fault = fault_of(path); !fault.empty()) return {{}, std::move(fault)};
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return {{}, "cannot be opened; do you have read permission?"};
  FileText result;
  std::array<char, 1u << 16u> buffer;
  // files of /proc say that they are empty: only reading tells their size
  while (stream.read(buffer.data(), buffer.size()) || stream.gcount() > 0) {
    result.text.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
    if (result.text.size() > limit) return {{}, fmt::format("is larger than {} MB", limit >> 20u)};
  }
  if (stream.bad()) return {{}, "cannot be read"};
  return result;
}

ModelFolder::ModelFolder(const fs::path& model, bool allow_outside)
    : root_(resolved(model.has_parent_path() ? model.parent_path() : fs::path("."))),
      allow_outside_(allow_outside) {
  // an absolute folder may end in a separator, which counts as an empty part
  if (!root_.has_filename()) root_ = root_.parent_path();
}

fs::path ModelFolder::path_of(const fs::path& from, const std::string& name) {
  return (from.parent_path() / name).lexically_normal();
}

std::string ModelFolder::refusal(const fs::path& from, const std::string& name) const {
  constexpr const char* kRemedy =
      "a model may read only files in or below its own folder; --allow-outside lifts this for "
      "models you trust";
  if (name.empty()) return "found an empty file name";
  if (allow_outside_) return {};
  if (fs::path(name).is_absolute())
    return fmt::format("'{}' is an absolute path: {}", name, kRemedy);
  if (!is_within(resolved(path_of(from, name)), root_))
    return fmt::format("'{}' leads out of the folder of the model: {}", name, kRemedy);
  return {};
}

FileText read_named_file(const ModelFolder& folder, const fs::path& from, const std::string& name) {
  if (std::string refusal = folder.refusal(from, name); !refusal.empty())
    return {{}, std::move(refusal)};
  const fs::path path = ModelFolder::path_of(from, name);
  FileText result = read_text_file(path);
  if (!result.ok()) result.fault = fmt::format("'{}' {}", path.string(), result.fault);
  return result;
}

}  // namespace picus
