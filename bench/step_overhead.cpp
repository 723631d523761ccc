// SPDX-License-Identifier: BSD-3-Clause
// A step of the pendulum against the bare cost of its function evaluations and factorisations.
#include <numbers>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/hand_written.h"
#include "bench/step_cost.h"
#include "bench/step_matrix.h"
#include "bench/table.h"
#include "picus/base/contract.h"
#include "picus/picus.h"
#include "studies/problems/pendulum.h"

namespace {

using namespace picus;
using namespace picus::bench;

constexpr double kStep = 1e-3;
constexpr int kSteps = 2000;
constexpr int kVisited = 100;  // states of the run at which the functions are timed

State start_of(const System& system) {
  State s = problems::Pendulum{}.at(std::numbers::pi / 6.0, 10.0);
  expects(make_consistent(system, s).ok(), "a consistent start");
  return s;
}

std::vector<State> states_along(const System& system, const State& start) {
  State s = start;
  const auto stepper = make_index3();
  stepper->start(system, s);
  std::vector<State> states;
  for (int i = 0; i < kVisited; ++i) {
    march(system, *stepper, s, kStep, kSteps / kVisited);
    states.push_back(s);
  }
  return states;
}

bool accepts(const StepperEntry& entry, const System& system, const State& start) {
  try {
    entry.make({})->start(system, start);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

Table function_table(const Session& session, const BareFunctions& functions) {
  Table table{"pendulum_functions",
              "Bare costs of the functions of the pendulum",
              {"function", "ns per call"},
              {}};
  for (std::size_t f = 0; f < kFunctions; ++f)
    table.add({std::string(kFunctionNames[f]),
               number(1e9 * functions.seconds(session, static_cast<Function>(f)))});
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line(argc, argv);
  const auto system = make_system(problems::Pendulum{});
  const State start = start_of(*system);
  Session session(line.effort);
  BareFunctions functions(*system, states_along(*system, start));
  functions.add_to(session);

  std::vector<Eigen::SparseMatrix<double>> matrices;
  for (int levels = 1; levels <= 3; ++levels)
    matrices.push_back(step_matrix(*system, start, kStep, levels));
  std::vector<BareSolver> solvers;
  solvers.reserve(matrices.size());
  for (const auto& A : matrices) {
    solvers.emplace_back(fmt::format("dense {}", A.cols()), make_dense_solver(), view(A));
    solvers.back().add_to(session);
  }

  std::vector<const StepperEntry*> methods;
  for (const StepperEntry& entry : stepper_catalog()) {
    if (!accepts(entry, *system, start)) continue;
    methods.push_back(&entry);
    session.add(std::string(entry.name), [&, stepper = std::shared_ptr(entry.make({}))] {
      State s = start;
      stepper->start(*system, s);
      march(*system, *stepper, s, kStep, kSteps);
    });
  }
  session.add("by hand", [] { benchmark::DoNotOptimize(hand_written_pendulum(kStep, kSteps)); });
  session.run();

  Table table{"step_overhead",
              "A step of the pendulum, h = 1e-3, default options",
              {"method", "µs per step", "iterations", "factorisations", "evaluations µs",
               "factorise + solve µs", "bare µs", "overhead factor"},
              {}};
  for (const StepperEntry* entry : methods) {
    const auto stepper = entry->make({});
    const StepCounts counts = count_steps(*system, *stepper, start, kStep, 0, kSteps);
    const BareSolver& solver = solvers[static_cast<std::size_t>(levels_of(entry->name)) - 1];
    const double step = session.seconds(std::string(entry->name)) / kSteps;
    const double evaluations = functions.seconds(session, counts);
    const double algebra =
        counts.factorizations * solver.factorize(session) + counts.solves * solver.solve(session);
    table.add({std::string(entry->name), number(1e6 * step), fmt::format("{:.2f}", counts.solves),
               fmt::format("{:.2f}", counts.factorizations), number(1e6 * evaluations),
               number(1e6 * algebra), number(1e6 * (evaluations + algebra)),
               fmt::format("{:.2f}", step / (evaluations + algebra))});
  }
  table.add({"index3 by hand", number(1e6 * session.seconds("by hand") / kSteps), "", "", "", "",
             "", ""});
  const Table details = function_table(session, functions);
  print(table);
  print(details);
  return write_json(line, {table, details});
}
