// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "picus/results/quantity.h"

namespace picus {

/// Two bodies that hit each other.
struct Impact {
  double time = 0.0;
  std::string contact;        ///< its name
  std::string first, second;  ///< the bodies
  double before = 0.0;        ///< gap velocity [m/s], negative
  double after = 0.0;
  double impulse = 0.0;             ///< along the normal [N s]
  double tangential_impulse = 0.0;  ///< by friction [N s]
  double lost = 0.0;                ///< kinetic energy [J]
  bool is_angle = false;            ///< the gap: then rad/s and N m s

  friend bool operator==(const Impact&, const Impact&) = default;
};

/// As it stands among the events of a result: kind "impact", text JSON.
Event to_event(const Impact& impact);

/// The impact of an event; none when it tells of something else.
std::optional<Impact> impact_of(const Event& event);

/// All impacts of a result as a table with a head line, separated by commas. Columns with both
/// gaps that are lengths and gaps that are angles have no unit in the head.
void export_impacts(const std::vector<Event>& events, std::ostream& out);

/// One line for people.
std::string to_text(const Impact& impact);

}  // namespace picus
