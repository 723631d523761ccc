// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a command may write over: nothing but older output of the same kind, unless told so.

#include <filesystem>
#include <string>
#include <vector>

namespace picus::app {

enum class OutputKind {
  kResult,
  kPage,
  kTable,
  kPicture,
  kDrawing,
  kFilm,
  kEquilibrium,
  kModel,
  kParaView
};

struct Output {
  std::filesystem::path path;
  OutputKind kind = OutputKind::kResult;
};

inline constexpr const char* kForceHelp =
    "Overwrite existing files that this command did not write, too";

/// Throws InputError when writing would destroy one of the inputs, by whatever name or link, a
/// write-protected file, or something that is not output of the same kind; with `force` it may.
/// An ending that belongs to another kind (x.csv for a result) and folders are always refused.
void guard_output(const Output& output, const std::vector<std::string>& inputs, bool force);

/// The same for a folder in which the study `id` writes its files.
void guard_study_folder(const std::filesystem::path& folder, const std::string& id, bool force);

/// The same for a folder of files for ParaView whose names begin with `name`.
void guard_paraview_folder(const std::filesystem::path& folder, const std::string& name,
                           bool force);

}  // namespace picus::app
