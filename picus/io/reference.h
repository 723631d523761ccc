// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the field lists say, for people and for editors.

#include <string>

#include "picus/io/types.h"

namespace picus {

/// A Markdown page: a section per struct and per alternative, with a table of its keys.
std::string reference_page(const Type& root);

/// A JSON schema (draft-07) by which editors check and complete model files.
std::string json_schema(const Type& root);

template <class Model>
std::string reference_page() {
  return reference_page(type_of<Model>());
}

template <class Model>
std::string json_schema() {
  return json_schema(type_of<Model>());
}

}  // namespace picus
