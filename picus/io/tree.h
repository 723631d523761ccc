// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A YAML document as plain data: aliases copied, merge keys applied, duplicate keys reported.
// The only file that knows yaml-cpp is tree.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "picus/io/diagnostics.h"

namespace picus {

/// A value of a YAML file with its place. Nodes of a map know their own key, so that a message
/// about a value can name it.
struct TreeNode {
  enum class Kind { kNothing, kScalar, kList, kMap };

  Kind kind = Kind::kNothing;
  SourcePlace place;  ///< of the value; for nothing that of its key
  std::string text;   ///< of a scalar
  bool quoted = false;
  std::string key;  ///< in the map that holds this node
  SourcePlace key_place;
  std::vector<TreeNode> children;  ///< of a list or map, in the order written

  bool is_map() const { return kind == Kind::kMap; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_nothing() const { return kind == Kind::kNothing; }

  /// The entry of a map, or null.
  const TreeNode* find(std::string_view name) const;
  TreeNode* find(std::string_view name);
};

/// "'text'", "a list of 3", "a map", "nothing": for messages.
std::string describe(const TreeNode& node);

/// Parses one YAML document. No value after a syntax error, which is reported.
std::optional<TreeNode> parse_tree(const std::string& text, int file, Diagnostics& diagnostics);

/// The place of character `offset` (from 0) of the scalar that begins at `start` in `source` and
/// was read as `text`, possibly with indices substituted since. Follows quotes and escapes; where
/// characters no longer correspond, the nearest one before.
SourcePlace place_in_scalar(std::string_view source, SourcePlace start, std::string_view text,
                            std::size_t offset);

/// Whether the quoted scalar that begins at `start` has its second quote. True for other scalars.
bool quote_is_closed(std::string_view source, SourcePlace start);

}  // namespace picus
