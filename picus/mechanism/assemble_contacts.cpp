// SPDX-License-Identifier: BSD-3-Clause
// Contacts: gaps and slips, as equations that may open or as compliant forces.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "picus/mechanism/assembler.h"

namespace picus {
namespace {

using Kind = Signal::Kind;

// The part of a normal that may stick out of the plane of planar bodies: rounding.
constexpr double kInPlane = 1e-9;
// What slips may differ by from linear functions of velocities, relative to their size.
constexpr double kLinear = 1e-9;

Motion negative(Motion motion) {
  return [motion = std::move(motion)](double time) {
    const MotionValue m = motion(time);
    return MotionValue{-m.value, -m.rate, -m.acceleration};
  };
}

// One signal of a formula: where its number comes from.
struct Source {
  Kind kind = Kind::kTime;
  std::size_t term = 0;
  double scale = 1.0;

  template <class T>
  T read(std::span<const T> s, std::span<const T> rates, const T& time) const {
    return scale * (kind == Kind::kTime ? time : kind == Kind::kValue ? s[term] : rates[term]);
  }
};

constexpr std::size_t kMaxSources = 2 * kMaxMeasures + 1;  // values, rates and time

// y(x, t) and its slope dy/dx, for jets.
struct CurveValue {
  Jet height, slope;
};

CurveValue curve_at(const Expression& curve, std::span<const Source> sources, std::size_t x_term,
                    std::span<const Jet> s, const Jet& time) {
  using D = Dual<1, Jet>;
  std::array<D, kMaxMeasures> inputs;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    inputs[k] = D(sources[k].read(s, s, time));
    if (sources[k].kind == Kind::kValue && sources[k].term == x_term)
      inputs[k].grad[0] = Jet(sources[k].scale);
  }
  const D y = curve.evaluate<D>(std::span<const D>(inputs).first(sources.size()));
  return {y.value, y.grad[0]};
}

}  // namespace

void Assembler::add_contacts() {
  for (const Named<Contact>& part : model_.contacts) {
    if (!is_new_name(part.name, part.place)) continue;
    const Within within(*this, part.placement);
    std::visit([&](const auto& contact) { add_contact(part, contact); }, part.value);
  }
  add_contacts_of_joints();
}

bool Assembler::is_sound(const Named<Contact>& part, const Surface& surface, std::size_t slips) {
  const auto fault = [&](std::string_view field, double found, std::string_view expected) {
    complain(part.place, fmt::format("contact '{}': {}: found {:g}, expected {}", part.name, field,
                                     found, expected));
    return false;
  };
  const auto is_fraction = [](double e) { return e >= 0.0 && e <= 1.0; };
  if (!is_fraction(surface.restitution))
    return fault("restitution", surface.restitution, "a number in [0, 1]");
  if (!is_fraction(surface.tangential_restitution))
    return fault("tangential_restitution", surface.tangential_restitution, "a number in [0, 1]");
  if (surface.restitution_law == RestitutionLaw::kPoisson && surface.tangential_restitution > 0.0)
    return fault("tangential_restitution", surface.tangential_restitution,
                 "0 with restitution_law: poisson");
  if (!(surface.friction >= 0.0)) return fault("friction", surface.friction, "at least 0");
  if (surface.friction > 0.0 && slips == 0) {
    complain(part.place,
             fmt::format("contact '{}' has friction but no sliding velocity{}", part.name,
                         std::holds_alternative<FormulaContact>(part.value)
                             ? "; give slip"
                             : "; friction in a joint is a contact of type friction"));
    return false;
  }
  if (!surface.compliance) return true;
  const HuntCrossley& normal = surface.compliance->normal;
  if (!(normal.stiffness > 0.0)) return fault("stiffness", normal.stiffness, "a positive number");
  if (!(normal.exponent >= 1.0)) return fault("exponent", normal.exponent, "at least 1");
  if (!(normal.dissipation >= 0.0)) return fault("dissipation", normal.dissipation, "at least 0");
  if (!(surface.compliance->slip_speed > 0.0))
    return fault("slip_speed", surface.compliance->slip_speed, "a positive number");
  return true;
}

// A plane through a frame with its normal as z.
std::optional<std::pair<PlacedFrame, PlacedFrame>> Assembler::frames_of_contact(
    const BallOnPlane& contact) {
  auto frames = frames_at(contact.between, {}, contact.place);
  if (!frames) return std::nullopt;
  PlacedFrame& j = frames->second;
  const Pose<double> pose = builder_.bodies().pose(j.body, builder_.state().position);
  const bool planar =
      builder_.bodies().is_planar(frames->first.body) && builder_.bodies().is_planar(j.body);
  const Vector3 normal = contact.normal
                             ? Vector3(pose.A.transpose() * here().direction(*contact.normal))
                             : Vector3(j.frame.axes.col(planar ? 1 : 2));
  if (normal.norm() == 0.0) {
    complain(contact.place, "normal: found an axis of length zero");
    return std::nullopt;
  }
  if (planar && std::abs(normal.z()) > kInPlane * normal.norm()) {
    complain(contact.place, fmt::format("normal: found [{:g}, {:g}, {:g}], expected a direction in "
                                        "the plane of the planar bodies",
                                        normal.x(), normal.y(), normal.z()));
    return std::nullopt;
  }
  const double handedness = here().handedness();
  j.frame.axes =
      frame_along(normal, planar ? Vector3(handedness * cross(normal, Vector3(Vector3::UnitZ())))
                                 : Vector3(j.frame.axes.col(0)));
  j.frame.axes.col(1) *= handedness;
  return frames;
}

template <class C>
std::optional<std::pair<PlacedFrame, PlacedFrame>> Assembler::frames_of_contact(const C& contact) {
  if constexpr (std::is_base_of_v<Connection, C>) {
    constexpr bool kSlides = requires {
      C::kSlides;
    };
    return frames_of(contact, kSlides ? Vector3::UnitX() : Vector3::UnitZ());
  } else {
    return frames_at(contact.between, {}, contact.place);
  }
}

// Balls that meet from outside may be passed within a step.
template <class C>
static void note_passage(const C& contact, const PlacedFrame& i, const PlacedFrame& j,
                         MechanismBuilder& builder) {
  if constexpr (std::is_same_v<C, BallOnBall>) {
    if (!contact.inside)
      builder.add_round_pair(
          {i.body, j.body, i.frame.point, j.frame.point, contact.radius, contact.other_radius});
  }
}

template <class C>
void Assembler::add_contact(const Named<Contact>& part, const C& contact) {
  C placed = contact;
  placed.place = part.place;
  const auto frames = frames_of_contact(placed);
  if (!frames) return;
  const auto& [i, j] = *frames;
  const bool planar = builder_.bodies().is_planar(i.body) && builder_.bodies().is_planar(j.body);
  ContactEquations equations(i.frame, j.frame, planar);
  if constexpr (std::is_same_v<C, BallOnPlane>) {
    if (!placed.radius) placed.radius = shape_radius(placed.between.back().text, planar);
  }
  placed.state(equations);
  if (!equations.fault().empty())
    return complain(part.place, fmt::format("contact '{}': {}", part.name, equations.fault()));
  Motion height;
  if constexpr (std::is_same_v<C, BallOnPlane>) {
    if (contact.height) {
      const auto motion =
          motion_of(*contact.height, unit::kLength, fmt::format("contact '{}': height", part.name));
      if (!motion) return;
      height = *motion;
    }
  }
  for (const ContactRow& row : equations.rows()) {
    if (!is_sound(part, contact.surface, row.slips.size())) return;
    ContactGeometry geometry{.constant = row.constant, .motion = height};
    geometry.place_of(term_between(row.measure, i.body, j.body));
    geometry.gap.weights = {row.weight};
    for (const Direction& slip : row.slips) {
      const std::size_t place = geometry.place_of(term_between(slip, i.body, j.body));
      ContactGeometry::Equation equation;
      equation.weights.resize(place + 1, 0.0);
      equation.weights[place] = 1.0;
      geometry.slips.push_back(std::move(equation));
    }
    AssembledContact record{.name = part.name + (row.name.empty() ? "" : "." + row.name),
                            .type = std::string(C::kType),
                            .body_i = i.body,
                            .body_j = j.body,
                            .point_i = row.point_i,
                            .radius = row.radius};
    if constexpr (std::is_same_v<C, BallOnPlane>) record.plane_j = j.frame;
    add_touch(contact.surface, std::move(record), std::move(geometry));
  }
  note_passage(placed, i, j, builder_);
}

// Of a body that is a sphere, or a disc in the plane, and is named itself: a marker may lie on its
// surface.
double Assembler::shape_radius(const std::string& name, bool planar) const {
  for (const Named<BodyPart>& body : model_.bodies) {
    if (body.name != name || !body.value.shape) continue;
    if (const auto* sphere = std::get_if<Sphere>(&*body.value.shape)) return sphere->radius;
    const auto* cylinder = std::get_if<Cylinder>(&*body.value.shape);
    if (planar && cylinder != nullptr) return cylinder->radius;
  }
  return 0.0;
}

// At the start, for three sets of velocities; where a slip is no number there, others complain.
bool Assembler::is_linear_in_rates(const MeasureFunction& slip,
                                   const ContactGeometry& geometry) const {
  const State& start = builder_.state();
  std::array<Jet, kMaxMeasures> s, rates;
  const auto at = [&](double factor, std::size_t set) {
    for (std::size_t k = 0; k < geometry.terms.size(); ++k) {
      s[k] = Jet(has_value(geometry.terms[k].direction)
                     ? measure(builder_.bodies(), geometry.terms[k], start.position)
                     : 0.0);
      rates[k] = Jet(factor * std::cos(1.0 + static_cast<double>(k * k + 5 * set)));
    }
    return slip(std::span(s).first(geometry.terms.size()),
                std::span(rates).first(geometry.terms.size()), Jet(start.time))
        .value.value.value;
  };
  for (std::size_t set = 0; set < 3; ++set) {
    const double zero = at(0.0, set), one = at(1.0, set), two = at(2.0, set), back = at(-1.0, set);
    const double size = kLinear * (std::abs(one) + std::abs(two) + std::abs(zero));
    if (std::abs(two - 2.0 * one + zero) > size || std::abs(one - 2.0 * zero + back) > size)
      return false;
  }
  return true;
}

void Assembler::add_contact(const Named<Contact>& part, const Stop& stop) {
  const AssembledJoint::Coordinate* coordinate = find_coordinate(stop.joint);
  if (coordinate == nullptr || !is_sound(part, stop.surface, 0)) return;
  if (!stop.lower && !stop.upper)
    return complain(part.place, fmt::format("contact '{}': expected lower or upper", part.name));
  const Term term = coordinate->term;
  const Dimension unit = coordinate->unit;
  for (const bool upper : {false, true}) {
    const std::optional<Formula>& limit = upper ? stop.upper : stop.lower;
    if (!limit) continue;
    const auto motion = motion_of(
        *limit, unit, fmt::format("contact '{}': {}", part.name, upper ? "upper" : "lower"));
    if (!motion) return;
    ContactGeometry geometry{.terms = {term}, .motion = upper ? negative(*motion) : *motion};
    geometry.gap.weights = {upper ? -1.0 : 1.0};
    add_touch(stop.surface,
              {.name = part.name + (upper ? ".upper" : ".lower"),
               .type = std::string(Stop::kType),
               .body_i = term.body_i,
               .body_j = term.body_j,
               .is_angle = unit == unit::kAngle},
              std::move(geometry));
  }
}

MeasureFunction Assembler::function_of(const Formula& formula, const FormulaScope& scope,
                                       bool reads_rates, ContactGeometry& geometry) {
  const auto expression = parse(formula);
  if (!expression) return {};
  std::vector<Source> sources;
  std::vector<Signal> signals;
  bool is_fine = true;
  for (const FormulaInput& input : expression->inputs()) {
    const auto signal = find_signal(input, formula, scope);
    is_fine = is_fine && signal;
    if (!signal) continue;
    const bool allowed = signal->kind == Kind::kTime || signal->kind == Kind::kValue ||
                         (reads_rates && signal->kind == Kind::kRate);
    if (!allowed) {
      complain(context_.place_in(formula, input.column),
               fmt::format("found '{}', expected {} and time only", input.name,
                           reads_rates ? "positions, velocities" : "positions"));
      is_fine = false;
      continue;
    }
    sources.push_back({signal->kind,
                       signal->kind == Kind::kTime ? 0 : geometry.place_of(signal->term),
                       signal->scale});
    signals.push_back(*signal);
  }
  if (is_fine && geometry.terms.size() > kMaxMeasures) {
    complain(formula.place, fmt::format("found {} measures in one formula, expected at most {}",
                                        geometry.terms.size(), kMaxMeasures));
    is_fine = false;
  }
  if (is_fine && sources.size() > kMaxSources) {  // several names may be of one measure
    complain(formula.place, fmt::format("found {} names in one formula, expected at most {}",
                                        sources.size(), kMaxSources));
    is_fine = false;
  }
  if (!is_fine) return {};
  if (!reads_rates && expression->switches() > 0)
    warn(formula.place,
         fmt::format("'{}' is not smooth: it contains a function with a jump or a kink (abs, if, "
                     "max, mod, …). Contacts and constraints need its slope and curvature; where "
                     "these jump, forces and impacts are wrong",
                     formula.text));
  builder_.add_schedule({expression, std::move(signals), fmt::format("contact '{}'", scope.part)});
  const double si = context_.scale(scope.unit, formula.place);
  MeasureFunction function = [expression, sources, si](std::span<const Jet> s,
                                                       std::span<const Jet> rates,
                                                       const Jet& time) {
    std::array<Jet, kMaxSources> inputs;
    for (std::size_t k = 0; k < sources.size(); ++k)
      inputs[k] = sources[k].read(s, rates, time);
    return si * expression->evaluate<Jet>(std::span<const Jet>(inputs).first(sources.size()));
  };
  if (!reads_rates || is_linear_in_rates(function, geometry)) return function;
  complain(formula.place,
           fmt::format("slip: '{}' is not linear in velocities, as a sliding velocity must be",
                       formula.text));
  return {};
}

void Assembler::add_constraints() {
  for (const Named<FormulaConstraint>& part : model_.constraints) {
    if (!is_new_name(part.name, part.place)) continue;
    ContactGeometry geometry;
    const Formula& formula = part.value.formula;
    const std::string label = fmt::format("constraint '{}'", part.name);
    const MeasureFunction function = function_of(
        formula, {.unit = unit::kLength, .owner = "a constraint", .part = label}, false, geometry);
    if (!function) continue;
    if (geometry.terms.empty()) {
      complain(formula.place, fmt::format("constraint '{}': '{}' constrains nothing, expected a "
                                          "formula of positions",
                                          part.name, formula.text));
      continue;
    }
    builder_.add_formula_constraint(
        {part.name,
         builder_.add_constraint(part.name, {.terms = geometry.terms, .function = function})});
  }
}

void Assembler::add_contact(const Named<Contact>& part, const PointOnCurve& contact) {
  const auto frames = frames_at(contact.between, {}, part.place);
  if (!frames) return;
  const auto& [i, j] = *frames;
  const bool planar = builder_.bodies().is_planar(i.body) && builder_.bodies().is_planar(j.body);
  const JointEquations geometry_words(i.frame, j.frame, planar, 0.0);
  const auto expression = parse(contact.curve);
  if (!expression || !is_sound(part, contact.surface, 1)) return;
  if (expression->switches() > 0)
    warn(contact.curve.place,
         fmt::format("the curve '{}' is not smooth: contacts need its slope and curvature; where "
                     "these jump, forces and impacts are wrong",
                     contact.curve.text));
  ContactGeometry geometry;
  const std::size_t x =
      geometry.place_of(term_between(geometry_words.offset(JointEquations::kX), i.body, j.body));
  const std::size_t y =
      geometry.place_of(term_between(geometry_words.offset(JointEquations::kY), i.body, j.body));
  std::vector<Source> sources;
  std::vector<Signal> signals;
  const double metre = to_user(unit::kLength, contact.curve.place);
  for (const FormulaInput& input : expression->inputs()) {
    if (input.name != "x" && input.name != "time")
      return complain(
          context_.place_in(contact.curve, input.column),
          fmt::format("found '{}' in a curve, expected a formula of x and time", input.name));
    if (input.name == "x")
      sources.push_back({Kind::kValue, x, metre});
    else
      sources.push_back({Kind::kTime, 0, to_user(unit::kTime, contact.curve.place)});
    Signal& signal = signals.emplace_back();
    signal.kind = sources.back().kind;
    signal.scale = sources.back().scale;
    if (signal.kind == Kind::kValue) signal.term = geometry.terms[x];
  }
  builder_.add_schedule({expression, std::move(signals)});
  const double si = context_.scale(unit::kLength, contact.curve.place);
  const double sign = contact.side == CurveSide::kAbove ? 1.0 : -1.0;
  // g = ±(y − c(x)) / √(1 + c'²), whose gradient has length one on the curve
  geometry.gap.function = [=](std::span<const Jet> s, std::span<const Jet>, const Jet& time) {
    const CurveValue c = curve_at(*expression, sources, x, s, time);
    const Jet slope = si * c.slope;
    return sign * (s[y] - si * c.height) / sqrt(1.0 + slope * slope);
  };
  ContactGeometry::Equation along;
  along.function = [=](std::span<const Jet> s, std::span<const Jet> rates, const Jet& time) {
    const Jet slope = si * curve_at(*expression, sources, x, s, time).slope;
    return (rates[x] + slope * rates[y]) / sqrt(1.0 + slope * slope);
  };
  geometry.slips.push_back(std::move(along));
  if (!planar) {
    const std::size_t z =
        geometry.place_of(term_between(geometry_words.offset(JointEquations::kZ), i.body, j.body));
    ContactGeometry::Equation across;
    across.weights.resize(z + 1, 0.0);
    across.weights[z] = 1.0;
    geometry.slips.push_back(std::move(across));
  }
  add_touch(contact.surface,
            {.name = part.name,
             .type = std::string(PointOnCurve::kType),
             .body_i = i.body,
             .body_j = j.body,
             .point_i = i.frame.point,
             .plane_j = j.frame},
            std::move(geometry));
}

void Assembler::add_contact(const Named<Contact>& part, const FormulaContact& contact) {
  if (!is_sound(part, contact.surface, contact.slip.size())) return;
  if (contact.slip.size() > 2)
    return complain(part.place, fmt::format("contact '{}': slip: found {} formulas, expected one "
                                            "or two",
                                            part.name, contact.slip.size()));
  ContactGeometry geometry;
  geometry.gap.function =
      function_of(contact.gap, {.unit = unit::kLength, .part = part.name}, false, geometry);
  if (!geometry.gap.function) return;
  if (geometry.terms.empty())
    return complain(contact.gap.place,
                    fmt::format("contact '{}': the gap depends on no position", part.name));
  for (const Formula& slip : contact.slip) {
    ContactGeometry::Equation equation;
    equation.function =
        function_of(slip, {.unit = unit::kSpeed, .part = part.name}, true, geometry);
    if (!equation.function) return;
    geometry.slips.push_back(std::move(equation));
  }
  const Term& first = geometry.terms.front();
  AssembledContact record{.name = part.name,
                          .type = std::string(FormulaContact::kType),
                          .body_i = first.body_i,
                          .body_j = first.body_j};
  if (contact.at) {
    const auto shown = find_frame(*contact.at);
    if (!shown) return;
    if (shown->body != record.body_i) record.body_j = record.body_i;
    record.body_i = shown->body;
    record.point_i = shown->frame.point;
  }
  if (contact.normal) {
    if (!(contact.normal->norm() > 0.0))
      return complain(part.place,
                      fmt::format("contact '{}': normal: expected a direction", part.name));
    record.normal = here().direction(contact.normal->normalized());
  }
  add_touch(contact.surface, std::move(record), std::move(geometry));
}

void Assembler::add_touch(const Surface& surface, AssembledContact record,
                          ContactGeometry geometry) {
  record.friction = surface.friction;
  if (surface.friction == 0.0 && surface.tangential_restitution == 0.0) geometry.slips.clear();
  record.gap = {.terms = geometry.terms, .function = geometry.gap_function()};
  for (std::size_t d = 0; d < geometry.slips.size(); ++d)
    record.slip_rates.push_back({.terms = geometry.terms, .function = geometry.slip_function(d)});
  if (surface.compliance) {
    record.law = surface.compliance->normal;
    record.slip_speed = surface.compliance->slip_speed;
    for (ForceComponent& component :
         compliant_forces(geometry, *surface.compliance, surface.friction)) {
      component.magnitude.switch_name = fmt::format("the gap of contact '{}'", record.name);
      builder_.add_force(std::move(component));
    }
    builder_.add_compliant_contact(std::move(record));
    return;
  }
  if (geometry.gap.function) {
    record.gap.row = builder_.add_constraint(
        record.name, {.terms = geometry.terms, .function = geometry.gap.function});
  } else {
    ConstraintEquation equation = geometry.linear(geometry.gap.weights);
    equation.constant = geometry.constant;
    equation.motion = geometry.motion;
    record.gap.row = builder_.add_constraint(record.name, std::move(equation));
  }
  record.slips = static_cast<int>(geometry.slips.size());
  for (const ContactGeometry::Equation& slip : geometry.slips) {
    const int row = add_slip(record.name + ".slip", geometry, slip);
    if (record.first_slip < 0) record.first_slip = row;
  }
  const ContactLaw law{surface.restitution, surface.tangential_restitution,
                       surface.friction,    record.first_slip,
                       record.slips,        surface.restitution_law == RestitutionLaw::kPoisson};
  builder_.add_rigid_contact(std::move(record), law);
}

int Assembler::add_slip(const std::string& name, const ContactGeometry& geometry,
                        const ContactGeometry::Equation& slip) {
  return slip.function
             ? builder_.add_rolling(name, {.terms = geometry.terms, .function = slip.function})
             : builder_.add_rolling(name, geometry.linear(slip.weights));
}

}  // namespace picus
