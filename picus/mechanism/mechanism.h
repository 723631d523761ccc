// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An assembled mechanism: the equations for integrators, and the names and quantities for people.
// load_model() or assemble() make one; make_consistent() closes its joints; simulate() runs it.

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "picus/dynamics/equation_system.h"
#include "picus/mechanism/collision_search.h"
#include "picus/mechanism/contact.h"
#include "picus/mechanism/control_batch.h"
#include "picus/mechanism/flexible_part.h"
#include "picus/mechanism/force_batch.h"
#include "picus/mechanism/friction.h"
#include "picus/mechanism/joint_batch.h"
#include "picus/mechanism/output.h"
#include "picus/mechanism/passage.h"
#include "picus/mechanism/prescribed.h"
#include "picus/mechanism/schedule.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// A joint as it was assembled.
struct AssembledJoint {
  struct Coordinate {
    std::string name;
    Term term;
    Dimension unit;
  };
  std::string name = {}, type = {};
  int body_i = 0, body_j = 0;
  BodyFrame frame_i = {}, frame_j = {};
  std::vector<int> rows = {};     ///< holonomic equations
  std::vector<int> rolling = {};  ///< nonholonomic equations
  std::vector<Coordinate> coordinates = {};
};

/// A force as it was assembled.
struct AssembledForce {
  struct Component {
    std::string name;
    Formulation magnitude;
    std::string unit;  ///< "N" or "N m"
  };
  /// What a spring measures.
  struct Measure {
    std::string name;  ///< "length", "angle"
    Term term;
    std::string unit;  ///< "m" or "rad"
  };
  std::string name = {}, type = {};
  int body_i = 0, body_j = 0;
  BodyFrame frame_i = {}, frame_j = {};
  std::vector<Component> components = {};
  std::vector<Measure> measures = {};
  std::optional<Term> driven = {};                     ///< coordinate of a motor
  std::function<double(const State&)> potential = {};  ///< may be empty

  /// Energy of several components adds up.
  void add_potential(std::function<double(const State&)> energy) {
    if (!potential) {
      potential = std::move(energy);
      return;
    }
    potential = [a = std::move(potential), b = std::move(energy)](const State& s) {
      return a(s) + b(s);
    };
  }
};

/// A named point of a body.
struct AssembledMarker {
  std::string name;
  int body = 0;
  Vector3 point = Vector3::Zero();  ///< seen from the centre of mass, in the body's axes
};

/// A control as it was assembled.
struct AssembledControl {
  std::string name;
  int index = 0;
  bool is_variable = false;
  Formulation law = {};  ///< of its value or rate
};

/// An equation by formula.
struct AssembledConstraint {
  std::string name;
  int row = -1;  ///< of g
};

/// A condition that ends a run where it becomes positive.
struct AssembledEnding {
  std::string text;  ///< the formula as the user wrote it
  Formulation value;
};

/// What a joint does to its second body: force and torque at the joint's point, axes in space.
struct Reaction {
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
};

/// A mechanism: its bodies, joints, forces, contacts and controls by name, and the System they
/// form.
class Mechanism {
 public:
  const EquationSystem& system() const { return *system_; }
  const Bodies& bodies() const { return *bodies_; }
  const std::vector<const FlexiblePart*>& flexible() const { return flexible_; }
  /// Those of bodies that move.
  const std::vector<AssembledMarker>& markers() const { return markers_; }
  const std::vector<AssembledJoint>& joints() const { return joints_; }
  const std::vector<AssembledForce>& forces() const { return forces_; }
  const std::vector<AssembledConstraint>& formula_constraints() const {
    return formula_constraints_;
  }
  const std::vector<AssembledContact>& contacts() const { return contacts_; }
  /// Groups of balls, planes and lines; CollisionBatch::of has their contacts in a run.
  const std::vector<std::shared_ptr<const CollisionGroup>>& collisions() const {
    return collisions_;
  }
  const std::vector<AssembledFriction>& frictions() const { return frictions_; }
  const std::vector<AssembledControl>& controls() const { return controls_; }
  /// Conditions of `until`.
  const std::vector<AssembledEnding>& endings() const { return endings_; }
  /// Formulas that are recorded; each reads only those before it.
  const std::vector<AssembledOutput>& outputs() const { return outputs_; }
  const Vector3& gravity() const { return gravity_; }
  /// Whether any formula reads the time.
  bool depends_on_time() const { return depends_on_time_; }
  /// Formulas of motions and of limits that may jump.
  const std::vector<PrescribedFormula>& prescribed() const { return prescribed_; }
  /// All formulas of motions, gaps and slips: of positions, velocities and time.
  const std::vector<ScheduledFormula>& geometric() const { return geometric_; }

  /// The origin of a body's own frame, seen from its centre of mass, in the body's axes.
  const Vector3& origin(int body) const { return origins_[static_cast<std::size_t>(body)]; }

  /// As the model gives it: joints may be open, accelerations are missing.
  const State& initial_state() const { return initial_; }

  double kinetic_energy(const State& s) const;
  double potential_energy(const State& s) const;
  /// All outputs, in their order.
  void evaluate_outputs(const State& s, std::vector<double>& values) const;
  Reaction reaction(const AssembledJoint& joint, const State& s) const;
  /// Number of the body of this name, or -1.
  int find_body(std::string_view name) const;

 private:
  friend class MechanismBuilder;

  std::unique_ptr<Bodies> bodies_;
  std::unique_ptr<EquationSystem> system_;
  std::vector<ConstraintEquation> constraints_, rolling_;
  std::vector<const FlexiblePart*> flexible_;
  std::vector<AssembledMarker> markers_;
  std::vector<AssembledJoint> joints_;
  std::vector<AssembledForce> forces_;
  std::vector<AssembledConstraint> formula_constraints_;
  std::vector<AssembledContact> contacts_;
  std::vector<std::shared_ptr<const CollisionGroup>> collisions_;
  std::vector<AssembledFriction> frictions_;
  std::vector<AssembledControl> controls_;
  std::vector<AssembledEnding> endings_;
  std::vector<AssembledOutput> outputs_;
  std::vector<PrescribedFormula> prescribed_;
  std::vector<ScheduledFormula> geometric_;
  std::vector<Vector3> origins_;
  Vector3 gravity_ = Vector3::Zero();
  bool depends_on_time_ = false;
  State initial_;
};

/// Collects the parts of a mechanism and numbers their unknowns. Equations are numbered as they
/// come, so the order matters: bodies, flexible parts, joints, then contacts, then friction
/// elements; forces and controls at any time. build() ends it.
class MechanismBuilder {
 public:
  MechanismBuilder();

  /// The twist is the velocity in space and the angular velocity in the body's frame. `origin` is
  /// where the user's frame sits, seen from the centre of mass.
  int add_body(Body body, const Pose<double>& pose, const SmallVector<double, 6>& twist,
               const Vector3& origin = Vector3::Zero());
  /// A coordinate of a part, with its values at the start.
  Coordinate add_coordinate(std::string name, double position, double velocity);
  /// A frame that bodies and coordinates added before carry.
  int add_frame(std::string name, std::shared_ptr<const CarriedFrame> frame);
  void add_marker(AssembledMarker marker) { mechanism_->markers_.push_back(std::move(marker)); }
  /// Its nodes have been added, one after the other.
  void add_flexible(std::unique_ptr<FlexiblePart> part);
  void set_gravity(const Vector3& gravity) { mechanism_->gravity_ = gravity; }
  /// A formula reads the time.
  void note_time() { mechanism_->depends_on_time_ = true; }

  /// Gives an angle a memory of full turns, unless it needs none.
  void remember(Term& term);
  int add_constraint(std::string name, ConstraintEquation equation);
  int add_rolling(std::string name, ConstraintEquation equation);
  /// The same for functions of measures; their row is set here.
  int add_constraint(std::string name, FunctionEquation equation);
  int add_rolling(std::string name, FunctionEquation equation);
  void add_joint(AssembledJoint joint);
  void add_formula_constraint(AssembledConstraint constraint) {
    mechanism_->formula_constraints_.push_back(std::move(constraint));
  }
  void add_prescribed(PrescribedFormula formula) {
    mechanism_->prescribed_.push_back(std::move(formula));
  }

  /// A contact whose gap and slips were the last equations added; none of joints may follow.
  void add_rigid_contact(AssembledContact contact, const ContactLaw& law);
  void add_compliant_contact(AssembledContact contact) {
    mechanism_->contacts_.push_back(std::move(contact));
  }

  /// Its slips, unless it is smooth, were the last equations added; none of contacts may follow.
  void add_friction(AssembledFriction friction);

  int add_control(std::string name, bool is_variable, double initial);
  void add_control_equation(ControlEquation equation);

  void add_ending(AssembledEnding ending) { mechanism_->endings_.push_back(std::move(ending)); }
  void add_output(AssembledOutput output) { mechanism_->outputs_.push_back(std::move(output)); }

  /// A formula of the model, which may depend on time.
  void add_schedule(ScheduledFormula formula) {
    if (!formula.owner.empty()) mechanism_->geometric_.push_back(formula);
    schedule_.push_back(std::move(formula));
  }

  /// Two balls that collide from outside.
  void add_round_pair(const RoundPair& pair) { round_pairs_.push_back(pair); }

  void add_force(ForceComponent component) { components_.push_back(std::move(component)); }
  /// Contacts in any pair of a group, found as the bodies move.
  void add_collisions(CollisionGroup group) {
    mechanism_->collisions_.push_back(std::make_shared<const CollisionGroup>(std::move(group)));
  }
  void add_force_record(AssembledForce force) { mechanism_->forces_.push_back(std::move(force)); }

  const Bodies& bodies() const { return *mechanism_->bodies_; }
  const std::vector<AssembledJoint>& joints() const { return mechanism_->joints_; }
  const std::vector<AssembledControl>& controls() const { return mechanism_->controls_; }
  const std::vector<AssembledForce>& forces() const { return mechanism_->forces_; }
  const std::vector<AssembledOutput>& outputs() const { return mechanism_->outputs_; }
  /// By name; null and -1 when there is none.
  const AssembledJoint* find_joint(std::string_view name) const;
  /// Of a joint: how its reaction presses on a bearing of this shape.
  BearingLoad bearing_of(const AssembledJoint& joint, const BearingShape& shape) const;
  int find_control(std::string_view name) const;
  const FlexiblePart* find_flexible(std::string_view name) const;
  /// The flexible part that has this node; null for bodies.
  const FlexiblePart* part_of(int body) const;
  /// Poses as given, for measures at the start.
  const State& state() const { return mechanism_->initial_; }

  std::unique_ptr<Mechanism> build();

 private:
  std::vector<int> number_variables_last();
  void grow_positions();

  std::unique_ptr<Mechanism> mechanism_;
  EquationSystem::Names names_;
  std::vector<FunctionEquation> functions_, rate_functions_;
  std::vector<ContactLaw> contact_laws_;
  std::vector<FrictionElements::Element> friction_elements_;
  std::vector<ForceComponent> components_;
  std::vector<ControlEquation> control_equations_;
  std::vector<ScheduledFormula> schedule_;
  std::vector<RoundPair> round_pairs_;
  std::vector<double> control_initials_;
  std::vector<Term> remembered_;
  std::map<std::string, std::size_t, std::less<>> joint_places_, control_places_;
  std::vector<std::unique_ptr<FlexiblePart>> flexible_;
};

}  // namespace picus
