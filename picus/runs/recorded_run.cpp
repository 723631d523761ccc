// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/recorded_run.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "picus/base/output_file.h"
#include "picus/steppers/catalog.h"

namespace picus {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileMark = "# --- ";  // of text_of(Document)

// The parts of a text that was made of several files, in order.
std::vector<SourceFile> files_of(const std::string& text) {
  if (!text.starts_with(kFileMark)) return {{"model.yaml", text}};
  std::vector<SourceFile> files;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kFileMark))
      files.push_back({line.substr(std::string(kFileMark).size()), ""});
    else
      files.back().text += line + "\n";
  }
  return files;
}

nlohmann::ordered_json options_of(const ResultHeader& header) {
  const auto json = nlohmann::ordered_json::parse(header.options, nullptr, false);
  if (!json.is_object() || !json.contains("integrator") || !json.contains("end_time"))
    throw InputError("the result does not record how it was run: give the model instead");
  return json;
}

// A folder for the files of a model, gone with the object.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "picus-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw InputError(fmt::format("cannot make a folder for the files of the model in '{}'",
                                   fs::temp_directory_path().string()));
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }

  /// Files that a result claims to lie elsewhere are not written there.
  void write(const std::string& name, const std::string& text) const {
    const fs::path inner = fs::path(name).lexically_normal();
    if (inner.empty() || inner.is_absolute() || *inner.begin() == "..")
      throw InputError(
          fmt::format("the model of the result reads '{}', outside its folder: give "
                      "the model instead",
                      name));
    fs::create_directories((path_ / inner).parent_path());
    write_file(path_ / inner, text);
  }

 private:
  fs::path path_;
};

}  // namespace

LoadedModel recorded_model(const ResultHeader& header) {
  const std::vector<SourceFile> files = files_of(header.model_text);
  std::vector<std::string> overrides;
  bool needs_files = !header.files.empty();
  for (std::size_t i = 1; i < files.size(); ++i) {
    if (files[i].name != "override") {
      if (header.files.empty())
        throw InputError(
            fmt::format("the model of the result includes '{}', which the result does not hold: "
                        "give the model instead",
                        files[i].name));
      needs_files = true;
      continue;
    }
    std::istringstream lines(files[i].text);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) overrides.push_back(line);
  }
  if (!needs_files) return load_model_text(files.front().name, files.front().text, overrides);
  const ScratchFolder folder;
  folder.write(files.front().name, files.front().text);
  for (const ModelFile& file : header.files)
    folder.write(file.name, file.text);
  return load_model((folder.path() / files.front().name).string(), overrides);
}

RunPlan recorded_plan(const ResultHeader& header) {
  const auto json = options_of(header);
  RunPlan plan;
  plan.end_time = json["end_time"];
  plan.integrator = json["integrator"];
  plan.reason = json.value("reason", "");
  const auto options = json.value("options", nlohmann::ordered_json::object());
  for (const auto& [name, value] : options.items())
    plan.options.emplace_back(name, value.get<std::string>());
  plan.searches = make_stepper(plan.integrator, plan.options)->traits().finds_switches;
  plan.adaptive = json.contains("tolerance");
  if (!plan.adaptive) plan.step = json["step"];
  const auto control = json.value("control", nlohmann::ordered_json::object());
  const auto take = [&](const char* field, auto& target, const char*) {
    if (control.contains(field))
      fields::assign(target, field, control[field].template get<std::string>());
  };
  if (plan.searches)
    SwitchingOptions::for_each_field(plan.search, take);
  else
    AdaptiveOptions::for_each_field(plan.control, take);
  return plan;
}

}  // namespace picus
