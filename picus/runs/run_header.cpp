// SPDX-License-Identifier: BSD-3-Clause
// What a result says of its run before the first sample.
#include <filesystem>

#include <nlohmann/json.hpp>

#include "picus/base/version.h"
#include "picus/runs/run.h"
#include "picus/runs/shapes.h"

namespace picus {
namespace {

// Included files and those with data, by their paths from the folder of the model.
std::vector<ModelFile> files_of(const LoadedModel& loaded) {
  std::vector<ModelFile> files;
  if (loaded.document.files.empty()) return files;
  const std::filesystem::path folder =
      std::filesystem::path(loaded.document.files.front().name).parent_path();
  const auto add = [&](const SourceFile& file) {
    const std::filesystem::path path = std::filesystem::path(file.name).lexically_normal();
    const std::filesystem::path own = path.lexically_relative(folder.lexically_normal());
    files.push_back({folder.empty() || own.empty() ? path.string() : own.string(), file.text});
  };
  for (std::size_t i = 1; i < loaded.document.files.size(); ++i)
    if (!loaded.document.files[i].is_override) add(loaded.document.files[i]);
  for (const SourceFile& file : loaded.data)
    add(file);
  return files;
}

}  // namespace

ResultHeader header_of(const LoadedModel& loaded, const RunPlan& plan,
                       const MechanismRecord& record) {
  nlohmann::ordered_json options;
  options["end_time"] = plan.end_time;
  options["integrator"] = plan.integrator;
  options["reason"] = plan.reason;
  if (plan.adaptive)
    options["tolerance"] = plan.tolerance();
  else
    options["step"] = plan.step;
  for (const auto& [name, value] : plan.options)
    options["options"][name] = value;
  for (const auto& [name, value] : plan.control_values())
    options["control"][name] = value;
  ResultHeader header;
  header.model_name = loaded.model.name;
  header.model_text = text_of(loaded.document);
  header.options = options.dump();
  header.integrator = plan.integrator;
  header.version = version();
  header.scene = scene_of(loaded.model, *loaded.mechanism);
  header.quantities = record.quantities();
  header.files = files_of(loaded);
  return header;
}

}  // namespace picus
