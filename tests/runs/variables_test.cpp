// SPDX-License-Identifier: BSD-3-Clause
// Variables have values at the start, in whatever order they are written and read each other.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/run.h"
#include "tests/runs/models.h"

namespace picus {
namespace {

using Lines = std::vector<std::string>;

// A ball at x = 3 that feels `force`, with variables in the order given.
LoadedModel with_variables(const Lines& lines, const std::string& force = "1") {
  std::string text = "bodies:\n  ball: {type: point, mass: 2, at: [3, 0, 0]}\ncontrols:\n";
  for (const std::string& line : lines)
    text += "  " + line + "\n";
  text += "forces:\n  push: {type: force, body: ball, force: [\"" + force + "\", 0, 0]}\n";
  return model_of(text);
}

std::string variable(const std::string& name, const std::string& value) {
  return fmt::format("{}: {{type: variable, value: \"{}\"}}", name, value);
}

double value_of(const LoadedModel& loaded, const Start& start, const std::string& name) {
  for (const AssembledControl& control : loaded.mechanism->controls())
    if (control.name == name) return start.state.control(control.index);
  return std::nan("");
}

TEST(Variables, ThatReadOthersHaveValuesInEveryOrder) {
  Lines lines{variable("a", "2 + ball.x"), variable("c", "1/a"), variable("d", "log(c*5 + 1)/c"),
              variable("e", "sqrt(a*c*d - 1)")};
  const double a = 5.0, c = 1.0 / a, d = std::log(2.0) / c, e = std::sqrt(d - 1.0);
  std::sort(lines.begin(), lines.end());
  do {
    const LoadedModel loaded = with_variables(lines, "1/e");
    const Start start = assemble_start(*loaded.mechanism);
    ASSERT_TRUE(start.consistency.ok()) << start.consistency.message;
    EXPECT_NEAR(value_of(loaded, start, "a"), a, 1e-12);
    EXPECT_NEAR(value_of(loaded, start, "c"), c, 1e-12);
    EXPECT_NEAR(value_of(loaded, start, "d"), d, 1e-11);
    EXPECT_NEAR(value_of(loaded, start, "e"), e, 1e-11);
    EXPECT_NEAR(start.state.acceleration(0), 1.0 / e / 2.0, 1e-11) << "forces read them";
  } while (std::next_permutation(lines.begin(), lines.end()));
}

TEST(Variables, FormLongChains) {
  for (const int n : {1, 10, 100, 300}) {
    Lines lines;
    for (int i = n; i > 0; --i)
      lines.push_back(variable(fmt::format("x{}", i), fmt::format("1/x{} + 1", i - 1)));
    lines.push_back(variable("x0", "ball.x"));
    const LoadedModel loaded = with_variables(lines);
    const Start start = assemble_start(*loaded.mechanism);
    ASSERT_TRUE(start.consistency.ok()) << n << ": " << start.consistency.message;
    double x = 3.0;
    for (int i = 0; i < n; ++i)
      x = 1.0 / x + 1.0;
    EXPECT_NEAR(value_of(loaded, start, fmt::format("x{}", n)), x, 1e-12) << n;
  }
}

TEST(Variables, MayReadAccelerations) {
  const LoadedModel loaded =
      with_variables({variable("v", "1/u"), variable("u", "3*ball.ax")}, "4 + 0*u");
  const Start start = assemble_start(*loaded.mechanism);
  ASSERT_TRUE(start.consistency.ok()) << start.consistency.message;
  EXPECT_NEAR(value_of(loaded, start, "u"), 6.0, 1e-12);
  EXPECT_NEAR(value_of(loaded, start, "v"), 1.0 / 6.0, 1e-12);
}

TEST(Variables, ThatReadEachOtherAreSolvedTogether) {
  const LoadedModel dottie = with_variables({variable("a", "cos(b)"), variable("b", "a")});
  const Start first = assemble_start(*dottie.mechanism);
  ASSERT_TRUE(first.consistency.ok()) << first.consistency.message;
  EXPECT_NEAR(value_of(dottie, first, "a"), 0.73908513321516064, 1e-12);
  // at 0 these are no numbers; downstream of a loop there are others
  const LoadedModel golden = with_variables({variable("z", "log(a)"), variable("a", "1/b"),
                                             variable("b", "a + 1"), variable("y", "1/z")});
  const Start second = assemble_start(*golden.mechanism);
  ASSERT_TRUE(second.consistency.ok()) << second.consistency.message;
  const double b = 0.5 * (1.0 + std::sqrt(5.0));
  EXPECT_NEAR(value_of(golden, second, "b"), b, 1e-12);
  EXPECT_NEAR(value_of(golden, second, "y"), -1.0 / std::log(b), 1e-11);
}

TEST(Variables, WithoutASolutionAreNamed) {
  const LoadedModel loaded = with_variables({variable("a", "1/b"), variable("b", "2/a")});
  const Start start = assemble_start(*loaded.mechanism);
  EXPECT_FALSE(start.consistency.ok());
  EXPECT_NE(start.consistency.message.find("a, b depend on each other"), std::string::npos)
      << start.consistency.message;
}

TEST(Variables, LeadTheSameMotionByEveryMethod) {
  // ẍ = 1/(2 (2 + x)) with the force read through two variables, or written out
  for (const char* method : {"auto", "radau_iia", "half_explicit", "hht_i3", "soi2"}) {
    const auto end_of = [&](const LoadedModel& loaded) {
      RunPart run = loaded.model.run;
      run.integrator.text = method;
      run.tolerance = 1e-8;
      const RunPlan plan = plan_of(run, *loaded.mechanism);
      const RunOutcome outcome =
          run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan, {});
      EXPECT_TRUE(outcome.summary.ok()) << method << outcome.summary.message;
      return outcome.end.position(0);
    };
    const double led =
        end_of(with_variables({variable("c", "1/a"), variable("a", "2 + ball.x")}, "c"));
    const double plain = end_of(with_variables({variable("a", "1")}, "1/(2 + ball.x)"));
    EXPECT_NEAR(led, plain, 1e-6) << method;
  }
}

TEST(FormulaFault, IsNamedAtTheStartAndDuringARun) {
  const auto falls = [](const std::string& force) {
    return model_of(
        "bodies: {ball: {type: point, mass: 1, at: [1, 0, 0]}}\n"
        "controls: {u: {type: variable, value: 2*time}}\n"
        "forces: {f: {type: force, body: ball, force: [\"" +
        force + "\", 0, 0]}}\n");
  };
  const LoadedModel at_once = falls("log(u - 0.5)");
  const Start start = assemble_start(*at_once.mechanism);
  EXPECT_NE(start.consistency.message.find(
                "force 'f': the formula 'log(u - 0.5)' is not a number at t = 0 s"),
            std::string::npos)
      << start.consistency.message;
  for (const char* method : {"auto", "radau_iia", "half_explicit", "hht_i3"}) {
    for (const std::string force : {"log(0.5 - time)", "sqrt(0.5 - time)", "sqrt(1.1 - ball.x)"}) {
      const LoadedModel later = falls(force);
      RunPart run = later.model.run;
      run.integrator.text = method;
      const RunOutcome outcome = run_mechanism(*later.mechanism, assemble_start(*later.mechanism),
                                               plan_of(run, *later.mechanism), {});
      if (outcome.summary.ok()) continue;  // a method may step across an integrable singularity
      EXPECT_NE(outcome.summary.message.find("force 'f': the formula '" + force + "' is"),
                std::string::npos)
          << method << ": " << outcome.summary.message;
    }
  }
}

}  // namespace
}  // namespace picus
