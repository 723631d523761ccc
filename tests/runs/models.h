// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picus/runs/run.h"

namespace picus {

inline LoadedModel model_of(const std::string& text) {
  return load_model_text("test.yaml", "picus: 1\n" + text);
}

/// A rod on a pin; `angle` from the x axis, gravity along -y.
inline LoadedModel pendulum(const std::string& angle) {
  return model_of("dimension: 2\nparameters: {L: 2, phi: " + angle + R"(}
gravity: [0, -9.81]
bodies:
  rod: {mass: 3, shape: {type: rod, length: L}, at: [L/2*cos(phi), L/2*sin(phi)], angle: phi}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
)");
}

}  // namespace picus
