// SPDX-License-Identifier: BSD-3-Clause
// The cost of a step of a beam pendulum against its number of elements, over that of its own linear
// algebra; and what an element costs, against one written by hand.

#include <array>
#include <cmath>
#include <map>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/step_cost.h"
#include "bench/step_matrix.h"
#include "bench/table.h"
#include "picus/elements/beam_element.h"
#include "picus/io/model_file.h"
#include "picus/picus.h"
#include "picus/runs/run.h"

namespace {

using namespace picus;
using namespace picus::bench;

constexpr double kStep = 1e-4;
constexpr int kWarmUp = 20, kSteps = 20;
constexpr int kFirstOfExponent = 32;
constexpr std::array<std::string_view, 2> kMethods{"hht_i3", "stabilized_index1"};

// The rod of the flexible pendulum: 1 m of steel, 10 mm square, falls from the horizontal.
std::string pendulum(int dimension, int elements) {
  return fmt::format(R"(picus: 1
dimension: {}
gravity: [0, -10]
beams:
  rod: {{from: [0, 0], to: [1, 0], elements: {}, section: {{type: rectangle, height: 10e-3,
    width: 10e-3}}, material: steel}}
joints:
  pin: {{type: revolute, between: [ground, rod.start], at: [0, 0, 0]}}
)",
                     dimension, elements);
}

struct BeamPendulum {
  LoadedModel loaded;
  State start;

  BeamPendulum(int dimension, int elements)
      : loaded(load_model_text("pendulum.yaml", pendulum(dimension, elements))),
        start(assemble_start(*loaded.mechanism).state) {}
  const System& system() const { return loaded.mechanism->system(); }
};

std::string label_of(std::string_view method, int dimension, int elements) {
  return fmt::format("{} {} {}", method, dimension, elements);
}

double seconds_per_step(const BeamPendulum& pendulum, Stepper& stepper) {
  State state = pendulum.start;
  stepper.start(pendulum.system(), state);
  march(pendulum.system(), stepper, state, kStep, kWarmUp);
  const double begin = cpu_seconds();
  march(pendulum.system(), stepper, state, kStep, kSteps);
  return (cpu_seconds() - begin) / kSteps;
}

// --- elements ----------------------------------------------------------------------------------

/// The planar element in plain numbers: force and stiffness of an undamped, straight element with
/// the stiffnesses EA, GA, EI, written out for this case alone.
struct ByHand {
  double force[6], K[6][6];

  [[gnu::noinline]] void evaluate(const double* a, const double* b, double length,
                                  const double* stiffness) {
    const double ca = std::cos(a[2]), sa = std::sin(a[2]), phi = b[2] - a[2];
    const double dx = b[0] - a[0], dy = b[1] - a[1];
    const double cx = ca * dx + sa * dy, cy = ca * dy - sa * dx;
    const double x = phi * phi;
    const double v2 = x < 1e-2
                          ? 1.0 / 12.0 + x * (1.0 / 720.0 + x * (1.0 / 30240.0 + x / 1209600.0))
                          : (1.0 - 0.5 * phi / std::tan(0.5 * phi)) / x;
    const double g = 1.0 - v2 * x, h = 0.5 * phi;
    const double g1 = -phi * (0.25 - g * v2), g2 = -2.0 * (g * g + 0.25 * x) * v2;
    const double d[3] = {g * cx + h * cy - length, g * cy - h * cx, phi};
    const double s[3] = {stiffness[0] / length * d[0], stiffness[1] / length * d[1],
                         stiffness[2] / length * d[2]};
    const double u[2] = {g1 * cx + 0.5 * cy, g1 * cy - 0.5 * cx};
    // ∂d by x_A, y_A, θ_A, x_B, y_B, θ_B
    const double B[3][6] = {{-(g * ca - h * sa), -(g * sa + h * ca), g * cy - h * cx - u[0],
                             g * ca - h * sa, g * sa + h * ca, u[0]},
                            {g * sa + h * ca, -(g * ca - h * sa), -g * cx - h * cy - u[1],
                             -(g * sa + h * ca), g * ca - h * sa, u[1]},
                            {0.0, 0.0, -1.0, 0.0, 0.0, 1.0}};
    for (int i = 0; i < 6; ++i) {
      force[i] = -(B[0][i] * s[0] + B[1][i] * s[1] + B[2][i] * s[2]);
      for (int j = 0; j < 6; ++j)
        K[i][j] = (B[0][i] * stiffness[0] * B[0][j] + B[1][i] * stiffness[1] * B[1][j] +
                   B[2][i] * stiffness[2] * B[2][j]) /
                  length;
    }
    const double gx = g * s[0] - h * s[1], gy = h * s[0] + g * s[1];        // along c
    const double mx = g1 * s[0] - 0.5 * s[1], my = g1 * s[1] + 0.5 * s[0];  // along c and φ
    const double mm = g2 * (s[0] * cx + s[1] * cy);
    const double tx = ca * mx - sa * my, ty = sa * mx + ca * my;     // the same in space
    const double wx = -(ca * gy + sa * gx), wy = ca * gx - sa * gy;  // quarter turn of g
    const double turn = mx * cy - my * cx;                           // m · ∂c/∂θ_A
    K[3][5] += tx, K[5][3] += tx, K[4][5] += ty, K[5][4] += ty;
    K[0][5] -= tx, K[5][0] -= tx, K[1][5] -= ty, K[5][1] -= ty;
    K[3][2] += wx - tx, K[2][3] += wx - tx, K[4][2] += wy - ty, K[2][4] += wy - ty;
    K[0][2] -= wx - tx, K[2][0] -= wx - tx, K[1][2] -= wy - ty, K[2][1] -= wy - ty;
    K[2][5] += turn - mm, K[5][2] += turn - mm;
    K[5][5] += mm;
    K[2][2] += mm - 2.0 * turn - (gx * cx + gy * cy);
  }
};

constexpr int kElementCalls = 1000;

struct ElementAt {
  std::array<double, 3> a, b;
  Pose<double> pose_a, pose_b;
};

std::vector<ElementAt> element_states() {
  std::vector<ElementAt> all;
  for (int i = 0; i < kElementCalls; ++i) {
    const double t = 1e-3 * i;
    ElementAt at{{0.2 * t, -0.1 * t, 2.0 * t}, {}, {}, {}};
    at.b = {at.a[0] + 0.1 * std::cos(at.a[2]), at.a[1] + 0.1 * std::sin(at.a[2]),
            at.a[2] + 0.3 * std::sin(7.0 * t)};
    const auto pose = [](const std::array<double, 3>& q) {
      Pose<double> result;
      result.r = Vector3(q[0], q[1], 0.0);
      result.A << std::cos(q[2]), -std::sin(q[2]), 0.0, std::sin(q[2]), std::cos(q[2]), 0.0, 0.0,
          0.0, 1.0;
      result.angle = q[2];
      return result;
    };
    at.pose_a = pose(at.a);
    at.pose_b = pose(at.b);
    all.push_back(at);
  }
  return all;
}

class Elements {
 public:
  Elements() : states_(element_states()) {
    BeamSection section;
    section.stiffness.diagonal() << 2.1e7, 6.7e6, 6.7e6, 114.0, 175.0, 175.0;
    spatial_.length = planar_.length = 0.1;
    spatial_.initial_strain(0) = planar_.initial_strain(0) = 1.0;
    spatial_.section = std::make_shared<BeamSection>(section);
    planar_.section = std::make_shared<PlanarBeamSection>(in_plane(section));
    check();
  }

  void add_to(Session& session) {
    session.add("element by hand", [this] {
      ByHand element;
      for (const ElementAt& at : states_) {
        element.evaluate(at.a.data(), at.b.data(), 0.1, planar_stiffness_.data());
        benchmark::DoNotOptimize(element);
      }
    });
    session.add("element in the plane", [this] { evaluate_all(planar_); });
    session.add("element in space", [this] { evaluate_all(spatial_); });
  }

  bench::Table table(const Session& session) const {
    bench::Table table{"beam_element",
                       "Force and stiffness of an undamped element",
                       {"element", "ns", "over the one by hand"},
                       {}};
    const double hand = session.seconds("element by hand");
    for (const char* label : {"element by hand", "element in the plane", "element in space"}) {
      const double seconds = session.seconds(label);
      table.add({label, number(1e9 * seconds / kElementCalls), number(seconds / hand)});
    }
    return table;
  }

 private:
  template <class Element>
  void evaluate_all(const Element& element) {
    const typename Element::Column rest = Element::Column::Zero();
    for (const ElementAt& at : states_) {
      const auto form = element.form(at.pose_a, at.pose_b);
      benchmark::DoNotOptimize(element.force(form, rest));
      benchmark::DoNotOptimize(element.stiffness(form, rest));
    }
  }
  // The one by hand is the same element.
  void check() const {
    const ElementAt& at = states_[123];
    ByHand hand;
    hand.evaluate(at.a.data(), at.b.data(), 0.1, planar_stiffness_.data());
    const Matrix6 K =
        planar_.stiffness(planar_.form(at.pose_a, at.pose_b), PlanarBeamElement::Column::Zero());
    double largest = 0.0;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        largest = std::max(largest, std::abs(K(i, j) - hand.K[i][j]));
    expects(largest <= 1e-9 * K.cwiseAbs().maxCoeff(), "the same stiffness by hand");
  }

  std::vector<ElementAt> states_;
  BeamElement spatial_;
  PlanarBeamElement planar_;
  std::array<double, 3> planar_stiffness_{2.1e7, 6.7e6, 175.0};
};

// --- steps -------------------------------------------------------------------------------------

/// A pendulum and the bare cost of its linear algebra.
class Case {
 public:
  Case(int dimension, int elements)
      : dimension_(dimension), elements_(elements), pendulum_(dimension, elements) {
    // where it has begun to move: a straight beam along an axis has matrices with fewer entries
    State moved = pendulum_.start;
    const auto stepper = make_stepper(kMethods.front());
    stepper->start(pendulum_.system(), moved);
    march(pendulum_.system(), *stepper, moved, kStep, kWarmUp);
    for (const int levels : {1, 3})
      solvers_.emplace(
          levels,
          BareSolver(
              fmt::format("solver {} {} {}", dimension, elements, levels), make_island_solver(),
              view(matrices_[levels] = step_matrix(pendulum_.system(), moved, kStep, levels))));
  }

  void add_to(Session& session) {
    for (auto& [levels, solver] : solvers_)
      solver.add_to(session);
    for (const auto method : kMethods)
      session.add_timed(label_of(method, dimension_, elements_), [this, method] {
        return seconds_per_step(pendulum_, *make_stepper(method));
      });
  }

  double step(const Session& session, std::string_view method) const {
    return session.seconds(label_of(method, dimension_, elements_));
  }

  std::vector<std::string> row(const Session& session, std::string_view method) const {
    const auto stepper = make_stepper(method);
    const StepCounts counts =
        count_steps(pendulum_.system(), *stepper, pendulum_.start, kStep, kWarmUp, kSteps);
    const BareSolver& solver = solvers_.at(levels_of(method));
    const double algebra =
        counts.factorizations * solver.factorize(session) + counts.solves * solver.solve(session);
    const double step = this->step(session, method);
    return {fmt::format("{}D", dimension_),
            std::string(method),
            std::to_string(elements_),
            number(1e3 * step),
            fmt::format("{:.2f}", counts.solves),
            fmt::format("{:.2f}", counts.factorizations),
            number(1e3 * algebra),
            fmt::format("{:.2f}", step / algebra)};
  }

 private:
  int dimension_, elements_;
  BeamPendulum pendulum_;
  std::map<int, Eigen::SparseMatrix<double>> matrices_;
  std::map<int, BareSolver> solvers_;
};

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line(argc, argv);
  const std::vector<int> sizes =
      line.smoke() ? std::vector<int>{2, 4} : std::vector<int>{4, 32, 128, 1024};
  Session session(line.effort);
  Elements elements;
  elements.add_to(session);
  std::map<std::pair<int, int>, Case> cases;
  for (const int dimension : {2, 3})
    for (const int size : sizes)
      cases.try_emplace({dimension, size}, dimension, size).first->second.add_to(session);
  session.run(5);

  bench::Table steps{"beam",
                     "A step of a beam pendulum of n elements, h = 1e-4",
                     {"space", "method", "n", "ms per step", "iterations", "factorisations",
                      "factorise + solve ms", "step over these"},
                     {}};
  bench::Table growth{"beam_growth",
                      fmt::format("Exponent of the cost from {} elements on", kFirstOfExponent),
                      {"space", "method", "exponent"},
                      {}};
  for (const int dimension : {2, 3}) {
    for (const auto method : kMethods) {
      std::map<int, double> seconds;
      for (const int size : sizes) {
        const Case& one = cases.at({dimension, size});
        steps.add(one.row(session, method));
        seconds[size] = one.step(session, method);
      }
      growth.add({fmt::format("{}D", dimension), std::string(method),
                  growth_exponent(seconds, kFirstOfExponent)});
    }
  }
  const std::vector<bench::Table> tables{steps, growth, elements.table(session)};
  for (const bench::Table& table : tables)
    print(table);
  return write_json(line, tables);
}
