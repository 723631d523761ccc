// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "picus/expressions/expression.h"
#include "picus/mechanism/mechanism.h"
#include "picus/model/model.h"

namespace picus {

/// A frame of a part made in code, with the name by which joints, forces, contacts and formulas of
/// the model find it.
struct FrameInCode {
  std::string name;
  int body = Bodies::kGround;
  BodyFrame frame;       ///< seen from the frame of that number
  bool is_body = false;  ///< stands for a body, not for a marker on one
};

/// What assembly needs besides the model: where problems go, and what names and units mean.
struct AssemblyContext {
  /// Receives every problem; assembly continues, and returns nothing if there was one.
  std::function<void(SourcePlace, const std::string&)> complain;
  /// Receives what is suspicious but possible.
  std::function<void(SourcePlace, const std::string&)> warn;
  /// The place of a value by its path, "bodies.rod.mass", or of what holds it.
  std::function<SourcePlace(const std::string& path)> place_of;
  /// The place of a character of a formula.
  std::function<SourcePlace(const Formula&, int offset)> place_in;
  /// Parameters by name, of the model (0) or of the submodel with this placement.
  std::function<std::optional<double>(int placement, std::string_view name)> parameter;
  /// SI units per unit of the file, for the formula's place.
  std::function<double(const Dimension&, SourcePlace)> scale;
  FormulaTables tables;
  /// Adds parts that models cannot state, after bodies and flexible parts; may be empty.
  std::function<std::vector<FrameInCode>(MechanismBuilder&)> parts_in_code = {};

  /// For models made in code: SI units, the first problem is thrown as InputError.
  static AssemblyContext throwing();
};

/// Makes the mechanism of a model; null if problems were reported.
std::unique_ptr<Mechanism> assemble(const Model& model, const AssemblyContext& context);

}  // namespace picus
