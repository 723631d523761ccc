// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the user asked for: plain values, no behaviour. A joint or a force is one header and one
// line in the lists below; reader, reference page, schema, assembly and tests follow from it.

#include <string>
#include <variant>
#include <vector>

#include "picus/expressions/table.h"
#include "picus/model/audit_mode.h"
#include "picus/model/bodies/body.h"
#include "picus/model/collisions.h"
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
#include "picus/model/motion.h"

namespace picus {

using Joint = std::variant<FixedJoint, RevoluteJoint, PrismaticJoint, CylindricalJoint,
                           UniversalJoint, SphericalJoint, PlanarJoint, InlineJoint, InPlaneJoint,
                           ParallelJoint, PerpendicularJoint, DistanceJoint, ScrewJoint, Gear,
                           RackAndPinion, Coupler, RollingDisc, KnifeEdge>;

using Force = std::variant<SpringDamper, TorsionSpring, Bushing, PointForce, Torque, GeneralForce,
                           ContactForce>;

using Contact = std::variant<BallOnPlane, BallOnBall, PointOnCurve, Stop, Journal, Guide,
                             FormulaContact, DryFriction>;

/// Parts that deform; their nodes are where other parts attach.
using Flexible = std::variant<Bar>;

/// A curve through points, to be called in formulas like a function.
struct TablePart {
  std::string file, x_column, y_column;
  std::vector<double> x, y;
  Interpolation interpolation = Interpolation::kAkima;
  Extrapolation extrapolation = Extrapolation::kConstant;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("file", self.file, "CSV file, relative to the model file that names it", FieldTraits{});
    visit("x_column", self.x_column, "its column of abscissae; default: the first", FieldTraits{});
    visit("y_column", self.y_column, "its column of ordinates; default: the second", FieldTraits{});
    visit("x", self.x, "abscissae, instead of a file", FieldTraits{});
    visit("y", self.y, "ordinates, instead of a file", FieldTraits{});
    visit("interpolation", self.interpolation, "linear, cubic, akima or monotone", FieldTraits{});
    visit("extrapolation", self.extrapolation, "constant or linear", FieldTraits{});
  }
};

/// How to run the model unless the command line says otherwise.
struct RunPart {
  Place place;  ///< set by the reader
  double end_time = 1.0;
  double output_interval = 0.0;
  Name integrator{"auto", {}};
  double tolerance = 1e-5;
  double step = 0.0;
  AuditMode audit = AuditMode::kFail;
  std::vector<Named<std::string>> options;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("end_time", self.end_time, "end of the simulation", FieldTraits{.unit = unit::kTime});
    visit("output_interval", self.output_interval,
          "time between samples of the result; 0 for 500 samples, negative for every step",
          FieldTraits{.unit = unit::kTime});
    visit("integrator", self.integrator, "auto, or a name from `picus list integrators`",
          FieldTraits{});
    visit("tolerance", self.tolerance, "requested accuracy of integrators with error control",
          FieldTraits{});
    visit("step", self.step, "constant step size; 0 for error control",
          FieldTraits{.unit = unit::kTime});
    visit("audit", self.audit,
          "a run that opens joints, pulls with contacts or exceeds limits of friction: fail ends "
          "it, warn tells of it, off does not look",
          FieldTraits{});
    visit("options", self.options, "further options of the integrator, `name: value`",
          FieldTraits{});
  }
};

struct Model {
  static constexpr std::string_view kSummary = "a mechanism and how to run it";
  Place place;  ///< set by the reader
  std::string name;
  std::string description;
  int dimension = 3;
  Vector3 gravity = Vector3::Zero();
  std::vector<Named<Marker>> markers;
  std::vector<Named<BodyPart>> bodies;
  std::vector<Named<Flexible>> flexible;
  std::vector<Named<Beam>> beams;
  std::vector<Named<Joint>> joints;
  std::vector<Named<PrescribedMotion>> motions;
  std::vector<Named<Force>> forces;
  std::vector<Named<Contact>> contacts;
  std::vector<Named<Collisions>> collisions;
  std::vector<Named<Control>> controls;
  std::vector<Named<TablePart>> tables;
  RunPart run;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("name", self.name, "name of the model; default: the file's name", FieldTraits{});
    visit("description", self.description, "what it is and why", FieldTraits{});
    visit("dimension", self.dimension, "2 or 3: bodies are planar or spatial unless they say so",
          FieldTraits{});
    visit("gravity", self.gravity, "acceleration of gravity",
          FieldTraits{.unit = unit::kAcceleration});
    visit("markers", self.markers, "named frames on the ground", FieldTraits{});
    visit("bodies", self.bodies, "the moving bodies", FieldTraits{});
    visit("flexible", self.flexible, "bodies that deform", FieldTraits{});
    visit("beams", self.beams, "beams that bend, twist, shear and stretch", FieldTraits{});
    visit("joints", self.joints, "what holds them together", FieldTraits{});
    visit("motions", self.motions, "prescribed motions", FieldTraits{});
    visit("forces", self.forces, "what acts on them", FieldTraits{});
    visit("contacts", self.contacts, "where bodies hit, stick and slip", FieldTraits{});
    visit("collisions", self.collisions, "balls and walls that may hit each other in any pair",
          FieldTraits{});
    visit("controls", self.controls, "states, variables and controllers", FieldTraits{});
    visit("tables", self.tables, "curves for formulas", FieldTraits{});
    visit("run", self.run, "how to run it", FieldTraits{});
  }
};

}  // namespace picus
