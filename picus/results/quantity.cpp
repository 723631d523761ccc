// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/quantity.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace picus {
namespace {

// One of the names, or the place of the single nameless item or component.
std::vector<std::string> names_or_blank(const std::vector<std::string>& names) {
  return names.empty() ? std::vector<std::string>{""} : names;
}

}  // namespace

int Quantity::width() const {
  return static_cast<int>(std::max<std::size_t>(1, items.size()) *
                          std::max<std::size_t>(1, components.size()));
}

std::vector<std::string> channel_names(const Quantity& quantity) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(quantity.width()));
  for (const std::string& item : names_or_blank(quantity.items)) {
    for (const std::string& component : names_or_blank(quantity.components)) {
      names.push_back(fmt::format("{}{}{}.{}{}{}", quantity.group,
                                  quantity.items.empty() ? "" : ".", item, quantity.name,
                                  quantity.components.empty() ? "" : ".", component));
    }
  }
  return names;
}

namespace {

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    parts.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// A channel written like the pattern: parts with * or ? that match stay as they are. Empty if the
// channel has not as many parts, or one does not match.
std::string written_like(std::string_view channel, const std::vector<std::string_view>& pattern) {
  const std::vector<std::string_view> parts = parts_of(channel);
  std::string result;
  if (parts.size() < pattern.size()) return result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool is_wild = pattern[i].find_first_of("*?") != std::string_view::npos;
    if (is_wild && !matches_pattern(parts[i], pattern[i])) return {};
    if (i > 0) result += '.';
    result += is_wild ? pattern[i] : parts[i];
  }
  return result;
}

// What was probably meant; empty when nothing is near.
std::string nearest_pattern(const std::vector<std::string>& channels, std::string_view wanted) {
  if (wanted.find_first_of("*?") == std::string_view::npos)
    return std::string(
        nearest_name(wanted, std::vector<std::string_view>(channels.begin(), channels.end())));
  constexpr long kFewLetters = 4;  // anything is near to a pattern that says little
  if (std::count_if(wanted.begin(), wanted.end(), [](char c) { return c != '*' && c != '?'; }) <
      kFewLetters)
    return {};
  const std::vector<std::string_view> pattern = parts_of(wanted);
  std::set<std::string> written;
  for (const std::string& channel : channels)
    if (std::string like = written_like(channel, pattern); !like.empty())
      written.insert(std::move(like));
  return std::string(
      nearest_name(wanted, std::vector<std::string_view>(written.begin(), written.end())));
}

}  // namespace

InputError unknown_channel(const std::vector<std::string>& channels, std::string_view wanted) {
  const bool is_pattern = wanted.find_first_of("*?") != std::string_view::npos;
  const std::vector<std::string_view> names(channels.begin(), channels.end());
  const std::string near = nearest_pattern(channels, wanted);
  const char* problem = is_pattern ? "no channel matches" : "unknown channel";
  if (!near.empty())
    return InputError(fmt::format("{} '{}'; did you mean '{}'?", problem, wanted, near));
  constexpr std::size_t kShown = 3;
  return InputError(
      fmt::format("{} '{}'; there are {} channels: {}{}", problem, wanted, names.size(),
                  fmt::join(std::span(names).first(std::min(kShown, names.size())), ", "),
                  names.size() > kShown ? ", …" : ""));
}

// After a mismatch the last '*' takes one character more; earlier ones never need to change.
bool matches_pattern(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = std::string_view::npos, after_star = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

namespace {

constexpr std::string_view kNot = "not ";

// A name may itself contain '*' or '?': it matches itself.
std::vector<std::size_t> matching(const std::vector<std::string>& channels,
                                  const std::string& pattern) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels[i] == pattern || matches_pattern(channels[i], pattern)) found.push_back(i);
  return found;
}

}  // namespace

std::vector<std::size_t> chosen_channels(const std::vector<std::string>& channels,
                                         const std::vector<std::string>& patterns) {
  std::vector<std::size_t> chosen;
  std::vector<bool> taken(channels.size(), false);
  const auto take = [&](std::size_t i) {
    if (!taken[i]) chosen.push_back(i);
    taken[i] = true;
  };
  for (const std::string& text : patterns) {
    const bool leaves_out = text.starts_with(kNot);
    if (leaves_out && &text == &patterns.front())
      for (std::size_t i = 0; i < channels.size(); ++i)
        take(i);
    const std::string pattern = leaves_out ? text.substr(kNot.size()) : text;
    std::vector<std::size_t> found = matching(channels, pattern);
    if (found.empty()) found = matching(channels, pattern + ".*");  // the name of a part
    if (found.empty()) throw unknown_channel(channels, pattern);
    for (const std::size_t i : found) {
      if (leaves_out)
        taken[i] = false;
      else
        take(i);
    }
    if (leaves_out) std::erase_if(chosen, [&](std::size_t i) { return !taken[i]; });
  }
  return chosen;
}

}  // namespace picus
