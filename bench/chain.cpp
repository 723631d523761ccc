// SPDX-License-Identifier: BSD-3-Clause
// The cost of a step against the number of links of a chain, and where it goes.

#include <map>

#include <fmt/format.h>

#include "bench/step_cost.h"
#include "bench/step_matrix.h"
#include "bench/swinging_chain.h"
#include "bench/table.h"
#include "picus/picus.h"

namespace {

using namespace picus;
using namespace picus::bench;

constexpr double kStep = 1e-3;
struct Sizes {
  std::vector<int> links{10, 100, 1000, 10000};
  int dissected = 1000;  ///< the one whose step is taken apart
  int first_of_exponent = 100;
};
// Every size sees the same stretch of the motion, so that only the size differs.
constexpr int kWarmUp = 5, kSteps = 20;

constexpr const char* kTolerance = "1e-7";
constexpr std::array<std::string_view, 3> kMethods{"index3", "hht_i3", "stabilized_index1"};
constexpr auto kPolicies = EnumNames<JacobianReuse>::names;

std::unique_ptr<Stepper> make_method(std::string_view method, std::string_view policy) {
  // with the default 1e-10 not every setting converges
  return make_stepper(method,
                      {{"jacobian_reuse", std::string(policy)}, {"newton_tolerance", kTolerance}});
}

std::string label_of(std::string_view method, std::string_view policy, int links) {
  return fmt::format("{} {} {}", method, policy, links);
}

/// CPU time of a step, the start and the first steps left out [s].
double seconds_per_step(const SwingingChain& chain, Stepper& stepper) {
  State state = chain.start;
  stepper.start(*chain.system, state);
  march(*chain.system, stepper, state, kStep, kWarmUp);
  const double begin = cpu_seconds();
  march(*chain.system, stepper, state, kStep, kSteps);
  return (cpu_seconds() - begin) / kSteps;
}

Table scaling_table(const Session& session, const Sizes& sizes) {
  Table table{
      "chain", "A step of a chain of n planar links, h = 1e-3", {"method", "jacobian_reuse"}, {}};
  const int largest = sizes.links.back();
  for (const int links : sizes.links)
    table.columns.push_back(fmt::format("n = {}: ms", links));
  table.columns.push_back(fmt::format("µs per link at {}", largest));
  table.columns.push_back(fmt::format("exponent {} … {}", sizes.first_of_exponent, largest));
  for (const auto method : kMethods) {
    for (const auto policy : kPolicies) {
      std::vector<std::string> row{std::string(method), std::string(policy)};
      std::map<int, double> seconds;
      for (const int links : sizes.links) {
        seconds[links] = session.seconds(label_of(method, policy, links));
        row.push_back(number(1e3 * seconds[links]));
      }
      row.push_back(number(1e6 * seconds[largest] / largest));
      row.push_back(growth_exponent(seconds, sizes.first_of_exponent));
      table.add(std::move(row));
    }
  }
  return table;
}

/// Where the step of the dissected size goes.
class Dissection {
 public:
  Dissection(const SwingingChain& chain, int links)
      : chain_(chain), links_(links), functions_(*chain.system, {settled(chain)}) {
    const State s = settled(chain);
    for (const int levels : {1, 3}) {
      matrices_[levels] = step_matrix(*chain.system, s, kStep, levels);
      solvers_.emplace(levels, BareSolver(fmt::format("KLU {}", levels), make_sparse_solver(),
                                          view(matrices_[levels])));
    }
  }

  void add_to(Session& session) {
    functions_.add_to(session);
    for (auto& [levels, solver] : solvers_)
      solver.add_to(session);
  }

  Table shares(const Session& session) const {
    Table table{"chain_shares",
                fmt::format("Where the step goes at n = {} (bare costs times calls)", links_),
                {"method", "jacobian_reuse", "ms per step", "iterations", "factorisations",
                 "evaluation", "factorisation", "solution", "the rest", "step over bare"},
                {}};
    for (const auto method : kMethods)
      for (const auto policy : kPolicies)
        table.add(share(session, method, policy));
    return table;
  }

  Table floor(const Session& session) const {
    Table table{"chain_floor", fmt::format("Bare costs at n = {}", links_), {"piece", "µs"}, {}};
    for (const auto& [levels, solver] : solvers_) {
      const long size = matrices_.at(levels).cols();
      table.add({fmt::format("KLU refactorisation, {} unknowns", size),
                 number(1e6 * solver.factorize(session))});
      table.add(
          {fmt::format("KLU solution, {} unknowns", size), number(1e6 * solver.solve(session))});
    }
    for (std::size_t f = 0; f < kFunctions; ++f)
      table.add({std::string(kFunctionNames[f]),
                 number(1e6 * functions_.seconds(session, static_cast<Function>(f)))});
    return table;
  }

 private:
  static State settled(const SwingingChain& chain) {
    State state = chain.start;
    const auto stepper = make_index3();
    stepper->start(*chain.system, state);
    march(*chain.system, *stepper, state, kStep, kWarmUp);
    return state;
  }

  std::vector<std::string> share(const Session& session, std::string_view method,
                                 std::string_view policy) const {
    const auto stepper = make_method(method, policy);
    const StepCounts counts =
        count_steps(*chain_.system, *stepper, chain_.start, kStep, kWarmUp, kSteps);
    const BareSolver& solver = solvers_.at(levels_of(method));
    const double step = session.seconds(label_of(method, policy, links_));
    const double evaluation = functions_.seconds(session, counts);
    const double factorization = counts.factorizations * solver.factorize(session);
    const double solution = counts.solves * solver.solve(session);
    const double bare = evaluation + factorization + solution;
    const auto percent = [&](double part) { return fmt::format("{:.0f} %", 100.0 * part / step); };
    return {std::string(method),
            std::string(policy),
            number(1e3 * step),
            fmt::format("{:.2f}", counts.solves),
            fmt::format("{:.2f}", counts.factorizations),
            percent(evaluation),
            percent(factorization),
            percent(solution),
            percent(step - bare),
            fmt::format("{:.2f}", step / bare)};
  }

  const SwingingChain& chain_;
  int links_;
  BareFunctions functions_;
  std::map<int, Eigen::SparseMatrix<double>> matrices_;
  std::map<int, BareSolver> solvers_;
};

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line(argc, argv);
  const Sizes sizes = line.smoke() ? Sizes{{5, 10}, 10, 5} : Sizes{};
  std::map<int, SwingingChain> chains;
  for (const int links : sizes.links)
    chains.emplace(links, make_swinging_chain(links));

  Session session(line.effort);
  Dissection dissection(chains.at(sizes.dissected), sizes.dissected);
  dissection.add_to(session);
  for (const int links : sizes.links) {
    for (const auto method : kMethods) {
      for (const auto policy : kPolicies) {
        const SwingingChain& chain = chains.at(links);
        session.add_timed(label_of(method, policy, links), [&chain, method, policy] {
          return seconds_per_step(chain, *make_method(method, policy));
        });
      }
    }
  }
  session.run(5);

  const std::vector<Table> tables{scaling_table(session, sizes), dissection.shares(session),
                                  dissection.floor(session)};
  for (const Table& table : tables)
    print(table);
  return write_json(line, tables);
}
