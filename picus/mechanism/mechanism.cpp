// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/mechanism.h"

#include <algorithm>

#include <fmt/format.h>

#include "picus/mechanism/body_batch.h"
#include "picus/mechanism/collision_batch.h"

namespace picus {

double Mechanism::kinetic_energy(const State& s) const {
  double energy = 0.0;
  for (int b = 1; b < bodies_->size(); ++b) {
    const Body& body = (*bodies_)[b];
    if (body.is_node) continue;
    const SmallVector<double, 6> twist = bodies_->twist(b, s.position, s.velocity);
    const Vector3 omega = twist.tail<3>();
    energy += 0.5 * body.mass * twist.head<3>().squaredNorm();
    energy += 0.5 * omega.dot(body.inertia * omega);
  }
  for (const FlexiblePart* part : flexible_)
    energy += part->kinetic_energy(s);
  return energy;
}

void Mechanism::evaluate_outputs(const State& s, std::vector<double>& values) const {
  values.clear();
  std::vector<double> inputs;
  const auto read = [&](const AssembledOutput::Input& input) {
    if (const auto* signal = std::get_if<Signal>(&input)) return signal->read(*bodies_, s);
    if (const auto* before = std::get_if<AssembledOutput::OutputInput>(&input))
      return values[before->output];
    const auto& of_force = std::get<AssembledOutput::ForceInput>(input);
    return of_force.scale *
           forces_[of_force.force].components[of_force.component].magnitude.evaluate(*bodies_, s);
  };
  for (const AssembledOutput& output : outputs_) {
    inputs.clear();
    for (const AssembledOutput::Input& input : output.inputs)
      inputs.push_back(read(input));
    values.push_back((*output.formula)(inputs));
  }
}

double Mechanism::potential_energy(const State& s) const {
  double energy = 0.0;
  for (int b = 1; b < bodies_->size(); ++b)
    energy -= (*bodies_)[b].mass * gravity_.dot(bodies_->pose(b, s.position).r);
  for (const FlexiblePart* part : flexible_) {
    energy += part->elastic_energy(s);
    for (std::size_t i = 0; i < part->nodes().size(); ++i)
      energy -= part->mass_of_node(i) * gravity_.dot(bodies_->pose(part->nodes()[i], s.position).r);
  }
  for (const AssembledForce& force : forces_)
    if (force.potential) energy += force.potential(s);
  for (const AssembledContact& contact : contacts_)
    if (contact.law) energy += contact.law->energy(value_of(*bodies_, contact.gap, s).value);
  return energy;
}

Reaction Mechanism::reaction(const AssembledJoint& joint, const State& s) const {
  Reaction reaction;
  Vector3 about_centre = Vector3::Zero();  // in the frame of body I
  const auto add = [&](const ConstraintEquation& equation, double multiplier) {
    for (const Term& term : equation.terms) {
      const Row<double> row = row_in_space(term, bodies_->pose(term.body_i, s.position),
                                           bodies_->pose(term.body_j, s.position));
      // couplers may see the body from the other side
      const int first = term.body_i == joint.body_i ? 0 : term.body_j == joint.body_i ? 6 : -1;
      if (first < 0) continue;
      reaction.force += multiplier * row.segment<3>(first);
      about_centre += multiplier * row.segment<3>(first + 3);
    }
  };
  for (const int row : joint.rows)
    add(constraints_[static_cast<std::size_t>(row)], s.multiplier(row));
  for (const int row : joint.rolling)
    add(rolling_[static_cast<std::size_t>(row)], s.nonholonomic_multiplier(row));
  const Pose<double> pose = bodies_->pose(joint.body_i, s.position);
  reaction.torque =
      pose.A * about_centre - cross(pose.direction(joint.frame_i.point), reaction.force);
  return reaction;
}

int Mechanism::find_body(std::string_view name) const {
  for (int b = 0; b < bodies_->size(); ++b)
    if ((*bodies_)[b].name == name) return b;
  return -1;
}

MechanismBuilder::MechanismBuilder() : mechanism_(std::make_unique<Mechanism>()) {
  mechanism_->bodies_ = std::make_unique<Bodies>();
  mechanism_->origins_.push_back(Vector3::Zero());
}

void MechanismBuilder::grow_positions() {
  State& s = mechanism_->initial_;
  const Bodies& all = bodies();
  // in leaps, so that the cost is linear; build() cuts what is too much
  const auto grow = [](Vector& x, int size) {
    const auto old = x.size();
    if (size <= old) return;
    x.conservativeResize(std::max<Eigen::Index>(size, 2 * old));
    x.tail(x.size() - old).setZero();
  };
  grow(s.position, all.positions());
  grow(s.velocity, all.velocities());
}

int MechanismBuilder::add_body(Body body, const Pose<double>& pose,
                               const SmallVector<double, 6>& twist, const Vector3& origin) {
  const std::string name = body.name;
  body.height = pose.r(2);
  const int number = mechanism_->bodies_->add(std::move(body));
  mechanism_->origins_.push_back(origin);
  grow_positions();
  State& s = mechanism_->initial_;
  bodies().place(number, pose, s.position);
  static constexpr std::array names{"x", "y", "z", "rotation x", "rotation y", "rotation z"};
  for (std::size_t k = 0; k < 6; ++k) {
    const int place = bodies()[number].velocity[k];
    if (place < 0) continue;
    s.velocity(place) = twist(static_cast<int>(k));
    names_.momentum.push_back(fmt::format("{}.{}", name, names[k]));
  }
  return number;
}

Coordinate MechanismBuilder::add_coordinate(std::string name, double position, double velocity) {
  const Coordinate coordinate = mechanism_->bodies_->add_coordinate();
  grow_positions();
  mechanism_->initial_.position(coordinate.position) = position;
  mechanism_->initial_.velocity(coordinate.velocity) = velocity;
  names_.momentum.push_back(std::move(name));
  return coordinate;
}

int MechanismBuilder::add_frame(std::string name, std::shared_ptr<const CarriedFrame> frame) {
  mechanism_->origins_.push_back(Vector3::Zero());
  return mechanism_->bodies_->add(std::move(name), std::move(frame));
}

void MechanismBuilder::add_flexible(std::unique_ptr<FlexiblePart> part) {
  mechanism_->flexible_.push_back(part.get());
  flexible_.push_back(std::move(part));
}

void MechanismBuilder::remember(Term& term) {
  if (term.memory >= 0 || !std::holds_alternative<Turn>(term.direction)) return;
  Term angle = term;
  angle.weight = 1.0;
  const double value = measure(bodies(), angle, mechanism_->initial_.position);
  angle.memory = term.memory = mechanism_->bodies_->reserve_position();
  grow_positions();
  mechanism_->initial_.position(angle.memory) = value;
  remembered_.push_back(std::move(angle));
}

int MechanismBuilder::add_constraint(std::string name, ConstraintEquation equation) {
  names_.constraint.push_back(std::move(name));
  mechanism_->constraints_.push_back(std::move(equation));
  return static_cast<int>(mechanism_->constraints_.size()) - 1;
}

int MechanismBuilder::add_rolling(std::string name, ConstraintEquation equation) {
  names_.nonholonomic.push_back(std::move(name));
  mechanism_->rolling_.push_back(std::move(equation));
  return static_cast<int>(mechanism_->rolling_.size()) - 1;
}

int MechanismBuilder::add_constraint(std::string name, FunctionEquation equation) {
  equation.row = add_constraint(std::move(name), ConstraintEquation{});
  functions_.push_back(std::move(equation));
  return functions_.back().row;
}

int MechanismBuilder::add_rolling(std::string name, FunctionEquation equation) {
  equation.row = add_rolling(std::move(name), ConstraintEquation{});
  rate_functions_.push_back(std::move(equation));
  return rate_functions_.back().row;
}

void MechanismBuilder::add_rigid_contact(AssembledContact contact, const ContactLaw& law) {
  contact.contact = static_cast<int>(contact_laws_.size());
  contact_laws_.push_back(law);
  mechanism_->contacts_.push_back(std::move(contact));
}

void MechanismBuilder::add_friction(AssembledFriction friction) {
  if (const int first = friction.slips.front().row; first >= 0) {
    friction.element = static_cast<int>(friction_elements_.size());
    friction_elements_.push_back(
        {{.first_slip = first, .slips = static_cast<int>(friction.slips.size())},
         friction.limit,
         friction.bearing});
  }
  mechanism_->frictions_.push_back(std::move(friction));
}

int MechanismBuilder::add_control(std::string name, bool is_variable, double initial) {
  const auto index = static_cast<int>(control_initials_.size());
  control_initials_.push_back(initial);
  control_places_.emplace(name, mechanism_->controls_.size());
  mechanism_->controls_.push_back({std::move(name), index, is_variable});
  return index;
}

const FlexiblePart* MechanismBuilder::find_flexible(std::string_view name) const {
  for (const auto& part : flexible_)
    if (part->name() == name) return part.get();
  return nullptr;
}

const FlexiblePart* MechanismBuilder::part_of(int body) const {
  for (const auto& part : flexible_)
    if (std::find(part->nodes().begin(), part->nodes().end(), body) != part->nodes().end())
      return part.get();
  return nullptr;
}

int MechanismBuilder::find_control(std::string_view name) const {
  const auto found = control_places_.find(name);
  return found == control_places_.end() ? -1 : controls()[found->second].index;
}

void MechanismBuilder::add_joint(AssembledJoint joint) {
  joint_places_.emplace(joint.name, mechanism_->joints_.size());
  mechanism_->joints_.push_back(std::move(joint));
}

const AssembledJoint* MechanismBuilder::find_joint(std::string_view name) const {
  const auto found = joint_places_.find(name);
  return found == joint_places_.end() ? nullptr : &joints()[found->second];
}

BearingLoad MechanismBuilder::bearing_of(const AssembledJoint& joint,
                                         const BearingShape& shape) const {
  std::vector<ConstraintEquation> equations;
  for (const int row : joint.rows)
    equations.push_back(mechanism_->constraints_[static_cast<std::size_t>(row)]);
  return {joint.body_i, joint.frame_i,        joint.body_j, joint.frame_j.axes.col(2),
          joint.rows,   std::move(equations), shape};
}

void MechanismBuilder::add_control_equation(ControlEquation equation) {
  control_equations_.push_back(std::move(equation));
}

// States first, then variables, as the equations want them.
std::vector<int> MechanismBuilder::number_variables_last() {
  std::vector<int> place(control_initials_.size());
  int next = 0;
  for (const bool variables : {false, true})
    for (std::size_t i = 0; i < place.size(); ++i)
      if (mechanism_->controls_[i].is_variable == variables) place[i] = next++;
  Vector& x = mechanism_->initial_.control;
  x.resize(static_cast<int>(place.size()));
  names_.control.resize(place.size());
  for (std::size_t i = 0; i < place.size(); ++i) {
    AssembledControl& control = mechanism_->controls_[i];
    control.index = place[i];
    x(place[i]) = control_initials_[i];
    names_.control[static_cast<std::size_t>(place[i])] = control.name;
  }
  for (const ControlEquation& equation : control_equations_) {
    Formulation& law = mechanism_->controls_[static_cast<std::size_t>(equation.index)].law;
    law = equation.law;
    law.renumber_controls(place);
  }
  for (AssembledForce& force : mechanism_->forces_)
    for (AssembledForce::Component& component : force.components)
      component.magnitude.renumber_controls(place);
  for (AssembledFriction& friction : mechanism_->frictions_)
    friction.limit.renumber_controls(place);
  for (AssembledEnding& ending : mechanism_->endings_)
    ending.value.renumber_controls(place);
  for (AssembledOutput& output : mechanism_->outputs_)
    for (AssembledOutput::Input& input : output.inputs)
      if (auto* signal = std::get_if<Signal>(&input)) signal->renumber_controls(place);
  return place;
}

namespace {

// Which coordinates are angles, and which positions tell how large the mechanism is.
EquationSystem::Units units_of(const Bodies& all,
                               const std::vector<const FlexiblePart*>& flexible) {
  EquationSystem::Units units;
  for (const FlexiblePart* part : flexible)
    units.extent = std::max(units.extent, part->extent());
  units.is_angle.resize(static_cast<std::size_t>(all.velocities()), false);
  for (int b = 1; b < all.size(); ++b) {
    for (std::size_t k = 0; k < 6; ++k) {
      const int velocity = all[b].velocity[k];
      if (velocity < 0) continue;
      if (k >= 3)
        units.is_angle[static_cast<std::size_t>(velocity)] = true;
      else  // x, y, z come first in both
        units.lengths.emplace_back(all[b].first_position + velocity - all[b].velocity[0], velocity);
    }
  }
  return units;
}

}  // namespace

std::unique_ptr<Mechanism> MechanismBuilder::build() {
  const std::vector<int> place = number_variables_last();
  const Bodies& all = bodies();
  mechanism_->initial_.position.conservativeResize(all.positions());
  mechanism_->initial_.velocity.conservativeResize(all.velocities());
  SystemSizes sizes;
  sizes.positions = all.positions();
  sizes.velocities = all.velocities();
  sizes.constraints = static_cast<int>(mechanism_->constraints_.size());
  sizes.nonholonomic = static_cast<int>(mechanism_->rolling_.size());
  sizes.controls = static_cast<int>(place.size());
  sizes.contacts = static_cast<int>(contact_laws_.size());
  for (const ContactLaw& law : contact_laws_)
    sizes.slips += law.slips;
  sizes.friction_elements = static_cast<int>(friction_elements_.size());
  for (const FrictionElements::Element& element : friction_elements_)
    sizes.slips += element.law.slips;
  for (const AssembledControl& control : mechanism_->controls_)
    sizes.variables += control.is_variable ? 1 : 0;

  std::vector<std::unique_ptr<Batch>> batches;
  batches.push_back(std::make_unique<BodyBatch>(all, mechanism_->gravity_));
  batches.push_back(std::make_unique<AngleMemory>(all, std::move(remembered_)));
  for (std::unique_ptr<FlexiblePart>& part : flexible_)
    batches.push_back(std::move(part));
  if (sizes.constraints > 0)
    batches.push_back(std::make_unique<JointBatch>(all, mechanism_->constraints_));
  if (sizes.nonholonomic > 0)
    batches.push_back(std::make_unique<RollingBatch>(all, mechanism_->rolling_));
  if (!functions_.empty())
    batches.push_back(std::make_unique<FunctionBatch>(all, std::move(functions_)));
  if (!rate_functions_.empty())
    batches.push_back(std::make_unique<FunctionRateBatch>(all, std::move(rate_functions_)));
  if (!contact_laws_.empty())
    batches.push_back(std::make_unique<ContactLaws>(std::move(contact_laws_)));
  if (!friction_elements_.empty())
    batches.push_back(std::make_unique<FrictionElements>(all, std::move(friction_elements_)));
  if (!components_.empty())
    batches.push_back(std::make_unique<ForceBatch>(all, std::move(components_)));
  auto passage = std::make_unique<Passage>(all, schedule_, std::move(round_pairs_),
                                           mechanism_->gravity_.norm());
  if (passage->any()) batches.push_back(std::move(passage));
  auto schedule = std::make_unique<Schedule>(all, std::move(schedule_), control_equations_);
  if (schedule->any()) batches.push_back(std::move(schedule));
  if (!control_equations_.empty())
    batches.push_back(std::make_unique<ControlBatch>(all, std::move(control_equations_)));
  for (const auto& group : mechanism_->collisions_)
    batches.push_back(std::make_unique<CollisionBatch>(all, group, mechanism_->gravity_.norm()));
  for (const auto& batch : batches)
    batch->renumber_controls(place);

  mechanism_->system_ = std::make_unique<EquationSystem>(
      sizes, std::move(batches), std::move(names_), units_of(all, mechanism_->flexible_));
  return std::move(mechanism_);
}

}  // namespace picus
