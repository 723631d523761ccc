// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A model as its files state it: merged, with parameters evaluated and units known, but not yet
// checked against the keys that a model may have.

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "picus/io/diagnostics.h"
#include "picus/io/source_files.h"
#include "picus/io/tree.h"
#include "picus/io/units.h"

namespace picus {

/// The version of the format, stated first in every file: `picus: 1`.
inline constexpr int kFormatVersion = 1;

/// Keys at the top of a file that are about the file, not about the model.
inline constexpr std::array<std::string_view, 4> kFileKeys{"picus", "include", "units",
                                                           "parameters"};

/// An entry of `parameters:`, evaluated.
struct Parameter {
  std::string name;
  SourcePlace place;
  double value = 0.0;
  bool known = false;     ///< false when its formula has an error, which was reported
  std::string text = {};  ///< as it is written
};

/// "bodies.crank.mass=3" taken apart.
struct Override {
  std::vector<std::string> path;
  SourcePlace place;
  TreeNode value;
};

/// How models are read.
struct LoadOptions {
  bool allow_outside = false;  ///< also files outside the folder of the model
};

/// load_document() makes one, read_model() turns it into a Model. Everything that has a message to
/// give about a value asks the document for its place and its units.
struct Document {
  TreeNode root;                  ///< everything but picus, include, units and parameters
  std::vector<SourceFile> files;  ///< the model, what it includes, and the overrides if any
  std::vector<Units> units;       ///< of each file; overrides are in those of the first
  std::vector<Parameter> parameters;
  std::vector<Override> overrides;  ///< of other things than parameters
  bool complete = true;             ///< false when a file could not be read
  int first_file = 0;               ///< index of the model's own file

  std::string full_name = {};  ///< of a submodel, "front.left"; its files are those of the model
  TreeNode submodels = {};     ///< the section of that name
  std::vector<Document> parts = {};  ///< the submodels; number n is that of Placement n + 1

  ModelFolder folder;  ///< what it may read

  const Parameter* find_parameter(std::string_view name) const;
  void set_parameters(std::vector<Parameter> all);
  const Units& units_at(SourcePlace place) const;

  /// The place of a value by its path, "bodies.rod.mass", or of the innermost part of the path that
  /// is written; of link3 that of link[i].
  SourcePlace place_of(std::string_view path) const;

  /// The place of character `offset` (from 0) of a text read at `start`, after indices were
  /// substituted. Turns the column of a FormulaError into one of the file.
  SourcePlace place_in(SourcePlace start, std::string_view text, std::size_t offset) const;
  SourcePlace place_in(const Formula& formula, std::size_t offset) const {
    return place_in(formula.place, formula.text, offset);
  }

 private:
  std::map<std::string, std::size_t, std::less<>> parameter_places_;
};

/// Where a document is stated that is a submodel of another.
struct SubmodelSource {
  std::string name;                 ///< "front.left"
  std::string file;                 ///< as it is written
  SourcePlace place;                ///< of the submodel
  std::vector<Override> overrides;  ///< of its parameters and keys
  std::vector<std::string> chain;   ///< resolved paths of the files around it, outermost first
};

/// Reads the file of a submodel; places count on from the files of `outer`, which are moved to the
/// result until its reader gives them back.
Document load_submodel(Document& outer, const SubmodelSource& source, Diagnostics& diagnostics);

/// Reads a file and those it includes. Overrides are "name=value" for parameters and
/// "path.to.key=value" for anything else. Problems go to `diagnostics`.
Document load_document(const std::string& path, std::span<const std::string> overrides,
                       Diagnostics& diagnostics, const LoadOptions& options = {});

/// The same for a text; `name` is used in messages and as the place from which includes are found.
Document load_document_text(std::string name, std::string text,
                            std::span<const std::string> overrides, Diagnostics& diagnostics,
                            const LoadOptions& options = {});

}  // namespace picus
