// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/document.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "picus/io/constants.h"
#include "picus/io/parameters.h"

namespace picus {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> file_text(const std::string& path) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) return std::nullopt;
  const std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) return std::nullopt;
  return std::move(text).str();
}

// Reads files one into another and merges them into a document.
class Loader {
 public:
  explicit Loader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    document_.root.kind = TreeNode::Kind::kMap;
  }

  void load_file(const std::string& path) {
    if (auto text = file_text(path)) {
      load_text(path, *std::move(text));
    } else {
      document_.files.push_back({path, ""});
      document_.units.emplace_back();
      document_.complete = false;
      diagnostics_.error({0, 0, 0}, "this file cannot be read");
    }
  }

  void load_text(std::string name, std::string text) {
    const int file = static_cast<int>(document_.files.size());
    const fs::path path = name;
    open_.push_back({identity(path), name});
    document_.files.push_back({std::move(name), std::move(text)});
    document_.units.emplace_back();
    const std::optional<TreeNode> tree =
        parse_tree(document_.files.back().text, file, diagnostics_);
    if (tree && tree->is_map()) {
      load_map(*tree, file, path.parent_path());
    } else {
      document_.complete = false;
      if (tree) {
        diagnostics_.error(
            tree->is_nothing() ? Place{file, 1, 1} : tree->place,
            fmt::format("found {}, expected a map that begins with 'picus: {}'",
                        tree->is_nothing() ? "an empty file" : describe(*tree), kFormatVersion));
      }
    }
    finished_.push_back(open_.back().first);
    open_.pop_back();
  }

  Document finish(std::span<const std::string> overrides) {
    load_overrides(overrides);
    document_.parameters = evaluate_parameters(parameters_, document_, diagnostics_);
    return std::move(document_);
  }

 private:
  static fs::path identity(const fs::path& path) {
    std::error_code failure;
    fs::path result = fs::weakly_canonical(path, failure);
    return failure ? path.lexically_normal() : result;
  }

  void load_map(const TreeNode& tree, int file, const fs::path& folder) {
    check_version(tree);
    if (const TreeNode* units = tree.find("units")) {
      document_.units[static_cast<std::size_t>(file)] = read_units(*units, diagnostics_);
    }
    if (const TreeNode* include = tree.find("include")) load_includes(*include, folder);
    if (const TreeNode* parameters = tree.find("parameters")) add_parameters(*parameters);
    for (const TreeNode& child : tree.children) {
      if (std::find(kFileKeys.begin(), kFileKeys.end(), child.key) == kFileKeys.end()) {
        merge(child);
      }
    }
  }

  void check_version(const TreeNode& tree) {
    const TreeNode* version = tree.find("picus");
    if (!version) {
      diagnostics_.error({tree.place.file, 1, 1},
                         fmt::format("missing key 'picus', expected the version of the format: "
                                     "'picus: {}'",
                                     kFormatVersion));
    } else if (!version->is_scalar() || version->text != std::to_string(kFormatVersion)) {
      diagnostics_.error(version->place,
                         fmt::format("'picus': found {}, expected {}, the version of the format "
                                     "this program reads",
                                     describe(*version), kFormatVersion));
    }
  }

  void load_includes(const TreeNode& include, const fs::path& folder) {
    if (include.is_nothing()) return;
    if (include.is_scalar()) {
      load_include(include, folder);
      return;
    }
    for (const TreeNode& child : include.children) {
      if (include.is_map() || !child.is_scalar()) {
        diagnostics_.error(include.is_map() ? include.place : child.place,
                           fmt::format("'include': found {}, expected a list of file names",
                                       describe(include.is_map() ? include : child)));
        return;
      }
      load_include(child, folder);
    }
  }

  void load_include(const TreeNode& node, const fs::path& folder) {
    const fs::path path = (folder / node.text).lexically_normal();
    const fs::path id = identity(path);
    const auto begin = std::find_if(open_.begin(), open_.end(),
                                    [&](const auto& open) { return open.first == id; });
    if (begin != open_.end()) {
      std::string chain;
      for (auto link = begin; link != open_.end(); ++link) {
        chain += link->second + " → ";
      }
      document_.complete = false;
      diagnostics_.error(node.place,
                         fmt::format("files include each other: {}{}", chain, begin->second));
      return;
    }
    if (std::find(finished_.begin(), finished_.end(), id) != finished_.end()) return;
    if (auto text = file_text(path.string())) {
      load_text(path.string(), *std::move(text));
    } else {
      document_.complete = false;
      diagnostics_.error(node.place,
                         fmt::format("'include': cannot read file '{}'", path.string()));
    }
  }

  void add_parameters(const TreeNode& node) {
    if (node.is_nothing()) return;
    if (!node.is_map()) {
      diagnostics_.error(node.place, fmt::format("'parameters': found {}, expected a map of names "
                                                 "and numbers",
                                                 describe(node)));
      return;
    }
    for (const TreeNode& child : node.children) {
      if (!is_identifier(child.key) || is_taken_name(child.key)) {
        diagnostics_.error(
            child.key_place,
            fmt::format("'{}' cannot be the name of a parameter: {}", child.key,
                        is_identifier(child.key)
                            ? "it has a meaning in formulas"
                            : "expected letters, digits and _, beginning with a letter"));
      } else {
        add_once(parameters_, child, "parameter");
      }
    }
  }

  void merge(const TreeNode& node) {
    TreeNode* known = document_.root.find(node.key);
    if (!known) {
      document_.root.children.push_back(node);
    } else if (known->is_map() && node.is_map()) {
      for (const TreeNode& child : node.children) {
        add_once(known->children, child, "key");
      }
    } else if (known->is_list() && node.is_list()) {
      known->children.insert(known->children.end(), node.children.begin(), node.children.end());
    } else if (known->is_nothing()) {
      *known = node;
    } else if (!node.is_nothing()) {
      report_twice(node, *known, "key");
    }
  }

  void add_once(std::vector<TreeNode>& nodes, const TreeNode& node, std::string_view kind) {
    const auto known = std::find_if(nodes.begin(), nodes.end(),
                                    [&](const TreeNode& n) { return n.key == node.key; });
    if (known == nodes.end()) {
      nodes.push_back(node);
    } else {
      report_twice(node, *known, kind);
    }
  }

  void report_twice(const TreeNode& node, const TreeNode& first, std::string_view kind) {
    diagnostics_.error(node.key_place,
                       fmt::format("{} '{}' is given twice, first at {}", kind, node.key,
                                   to_text(first.key_place, document_.files)));
  }

  // All overrides are lines of one more file, so that their places can be told.
  void load_overrides(std::span<const std::string> overrides) {
    if (overrides.empty()) return;
    const int file = static_cast<int>(document_.files.size());
    SourceFile source{"override", ""};
    for (const std::string& text : overrides) {
      std::string line = text;
      std::replace(line.begin(), line.end(), '\n', ' ');
      source.text += line + '\n';
    }
    document_.files.push_back(std::move(source));
    document_.units.push_back(document_.units.front());
    for (std::size_t i = 0; i < overrides.size(); ++i) {
      load_override(overrides[i], {file, static_cast<int>(i) + 1, 1});
    }
  }

  void load_override(const std::string& text, Place place) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      diagnostics_.error(place, fmt::format("found '{}', expected 'parameter=value' or "
                                            "'path.to.key=value'",
                                            text));
      return;
    }
    Override result{{}, place, {}};
    std::istringstream path(text.substr(0, equals));
    for (std::string part; std::getline(path, part, '.');) {
      result.path.push_back(part);
    }
    // parsed where it stands, so that its places are right
    std::string padded(static_cast<std::size_t>(place.line - 1), '\n');
    padded.append(equals + 1, ' ').append(text, equals + 1);
    auto value = parse_tree(padded, place.file, diagnostics_);
    if (!value) return;
    result.value = *std::move(value);
    if (result.value.is_nothing()) result.value.place = place;
    result.value.key = result.path.back();
    result.value.key_place = place;

    if (result.path.size() == 2 && result.path[0] == "parameters") {
      result.path.erase(result.path.begin());
    }
    if (result.path.size() > 1) {
      document_.overrides.push_back(std::move(result));
    } else {
      override_parameter(result);
    }
  }

  void override_parameter(const Override& change) {
    std::vector<std::string_view> names;
    for (TreeNode& node : parameters_) {
      if (node.key == change.path[0]) {
        const Place key_place = node.key_place;
        node = change.value;
        node.key_place = key_place;  // its units are those of the file that states it
        return;
      }
      names.push_back(node.key);
    }
    diagnostics_.error(change.place, unknown_among("parameter", change.path[0], names));
  }

  Diagnostics& diagnostics_;
  Document document_;
  std::vector<TreeNode> parameters_;
  std::vector<std::pair<fs::path, std::string>> open_;  // identity and name, outermost first
  std::vector<fs::path> finished_;
};

}  // namespace

const Parameter* Document::find_parameter(std::string_view name) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& p) { return p.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

const Units& Document::units_at(Place place) const {
  static const Units si;
  const auto file = static_cast<std::size_t>(place.file);
  return place.file >= 0 && file < units.size() ? units[file] : si;
}

Place Document::place_in(Place start, std::string_view text, std::size_t offset) const {
  const auto file = static_cast<std::size_t>(start.file);
  if (start.file < 0 || file >= files.size()) return start;
  return place_in_scalar(files[file].text, start, text, offset);
}

Document load_document(const std::string& path, std::span<const std::string> overrides,
                       Diagnostics& diagnostics) {
  Loader loader(diagnostics);
  loader.load_file(path);
  return loader.finish(overrides);
}

Document load_document_text(std::string name, std::string text,
                            std::span<const std::string> overrides, Diagnostics& diagnostics) {
  Loader loader(diagnostics);
  loader.load_text(std::move(name), std::move(text));
  return loader.finish(overrides);
}

}  // namespace picus
