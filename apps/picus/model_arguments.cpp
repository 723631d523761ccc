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

}  // namespace picus::app
