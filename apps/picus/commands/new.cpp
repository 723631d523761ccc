// SPDX-License-Identifier: BSD-3-Clause
// picus new: a commented model to begin with, or a project.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/overwrite.h"
#include "apps/picus/templates.h"
#include "picus/base/error.h"
#include "picus/base/output_file.h"

namespace picus::app {
namespace {

const Template& find_template(std::string_view name) {
  for (const Template& entry : template_catalog())
    if (entry.name == name) return entry;
  throw InputError(unknown_name("template", name, template_names()));
}

std::string with_name(std::string_view text, std::string_view mark, const std::string& name) {
  std::string result(text);
  for (std::size_t at = result.find(mark); at != std::string::npos;
       at = result.find(mark, at + name.size()))
    result.replace(at, mark.size(), name);
  return result;
}

void write_model(const Template& entry, std::filesystem::path path, bool force) {
  if (!path.has_extension()) path += ".yaml";
  guard_output({path, OutputKind::kModel}, {}, force);
  const std::string stem = path.stem().string();
  std::string text(entry.files.front().text);
  const std::string mark = "name: NAME";
  text.replace(text.find(mark), mark.size(), fmt::format("name: \"{}\"", stem));
  write_file(path, with_name(text, "NAME", stem));
  fmt::print("wrote {0}; next:\n  picus check {0}\n  picus run {0}\n", path.string());
}

// A name that CMake takes for a program.
std::string program_name(const std::filesystem::path& folder) {
  std::string name = folder.filename().string();
  const bool is_plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
  return is_plain && name != "picus" && name != "test" && name != "install" ? name : "program";
}

void write_project(const Template& entry, const std::filesystem::path& folder, bool force) {
  std::error_code error;
  for (const TemplateFile& file : entry.files)
    if (!force && std::filesystem::exists(folder / file.name, error))
      throw InputError(fmt::format("'{}' exists; give another folder, or --force to overwrite it",
                                   (folder / file.name).string()));
  std::filesystem::create_directories(folder, error);
  if (error)
    throw WriteError(
        fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  const std::string name = program_name(folder);
  for (const TemplateFile& file : entry.files)
    write_file(folder / file.name, with_name(file.text, "NAME", name));
  fmt::print(
      "wrote a project into {0}; next:\n  cmake -S {0} -B {0}/build\n  cmake --build {0}/build\n"
      "  {0}/build/{1}\n",
      folder.string(), name);
}

}  // namespace

void describe_new(CLI::App& verb, int&) {
  struct Arguments {
    std::string name, template_name = "pendulum";
    bool force = false;
  };
  auto arguments = std::make_shared<Arguments>();
  verb.add_option(
          "NAME", arguments->name,
          "File to write; .yaml is added if there is no extension. A folder for 'equations'")
      ->required();
  verb.add_option("-t,--template", arguments->template_name,
                  fmt::format("{}", fmt::join(template_names(), ", ")))
      ->capture_default_str();
  verb.add_flag("--force", arguments->force, "Overwrite an existing file");
  std::string templates;
  for (const Template& entry : template_catalog())
    templates += fmt::format("  {:<12}{}\n", entry.name, entry.summary);
  verb.footer(
      fmt::format("Templates:\n{}\nExamples:\n  picus new swing\n"
                  "  picus new robot.yaml --template motor\n"
                  "  picus new cart --template equations\n",
                  templates));
  verb.callback([arguments] {
    const Template& entry = find_template(arguments->template_name);
    if (entry.is_project())
      write_project(entry, arguments->name, arguments->force);
    else
      write_model(entry, arguments->name, arguments->force);
  });
}

}  // namespace picus::app
