// SPDX-License-Identifier: BSD-3-Clause
// From names in formulas to signals.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "picus/mechanism/assembler.h"
#include "picus/mechanism/formula_names.h"

namespace picus {
namespace {

using Kind = Signal::Kind;

struct PointName {
  std::string_view name;
  int axis;
  Kind kind;
  Dimension unit;
};
constexpr std::array kPointNames{
    PointName{"x", 0, Kind::kValue, unit::kLength},
    PointName{"y", 1, Kind::kValue, unit::kLength},
    PointName{"z", 2, Kind::kValue, unit::kLength},
    PointName{"vx", 0, Kind::kRate, unit::kSpeed},
    PointName{"vy", 1, Kind::kRate, unit::kSpeed},
    PointName{"vz", 2, Kind::kRate, unit::kSpeed},
    PointName{"ax", 0, Kind::kAcceleration, unit::kAcceleration},
    PointName{"ay", 1, Kind::kAcceleration, unit::kAcceleration},
    PointName{"az", 2, Kind::kAcceleration, unit::kAcceleration},
};

// "pin.angle" → {"pin", "angle"}; the last dot counts.
std::pair<std::string, std::string> split_last(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {name, {}};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

constexpr std::size_t kManyMarkers = 2000;

constexpr Dimension kAngularAcceleration{.time = -2, .angle = 1};

Dimension rate_of(Dimension unit, int order) {
  unit.time -= order;
  return unit;
}

}  // namespace

std::span<const MeasureEntry> measure_catalog() {
  static constexpr std::array entries{
      MeasureEntry{"distance", "distance(a, b)", "distance between two markers"},
      MeasureEntry{"distance_rate", "distance_rate(a, b)", "its rate"},
      MeasureEntry{"dx", "dx(a, b)", "x of marker a minus x of marker b, in space"},
      MeasureEntry{"dy", "dy(a, b)", "the same along y"},
      MeasureEntry{"dz", "dz(a, b)", "the same along z"},
      MeasureEntry{"px", "px(a, b)", "position of marker a along the x axis of marker b"},
      MeasureEntry{"py", "py(a, b)", "the same along y"},
      MeasureEntry{"pz", "pz(a, b)", "the same along z"},
      MeasureEntry{"px_rate", "px_rate(a, b)", "rate of px"},
      MeasureEntry{"py_rate", "py_rate(a, b)", "rate of py"},
      MeasureEntry{"pz_rate", "pz_rate(a, b)", "rate of pz"},
      MeasureEntry{"turn", "turn(a, b)", "angle of the x axis of a about the z axis of b"},
      MeasureEntry{"turn_rate", "turn_rate(a, b)", "its rate"},
  };
  return entries;
}

std::shared_ptr<const Expression> Assembler::parse(const Formula& formula, Effect effect) {
  std::shared_ptr<const Expression>& known = parsed_[{formula.placement, formula.text}];
  if (known) return known;
  static const std::vector<std::string_view> measures = [] {
    std::vector<std::string_view> names;
    for (const MeasureEntry& entry : measure_catalog())
      names.push_back(entry.name);
    return names;
  }();
  try {
    known = std::make_shared<const Expression>(Expression::parse(
        formula.text, FormulaContext{.constant =
                                         [&](std::string_view name) {
                                           return context_.parameter(formula.placement, name);
                                         },
                                     .measures = measures,
                                     .tables = &tables_[formula.placement]}));
    const auto inputs = known->inputs();
    if (effect == Effect::kMotion &&
        std::any_of(inputs.begin(), inputs.end(),
                    [](const FormulaInput& input) { return input.name == "time"; }))
      builder_.note_time();
  } catch (const FormulaError& error) {
    complain(context_.place_in(formula, error.column()), error.problem());
  }
  return known;
}

std::optional<Formulation> Assembler::formulate(const Formula& formula, const FormulaScope& scope) {
  const std::shared_ptr<const Expression> expression = parse(formula);
  if (!expression) return std::nullopt;
  Formulation result;
  bool is_known = true;  // every unknown name is reported
  for (const FormulaInput& input : expression->inputs()) {
    auto signal = find_signal(input, formula, scope);
    if (!signal) {
      is_known = false;
      continue;
    }
    if (!scope.accelerations &&
        (signal->kind == Kind::kAcceleration || signal->kind == Kind::kMultiplier ||
         signal->kind == Kind::kControlRate)) {
      complain(context_.place_in(formula, input.column),
               fmt::format("{} cannot use '{}' directly; define a variable for it under controls "
                           "and use that",
                           scope.owner, input.name));
      is_known = false;
    }
    result.signals.push_back(std::move(*signal));
  }
  if (!is_known) return std::nullopt;
  if (result.signals.size() > kMaxSignals) {
    complain(formula.place, fmt::format("found {} names in one formula, expected at most {}",
                                        result.signals.size(), kMaxSignals));
    return std::nullopt;
  }
  const double si = context_.scale(scope.unit, formula.place);
  result.law = [expression, si](std::span<const double> signals, std::span<double> gradient) {
    const double value = expression->with_gradient(signals, gradient);
    for (double& slope : gradient)
      slope *= si;
    return si * value;
  };
  result.value_law = [expression, si](std::span<const double> signals) {
    return si * (*expression)(signals);
  };
  result.formula = expression;
  builder_.add_schedule({expression, result.signals});
  result.text = formula.text;
  result.switches = expression->switches();
  if (result.switches > 0) {
    result.switch_law = [expression](std::span<const double> signals, std::span<double> values) {
      expression->switch_values(signals, values);
    };
  }
  return result;
}

std::optional<Signal> Assembler::find_signal(const FormulaInput& input, const Formula& formula,
                                             const FormulaScope& scope) {
  const SourcePlace place = context_.place_in(formula, input.column);
  const Within within(*this, formula.placement);
  if (!input.arguments.empty()) return measure_signal(input, place);
  if (input.name == "time")
    return Signal{.kind = Kind::kTime, .scale = to_user(unit::kTime, formula.place)};
  if (auto signal = local_signal(input.name, scope, formula.place)) return signal;
  const std::string name = here().full_name(input.name);
  if (auto signal = control_signal(name)) return signal;
  if (auto signal = joint_signal(name, formula.place)) return signal;
  if (auto signal = body_signal(name, formula.place)) return signal;
  complain(place, unknown_in_formula(name, scope));
  return std::nullopt;
}

// What to say about a name that nothing has.
std::string Assembler::unknown_in_formula(const std::string& name,
                                          const FormulaScope& scope) const {
  if (const AssembledJoint* joint = builder_.find_joint(name);
      joint != nullptr && !joint->coordinates.empty())
    return fmt::format("'{}' is a joint; expected one of its coordinates: {}.{}", name, name,
                       joint->coordinates.front().name);
  if (markers_.contains(name))
    return fmt::format("'{}' is a body or marker; expected a component: {}.x, {}.vx", name, name,
                       name);
  const std::vector<std::string> known = known_names();
  std::vector<std::string_view> candidates(known.begin(), known.end());
  for (const Local& local : scope.names)
    candidates.push_back(local.name);
  candidates.insert(candidates.end(), scope.others.begin(), scope.others.end());
  const std::string_view nearest = nearest_name(name, candidates);
  if (!nearest.empty()) return fmt::format("unknown name '{}'; did you mean '{}'?", name, nearest);
  const auto [owner, last] = split_last(name);
  const auto frame = markers_.find(owner);
  if (frame == markers_.end())
    return fmt::format(
        "unknown name '{}': expected time, a parameter, a state or variable, JOINT.coordinate, "
        "BODY.x or similar",
        name);
  const bool planar = builder_.bodies().is_planar(frame->second.body);
  return fmt::format("'{}' has no '{}': expected x, y, z, vx, vy, vz, ax, ay, az, wx, wy, wz{}",
                     owner, last, planar ? ", angle, omega or alpha" : "; angles belong to joints");
}

std::optional<Signal> Assembler::local_signal(const std::string& name, const FormulaScope& scope,
                                              SourcePlace place) {
  for (const Local& local : scope.names) {
    if (local.name != name) continue;
    return Signal{.kind = local.is_rate ? Kind::kRate : Kind::kValue,
                  .term = term_between(local.direction, scope.body_i, scope.body_j),
                  .scale = to_user(local.unit, place)};
  }
  return std::nullopt;
}

int Assembler::control_index(const std::string& name) const {
  return builder_.find_control(name);
}

std::optional<Signal> Assembler::control_signal(const std::string& name) {
  const int index = control_index(name);
  if (index >= 0) return Signal{.kind = Kind::kControl, .index = index};
  const auto [owner, last] = split_last(name);
  const int state = last == "rate" ? control_index(owner) : -1;
  if (state >= 0 && !builder_.controls()[static_cast<std::size_t>(state)].is_variable)
    return Signal{.kind = Kind::kControlRate, .index = state};
  if (last == "force" && motion_rows_.contains(owner))
    return Signal{.kind = Kind::kMultiplier, .index = motion_rows_.at(owner)};
  return std::nullopt;
}

std::optional<Signal> Assembler::joint_signal(const std::string& name, SourcePlace place) {
  auto [owner, last] = split_last(name);
  Kind kind = Kind::kValue;
  int order = 0;
  if (last == "rate" || last == "acceleration") {
    kind = last == "rate" ? Kind::kRate : Kind::kAcceleration;
    order = last == "rate" ? 1 : 2;
    std::tie(owner, last) = split_last(owner);
  }
  const AssembledJoint* joint = builder_.find_joint(owner);
  if (joint == nullptr) return std::nullopt;
  for (const AssembledJoint::Coordinate& coordinate : joint->coordinates)
    if (coordinate.name == last)
      return Signal{.kind = kind,
                    .term = coordinate.term,
                    .scale = to_user(rate_of(coordinate.unit, order), place)};
  return std::nullopt;
}

std::optional<Signal> Assembler::body_signal(const std::string& name, SourcePlace place) {
  const auto [owner, last] = split_last(name);
  const auto found = markers_.find(owner);
  if (found == markers_.end()) return std::nullopt;
  const PlacedFrame& frame = found->second;
  for (const PointName& point : kPointNames) {
    if (point.name != last) continue;
    return Signal{.kind = point.kind,
                  .term = {.body_i = frame.body,
                           .direction = Separation{frame.frame.point, here().at,
                                                   here().direction(Vector3::Unit(point.axis))}},
                  .scale = to_user(point.unit, place)};
  }
  const bool planar = builder_.bodies().is_planar(frame.body);
  if (planar && (last == "angle" || last == "omega" || last == "alpha")) {
    const Kind kind = last == "angle"   ? Kind::kValue
                      : last == "omega" ? Kind::kRate
                                        : Kind::kAcceleration;
    const Dimension unit = last == "angle"   ? unit::kAngle
                           : last == "omega" ? unit::kAngularVelocity
                                             : kAngularAcceleration;
    return Signal{
        .kind = kind,
        .term = {.body_i = frame.body, .direction = PlanarTurn{here().angle, here().turn_sense()}},
        .scale = to_user(unit, place)};
  }
  static constexpr std::array spins{"wx", "wy", "wz"};
  for (int axis = 0; axis < 3; ++axis) {
    if (last == spins[static_cast<std::size_t>(axis)])
      return Signal{
          .kind = Kind::kRate,
          .term = {.body_i = frame.body, .direction = Spin{here().axial(Vector3::Unit(axis))}},
          .scale = to_user(unit::kAngularVelocity, place)};
  }
  return std::nullopt;
}

std::optional<Signal> Assembler::measure_signal(const FormulaInput& input, SourcePlace place) {
  if (input.arguments.size() != 2) {
    complain(place, fmt::format("{}: found {} marker{}, expected two", input.name,
                                input.arguments.size(), input.arguments.size() == 1 ? "" : "s"));
    return std::nullopt;
  }
  const auto a = find_frame({here().full_name(input.arguments[0]), place}),
             b = find_frame({here().full_name(input.arguments[1]), place});
  if (!a || !b) return std::nullopt;
  const bool is_rate = input.name.ends_with("_rate");
  const std::string kind = input.name.substr(0, input.name.size() - (is_rate ? 5 : 0));
  const bool planar = builder_.bodies().is_planar(a->body) && builder_.bodies().is_planar(b->body);
  const JointEquations geometry(a->frame, b->frame, planar, initial_turn(a->body, b->body));
  Direction direction = Distance{a->frame.point, b->frame.point};
  Dimension unit = unit::kLength;
  if (kind == "turn") {
    direction = geometry.turn();
    unit = unit::kAngle;
  } else if (kind.size() == 2) {
    const int axis = kind[1] - 'x';
    direction = kind[0] == 'p' ? geometry.offset(static_cast<JointEquations::Axis>(axis))
                               : Direction(Separation{a->frame.point, b->frame.point,
                                                      here().direction(Vector3::Unit(axis))});
  }
  return Signal{.kind = is_rate ? Kind::kRate : Kind::kValue,
                .term = term_between(direction, a->body, b->body),
                .scale = to_user(rate_of(unit, is_rate ? 1 : 0), place)};
}

std::vector<std::string> Assembler::known_names() const {
  std::vector<std::string> names{"time"};
  for (const AssembledControl& control : builder_.controls())
    names.push_back(control.name);
  for (const AssembledJoint& joint : builder_.joints())
    for (const AssembledJoint::Coordinate& coordinate : joint.coordinates)
      names.push_back(joint.name + "." + coordinate.name);
  if (markers_.size() > kManyMarkers) return names;  // for a suggestion they cost too much
  for (const auto& marker : markers_)
    for (const PointName& point : kPointNames)
      names.push_back(fmt::format("{}.{}", marker.first, point.name));
  for (const auto& marker : markers_)
    if (builder_.bodies().is_planar(marker.second.body))
      for (const std::string_view last : {"angle", "omega"})
        names.push_back(fmt::format("{}.{}", marker.first, last));
  return names;
}

}  // namespace picus
