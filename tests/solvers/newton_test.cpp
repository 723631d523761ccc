// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/newton.h"

#include <cmath>

#include <gtest/gtest.h>

namespace picus {
namespace {

// x² = a, y = 3 x, with the exact matrix unless told otherwise
class Root final : public NewtonProblem {
 public:
  explicit Root(double square) : a(square) {}
  double a;
  double slope_error = 1.0;
  int residuals = 0, matrices = 0;
  double tolerance = 1e-12;

  void residual(const Vector& x, Vector& r) override {
    ++residuals;
    r.resize(2);
    r << x(0) * x(0) - a, x(1) - 3.0 * x(0);
  }
  bool linearize(const Vector& x) override {
    ++matrices;
    slope_ = slope_error * 2.0 * x(0);
    return slope_ != 0.0;
  }
  void solve(Vector& r) const override {
    r(0) /= slope_;
    r(1) += 3.0 * r(0);
  }
  double error_norm(const Vector& correction, const Vector& x) const override {
    return max_abs(correction) / (tolerance * max_abs(x));
  }
  bool is_rounding(const Vector& correction) const override { return max_abs(correction) < 1e-15; }

 private:
  double slope_ = 1.0;
};

Newton make(JacobianReuse reuse, int max_iterations = 30) {
  NewtonOptions options;
  options.jacobian_reuse = reuse;
  options.newton_max_iterations = max_iterations;
  Newton newton(options);
  newton.reset(2);
  return newton;
}

TEST(Newton, ConvergesToTheTolerance) {
  for (const auto reuse :
       {JacobianReuse::kEveryIteration, JacobianReuse::kEveryStep, JacobianReuse::kAcrossSteps}) {
    Root root(2.0);
    Newton newton = make(reuse);
    Vector x = Vector::Constant(2, 1.0);
    const NewtonReport report = newton.solve(root, x);
    EXPECT_TRUE(report.ok());
    EXPECT_NEAR(x(0), std::sqrt(2.0), 2e-12);
    EXPECT_NEAR(x(1), 3.0 * std::sqrt(2.0), 6e-12);
    EXPECT_EQ(report.factorizations, root.matrices);
  }
}

TEST(Newton, KeepsTheMatrixAcrossSolvesWhileItIsGood) {
  Newton newton = make(JacobianReuse::kAcrossSteps);
  Vector x = Vector::Constant(2, 1.4);
  Root root(2.0);
  EXPECT_TRUE(newton.solve(root, x).ok());
  const int matrices = root.matrices;
  root.a = 2.0001;
  EXPECT_TRUE(newton.solve(root, x).ok());
  EXPECT_EQ(root.matrices, matrices);
  root.a = 3.5;
  EXPECT_TRUE(newton.solve(root, x).ok());
  EXPECT_GT(root.matrices, matrices);  // slow convergence renewed it
  EXPECT_NEAR(x(0), std::sqrt(3.5), 1e-10);
}

TEST(Newton, SlowConvergenceIsNotMistakenForArrival) {
  // a matrix twice too large converges with rate 1/2; the error left must still meet the tolerance
  Root root(2.0);
  root.slope_error = 2.0;
  root.tolerance = 1e-6;
  Newton newton = make(JacobianReuse::kEveryIteration, 100);
  Vector x = Vector::Constant(2, 1.0);
  const NewtonReport report = newton.solve(root, x);
  EXPECT_TRUE(report.ok());
  EXPECT_LT(std::abs(x(0) - std::sqrt(2.0)), 3e-6);
  EXPECT_NEAR(report.rate, 0.5, 0.01);
}

TEST(Newton, TooManyIterationsIsAFailureThatNamesTheWorstRow) {
  Root root(2.0);
  root.slope_error = 3.0;
  Newton newton = make(JacobianReuse::kEveryIteration, 5);
  Vector x = Vector::Constant(2, 1.0);
  const NewtonReport report = newton.solve(root, x);
  EXPECT_EQ(report.status, NewtonReport::Status::kTooManyIterations);
  EXPECT_EQ(report.iterations, 5);
  EXPECT_EQ(report.worst_row, 0);
  EXPECT_GT(report.worst_residual, 0.0);
}

TEST(Newton, DivergenceIsAFailure) {
  Root root(2.0);
  root.slope_error = -1.0;  // walks away from the root
  Newton newton = make(JacobianReuse::kEveryIteration);
  Vector x = Vector::Constant(2, 1.0);
  EXPECT_FALSE(newton.solve(root, x).ok());
}

TEST(Newton, SingularAndNonFiniteAreReported) {
  Root root(2.0);
  Newton newton = make(JacobianReuse::kEveryStep);
  Vector x = Vector::Zero(2);  // derivative 2x = 0
  EXPECT_EQ(newton.solve(root, x).status, NewtonReport::Status::kSingular);
  Root nan(std::nan(""));
  x.setOnes();
  EXPECT_EQ(newton.solve(nan, x).status, NewtonReport::Status::kNotFinite);
}

TEST(Newton, AnExactGuessCostsOneSolveAtFirstAndNoneLater) {
  Root root(4.0);
  Newton newton = make(JacobianReuse::kEveryStep);
  Vector x(2);
  x << 2.0, 6.0;
  const NewtonReport report = newton.solve(root, x);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.iterations, 1);
  const NewtonReport again = newton.solve(root, x);
  EXPECT_TRUE(again.ok());
  EXPECT_EQ(again.iterations, 0);
  EXPECT_EQ(root.matrices, 1);
}

// 2 x = a, y = 3 x
class Line final : public NewtonProblem {
 public:
  double a = 1.0, curvature = 0.0;
  int residuals = 0, matrices = 0;

  void residual(const Vector& x, Vector& r) override {
    ++residuals;
    r.resize(2);
    r << 2.0 * x(0) + curvature * x(0) * x(0) - a, x(1) - 3.0 * x(0);
  }
  bool linearize(const Vector&) override {
    ++matrices;
    return true;
  }
  void solve(Vector& r) const override {
    r(0) /= 2.0;
    r(1) += 3.0 * r(0);
  }
  double error_norm(const Vector& correction, const Vector& x) const override {
    return max_abs(correction) / (1e-12 * max_abs(x));
  }
  bool is_linear() const override { return true; }
  bool is_rounding(const Vector& correction) const override { return max_abs(correction) < 1e-15; }
};

TEST(Newton, LinearEquationsTakeOneSolveAndOneMatrixForGood) {
  Line line;
  Newton newton = make(JacobianReuse::kEveryStep);
  Vector x = Vector::Zero(2);
  for (const double a : {1.0, 5.0, -3.0}) {
    line.a = a;
    const NewtonReport report = newton.solve(line, x);
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.iterations, 1);
    EXPECT_EQ(x(0), a / 2.0);
    EXPECT_EQ(x(1), 3.0 * a / 2.0);
  }
  EXPECT_EQ(line.matrices, 1);
}

TEST(Newton, AFalsePromiseOfLinearityCostsTimeAndNotAccuracy) {
  Line line;
  line.curvature = 0.1;
  Newton newton = make(JacobianReuse::kEveryStep);
  Vector x = Vector::Zero(2);
  const NewtonReport report = newton.solve(line, x);
  EXPECT_TRUE(report.ok());
  EXPECT_GT(report.iterations, 3);
  EXPECT_NEAR(x(0), (std::sqrt(1.0 + 0.1) - 1.0) / 0.1, 1e-11);
}

TEST(Newton, CountsFactorisationsByReason) {
  Root root(2.0);
  Newton newton = make(JacobianReuse::kAcrossSteps);
  Vector x = Vector::Constant(2, 1.4);
  NewtonReport report = newton.solve(root, x);
  EXPECT_EQ(report.refreshed[Refresh::kStart], 1);

  newton.forget_matrix(Refresh::kStepSize);
  x.setConstant(1.4);
  report = newton.solve(root, x);
  EXPECT_EQ(report.refreshed[Refresh::kStepSize], 1);
  EXPECT_EQ(report.refreshed[Refresh::kStart], 0);

  root.a = 3.0;  // the old matrix converges slowly here
  x.setConstant(1.4);
  report = newton.solve(root, x);
  EXPECT_TRUE(report.ok());
  EXPECT_GE(report.refreshed[Refresh::kSlow] + report.refreshed[Refresh::kFailure], 1);
  EXPECT_EQ(report.refreshed[Refresh::kPolicy], 0);

  Newton fresh = make(JacobianReuse::kEveryStep);
  x.setConstant(1.4);
  ASSERT_TRUE(fresh.solve(root, x).ok());
  x.setConstant(1.4);
  EXPECT_EQ(fresh.solve(root, x).refreshed[Refresh::kPolicy], 1);
}

}  // namespace
}  // namespace picus
