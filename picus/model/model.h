// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A model as plain values, without behaviour: what a model file states, or what a program fills in
// by hand and passes to assemble(). A joint or a force is one header and one line in the lists
// below; reader, reference page, schema, assembly and tests follow from it.

#include <string>
#include <variant>
#include <vector>

#include "picus/model/audit_mode.h"
#include "picus/model/bodies/body.h"
#include "picus/model/collisions.h"
#include "picus/model/constraint.h"
#include "picus/model/contacts/ball_on_ball.h"
#include "picus/model/contacts/ball_on_plane.h"
#include "picus/model/contacts/by_formula.h"
#include "picus/model/contacts/dry_friction.h"
#include "picus/model/contacts/guide.h"
#include "picus/model/contacts/journal.h"
#include "picus/model/controls.h"
#include "picus/model/flexible/bar.h"
#include "picus/model/flexible/beam.h"
#include "picus/model/forces/applied_force.h"
#include "picus/model/forces/bushing.h"
#include "picus/model/forces/contact_force.h"
#include "picus/model/forces/motor.h"
#include "picus/model/forces/spring_damper.h"
#include "picus/model/forces/torsion_spring.h"
#include "picus/model/joints/coupler.h"
#include "picus/model/joints/cylindrical.h"
#include "picus/model/joints/distance.h"
#include "picus/model/joints/fixed.h"
#include "picus/model/joints/in_plane.h"
#include "picus/model/joints/inline.h"
#include "picus/model/joints/knife_edge.h"
#include "picus/model/joints/parallel.h"
#include "picus/model/joints/perpendicular.h"
#include "picus/model/joints/planar.h"
#include "picus/model/joints/prismatic.h"
#include "picus/model/joints/revolute.h"
#include "picus/model/joints/rolling_disc.h"
#include "picus/model/joints/screw.h"
#include "picus/model/joints/spherical.h"
#include "picus/model/joints/universal.h"
#include "picus/model/joints/weld.h"
#include "picus/model/motion.h"
#include "picus/model/output.h"
#include "picus/model/placement.h"
#include "picus/model/plot.h"
#include "picus/model/start_mode.h"
#include "picus/model/submodel.h"
#include "picus/model/table_part.h"

namespace picus {

using Joint = std::variant<FixedJoint, WeldJoint, RevoluteJoint, PrismaticJoint, CylindricalJoint,
                           UniversalJoint, SphericalJoint, PlanarJoint, InlineJoint, InPlaneJoint,
                           ParallelJoint, PerpendicularJoint, DistanceJoint, ScrewJoint, Gear,
                           RackAndPinion, Coupler, RollingDisc, KnifeEdge>;

using Force = std::variant<SpringDamper, TorsionSpring, Bushing, PointForce, Torque, Motor,
                           GeneralForce, ContactForce>;

using Contact = std::variant<BallOnPlane, BallOnBall, PointOnCurve, Stop, Journal, Guide,
                             FormulaContact, DryFriction>;

/// Parts that deform; their nodes are where other parts attach.
using Flexible = std::variant<Bar>;

/// How to run the model unless the command line says otherwise.
struct RunPart {
  SourcePlace place;  ///< set by the reader
  double end_time = 1.0;
  double output_interval = 0.0;
  Name integrator{"auto", {}};
  double tolerance = 1e-5;
  double step = 0.0;
  StartMode start = StartMode::kAssembled;
  std::vector<Formula> until;
  AuditMode audit = AuditMode::kFail;
  std::vector<std::string> record;
  std::vector<Named<std::string>> options;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("end_time", self.end_time, "end of the simulation", FieldTraits{.unit = unit::kTime});
    visit("start", self.start,
          "assembled: at the positions given, joints closed; static: at the equilibrium that is "
          "found from there",
          FieldTraits{});
    visit("until", self.until,
          "a condition, or several: formulas of time, positions, velocities and controls; the run "
          "ends before end_time where the first becomes true (positive)",
          FieldTraits{});
    visit("output_interval", self.output_interval,
          "time between samples of the result; 0 for 500 samples, negative for every step",
          FieldTraits{.unit = unit::kTime});
    visit("integrator", self.integrator, "auto, or a name from `picus list integrators`",
          FieldTraits{.is_keyword = true});
    visit("tolerance", self.tolerance,
          "tolerance of error control: the local error each step may have", FieldTraits{});
    visit("step", self.step, "constant step size; 0 for error control",
          FieldTraits{.unit = unit::kTime});
    visit("record", self.record,
          "channels that the result keeps, by patterns such as `joints.*`, with `not PATTERN` for "
          "those it leaves out; default: all. Channels of `plots` and outputs are kept in any case",
          FieldTraits{});
    visit("audit", self.audit,
          "if joints open, contacts pull or friction exceeds its limit: fail stops the run, warn "
          "reports it, off does not check",
          FieldTraits{});
    visit("options", self.options, "further options of the integrator, `name: value`",
          FieldTraits{});
  }
};

struct Model {
  static constexpr std::string_view kSummary = "a mechanism and how to run it";
  SourcePlace place;  ///< set by the reader
  std::string name;
  std::string description;
  int dimension = 3;
  Vector3 gravity = Vector3::Zero();
  std::vector<Named<SubmodelPart>> submodels;
  std::vector<Named<Marker>> markers;
  std::vector<Named<BodyPart>> bodies;
  std::vector<Named<Flexible>> flexible;
  std::vector<Named<Beam>> beams;
  std::vector<Named<Joint>> joints;
  std::vector<Named<PrescribedMotion>> motions;
  std::vector<Named<FormulaConstraint>> constraints;
  std::vector<Named<Force>> forces;
  std::vector<Named<Contact>> contacts;
  std::vector<Named<Collisions>> collisions;
  std::vector<Named<Control>> controls;
  std::vector<Named<TablePart>> tables;
  std::vector<Named<OutputPart>> outputs;
  std::vector<PlotPart> plots;
  RunPart run;
  /// Where the submodels stand that add_submodel() added: the first is number 1.
  std::vector<Placement> placements;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("name", self.name, "name of the model; default: the file's name", FieldTraits{});
    visit("description", self.description, "what it is and why", FieldTraits{});
    visit("dimension", self.dimension, "2 or 3: bodies are planar or spatial by default",
          FieldTraits{});
    visit("gravity", self.gravity, "acceleration of gravity",
          FieldTraits{.unit = unit::kAcceleration});
    visit("submodels", self.submodels, "other files as parts of this model", FieldTraits{});
    visit("markers", self.markers, "named frames on the ground", FieldTraits{});
    visit("bodies", self.bodies, "the moving bodies", FieldTraits{});
    visit("flexible", self.flexible, "deformable bodies", FieldTraits{});
    visit("beams", self.beams, "beams that bend, twist, shear and stretch", FieldTraits{});
    visit("joints", self.joints, "what connects the bodies", FieldTraits{});
    visit("motions", self.motions, "prescribed motions", FieldTraits{});
    visit("constraints", self.constraints, "equations by formula", FieldTraits{});
    visit("forces", self.forces, "what acts on the bodies", FieldTraits{});
    visit("contacts", self.contacts, "where bodies hit, stick and slip", FieldTraits{});
    visit("collisions", self.collisions, "balls and walls any pair of which may collide",
          FieldTraits{});
    visit("controls", self.controls, "states, variables and controllers", FieldTraits{});
    visit("tables", self.tables, "curves for formulas", FieldTraits{});
    visit("outputs", self.outputs, "numbers by formula that the run records", FieldTraits{});
    visit("plots", self.plots, "what its page shows first; default: the page chooses",
          FieldTraits{});
    visit("run", self.run, "how to run it", FieldTraits{});
  }
};

}  // namespace picus
