// SPDX-License-Identifier: BSD-3-Clause
// Motors on joint coordinates.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "picus/mechanism/assembler.h"

namespace picus {
namespace {

using Kind = Signal::Kind;

// T = feed + stiffness (target − q) + damping (speed − q̇), within ±limit. Its signals are q and q̇,
// followed by those of the formulas in their order.
class MotorLaw {
 public:
  enum Part { kFeed, kTarget, kSpeed, kLimit, kParts };

  MotorLaw(double stiffness, double damping) : stiffness_(stiffness), damping_(damping) {}

  void take(Part part, Formulation formula) {
    is_limited_ = is_limited_ || part == kLimit;
    parts_[part] = std::move(formula);
  }
  Formulation with(const Term& coordinate, const std::string& name) const {
    Formulation result;
    result.signals = {{.kind = Kind::kValue, .term = coordinate},
                      {.kind = Kind::kRate, .term = coordinate}};
    for (const auto& part : parts_) {
      if (!part) continue;
      result.signals.insert(result.signals.end(), part->signals.begin(), part->signals.end());
      result.switches += part->switches;
      if (result.text.empty()) result.text = part->text;
    }
    const MotorLaw law = *this;
    result.law = [law](std::span<const double> s, std::span<double> gradient) {
      return law.torque(s, gradient);
    };
    if (is_limited_) {
      result.switches += 2;
      result.switch_name = fmt::format("motor '{}'", name);
    }
    if (result.switches > 0)
      result.switch_law = [law](std::span<const double> s, std::span<double> values) {
        law.switches(s, values);
      };
    return result;
  }

 private:
  using Values = std::array<double, kParts>;
  using Slopes = std::array<double, kParts + 2>;  ///< of T by q, q̇ and the formulas

  double free_torque(std::span<const double> s, const Values& of) const {
    return of[kFeed] + stiffness_ * (of[kTarget] - s[0]) + damping_ * (of[kSpeed] - s[1]);
  }

  double torque(std::span<const double> s, std::span<double> gradient) const {
    Values of = {};
    std::size_t first = 2;
    for (std::size_t k = 0; k < kParts; ++k) {
      if (!parts_[k]) continue;
      const std::size_t count = parts_[k]->signals.size();
      of[k] = parts_[k]->law(s.subspan(first, count), gradient.subspan(first, count));
      first += count;
    }
    const double torque = free_torque(s, of), limit = std::max(of[kLimit], 0.0);
    Slopes slope = {-stiffness_, -damping_, 1.0, stiffness_, damping_, 0.0};
    const bool is_full = is_limited_ && std::abs(torque) > limit;
    if (is_full) {
      slope = {};
      slope[2 + kLimit] = of[kLimit] < 0.0 ? 0.0 : std::copysign(1.0, torque);
    }
    gradient[0] = slope[0];
    gradient[1] = slope[1];
    first = 2;
    for (std::size_t k = 0; k < kParts; ++k) {
      if (!parts_[k]) continue;
      for (std::size_t end = first + parts_[k]->signals.size(); first < end; ++first)
        gradient[first] *= slope[2 + k];
    }
    return is_full ? std::copysign(limit, torque) : torque;
  }

  // Switching functions of the formulas, then distances from the two limits.
  void switches(std::span<const double> s, std::span<double> values) const {
    Values of = {};
    std::size_t first = 2, next = 0;
    for (std::size_t k = 0; k < kParts; ++k) {
      if (!parts_[k]) continue;
      const Formulation& part = *parts_[k];
      const std::span<const double> own = s.subspan(first, part.signals.size());
      of[k] = part.value(own);
      const auto count = static_cast<std::size_t>(part.switches);
      if (count > 0) part.switch_law(own, values.subspan(next, count));
      first += own.size();
      next += count;
    }
    if (!is_limited_) return;
    const double torque = free_torque(s, of), limit = std::max(of[kLimit], 0.0);
    values[next] = limit - torque;
    values[next + 1] = limit + torque;
  }

  double stiffness_, damping_;
  bool is_limited_ = false;
  std::array<std::optional<Formulation>, kParts> parts_ = {};
};

// What is missing or contradictory in a motor; empty when nothing is.
std::string fault_of_motor(const Motor& motor, bool is_angle) {
  if (is_angle ? motor.force.has_value() : motor.torque.has_value())
    return is_angle ? "found force, expected torque: the joint rotates"
                    : "found torque, expected force: the joint slides";
  if (!motor.torque && !motor.force && !motor.target && !motor.speed)
    return fmt::format("expected {}, target or speed", is_angle ? "torque" : "force");
  if (motor.target && !(motor.stiffness > 0.0))
    return fmt::format("target: found stiffness {:g}, expected a positive number", motor.stiffness);
  if (motor.speed && !(motor.damping > 0.0))
    return fmt::format("speed: found damping {:g}, expected a positive number", motor.damping);
  if (motor.stiffness != 0.0 && !motor.target)
    return "found stiffness without target; state target, or remove stiffness";
  if (motor.damping != 0.0 && !motor.target && !motor.speed)
    return "found damping without target or speed; for damping of the joint use its key 'damping'";
  if (motor.damping < 0.0)
    return fmt::format("damping: found {:g}, expected at least 0", motor.damping);
  return {};
}

}  // namespace

void Assembler::add_force(const Named<Force>& part, const Motor& motor) {
  const AssembledJoint::Coordinate* found = find_coordinate(motor.joint);
  if (found == nullptr) return;
  const AssembledJoint::Coordinate coordinate = *found;
  const bool is_angle = coordinate.unit == unit::kAngle;
  if (const std::string fault = fault_of_motor(motor, is_angle); !fault.empty())
    return complain(part.place, fmt::format("motor '{}': {}", part.name, fault));
  const Term& term = coordinate.term;
  Dimension rate = coordinate.unit;
  rate.time -= 1;
  const std::array<Local, 2> names{Local{coordinate.name, term.direction, false, coordinate.unit},
                                   Local{"rate", term.direction, true, rate}};
  const Dimension effort = is_angle ? unit::kTorque : unit::kForce;
  MotorLaw law(
      motor.stiffness *
          context_.scale(is_angle ? unit::kTorsionalStiffness : unit::kStiffness, part.place),
      motor.damping *
          context_.scale(is_angle ? unit::kTorsionalDamping : unit::kDamping, part.place));
  bool is_fine = true;
  const auto take = [&](MotorLaw::Part which, const std::optional<Formula>& formula,
                        const Dimension& unit) {
    if (!formula) return;
    auto known = formulate(
        *formula, {.unit = unit, .names = names, .body_i = term.body_i, .body_j = term.body_j});
    is_fine = is_fine && known;
    if (!known) return;
    if (which == MotorLaw::kLimit && known->signals.empty() && known->value({}) < 0.0) {
      complain(formula->place, fmt::format("motor '{}': limit: found {:g}, expected at least 0",
                                           part.name, known->value({})));
      is_fine = false;
    }
    law.take(which, std::move(*known));
  };
  take(MotorLaw::kFeed, is_angle ? motor.torque : motor.force, effort);
  take(MotorLaw::kTarget, motor.target, coordinate.unit);
  take(MotorLaw::kSpeed, motor.speed, rate);
  take(MotorLaw::kLimit, motor.limit, effort);
  if (!is_fine) return;
  Formulation magnitude = law.with(term, part.name);
  if (magnitude.signals.size() > kMaxSignals)
    return complain(part.place, fmt::format("motor '{}': found {} names in its formulas, expected "
                                            "at most {}",
                                            part.name, magnitude.signals.size(), kMaxSignals));
  const AssembledJoint* joint = builder_.find_joint(joint_in(motor.joint.text));
  AssembledForce record{.name = part.name,
                        .type = std::string(Motor::kType),
                        .body_i = term.body_i,
                        .body_j = term.body_j,
                        .frame_i = joint->frame_i,
                        .frame_j = joint->frame_j};
  record.components.push_back({is_angle ? "torque" : "force", magnitude, is_angle ? "N m" : "N"});
  record.driven = term;
  builder_.add_force({term, std::move(magnitude)});
  builder_.add_force_record(std::move(record));
}

}  // namespace picus
