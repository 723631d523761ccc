// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From a model file to a mechanism, with every problem reported at its place.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "picus/io/diagnostics.h"
#include "picus/io/document.h"
#include "picus/mechanism/mechanism.h"
#include "picus/model/model.h"

namespace picus {

/// A model as read, and the mechanism made of it.
struct LoadedModel {
  Document document;
  Model model;
  std::unique_ptr<Mechanism> mechanism;
  Diagnostics diagnostics;       ///< warnings and notes; errors throw
  std::vector<SourceFile> data;  ///< files that it reads besides: tables, meshes; each once
};

/// Reads a file and those it includes, applies overrides ("L=2", "bodies.crank.mass=3") and
/// assembles the mechanism. Throws ModelError with all problems found. Reads only files in or below
/// the model's own folder unless the options permit others.
///
///     LoadedModel loaded = load_model("pendulum.yaml");
///     State state = loaded.mechanism->initial_state();
///     simulate(loaded.mechanism->system(), state, …);
LoadedModel load_model(const std::string& path, std::span<const std::string> overrides = {},
                       const LoadOptions& options = {});

/// The same for a text; `name` is used in messages, and relative paths start from it.
LoadedModel load_model_text(const std::string& name, std::string text,
                            std::span<const std::string> overrides = {},
                            const LoadOptions& options = {});

/// All of the text that made the model, for the record.
std::string text_of(const Document& document);

}  // namespace picus
