// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From a document to the structs of a model, by their field lists.

#include "picus/io/diagnostics.h"
#include "picus/io/document.h"
#include "picus/io/types.h"

namespace picus {

/// Fills `object`, which is of the C++ type that `type` describes. Continues after errors; a field
/// that could not be read keeps its default.
void read_object(const Document& document, const Type& type, void* object,
                 Diagnostics& diagnostics);

/// Reads one section of a document, which is no longer part of its root.
void read_section(const Document& document, const TreeNode& section, const Type& type, void* target,
                  Diagnostics& diagnostics);

/// The model a document describes. Use it only when `diagnostics` has no errors.
template <class Model>
Model read_model(const Document& document, Diagnostics& diagnostics) {
  Model model{};
  read_object(document, type_of<Model>(), &model, diagnostics);
  return model;
}

}  // namespace picus
