// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/impact.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace picus {
namespace {

constexpr std::array<std::pair<const char*, double Impact::*>, 5> kNumbers{
    std::pair{"before", &Impact::before}, std::pair{"after", &Impact::after},
    std::pair{"impulse", &Impact::impulse},
    std::pair{"tangential_impulse", &Impact::tangential_impulse}, std::pair{"lost", &Impact::lost}};
constexpr std::array<std::pair<const char*, std::string Impact::*>, 3> kNames{
    std::pair{"contact", &Impact::contact}, std::pair{"first", &Impact::first},
    std::pair{"second", &Impact::second}};

}  // namespace

Event to_event(const Impact& impact) {
  nlohmann::ordered_json json;
  for (const auto& [name, member] : kNames)
    json[name] = impact.*member;
  for (const auto& [name, member] : kNumbers)
    json[name] = impact.*member;
  return {impact.time, "impact", json.dump()};
}

std::optional<Impact> impact_of(const Event& event) {
  if (event.kind != "impact") return std::nullopt;
  const auto json = nlohmann::json::parse(event.text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Impact impact;
  impact.time = event.time;
  for (const auto& [name, member] : kNames)
    if (json.contains(name) && json[name].is_string()) impact.*member = json[name];
  for (const auto& [name, member] : kNumbers)
    if (json.contains(name) && json[name].is_number()) impact.*member = json[name];
  return impact;
}

void export_impacts(const std::vector<Event>& events, std::ostream& out) {
  out << "time [s],contact,first,second,before [m/s],after [m/s],impulse [N s],"
         "tangential_impulse [N s],lost [J]\n";
  for (const Event& event : events) {
    const auto impact = impact_of(event);
    if (!impact) continue;
    out << fmt::format("{:.17g}", impact->time);
    for (const auto& [name, member] : kNames)
      out << ',' << (*impact).*member;
    for (const auto& [name, member] : kNumbers)
      out << fmt::format(",{:.17g}", (*impact).*member);
    out << '\n';
  }
}

std::string to_text(const Impact& impact) {
  return fmt::format("{} ({}, {}): {:.4g} to {:.4g} m/s, impulse {:.4g} N s, lost {:.4g} J",
                     impact.contact, impact.first, impact.second, impact.before, impact.after,
                     impact.impulse, impact.lost);
}

}  // namespace picus
