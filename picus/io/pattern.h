// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Repeated parts: `for: {i: 1..N}` and `when: formula`.

#include <functional>
#include <vector>

#include "picus/io/scope.h"

namespace picus {

inline constexpr std::string_view kFor = "for", kWhen = "when";

/// Runs through the repetitions that `for` and `when` of a map ask for. Their number is bounded
/// over a whole document, since nested loops of a small file could ask for any.
class PatternExpander {
 public:
  PatternExpander(const Document& document, Scope& scope, Diagnostics& diagnostics)
      : document_(document), scope_(scope), diagnostics_(diagnostics) {}

  /// Calls `use` once for each repetition with the loop variables in scope; once when the map has
  /// neither `for` nor `when`.
  void expand(const TreeNode& map, const std::function<void()>& use);

 private:
  void expand_loop(const TreeNode& map, const TreeNode& loops, std::size_t depth,
                   const std::function<void()>& use);
  bool is_good_variable(const TreeNode& loop);
  void use_when(const TreeNode& map, const std::function<void()>& use);
  std::vector<long long> values(const TreeNode& node);
  std::vector<long long> list_values(const TreeNode& node);
  std::vector<long long> range_values(const TreeNode& node);
  bool count(const TreeNode& node, double repetitions);

  const Document& document_;
  Scope& scope_;
  Diagnostics& diagnostics_;
  double repetitions_ = 0;
};

}  // namespace picus
