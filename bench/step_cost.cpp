// SPDX-License-Identifier: BSD-3-Clause
#include "bench/step_cost.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/math/island_solver.h"

namespace picus::bench {
namespace {

constexpr int kUnknownsPerIteration = 2000;  // long enough for the clock not to be seen

class Islands final : public LinearSolver {
 public:
  void analyze(const CompressedColumns& A) override { solver_.analyze(A); }
  bool factorize(const CompressedColumns& A) override { return solver_.factorize(A); }
  void solve(Vector& x) const override { solver_.solve(x); }
  void solve_transposed(Vector&) const override { expects(false, "no transposed solutions"); }
  double pivot_ratio() const override { return solver_.pivot_ratio(); }
  int determinant_sign() const override { return 0; }
  int weakest() const override { return solver_.weakest(); }

 private:
  IslandSolver solver_;
};

std::string label_of(std::size_t function) {
  return fmt::format("function {}", kFunctionNames[function]);
}

}  // namespace

std::unique_ptr<LinearSolver> make_island_solver() {
  return std::make_unique<Islands>();
}

StepCounts march(const System& system, Stepper& stepper, State& state, double h, int steps) {
  StepCounts total;
  State next = state;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper.attempt(system, state, h, next);
    if (!report.ok()) {
      fmt::print(stderr, "{}\n", explain(system, report, state.time, h));
      std::exit(1);
    }
    stepper.accept();
    std::swap(state, next);
    total.solves += report.newton_iterations;
    total.factorizations += report.factorizations;
  }
  return total;
}

StepCounts count_steps(const System& system, Stepper& stepper, const State& start, double h,
                       int warm_up, int steps) {
  State state = start;
  const CountingSystem counting(system);
  stepper.start(counting, state);
  march(counting, stepper, state, h, warm_up);
  const auto before = counting.counts();
  StepCounts result = march(counting, stepper, state, h, steps);
  for (std::size_t f = 0; f < kFunctions; ++f)
    result.calls[f] = static_cast<double>(counting.counts()[f] - before[f]) / steps;
  result.solves /= steps;
  result.factorizations /= steps;
  return result;
}

void BareFunctions::add_to(Session& session) {
  for (std::size_t f = 0; f < kFunctions; ++f) {
    session.add(label_of(f), [this, f] {
      for (const State& s : states_)
        call(system_, static_cast<Function>(f), s, zero_, scratch_);
    });
  }
}

double BareFunctions::seconds(const Session& session, Function function) const {
  return session.seconds(label_of(static_cast<std::size_t>(function))) /
         static_cast<double>(states_.size());
}

double BareFunctions::seconds(const Session& session, const StepCounts& counts) const {
  double sum = 0.0;
  for (std::size_t f = 0; f < kFunctions; ++f)
    sum += counts.calls[f] * seconds(session, static_cast<Function>(f));
  return sum;
}

BareSolver::BareSolver(std::string label, std::unique_ptr<LinearSolver> solver,
                       const CompressedColumns& A)
    : label_(std::move(label)),
      solver_(std::move(solver)),
      A_(A),
      repeats_(std::max(1, kUnknownsPerIteration / A.size)),
      b_(Vector::LinSpaced(A.size, -1.0, 1.0)),
      x_(b_) {
  solver_->analyze(A_);
  expects(solver_->factorize(A_), "a regular matrix");
}

void BareSolver::add_to(Session& session) {
  session.add(label_ + " factorize", [this] {
    for (int i = 0; i < repeats_; ++i)
      solver_->factorize(A_);
  });
  session.add(label_ + " solve", [this] {
    for (int i = 0; i < repeats_; ++i) {
      x_ = b_;
      solver_->solve(x_);
    }
  });
}

double BareSolver::each(const Session& session, const std::string& label) const {
  return session.seconds(label) / repeats_;
}

}  // namespace picus::bench
