// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/parameters.h"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "picus/io/constants.h"
#include "picus/io/scope.h"

namespace picus {
namespace {

// Evaluates depth first: a formula that meets an unfinished parameter closes a cycle.
class ParameterSolver {
 public:
  ParameterSolver(std::span<const TreeNode> nodes, const Document& document,
                  Diagnostics& diagnostics)
      : nodes_(nodes), document_(document), diagnostics_(diagnostics), states_(nodes.size()) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      result_.push_back({.name = nodes[i].key, .place = nodes[i].key_place, .text = nodes[i].text});
      index_.emplace(nodes[i].key, i);
    }
  }

  std::vector<Parameter> solve() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      visit(i);
    }
    return std::move(result_);
  }

 private:
  enum class State { kNew, kOpen, kDone };
  static constexpr std::size_t kDeepest = 200;  // of formulas that use each other

  void visit(std::size_t i) {
    if (states_[i] != State::kNew) return;
    states_[i] = State::kOpen;
    chain_.push_back(i);
    evaluate(i);
    chain_.pop_back();
    states_[i] = State::kDone;
  }

  void evaluate(std::size_t i) {
    const TreeNode& node = nodes_[i];
    if (!node.is_scalar()) {
      diagnostics_.error(node.place, fmt::format("parameter '{}': found {}, expected a number or a "
                                                 "formula of other parameters",
                                                 node.key, describe(node)));
      return;
    }
    const Constants constants{.find = [&](std::string_view name) { return find(name); },
                              .names =
                                  [&] {
                                    std::vector<std::string_view> names;
                                    for (const TreeNode& other : nodes_) {
                                      if (&other != &node) names.push_back(other.key);
                                    }
                                    return names;
                                  }};
    const std::string label = fmt::format("parameter '{}'", node.key);
    if (const auto value = read_number(node, label, constants, document_, diagnostics_)) {
      result_[i].value = *value;
      result_[i].known = true;
    }
  }

  const Parameter* find(std::string_view name) {
    const auto found = index_.find(name);
    if (found == index_.end()) return nullptr;
    const std::size_t i = found->second;
    if (states_[i] == State::kOpen) {
      report_cycle(i);
    } else if (chain_.size() > kDeepest) {
      diagnostics_.error(nodes_[chain_.back()].place,
                         fmt::format("more than {} parameters use each other in a row", kDeepest));
    } else {
      visit(i);
    }
    return &result_[i];
  }

  void report_cycle(std::size_t i) {
    const auto begin = std::find(chain_.begin(), chain_.end(), i);
    std::string text;
    for (auto link = begin; link != chain_.end(); ++link) {
      text += nodes_[*link].key + " → ";
    }
    diagnostics_.error(nodes_[i].place, fmt::format("parameter '{}' depends on itself: {}{}",
                                                    nodes_[i].key, text, nodes_[i].key));
  }

  std::span<const TreeNode> nodes_;
  const Document& document_;
  Diagnostics& diagnostics_;
  std::vector<Parameter> result_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<State> states_;
  std::vector<std::size_t> chain_;
};

}  // namespace

std::vector<Parameter> evaluate_parameters(std::span<const TreeNode> nodes,
                                           const Document& document, Diagnostics& diagnostics) {
  return ParameterSolver(nodes, document, diagnostics).solve();
}

}  // namespace picus
