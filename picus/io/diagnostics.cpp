// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/diagnostics.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "picus/base/synonyms.h"
#include "picus/base/text.h"

namespace picus {
namespace {

constexpr std::size_t kShortList = 20;  // names a message may list
constexpr std::size_t kQuoted = 100;    // bytes of an override

// Everything after the first many messages is noise; it is counted, not searched for repetitions.
constexpr std::size_t kRemembered = 1000;
constexpr std::size_t kMostErrors = 200;       // then loading ends
constexpr std::size_t kLongestMessage = 1000;  // [bytes]; keys may be as long as the file

auto order_of(const Diagnostic& d) {
  return std::tuple(d.place.file, d.place.line, d.place.column);
}

std::string_view prefix(Severity severity) {
  switch (severity) {
    case Severity::kWarning:
      return "warning: ";
    case Severity::kNote:
      return "note: ";
    default:
      return "";
  }
}

}  // namespace

void Diagnostics::add(Diagnostic diagnostic) {
  const bool is_error = diagnostic.severity == Severity::kError;
  if (is_error) ++errors_;
  if (!is_error && list_.size() >= kRemembered) {
    ++dropped_;
    return;
  }
  diagnostic.message = shortened(diagnostic.message, kLongestMessage);
  const bool known = std::any_of(list_.begin(), list_.end(), [&](const Diagnostic& d) {
    return order_of(d) == order_of(diagnostic) && d.message == diagnostic.message;
  });
  if (!known) list_.push_back(std::move(diagnostic));
  if (is_error && errors_ >= kMostErrors) throw TooManyErrors{};
}

void Diagnostics::error(SourcePlace place, std::string message) {
  add({place, std::move(message), Severity::kError});
}

void Diagnostics::warning(SourcePlace place, std::string message) {
  add({place, std::move(message), Severity::kWarning});
}

void Diagnostics::note(SourcePlace place, std::string message) {
  add({place, std::move(message), Severity::kNote});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = list_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return order_of(a) < order_of(b);
  });
  return result;
}

std::string Diagnostics::text(std::span<const SourceFile> files, std::size_t limit) const {
  std::string result;
  const std::vector<Diagnostic> all = sorted();
  for (std::size_t i = 0; i < std::min(limit, all.size()); ++i) {
    if (i > 0) result += '\n';
    result += fmt::format("{}: {}{}{}", to_text(all[i].place, files), prefix(all[i].severity),
                          printable(all[i].message), submodel_text(all[i].place, files));
  }
  if (all.size() > limit)
    result += fmt::format("\n… and {}{} more", errors_ >= kMostErrors ? "at least " : "",
                          all.size() + dropped_ - limit);
  return result;
}

ModelError::ModelError(const Diagnostics& diagnostics, std::span<const SourceFile> files)
    : InputError(diagnostics.text(files)), diagnostics_(diagnostics.sorted()) {}

std::string to_text(SourcePlace place, std::span<const SourceFile> files) {
  if (place.file < 0 || static_cast<std::size_t>(place.file) >= files.size()) return "input";
  const SourceFile& file = files[static_cast<std::size_t>(place.file)];
  const std::string name = printable(file.name);
  if (place.line <= 0) return name;
  if (file.is_override)
    return fmt::format("--set '{}'", printable(shortened(line_of(file.text, place.line), kQuoted)));
  return fmt::format("{}:{}:{}", name, place.line, place.column);
}

std::string submodel_text(SourcePlace place, std::span<const SourceFile> files) {
  const auto file_at = [&](SourcePlace at) -> const SourceFile* {
    const auto index = static_cast<std::size_t>(at.file);
    return at.file >= 0 && index < files.size() ? &files[index] : nullptr;
  };
  const SourceFile* file = file_at(place);
  if (file == nullptr || file->submodel.empty()) return {};
  std::string chain;
  for (const SourceFile* at = file; at != nullptr && !at->submodel.empty();
       at = file_at(at->stated_at))
    chain = fmt::format("{}{}{}", to_text(at->stated_at, files), chain.empty() ? "" : " → ", chain);
  return fmt::format(" (submodel '{}': {})", printable(file->submodel), chain);
}

std::string_view line_of(std::string_view text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  return text.substr(begin, text.find('\n', begin) - begin);
}

// What YAML makes of "{mass: 2,5}" and of a formula with commas, in braces and without quotes.
static bool is_torn_off(std::string_view key) {
  return !key.empty() && (key.find_first_of("0123456789.-") == 0 || key.back() == ')');
}

std::string unknown_among(std::string_view kind, std::string_view name,
                          std::span<const std::string_view> candidates) {
  if (kind == "key" && is_torn_off(name))
    return fmt::format(
        "found '{}' by itself after a comma, expected a key; a decimal number has a point (2.5), "
        "and a formula with commas needs quotes: \"step(time, 0, 0, 1, 1)\"",
        name);
  const bool near = !nearest_name(name, candidates).empty() || !remark_on(name, candidates).empty();
  if (near || (!candidates.empty() && candidates.size() <= kShortList)) {
    return unknown_name(kind, name, candidates);
  }
  return fmt::format("unknown {} '{}'", kind, name);
}

}  // namespace picus
