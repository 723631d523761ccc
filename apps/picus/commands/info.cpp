// SPDX-License-Identifier: BSD-3-Clause
// picus info: what is in a model or a result file.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "apps/picus/commands/commands.h"
#include "apps/picus/model_arguments.h"
#include "apps/picus/terminal.h"
#include "picus/base/text.h"
#include "picus/io/model_file.h"
#include "picus/results/impact.h"
#include "picus/results/result_file.h"

namespace picus::app {
namespace {

struct InfoArguments : ModelArguments {
  bool channels = false, verbose = false;
};

// The first bytes of every HDF5 file.
bool is_hdf5(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(8, '\0');
  file.read(head.data(), 8);
  return file && head == "\x89HDF\r\n\x1a\n";
}

// The first of many names.
std::string some_of(std::vector<std::string> names) {
  constexpr std::size_t kShown = 12;
  if (names.size() > kShown) {
    names.resize(kShown);
    names.emplace_back("…");
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string words_of(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.dump();
  std::vector<std::string> words;
  for (const auto& [key, inner] : value.items())
    words.push_back(value.is_object() ? fmt::format("{}: {}", key, words_of(inner))
                                      : words_of(inner));
  return fmt::format("{}", fmt::join(words, ", "));
}

using Json = nlohmann::ordered_json;

// Files of earlier versions, and runs that were cut off, lack keys.
Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json::object();
}

// A row if the JSON object has the key and it says something.
void add_row(std::vector<Row>& rows, const char* name, const Json& json, const char* key) {
  if (!json.contains(key)) return;
  if (const std::string words = words_of(json[key]); !words.empty()) rows.push_back({name, words});
}

// What a user asks first of how the run was made.
void add_settings(std::vector<Row>& rows, const Json& options) {
  add_row(rows, "chosen for", options, "reason");
  add_row(rows, "tolerance", options, "tolerance");
  if (!options.contains("tolerance") && options.contains("step"))
    rows.push_back({"step", fmt::format("{} s", words_of(options["step"]))});
}

// And of how it went. Runs that nobody looked at have no audit.
void add_outcome(std::vector<Row>& rows, const Json& summary) {
  add_row(rows, "ending", summary, "ending");
  add_row(rows, "message", summary, "message");
  add_row(rows, "condition", summary, "condition");
  if (summary.contains("accepted") && summary.contains("rejected"))
    rows.push_back({"steps", fmt::format("{}, {} rejected", words_of(summary["accepted"]),
                                         words_of(summary["rejected"]))});
  if (summary.value("impacts", 0L) > 0) add_row(rows, "impacts", summary, "impacts");
  add_row(rows, "energy drift", summary, "energy_drift");
  if (!summary.contains("audit")) return;
  std::string text = summary["audit"].value("text", "");
  if (text.starts_with("audit: ")) text.erase(0, 7);
  rows.push_back({"audit", text});
}

// A row for every key of a JSON object.
void add_all(std::vector<Row>& rows, const Json& json) {
  for (const auto& [key, value] : json.items())
    add_row(rows, key.c_str(), json, key.c_str());
}

int print_result(const InfoArguments& arguments) {
  const std::string& path = arguments.model;
  const ResultFile result(path);
  const ResultHeader& header = result.header();
  if (arguments.channels) {
    for (const std::string& channel : result.channels())
      fmt::print("{}\n", printable(channel));
    return report_damage(path, result.damage());
  }
  std::vector<Row> rows{{"model", header.model_name},
                        {"created", fmt::format("{} by picus {}", header.created, header.version)},
                        {"integrator", header.integrator}};
  const Json options = parsed(header.options), summary = parsed(result.summary());
  add_settings(rows, options);
  const std::vector<double>& times = result.times();
  rows.push_back({"samples", times.empty() ? "none"
                                           : fmt::format("{}, t = {:.6g} to {:.6g} s", times.size(),
                                                         times.front(), times.back())});
  if (result.is_complete()) {
    add_outcome(rows, summary);
  } else {
    rows.push_back({"ending", "none: the run was cut off"});
  }
  if (arguments.verbose) {
    rows.push_back({"scene", header.scene.empty() ? "none" : "yes"});
    rows.push_back({"options", ""});
    add_all(rows, options);
    rows.push_back({"summary", ""});
    add_all(rows, summary);
  }
  fmt::print("{}", columns(rows));
  rows = {{"quantity", "unit", "of", "meaning"}};
  for (const Quantity& quantity : header.quantities)
    rows.push_back({quantity.group + "/" + quantity.name, quantity.unit, some_of(quantity.items),
                    quantity.meaning});
  fmt::print("\n{}", columns(rows));
  const std::vector<Event> events = result.events();
  if (!events.empty()) fmt::print("\n{}\n", counted(static_cast<long>(events.size()), "event"));
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(kShown, events.size()); ++i) {
    const Event& event = events[i];
    const auto impact = impact_of(event);
    fmt::print("  t = {:.9g} s  {}: {}\n", event.time, printable(event.kind),
               printable(impact ? to_text(*impact) : event.text));
  }
  if (events.size() > kShown)
    fmt::print("  … and {} more; 'picus export --impacts' writes all impacts\n",
               events.size() - kShown);
  return report_damage(path, result.damage());
}

// The type of a joint, force or control; other parts have none.
template <class T>
std::string type_name(const T&) {
  return {};
}
template <class... A>
std::string type_name(const std::variant<A...>& value) {
  return std::visit([](const auto& part) { return fmt::format(" ({})", part.kType); }, value);
}

template <class Parts>
void add_row(std::vector<Row>& rows, const char* what, const Parts& parts) {
  if (parts.empty()) return;
  std::vector<std::string> names;
  names.reserve(parts.size());
  for (const auto& part : parts)
    names.push_back(part.name + type_name(part.value));
  rows.push_back({what, fmt::format("{}", parts.size()), some_of(std::move(names))});
}

void print_model(const InfoArguments& arguments) {
  const LoadedModel loaded = arguments.load();
  const Model& model = loaded.model;
  const SystemSizes n = loaded.mechanism->system().sizes();
  fmt::print("{}{}{}\n", toned(model.name, Tone::kBold, stdout),
             model.description.empty() ? "" : ": ", printable(model.description));
  std::vector<Row> rows;
  add_row(rows, "parameters", loaded.document.parameters);
  add_row(rows, "bodies", model.bodies);
  add_row(rows, "flexible", model.flexible);
  add_row(rows, "beams", model.beams);
  add_row(rows, "joints", model.joints);
  add_row(rows, "motions", model.motions);
  add_row(rows, "constraints", model.constraints);
  add_row(rows, "forces", model.forces);
  add_row(rows, "contacts", model.contacts);
  add_row(rows, "collisions", model.collisions);
  add_row(rows, "controls", model.controls);
  add_row(rows, "tables", model.tables);
  add_row(rows, "markers", model.markers);
  fmt::print("{}", columns(rows, 2));
  rows = {{"positions", fmt::format("{}", n.positions)},
          {"velocities", fmt::format("{}", n.velocities)},
          {"constraints",
           fmt::format("{}, {}", n.constraints, counted(n.nonholonomic, "rolling condition"))},
          {"controls", fmt::format("{}, {} of them variables", n.controls, n.variables)},
          {"run", fmt::format(
                      "to {:g} s, integrator {}, {}", model.run.end_time, model.run.integrator.text,
                      model.run.step > 0.0 ? fmt::format("step {:g} s", model.run.step)
                                           : fmt::format("tolerance {:g}", model.run.tolerance))}};
  fmt::print("{}", columns(rows, 2));
}

}  // namespace

void describe_info(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<InfoArguments>();
  verb.add_option("FILE", arguments->model, "Model (.yaml) or result (.h5)")->required();
  describe_model_options(verb, *arguments);
  verb.add_flag("--channels", arguments->channels,
                "Print the names of all channels of a result, one per line");
  verb.add_flag("-v,--verbose", arguments->verbose,
                "All options and all numbers of the summary of a result");
  verb.footer(
      "Examples:\n  picus info models/pendulum.yaml\n  picus info pendulum.h5\n"
      "  picus info pendulum.h5 --channels\n");
  verb.callback([arguments, &code] {
    const bool is_result =
        is_hdf5(arguments->model) || std::filesystem::path(arguments->model).extension() == ".h5";
    if (is_result)
      code = print_result(*arguments);
    else
      print_model(*arguments);
  });
}

}  // namespace picus::app
