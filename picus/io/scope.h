// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What numbers, names and formulas mean at one place of a document: which parameters and loop
// variables they see, and how problems are reported.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "picus/io/constants.h"
#include "picus/io/document.h"

namespace picus {

/// The parameters a formula may use.
struct Constants {
  std::function<const Parameter*(std::string_view)> find;
  std::function<std::vector<std::string_view>()> names;  ///< for "did you mean"
};

/// A number or a constant formula, in the units it is written in. Nothing after an error, which is
/// reported unless it follows from an earlier one. `label` says what is read.
std::optional<double> read_number(const TreeNode& node, std::string_view label,
                                  const Constants& constants, const Document& document,
                                  Diagnostics& diagnostics);

/// The parameters of a document together with the loop variables around the present place. A
/// PatternExpander pushes and pops these while the reader asks for numbers, names and formulas;
/// each question reports its own errors and then returns nothing.
class Scope {
 public:
  Scope(const Document& document, Diagnostics& diagnostics);

  void push(LoopVariable variable) { loops_.push_back(std::move(variable)); }
  void pop() { loops_.pop_back(); }
  bool has_loop(std::string_view name) const;

  std::optional<double> number(const TreeNode& node, std::string_view label) const;
  /// Also for a part of a scalar: `offset` is where `text` begins in it.
  std::optional<long long> whole(std::string_view text, const TreeNode& node,
                                 std::size_t offset) const;
  /// A name or key with its indices replaced.
  std::optional<std::string> name(std::string_view text, SourcePlace place) const;
  std::optional<std::string> formula(const TreeNode& node) const;
  /// The value of a formula of parameters alone; nothing for others, without a message.
  std::optional<double> constant(std::string_view formula) const;

 private:
  const Document& document_;
  Diagnostics& diagnostics_;
  Constants parameters_;
  std::vector<LoopVariable> loops_;
};

}  // namespace picus
