// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a model is and what is odd about it, before it is run.

#include <string>
#include <vector>

#include "picus/runs/run.h"

namespace picus {

/// Something worth telling about a model.
struct Finding {
  enum class Level { kNote, kWarning, kError };
  Level level = Level::kNote;
  std::string text;
};

struct [[nodiscard]] Inspection {
  SystemSizes sizes;
  int bodies = 0, flexible = 0, joints = 0, motions = 0, forces = 0, contacts = 0, controls = 0;
  int balls = 0, shapes = 0, planes = 0;  ///< of collisions
  int contact_slips = 0;          ///< sliding directions of contacts; the rest is of friction
  bool usable = false;            ///< the mechanism can be assembled and accelerated
  int position_freedoms = 0;      ///< velocities minus independent holonomic equations
  int velocity_freedoms = 0;      ///< those minus independent nonholonomic ones
  Start start;                    ///< assembled; redundant constraints are in its consistency
  double kinetic_energy = 0.0;    ///< [J]
  double potential_energy = 0.0;  ///< [J]
  std::string fastest;        ///< coordinate with the largest acceleration; empty without bodies
  double acceleration = 0.0;  ///< its acceleration [m/s² or rad/s²]
  std::string acceleration_unit;  ///< of it
  std::vector<Finding> findings;  ///< errors, then warnings, then notes

  bool has_warnings() const;
};

/// Assembles the model, counts its degrees of freedom and looks for likely mistakes.
Inspection inspect(const LoadedModel& loaded);

/// For `--json`.
std::string to_json(const Inspection& inspection);

}  // namespace picus
