// SPDX-License-Identifier: BSD-3-Clause
// Joints, couplers and prescribed motions.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picus/mechanism/assembler.h"

namespace picus {
namespace {

// A disc whose axle is nearer to the normal than this [rad] has no lowest point.
constexpr double kFlat = 1e-6;

// A direction has no component along an axis when it is smaller than this,
constexpr double kAcross = 1e-12;

bool holds_rotation(const JointEquations& equations) {
  for (const JointRow& row : equations.rows())
    for (const auto& [weight, direction] : row.terms)
      if (std::holds_alternative<Alignment>(direction) || std::holds_alternative<Turn>(direction) ||
          std::holds_alternative<PlanarTurn>(direction))
        return true;
  return false;
}

}  // namespace

void Assembler::add_joints() {
  // couplers name other joints: they come last, whatever their place in the file
  for (const Named<Joint>& part : model_.joints) {
    if (!is_new_name(part.name, part.place)) continue;
    const Within within(*this, part.placement);
    std::visit(
        [&](const auto& joint) {
          using J = std::decay_t<decltype(joint)>;
          if constexpr (std::is_same_v<J, RollingDisc>)
            add_disc(part, joint);
          else if constexpr (!requires { joint.coordinates(); })
            add_joint(part, joint);
        },
        part.value);
  }
  for (const Named<Joint>& part : model_.joints) {
    std::visit(
        [&](const auto& joint) {
          if constexpr (requires { joint.coordinates(); }) add_coupler(part, joint);
        },
        part.value);
  }
}

template <class J>
void Assembler::add_joint(const Named<Joint>& part, const J& joint) {
  std::optional<std::pair<PlacedFrame, PlacedFrame>> frames;
  if constexpr (std::is_base_of_v<Connection, J>) {
    constexpr bool kSlides = requires {
      J::kSlides;
    };
    J placed = joint;
    placed.place = part.place;
    frames = frames_of(placed, kSlides ? Vector3::UnitX() : Vector3::UnitZ());
  } else {
    frames = frames_at(joint.between, joint.points, part.place);
  }
  if (!frames) return;
  auto& [i, j] = *frames;
  if constexpr (requires { J::kKeepsAngles; }) {
    const auto axes_of = [&](int body) {
      return builder_.bodies().pose(body, builder_.state().position).A;
    };
    i.frame.axes = (axes_of(i.body).transpose() * axes_of(j.body) * j.frame.axes).eval();
  }
  const bool planar = builder_.bodies().is_planar(i.body) && builder_.bodies().is_planar(j.body);
  JointEquations equations(i.frame, j.frame, planar, initial_turn(i.body, j.body));
  joint.state(equations);
  add_equations(part, J::kType, i, j, equations);
}

void Assembler::add_disc(const Named<Joint>& part, const RollingDisc& disc) {
  if (!are_two(disc.between, part.place)) return;
  auto j = find_frame(disc.between[0]), i = find_frame(disc.between[1]);
  if (!i || !j) return;
  if (!(disc.radius > 0.0))
    complain(part.place, fmt::format("joint '{}': radius: found {:g}, expected a positive number",
                                     part.name, disc.radius));
  const bool planar = builder_.bodies().is_planar(i->body) && builder_.bodies().is_planar(j->body);
  const Vector3 normal = disc.normal.value_or(planar ? Vector3::UnitY() : Vector3::UnitZ());
  if (disc.axle.norm() == 0.0 || normal.norm() == 0.0)
    return complain(part.place,
                    fmt::format("joint '{}': found an axle or a normal of length zero", part.name));
  i->frame.axes = (i->frame.axes * frame_along(disc.axle)).eval();
  i->frame.point += here().flip.cwiseProduct(disc.center.value_or(Vector3::Zero()));
  j->frame.axes = (j->frame.axes * frame_along(normal)).eval();
  j->frame.point += j->body == Bodies::kGround ? here().direction(disc.point)
                                               : here().flip.cwiseProduct(disc.point);
  const auto axis_of = [&](const PlacedFrame& frame) {
    const Pose<double> pose = builder_.bodies().pose(frame.body, builder_.state().position);
    return Vector3(pose.A * frame.frame.axes.col(2));
  };
  if (cross(axis_of(*i), axis_of(*j)).norm() < kFlat)
    return complain(part.place,
                    fmt::format("joint '{}': the disc lies flat on the plane; expected an axle "
                                "that is not along the normal",
                                part.name));
  JointEquations equations(i->frame, j->frame, planar, 0.0);
  disc.state(equations);
  add_equations(part, RollingDisc::kType, *i, *j, equations);
}

bool Assembler::holds_by_itself(const ConstraintEquation& equation) const {
  for (const Term& term : equation.terms) {
    if (!is_constant(builder_.bodies(), term)) return false;
    bool is_zero = true;
    view_one(
        builder_.bodies(), term,
        [&](const auto& view) {
          for (std::size_t k = 0; k < view.places().size(); ++k)
            is_zero = is_zero && (view.places()[k] < 0 ||
                                  std::abs(view.row()(static_cast<int>(k))) <= kAcross);
        },
        builder_.state());
    if (!is_zero) return false;
  }
  return true;
}

PartRestraint Assembler::restraint_of(const PlacedFrame& i, const PlacedFrame& j) const {
  for (const int body : {i.body, j.body})
    if (const FlexiblePart* part = builder_.part_of(body))
      if (PartRestraint restraint = part->restraint(); !restraint.rule.empty()) return restraint;
  return {"where its bodies cannot move", "its bodies cannot move along it"};
}

bool Assembler::is_length(const Named<Joint>& part, double length) {
  if (length > 0.0) return true;
  complain(part.place,
           length < 0.0
               ? fmt::format("joint '{}': length: found {:g}, expected a positive number",
                             part.name, length)
               : fmt::format("joint '{}' has length zero; use spherical or revolute", part.name));
  return false;
}

double Assembler::arm_of_point(const PlacedFrame& frame) const {
  const Body& body = builder_.bodies()[frame.body];
  return is_point(body.kind) && !is_carried(body.kind) ? frame.frame.point.norm() : 0.0;
}

bool Assembler::is_possible(const Named<Joint>& part, const PlacedFrame& i, const PlacedFrame& j,
                            const JointEquations& equations) {
  const auto fault = [&](const std::string& message) {
    complain(part.place, message);
    return false;
  };
  if (equations.rows().empty() && equations.rolling().empty())
    return fault(
        fmt::format("joint '{}' constrains nothing between bodies that move in the plane "
                    "with this axis",
                    part.name));
  if (!equations.fault().empty())
    return fault(fmt::format("joint '{}': {}", part.name, equations.fault()));
  for (const int body : {i.body, j.body}) {
    if (is_point(builder_.bodies()[body].kind) && holds_rotation(equations))
      return fault(
          fmt::format("joint '{}' constrains a rotation, but '{}' is a point and has none; give it "
                      "inertia or use spherical",
                      part.name, builder_.bodies()[body].name));
  }
  // it cannot turn about a place away from it: where nothing may slide, it would stand still
  const bool may_slide = equations.rows().size() < (equations.is_planar() ? 2u : 3u) &&
                         !std::holds_alternative<DistanceJoint>(part.value);
  for (const PlacedFrame* frame : {&i, &j}) {
    const double arm = arm_of_point(*frame);
    if (may_slide || arm <= kTogether) continue;
    const std::string& name = builder_.bodies()[frame->body].name;
    return fault(
        fmt::format("joint '{}' is {:.4g} m away from '{}', which is a point and cannot rotate "
                    "about it: the body would be fixed. Use a distance joint between the two "
                    "points, or give '{}' inertia and remove 'type: point'",
                    part.name, arm, name, name));
  }
  return true;
}

void Assembler::add_equations(const Named<Joint>& part, std::string_view type, const PlacedFrame& i,
                              const PlacedFrame& j, const JointEquations& equations) {
  AssembledJoint joint{.name = part.name,
                       .type = std::string(type),
                       .body_i = i.body,
                       .body_j = j.body,
                       .frame_i = i.frame,
                       .frame_j = j.frame};
  if (!is_possible(part, i, j, equations)) return;
  const auto equation_of = [&](const JointRow& row) {
    ConstraintEquation equation{.terms = {}, .constant = row.constant};
    for (const auto& [weight, direction] : row.terms) {
      Term term = term_between(direction, i.body, j.body);
      term.weight = weight;
      equation.terms.push_back(std::move(term));
    }
    return equation;
  };
  const auto gap_of = [&](const ConstraintEquation& equation) {
    double value = -equation.constant;
    for (const Term& term : equation.terms)
      value += term.weight * measure(builder_.bodies(), term, builder_.state().position);
    return std::abs(value);
  };
  for (const JointRow& row : equations.rows()) {
    ConstraintEquation equation = equation_of(row);
    if (row.keeps_initial) {
      for (const Term& term : equation.terms)
        equation.constant +=
            term.weight * measure(builder_.bodies(), term, builder_.state().position);
    }
    if (type == DistanceJoint::kType && !is_length(part, equation.constant)) return;
    if (!holds_by_itself(equation)) {
      joint.rows.push_back(
          builder_.add_constraint(part.name + "." + row.name, std::move(equation)));
    } else if (const double gap = gap_of(equation); gap > kTogether) {
      return complain(part.place, fmt::format("joint '{}' cannot close a distance of {:g} m {}",
                                              part.name, gap, restraint_of(i, j).where));
    }
  }
  if (joint.rows.empty() && equations.rolling().empty())
    return complain(part.place, fmt::format("joint '{}' constrains nothing: {}", part.name,
                                            restraint_of(i, j).rule));
  for (const JointRow& row : equations.rolling())
    joint.rolling.push_back(builder_.add_rolling(part.name + "." + row.name, equation_of(row)));
  for (const JointCoordinate& coordinate : equations.coordinates())
    joint.coordinates.push_back(
        {coordinate.name, term_between(coordinate.direction, i.body, j.body), coordinate.unit});
  builder_.add_joint(std::move(joint));
}

const AssembledJoint::Coordinate* Assembler::find_coordinate(const Name& name) {
  const std::string joint_name = joint_in(name.text);
  const bool is_joint = joint_name == name.text;
  const std::string chosen = is_joint ? "" : name.text.substr(joint_name.size() + 1);
  const AssembledJoint* joint = builder_.find_joint(joint_name);
  if (joint == nullptr) {
    complain_of_joint(name.place, joint_name);
    return nullptr;
  }
  if (joint->coordinates.empty()) {
    complain(name.place,
             fmt::format("joint '{}' is {} and has no coordinate", joint_name, joint->type));
    return nullptr;
  }
  std::vector<std::string_view> names;
  for (const AssembledJoint::Coordinate& coordinate : joint->coordinates) {
    names.push_back(coordinate.name);
    if (is_joint ? joint->coordinates.size() == 1 : chosen == coordinate.name) return &coordinate;
  }
  if (is_joint) {
    complain(name.place,
             fmt::format("joint '{}' has several coordinates; choose one: {}.{}", joint_name,
                         joint_name, fmt::join(names, fmt::format(" or {}.", joint_name))));
  } else {
    complain(name.place, unknown_name("coordinate", chosen, names));
  }
  return nullptr;
}

std::string Assembler::joint_in(const std::string& name) const {
  if (names_.contains(name)) return name;
  return name.substr(0, name.rfind('.'));
}

void Assembler::complain_of_joint(SourcePlace place, const std::string& name) {
  // a joint with an error of its own is not there; that error is enough
  if (failed_ && names_.contains(name)) return;
  std::vector<std::string_view> joints;
  for (const AssembledJoint& joint : builder_.joints())
    if (!joint.coordinates.empty()) joints.push_back(joint.name);
  complain(place, unknown_name("joint", name, joints));
}

template <class C>
void Assembler::add_coupler(const Named<Joint>& part, const C& coupler) {
  const std::vector<CoupledCoordinate> coordinates = coupler.coordinates();
  if (coordinates.size() < 2)
    return complain(part.place, fmt::format("joint '{}' couples fewer than two joints", part.name));
  AssembledJoint joint{.name = part.name, .type = std::string(C::kType)};
  ConstraintEquation equation;
  for (const CoupledCoordinate& coupled : coordinates) {
    const AssembledJoint::Coordinate* coordinate = find_coordinate(coupled.joint);
    if (coordinate == nullptr) return;
    if (coupled.wants && !(coordinate->unit == *coupled.wants)) {
      const bool angle = *coupled.wants == unit::kAngle;
      return complain(
          coupled.joint.place,
          fmt::format("'{}': found a coordinate of '{}' that is {}, expected {}", part.name,
                      coupled.joint.text, angle ? "a length" : "an angle",
                      angle ? "an angle (a revolute joint)" : "a length (a prismatic joint)"));
    }
    Term term = coordinate->term;
    term.weight = coupled.ratio;
    equation.constant += term.weight * measure(builder_.bodies(), term, builder_.state().position);
    if (equation.terms.empty()) {
      joint.body_i = term.body_i;
      joint.body_j = term.body_j;
    }
    equation.terms.push_back(std::move(term));
  }
  joint.rows.push_back(builder_.add_constraint(part.name, std::move(equation)));
  builder_.add_joint(std::move(joint));
}

void Assembler::add_motions() {
  for (const Named<PrescribedMotion>& part : model_.motions) {
    if (!is_new_name(part.name, part.place)) continue;
    if (part.value.joint.has_value() == part.value.point.has_value())
      complain(part.place, fmt::format("motion '{}': expected either joint or point", part.name));
    else
      add_motion(part);
  }
}

void Assembler::add_motion(const Named<PrescribedMotion>& part) {
  const Within within(*this, part.placement);
  const PrescribedMotion& motion = part.value;
  AssembledJoint record{.name = part.name, .type = "motion"};
  Dimension unit = unit::kLength;
  const auto term =
      motion.joint ? driven_coordinate(*motion.joint, record, unit) : driven_point(part, record);
  if (!term) return;
  record.body_i = term->body_i;
  record.body_j = term->body_j;
  const auto follow = motion_of(motion.value, unit, fmt::format("motion '{}'", part.name));
  if (!follow) return;
  const int row =
      builder_.add_constraint(part.name, ConstraintEquation{.terms = {*term}, .motion = *follow});
  motion_rows_[part.name] = row;
  record.rows.push_back(row);
  builder_.add_joint(std::move(record));
}

std::optional<Term> Assembler::driven_coordinate(const Name& name, AssembledJoint& record,
                                                 Dimension& unit) {
  const AssembledJoint::Coordinate* coordinate = find_coordinate(name);
  if (coordinate == nullptr) return std::nullopt;
  unit = coordinate->unit;
  if (const AssembledJoint* joint = builder_.find_joint(joint_in(name.text))) {
    record.frame_i = joint->frame_i;
    record.frame_j = joint->frame_j;
  }
  return coordinate->term;
}

std::optional<Term> Assembler::driven_point(const Named<PrescribedMotion>& part,
                                            AssembledJoint& record) {
  const auto frame = find_frame(*part.value.point);
  if (!frame) return std::nullopt;
  if (part.value.along.norm() == 0.0) {
    complain(part.place,
             fmt::format("motion '{}': along: found an axis of length zero", part.name));
    return std::nullopt;
  }
  if (frame->body == Bodies::kGround) {
    complain(part.value.point->place,
             fmt::format("motion '{}': the ground cannot move; name a body", part.name));
    return std::nullopt;
  }
  record.frame_i = frame->frame;
  return Term{.body_i = frame->body,
              .direction = Separation{frame->frame.point, here().at,
                                      here().direction(part.value.along.normalized())}};
}

// A formula of time with its first two derivatives.
std::optional<Motion> Assembler::motion_of(const Formula& formula, const Dimension& unit,
                                           const std::string& label) {
  const auto expression = parse(formula);
  if (!expression) return std::nullopt;
  bool only_time = true;
  for (const FormulaInput& input : expression->inputs()) {
    if (input.name == "time") continue;
    only_time = false;
    complain(context_.place_in(formula, input.column),
             fmt::format("found '{}', expected a formula of time alone", input.name));
  }
  if (!only_time) return std::nullopt;
  const double per_second = to_user(unit::kTime, formula.place);
  if (!expression->inputs().empty())
    builder_.add_schedule(
        {expression, {Signal{.kind = Signal::Kind::kTime, .scale = per_second}}, label});
  const double si = context_.scale(unit, formula.place);
  if (expression->switches() > 0)
    builder_.add_prescribed({label, formula.place, expression, per_second, si});
  return [expression = *expression, per_second, si](double time) {
    using D = Dual<1, Dual<1>>;
    D t(Dual<1>::variable(time * per_second, 0));
    t.grad[0] = Dual<1>(1.0);
    const std::array<D, 1> inputs{t};
    const D value =
        expression.evaluate<D>(std::span<const D>(inputs).first(expression.inputs().size()));
    return MotionValue{si * value.value.value, si * per_second * value.value.d(0),
                       si * per_second * per_second * value.d(0).d(0)};
  };
}

}  // namespace picus
