// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/document.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "picus/io/constants.h"
#include "picus/io/parameters.h"

namespace picus {
namespace {

namespace fs = std::filesystem;

// Whether a text has the key that every model begins with. Of a text that has not, nothing is
// quoted: it may be anything that a model's author wanted to have read aloud.
bool claims_to_be_a_model(std::string_view text) {
  constexpr std::string_view kKey = "picus", kBlank = " \t\r\n";
  for (std::size_t at = text.find(kKey); at != std::string_view::npos;
       at = text.find(kKey, at + 1)) {
    const char before = at == 0 ? '\n' : text[at - 1];
    std::size_t next = at + kKey.size();
    if (next < text.size() && (text[next] == '"' || text[next] == '\'')) ++next;
    next = text.find_first_not_of(kBlank, next);
    const bool begins =
        std::string_view("\n\r\"'{, \t?\xBF").find(before) != std::string_view::npos;
    if (begins && next != std::string_view::npos && text[next] == ':') return true;
  }
  return false;
}

constexpr std::size_t kDeepestInclude = 100;

// Reads files one into another and merges them into a document.
class Loader {
 public:
  Loader(const fs::path& model, const LoadOptions& options, Diagnostics& diagnostics)
      : diagnostics_(diagnostics) {
    document_.root.kind = TreeNode::Kind::kMap;
    document_.folder = ModelFolder(model, options.allow_outside);
  }

  /// For a submodel of `outer`, whose files it takes over.
  Loader(Document& outer, const SubmodelSource& source, Diagnostics& diagnostics)
      : diagnostics_(diagnostics), label_("file"), submodel_(source.name), place_(source.place) {
    document_.root.kind = TreeNode::Kind::kMap;
    document_.folder = outer.folder;
    document_.full_name = source.name;
    document_.files = std::move(outer.files);
    document_.units = std::move(outer.units);
    document_.first_file = static_cast<int>(document_.files.size());
    for (const std::string& path : source.chain)
      open_.emplace_back(path, path);
  }

  /// The file that a submodel names; `from` is the file that states it.
  void load_named(const std::string& name) {
    TreeNode node;
    node.text = name;
    node.place = place_;
    const fs::path from = document_.files[static_cast<std::size_t>(place_.file)].name;
    const std::size_t before = document_.files.size();
    load_include(node, from);
    if (document_.files.size() == before) document_.complete = false;
    label_ = "include";
  }

  void load_file(const std::string& path) {
    FileText file = read_text_file(path);
    if (file.ok()) {
      load_text(path, std::move(file.text));
    } else {
      document_.files.push_back({path, ""});
      document_.units.emplace_back();
      document_.complete = false;
      diagnostics_.error({0, 0, 0}, "this file " + file.fault);
    }
  }

  void load_text(std::string name, std::string text) {
    const int file = static_cast<int>(document_.files.size());
    const fs::path path = name;
    open_.push_back({identity(path), name});
    document_.files.push_back({std::move(name), std::move(text), false, submodel_, place_});
    document_.units.emplace_back();
    const std::string& source = document_.files.back().text;
    if (claims_to_be_a_model(source)) {
      load_tree(parse_tree(source, file, diagnostics_), file, path);
    } else {
      document_.complete = false;
      diagnostics_.error({file, 1, 1}, fmt::format("{}missing key 'picus', expected a model that "
                                                   "begins with its format version: 'picus: {}'",
                                                   is_blank(source) ? "found an empty file, " : "",
                                                   kFormatVersion));
    }
    finished_.push_back(open_.back().first);
    open_.pop_back();
  }

  Document finish(const std::vector<Override>& overrides) {
    for (const Override& change : overrides)
      apply(change);
    return finish(std::span<const std::string>());
  }
  Document finish(std::span<const std::string> overrides) {
    load_overrides(overrides);
    document_.set_parameters(evaluate_parameters(parameters_, document_, diagnostics_));
    return std::move(document_);
  }
  /// What there is after too many errors.
  Document give_up() {
    document_.complete = false;
    return std::move(document_);
  }

 private:
  static fs::path identity(const fs::path& path) {
    std::error_code failure;
    fs::path result = fs::weakly_canonical(path, failure);
    return failure ? path.lexically_normal() : result;
  }

  static bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  }

  void load_tree(const std::optional<TreeNode>& tree, int file, const fs::path& path) {
    if (tree && tree->is_map()) {
      load_map(*tree, file, path);
      return;
    }
    document_.complete = false;
    if (!tree) return;
    diagnostics_.error(
        tree->is_nothing() ? SourcePlace{file, 1, 1} : tree->place,
        fmt::format("found {}, expected a map that begins with 'picus: {}'",
                    tree->is_nothing() ? "an empty file" : describe(*tree), kFormatVersion));
  }

  void load_map(const TreeNode& tree, int file, const fs::path& path) {
    check_version(tree);
    if (const TreeNode* units = tree.find("units")) {
      document_.units[static_cast<std::size_t>(file)] = read_units(*units, diagnostics_);
    }
    if (const TreeNode* include = tree.find("include")) load_includes(*include, path);
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
      diagnostics_.error(
          {tree.place.file, 1, 1},
          fmt::format("missing key 'picus', expected the format version: 'picus: {}'",
                      kFormatVersion));
    } else if (!version->is_scalar() || version->text != std::to_string(kFormatVersion)) {
      diagnostics_.error(
          version->place,
          fmt::format("'picus': found {}, expected {}, the format version that this program reads",
                      describe(*version), kFormatVersion));
    }
  }

  void load_includes(const TreeNode& include, const fs::path& from) {
    if (include.is_nothing()) return;
    if (include.is_scalar()) {
      load_include(include, from);
      return;
    }
    for (const TreeNode& child : include.children) {
      if (include.is_map() || !child.is_scalar()) {
        diagnostics_.error(include.is_map() ? include.place : child.place,
                           fmt::format("'include': found {}, expected a list of file names",
                                       describe(include.is_map() ? include : child)));
        return;
      }
      load_include(child, from);
    }
  }

  void load_include(const TreeNode& node, const fs::path& from) {
    if (const std::string refusal = document_.folder.refusal(from, node.text); !refusal.empty()) {
      document_.complete = false;
      diagnostics_.error(node.place, fmt::format("'{}': {}", label_, refusal));
      return;
    }
    const fs::path path = ModelFolder::path_of(from, node.text);
    const fs::path id = identity(path);
    const auto begin = std::find_if(open_.begin(), open_.end(),
                                    [&](const auto& open) { return open.first == id; });
    if (begin != open_.end()) {
      std::string chain;
      for (auto link = begin; link != open_.end(); ++link) {
        chain += link->second + " → ";
      }
      document_.complete = false;
      diagnostics_.error(node.place, fmt::format("{}: {}{}",
                                                 submodel_.empty() ? "files include each other"
                                                                   : "a submodel contains itself",
                                                 chain, begin->second));
      return;
    }
    if (std::find(finished_.begin(), finished_.end(), id) != finished_.end()) return;
    if (open_.size() > kDeepestInclude) {
      document_.complete = false;
      diagnostics_.error(node.place,
                         fmt::format("'{}': more than {} files deep", label_, kDeepestInclude));
      return;
    }
    FileText file = read_text_file(path);
    if (file.ok()) {
      load_text(path.string(), std::move(file.text));
    } else {
      document_.complete = false;
      diagnostics_.error(node.place,
                         fmt::format("'{}': '{}' {}", label_, path.string(), file.fault));
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
            fmt::format("'{}' cannot be a parameter name: {}", child.key,
                        is_identifier(child.key)
                            ? "it has a meaning in formulas"
                            : "expected letters, digits and _, beginning with a letter"));
      } else {
        add_once(parameters_, parameter_places_, child, "parameter");
      }
    }
  }

  void merge(const TreeNode& node) {
    std::vector<TreeNode>& sections = document_.root.children;
    const auto [place, is_new] = section_places_.emplace(node.key, sections.size());
    TreeNode* const known = is_new ? nullptr : &sections[place->second];
    if (!known) {
      sections.push_back(node);
    } else if (known->is_map() && node.is_map()) {
      Indices places;
      for (std::size_t i = 0; i < known->children.size(); ++i)
        places.emplace(known->children[i].key, i);
      for (const TreeNode& child : node.children)
        add_once(known->children, places, child, "key");
    } else if (known->is_list() && node.is_list()) {
      known->children.insert(known->children.end(), node.children.begin(), node.children.end());
    } else if (known->is_nothing()) {
      *known = node;
    } else if (!node.is_nothing()) {
      report_twice(node, *known, "key");
    }
  }

  using Indices = std::unordered_map<std::string, std::size_t>;

  void add_once(std::vector<TreeNode>& nodes, Indices& places, const TreeNode& node,
                std::string_view kind) {
    const auto [known, is_new] = places.emplace(node.key, nodes.size());
    if (is_new) {
      nodes.push_back(node);
    } else {
      report_twice(node, nodes[known->second], kind);
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
    SourceFile source{"override", "", true};
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

  void load_override(const std::string& text, SourcePlace place) {
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

    apply(std::move(result));
  }

  void apply(Override change) {
    if (change.path.size() == 2 && change.path[0] == "parameters")
      change.path.erase(change.path.begin());
    if (change.path.size() > 1) {
      document_.overrides.push_back(std::move(change));
    } else {
      override_parameter(change);
    }
  }

  void override_parameter(const Override& change) {
    const auto known = parameter_places_.find(change.path[0]);
    if (known != parameter_places_.end()) {
      TreeNode& node = parameters_[known->second];
      const SourcePlace key_place = node.key_place;
      node = change.value;
      node.key_place = key_place;  // its units are those of the file that states it
      return;
    }
    std::vector<std::string_view> names;
    for (const TreeNode& node : parameters_)
      names.push_back(node.key);
    diagnostics_.error(change.place, unknown_among("parameter", change.path[0], names));
  }

  Diagnostics& diagnostics_;
  std::string label_ = "include";  // the key that names a file
  std::string submodel_ = {};
  SourcePlace place_ = {};  // of the submodel
  Document document_;
  std::vector<TreeNode> parameters_;
  Indices parameter_places_, section_places_;
  std::vector<std::pair<fs::path, std::string>> open_;  // identity and name, outermost first
  std::vector<fs::path> finished_;
};

}  // namespace

const Parameter* Document::find_parameter(std::string_view name) const {
  const auto found = parameter_places_.find(name);
  return found == parameter_places_.end() ? nullptr : &parameters[found->second];
}

void Document::set_parameters(std::vector<Parameter> all) {
  parameters = std::move(all);
  parameter_places_.clear();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    parameter_places_.emplace(parameters[i].name, i);
}

const Units& Document::units_at(SourcePlace place) const {
  static const Units si;
  const auto file = static_cast<std::size_t>(place.file);
  return place.file >= 0 && file < units.size() ? units[file] : si;
}

namespace {

// "link3" or "ball1_2" among keys such as link[i], ball[i][j]; also by its own name.
const TreeNode* find_entry(const TreeNode& map, std::string_view name) {
  if (const TreeNode* exact = map.find(name)) return exact;
  const std::string_view stem = name.substr(0, name.find_last_not_of("0123456789_") + 1);
  for (const TreeNode& child : map.children)
    if (child.key.size() > stem.size() && child.key.starts_with(stem) &&
        child.key[stem.size()] == '[')
      return &child;
  return nullptr;
}

std::string joined(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& part : path)
    text += text.empty() ? part : "." + part;
  return text;
}

}  // namespace

SourcePlace Document::place_of(std::string_view path) const {
  for (const Override& change : overrides)
    if (joined(change.path) == path) return change.place;
  // "bodies.left.thigh.mass" is bodies.thigh.mass of the submodel `left`; the innermost counts
  const std::string_view section = path.substr(0, path.find('.'));
  const std::string_view inner = path.substr(std::min(section.size() + 1, path.size()));
  const Document* owner = nullptr;
  for (const Document& part : parts)
    if (inner.starts_with(part.full_name + ".") &&
        (owner == nullptr || part.full_name.size() > owner->full_name.size()))
      owner = &part;
  if (owner != nullptr)
    return owner->place_of(
        fmt::format("{}.{}", section, inner.substr(owner->full_name.size() + 1)));
  const TreeNode* at = &root;
  SourcePlace place{first_file, 1, 1};
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    at = find_entry(*at, path.substr(begin, end - begin));
    if (at == nullptr) break;
    place = at->is_scalar() || at->is_list() ? at->place : at->key_place;
    begin = end + 1;
  }
  return place;
}

SourcePlace Document::place_in(SourcePlace start, std::string_view text, std::size_t offset) const {
  const auto file = static_cast<std::size_t>(start.file);
  if (start.file < 0 || file >= files.size()) return start;
  return place_in_scalar(files[file].text, start, text, offset);
}

Document load_document(const std::string& path, std::span<const std::string> overrides,
                       Diagnostics& diagnostics, const LoadOptions& options) {
  Loader loader(path, options, diagnostics);
  try {
    loader.load_file(path);
    return loader.finish(overrides);
  } catch (const TooManyErrors&) {
    return loader.give_up();
  }
}

Document load_submodel(Document& outer, const SubmodelSource& source, Diagnostics& diagnostics) {
  Loader loader(outer, source, diagnostics);
  try {
    loader.load_named(source.file);
    return loader.finish(source.overrides);
  } catch (const TooManyErrors&) {
    return loader.give_up();
  }
}

Document load_document_text(std::string name, std::string text,
                            std::span<const std::string> overrides, Diagnostics& diagnostics,
                            const LoadOptions& options) {
  Loader loader(name, options, diagnostics);
  try {
    loader.load_text(std::move(name), std::move(text));
    return loader.finish(overrides);
  } catch (const TooManyErrors&) {
    return loader.give_up();
  }
}

}  // namespace picus
