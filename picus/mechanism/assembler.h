// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The work of assemble(), part by part: bodies first, forces last.

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "picus/elements/beam_element.h"
#include "picus/mechanism/assemble.h"
#include "picus/model/flexible/material.h"

namespace picus {

/// Points that cannot move are together when they are this near [m].
inline constexpr double kTogether = 1e-9;

struct BeamData;
struct CurvePoint;
class BeamLine;

/// A frame on a body of the mechanism.
struct PlacedFrame {
  int body = Bodies::kGround;
  BodyFrame frame;
};

/// Turns a Model into a Mechanism; made for one model, run() once. Every kind of part has its
/// add_…() in a file of its own, assemble_<parts>.cpp. They report problems by complain() and go
/// on, so that one pass finds all of them, and hand what they make to builder_.
class Assembler {
 public:
  Assembler(const Model& model, const AssemblyContext& context)
      : model_(model), context_(context) {}

  std::unique_ptr<Mechanism> run();

 private:
  using Local = FormulaLaw::LocalName;
  /// What a formula is for and what it may read.
  struct FormulaScope {
    Dimension unit = {};         ///< of the result
    bool accelerations = false;  ///< may read accelerations, rates of states and multipliers
    std::span<const Local> names = {};
    int body_i = 0, body_j = 0;                ///< between which the local names look
    std::string_view self = {};                ///< the state whose rate may be read by this name
    std::string_view owner = "a force";        ///< for messages
    std::string_view part = {};                ///< whose geometry it is: "contact 'floor'"
    std::span<const std::string> others = {};  ///< further names, for suggestions
  };

  /// Vectors in space, and names in formulas, are those of this submodel while it exists.
  class Within {
   public:
    Within(Assembler& assembler, int placement) : assembler_(assembler), outer_(assembler.here_) {
      assembler.here_ = placement;
    }
    Within(Within&&) = delete;  // neither copied nor assigned then
    ~Within() { assembler_.here_ = outer_; }

   private:
    Assembler& assembler_;
    int outer_;
  };
  const Placement& here() const { return placement_of(model_, here_); }
  /// As the parts of the present submodel see it: left-handed in one that is mirrored.
  Matrix3 seen_from_here(const std::string& name, const Matrix3& axes) const;
  void add_submodels();
  /// Whether the motion depends on a formula.
  enum class Effect { kMotion, kNone };

  void complain(SourcePlace place, const std::string& message);
  void warn(SourcePlace place, const std::string& message);
  bool is_new_name(const std::string& name, SourcePlace place);

  // bodies
  void add_bodies();
  void add_body(const Named<BodyPart>& part);
  void check_motion(const Named<BodyPart>& part, BodyKind kind);
  void check_gravity();
  void check_mesh(const Named<BodyPart>& part, BodyKind kind);
  void check_center(const Named<BodyPart>& part, const Vector3& center);
  BodyKind kind_of(const BodyPart& part) const;
  Matrix3 axes_of(const Named<Marker>& marker);

  // flexible parts
  void add_flexible();
  void add_flexible(const Named<Flexible>& part, const Bar& bar);
  void add_beams();
  void add_beam(const Named<Beam>& part);
  std::optional<BeamLine> line_of(const Named<Beam>& part);
  std::optional<std::function<CurvePoint(double)>> curve_of(const Named<Beam>& part);
  static void add_elements(const BeamLine& line, const std::vector<double>& stations,
                           const std::vector<Pose<double>>& nodes, BeamData& data);
  /// Of the helices between nodes, at the start.
  std::vector<double> lengths_between(const std::vector<int>& nodes) const;
  void add_loads();
  void add_load(const Named<Beam>& part, const std::vector<Formula>& load, bool in_section);
  bool are_on_beam(const Named<Beam>& part);
  std::vector<int> add_nodes(const Named<Beam>& part, std::vector<Pose<double>>& poses);
  void mark_nodes(const Named<Beam>& part, const std::vector<double>& stations,
                  const std::vector<int>& nodes);
  std::optional<Material> material_of(const Beam& beam);
  bool fill_section(const Named<Beam>& part, BeamData& data);
  bool fill_general_section(const GeneralSection& given, BeamSection& section,
                            const std::function<bool(const std::string&)>& refuse);

  void add_parts_in_code();

  // frames
  std::optional<PlacedFrame> find_frame(const Name& name);
  bool is_body_name(const std::string& name) const;
  /// The two frames of a connection; `default_axis` is its axis unless stated.
  std::optional<std::pair<PlacedFrame, PlacedFrame>> frames_of(const Connection& connection,
                                                               const Vector3& default_axis);
  std::optional<std::pair<PlacedFrame, PlacedFrame>> frames_at(const std::vector<Name>& between,
                                                               const std::vector<Vector3>& points,
                                                               SourcePlace place);
  PlacedFrame carried_by(int body, const Vector3& point, const Matrix3& axes) const;
  bool are_two(const std::vector<Name>& names, SourcePlace place);
  double initial_turn(int body_i, int body_j) const;

  // joints
  void add_joints();
  template <class J>
  void add_joint(const Named<Joint>& part, const J& joint);
  void add_disc(const Named<Joint>& part, const RollingDisc& disc);
  void add_equations(const Named<Joint>& part, std::string_view type, const PlacedFrame& i,
                     const PlacedFrame& j, const JointEquations& equations);
  /// True when nodes of flexible parts cannot move along this equation of a joint.
  bool holds_by_itself(const ConstraintEquation& equation) const;
  PartRestraint restraint_of(const PlacedFrame& i, const PlacedFrame& j) const;
  bool is_possible(const Named<Joint>& part, const PlacedFrame& i, const PlacedFrame& j,
                   const JointEquations& equations);
  bool is_length(const Named<Joint>& part, double length);
  /// How far the frame is from a body that is a point, and cannot turn; 0 for other bodies.
  double arm_of_point(const PlacedFrame& frame) const;
  template <class C>
  void add_coupler(const Named<Joint>& part, const C& coupler);
  void add_constraints();
  void add_motions();
  void add_motion(const Named<PrescribedMotion>& part);
  std::optional<Term> driven_coordinate(const Name& name, AssembledJoint& record, Dimension& unit);
  std::optional<Term> driven_point(const Named<PrescribedMotion>& part, AssembledJoint& record);
  /// `label` says what is prescribed: "motion 'drive'".
  std::optional<Motion> motion_of(const Formula& formula, const Dimension& unit,
                                  const std::string& label);
  /// The coordinate "pin" or "pin.angle" names; reports unknown names.
  const AssembledJoint::Coordinate* find_coordinate(const Name& name);
  /// "pin" of "pin.angle": the joint itself if there is one of that name.
  std::string joint_in(const std::string& name) const;
  void complain_of_joint(SourcePlace place, const std::string& name);

  // contacts
  void add_contacts();
  template <class C>
  void add_contact(const Named<Contact>& part, const C& contact);
  void add_contact(const Named<Contact>& part, const Stop& stop);
  void add_contact(const Named<Contact>& part, const PointOnCurve& contact);
  void add_contact(const Named<Contact>& part, const FormulaContact& contact);
  void add_contact(const Named<Contact>& part, const DryFriction& friction);
  std::optional<std::pair<PlacedFrame, PlacedFrame>> frames_of_contact(const BallOnPlane& contact);
  template <class C>
  std::optional<std::pair<PlacedFrame, PlacedFrame>> frames_of_contact(const C& contact);
  bool is_sound(const Named<Contact>& part, const Surface& surface, std::size_t slips);
  void add_touch(const Surface& surface, AssembledContact record, ContactGeometry geometry);
  int add_slip(const std::string& name, const ContactGeometry& geometry,
               const ContactGeometry::Equation& slip);
  /// A formula of measures (and their rates) and time; the geometry gets its terms.
  MeasureFunction function_of(const Formula& formula, const FormulaScope& scope, bool reads_rates,
                              ContactGeometry& geometry);
  bool is_linear_in_rates(const MeasureFunction& slip, const ContactGeometry& geometry) const;
  /// 0 for what is not round.
  double shape_radius(const std::string& name, bool planar) const;

  // friction elements
  void add_frictions();
  void add_friction(const Named<Contact>& part, const DryFriction& friction);
  /// False when there was a problem; `coordinate` becomes the unit whose rates the slips are.
  bool slips_of(const Named<Contact>& part, const DryFriction& friction, ContactGeometry& geometry,
                Dimension& coordinate);
  std::optional<Formulation> preload_of(const Named<Contact>& part, const DryFriction& friction,
                                        AssembledFriction& record);
  bool is_bearing(const Named<Contact>& part, const DryFriction& friction,
                  const AssembledJoint& joint);
  std::optional<Formulation> limit_of(const Named<Contact>& part, const DryFriction& friction,
                                      bool is_angular);

  // collisions
  void add_collisions();
  void add_collisions(const Named<Collisions>& part);
  bool is_sound(const Named<Collisions>& part);
  using BodyParts = std::map<std::string_view, const BodyPart*>;
  std::optional<CollisionBall> ball_of(const CollidingBall& ball, const BodyParts& bodies);
  std::optional<CollisionShape> shape_of(const CollidingShape& part, const BodyParts& bodies);
  void add_line(const CollidingBeam& part, CollisionGroup& group);
  std::optional<CollisionPlane> plane_of(const CollidingPlane& plane, bool is_planar);

  // formulas
  std::optional<Formulation> formulate(const Formula& formula, const FormulaScope& scope);
  /// Null when it has an error, which is reported. Formulas of the same text are one.
  std::shared_ptr<const Expression> parse(const Formula& formula, Effect effect = Effect::kMotion);
  std::optional<Signal> find_signal(const FormulaInput& input, const Formula& formula,
                                    const FormulaScope& scope);
  std::optional<Signal> local_signal(const std::string& name, const FormulaScope& scope,
                                     SourcePlace place);
  std::optional<Signal> body_signal(const std::string& name, SourcePlace place);
  std::optional<Signal> joint_signal(const std::string& name, SourcePlace place);
  std::optional<Signal> control_signal(const std::string& name);
  std::optional<Signal> measure_signal(const FormulaInput& input, SourcePlace place);
  std::vector<std::string> known_names() const;
  std::string unknown_in_formula(const std::string& name, const FormulaScope& scope) const;
  double to_user(const Dimension& unit, SourcePlace place) const;

  // controls
  void add_controls();
  void add_control_names(const Named<Control>& part);
  void state_control(const Named<Control>& part);
  int control_index(const std::string& name) const;
  void state(const std::string& name, const FirstOrderState& control, SourcePlace place);
  void state(const std::string& name, const Variable& control, SourcePlace place);
  void state(const std::string& name, const Pid& control, SourcePlace place);
  void state(const std::string& name, const TransferFunction& control, SourcePlace place);

  // conditions that end a run
  void add_endings();

  // outputs
  void add_outputs();
  void add_output(const Named<OutputPart>& part);
  std::optional<AssembledOutput::Input> find_output_input(const Named<OutputPart>& part,
                                                          const FormulaInput& input);
  std::optional<AssembledOutput::ForceInput> find_force_input(const std::string& name,
                                                              SourcePlace place) const;
  bool comes_later(const Named<OutputPart>& part, const std::string& name, int column);
  std::vector<std::string> names_for_outputs() const;

  // forces
  void add_force_names();
  void add_forces();
  template <class F>
  void add_force(const Named<Force>& part, const F& force);
  void add_force(const Named<Force>& part, const Motor& motor);
  std::optional<std::pair<PlacedFrame, PlacedFrame>> frames_of_force(const Connection& force);
  template <class F>
  std::optional<std::pair<PlacedFrame, PlacedFrame>> frames_of_force(const F& force);
  bool acts_in_plane(const Named<Force>& part, bool planar, int body);
  void check_force(const Named<Force>& part, const PlacedFrame& i, const PlacedFrame& j);
  Vector3 point_of(const PlacedFrame& frame) const;
  void check_bushing(const Named<Force>& part, const Bushing& bushing, int body);
  void add_row(AssembledForce& record, const ForceRow& row, int body_i, int body_j,
               std::string_view state_name);
  std::optional<Formulation> magnitude(const LinearLaw& law, const ForceRow& row, int i, int j,
                                       AssembledForce& record);
  std::optional<Formulation> magnitude(const FormulaLaw& law, const ForceRow& row, int i, int j,
                                       AssembledForce& record);
  std::optional<Formulation> magnitude(const CodedLaw& law, const ForceRow& row, int i, int j,
                                       AssembledForce& record);
  /// What a spring reads and works along.
  struct SpringTerms {
    Term measured, along;
    bool is_angle = false;
  };
  /// Nothing when a curve is wrong, which is reported.
  std::optional<Formulation> linear(const LinearLaw& law, const SpringTerms& terms,
                                    AssembledForce& record);
  std::optional<Formulation> curved(const LinearLaw& law, const SpringTerms& terms,
                                    AssembledForce& record);
  std::shared_ptr<const Table> table_of(const CurvePart& part, const std::string& force);
  Term term_between(const Direction& direction, int body_i, int body_j);

  // what joints say of their own coordinates
  void add_contacts_of_joints();
  bool is_range(const Named<Joint>& part, const JointLimits& limits);
  void add_springs_of_joints();
  void add_spring_of(const Named<Joint>& part, const LinearLaw& law);

  const Model& model_;
  const AssemblyContext& context_;
  MechanismBuilder builder_;
  bool failed_ = false;
  std::map<std::string, SourcePlace> names_;  ///< every name given so far
  std::set<std::string> body_names_;
  std::map<std::string, PlacedFrame> markers_;
  std::map<std::string, int> motion_rows_;
  std::vector<const Named<Contact>*> frictions_;  ///< wait for the controls
  std::list<Named<Contact>> of_joints_;           ///< stops and friction
  int here_ = 0;                                  ///< number of the present placement
  std::map<int, FormulaTables> tables_;           ///< of a placement, by the names it uses
  std::map<std::pair<int, std::string>, std::shared_ptr<const Expression>> parsed_;  ///< of those
};

}  // namespace picus
