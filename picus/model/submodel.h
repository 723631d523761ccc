// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "picus/base/fields.h"
#include "picus/model/bodies/body.h"
#include "picus/model/placement.h"

namespace picus {

struct Model;

enum class Mirror { kX, kY, kZ };
template <>
struct EnumNames<Mirror> {
  static constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
};

/// Another model file as a part of this one.
struct SubmodelPart {
  static constexpr std::string_view kSummary =
      "the parts of another file, under names such as `left.thigh`, mirrored, rotated and moved to "
      "their place";
  std::string file;
  Vector3 at = Vector3::Zero();
  double angle = 0.0;
  std::vector<Rotation> rotations;
  std::optional<Mirror> mirror;
  std::vector<Named<double>> parameters;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("file", self.file, "model file, relative to the file that names it",
          FieldTraits{.required = true});
    visit("at", self.at, "where its origin goes", FieldTraits{.unit = unit::kLength});
    visit("angle", self.angle, "rotation about z through its origin",
          FieldTraits{.unit = unit::kAngle});
    visit("rotations", self.rotations,
          "successive rotations, each about its axes as rotated so far; applied after `angle`",
          FieldTraits{});
    visit("mirror", self.mirror,
          "x, y or z: mirrors it in the plane through its origin that is normal to this axis, "
          "before it is rotated and moved",
          FieldTraits{});
    visit("parameters", self.parameters, "values of its parameters, in place of those of its file",
          FieldTraits{});
  }

  /// The placement that these keys state.
  Placement placement(const std::string& name) const;
};

/// Adds the parts of `part` to `whole` under names that begin with `name`, placed as `how` states.
/// What concerns a whole model (gravity, run, plots, …) is not taken over. Calls `complain` for
/// what cannot be placed so.
void add_submodel(Model& whole, Model part, const std::string& name, const SubmodelPart& how,
                  const std::function<void(SourcePlace, const std::string&)>& complain);

/// The placement of a number that parts and formulas hold.
const Placement& placement_of(const Model& model, int number);

}  // namespace picus
