// SPDX-License-Identifier: BSD-3-Clause
#include "picus/base/error.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picus/base/synonyms.h"

namespace picus {
namespace {

constexpr std::size_t kLongestName = 64;  // longer ones are no slips of the pen
constexpr std::size_t kShortestFirstWord = 4, kSlipsInFirstWord = 1;

// Levenshtein distance, one row at a time; `limit` for all that are not below it.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t difference = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  if (difference >= limit) return limit;
  std::array<std::size_t, kLongestName + 1> row;
  std::iota(row.begin(), row.end(), std::size_t{0});
  const auto width = static_cast<std::ptrdiff_t>(b.size() + 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
    if (*std::min_element(row.begin(), row.begin() + width) >= limit) return limit;
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view best;
  // in short names few slips leave anything in common: none in one letter, one in two
  const std::size_t most = name.empty() ? 0 : name.size() - 1;
  std::size_t best_distance = std::min(std::max<std::size_t>(2, name.size() / 3), most) + 1;
  if (name.size() > kLongestName) return best;
  if (const std::string_view ours = our_word_for(name, candidates); !ours.empty()) return ours;
  const auto try_with = [&](auto&& part_of) {
    for (const std::string_view candidate : candidates) {
      if (candidate.size() > kLongestName) continue;
      const std::size_t distance = edit_distance(name, part_of(candidate), best_distance);
      if (distance < best_distance) {
        best = candidate;
        best_distance = distance;
      }
    }
  };
  try_with([](std::string_view candidate) { return candidate; });
  // the first word of a long name, with a slip: "mreau" for moreau_jean
  best_distance = std::min(best_distance, kSlipsInFirstWord + 1);
  if (best.empty() && name.size() >= kShortestFirstWord)
    try_with([](std::string_view candidate) { return candidate.substr(0, candidate.find('_')); });
  return best;
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         std::span<const std::string_view> candidates) {
  if (candidates.empty()) return fmt::format("unknown {} '{}': none are defined", kind, name);
  if (const std::string_view remark = remark_on(name, candidates); !remark.empty())
    return fmt::format("unknown {} '{}': {}", kind, name, remark);
  const std::string_view near = nearest_name(name, candidates);
  if (!near.empty()) return fmt::format("unknown {} '{}'; did you mean '{}'?", kind, name, near);
  return fmt::format("unknown {} '{}'; expected one of: {}", kind, name,
                     fmt::join(candidates, ", "));
}

}  // namespace picus
