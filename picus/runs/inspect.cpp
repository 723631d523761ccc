// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/inspect.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "picus/dynamics/unique_limits.h"
#include "picus/math/rank.h"
#include "picus/runs/equilibrium.h"
#include "picus/runs/names.h"
#include "picus/runs/penetrations.h"
#include "picus/runs/suspicions.h"

namespace picus {
namespace {

using Level = Finding::Level;

std::string text_of(const RedundantConstraint& redundant) {
  if (redundant.follows_from.empty()) return fmt::format("{} constrains nothing", redundant.name);
  return fmt::format("{} is redundant: it follows from {}", redundant.name,
                     fmt::join(redundant.follows_from, ", "));
}

// Ranks by themselves: without the rolling conditions for positions, with them for velocities.
void count_freedoms(const System& system, Inspection& result) {
  SparseMatrix G, joints;
  system.constraint_jacobian(result.start.state, G);
  joints.begin(result.sizes.joints(), G.cols());
  G.for_each([&](int row, int col, double value) {
    if (row < joints.rows()) joints.add(row, col, value);
  });
  joints.end();
  const auto rank = static_cast<int>(find_independent_rows(joints).independent.size());
  result.position_freedoms = result.sizes.velocities - rank;
  const Consistency& c = result.start.consistency;
  // contacts are independent by definition, and do not count
  result.velocity_freedoms =
      result.sizes.velocities + result.sizes.contacts + result.sizes.slips -
      static_cast<int>(c.independent.size() + c.independent_nonholonomic.size());
}

void look_at_start(const Mechanism& mechanism, Inspection& result) {
  const State& s = result.start.state;
  count_freedoms(mechanism.system(), result);
  for (std::string& penetration : penetrations_of(mechanism, s))
    result.findings.push_back({Level::kWarning, std::move(penetration)});
  result.kinetic_energy = mechanism.kinetic_energy(s);
  result.potential_energy = mechanism.potential_energy(s);
  if (s.acceleration.size() > 0) {
    int index = 0;
    result.acceleration = s.acceleration.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&index);
    result.fastest = coordinate_name(mechanism.system(), index);
    result.acceleration_unit = acceleration_unit(mechanism.system(), index);
  }
  for (const RedundantConstraint& redundant : result.start.consistency.redundant)
    result.findings.push_back({Level::kWarning, text_of(redundant)});
  for (const MovedBody& moved : result.start.moved)
    result.findings.push_back(
        {Level::kNote, fmt::format("assembly moved '{}' by {:.3g} m and {:.3g} rad", moved.name,
                                   moved.distance, moved.angle)});
  if (result.start.consistency.velocity_moved > 1e-9)
    result.findings.push_back(
        {Level::kNote, fmt::format("assembly changed velocities by up to {:.3g}",
                                   result.start.consistency.velocity_moved)});
}

}  // namespace

bool Inspection::has_warnings() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.level == Level::kWarning; });
}

Inspection inspect(const LoadedModel& loaded) {
  const Mechanism& mechanism = *loaded.mechanism;
  const Model& model = loaded.model;
  Inspection result;
  result.sizes = mechanism.system().sizes();
  for (int j = 0; j < result.sizes.contacts; ++j)
    result.contact_slips += mechanism.system().contact_law(j).slips;
  result.bodies = static_cast<int>(model.bodies.size());
  result.flexible = static_cast<int>(mechanism.flexible().size());
  result.joints = static_cast<int>(model.joints.size());
  result.motions = static_cast<int>(model.motions.size());
  result.forces = static_cast<int>(model.forces.size());
  result.contacts = static_cast<int>(model.contacts.size());
  result.controls = static_cast<int>(model.controls.size());
  for (const Named<Collisions>& group : model.collisions) {
    result.balls += static_cast<int>(group.value.balls.size());
    result.shapes += static_cast<int>(group.value.shapes.size());
    result.planes += static_cast<int>(group.value.planes.size());
  }
  for (const Diagnostic& diagnostic : loaded.diagnostics.sorted())
    result.findings.push_back(
        {diagnostic.severity == Severity::kNote ? Level::kNote : Level::kWarning,
         fmt::format("{}: {}{}", to_text(diagnostic.place, loaded.document.files),
                     diagnostic.message, submodel_text(diagnostic.place, loaded.document.files))});
  result.start = start_of(loaded);
  for (const std::string& note : result.start.notes)
    result.findings.push_back({Level::kNote, note});
  result.usable = result.start.consistency.ok();
  if (result.usable) {
    look_at_start(mechanism, result);
    if (std::string fault =
            undetermined_limit(mechanism.system(), result.start.state, result.start.consistency);
        !fault.empty()) {
      result.usable = false;
      result.findings.push_back({Level::kError, std::move(fault)});
    }
  } else {
    result.findings.push_back({Level::kError, result.start.consistency.message});
  }
  try {
    plan_of(loaded);
    if (const std::string note = note_on_record(loaded, *record_of(loaded)); !note.empty())
      result.findings.push_back({Level::kNote, note});
  } catch (const InputError& error) {
    result.usable = false;
    result.findings.push_back({Level::kError, error.what()});
  }
  for (Finding& suspicion : suspicions_of(loaded))
    result.findings.push_back(std::move(suspicion));
  std::stable_sort(result.findings.begin(), result.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.level > b.level; });
  return result;
}

std::string to_json(const Inspection& inspection) {
  static constexpr std::array kLevels{"note", "warning", "error"};
  nlohmann::ordered_json json;
  json["usable"] = inspection.usable;
  json["bodies"] = inspection.bodies;
  json["flexible"] = inspection.flexible;
  json["joints"] = inspection.joints;
  json["motions"] = inspection.motions;
  json["forces"] = inspection.forces;
  json["contacts"] = inspection.contacts;
  json["balls"] = inspection.balls;
  json["shapes"] = inspection.shapes;
  json["controls"] = inspection.controls;
  json["equations"] = {{"positions", inspection.sizes.positions},
                       {"velocities", inspection.sizes.velocities},
                       {"constraints", inspection.sizes.joints()},
                       {"nonholonomic", inspection.sizes.rollings()},
                       {"contacts", inspection.sizes.contacts},
                       {"slips", inspection.sizes.slips},
                       {"friction_elements", inspection.sizes.friction_elements},
                       {"controls", inspection.sizes.controls}};
  json["findings"] = nlohmann::ordered_json::array();
  for (const Finding& finding : inspection.findings)
    json["findings"].push_back(
        {{"level", kLevels[static_cast<std::size_t>(finding.level)]}, {"text", finding.text}});
  if (!inspection.start.consistency.ok()) return json.dump();
  json["position_freedoms"] = inspection.position_freedoms;
  json["velocity_freedoms"] = inspection.velocity_freedoms;
  json["redundant"] = nlohmann::ordered_json::array();
  for (const RedundantConstraint& redundant : inspection.start.consistency.redundant)
    json["redundant"].push_back(
        {{"name", redundant.name}, {"follows_from", redundant.follows_from}});
  json["moved"] = nlohmann::ordered_json::array();
  for (const MovedBody& moved : inspection.start.moved)
    json["moved"].push_back(
        {{"body", moved.name}, {"distance", moved.distance}, {"angle", moved.angle}});
  json["kinetic_energy"] = inspection.kinetic_energy;
  json["potential_energy"] = inspection.potential_energy;
  json["largest_acceleration"] = {{"coordinate", inspection.fastest},
                                  {"value", inspection.acceleration}};
  return json.dump();
}

}  // namespace picus
