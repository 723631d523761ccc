// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/export_events.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "picus/results/impact.h"

namespace picus {
namespace {

// Their text is the name of a contact or friction element.
constexpr std::array<std::string_view, 4> kModes{"stick", "slip", "opens", "closes"};

// A field of a table; quotes protect what would end it (RFC 4180).
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

// Units of the impulses; none where gaps that are lengths and gaps that are angles are mixed.
std::string unit_of_impulses(const std::vector<Event>& events) {
  std::size_t lengths = 0, angles = 0;
  for (const Event& event : events)
    if (const auto impact = impact_of(event)) ++(impact->is_angle ? angles : lengths);
  return angles == 0 ? " [N s]" : lengths == 0 ? " [N m s]" : "";
}

}  // namespace

void export_events(const std::vector<Event>& events, std::ostream& out) {
  std::vector<Event> sorted = events;  // some are known only when a run is over
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
  out << fmt::format("time [s],kind,part,impulse{0},tangential_impulse{0},text\n",
                     unit_of_impulses(events));
  for (const Event& event : sorted) {
    out << fmt::format("{},{},", event.time, quoted(event.kind));
    if (const auto impact = impact_of(event))
      out << fmt::format("{},{},{},{} hits {}\n", quoted(impact->contact), impact->impulse,
                         impact->tangential_impulse, impact->first, impact->second);
    else if (std::find(kModes.begin(), kModes.end(), event.kind) != kModes.end())
      out << fmt::format("{},,,\n", quoted(event.text));
    else
      out << fmt::format(",,,{}\n", quoted(event.text));
  }
}

}  // namespace picus
