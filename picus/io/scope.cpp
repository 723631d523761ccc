// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/scope.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace picus {
namespace {

// Runs `work` with a lookup of constants, and reports what goes wrong in it at its place. An error
// that comes from a parameter whose own error was reported is not repeated.
class Reporter {
 public:
  Reporter(const Constants& constants, std::span<const LoopVariable> loops,
           const Document& document, Diagnostics& diagnostics)
      : constants_(constants), loops_(loops), document_(document), diagnostics_(diagnostics) {}

  template <class Work>
  auto run(SourcePlace start, std::string_view label, Work&& work)
      -> std::optional<decltype(work(std::declval<const ConstantLookup&>()))> {
    start_ = start;
    const ConstantLookup lookup = [this](std::string_view name) { return find(name); };
    try {
      auto result = work(lookup);
      if (met_unknown_) return std::nullopt;
      return result;
    } catch (const UnknownConstant& problem) {
      std::string message = problem.message;
      std::vector<std::string_view> names = constants_.names();
      for (const LoopVariable& loop : loops_) {
        names.push_back(loop.name);
      }
      const std::string_view near = nearest_name(problem.name, names);
      if (!near.empty())
        message += fmt::format("; did you mean '{}'?", near);
      else if (problem.is_index)
        message += fmt::format(" in an index: add 'for: {{{}: 1..3}}' to the part to repeat it",
                               problem.name);
      else
        message += ", expected a number or a formula of parameters";
      report(label, message, problem.offset);
    } catch (const ConstantProblem& problem) {
      report(label, problem.message, problem.offset);
    }
    return std::nullopt;
  }

  /// The text in which offsets count, when it is not the one first written.
  void set_text(std::string_view text) { text_ = text; }
  void set_offset(std::size_t offset) { offset_ = offset; }
  void set_quoted(bool quoted) { quoted_ = quoted; }

 private:
  std::optional<double> find(std::string_view name) {
    for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
      if (loop->name == name) return static_cast<double>(loop->value);
    }
    const Parameter* parameter = constants_.find(name);
    if (!parameter) return std::nullopt;
    if (!parameter->known) met_unknown_ = true;
    if (!(document_.units_at(parameter->place) == document_.units_at(start_))) {
      diagnostics_.warning(
          start_, fmt::format("parameter '{}' is given at {} in other units; here its number {} is "
                              "used as it stands",
                              name, to_text(parameter->place, document_.files), parameter->value));
    }
    return parameter->value;
  }

  // Whether the text ends at a comma of the file.
  bool is_before_comma() const {
    const auto file = static_cast<std::size_t>(start_.file);
    if (start_.file < 0 || file >= document_.files.size()) return false;
    const std::string_view line = line_of(document_.files[file].text, start_.line);
    const std::size_t end = static_cast<std::size_t>(start_.column) - 1 + text_.size();
    const std::size_t next = line.find_first_not_of(' ', std::min(end, line.size()));
    return next != std::string_view::npos && line[next] == ',';
  }

  void report(std::string_view label, std::string_view message, std::size_t offset) {
    if (met_unknown_) return;
    // [max(L, 2), 0] is three entries of a YAML list
    const auto count = [&](char c) { return std::count(text_.begin(), text_.end(), c); };
    const bool is_torn = !quoted_ && count('(') > count(')') && is_before_comma();
    const char* const torn = is_torn ? "; in a list or map a formula with commas needs quotes" : "";
    diagnostics_.error(document_.place_in(start_, text_, offset_ + offset),
                       label.empty() ? fmt::format("{}{}", message, torn)
                                     : fmt::format("{}: {}{}", label, message, torn));
  }

  const Constants& constants_;
  std::span<const LoopVariable> loops_;
  const Document& document_;
  Diagnostics& diagnostics_;
  SourcePlace start_;
  std::string_view text_;
  std::size_t offset_ = 0;
  bool quoted_ = false;
  bool met_unknown_ = false;
};

std::optional<double> evaluate(const TreeNode& node, std::string_view label, Reporter reporter) {
  std::string text;
  reporter.set_text(node.text);
  reporter.set_quoted(node.quoted);
  return reporter.run(node.place, label, [&](const ConstantLookup& lookup) {
    text = with_indices(node.text, lookup);
    reporter.set_text(text);
    const double value = constant_value(text, lookup);
    if (!std::isfinite(value)) {
      throw ConstantProblem{fmt::format("found {} = {}, expected a finite number", text, value), 0};
    }
    return value;
  });
}

}  // namespace

std::optional<double> read_number(const TreeNode& node, std::string_view label,
                                  const Constants& constants, const Document& document,
                                  Diagnostics& diagnostics) {
  return evaluate(node, label, Reporter(constants, {}, document, diagnostics));
}

Scope::Scope(const Document& document, Diagnostics& diagnostics)
    : document_(document),
      diagnostics_(diagnostics),
      parameters_{.find = [&document](std::string_view n) { return document.find_parameter(n); },
                  .names =
                      [&document] {
                        std::vector<std::string_view> names;
                        for (const Parameter& parameter : document.parameters) {
                          names.push_back(parameter.name);
                        }
                        return names;
                      }} {}

bool Scope::has_loop(std::string_view name) const {
  return std::any_of(loops_.begin(), loops_.end(),
                     [&](const LoopVariable& loop) { return loop.name == name; });
}

std::optional<double> Scope::number(const TreeNode& node, std::string_view label) const {
  return evaluate(node, label, Reporter(parameters_, loops_, document_, diagnostics_));
}

std::optional<long long> Scope::whole(std::string_view text, const TreeNode& node,
                                      std::size_t offset) const {
  Reporter reporter(parameters_, loops_, document_, diagnostics_);
  reporter.set_text(node.text);
  reporter.set_offset(offset);
  return reporter.run(node.place, "",
                      [&](const ConstantLookup& lookup) { return whole_value(text, lookup); });
}

std::optional<std::string> Scope::name(std::string_view text, SourcePlace place) const {
  Reporter reporter(parameters_, loops_, document_, diagnostics_);
  reporter.set_text(text);
  return reporter.run(place, "",
                      [&](const ConstantLookup& lookup) { return with_indices(text, lookup); });
}

std::optional<std::string> Scope::formula(const TreeNode& node) const {
  Reporter reporter(parameters_, loops_, document_, diagnostics_);
  reporter.set_text(node.text);
  return reporter.run(node.place, "", [&](const ConstantLookup& lookup) {
    return with_indices(node.text, lookup, loops_);
  });
}

std::optional<double> Scope::constant(std::string_view formula) const {
  try {
    return constant_value(formula, [this](std::string_view name) -> std::optional<double> {
      const Parameter* parameter = document_.find_parameter(name);
      if (!parameter) return std::nullopt;
      return parameter->value;
    });
  } catch (const ConstantProblem&) {
    return std::nullopt;
  }
}

}  // namespace picus
