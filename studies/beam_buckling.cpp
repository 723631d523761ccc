// SPDX-License-Identifier: BSD-3-Clause
// Beams that give way: lateral buckling of a deep cantilever and of a right-angle frame, Euler's
// column far beyond its load, a circular arch at its limit (DaDeppo and Schmidt 1975), a shallow
// arch that snaps through.
#include <array>
#include <cmath>
#include <vector>

#include "studies/beam_rest.h"
#include "studies/catalog.h"

namespace picus::studies {
namespace {

// A straight member in the plane of the load, and what the load does in it before it buckles.
struct Member {
  double length;
  double x, y;              ///< its direction
  double bending, torsion;  ///< E I out of the plane, G J
  double moment, growth;    ///< about z for a load of 1: at its start, and per length
};

// Small rotations φ out of the plane and their moments m, of a rod that has not bent in the plane:
//
//   φ' = K⁻¹ (m − φ × m₀)      m' = −(φ × t) × F      φ = 0 at the clamp, m = 0 at the free end
//
// The load F is dead. Returns the determinant of m at the end as a function of m at the clamp.
double determinant(const std::vector<Member>& members, double load, double Fx, double Fy) {
  using State4 = Eigen::Vector4d;
  constexpr int kSteps = 400;
  Eigen::Matrix2d end;
  for (int column = 0; column < 2; ++column) {
    State4 y = State4::Zero();
    y(2 + column) = 1.0;
    for (const Member& m : members) {
      const auto rate = [&](double s, const State4& at) -> State4 {
        const double M = load * (m.moment + m.growth * s);
        const double kx = at(2) - M * at(1), ky = at(3) + M * at(0);
        const double along = kx * m.x + ky * m.y, lifts = at(0) * m.y - at(1) * m.x;
        return {along * m.x / m.torsion + (kx - along * m.x) / m.bending,
                along * m.y / m.torsion + (ky - along * m.y) / m.bending, lifts * load * Fy,
                -lifts * load * Fx};
      };
      const double h = m.length / kSteps;
      for (int i = 0; i < kSteps; ++i) {
        const double s = i * h;
        const State4 k1 = rate(s, y), k2 = rate(s + 0.5 * h, y + 0.5 * h * k1);
        const State4 k3 = rate(s + 0.5 * h, y + 0.5 * h * k2), k4 = rate(s + h, y + h * k3);
        y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
      }
    }
    end.col(column) = y.tail<2>();
  }
  return end.determinant();
}

double critical_load(const std::vector<Member>& members, double Fx, double Fy, double low,
                     double high) {
  const double sign = determinant(members, low, Fx, Fy);
  for (int n = 0; n < 60; ++n) {
    const double middle = 0.5 * (low + high);
    (determinant(members, middle, Fx, Fy) * sign > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Where a function is zero: a parabola of the load through three of its values.
template <class Function>
double root_of(const std::array<double, 3>& load, const Function& function) {
  std::array<double, 3> value{};
  for (std::size_t i = 0; i < 3; ++i)
    value[i] = function(load[i]);
  double root = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    double part = load[i];
    for (std::size_t j = 0; j < 3; ++j)
      if (j != i) part *= value[j] / (value[j] - value[i]);
    root += part;
  }
  return root;
}

// The load at which the least stiffness of a model is zero.
template <class ModelOf>
double load_without_stiffness(const ModelOf& model_of, double guess) {
  return root_of({0.94 * guess, 0.96 * guess, 0.98 * guess},
                 [&](double load) { return Rest(model_of(load)).least_stiffness(); });
}

// In the limit of many elements, where errors are of order two.
template <class ModelOf>
double buckling_load(const ModelOf& model_of, double guess) {
  const double coarse = load_without_stiffness([&](double P) { return model_of(P, 12); }, guess),
               fine = load_without_stiffness([&](double P) { return model_of(P, 24); }, guess);
  return fine + (fine - coarse) / 3.0;
}

// Errors left: of the mesh n⁻⁴ = 5e-5 of the coarser one, of the bending before it buckles about
// the ratio of its stiffnesses, which the equations above leave out.
void buckle_sideways(Report& report) {
  const double exact = critical_load({{1.0, 1.0, 0.0, 1.0, 1.0, -1.0, 1.0}}, 0.0, -1.0, 3.0, 5.0);
  report.claim("deep cantilever: equations of buckling, against Timoshenko and Gere's 4.0126",
               within(exact, 4.0126, 1e-4));
  report.claim(
      "deep cantilever: buckling load over √(EI GJ)/L²",
      near(buckling_load(
               [](double load, int elements) {
                 return cantilever(
                     3, 1.0, elements, {1e8, 1e8, 1.0, 1.0, 1e4},
                     fmt::format("{{type: force, body: rod.end, force: [0, {:.17g}, 0]}}", -load));
               },
               exact),
           exact, 2e-4));

  constexpr double kLength = 0.24, kDepth = 0.03, kThick = 0.0006, kModulus = 71.24e9,
                   kPoisson = 0.31;
  const double bending = kModulus * kDepth * kThick * kThick * kThick / 12.0;
  const double strip = 0.5 * kModulus / (1.0 + kPoisson) * kDepth * kThick * kThick * kThick / 3.0;
  const double rectangle = strip * (1.0 - 192.0 / std::pow(kPi, 5) * kThick / kDepth *
                                              std::tanh(0.5 * kPi * kDepth / kThick));
  const auto frame = [&](double torsion) {
    return critical_load({{kLength, 1.0, 0.0, bending, torsion, kLength, 0.0},
                          {kLength, 0.0, -1.0, bending, torsion, kLength, -1.0}},
                         1.0, 0.0, 0.5, 1.5);
  };
  report.claim("right-angle frame: equations of buckling, torsion G b t³/3 [N]; published 1.088",
               near(frame(strip), 1.088, 2e-3));
  const double wanted = frame(rectangle);
  const double found = buckling_load(
      [&](double load, int elements) {
        return fmt::format(R"(picus: 1
beams:
  leg: {{from: [0, 0, 0], to: [0.24, 0, 0], up: [0, 1, 0], elements: {0},
    section: &s {{type: rectangle, height: 0.03, width: 0.0006}}, modulus: 71.24e9, poisson: 0.31,
    density: 2700}}
  arm: {{from: [0.24, 0, 0], to: [0.24, -0.24, 0], up: [1, 0, 0], elements: {0}, section: *s,
    modulus: 71.24e9, poisson: 0.31, density: 2700}}
joints:
  clamp: {{type: fixed, between: [ground, leg.start]}}
  corner: {{type: weld, between: [leg.end, arm.start]}}
forces:
  load: {{type: force, body: arm.end, force: [{1:.17g}, 0, 0]}}
)",
                           elements, load);
      },
      wanted);
  report.claim(
      "right-angle frame: buckling load [N], against its equations with the torsion of "
      "its rectangle",
      near(found, wanted, 1e-3));
}

// Euler's column beyond its load: P/P_cr = (2 K(k)/π)², top at (2 k/K, 2 E/K − 1) of the length.
void buckle_column(Report& report) {
  using report::Colour;
  using report::Curve;
  Table table{.columns = {"load over Euler's", "top aside", "top along"}};
  Curve elastica{.name = "elastica", .colour = Colour::kBlack},
      aside{.name = "24 elements", .marker = report::Marker::kCircle, .line = report::Line::kNone};
  for (const double part : {1.02, 1.2, 2.0, 4.0}) {
    double low = 0.0, high = 1.0 - 1e-12;
    for (int n = 0; n < 100; ++n) {
      const double k = 0.5 * (low + high), K = 2.0 * std::comp_ellint_1(k) / kPi;
      (K * K < part ? low : high) = k;
    }
    const double k = 0.5 * (low + high), K = std::comp_ellint_1(k);
    const Vector3 top(2.0 * std::comp_ellint_2(k) / K - 1.0, 2.0 * k / K, 0.0);
    std::array<Vector3, 2> found;
    bool is_stable = true;
    for (std::size_t mesh = 0; mesh < 2; ++mesh) {
      const int elements = mesh == 0 ? 12 : 24;
      const Rest rest(cantilever(2, 1.0, elements, {1e6, 1e6, 1.0, 1.0, 1.0},
                                 fmt::format("{{type: force, body: rod.end, force: [{:.17g}, "
                                             "1e-5]}}",
                                             -part * kPi * kPi / 4.0)));
      found[mesh] = rest.place(fmt::format("rod.node{}", elements));
      is_stable = is_stable && rest.found().is_stable;
    }
    table.rows.push_back({part, found[1](1), found[1](0)});
    aside.x.push_back(found[1](1));
    aside.y.push_back(found[1](0));
    const Vector3 limit = found[1] + (found[1] - found[0]) / 3.0;
    report.claim(fmt::format("column under {:g} of Euler's load: distance of its top from the "
                             "elastica, over the length",
                             part),
                 below((limit - top).norm(), part < 1.1 ? 1e-2 : 1e-3));
    report.claim(fmt::format("column under {:g} of Euler's load: stable", part),
                 at_least(is_stable ? 1.0 : 0.0, 1.0));
  }
  for (double k = 0.0; k < 0.992; k += 0.005) {
    const double K = std::comp_ellint_1(k);
    elastica.x.push_back(2.0 * k / K);
    elastica.y.push_back(2.0 * std::comp_ellint_2(k) / K - 1.0);
  }
  report.curves("column", std::move(table));
  report.figure("column", {.title = "Euler's column beyond its load: where its top goes",
                           .panels = {{.title = "load from 1.02 to 4 of Euler's",
                                       .x = {.label = "aside, over the length"},
                                       .y = {.label = "along, over the length"},
                                       .curves = {elastica, aside}}}});
}

// Three quarters of a circle (215 degrees), clamped left, hinged right, pushed down at its crown.
void press_arch(Report& report) {
  const double half = 107.5 * kPi / 180.0, x = 100.0 * std::sin(half),
               y = 100.0 * (1.0 - std::cos(half));
  const auto arch = [&](double load, int elements) {
    return fmt::format(R"(picus: 1
dimension: 2
beams:
  arch: {{from: [{0:.17g}, 0], via: [0, {1:.17g}], to: [{2:.17g}, 0], elements: {3},
    section: {4}}}
joints:
  left: {{type: fixed, between: [ground, arch.start]}}
  right: {{type: revolute, between: [ground, arch.end], at: [{2:.17g}, 0]}}
forces:
  load: {{type: force, body: arch.node{5}, force: [0, {6:.17g}]}}
)",
                       -x, y, x, elements, BeamStiffness{1e8, 1e8, 1e6, 1e6, 1e6}.section(),
                       elements / 2, -load);
  };
  // the limit of the load is a fold: stiffness falls with the root of what is left of the load
  const auto limit_load = [&](int elements) {
    return root_of({872.0, 882.0, 892.0}, [&](double load) {
      const double stiffness = Rest(arch(load, elements)).least_stiffness();
      return stiffness * stiffness;
    });
  };
  const double coarse = limit_load(40), fine = limit_load(80);
  report.claim("clamped-hinged arch: limit load; 897 by DaDeppo and Schmidt",
               near(fine + (fine - coarse) / 3.0, 897.0, 5e-3));
}

// A pinned arch pushed down at its crown: it carries 20 N and snaps through under 30 N.
void snap(Report& report) {
  for (const double load : {20.0, 30.0}) {
    const Rest rest(fmt::format(R"(picus: 1
dimension: 2
beams:
  arch: {{from: [-1, 0], via: [0, 0.1], to: [1, 0], elements: 24, section: {}}}
joints:
  left: {{type: revolute, between: [ground, arch.start], at: [-1, 0]}}
  right: {{type: revolute, between: [ground, arch.end], at: [1, 0]}}
forces:
  load: {{type: force, body: arch.node12, force: [0.5, {}]}}
)",
                                BeamStiffness{1e5, 1e5, 1.0, 10.0, 10.0}.section(), -load));
    const std::string who = fmt::format("arch, {:g} N", load);
    report.claim(who + ": height of the crown [m], from 0.1 m",
                 load < 25.0 ? within(rest.place("arch.node12")(1), 0.075, 0.005)
                             : below(rest.place("arch.node12")(1), -0.1));
    report.claim(who + ": stable", at_least(rest.found().is_stable ? 1.0 : 0.0, 1.0));
  }
}

}  // namespace

void beam_buckling(Report& report) {
  buckle_sideways(report);
  buckle_column(report);
  press_arch(report);
  snap(report);
}

}  // namespace picus::studies
