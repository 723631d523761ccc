// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What 'picus new' writes: the files of apps/picus/templates, built into the program.

#include <span>
#include <string_view>
#include <vector>

namespace picus::app {

struct TemplateFile {
  std::string_view name;  ///< in the folder of a project; of a model it is the user's
  std::string_view text;  ///< with NAME where the user's name goes
};

struct Template {
  std::string_view name, summary;
  std::span<const TemplateFile> files;  ///< one: a model; several: a folder

  bool is_project() const { return files.size() > 1; }
};

std::span<const Template> template_catalog();
std::vector<std::string_view> template_names();

}  // namespace picus::app
