// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "picus/math/decompositions.h"
#include "picus/runs/linearization.h"
#include "picus/runs/names.h"
#include "picus/runs/rotating_frame.h"
#include "picus/runs/static_search.h"

namespace picus {
namespace {

// Motions without stiffness, and the one that is pushed away.
void examine_stability(const System& system, const State& s, Equilibrium& result) {
  const SystemSizes n = system.sizes();
  if (n.velocities + n.constraints > kLargestDense) return;
  const AllowedStiffness stiffness = allowed_stiffness(system, s);
  const Vector weights = kinetic_weights(system, s);
  const double zero = stiffness.rounding();
  for (int i = 0; i < stiffness.values.size(); ++i) {
    const Vector direction = stiffness.directions.col(i);
    if (std::abs(stiffness.values(i)) <= zero) {
      result.free_motions.push_back(leading_coordinates(system, direction, weights));
    } else if (stiffness.values(i) < 0.0 && result.is_stable) {
      result.is_stable = false;
      result.unstable = leading_coordinates(system, direction, weights);
    }
  }
}

// The same without masses, which make stiff beams hide a soft motion: Newton's method may end at a
// position that is pushed away.
void look_for_buckling(const System& system, const State& s, Equilibrium& result) {
  const SystemSizes n = system.sizes();
  if (!result.is_stable || n.velocities + n.constraints > kLargestDense) return;
  const Vector zero = Vector::Zero(n.velocities);
  SparseMatrix K, D;
  system.momentum_tangent(s, {s.position, zero}, K, D);
  const Matrix N = allowed_motions(system, s);
  if (N.cols() == 0) return;
  const Matrix full = N.transpose() * K.dense() * N;
  const SymmetricModes modes = symmetric_modes(0.5 * (full + full.transpose()));
  if (modes.values(0) >= -1e-14 * max_abs(modes.values)) return;
  result.is_stable = false;
  result.unstable =
      leading_coordinates(system, Vector(N * modes.vectors.col(0)), kinetic_weights(system, s));
}

// Newton's method has found an unstable position: a search that goes downhill may find a stable
// one.
void relax_from(const State& before, const System& system, StaticSearch& search, State& s,
                Equilibrium& result) {
  const State unstable = s;
  s = before;
  Equilibrium relaxed;
  if (search.relax()) examine_stability(system, s, relaxed);
  if (!search.is_balanced() || !relaxed.is_stable) {
    s = unstable;
    search.look();
    return;
  }
  result.is_stable = true;
  result.is_relaxed = true;
  result.unstable.clear();
  result.free_motions = relaxed.free_motions;
}

std::string reason_of_failure(const System& system, const StaticSearch& search,
                              const Equilibrium& result) {
  int state = 0;
  if (search.unsettled().size() > 0 && search.unsettled().cwiseAbs().maxCoeff<Eigen::PropagateNaN>(
                                           &state) > 1e3 * max_abs(search.violation()))
    return fmt::format("no equilibrium found in {} iterations: {} does not settle",
                       result.iterations, system.name_of(Equation::kControl, state));
  if (!search.is_closed()) {
    int worst = 0;
    search.violation().cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&worst);
    return fmt::format("no equilibrium found in {} iterations: {} cannot be satisfied",
                       result.iterations, system.name_of(Equation::kConstraint, worst));
  }
  int worst = 0;
  search.unbalanced().cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&worst);
  std::string message =
      fmt::format("no equilibrium found in {} iterations: {} is out of balance by {:.3g} {}",
                  result.iterations, coordinate_name(system, worst), result.residual,
                  system.unit_of(worst) == Unit::kAngle ? "N m" : "N");
  if (result.load_reached > 0.0)
    message +=
        fmt::format("; loads in steps reach {:.3g} % of their size", 100.0 * result.load_reached);
  if (!result.free_motions.empty())
    message += fmt::format("; no force resists a motion of {}",
                           fmt::join(result.free_motions.front(), ", "));
  return message;
}

}  // namespace

Equilibrium find_equilibrium(const Mechanism& mechanism, const Start& start,
                             const EquilibriumOptions& options) {
  Equilibrium result;
  result.state = start.state;
  if (!start.consistency.ok()) {
    result.message = start.consistency.message;
    return result;
  }
  const RegularSystem regular(mechanism.system(), start.consistency);
  State s;
  regular.reduce(start.state, s);
  std::optional<RotatingFrame> frame;
  if (options.spin.norm() > 0.0) {
    frame.emplace(regular.system(), mechanism.bodies(), options.spin);
    frame->check(s);
  }
  const System& system = frame ? *frame : regular.system();
  StaticSearch search(system, mechanism.flexible(), s, options);
  if (search.has_stresses()) {
    const State before = s;
    result.found = search.load();
    result.load_steps = search.load_steps();
    result.load_reached = search.load_reached();
    if (result.found && !frame) {
      examine_stability(system, s, result);
      look_for_buckling(system, s, result);
      if (!result.is_stable) relax_from(before, system, search, s, result);
    }
  }
  if (!result.found) {
    result.found = search.relax();
    result.is_relaxed = true;
    if (!frame && s.position.allFinite() && s.multiplier.allFinite())
      examine_stability(system, s, result);
  }
  result.iterations = search.iterations();
  result.residual = max_abs(search.unbalanced());
  result.force_scale = search.force_scale();
  State space = s;
  if (frame) frame->to_space(s, space);
  regular.restore(space, result.state);
  result.moved = moved_bodies(mechanism, start.state.position, result.state.position);
  if (!result.found) result.message = reason_of_failure(system, search, result);
  return result;
}

Start start_of(const LoadedModel& loaded) {
  const Mechanism& mechanism = *loaded.mechanism;
  Start start = assemble_start(mechanism);
  if (loaded.model.run.start == StartMode::kAssembled || !start.consistency.ok()) return start;
  Equilibrium found;
  try {
    found = find_equilibrium(mechanism, start);
  } catch (const InputError& error) {
    found.message = error.what();
  }
  if (!found.found) {
    start.consistency.status = Consistency::Status::kNotAssembled;
    start.consistency.message = fmt::format(
        "start: static (line {}): {}", loaded.document.place_of("run.start").line, found.message);
    return start;
  }
  start.state = mechanism.initial_state();
  start.state.position = found.state.position;
  start.state.control = found.state.control;
  start.consistency = make_consistent(mechanism.system(), start.state);
  std::string note = "starts at the static equilibrium";
  if (!found.moved.empty())
    note += fmt::format(": {} is {:.3g} m and {:.3g} rad from where it was assembled",
                        found.moved.front().name, found.moved.front().distance,
                        found.moved.front().angle);
  if (!found.is_stable)
    note += fmt::format("; it is unstable, a small motion of {} grows",
                        fmt::join(found.unstable, ", "));
  start.notes.push_back(std::move(note));
  return start;
}

std::string to_json(const Equilibrium& equilibrium, const Mechanism& mechanism) {
  const auto numbers = [](const Vector3& v) { return nlohmann::json::array({v(0), v(1), v(2)}); };
  nlohmann::ordered_json json;
  json["found"] = equilibrium.found;
  json["message"] = equilibrium.message;
  json["iterations"] = equilibrium.iterations;
  json["load_steps"] = equilibrium.load_steps;
  json["load_reached"] = equilibrium.load_reached;
  json["relaxed"] = equilibrium.is_relaxed;
  json["residual"] = equilibrium.residual;
  json["force_scale"] = equilibrium.force_scale;
  json["stable"] = equilibrium.is_stable;
  json["unstable"] = equilibrium.unstable;
  json["free_motions"] = equilibrium.free_motions;
  const State& s = equilibrium.state;
  const Bodies& bodies = mechanism.bodies();
  for (int b = 1; b < bodies.size(); ++b) {
    const Pose<double> pose = bodies.pose(b, s.position);
    const Quaternion p = quaternion_of(pose.A);
    json["bodies"][bodies[b].name] = {{"position", numbers(pose.point(mechanism.origin(b)))},
                                      {"orientation", {p(0), p(1), p(2), p(3)}}};
  }
  for (const AssembledJoint& joint : mechanism.joints()) {
    const Reaction reaction = mechanism.reaction(joint, s);
    json["joints"][joint.name] = {{"force", numbers(reaction.force)},
                                  {"torque", numbers(reaction.torque)}};
  }
  for (const AssembledControl& control : mechanism.controls())
    json["controls"][control.name] = s.control(control.index);
  return json.dump();
}

}  // namespace picus
