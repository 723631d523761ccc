// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is wrong in model files, with places. Reading goes on after an error, so that one pass
// reports them all.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "picus/base/error.h"
#include "picus/model/values.h"

namespace picus {

/// A file as it was read.
struct SourceFile {
  std::string name;
  std::string text;
  bool is_override = false;    ///< its lines are overrides: "L=2"
  std::string submodel = {};   ///< whose file it is: "left"; empty for files of the model itself
  SourcePlace stated_at = {};  ///< where that submodel is stated
};

enum class Severity { kError, kWarning, kNote };

struct Diagnostic {
  SourcePlace place;
  std::string message;
  Severity severity = Severity::kError;
};

/// Thrown by Diagnostics::error after so many errors that more are of no use. Loading then ends,
/// which bounds its cost for any file.
struct TooManyErrors {};

/// Collects messages while a model is read; a message given twice for one place is kept once. Read
/// on after an error, and ask has_errors() before using what was read.
class Diagnostics {
 public:
  void error(SourcePlace place, std::string message);
  void warning(SourcePlace place, std::string message);
  void note(SourcePlace place, std::string message);

  bool has_errors() const { return errors_ > 0; }
  bool empty() const { return list_.empty(); }

  /// By file, line and column.
  std::vector<Diagnostic> sorted() const;
  /// One line each, "file:line:column: message"; at most `limit` of them, and how many more.
  std::string text(std::span<const SourceFile> files, std::size_t limit = 50) const;

 private:
  void add(Diagnostic diagnostic);

  std::vector<Diagnostic> list_;
  std::size_t errors_ = 0;
  std::size_t dropped_ = 0;  ///< not kept, only counted
};

/// Thrown when a model cannot be used: what() is Diagnostics::text.
class ModelError : public InputError {
 public:
  ModelError(const Diagnostics& diagnostics, std::span<const SourceFile> files);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// "crank.yaml:3:7", of an override "--set 'L=2'", or without a file "input".
std::string to_text(SourcePlace place, std::span<const SourceFile> files);

/// " (submodel 'left': car.yaml:12:3)" for places in files of submodels, from the model inwards;
/// else empty.
std::string submodel_text(SourcePlace place, std::span<const SourceFile> files);

/// A line of a text, from 1; empty when there is none.
std::string_view line_of(std::string_view text, int line);

/// "unknown key 'mas'; did you mean 'mass'?", or the candidates when nothing is near and they are
/// few.
std::string unknown_among(std::string_view kind, std::string_view name,
                          std::span<const std::string_view> candidates);

}  // namespace picus
