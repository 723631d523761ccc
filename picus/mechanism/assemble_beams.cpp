// SPDX-License-Identifier: BSD-3-Clause
// Beams: their nodes are spatial or planar bodies, on which markers of the same names sit.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/math/decompositions.h"
#include "picus/mechanism/assembler.h"
#include "picus/mechanism/beam.h"
#include "picus/mechanism/beam_line.h"
#include "picus/model/flexible/material.h"

namespace picus {
namespace {

constexpr int kMostBeamElements = 100000, kMostModalElements = 200;
// Of the axial stiffness that a cable keeps where it is slack, so that its nodes stay in a row.
constexpr double kSlack = 1e-6;
constexpr double kSmallestCorner = 1e-9;  // turn [rad] that is a corner
constexpr double kSameStation = 1e-9;     // part of the length; markers this near share a node

// Axial force and bending act at the centroid, shear and torsion at the shear centre (y, z).
Matrix6 about_centroid(const Vector6& stiffness, double y, double z) {
  Matrix6 B = Matrix6::Identity();
  B(1, 3) = -z;
  B(2, 3) = y;
  return B.transpose() * stiffness.asDiagonal() * B;
}

constexpr double kRatioMost = 1.0;  // damping ratio: above, a mode does not swing

std::string fault_of_damping(const Beam& beam) {
  if (!(beam.damping >= 0.0))
    return fmt::format("has damping: found {:g} s, expected a time that is not negative",
                       beam.damping);
  if (!beam.modal_damping) return {};
  for (const double ratio : beam.modal_damping->ratios)
    if (!(ratio >= 0.0 && ratio <= kRatioMost))
      return fmt::format("has modal_damping with a ratio of {:g}, expected 0 to 1", ratio);
  if (beam.elements > kMostModalElements)
    return fmt::format(
        "has modal_damping and {} elements: found more than {}, and it couples all nodes; use "
        "fewer elements, or 'damping'",
        beam.elements, kMostModalElements);
  return {};
}

std::string fault_of_path(const Beam& beam, int dimension) {
  if (beam.from || beam.to || beam.via || !beam.corners.empty())
    return "has 'path' and 'from', 'to', 'via' or 'corners': give one or the other";
  const std::size_t most = dimension == 2 ? 2 : 3;
  if (beam.path.size() < 2 || beam.path.size() > most)
    return fmt::format("has path: found {} formula{}, expected {}", beam.path.size(),
                       beam.path.size() == 1 ? "" : "s", most == 2 ? "2" : "2 or 3");
  return {};
}

bool leaves_plane(const Beam& beam) {
  const double z = (*beam.from)(2);
  return (*beam.to)(2) != z || (beam.via && (*beam.via)(2) != z) ||
         std::any_of(beam.corners.begin(), beam.corners.end(),
                     [z](const Vector3& corner) { return corner(2) != z; });
}

// How the line is stated.
std::string fault_of_line(const Beam& beam, int dimension) {
  if (!beam.path.empty()) return fault_of_path(beam, dimension);
  if (!beam.from || !beam.to)
    return fmt::format("has no '{}': expected 'from' and 'to', or 'path'",
                       beam.from ? "to" : "from");
  if (beam.via && !beam.corners.empty()) return "has 'via' and 'corners': give one or the other";
  if (beam.corners.empty() && (*beam.to - *beam.from).norm() == 0.0)
    return "has length zero: 'from' and 'to' are the same point";
  if (dimension == 2 && leaves_plane(beam)) return "leaves the plane of a model of dimension 2";
  return {};
}

std::string fault_of(const Beam& beam, const BeamLine& line, int dimension) {
  if (!line.fault().empty()) return line.fault();
  if (!std::isfinite(line.length()))
    return "is too long to compute with: its length is not a finite number";
  if (dimension == 2 && (beam.twist != 0.0 || beam.up))
    return "has 'twist' or 'up', which a beam in the plane does not take";
  if (!line.has_up()) return "has 'up' along itself; expected a direction across it";
  if (beam.elements < 1 || beam.elements > kMostBeamElements)
    return fmt::format("has {} elements, expected 1 to {}", beam.elements, kMostBeamElements);
  if (const std::string fault = fault_of_damping(beam); !fault.empty()) return fault;
  for (const auto& [name, pair] :
       {std::pair("offset", &beam.offset), std::pair("shear_centre", &beam.shear_centre)})
    if (!pair->empty() && pair->size() != 2)
      return fmt::format("has {}: found {} numbers, expected [y, z]", name, pair->size());
  return {};
}

std::string fault_of(const Material& material) {
  if (material.modulus == 0.0 || material.density == 0.0)
    return "has no material: give 'material: steel', or 'modulus' and 'density'";
  if (!(material.modulus > 0.0))
    return fmt::format("has modulus: found {:g} Pa, expected a positive number", material.modulus);
  if (!(material.density > 0.0))
    return fmt::format("has density: found {:g} kg/m³, expected a positive number",
                       material.density);
  if (!(material.poisson > -1.0 && material.poisson <= 0.5))
    return fmt::format("has poisson: found {:g}, expected a number above -1, at most 0.5",
                       material.poisson);
  return {};
}

// Where nodes are, as parts of the length: at both ends, at every marker, and between these as many
// as keep elements no longer than asked for. `markers` are in [0, 1].
std::vector<double> stations_of(int elements, std::vector<double> markers) {
  markers.push_back(1.0);
  std::sort(markers.begin(), markers.end());
  std::vector<double> stations{0.0};
  for (const double end : markers) {
    const double start = stations.back(), span = end - start;
    if (span <= kSameStation) continue;
    const int count = std::max(1, static_cast<int>(std::ceil(elements * (span - kSameStation))));
    for (int i = 1; i < count; ++i)
      stations.push_back(start + i * span / count);
    stations.push_back(end);
  }
  stations.back() = 1.0;
  return stations;
}

std::size_t nearest_station(const std::vector<double>& stations, double s) {
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < stations.size(); ++i)
    if (std::abs(stations[i] - s) < std::abs(stations[nearest] - s)) nearest = i;
  return nearest;
}

double entry(const std::vector<double>& pair, std::size_t i) {
  return pair.empty() ? 0.0 : pair[i];
}

Vector3 centroid_of(const Beam& beam) {
  return {0.0, entry(beam.offset, 0), entry(beam.offset, 1)};
}

// Strains that leave the plane must not be coupled to those that stay in it.
bool stays_in_plane(const Matrix6& K, const Beam& beam) {
  for (const int in : {0, 1, 5})
    for (const int out : {2, 3, 4})
      if (K(in, out) != 0.0 || K(out, in) != 0.0) return false;
  return entry(beam.offset, 1) == 0.0;
}

}  // namespace

void Assembler::add_beams() {
  for (const Named<Beam>& part : model_.beams)
    if (is_new_name(part.name, part.place)) add_beam(part);
}

// That of the catalogue, with what the beam states itself in its place.
std::optional<Material> Assembler::material_of(const Beam& beam) {
  Material material{.poisson = 0.3};
  if (beam.material) {
    const auto found = std::find_if(kMaterials.begin(), kMaterials.end(), [&](const Material& one) {
      return one.name == beam.material->text;
    });
    if (found == kMaterials.end()) {
      std::vector<std::string_view> known;
      known.reserve(kMaterials.size());
      for (const Material& one : kMaterials)
        known.push_back(one.name);
      complain(beam.material->place, unknown_name("material", beam.material->text, known));
      return std::nullopt;
    }
    material = *found;
  }
  material.modulus = beam.modulus.value_or(material.modulus);
  material.poisson = beam.poisson.value_or(material.poisson);
  material.density = beam.density.value_or(material.density);
  return material;
}

// Stiffness and masses of the section; false when there was a problem.
bool Assembler::fill_section(const Named<Beam>& part, BeamData& data) {
  const Beam& beam = part.value;
  const auto refuse = [&](const std::string& fault) {
    complain(part.place, fmt::format("beam '{}' {}", part.name, fault));
    return false;
  };
  if (const auto* given = std::get_if<GeneralSection>(&beam.section))
    return fill_general_section(*given, data.section, refuse);
  const std::optional<Material> material = material_of(beam);
  if (!material) return false;
  const double modulus = material->modulus, poisson = material->poisson;
  if (const std::string fault = fault_of(*material); !fault.empty()) return refuse(fault);
  SectionProperties p;
  std::visit(
      [&](const auto& section) {
        if constexpr (requires { section.properties(poisson); }) p = section.properties(poisson);
      },
      beam.section);
  for (const double value :
       {p.area, p.shear_area_y, p.shear_area_z, p.torsion, p.moment_y, p.moment_z})
    if (!(value > 0.0) || !std::isfinite(value))
      return refuse(
          "has a section without area or stiffness: look at its measures, which must be positive, "
          "and at their units");
  const double shear = 0.5 * modulus / (1.0 + poisson);
  Vector6 diagonal;
  diagonal << modulus * p.area, shear * p.shear_area_y, shear * p.shear_area_z, shear * p.torsion,
      modulus * p.moment_y, modulus * p.moment_z;
  BeamSection& section = data.section;
  section.stiffness =
      about_centroid(diagonal, entry(beam.shear_centre, 0), entry(beam.shear_centre, 1));
  section.line_mass = material->density * p.area;
  section.line_inertia =
      material->density *
      Vector3(p.moment_y + p.moment_z, p.moment_y, p.moment_z).asDiagonal().toDenseMatrix();
  data.outline = std::move(p.outline);
  data.area = p.area;
  data.modulus = modulus;
  return true;
}

bool Assembler::fill_general_section(const GeneralSection& given, BeamSection& section,
                                     const std::function<bool(const std::string&)>& refuse) {
  const std::size_t count = given.stiffness.size();
  if (count != 6 && count != 36)
    return refuse(fmt::format(
        "has stiffness: found {} numbers, expected 6 (the diagonal) or 36 (all rows)", count));
  Matrix6& stiffness = section.stiffness;
  stiffness.setZero();
  for (std::size_t i = 0; i < 6; ++i) {
    if (count == 6) stiffness(static_cast<int>(i), static_cast<int>(i)) = given.stiffness[i];
    for (std::size_t j = 0; count == 36 && j < 6; ++j)
      stiffness(static_cast<int>(i), static_cast<int>(j)) = given.stiffness[6 * i + j];
  }
  if (!stiffness.isApprox(stiffness.transpose(), 1e-9))
    return refuse("has stiffness: found a matrix that is not symmetric");
  if (!(symmetric_eigenvalues(stiffness)(0) > 0.0))
    return refuse(
        "has stiffness: found a matrix that is not positive definite: a strain would cost nothing");
  if (!(given.line_mass > 0.0))
    return refuse(
        fmt::format("has line_mass: found {:g} kg/m, expected a positive number", given.line_mass));
  if (given.line_inertia.size() != 3 ||
      *std::min_element(given.line_inertia.begin(), given.line_inertia.end()) <= 0.0)
    return refuse("has line_inertia: expected three positive numbers, about x, y and z");
  section.line_mass = given.line_mass;
  section.line_inertia =
      Eigen::Map<const Vector3>(given.line_inertia.data()).asDiagonal().toDenseMatrix();
  return true;
}

// Reports markers that are not on the beam, or whose names are taken.
bool Assembler::are_on_beam(const Named<Beam>& part) {
  bool all = true;
  for (const Named<BeamMarker>& marker : part.value.markers) {
    if (!(marker.value.s >= 0.0 && marker.value.s <= 1.0)) {
      complain(marker.place, fmt::format("marker '{}.{}' has s: found {:g}, expected a part of the "
                                         "beam's length in [0, 1]",
                                         part.name, marker.name, marker.value.s));
      all = false;
    }
    const std::string& name = marker.name;
    if (name == "start" || name == "end" || name.starts_with("node")) {
      complain(marker.place, fmt::format("marker '{}.{}' has the name of a node of the beam; "
                                         "choose another name",
                                         part.name, name));
      all = false;
    }
  }
  return all;
}

// A node at each of these poses, which move to the centroid.
std::vector<int> Assembler::add_nodes(const Named<Beam>& part, std::vector<Pose<double>>& poses) {
  const Beam& beam = part.value;
  const BodyKind kind = model_.dimension == 2 ? BodyKind::kPlanar : BodyKind::kSpatial;
  const Vector3 centroid = centroid_of(beam);
  const Vector3 start = poses.front().r;
  std::vector<int> nodes;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    Pose<double>& pose = poses[i];
    if (i > 0 && kind == BodyKind::kPlanar)  // no jump by a turn from node to node
      pose.angle += 2.0 * std::numbers::pi *
                    std::round((poses[i - 1].angle - pose.angle) / (2.0 * std::numbers::pi));
    pose.r = pose.point(centroid);
    SmallVector<double, 6> twist;
    twist << beam.velocity + cross(beam.angular_velocity, Vector3(pose.r - start)),
        pose.A.transpose() * beam.angular_velocity;
    nodes.push_back(builder_.add_body(
        {.name = fmt::format("{}.node{}", part.name, i), .kind = kind, .is_node = true}, pose,
        twist, -centroid));
  }
  return nodes;
}

void Assembler::mark_nodes(const Named<Beam>& part, const std::vector<double>& stations,
                           const std::vector<int>& nodes) {
  const Vector3 centroid = centroid_of(part.value);
  const auto frame = [&](int node) { return PlacedFrame{node, {-centroid, Matrix3::Identity()}}; };
  for (const int node : nodes)
    markers_[builder_.bodies()[node].name] = frame(node);
  markers_[part.name + ".start"] = frame(nodes.front());
  markers_[part.name + ".end"] = frame(nodes.back());
  for (const Named<BeamMarker>& marker : part.value.markers) {
    const int node = nodes[nearest_station(stations, marker.value.s)];
    const std::string name = part.name + "." + marker.name;
    const Matrix3 axes =
        axes_of({marker.name, marker.place, static_cast<const Marker&>(marker.value)});
    if (!markers_.emplace(name, PlacedFrame{node, {marker.value.at - centroid, axes}}).second)
      complain(marker.place, fmt::format("marker '{}' is given twice", name));
  }
}

// By the formulas of `path`; nothing when they have errors, which are reported.
std::optional<Curve> Assembler::curve_of(const Named<Beam>& part) {
  std::array<std::shared_ptr<const Expression>, 3> formulas;
  std::array<double, 3> scales{};
  bool all = true;
  for (std::size_t k = 0; k < part.value.path.size(); ++k) {
    const Formula& formula = part.value.path[k];
    formulas[k] = parse(formula, Effect::kNone);
    if (!formulas[k]) {
      all = false;
      continue;
    }
    scales[k] = context_.scale(unit::kLength, formula.place);
    for (const FormulaInput& input : formulas[k]->inputs()) {
      if (input.name == "s") continue;
      complain(context_.place_in(formula, input.column),
               fmt::format("found '{}' in the path of beam '{}', expected a formula of s alone",
                           input.name, part.name));
      all = false;
    }
  }
  if (!all) return std::nullopt;
  const Placement& owner = placement_of(model_, part.placement);
  return [formulas, scales, &owner](double s) {
    CurvePoint point;
    for (std::size_t k = 0; k < formulas.size(); ++k) {
      if (!formulas[k]) continue;
      const std::size_t inputs = formulas[k]->inputs().size();
      double slope = 0.0;
      const double value = formulas[k]->with_gradient(std::span<const double>(&s, inputs),
                                                      std::span<double>(&slope, inputs));
      point.place(static_cast<int>(k)) = scales[k] * value;
      point.slope(static_cast<int>(k)) = scales[k] * slope;
    }
    return CurvePoint{owner.point(point.place), owner.direction(point.slope)};
  };
}

// Without what is wrong with it, which is reported.
std::optional<BeamLine> Assembler::line_of(const Named<Beam>& part) {
  const Beam& beam = part.value;
  const auto refuse = [&](const std::string& fault) {
    complain(part.place, fmt::format("beam '{}' {}", part.name, fault));
    return std::nullopt;
  };
  if (const std::string fault = fault_of_line(beam, model_.dimension); !fault.empty())
    return refuse(fault);
  std::optional<BeamLine> line;
  if (beam.path.empty()) {
    line.emplace(beam, model_.dimension);
  } else {
    std::optional<Curve> curve = curve_of(part);
    if (!curve) return std::nullopt;
    line.emplace(beam, model_.dimension, std::move(*curve));
  }
  if (const std::string fault = fault_of(beam, *line, model_.dimension); !fault.empty())
    return refuse(fault);
  return line;
}

namespace {

// A section at a corner stands half way between the two directions.
Pose<double> node_at(const BeamLine& line, double s) {
  using Side = BeamLine::Side;
  Pose<double> pose = line.at(s);
  const Matrix3 before = line.at(s, Side::kBefore).A;
  const Vector3 turn = rotation_vector(Mat3<double>(Matrix3(before.transpose() * pose.A)));
  if (turn.norm() <= kSmallestCorner) return pose;
  pose.A = before * rotation_matrix(quaternion_of(Vector3(0.5 * turn)));
  pose.angle = std::atan2(pose.A(1, 0), pose.A(0, 0));
  return pose;
}

}  // namespace

// Elements between nodes, and how their ends are turned against these at corners.
void Assembler::add_elements(const BeamLine& line, const std::vector<double>& stations,
                             const std::vector<Pose<double>>& nodes, BeamData& data) {
  using Side = BeamLine::Side;
  const bool has_corners = !line.corners().empty();
  for (std::size_t e = 0; e + 1 < nodes.size(); ++e) {
    Pose<double> a = nodes[e], b = nodes[e + 1];
    BeamElement element;
    if (has_corners) {
      const Matrix3 from = line.at(stations[e]).A, to = line.at(stations[e + 1], Side::kBefore).A;
      element.turns =
          std::make_shared<EndTurns>(EndTurns{a.A.transpose() * from, b.A.transpose() * to});
      a.A = from;
      b.A = to;
    }
    const Vector6 d = BeamHelix(a, b).displacement();
    element.length = d.head<3>().norm();
    element.initial_strain = d / element.length;
    data.elements.push_back(element);
  }
}

void Assembler::add_beam(const Named<Beam>& part) {
  const Beam& beam = part.value;
  const std::optional<BeamLine> line = line_of(part);
  if (!line) return;
  BeamData data{.gravity = model_.gravity};
  if (!fill_section(part, data)) return;
  const Matrix6& stiffness = data.section.stiffness;
  data.section.damping = beam.damping * stiffness;
  data.section.slack = beam.tension_only ? kSlack : 1.0;
  if (model_.dimension == 2 && !stays_in_plane(stiffness, beam))
    return complain(part.place, fmt::format("beam '{}' has a section that couples bending in the "
                                            "plane with motion out of it",
                                            part.name));
  if (beam.tension_only && !stiffness.row(0).tail<5>().isZero(0.0))
    return complain(part.place,
                    fmt::format("beam '{}' has 'tension_only' and a section whose axial force "
                                "depends on other strains than the axial one",
                                part.name));
  if (!are_on_beam(part)) return;
  std::vector<double> marked = line->corners();
  for (const Named<BeamMarker>& marker : beam.markers)
    marked.push_back(marker.value.s);
  const std::vector<double> stations = stations_of(beam.elements, std::move(marked));
  std::vector<Pose<double>> poses;
  poses.reserve(stations.size());
  for (const double s : stations)
    poses.push_back(node_at(*line, s));
  std::vector<int> nodes = add_nodes(part, poses);
  mark_nodes(part, stations, nodes);
  add_elements(*line, stations, poses, data);
  builder_.add_flexible(make_beam(part.name, std::move(nodes), builder_.bodies(), data,
                                  beam.modal_damping, builder_.state()));
}

}  // namespace picus
