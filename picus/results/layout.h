// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Names in a result file; docs/formats/results.md describes them. Internal to the room.

namespace picus::layout {

constexpr long kFormatVersion = 2;

// attributes of the file
constexpr const char* kFormat = "format_version";
constexpr const char* kVersion = "picus_version";
constexpr const char* kCreated = "created";
constexpr const char* kModelName = "model_name";
constexpr const char* kModelText = "model_text";
constexpr const char* kFileNames = "model_files";  // tables and included files, beside the text
constexpr const char* kFileTexts = "model_file_texts";
constexpr const char* kOptions = "options";
constexpr const char* kIntegrator = "integrator";
constexpr const char* kScene = "scene";
constexpr const char* kQuantities = "quantities";  // their paths, in order
constexpr const char* kTextChecksums = "text_checksums";

// attributes of a quantity; those of the conventions CF have the names they have there
constexpr const char* kItems = "items";
constexpr const char* kComponents = "components";
constexpr const char* kUnits = "units";
constexpr const char* kLongName = "long_name";
constexpr const char* kFlagValues = "flag_values";
constexpr const char* kFlagMeanings = "flag_meanings";
constexpr const char* kFormerUnit = "unit";  // in format 1
constexpr const char* kFormerMeaning = "meaning";

// tables
constexpr const char* kTime = "time";
constexpr const char* kChecksum = "checksum";
constexpr const char* kEvents = "events";
constexpr const char* kSummary = "summary";

}  // namespace picus::layout
