// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/pattern.h"

#include <cmath>

#include <fmt/format.h>

namespace picus {
namespace {

// A slip such as 1..1e9 must not fill the memory.
constexpr double kMaxRepetitions = 1e6;

}  // namespace

void PatternExpander::expand(const TreeNode& map, const std::function<void()>& use) {
  const TreeNode* loops = map.find(kFor);
  if (!loops) {
    use_when(map, use);
    return;
  }
  if (!loops->is_map() || loops->children.empty()) {
    diagnostics_.error(loops->place, fmt::format("'for': found {}, expected variables and their "
                                                 "ranges, such as {{i: 1..4}}",
                                                 describe(*loops)));
    return;
  }
  for (const TreeNode& loop : loops->children) {
    if (!is_good_variable(loop)) return;
  }
  expand_loop(map, *loops, 0, use);
}

bool PatternExpander::is_good_variable(const TreeNode& loop) {
  std::string problem;
  if (!is_identifier(loop.key)) {
    problem = "expected letters, digits and _, beginning with a letter";
  } else if (is_taken_name(loop.key)) {
    problem = "it has a meaning in formulas";
  } else if (const Parameter* parameter = document_.find_parameter(loop.key)) {
    problem = fmt::format("it is a parameter, at {}", to_text(parameter->place, document_.files));
  } else if (scope_.has_loop(loop.key)) {
    problem = "an outer 'for' uses it";
  } else {
    return true;
  }
  diagnostics_.error(loop.key_place,
                     fmt::format("'{}' cannot be a variable of 'for': {}", loop.key, problem));
  return false;
}

void PatternExpander::expand_loop(const TreeNode& map, const TreeNode& loops, std::size_t depth,
                                  const std::function<void()>& use) {
  if (depth == loops.children.size()) {
    use_when(map, use);
    return;
  }
  const TreeNode& loop = loops.children[depth];
  for (const long long value : values(loop)) {
    scope_.push({loop.key, value});
    expand_loop(map, loops, depth + 1, use);
    scope_.pop();
  }
}

void PatternExpander::use_when(const TreeNode& map, const std::function<void()>& use) {
  const TreeNode* when = map.find(kWhen);
  if (!when) {
    use();
    return;
  }
  if (!when->is_scalar()) {
    diagnostics_.error(when->place,
                       fmt::format("'when': found {}, expected a formula", describe(*when)));
    return;
  }
  const auto value = scope_.number(*when, "'when'");
  if (value && *value != 0.0) use();
}

bool PatternExpander::count(const TreeNode& node, double repetitions) {
  repetitions_ += repetitions;
  if (repetitions_ <= kMaxRepetitions) return true;
  diagnostics_.error(node.place, fmt::format("more than {} repetitions", kMaxRepetitions));
  return false;
}

std::vector<long long> PatternExpander::values(const TreeNode& node) {
  if (node.is_list()) return list_values(node);
  if (node.is_scalar() && node.text.find("..") != std::string::npos) return range_values(node);
  diagnostics_.error(node.place, fmt::format("'{}': found {}, expected a range 'first..last', "
                                             "'first..last..step' or a list",
                                             node.key, describe(node)));
  return {};
}

std::vector<long long> PatternExpander::list_values(const TreeNode& node) {
  std::vector<long long> result;
  if (!count(node, static_cast<double>(node.children.size()))) return {};
  for (const TreeNode& item : node.children) {
    if (!item.is_scalar()) {
      diagnostics_.error(item.place, fmt::format("'{}': found {}, expected a whole number",
                                                 node.key, describe(item)));
    } else if (const auto value = scope_.whole(item.text, item, 0)) {
      result.push_back(*value);
    }
  }
  return result;
}

std::vector<long long> PatternExpander::range_values(const TreeNode& node) {
  const std::string_view text = node.text;
  std::vector<long long> bounds;  // first, last, step
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find("..", begin), text.size());
    const auto value = scope_.whole(text.substr(begin, end - begin), node, begin);
    if (!value) return {};
    bounds.push_back(*value);
    begin = end + 2;
  }
  if (bounds.size() == 2) bounds.push_back(1);
  if (bounds.size() != 3 || bounds[2] == 0) {
    diagnostics_.error(node.place, fmt::format("'{}': found {}, expected 'first..last' or "
                                               "'first..last..step' with a step other than 0",
                                               node.key, describe(node)));
    return {};
  }
  const long long first = bounds[0], last = bounds[1], step = bounds[2];
  if ((last - first) * (step > 0 ? 1 : -1) < 0) return {};  // an empty range: nothing to repeat
  const long long steps = (last - first) / step;
  if (!count(node, static_cast<double>(steps) + 1.0)) return {};
  std::vector<long long> result;
  for (long long k = 0; k <= steps; ++k) {
    result.push_back(first + k * step);
  }
  return result;
}

}  // namespace picus
