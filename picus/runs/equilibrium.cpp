// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "picus/math/block_matrix.h"
#include "picus/runs/linearization.h"
#include "picus/runs/names.h"

namespace picus {
namespace {

enum Block { kMotion, kReaction, kRolling, kControls };

constexpr double kLongestTurn = 0.3;   // of one step [rad]
constexpr double kLongestShift = 0.2;  // of one step, relative to the extent of the system
constexpr double kClosed = 1e-10;      // violation of joints, relative to 1 + the extent

// The pseudo-time iteration on a system with independent constraints.
class Relaxation {
 public:
  Relaxation(const System& system, State& s, const EquilibriumOptions& options)
      : system_(system), s_(s), options_(options), n_(system.sizes()) {
    zero_ = Vector::Zero(n_.velocities);
    s_.velocity = s_.acceleration = zero_;
    s_.control_rate.setZero();
    extent_ = std::max(system_.extent(s_), 1e-6);
    if (extent_ <= 1e-6) extent_ = 1.0;
    matrix_.reset({n_.velocities, n_.constraints, n_.nonholonomic, n_.controls});
  }

  /// True when the forces balance; iterations() and the residuals tell the rest.
  bool run() {
    evaluate();
    delta_ = first_delta();
    for (iterations_ = 0; iterations_ < options_.max_iterations; ++iterations_) {
      if (!F_.allFinite() || !g_.allFinite() || !d_.allFinite()) return false;
      if (is_balanced()) return true;
      if (!step()) return false;
    }
    return is_balanced();
  }

  int iterations() const { return iterations_; }
  const Vector& unbalanced() const { return F_; }
  const Vector& violation() const { return g_; }
  const Vector& unsettled() const { return d_; }
  double force_scale() const { return scale_; }
  bool is_closed() const { return max_abs(g_) <= kClosed * (1.0 + extent_); }

 private:
  void evaluate() {
    system_.force(s_, F_);
    system_.constraint(s_, g_);
    system_.control(s_, d_);
    // the largest of all forces met so far, reactions and applied ones
    State bare = s_;
    bare.multiplier.setZero();
    bare.nonholonomic_multiplier.setZero();
    Vector applied;
    system_.force(bare, applied);
    scale_ = std::max({scale_, max_abs(applied), max_abs(Vector(F_ - applied))});
  }

  // Forces of stiff parts cannot be balanced better than positions are rounded.
  bool is_balanced() const {
    return max_abs(F_) <= std::max(options_.tolerance * scale_, rounding_) && is_closed() &&
           max_abs(d_) <= options_.tolerance * (1.0 + max_abs(s_.control));
  }

  double merit() const {
    const double force = scale_ > 0.0 ? max_abs(F_) / scale_ : 0.0;
    return std::max(
        {force, max_abs(g_) / (1.0 + extent_), max_abs(d_) / (1.0 + max_abs(s_.control))});
  }

  // By which the first step moves a tenth of what a step may.
  double first_delta() {
    system_.mass_matrix(s_, M_);
    const Vector weights = kinetic_weights(system_, s_);
    double fastest = 0.0;
    for (int i = 0; i < n_.velocities; ++i)
      if (weights(i) > 0.0)
        fastest = std::max(fastest, std::abs(F_(i)) / (weights(i) * weights(i)) / reach(i));
    return fastest > 0.0 ? 0.1 / fastest : 1.0;
  }

  double reach(int coordinate) const {
    return system_.unit_of(coordinate) == Unit::kAngle ? kLongestTurn : kLongestShift * extent_;
  }

  bool factorize() {
    const Chart here{s_.position, zero_};
    system_.mass_matrix(s_, M_);
    system_.momentum_tangent(s_, here, K_, D_);
    rounding_ = force_of_rounding();
    system_.constraint_jacobian(s_, G_);
    system_.multiplier_tangent(s_, F_lambda_, F_psi_);
    system_.nonholonomic_tangent(s_, here, k_q_, k_v_);
    matrix_.begin();
    matrix_.add(kMotion, kMotion, 1.0 / delta_, M_);
    matrix_.add(kMotion, kMotion, 1.0, K_);
    matrix_.add(kMotion, kReaction, -1.0, F_lambda_);
    matrix_.add(kMotion, kRolling, -1.0, F_psi_);
    matrix_.add(kReaction, kMotion, 1.0, G_);
    matrix_.add(kRolling, kMotion, 1.0, k_v_);
    if (n_.controls > 0) {
      system_.control_tangent(s_, here, control_);
      matrix_.add(kMotion, kControls, -1.0, control_.force);
      matrix_.add(kControls, kMotion, 1.0, control_.position);
      matrix_.add(kControls, kReaction, 1.0, control_.multiplier);
      matrix_.add(kControls, kControls, 1.0 / delta_, control_.rate);
      matrix_.add(kControls, kControls, 1.0, control_.control);
    }
    return matrix_.factorize();
  }

  // What a rounding of all lengths changes: ε times the largest sum of a row of |K|, times the
  // extent.
  double force_of_rounding() const {
    Vector sums = Vector::Zero(n_.velocities);
    K_.for_each([&](int row, int col, double value) {
      if (system_.unit_of(col) != Unit::kAngle) sums(row) += std::abs(value);
    });
    return std::numeric_limits<double>::epsilon() * extent_ * max_abs(sums);
  }

  // dqᵀ (M/δ + K) dq: negative when the step would climb towards an unstable position.
  double curvature(const Vector& dq) const {
    Vector product = Vector::Zero(n_.velocities);
    M_.multiply_add(1.0 / delta_, dq, product);
    K_.multiply_add(1.0, dq, product);
    return dq.dot(product);
  }

  // One step of the iteration; false when no step can be made.
  bool step() {
    constexpr int kMaxTries = 60;
    const double before = merit();
    for (int attempt = 0; attempt < kMaxTries; ++attempt, delta_ *= 0.25) {
      if (!factorize()) continue;
      x_.resize(matrix_.size());
      x_ << F_, -g_, Vector::Zero(n_.nonholonomic), -d_;
      matrix_.solve(x_);
      const Vector dq = x_.head(n_.velocities);
      if (!x_.allFinite() || curvature(dq) < 0.0) continue;
      const State from = s_;
      const double part = apply(from);
      evaluate();
      if (merit() <= 4.0 * before || attempt + 1 == kMaxTries) {
        const double gain = before / std::max(merit(), 1e-300);
        delta_ *= part < 1.0 ? 1.0 : 1.2 * std::clamp(gain, 1.0, 10.0);
        return true;
      }
      s_ = from;
      evaluate();
    }
    return false;
  }

  // Moves by x_, shortened to what one step may do; returns the part taken.
  double apply(const State& from) {
    double longest = 0.0;
    for (int i = 0; i < n_.velocities; ++i)
      longest = std::max(longest, std::abs(x_(i)) / reach(i));
    const double part = longest > 1.0 ? 1.0 / longest : 1.0;
    const int nv = n_.velocities, nc = n_.constraints, nn = n_.nonholonomic;
    const Vector dq = part * x_.head(nv);
    system_.retract(from.position, dq, s_.position);
    s_.multiplier = from.multiplier + part * x_.segment(nv, nc);
    s_.nonholonomic_multiplier = from.nonholonomic_multiplier + part * x_.segment(nv + nc, nn);
    s_.control = from.control + part * x_.tail(n_.controls);
    return part;
  }

  const System& system_;
  State& s_;
  EquilibriumOptions options_;
  SystemSizes n_;
  double extent_ = 1.0, scale_ = 0.0, delta_ = 1.0, rounding_ = 0.0;
  int iterations_ = 0;
  Vector zero_, F_, g_, d_, x_;
  SparseMatrix M_, K_, D_, G_, F_lambda_, F_psi_, k_q_, k_v_;
  ControlTangent control_;
  BlockMatrix matrix_;
};

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

std::string reason_of_failure(const System& system, const Relaxation& search,
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
  Relaxation search(regular.system(), s, options);
  result.found = search.run();
  result.iterations = search.iterations();
  result.residual = max_abs(search.unbalanced());
  result.force_scale = search.force_scale();
  regular.restore(s, result.state);
  result.moved = moved_bodies(mechanism, start.state.position, result.state.position);
  if (s.position.allFinite() && s.multiplier.allFinite())
    examine_stability(regular.system(), s, result);
  if (!result.found) result.message = reason_of_failure(regular.system(), search, result);
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
