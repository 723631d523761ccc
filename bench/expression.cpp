// SPDX-License-Identifier: BSD-3-Clause
// What a formula of a model file costs: its value and its gradient, against the same in C++.
#include "picus/expressions/expression.h"

#include <array>
#include <cmath>
#include <numbers>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/session.h"
#include "bench/table.h"

namespace {

using namespace picus;

using Inputs = std::array<double, 3>;  // x, v, time

struct Case {
  std::string name, text;
  double (*by_hand)(const Inputs& in);
};

// noinline: a formula is not inlined into its caller either
[[gnu::noinline]] double spring_damper_sine(const Inputs& in) {
  return -50.0 * (in[0] - 0.2) - 3.0 * in[1] + 0.5 * std::sin(2 * std::numbers::pi * 3 * in[2]);
}

[[gnu::noinline]] double stop(const Inputs& in) {
  const double depth = 0.5 - in[0];
  if (depth <= 0.0) return 0.0;
  const double s = std::min(depth / 0.01, 1.0);
  const double force = 1e4 * std::pow(depth, 1.5) - 20 * in[1] * s * s * (3 - 2 * s);
  return std::max(force, 0.0) + 0.1 * std::cos(in[2]);
}

const std::array<Case, 2> kCases{
    {{"spring, damper, sine", "-50*(x - 0.2) - 3*v + 0.5*sin(2*pi*3*time)", spring_damper_sine},
     {"stop", "impact(x, v, 0.5, 1e4, 1.5, 20, 0.01) + 0.1*cos(time)", stop}}};

constexpr int kCalls = 1000;

/// Calls `work` at many points along a motion.
template <class Work>
void add(bench::Session& session, const std::string& label, Work work) {
  session.add(label, [work] {
    for (int i = 0; i < kCalls; ++i) {
      const double t = 1e-3 * i;
      benchmark::DoNotOptimize(work(Inputs{0.4 + 0.2 * t, 0.2 - t, t}));
    }
  });
}

void add_case(bench::Session& session, const Case& c, const Expression& f) {
  add(session, c.name + " by hand", [&](const Inputs& in) { return c.by_hand(in); });
  add(session, c.name + " value", [&](const Inputs& in) { return f(in); });
  add(session, c.name + " gradient", [&](const Inputs& in) {
    Inputs gradient{};
    return f.with_gradient(in, gradient) + gradient[0];
  });
  add(session, c.name + " dual gradient", [&](const Inputs& in) {
    using D = Dual<3>;
    return f
        .evaluate<D>(
            std::array{D::variable(in[0], 0), D::variable(in[1], 1), D::variable(in[2], 2)})
        .grad[0];
  });
  add(session, c.name + " second rate", [&](const Inputs& in) {
    using D = Dual<1, Dual<1>>;
    const D time = D::variable(Dual<1>::variable(in[2], 0), 0);
    return f.evaluate<D>(std::array{D(in[0]), D(in[1]), time}).d(0).d(0);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const bench::CommandLine line(argc, argv);
  bench::Session session(line.effort);
  std::vector<Expression> formulas;
  for (const Case& c : kCases)
    formulas.push_back(Expression::parse(c.text));
  for (std::size_t i = 0; i < kCases.size(); ++i)
    add_case(session, kCases[i], formulas[i]);
  session.run();

  bench::Table table{"expression",
                     "Formulas of three inputs, ns per evaluation",
                     {"formula", "in C++", "value", "value and gradient", "gradient by duals",
                      "second derivative in time"},
                     {}};
  for (const Case& c : kCases) {
    const auto cost = [&](const char* what) {
      return bench::number(1e9 * session.seconds(c.name + what) / kCalls);
    };
    table.add({c.name, cost(" by hand"), cost(" value"), cost(" gradient"), cost(" dual gradient"),
               cost(" second rate")});
  }
  bench::print(table);
  return bench::write_json(line, {table});
}
