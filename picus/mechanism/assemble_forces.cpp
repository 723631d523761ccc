// SPDX-License-Identifier: BSD-3-Clause
// Forces: magnitudes along directions.
#include <algorithm>

#include <fmt/format.h>

#include "picus/mechanism/assembler.h"

namespace picus {
namespace {

using Kind = Signal::Kind;

// Whether it is a torque.
bool is_torque(const ForceRow& row) {
  return std::holds_alternative<Spin>(row.direction) ||
         std::holds_alternative<Turn>(row.direction) ||
         std::holds_alternative<PlanarTurn>(row.direction);
}

// A vector of formulas has two or three, a torque may have one; empty when that is so.
std::string fault_of_count(std::string_view key, const std::vector<Formula>& found,
                           std::size_t least) {
  const std::size_t count = found.size();
  if (count >= least && count <= 3 && !(key == "torque" && count == 2)) return {};
  // [step(time, 0, 0, 1, 1), 0] is six entries of a YAML list
  const bool is_torn = std::any_of(found.begin(), found.end(), [](const Formula& formula) {
    return std::count(formula.text.begin(), formula.text.end(), '(') !=
           std::count(formula.text.begin(), formula.text.end(), ')');
  });
  return fmt::format("{}: found {} components, expected {}{}", key, count,
                     key == "torque" ? "1 (about z) or 3" : "1, 2 or 3",
                     is_torn ? "; put formulas with commas in quotes" : "");
}

// What people call the measure along which a spring works; empty for other forces.
template <class F>
std::string name_of_measure(const F&, const ForceRow& row) {
  if constexpr (std::is_same_v<F, SpringDamper>) {
    return "length";
  } else if constexpr (std::is_same_v<F, TorsionSpring>) {
    return "angle";
  } else if constexpr (std::is_same_v<F, Bushing>) {
    return fmt::format("{}{}", is_torque(row) ? 'r' : 'd', row.name.substr(1));  // of tx, fx
  } else {
    return {};
  }
}

template <class F>
std::string fault_of_components(const F& force) {
  if constexpr (std::is_same_v<F, PointForce>) {
    return fault_of_count("force", force.force, 1);
  } else if constexpr (std::is_same_v<F, Torque>) {
    return fault_of_count("torque", force.torque, 1);
  } else if constexpr (std::is_same_v<F, GeneralForce>) {
    const std::string fault = fault_of_count("force", force.force, 0);
    return !fault.empty() || force.torque.empty() ? fault
                                                  : fault_of_count("torque", force.torque, 1);
  } else {
    return {};
  }
}

}  // namespace

// Force states are unknowns with names, which controls may read.
void Assembler::add_force_names() {
  for (const Named<Force>& part : model_.forces) {
    if (!is_new_name(part.name, part.place)) continue;
    const auto* general = std::get_if<GeneralForce>(&part.value);
    if (general == nullptr || !general->states) continue;
    ForceEquations equations({}, {}, false, 0.0);
    general->state(equations);
    for (const ForceRow& row : equations.rows())
      builder_.add_control(part.name + "." + row.name, true, 0.0);
  }
}

void Assembler::add_forces() {
  for (const Named<Force>& part : model_.forces) {
    const Within within(*this, part.placement);
    std::visit([&](const auto& force) { add_force(part, force); }, part.value);
  }
  add_springs_of_joints();
}

template <class F>
void Assembler::add_force(const Named<Force>& part, const F& force) {
  F placed = force;
  placed.place = part.place;
  const auto frames = frames_of_force(placed);
  if (!frames) return;
  const auto& [i, j] = *frames;
  const bool planar = builder_.bodies().is_planar(i.body) && builder_.bodies().is_planar(j.body);
  ForceEquations equations(i.frame, j.frame, planar, initial_turn(i.body, j.body));
  force.state(equations);
  if (const std::string fault = fault_of_components(force); !fault.empty())
    return complain(part.place, fmt::format("force '{}': {}", part.name, fault));
  if (equations.rows().empty())
    return complain(part.place, fmt::format("force '{}' has no components", part.name));
  if (!acts_in_plane(part, planar, i.body)) return;
  check_force(part, i, j);
  if constexpr (std::is_same_v<F, SpringDamper>) {
    if (point_of(i) == point_of(j))
      return complain(part.place,
                      fmt::format("force '{}': both ends are at the same place, so it has no "
                                  "direction; give points or markers",
                                  part.name));
  }
  AssembledForce record{.name = part.name,
                        .type = std::string(F::kType),
                        .body_i = i.body,
                        .body_j = j.body,
                        .frame_i = i.frame,
                        .frame_j = j.frame};
  bool states = false;
  if constexpr (std::is_same_v<F, GeneralForce>) states = force.states;
  for (const ForceRow& row : equations.rows()) {
    add_row(record, row, i.body, j.body, states ? std::string_view(part.name) : std::string_view());
    if (const std::string name = name_of_measure(force, row); !name.empty())
      record.measures.push_back({name,
                                 term_between(row.measured.value_or(row.direction), i.body, j.body),
                                 is_torque(row) ? "rad" : "m"});
  }
  builder_.add_force_record(std::move(record));
}

Vector3 Assembler::point_of(const PlacedFrame& frame) const {
  const Pose<double> pose = builder_.bodies().pose(frame.body, builder_.state().position);
  return pose.point(frame.frame.point);
}

// In the plane forces along z and torques about x and y have no effect: they were meant otherwise.
bool Assembler::acts_in_plane(const Named<Force>& part, bool planar, int body) {
  const auto is_zero = [&](const Formula& formula) {
    const auto expression = parse(formula);
    return !expression || (expression->is_constant() && (*expression)({}) == 0.0);
  };
  const auto refuse = [&](const Formula& formula, const char* what, const char* instead) {
    complain(formula.place,
             fmt::format("force '{}': found {} on '{}', which is planar, so it has no effect; {}",
                         part.name, what, builder_.bodies()[body].name, instead));
    return false;
  };
  // a carried frame feels what acts along its coordinates, wherever that leads
  if (!planar || builder_.bodies().is_carried(body)) return true;
  return std::visit(
      [&](const auto& force) {
        if constexpr (requires { force.force.size(); }) {
          if (force.force.size() == 3 && !is_zero(force.force[2]))
            return refuse(force.force[2], "a force along z", "forces in the plane are [x, y]");
        }
        if constexpr (requires { force.torque.size(); }) {
          for (std::size_t k = 0; k < 2 && force.torque.size() == 3; ++k)
            if (!is_zero(force.torque[k]))
              return refuse(force.torque[k], k == 0 ? "a torque about x" : "a torque about y",
                            "one number is a torque about z");
        }
        return true;
      },
      part.value);
}

// What is possible, but rarely meant.
void Assembler::check_force(const Named<Force>& part, const PlacedFrame& i, const PlacedFrame& j) {
  const auto place = [&](const char* key) {
    return context_.place_of(fmt::format("forces.{}.{}", part.name, key));
  };
  const bool is_torque = std::holds_alternative<Torque>(part.value) ||
                         std::holds_alternative<TorsionSpring>(part.value);
  for (const PlacedFrame* frame : {&i, &j}) {
    const Body& body = builder_.bodies()[frame->body];
    if (is_torque && is_point(body.kind))
      complain(part.place,
               fmt::format("force '{}' is a torque on '{}', which is a point and cannot rotate; "
                           "give the body inertia and remove 'type: point'",
                           part.name, body.name));
  }
  const auto expect_not_negative = [&](const char* key, double value, const char* effect) {
    if (value < 0.0)
      warn(place(key), fmt::format("force '{}': {}: found {:g}; a negative value {}", part.name,
                                   key, value, effect));
  };
  std::visit(
      [&](const auto& force) {
        using F = std::decay_t<decltype(force)>;
        if constexpr (std::is_same_v<F, Bushing>) {
          check_bushing(part, force, i.body);
        } else if constexpr (requires { force.stiffness + force.damping; }) {
          expect_not_negative("stiffness", force.stiffness, "pushes away from the free position");
          expect_not_negative("damping", force.damping, "feeds energy into the motion");
        }
      },
      part.value);
}

// Two numbers are x and y, and leave z at 0.
void Assembler::check_bushing(const Named<Force>& part, const Bushing& bushing, int body) {
  const bool planar = builder_.bodies().is_planar(body);
  const auto check = [&](const char* key, const Vector3& value, bool is_needed) {
    const SourcePlace place = context_.place_of(fmt::format("forces.{}.{}", part.name, key));
    if (value.minCoeff() < 0.0)
      warn(place, fmt::format("force '{}': {}: found a negative number, {:g}", part.name, key,
                              value.minCoeff()));
    if (!planar && is_needed && value(2) == 0.0 && value(0) != 0.0 && value(1) != 0.0)
      warn(place, fmt::format("force '{}': {} is 0 along z, so nothing holds the bodies in that "
                              "direction; two numbers give x and y only",
                              part.name, key));
  };
  check("stiffness", bushing.stiffness, true);
  check("damping", bushing.damping, bushing.stiffness(2) != 0.0);
  check("torsional_stiffness", bushing.torsional_stiffness, true);
  check("torsional_damping", bushing.torsional_damping, bushing.torsional_stiffness(2) != 0.0);
}

std::optional<std::pair<PlacedFrame, PlacedFrame>> Assembler::frames_of_force(
    const Connection& force) {
  return frames_of(force, Vector3::UnitZ());
}

template <class F>
std::optional<std::pair<PlacedFrame, PlacedFrame>> Assembler::frames_of_force(const F& force) {
  if constexpr (std::is_base_of_v<Connection, F>) {
    return frames_of(force, Vector3::UnitZ());
  } else if constexpr (std::is_same_v<F, PointForce>) {
    auto frame = find_frame(force.body);
    if (!frame) return std::nullopt;
    if (frame->body == Bodies::kGround) {
      complain(force.body.place, "a force on the ground has no effect");
      return std::nullopt;
    }
    if (force.at)
      frame->frame.point =
          carried_by(frame->body, here().point(*force.at), Matrix3::Identity()).frame.point;
    return std::pair(*frame, PlacedFrame{Bodies::kGround, {Vector3::Zero(), here().axes}});
  } else if constexpr (requires { force.points; }) {
    return frames_at(force.between, force.points, force.place);
  } else {
    return frames_at(force.between, {}, force.place);
  }
}

void Assembler::add_row(AssembledForce& record, const ForceRow& row, int body_i, int body_j,
                        std::string_view state_name) {
  auto value = std::visit(
      [&](const auto& law) { return magnitude(law, row, body_i, body_j, record); }, row.magnitude);
  if (!value) return;
  if (!state_name.empty()) {
    // F − f(…) = 0, and F acts; (8c)
    const int index = control_index(fmt::format("{}.{}", state_name, row.name));
    builder_.add_control_equation({.index = index, .value_weight = 1.0, .law = std::move(*value)});
    value = Formulation{{{.kind = Kind::kControl, .index = index}},
                        [](std::span<const double> s, std::span<double> gradient) {
                          gradient[0] = 1.0;
                          return s[0];
                        }};
  }
  record.components.push_back({row.name, *value, is_torque(row) ? "N m" : "N"});
  builder_.add_force({term_between(row.direction, body_i, body_j), std::move(*value)});
}

std::optional<Formulation> Assembler::magnitude(const LinearLaw& law, const ForceRow& row, int i,
                                                int j, AssembledForce& record) {
  const Term along = term_between(row.direction, i, j);
  return linear(law,
                {row.measured ? term_between(*row.measured, i, j) : along, along, is_torque(row)},
                record);
}

std::optional<Formulation> Assembler::magnitude(const FormulaLaw& law, const ForceRow&, int i,
                                                int j, AssembledForce&) {
  return formulate(law.formula, {.unit = law.unit, .names = law.names, .body_i = i, .body_j = j});
}

std::optional<Formulation> Assembler::magnitude(const CodedLaw& law, const ForceRow&, int i, int j,
                                                AssembledForce& record) {
  Formulation result{{}, law.law};
  for (const CodedLaw::Input& input : law.inputs)
    result.signals.push_back({.kind = input.is_rate ? Kind::kRate : Kind::kValue,
                              .term = term_between(input.direction, i, j)});
  if (law.kink) {
    result.switches = 1;
    result.switch_law = [kink = law.kink](std::span<const double> signals,
                                          std::span<double> values) { values[0] = kink(signals); };
  }
  if (law.potential) {
    record.add_potential([potential = law.potential, signals = result.signals,
                          &bodies = builder_.bodies()](const State& s) {
      std::array<double, kMaxSignals> values;
      for (std::size_t k = 0; k < signals.size(); ++k)
        values[k] = signals[k].read(bodies, s);
      return potential(std::span<const double>(values).first(signals.size()));
    });
  }
  return result;
}

}  // namespace picus
