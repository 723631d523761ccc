// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "picus/base/error.h"

namespace picus {

/// Something a run records: one number for each component of each item, at every sample.
///
/// Without items it belongs to the model as a whole (energy, solver); without components it has one
/// number per item. Its channels are named "group.item.name.component", parts that do not exist
/// left out.
struct Quantity {
  std::string group;                    ///< "bodies"
  std::string name;                     ///< "position"
  std::vector<std::string> items;       ///< "crank", "rod"
  std::vector<std::string> components;  ///< "x", "y", "z"
  std::string unit;                     ///< "m"; empty for pure numbers
  std::string meaning;                  ///< one sentence
  /// Names of the whole numbers 0, 1, … that a mode may be, one word each; empty for other numbers.
  std::vector<std::string> states = {};

  /// Numbers per sample.
  int width() const;

  friend bool operator==(const Quantity&, const Quantity&) = default;
};

/// A file that a model reads.
struct ModelFile {
  std::string name;  ///< its path from the folder of the model
  std::string text;

  friend bool operator==(const ModelFile&, const ModelFile&) = default;
};

/// Everything about a run that is known before it starts.
struct ResultHeader {
  std::string model_name;
  std::string model_text;  ///< the whole model file
  std::string options;     ///< of the simulation, as text or JSON
  std::string integrator;  ///< name of the stepper
  std::string version;     ///< of Picus; the writer puts its own when empty
  std::string created;     ///< ISO 8601, UTC; the writer puts the time of the call when empty
  std::string scene;       ///< shapes for viewers, JSON (docs/formats/results.md); may be empty
  std::vector<Quantity> quantities;
  std::vector<ModelFile> files = {};  ///< tables and included files of the model

  friend bool operator==(const ResultHeader&, const ResultHeader&) = default;
};

/// Something that happened at a point in time.
struct Event {
  double time = 0.0;
  std::string kind;  ///< a short word: "impact", "lock", "restart"
  std::string text;

  friend bool operator==(const Event&, const Event&) = default;
};

/// The names of the channels of a quantity, in the order of its numbers.
std::vector<std::string> channel_names(const Quantity& quantity);

/// What to throw when no channel has the name, or none matches the pattern.
InputError unknown_channel(const std::vector<std::string>& channels, std::string_view wanted);

/// Does the text match the pattern? '*' stands for any run of characters, '?' for one (a byte).
bool matches_pattern(std::string_view text, std::string_view pattern);

/// The numbers of the channels that match one of the patterns, each once, in the order of the
/// patterns. A pattern that matches none stands for all whose names go on after it: "bodies.rod".
/// "not PATTERN" takes away what those before it have chosen, or leaves the rest of all channels if
/// it is the first. Throws InputError when a pattern stands for no channel.
std::vector<std::size_t> chosen_channels(const std::vector<std::string>& channels,
                                         const std::vector<std::string>& patterns);

}  // namespace picus
