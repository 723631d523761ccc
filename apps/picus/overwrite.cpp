// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/overwrite.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/results/result_file.h"

namespace picus::app {
namespace {

namespace fs = std::filesystem;

struct KindOfOutput {
  OutputKind kind;
  const char* noun;
  std::array<std::string_view, 3> endings;
};

constexpr std::array kKinds{
    KindOfOutput{OutputKind::kResult, "a Picus result", {".h5", ".hdf5"}},
    KindOfOutput{OutputKind::kPage, "a Picus page", {".html", ".htm"}},
    KindOfOutput{OutputKind::kTable, "a Picus table", {".csv", ".tsv", ".txt"}},
    KindOfOutput{OutputKind::kPicture, "a PNG picture", {".png"}},
    KindOfOutput{OutputKind::kDrawing, "an SVG drawing", {".svg"}},
    KindOfOutput{OutputKind::kFilm, "a film", {".webm", ".gif"}},
    KindOfOutput{OutputKind::kEquilibrium, "a Picus equilibrium", {".json"}},
    KindOfOutput{OutputKind::kModel, "a model", {".yaml", ".yml"}},
    KindOfOutput{OutputKind::kParaView, "a file for ParaView", {".vtp", ".pvd"}},
};

const KindOfOutput& about(OutputKind kind) {
  return *std::find_if(kKinds.begin(), kKinds.end(),
                       [&](const KindOfOutput& entry) { return entry.kind == kind; });
}

// The kind to which the ending belongs, or none.
const KindOfOutput* kind_of_ending(const fs::path& path) {
  const std::string ending = path.extension().string();
  for (const KindOfOutput& entry : kKinds)
    if (!ending.empty() &&
        std::find(entry.endings.begin(), entry.endings.end(), ending) != entry.endings.end())
      return &entry;
  return nullptr;
}

// How to get what the ending promises.
std::string way_to(OutputKind kind, const std::string& path) {
  switch (kind) {
    case OutputKind::kResult:
      return fmt::format("; 'picus run MODEL -o {}' writes one", path);
    case OutputKind::kPage:
      return fmt::format("; 'picus report RESULT -o {}' writes one", path);
    case OutputKind::kTable:
      return fmt::format("; 'picus export RESULT --csv {}' writes one", path);
    case OutputKind::kPicture:
      return fmt::format("; 'picus report RESULT --snapshot t=TIME -o {}' makes one", path);
    case OutputKind::kDrawing:
      return fmt::format("; 'picus plot RESULT CHANNELS -o {}' makes one", path);
    case OutputKind::kFilm:
      return fmt::format("; 'picus report RESULT --film all -o {}' makes one", path);
    default:
      return {};
  }
}

void refuse_other_endings(const Output& output) {
  const KindOfOutput* promised = kind_of_ending(output.path);
  if (promised == nullptr || promised->kind == output.kind) return;
  const KindOfOutput& written = about(output.kind);
  fs::path better = output.path;
  better.replace_extension(written.endings.front());
  throw InputError(fmt::format(
      "'{}': this command writes {}, but the extension {} is that of {}. Name it '{}'{}",
      output.path.string(), written.noun, output.path.extension().string(), promised->noun,
      better.string(), way_to(promised->kind, output.path.string())));
}

std::string head_of(const fs::path& path) {
  std::string head(4096, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

bool is_of_kind(const fs::path& path, OutputKind kind) {
  if (kind == OutputKind::kResult) return is_result_file(path.string());
  const std::string head = head_of(path);
  switch (kind) {
    case OutputKind::kPage:
      return head.find("name=\"generator\" content=\"Picus\"") != std::string::npos;
    case OutputKind::kTable:
      return head.starts_with("time [s],") || head.starts_with("time [s]\n");
    case OutputKind::kPicture:
      return head.starts_with("\x89PNG");
    case OutputKind::kDrawing:
      return head.find("<svg") != std::string::npos;
    case OutputKind::kFilm:
      return head.starts_with("GIF8") || head.starts_with("\x1a\x45\xdf\xa3");
    case OutputKind::kEquilibrium:
      return head.starts_with("{\"found\":");
    case OutputKind::kParaView:
      return head.find("<VTKFile") != std::string::npos;
    default:
      return false;  // a model is never written over
  }
}

bool is_write_protected(const fs::path& path) {
  constexpr fs::perms kWrite =
      fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  return (fs::status(path).permissions() & kWrite) == fs::perms::none;
}

InputError kept(const fs::path& path, const std::string& reason) {
  return InputError(
      fmt::format("'{}' {}; it was not overwritten. Choose another name, or use --force",
                  path.string(), reason));
}

}  // namespace

void guard_output(const Output& output, const std::vector<std::string>& inputs, bool force) {
  const fs::path& path = output.path;
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (fs::is_directory(status))
    throw InputError(fmt::format("'{}' is a folder, expected a file to write", path.string()));
  const bool is_plain = fs::is_regular_file(status);
  if (fs::exists(status) && !is_plain) {
    if (output.kind != OutputKind::kResult) return;  // a device or a pipe: nothing is lost
    throw InputError(
        fmt::format("'{}' is not a plain file: a result cannot go there (--no-output writes none)",
                    path.string()));
  }
  refuse_other_endings(output);
  if (!is_plain || force) return;
  for (const std::string& input : inputs)
    if (fs::equivalent(path, input, problem)) throw kept(path, "is read by this command");
  if (is_write_protected(path)) throw kept(path, "is write-protected");
  if (fs::file_size(path, problem) > 0 && !is_of_kind(path, output.kind))
    throw kept(path, output.kind == OutputKind::kModel
                         ? std::string("exists")
                         : fmt::format("exists and is not {}", about(output.kind).noun));
}

void guard_study_folder(const fs::path& folder, const std::string& id, bool force) {
  std::error_code problem;
  if (force || !fs::is_directory(folder, problem) || fs::is_empty(folder, problem)) return;
  const std::string mark = fmt::format("\"id\": \"{}\"", id);
  if (head_of(folder / "summary.json").find(mark) == std::string::npos)
    throw kept(folder, fmt::format("holds files that do not belong to the study {}", id));
}

void guard_paraview_folder(const fs::path& folder, const std::string& name, bool force) {
  std::error_code problem;
  if (fs::exists(folder, problem) && !fs::is_directory(folder, problem))
    throw InputError(fmt::format("'{}' is a file, expected a folder", folder.string()));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
    const std::string file = entry.path().filename().string();
    if (file.starts_with(name) && (file.ends_with(".vtp") || file.ends_with(".pvd")))
      guard_output({entry.path(), OutputKind::kParaView}, {}, force);
  }
}

}  // namespace picus::app
