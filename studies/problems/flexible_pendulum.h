// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include <fmt/format.h>

#include "picus/runs/run.h"

namespace picus::problems {

/// bruls-acary-cardona §6.2: a steel beam on a pin falls from the horizontal against a wall that
/// its tip meets at 45 degrees. The paper does not state gravity: a rigid rod needs 0.32702 s to
/// get there with 10 m/s², 0.33017 s with 9.81 m/s², and the paper has 0.327 s.
struct FlexiblePendulum {
  int elements = 4;
  double friction = 0.0;
  double length = 1.0, area = 1e-4, moment = 8.33e-10;       ///< [m], [m²], [m⁴]
  double modulus = 2.1e11, poisson = 0.3, density = 7800.0;  ///< [Pa], 1, [kg/m³]
  double gravity = 10.0;                                     ///< [m/s²]

  /// Where the tip meets it: x [m].
  double wall() const { return length * std::sqrt(0.5); }

  LoadedModel load() const {
    const double shear = 0.5 * modulus / (1.0 + poisson) * area * 5.0 / 6.0;
    return load_model_text(
        "flexible_pendulum.yaml",
        fmt::format(R"(picus: 1
dimension: 2
gravity: [0, {gravity}]
beams:
  rod:
    from: [0, 0]
    to: [{length}, 0]
    elements: {elements}
    section:
      type: general
      stiffness: [{axial:.17g}, {shear:.17g}, {shear:.17g}, 1, {bending:.17g}, {bending:.17g}]
      line_mass: {mass:.17g}
      line_inertia: [{inertia:.17g}, {inertia:.17g}, {inertia:.17g}]
joints:
  pin: {{type: revolute, between: [ground, rod.start], at: [0, 0]}}
contacts:
  wall: {{type: ball_on_plane, between: [ground, rod.end], normal: [1, 0], friction: {friction},
    height: {wall:.17g}}}
)",
                    fmt::arg("gravity", -gravity), fmt::arg("length", length),
                    fmt::arg("elements", elements), fmt::arg("axial", modulus * area),
                    fmt::arg("shear", shear), fmt::arg("bending", modulus * moment),
                    fmt::arg("mass", density * area), fmt::arg("inertia", density * moment),
                    fmt::arg("friction", friction), fmt::arg("wall", wall())));
  }
};

}  // namespace picus::problems
