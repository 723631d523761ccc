// SPDX-License-Identifier: BSD-3-Clause
#include "tests/mechanism/two_bodies.h"

#include "tests/mechanism/carried_pair.h"

namespace picus::testing {
namespace {

Named<BodyPart> body(const std::string& name, Vector3 at, Vector3 axis, double angle) {
  BodyPart part;
  part.mass = 1.3;
  part.inertia = {0.4, 0.5, 0.6, 0.02, -0.03, 0.01};
  part.center = Vector3(0.05, -0.02, 0.03);
  part.at = std::move(at);
  part.rotations = {{std::move(axis), angle}};
  part.velocity = {0.3, -0.2, 0.1};
  part.angular_velocity = {0.4, 0.2, -0.5};
  part.markers = {{"tip", {}, {.at = {0.3, 0.1, -0.2}, .axis = Vector3(0.2, -0.1, 1.0)}}};
  return {name, {}, part};
}

Connection between(Vector3 axis) {
  Connection connection;
  connection.between = {{"a", {}}, {"b", {}}};
  connection.at = Vector3(0.5, 0.2, 0.1);
  connection.axis = std::move(axis);
  return connection;
}

const std::vector<Name> kMarkers{{"a.tip", {}}, {"b.tip", {}}};

template <class T>
Joint connected(const Connection& connection) {
  T joint;
  static_cast<Connection&>(joint) = connection;
  return joint;
}

PartCase with(std::string name, Model model, std::vector<Joint> joints) {
  int number = 0;
  for (Joint& joint : joints)
    model.joints.push_back({"joint" + std::to_string(++number), {}, std::move(joint)});
  return {std::move(name), std::move(model)};
}

CurvePart curve(std::vector<double> y) {
  CurvePart part;
  part.x = {-4.0, -1.0, 0.0, 2.0, 5.0};
  part.y = std::move(y);
  part.interpolation = Interpolation::kCubic;
  part.extrapolation = Extrapolation::kLinear;
  return part;
}

PartCase acting(std::string name, Model model, Force force) {
  model.forces.push_back({"force", {}, std::move(force)});
  return {std::move(name), std::move(model)};
}

}  // namespace

std::unique_ptr<Mechanism> PartCase::assembled() const {
  AssemblyContext context = AssemblyContext::throwing();
  if (carried != Carried::kNone)
    context.parts_in_code = [this](MechanismBuilder& builder) {
      return carried_pair(builder, carried == Carried::kBoth);
    };
  return assemble(model, context);
}

std::vector<PartCase> on_carried_frames(const std::vector<PartCase>& cases,
                                        PartCase::Carried which) {
  std::vector<PartCase> result;
  for (PartCase part : cases) {
    if (part.model.dimension != 3) continue;
    part.name = (which == PartCase::Carried::kBoth ? "carried_" : "half_carried_") + part.name;
    part.carried = which;
    if (which == PartCase::Carried::kBoth)
      part.model.bodies.clear();
    else
      part.model.bodies.erase(part.model.bodies.begin());
    result.push_back(std::move(part));
  }
  return result;
}

State sized(const Mechanism& mechanism) {
  State state = mechanism.initial_state();
  size_state(mechanism.system(), state);
  return state;
}

Model two_spatial_bodies() {
  Model model;
  model.gravity = {0.5, -9.81, 0.3};
  model.bodies = {body("a", {0.1, 0.2, 0.3}, {1.0, 0.5, -0.3}, 0.7),
                  body("b", {0.9, -0.4, 0.2}, {0.2, -1.0, 0.4}, 1.1)};
  return model;
}

Model two_planar_bodies() {
  Model model;
  model.dimension = 2;
  model.gravity = {0.0, -9.81, 0.0};
  BodyPart part;
  part.mass = 1.3;
  part.inertia = {0.4};
  part.at = {0.1, 0.2, 0.0};
  part.angle = 0.4;
  part.velocity = {0.3, -0.2, 0.0};
  part.spin = 0.7;
  part.markers = {{"tip", {}, {.at = {0.3, 0.1, 0.0}}}};
  model.bodies.push_back({"a", {}, part});
  part.at = {0.9, -0.4, 0.0};
  part.angle = -0.8;
  model.bodies.push_back({"b", {}, part});
  return model;
}

std::vector<PartCase> joint_cases() {
  std::vector<PartCase> cases;
  const auto both = [&]<class T>(const std::string& name, T*, const Vector3& planar_axis) {
    cases.push_back(
        with("spatial_" + name, two_spatial_bodies(), {connected<T>(between({0.3, -0.5, 1.0}))}));
    cases.push_back(
        with("planar_" + name, two_planar_bodies(), {connected<T>(between(planar_axis))}));
  };
  const Vector3 z = Vector3::UnitZ(), slope(1.0, 0.7, 0.0);
  both("fixed", static_cast<FixedJoint*>(nullptr), z);
  both("weld", static_cast<WeldJoint*>(nullptr), z);
  both("revolute", static_cast<RevoluteJoint*>(nullptr), z);
  both("prismatic", static_cast<PrismaticJoint*>(nullptr), slope);
  both("cylindrical", static_cast<CylindricalJoint*>(nullptr), slope);
  both("spherical", static_cast<SphericalJoint*>(nullptr), z);
  both("planar", static_cast<PlanarJoint*>(nullptr), slope);
  both("inline", static_cast<InlineJoint*>(nullptr), slope);
  both("in_plane", static_cast<InPlaneJoint*>(nullptr), slope);
  both("parallel", static_cast<ParallelJoint*>(nullptr), slope);
  both("knife_edge", static_cast<KnifeEdge*>(nullptr), z);
  const Connection tilted = between({0.3, -0.5, 1.0});
  cases.push_back(with("universal", two_spatial_bodies(), {connected<UniversalJoint>(tilted)}));
  cases.push_back(
      with("perpendicular", two_spatial_bodies(), {connected<PerpendicularJoint>(tilted)}));
  DistanceJoint distance;
  distance.between = kMarkers;
  cases.push_back(with("spatial_distance", two_spatial_bodies(), {distance}));
  cases.push_back(with("planar_distance", two_planar_bodies(), {distance}));
  ScrewJoint screw;
  static_cast<Connection&>(screw) = tilted;
  screw.pitch = 0.3;
  cases.push_back(with("screw", two_spatial_bodies(), {screw}));

  RevoluteJoint pin;
  static_cast<Connection&>(pin) = tilted;
  PrismaticJoint slide;
  slide.between = {{"ground", {}}, {"a", {}}};
  slide.at = Vector3::Zero();
  slide.axis = Vector3(1.0, 2.0, 0.5);
  RevoluteJoint axle = pin;
  axle.between = {{"ground", {}}, {"a", {}}};
  cases.push_back(with("gear", two_spatial_bodies(),
                       {pin, axle, Gear{{{"joint1", {}}, {"joint2", {}}}, -2.5, {}}}));
  cases.push_back(with("rack_and_pinion", two_spatial_bodies(),
                       {slide, pin, RackAndPinion{{"joint1", {}}, {"joint2", {}}, 0.2, {}}}));
  cases.push_back(with("coupler", two_spatial_bodies(),
                       {slide, pin, Coupler{{{{"joint1", {}}, 0.4}, {{"joint2", {}}, 1.7}}, {}}}));
  RollingDisc disc;
  disc.between = {{"ground", {}}, {"b", {}}};
  disc.radius = 0.4;
  disc.axle = {0.2, 1.0, 0.1};
  disc.center = Vector3(0.1, 0.0, 0.05);
  disc.normal = {0.1, 0.2, 1.0};
  cases.push_back(with("rolling_disc", two_spatial_bodies(), {disc}));
  disc.between = {{"a", {}}, {"b", {}}};
  cases.push_back(with("rolling_disc_on_body", two_spatial_bodies(), {disc}));

  PartCase driven = with("driven", two_spatial_bodies(), {pin, slide});
  driven.model.motions = {
      {"turn", {}, {.joint = Name{"joint1", {}}, .value = {"0.3*sin(2*time) + time^2", {}}}},
      {"push", {}, {.point = Name{"b.tip", {}}, .along = {1, 2, 0}, .value = {"exp(-time)", {}}}}};
  cases.push_back(driven);

  RevoluteJoint sprung = pin;
  sprung.stiffness = 3.0;
  sprung.damping = 0.4;
  sprung.rest = 0.2;
  PrismaticJoint rail = slide;
  rail.stiffness = 20.0;
  cases.push_back(with("sprung", two_spatial_bodies(), {sprung, rail}));
  for (Model model : {two_spatial_bodies(), two_planar_bodies()}) {
    const std::string kind = model.dimension == 2 ? "planar_" : "spatial_";
    model.constraints = {
        {"wire", {}, {{"a.x*b.y + 0.3*sin(b.x) - distance(a.tip, b.tip)^2/5", {}}}},
        {"cable", {}, {{"b.tip.y - 0.2*a.tip.x - 0.1*sin(3*time)*b.x", {}}}}};
    cases.push_back({kind + "constraints", model});
  }
  return cases;
}

std::vector<PartCase> force_cases() {
  std::vector<PartCase> cases;
  const auto both = [&](const std::string& name, const Force& force) {
    cases.push_back(acting("spatial_" + name, two_spatial_bodies(), force));
    cases.push_back(acting("planar_" + name, two_planar_bodies(), force));
  };
  SpringDamper spring;
  spring.between = kMarkers;
  spring.stiffness = 12.0;
  spring.damping = 0.7;
  spring.length = 0.2;
  spring.preload = 1.5;
  both("spring", spring);
  spring.force = Formula{"-8*(length - 0.3)^3 - 0.4*rate*abs(rate) + 2*sin(time)*a.x", {}};
  both("spring_formula", spring);
  SpringDamper curved;
  curved.between = kMarkers;
  curved.stiffness_table = curve({-9.0, -2.0, 0.0, 5.0, 20.0});
  curved.damping_table = curve({-3.0, -1.0, 0.0, 0.5, 1.0});
  curved.preload = 0.7;
  both("spring_tables", curved);
  TorsionSpring torsion;
  static_cast<Connection&>(torsion) = between({0.0, 0.0, 1.0});
  torsion.stiffness = 3.0;
  torsion.damping = 0.2;
  torsion.angle = 0.1;
  both("torsion", torsion);
  torsion.torque = Formula{"-2*sin(angle) - 0.1*rate^3", {}};
  both("torsion_formula", torsion);
  torsion.torque = std::nullopt;
  torsion.stiffness = 0.0;
  torsion.stiffness_table = curve({-9.0, -2.0, 0.0, 5.0, 20.0});
  both("torsion_table", torsion);
  Bushing bushing;
  static_cast<Connection&>(bushing) = between({0.2, 0.1, 1.0});
  bushing.stiffness = {10.0, 20.0, 30.0};
  bushing.damping = {0.1, 0.2, 0.3};
  bushing.torsional_stiffness = {1.0, 2.0, 3.0};
  bushing.torsional_damping = {0.4, 0.5, 0.6};
  cases.push_back(acting("spatial_bushing", two_spatial_bodies(), bushing));
  bushing.axis = Vector3::UnitZ();
  cases.push_back(acting("planar_bushing", two_planar_bodies(), bushing));
  bushing.stiffness_tables = AxisCurves{.x = curve({-9.0, -2.0, 0.0, 5.0, 20.0}), .y = {}, .z = {}};
  bushing.stiffness(0) = 0.0;
  bushing.torsional_damping_tables =
      AxisCurves{.x = {}, .y = {}, .z = curve({-3.0, -1.0, 0.0, 0.5, 1.0})};
  bushing.torsional_damping(2) = 0.0;
  cases.push_back(acting("spatial_bushing_tables", two_spatial_bodies(), bushing));
  for (Model model : {two_spatial_bodies(), two_planar_bodies()}) {
    const std::string kind = model.dimension == 2 ? "planar_" : "spatial_";
    RevoluteJoint pin;
    static_cast<Connection&>(pin) = between({0.0, 0.0, 1.0});
    model.joints = {{"pin", {}, pin}};
    Motor motor;
    motor.joint = {"pin", {}};
    motor.torque = Formula{"-0.1*rate^3 + 0.2*a.x*sin(angle)", {}};
    motor.target = Formula{"0.3*sin(time) + b.y", {}};
    motor.speed = Formula{"0.3*cos(time)", {}};
    motor.stiffness = 7.0;
    motor.damping = 0.6;
    motor.limit = Formula{"1e4 + b.x", {}};
    cases.push_back(acting(kind + "motor", model, motor));
    motor.limit = Formula{"1e-3*(2 + sin(b.x))", {}};  // reached, whatever the random state
    cases.push_back(acting(kind + "motor_at_its_limit", model, motor));
  }
  PointForce push{{"b.tip", {}}, {}, {{"3*time", {}}, {"a.vx*b.y", {}}}, ForceAxes::kGround, {}};
  both("force", push);
  push.axes = ForceAxes::kBody;
  both("follower_force", push);
  both("torque", Torque{{{"a", {}}, {"b", {}}}, {{"1 + b.x*a.vy", {}}}, {}});
  cases.push_back(
      acting("spatial_torque3", two_spatial_bodies(),
             Torque{{{"a", {}}, {"b.tip", {}}}, {{"1", {}}, {"b.wx", {}}, {"2", {}}}, {}}));
  GeneralForce general{kMarkers,
                       {{"-5*px(b.tip, a.tip) - 0.3*px_rate(b.tip, a.tip)", {}},
                        {"distance(a, b)*dy(a.tip, b)", {}}},
                       {{"-turn(b.tip, a.tip) - 0.1*turn_rate(b.tip, a.tip)", {}}},
                       false,
                       {}};
  both("general", general);
  general.states = true;
  both("general_states", general);
  ContactForce contact;
  contact.between = kMarkers;
  contact.radius = 3.0;  // deep inside, whatever the random state
  contact.normal.stiffness = 40.0;
  contact.normal.dissipation = 0.05;
  contact.friction = 0.4;
  contact.slip_speed = 0.5;
  cases.push_back(acting("ball_on_plane", two_spatial_bodies(), contact));
  contact.other_radius = 1.0;
  contact.friction = 0.0;
  both("balls", contact);
  return cases;
}

namespace {

// A contact between the bodies, rigid or compliant; the latter deep inside.
template <class C>
PartCase touching(const std::string& name, Model model, C contact, bool compliant) {
  contact.surface.restitution = 0.3;
  if (!std::is_same_v<C, Stop>) contact.surface.friction = 0.4;
  if (compliant) contact.surface.compliance = Compliance{{40.0, 1.5, 0.05}, 0.5};
  model.contacts = {{"touch", {}, contact}};
  return {name + (compliant ? "_compliant" : ""), model};
}

// In a joint that turns, and by one or two formulas, with limits that see the motion.
void add_friction_cases(std::vector<PartCase>& cases, bool smooth) {
  const std::string end = smooth ? "_smooth" : "";
  for (Model model : {two_spatial_bodies(), two_planar_bodies()}) {
    const std::string kind = model.dimension == 2 ? "planar_" : "spatial_";
    RevoluteJoint pin;
    static_cast<Connection&>(pin) = between({0.0, 0.0, 1.0});
    DryFriction friction;
    if (smooth) friction.slip_speed = 0.5;
    friction.joint = Name{"pin", {}};
    friction.limit = Formula{"2 + 0.3*sin(b.x) + 0.2*a.vy + 0.1*pin.angle.rate^2 + time", {}};
    Model turning = model;
    turning.joints = {{"pin", {}, pin}};
    turning.contacts = {{"brake", {}, friction}};
    cases.push_back({kind + "joint_friction" + end, turning});
    friction.joint = std::nullopt;
    friction.limit = std::nullopt;
    friction.coefficient = 0.3;
    friction.normal_force = Formula{"5 + a.x*b.vx", {}};
    friction.slip = {{"b.vx*cos(a.x) - a.vy + 0.1*py_rate(b.tip, a.tip)*b.y - 0.2*time", {}}};
    model.contacts = {{"rub", {}, friction}};
    cases.push_back({kind + "friction" + end, model});
    friction.slip.push_back({"b.wz + a.vx*b.x", {}});
    model.contacts = {{"rub", {}, friction}};
    cases.push_back({kind + "friction_two_slips" + end, model});
  }
}

}  // namespace

std::vector<PartCase> contact_cases() {
  std::vector<PartCase> cases;
  for (const bool compliant : {false, true}) {
    const auto both = [&](const std::string& name, const auto& contact) {
      cases.push_back(touching("spatial_" + name, two_spatial_bodies(), contact, compliant));
      cases.push_back(touching("planar_" + name, two_planar_bodies(), contact, compliant));
    };
    const double large = compliant ? 3.0 : 0.2;
    BallOnPlane plane;
    plane.between = kMarkers;
    plane.radius = large;
    plane.height = Formula{"0.1*sin(2*time)", {}};
    both("ball_on_plane", plane);
    BallOnBall balls;
    balls.between = kMarkers;
    balls.radius = large;
    balls.other_radius = 0.3;
    both("ball_on_ball", balls);
    balls.inside = true;
    balls.radius = 0.1;
    both("ball_in_ball", balls);
    Journal journal;
    static_cast<Connection&>(journal) = between({0.0, 0.0, 1.0});
    journal.between = kMarkers;
    journal.axis = journal.at = journal.x_axis = std::nullopt;
    journal.radius = 0.4;
    journal.clearance = 0.01;
    both("journal", journal);
    Guide guide;
    static_cast<Connection&>(guide) = between({1.0, 0.0, 0.0});
    guide.length = 0.8;
    guide.height = compliant ? 5.0 : 0.3;
    guide.clearance = 0.01;
    both("guide", guide);
    PointOnCurve curve;
    curve.between = kMarkers;
    curve.curve = {compliant ? "9 + 0.3*sin(2*x + time) + 0.2*x^2" : "0.3*sin(2*x + time)", {}};
    both("point_on_curve", curve);
    FormulaContact gap;
    gap.gap = {compliant ? "0.4*px(b.tip, a.tip) + 0.2*b.x*a.y - 9 + 0.1*sin(time)"
                         : "distance(b.tip, a.tip) - 0.4 + 0.2*b.x*a.y + 0.1*sin(time)",
               {}};
    gap.slip = {{"b.vx*cos(a.x) - a.vy + 0.1*py_rate(b.tip, a.tip)*b.y", {}}};
    both("gap", gap);
    gap.slip.push_back({"b.wz + a.vx", {}});
    cases.push_back(touching("spatial_gap_two_slips", two_spatial_bodies(), gap, compliant));
    Stop stop;
    stop.joint = {"pin", {}};
    stop.lower = Formula{compliant ? "9" : "-0.3 + 0.1*time^2", {}};
    stop.upper = Formula{compliant ? "-9" : "1 + cos(time)", {}};
    for (Model model : {two_spatial_bodies(), two_planar_bodies()}) {
      RevoluteJoint pin;
      static_cast<Connection&>(pin) = between({0.0, 0.0, 1.0});
      model.joints = {{"pin", {}, pin}};
      cases.push_back(
          touching(model.dimension == 2 ? "planar_stop" : "spatial_stop", model, stop, compliant));
    }
    add_friction_cases(cases, compliant);
  }
  return cases;
}

std::vector<PartCase> control_cases() {
  Model model = two_spatial_bodies();
  RevoluteJoint pin;
  static_cast<Connection&>(pin) = between({0.3, -0.5, 1.0});
  model.joints = {{"pin", {}, pin}};
  model.motions = {{"drive", {}, {.point = Name{"a", {}}, .value = {"time", {}}}}};
  const auto formula = [](const char* text) { return Formula{text, {}}; };
  model.controls = {
      {"filter", {}, FirstOrderState{0.3, formula("(pin.angle - filter)/0.2 + a.ax"), {}}},
      {"implicit",
       {},
       FirstOrderState{0.1, {}, formula("implicit.rate^3 + implicit.rate + implicit*b.vx - gain")}},
      {"gain",
       {},
       Variable{formula("pin.angle.rate*filter + pin.angle.acceleration + drive.force^2")}},
      {"speed", {}, Pid{formula("2 - pin.angle.rate"), 3.0, 2.0, 0.1, 0.05}},
      {"lag", {}, TransferFunction{formula("speed"), {1.0, 2.0}, {2.0, 3.0, 4.0}}}};
  model.forces = {
      {"motor", {}, Torque{{{"a", {}}, {"b", {}}}, {formula("lag + 0.1*gain*pin.angle")}, {}}}};
  return {{"everything", model}};
}

}  // namespace picus::testing
