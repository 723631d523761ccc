// SPDX-License-Identifier: BSD-3-Clause
// picus schema, picus reference: what the field lists of a model say, for editors and for people.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "picus/io/reference.h"
#include "picus/model/model.h"

namespace picus::app {
namespace {

constexpr const char* kHead =
    "# Keys of a model file\n\n"
    "Written by `picus reference` from the tables that Picus reads model files "
    "with.\n[model-files.md](model-files.md) describes the language.\n\n"
    "Units are SI unless the file states others. A key with an empty default may be left out; it "
    "then has\nno value.\n\n";

}  // namespace

void describe_schema(CLI::App& verb, int&) {
  verb.footer(
      "Example:\n  picus schema > picus.schema.json\n\n"
      "Editors with a YAML language server check and complete a model that begins with\n"
      "  # yaml-language-server: $schema=picus.schema.json\n");
  verb.callback([] { fmt::print("{}\n", json_schema<Model>()); });
}

void describe_reference(CLI::App& verb, int&) {
  verb.footer("Example:\n  picus reference > docs/model-reference.md\n");
  verb.callback([] { fmt::print("{}{}", kHead, reference_page<Model>()); });
}

}  // namespace picus::app
