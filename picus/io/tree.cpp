// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/tree.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "picus/base/text.h"

namespace picus {
namespace {

// Aliases of aliases grow without bounds in a few lines.
constexpr std::size_t kMaxCopied = 500'000;

struct TooManyCopies {
  SourcePlace place;
};

// What follows the document; yaml-cpp goes on for ever at signs that begin none.
struct SecondDocument {
  SourcePlace place;
};

// The first control character of a text, which no name or formula needs; 0 for none.
char32_t control_in(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t character = next_character(text, at);
    if (character == kNoCharacter || is_control(character)) return character;
  }
  return 0;
}

std::size_t count_nodes(const TreeNode& node) {
  std::size_t count = 1;
  for (const TreeNode& child : node.children)
    count += count_nodes(child);
  return count;
}

// Builds the tree from parser events. A map alternates between keys and values.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(int file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) throw SecondDocument{place(mark)};
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    TreeNode node;
    node.place = place(mark);
    add(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      diagnostics_.error(place(mark), "found an alias inside the part it stands for");
      TreeNode node;
      node.place = place(mark);
      add(std::move(node), YAML::NullAnchor);
      return;
    }
    copied_ += count_nodes(found->second);
    if (copied_ > kMaxCopied) throw TooManyCopies{place(mark)};
    add(TreeNode(found->second), YAML::NullAnchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    TreeNode node;
    node.kind = TreeNode::Kind::kScalar;
    node.place = place(mark);
    node.text = value;
    node.quoted = tag == "!";
    refuse_control(node);
    last_quoted_.reset();
    if (node.quoted) last_quoted_ = node.place;
    add(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(TreeNode::Kind::kList, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(TreeNode::Kind::kMap, mark, anchor);
  }
  void OnMapEnd() override { close(); }

  TreeNode take() { return std::move(root_); }
  std::optional<SourcePlace> last_quoted() const { return last_quoted_; }
  /// Where the innermost unfinished list or map began.
  SourcePlace unfinished() const {
    return open_.empty() ? SourcePlace{file_, 1, 1} : open_.back().node.place;
  }

 private:
  struct Open {
    TreeNode node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    bool has_key = false;
    bool key_is_good = true;
    std::string key;
    SourcePlace key_place;
    std::unordered_map<std::string, int> lines;  // of the keys so far
    std::vector<TreeNode> merged;                // values of `<<`, in order
  };

  SourcePlace place(const YAML::Mark& mark) const {
    if (mark.is_null()) return {file_, 1, 1};
    return {file_, mark.line + 1, mark.column + 1};
  }

  // Terminals obey them; the text is dropped, so that nothing of it is shown.
  void refuse_control(TreeNode& node) {
    const char32_t found = control_in(node.text);
    if (found == 0) return;
    node.text.clear();
    diagnostics_.error(node.place,
                       found == kNoCharacter
                           ? "found bytes that are not UTF-8 text"
                           : fmt::format("found the control character 0x{:02x} in a text",
                                         static_cast<unsigned>(found)));
  }

  void open(TreeNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    Open part;
    part.node.kind = kind;
    part.node.place = place(mark);
    part.anchor = anchor;
    open_.push_back(std::move(part));
  }

  void close() {
    Open part = std::move(open_.back());
    open_.pop_back();
    for (TreeNode& source : part.merged)
      merge(part, std::move(source));
    add(std::move(part.node), part.anchor);
  }

  void add(TreeNode node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.is_list()) {
      parent.node.children.push_back(std::move(node));
    } else if (!parent.has_key) {
      add_key(parent, node);
    } else {
      add_value(parent, std::move(node));
    }
  }

  void add_key(Open& parent, const TreeNode& node) {
    parent.has_key = true;
    parent.key_is_good = node.is_scalar();
    parent.key = node.text;
    parent.key_place = node.place;
    if (!node.is_scalar()) {
      diagnostics_.error(node.place, fmt::format("found {} as a key, expected a name; formulas and "
                                                 "names with [ ] need quotes inside {{ }}",
                                                 describe(node)));
      return;
    }
    const auto [first, is_new] = parent.lines.emplace(node.text, node.place.line);
    if (!is_new) {
      diagnostics_.error(node.place, fmt::format("key '{}' is given twice, first in line {}",
                                                 node.text, first->second));
      parent.key_is_good = false;
    }
  }

  void add_value(Open& parent, TreeNode node) {
    parent.has_key = false;
    if (!parent.key_is_good) return;
    if (parent.key == "<<") {
      add_merged(parent, std::move(node));
      return;
    }
    node.key = parent.key;
    node.key_place = parent.key_place;
    if (node.is_nothing()) node.place = node.key_place;
    parent.node.children.push_back(std::move(node));
  }

  void add_merged(Open& parent, TreeNode node) {
    std::vector<TreeNode> sources;
    if (node.is_list()) {
      sources = std::move(node.children);
    } else {
      sources.push_back(std::move(node));
    }
    for (TreeNode& source : sources) {
      if (source.is_map()) {
        parent.merged.push_back(std::move(source));
      } else {
        diagnostics_.error(
            parent.key_place,
            fmt::format("'<<': found {}, expected an alias of a map (*name) or a list of them",
                        describe(source)));
      }
    }
  }

  // what a map states itself, and what came first, prevails
  static void merge(Open& map, TreeNode source) {
    for (TreeNode& child : source.children) {
      if (map.lines.emplace(child.key, child.key_place.line).second)
        map.node.children.push_back(std::move(child));
    }
  }

  int file_;
  Diagnostics& diagnostics_;
  TreeNode root_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, TreeNode> anchors_;
  std::optional<SourcePlace> last_quoted_;  // the last scalar, if it is quoted
  std::size_t copied_ = 0;
  int documents_ = 0;
};

// Where a tab stands in the indentation.
std::size_t tab_in_indentation(std::string_view line) {
  return line.substr(0, line.find_first_not_of(" \t")).find('\t');
}

constexpr const char* kOpenQuote = "found the end of the file inside quotes";

// yaml-cpp's words are for those who know YAML's grammar; most slips have a simpler name.
std::string explain(const std::string& message) {
  const auto says = [&](const char* words) { return message.find(words) != std::string::npos; };
  if (says("illegal map value")) {
    return "found ':' where no value can begin; check the indentation, quotes and line breaks";
  }
  if (says("end of map flow")) {
    return "found no '}' or ',' where one is expected; names with [ ] need quotes inside { }";
  }
  if (says("end of sequence flow")) return "found no ']' or ',' where one is expected";
  if (says("end of map not found")) {
    return "found something other than 'key: value'; check the indentation and the quotes";
  }
  if (says("end of sequence not found")) {
    return "found something other than '- item'; check the indentation";
  }
  if (says("illegal EOF in scalar")) return kOpenQuote;
  if (says("illegal flow end")) return "found a closing bracket that nothing opened";
  if (says("anchor is not defined"))
    return "unknown alias; expected a name defined earlier with &name";
  return "not valid YAML: " + message;
}

}  // namespace

const TreeNode* TreeNode::find(std::string_view name) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const TreeNode& child) { return child.key == name; });
  return found == children.end() ? nullptr : &*found;
}

TreeNode* TreeNode::find(std::string_view name) {
  return const_cast<TreeNode*>(std::as_const(*this).find(name));
}

std::string describe(const TreeNode& node) {
  constexpr std::size_t kLongest = 60;
  switch (node.kind) {
    case TreeNode::Kind::kScalar:
      if (node.text.size() <= kLongest) return fmt::format("'{}'", node.text);
      return fmt::format("'{}…'", node.text.substr(0, kLongest));
    case TreeNode::Kind::kList:
      return fmt::format("a list of {}", node.children.size());
    case TreeNode::Kind::kMap:
      return "a map";
    default:
      return "nothing";
  }
}

std::optional<TreeNode> parse_tree(const std::string& text, int file, Diagnostics& diagnostics) {
  TreeBuilder builder(file, diagnostics);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
    // yaml-cpp overlooks a missing quote before an empty last line
    const std::optional<SourcePlace> quoted = builder.last_quoted();
    if (!quoted || quote_is_closed(text, *quoted)) return builder.take();
    diagnostics.error(*quoted, kOpenQuote);
  } catch (const YAML::Exception& failure) {
    SourcePlace place{file, std::max(failure.mark.line, 0) + 1,
                      std::max(failure.mark.column, 0) + 1};
    // at the end of the text yaml-cpp forgets where it is
    if (place.line == 1 && place.column == 1) place = builder.unfinished();
    const std::size_t tab = tab_in_indentation(line_of(text, place.line));
    if (tab != std::string_view::npos) {
      place.column = static_cast<int>(tab) + 1;
      diagnostics.error(place, "found a tab in the indentation, expected spaces");
    } else {
      diagnostics.error(place, explain(failure.msg));
    }
  } catch (const SecondDocument& second) {
    const std::string_view line = line_of(text, second.place.line);
    const auto column = static_cast<std::size_t>(second.place.column) - 1;
    const bool is_sign = column < line.size() &&
                         std::string_view(",]}:").find(line[column]) != std::string_view::npos;
    diagnostics.error(second.place,
                      is_sign ? fmt::format("found '{}' where no key can begin", line[column])
                              : "found a second document, expected one model per file");
  } catch (const TooManyCopies& failure) {
    diagnostics.error(failure.place,
                      fmt::format("aliases stand for more than {} values", kMaxCopied));
  }
  return std::nullopt;
}

}  // namespace picus
