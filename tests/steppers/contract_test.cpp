// SPDX-License-Identifier: BSD-3-Clause
// The promises of steppers/stepper.h, for every method of the catalog.
#include <filesystem>
#include <fstream>
#include <set>

#include "picus/base/error.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

class Contract : public StepperTest {};

TEST_P(Contract, AttemptChangesNeitherTheStateNorTheHistory) {
  for (const TestProblem& problem : all_problems()) {
    const auto tried = make(), straight = make();
    if (!accepts(*tried, *problem.system)) continue;
    const State from = problem.start;
    State a = from, b = from, discarded = from;
    tried->start(*problem.system, from);
    straight->start(*problem.system, from);
    for (int i = 0; i < 4; ++i) {
      const State before = a;
      static_cast<void>(tried->attempt(*problem.system, a, 1.7 * problem.step, discarded));
      ASSERT_EQ(a.position, before.position);
      ASSERT_EQ(a.velocity, before.velocity);
      State next_a = a, next_b = b;
      ASSERT_TRUE(tried->attempt(*problem.system, a, problem.step, next_a).ok());
      ASSERT_TRUE(straight->attempt(*problem.system, b, problem.step, next_b).ok());
      tried->accept();
      straight->accept();
      a = next_a;
      b = next_b;
    }
    // to rounding: the sparse solver may keep the pivot order of the discarded attempt
    EXPECT_LT(max_abs(a.position - b.position), 1e-14 * (1.0 + max_abs(a.position)))
        << problem.name;
    EXPECT_LT(max_abs(a.velocity - b.velocity), 1e-13 * (1.0 + max_abs(a.velocity)))
        << problem.name;
  }
}

TEST_P(Contract, InterpolationMeetsBothEndsOfTheStep) {
  for (const TestProblem& problem : all_problems()) {
    const auto stepper = make();
    if (!accepts(*stepper, *problem.system)) continue;
    State to = problem.start, at;
    stepper->start(*problem.system, problem.start);
    ASSERT_TRUE(stepper->attempt(*problem.system, problem.start, problem.step, to).ok());
    stepper->interpolate(*problem.system, 0.0, at);
    EXPECT_LT(distance(at, problem.start), 1e-14) << problem.name;
    stepper->interpolate(*problem.system, 1.0, at);
    EXPECT_LT(distance(at, to), 1e-13) << problem.name;
    EXPECT_DOUBLE_EQ(at.time, to.time);
  }
}

TEST_P(Contract, RefusesWhatItCannotIntegrate) {
  for (const TestProblem& problem : all_problems()) {
    const auto stepper = make();
    if (accepts(*stepper, *problem.system)) continue;
    try {
      stepper->start(*problem.system, problem.start);
      FAIL() << problem.name << " was not refused";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("cannot handle"), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("use "), std::string::npos)
          << "no alternative named";
    }
  }
}

// A NaN from the user is reported with the equation that produced it; nothing is accepted.
class NanForce final : public System {
 public:
  SystemSizes sizes() const override { return {.positions = 2, .velocities = 2}; }
  void mass_matrix(const State&, SparseMatrix& M) const override {
    M.begin(2, 2);
    M.add(0, 0, 1.0);
    M.add(1, 1, 1.0);
    M.end();
  }
  void force(const State& s, Vector& F) const override {
    F.setZero(2);
    if (s.time > 0.0) F(1) = std::nan("");
  }
  void momentum_tangent(const State&, const Chart&, SparseMatrix& K,
                        SparseMatrix& D) const override {
    for (SparseMatrix* A : {&K, &D}) {
      A->begin(2, 2);
      A->end();
    }
  }
};

TEST_P(Contract, NanInAForceIsAFailureThatNamesTheEquation) {
  const NanForce system;
  State from;
  from.position = from.velocity = from.acceleration = Vector::Zero(2);
  size_state(system, from);
  State to = from;
  const auto stepper = make();
  stepper->start(system, from);
  const StepReport report = stepper->attempt(system, from, 0.1, to);
  EXPECT_EQ(report.status, StepReport::Status::kNotFinite);
  EXPECT_EQ(report.worst_kind, Equation::kMomentum);
  EXPECT_EQ(report.worst_index, 1);
  const std::string message = explain(system, report, 0.0, 0.1);
  EXPECT_NE(message.find("momentum of coordinate 1"), std::string::npos) << message;
  EXPECT_NE(message.find("h = 0.1"), std::string::npos) << message;
}

TEST_P(Contract, AStepThatDoesNotConvergeIsAFailureThatNamesTheWorstEquation) {
  const std::vector<FieldDescription> options = GetParam().options();
  if (std::none_of(options.begin(), options.end(),
                   [](const auto& field) { return field.name == "newton_max_iterations"; }))
    GTEST_SKIP() << "an explicit method has nothing to iterate";
  const TestProblem problem =
      GetParam().make({})->traits().holonomic ? pendulum() : variable_mass();
  const auto stepper = make({{"newton_max_iterations", "2"}, {"newton_tolerance", "1e-13"}});
  State to = problem.start;
  stepper->start(*problem.system, problem.start);
  const StepReport report = stepper->attempt(*problem.system, problem.start, 0.3, to);
  ASSERT_EQ(report.status, StepReport::Status::kNotConverged);
  EXPECT_FALSE(report.equation.empty());
  EXPECT_GT(report.worst_residual, 0.0);
  const std::string message = explain(*problem.system, report, 0.0, 0.3);
  EXPECT_NE(message.find("did not converge in 2 iterations"), std::string::npos) << message;
  EXPECT_NE(message.find("worst equation"), std::string::npos) << message;
}

TEST_P(Contract, UnknownOptionsAndBadValuesAreRefused) {
  EXPECT_THROW(make({{"no_such_option", "1"}}), InputError);
  EXPECT_THROW(make({{"newton_tolerance", "tight"}}), InputError);
  EXPECT_THROW(make({{"jacobian_reuse", "sometimes"}}), InputError);
  for (const FieldDescription& field : GetParam().options()) {
    EXPECT_FALSE(field.meaning.empty()) << field.name;
    EXPECT_NO_THROW(make({{field.name, field.default_value}})) << field.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, Contract, every_stepper(), stepper_name);

TEST(Catalog, ListsEveryStepperFile) {
  std::set<std::string> listed;
  for (const StepperEntry& entry : stepper_catalog())
    listed.insert(std::string(entry.name));
  const std::set<std::string> not_methods{"catalog", "resting_contacts", "stepper"};
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(PICUS_SOURCE_DIR) + "/picus/steppers")) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() != ".cpp" || not_methods.contains(name)) continue;
    EXPECT_TRUE(listed.contains(name)) << name << " is not in the catalog";
  }
}

TEST(Catalog, SuggestsTheNearestName) {
  try {
    make_stepper("hht-i3");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "unknown integrator 'hht-i3'; did you mean 'hht_i3'?");
  }
}

TEST(Catalog, OptionsOutOfRangeAreRefused) {
  EXPECT_THROW(make_stepper("index3", {{"rho", "1.2"}}), InputError);
  EXPECT_THROW(make_stepper("index3", {{"rho", "nan"}}), InputError);
  EXPECT_THROW(make_stepper("hht_i3", {{"alpha", "-0.5"}}), InputError);
  EXPECT_THROW(make_stepper("newmark", {{"beta", "0"}}), InputError);
  EXPECT_THROW(make_stepper("baumgarte", {{"baumgarte_alpha", "-1"}}), InputError);
  EXPECT_THROW(make_stepper("soi2", {{"newton_max_iterations", "0"}}), InputError);
  EXPECT_THROW(make_stepper("soi2", {{"newton_tolerance", "-1"}}), InputError);
  EXPECT_THROW(make_stepper("soi2", {{"control_weight", "0"}}), InputError);
}

}  // namespace
}  // namespace picus::testing
