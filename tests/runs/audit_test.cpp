// SPDX-License-Identifier: BSD-3-Clause
// The audit: methods that break a law are caught and the part is named; those that do not are not.
#include "picus/runs/audit.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "picus/steppers/catalog.h"
#include "tests/runs/models.h"
#include "tests/support/stepper_tests.h"

namespace picus::testing {
namespace {

constexpr const char* kPendulum = R"(dimension: 2
gravity: [0, -9.81]
bodies:
  rod: {mass: 3, shape: {type: rod, length: 2}, at: [1, 0]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
run: {end_time: 3}
)";

// Thrown obliquely onto a rough floor, where it comes to rest.
constexpr const char* kBall = R"(dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {mass: 0.2, inertia: [2e-4], at: [0, 0.3], velocity: [1, 0], spin: 20,
         shape: {type: sphere, radius: 0.05}}
contacts:
  floor: {type: ball_on_plane, between: [ground, ball], radius: 0.05, restitution: 0.5,
          friction: 0.1}
run: {end_time: 2}
)";

// Slides to rest, is pushed, slides again.
constexpr const char* kBlock = R"(dimension: 2
bodies:
  block: {mass: 1, inertia: [1], velocity: [1, 0]}
joints:
  rail: {type: prismatic, between: [ground, block], axis: [1, 0]}
forces:
  push: {type: force, body: block, force: [5*sin(2.5*time), 0]}
contacts:
  dry: {type: friction, joint: rail, limit: 2}
run: {end_time: 2}
)";

// Carries out a method and then spoils what it says.
class Spoiled final : public Stepper {
 public:
  using Spoil = std::function<void(double h, State& to)>;

  explicit Spoiled(std::unique_ptr<Stepper> inner) : inner_(std::move(inner)) {}

  Spoil spoil = {};      ///< the result of a step
  double stretch = 1.0;  ///< of the step size, behind the back of the clock
  double normal_factor = 1.0, tangential_factor = 1.0;  ///< of impulses

  StepperTraits traits() const override { return inner_->traits(); }
  void control_error(double tolerance) override { inner_->control_error(tolerance); }
  void start(const System& system, const State& state) override { inner_->start(system, state); }
  StepReport attempt(const System& system, const State& from, double h, State& to) override {
    const StepReport report = inner_->attempt(system, from, stretch * h, to);
    if (spoil) spoil(h, to);
    return report;
  }
  void accept() override { inner_->accept(); }
  void interpolate(const System& system, double fraction, State& result) const override {
    inner_->interpolate(system, fraction, result);
  }
  double smooth_part() const override { return inner_->smooth_part(); }
  StepImpulses impulses() const override {
    StepImpulses impulses = inner_->impulses();
    if (impulses.normal == nullptr) return impulses;
    normal_ = normal_factor * *impulses.normal;
    tangential_ = tangential_factor * *impulses.tangential;
    impulses.normal = &normal_;
    impulses.tangential = &tangential_;
    return impulses;
  }
  std::span<const LawMode> law_modes() const override { return inner_->law_modes(); }
  std::span<const LawMode> next_modes() const override { return inner_->next_modes(); }

 private:
  std::unique_ptr<Stepper> inner_;
  mutable Vector normal_, tangential_;
};

struct Judged {
  AuditReport report;
  Summary summary;
  double end = 0.0;
  std::array<double, kAuditChecks> ratios = {};
  std::string part;

  double ratio(AuditCheck check) const { return ratios[static_cast<std::size_t>(check)]; }
};

Judged judge(const std::string& text, Stepper& stepper, double step,
             AuditMode mode = AuditMode::kFail) {
  const LoadedModel loaded = model_of(text);
  const Mechanism& mechanism = *loaded.mechanism;
  Start start = assemble_start(mechanism);
  EXPECT_TRUE(start.consistency.ok());
  const double end = loaded.model.run.end_time;
  Audit audit({.mode = mode, .span = end});
  FixedStep controller(step);
  Judged judged;
  judged.summary = simulate(mechanism.system(), start.state, stepper, controller, {.end_time = end},
                            [&](const Moment& m) { return audit.observe(m); });
  judged.report = audit.report();
  judged.end = start.state.time;
  for (std::size_t i = 0; i < kAuditChecks; ++i)
    judged.ratios[i] = audit.finding(static_cast<AuditCheck>(i)).ratio;
  if (audit.worst() < kAuditChecks)
    judged.part = audit.finding(static_cast<AuditCheck>(audit.worst())).part;
  return judged;
}

bool says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

// Methods of Moreau let joints drift unless they are asked not to.
std::unique_ptr<Stepper> make_held(std::string_view method) {
  return make_stepper(
      method, method == "moreau_jean" ? OptionValues{{"positions", "projected"}} : OptionValues{});
}

TEST(Audit, CatchesAJointThatOpens) {
  for (const char* method : {"ggl", "half_explicit", "index2", "moreau_jean"}) {
    Spoiled stepper(make_held(method));
    stepper.spoil = [](double, State& to) {
      if (to.time > 1.0) to.position(0) += 0.05;
    };
    const Judged judged = judge(kPendulum, stepper, 1e-2);
    EXPECT_EQ(judged.report.verdict, AuditVerdict::kRed) << method;
    EXPECT_EQ(judged.part, "pin.x") << method;
    EXPECT_TRUE(says(judged.report.failure, "pin.x is open by 0.05")) << judged.report.failure;
    EXPECT_FALSE(judged.report.advice.empty()) << method;
    EXPECT_NEAR(judged.end, 1.01, 1e-9) << method << " went on";
  }
}

TEST(Audit, WarnsAndGoesOnIfAskedTo) {
  Spoiled stepper(make_stepper("ggl"));
  stepper.spoil = [](double, State& to) {
    if (to.time > 1.0) to.position(0) += 0.05;
  };
  const Judged judged = judge(kPendulum, stepper, 1e-2, AuditMode::kWarn);
  EXPECT_EQ(judged.report.verdict, AuditVerdict::kRed);
  ASSERT_FALSE(judged.report.warnings.empty());
  EXPECT_TRUE(says(judged.report.warnings.front(), "pin.x is open by 0.05"));
  EXPECT_EQ(judged.end, 3.0);
  Spoiled unseen(make_stepper("ggl"));
  unseen.spoil = stepper.spoil;
  const Judged off = judge(kPendulum, unseen, 1e-2, AuditMode::kOff);
  EXPECT_EQ(off.report.verdict, AuditVerdict::kGreen);
  EXPECT_EQ(off.report.json, "null");
  EXPECT_EQ(off.end, 3.0);
}

TEST(Audit, CatchesAContactThatPulls) {
  for (const char* method : {"moreau_jean", "nonsmooth_pva"}) {
    Spoiled stepper(make_stepper(method));
    stepper.normal_factor = -1.0;
    const Judged judged = judge(kBall, stepper, 1e-3);
    EXPECT_TRUE(says(judged.report.failure, "pulls")) << judged.report.failure;
    EXPECT_TRUE(says(judged.part, "floor")) << judged.part;
    EXPECT_LT(judged.end, 0.25) << "the first impact is at 0.226 s";
  }
  // of methods that stop at events, the force of the state
  Spoiled stepper(make_stepper("event_driven"));
  stepper.spoil = [](double, State& to) { to.multiplier = -to.multiplier; };
  const Judged judged = judge(kBall, stepper, 1e-2);
  EXPECT_TRUE(says(judged.report.failure, "pulls")) << judged.report.failure;
}

TEST(Audit, CatchesAPenetration) {
  Spoiled stepper(make_stepper("nonsmooth_pva"));
  stepper.spoil = [](double, State& to) {
    if (to.time > 1.5) to.position(1) -= 0.01;
  };
  const Judged judged = judge(kBall, stepper, 1e-3);
  EXPECT_TRUE(says(judged.report.failure, "penetrates by 0.01")) << judged.report.failure;
}

TEST(Audit, CatchesFrictionBeyondItsLimit) {
  for (const char* method : {"moreau_jean", "nonsmooth_pva"}) {
    for (const char* model : {kBall, kBlock}) {
      Spoiled stepper(make_stepper(method));
      stepper.tangential_factor = 1.1;
      const Judged judged = judge(model, stepper, 1e-3);
      EXPECT_EQ(judged.report.verdict, AuditVerdict::kRed) << method;
      EXPECT_TRUE(says(judged.report.failure, "off its limit")) << judged.report.failure;
      EXPECT_TRUE(says(judged.part, model == kBall ? "floor" : "dry")) << judged.part;
    }
  }
  Spoiled stepper(make_stepper("event_driven"));
  stepper.spoil = [](double, State& to) { to.nonholonomic_multiplier *= 1.1; };
  const Judged judged = judge(kBlock, stepper, 1e-2);
  EXPECT_TRUE(says(judged.report.failure, "off its limit")) << judged.report.failure;
}

// Slides for seconds, without friction or with too little of it.
TEST(Audit, CatchesASlipThatFrictionDoesNotMind) {
  for (const double left : {0.0, 0.5}) {
    Spoiled stepper(make_stepper("event_driven"));
    stepper.spoil = [left](double, State& to) { to.nonholonomic_multiplier *= left; };
    const Judged judged = judge(kBlock, stepper, 1e-2);
    EXPECT_TRUE(says(judged.report.failure, "off its limit")) << judged.report.failure;
    Spoiled stepped(make_stepper("moreau_jean"));
    stepped.tangential_factor = left;
    EXPECT_GT(judge(kBlock, stepped, 1e-3).ratio(AuditCheck::kElementSlip), 1.0);
  }
}

TEST(Audit, TellsOfFrictionThatDrives) {
  Spoiled stepper(make_stepper("moreau_jean"));
  stepper.tangential_factor = -1.0;
  const Judged judged = judge(kBlock, stepper, 1e-3);
  EXPECT_GT(judged.ratio(AuditCheck::kElementSlip), 1.0);
  EXPECT_NE(judged.report.verdict, AuditVerdict::kGreen);
}

// Dense output that is late; a state that is, the loop itself refuses (Clock.* of simulation).
TEST(Audit, CatchesAClockThatRunsAhead) {
  for (const char* method : {"ggl", "half_explicit", "moreau_jean"}) {
    Spoiled stepper(make_held(method));
    stepper.stretch = 0.9;
    stepper.spoil = [](double h, State& to) { to.time += 0.1 * h; };
    const Judged judged = judge(kPendulum, stepper, 1e-2);
    EXPECT_TRUE(says(judged.report.failure, "clock and motion differ")) << judged.report.failure;
  }
}

TEST(Audit, TellsOfEnergyFromNowhere) {
  for (const char* method : {"ggl", "half_explicit", "moreau_jean"}) {
    Spoiled stepper(make_held(method));
    stepper.spoil = [](double, State& to) { to.velocity *= 1.002; };
    const Judged judged = judge(kPendulum, stepper, 1e-2);
    EXPECT_GT(judged.ratio(AuditCheck::kEnergy), 1.0) << method;
    EXPECT_EQ(judged.report.verdict, AuditVerdict::kAmber) << judged.report.text;
    EXPECT_TRUE(says(judged.report.text, "energy balance")) << judged.report.text;
  }
}

// Every method on every model it takes, as users run them. Where a method lets joints drift, that
// is all that it is told.
class AuditOfMethods : public StepperTest {};

TEST_P(AuditOfMethods, IsGreenForWhatIsRight) {
  for (const char* model : {kPendulum, kBall, kBlock}) {
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      LoadedModel loaded = model_of(model);
      loaded.model.run.integrator = {std::string(GetParam().name), {}};
      loaded.model.run.tolerance = tolerance;
      const StepperTraits can = make()->traits();
      const SystemSizes n = loaded.mechanism->system().sizes();
      if ((n.joints() > 0 && !can.holonomic) || (n.slips > 0 && !can.friction)) continue;
      RunPlan plan;
      try {
        plan = plan_of(loaded);
      } catch (const InputError&) {
        continue;  // not for this method
      }
      if (!plan.adaptive) {
        if (tolerance < 1e-3) continue;
        plan.step = 1e-3;
      } else if (can.order < 3 && tolerance < 1e-6) {
        continue;  // takes too long
      }
      Mechanism& mechanism = *loaded.mechanism;
      const RunOutcome outcome = run_mechanism(mechanism, assemble_start(mechanism), plan, {});
      const auto json = nlohmann::json::parse(outcome.audit.json);
      for (const auto& check : json["checks"]) {
        if (can.position_drift && check["check"] == "joint_position") continue;
        EXPECT_EQ(check["verdict"], "green") << model << tolerance << ": " << check.dump();
      }
      const bool drifted = outcome.summary.ending == Summary::Ending::kAudit && can.position_drift;
      EXPECT_TRUE(drifted || outcome.summary.ok()) << outcome.summary.message;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, AuditOfMethods, every_stepper(), stepper_name);

// Joints of a method without positions drift; it is told and ends the run when one sees it.
TEST(Audit, EndsARunWhoseJointsDrift) {
  LoadedModel loaded = model_of(kPendulum);
  loaded.model.run.integrator = {"moreau_jean", {}};
  loaded.model.run.step = 1e-1;
  loaded.model.run.options = {{"positions", {}, "none"}};
  const RunPlan plan = plan_of(loaded);
  const Mechanism& mechanism = *loaded.mechanism;
  const RunOutcome outcome = run_mechanism(mechanism, assemble_start(mechanism), plan, {});
  EXPECT_EQ(outcome.summary.ending, Summary::Ending::kAudit) << outcome.audit.text;
  EXPECT_TRUE(says(outcome.summary.message, "pin.")) << outcome.summary.message;
  EXPECT_TRUE(says(advice_of(outcome, plan), "positions")) << advice_of(outcome, plan);
  EXPECT_LT(outcome.end.time, 3.0);
  const auto json = nlohmann::json::parse(to_json(outcome, plan));
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["audit"]["verdict"], "red");
  EXPECT_EQ(json["audit"]["worst"]["check"], "joint_position");
  EXPECT_GT(json["audit"]["worst"]["ratio"], 1.0);
}

TEST(Audit, IsRecorded) {
  LoadedModel loaded = model_of(kPendulum);
  loaded.model.run.integrator = {"index2", {}};
  loaded.model.run.step = 1e-2;
  const RunPlan plan = plan_of(loaded);
  const Mechanism& mechanism = *loaded.mechanism;
  MechanismRecord record(mechanism);
  std::size_t at = 0, joints = 0;
  for (const Quantity& quantity : record.quantities())
    for (const std::string& channel : channel_names(quantity)) {
      if (channel == "audit.joints") joints = at;
      ++at;
    }
  ASSERT_GT(joints, 0u);
  double largest = 0.0;
  const RunOutcome outcome = run_mechanism(
      mechanism, assemble_start(mechanism), plan,
      [&](const Sample& s) { largest = std::max(largest, record.values(s)[joints]); });
  const auto json = nlohmann::json::parse(outcome.audit.json);
  double worst = 0.0;
  for (const auto& check : json["checks"])
    if (std::string(check["check"]).starts_with("joint"))
      worst = std::max(worst, double(check["ratio"]));
  EXPECT_GT(largest, 0.0);
  EXPECT_DOUBLE_EQ(largest, worst);
}

}  // namespace
}  // namespace picus::testing
