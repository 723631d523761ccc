// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What all verbs that load a model have in common.

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "picus/io/model_file.h"

namespace picus::app {

struct ModelArguments {
  std::string model;
  std::vector<std::string> set;
  bool allow_outside = false;

  LoadedModel load() const;
};

/// `--spin`: the frame in which a model rests.
struct SpinArgument {
  std::vector<double> values;

  Vector3 spin() const;  ///< [rad/s]; zero without it
};
void describe_spin(CLI::App& verb, SpinArgument& argument);

/// The model itself is described by the verb.
void describe_model_options(CLI::App& verb, ModelArguments& arguments);

}  // namespace picus::app
