// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two bodies in general position with one part between them: the ground for tests of all parts.

#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "picus/mechanism/assemble.h"

namespace picus::testing {

struct PartCase {
  std::string name;
  Model model;
  /// Which of the two bodies are frames that coordinates carry (carried_pair.h) in place of bodies.
  enum class Carried { kNone, kFirst, kBoth } carried = Carried::kNone;

  std::unique_ptr<Mechanism> assembled() const;

  friend void PrintTo(const PartCase& part, std::ostream* out) { *out << part.name; }
};

inline std::string name_of(const ::testing::TestParamInfo<PartCase>& info) {
  return info.param.name;
}

/// The initial state with room for everything the system asks for.
State sized(const Mechanism& mechanism);

Model two_spatial_bodies();
Model two_planar_bodies();

/// Every joint, in space and, where it means something, in the plane.
std::vector<PartCase> joint_cases();
std::vector<PartCase> force_cases();
std::vector<PartCase> control_cases();
/// Every contact, rigid and compliant.
std::vector<PartCase> contact_cases();

/// Those in space once more, on carried frames.
std::vector<PartCase> on_carried_frames(const std::vector<PartCase>& cases,
                                        PartCase::Carried which = PartCase::Carried::kBoth);

}  // namespace picus::testing
