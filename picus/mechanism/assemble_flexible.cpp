// SPDX-License-Identifier: BSD-3-Clause
// Flexible parts: their nodes are bodies, on which markers of the same names sit.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/mechanism/assembler.h"
#include "picus/mechanism/bar.h"

namespace picus {
namespace {

constexpr double kNoticeable = 1e-6;  // part of gravity

// What is wrong with what the user stated; empty when nothing is.
std::string fault_of(const Bar& bar, int dimension) {
  constexpr double kAcross = 1e-9;  // sine of an angle that counts as zero
  constexpr int kMostElements = 1000000;
  const Vector3 along = bar.to - bar.from;
  if (along.norm() == 0.0) return "has length zero: 'from' and 'to' are the same point";
  if (!std::isfinite(along.norm())) return "has a length that is not a finite number";
  if (dimension == 2 && along(2) != 0.0) return "leaves the plane of a model of dimension 2";
  for (const auto& [name, value] : {std::pair("area", bar.area), std::pair("modulus", bar.modulus),
                                    std::pair("density", bar.density)})
    if (!(value > 0.0))
      return fmt::format("has {}: found {:g}, expected a positive number", name, value);
  if (!(bar.damping >= 0.0))
    return fmt::format("has damping: found {:g}, expected at least 0", bar.damping);
  const double element = along.norm() / std::max(bar.elements, 1);
  if (!std::isfinite(bar.modulus * bar.area / element) ||
      !std::isfinite(bar.density * bar.area * element))
    return "has elements whose mass or stiffness is not a finite number: check the units";
  if (bar.elements < 1 || bar.elements > kMostElements)
    return fmt::format("has {} elements, expected 1 to {}", bar.elements, kMostElements);
  if (cross(Vector3(along.normalized()), bar.velocity).norm() > kAcross * bar.velocity.norm())
    return "has a velocity across its axis; it moves along its axis only";
  return {};
}

}  // namespace

void Assembler::add_flexible() {
  for (const Named<Flexible>& part : model_.flexible) {
    if (!is_new_name(part.name, part.place)) continue;
    std::visit([&](const auto& flexible) { add_flexible(part, flexible); }, part.value);
  }
}

void Assembler::add_flexible(const Named<Flexible>& part, const Bar& bar) {
  if (const std::string fault = fault_of(bar, model_.dimension); !fault.empty())
    return complain(part.place, fmt::format("bar '{}' {}", part.name, fault));
  const double length = (bar.to - bar.from).norm(), element = length / bar.elements;
  const Vector3 axis = (bar.to - bar.from) / length;
  const Placement& owner = placement_of(model_, part.placement);
  const Matrix3 axes = owner.axes * frame_along(owner.axes.transpose() * axis) *
                       owner.marker_flip(model_.dimension).asDiagonal();
  if (const Vector3 lost = model_.gravity - model_.gravity.dot(axis) * axis;
      lost.norm() > kNoticeable * model_.gravity.norm())
    warn(
        part.place,
        fmt::format(
            "bar '{}' moves along its axis only: {} of gravity acts across the axis and is ignored",
            part.name,
            model_.gravity.dot(axis) == 0.0 ? "all" : fmt::format("{:.3g} m/s²", lost.norm())));
  const double stiffness = bar.modulus * bar.area / element;
  const BarData data{
      .element = {{.stiffness_of_stretch = stiffness,
                   .damping_of_stretch = bar.damping * stiffness,
                   .element_mass = bar.density * bar.area * element,
                   .has_consistent_mass = bar.mass_matrix == MassMatrix::kConsistent}},
      .elements = bar.elements,
      .length = length,
      .area = bar.area,
      .modulus = bar.modulus,
      .gravity = model_.gravity.dot(axis)};
  std::vector<int> nodes;
  std::vector<Coordinate> coordinates;
  for (int i = 0; i <= bar.elements; ++i) {
    const Vector3 anchor = bar.from + (static_cast<double>(i) / bar.elements) * (bar.to - bar.from);
    const std::string name = fmt::format("{}.node{}", part.name, i);
    const Coordinate at = builder_.add_coordinate(name + ".axial", 0.0, axis.dot(bar.velocity));
    coordinates.push_back(at);
    const int node = builder_.add_frame(
        name, std::make_shared<AxialPoint>(anchor, axis, at.position, at.velocity));
    const PlacedFrame frame{node, {Vector3::Zero(), axes}};
    markers_[name] = frame;
    nodes.push_back(node);
    if (i == 0) markers_[part.name + ".start"] = frame;
    if (i == bar.elements) markers_[part.name + ".end"] = frame;
  }
  builder_.add_flexible(std::make_unique<AssembledBar>(part.name, std::move(nodes),
                                                       builder_.bodies(), coordinates, data));
}

}  // namespace picus
