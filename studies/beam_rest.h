// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Beams at rest, for studies.

#include <numbers>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "picus/runs/equilibrium.h"
#include "picus/runs/linearization.h"

namespace picus::studies {

inline constexpr double kPi = std::numbers::pi;

// A loaded model at rest.
class Rest {
 public:
  explicit Rest(const std::string& text) : loaded_(load_model_text("statics.yaml", text)) {
    found_ = find_equilibrium(*loaded_.mechanism, assemble_start(*loaded_.mechanism));
    if (!found_.found) throw std::runtime_error(found_.message);
  }

  const Equilibrium& found() const { return found_; }
  /// The smallest stiffness against a motion of unit kinetic energy [1/s²]; zero where it buckles.
  double least_stiffness() const {
    return allowed_stiffness(loaded_.mechanism->system(), found_.state).values(0);
  }
  Vector3 place(const std::string& node) const { return pose(node, found_.state).r; }
  Matrix3 axes(const std::string& node) const { return pose(node, found_.state).A; }
  Vector3 moved(const std::string& node) const {
    return place(node) - pose(node, loaded_.mechanism->initial_state()).r;
  }
  Vector3 force(const std::string& joint) const {
    for (const AssembledJoint& one : loaded_.mechanism->joints())
      if (one.name == joint) return loaded_.mechanism->reaction(one, found_.state).force;
    throw std::runtime_error("no joint " + joint);
  }

 private:
  Pose<double> pose(const std::string& node, const State& s) const {
    return loaded_.mechanism->bodies().pose(loaded_.mechanism->find_body(node), s.position);
  }

  LoadedModel loaded_;
  Equilibrium found_;
};

struct BeamStiffness {
  double axial, shear, torsion, bending_y, bending_z;

  std::string section() const {
    return fmt::format(
        "{{type: general, stiffness: [{:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}], "
        "line_mass: 1, line_inertia: [2e-4, 1e-4, 1e-4]}}",
        axial, shear, shear, torsion, bending_y, bending_z);
  }
};

// Along x, clamped at the origin.
inline std::string cantilever(int dimension, double length, int elements,
                              const BeamStiffness& stiffness, const std::string& load) {
  return fmt::format(R"(picus: 1
dimension: {}
beams:
  rod: {{from: [0, 0], to: [{:.17g}, 0], elements: {}, section: {}{}}}
joints:
  clamp: {{type: fixed, between: [ground, rod.start]}}
forces:
  load: {}
)",
                     dimension, length, elements, stiffness.section(),
                     dimension == 3 ? ", up: [0, 1, 0]" : "", load);
}

}  // namespace picus::studies
