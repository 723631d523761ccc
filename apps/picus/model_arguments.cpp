// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/model_arguments.h"

#include <CLI/CLI.hpp>

namespace picus::app {

LoadedModel ModelArguments::load() const {
  return load_model(model, set, {.allow_outside = allow_outside});
}

void describe_model_options(CLI::App& verb, ModelArguments& arguments) {
  verb.add_option("-s,--set", arguments.set, "Override a value: L=2 or bodies.crank.mass=3")
      ->take_all();
  verb.add_flag("--allow-outside", arguments.allow_outside,
                "Let the model read files outside its folder; for models you trust");
}

Vector3 SpinArgument::spin() const {
  if (values.empty()) return Vector3::Zero();
  if (values.size() == 1) return {0.0, 0.0, values[0]};
  if (values.size() == 3) return {values[0], values[1], values[2]};
  throw InputError("--spin: expected one number, about z, or three: WX,WY,WZ");
}

void describe_spin(CLI::App& verb, SpinArgument& argument) {
  verb.add_option(
          "--spin", argument.values,
          "Angular velocity [rad/s] about the origin of the frame in which the model rests: "
          "WZ, or WX,WY,WZ")
      ->delimiter(',');
}

}  // namespace picus::app
