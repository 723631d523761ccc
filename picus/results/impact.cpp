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
  if (impact.is_angle) json["is_angle"] = true;
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
  impact.is_angle = json.value("is_angle", false);
  return impact;
}

void export_impacts(const std::vector<Event>& events, std::ostream& out) {
  std::vector<Impact> impacts;
  std::size_t angles = 0;
  for (const Event& event : events) {
    const auto impact = impact_of(event);
    if (!impact) continue;
    impacts.push_back(*impact);
    angles += impact->is_angle ? 1 : 0;
  }
  const auto unit = [&](const char* linear, const char* angular) {
    return angles == 0 ? linear : angles == impacts.size() ? angular : "";
  };
  const std::string speed = unit(" [m/s]", " [rad/s]"), impulse = unit(" [N s]", " [N m s]");
  out << fmt::format(
      "time [s],contact,first,second,before{0},after{0},impulse{1},tangential_impulse{1},lost "
      "[J]\n",
      speed, impulse);
  for (const Impact& impact : impacts) {
    out << fmt::format("{:.17g}", impact.time);
    for (const auto& [name, member] : kNames)
      out << ',' << impact.*member;
    for (const auto& [name, member] : kNumbers)
      out << fmt::format(",{:.17g}", impact.*member);
    out << '\n';
  }
}

std::string to_text(const Impact& impact) {
  return fmt::format("{} ({}, {}): {:.4g} to {:.4g} {}, impulse {:.4g} {}, lost {:.4g} J",
                     impact.contact, impact.first, impact.second, impact.before, impact.after,
                     impact.is_angle ? "rad/s" : "m/s", impact.impulse,
                     impact.is_angle ? "N m s" : "N s", impact.lost);
}

}  // namespace picus
