// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/beam.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "picus/mechanism/scatter.h"

namespace picus {
namespace {

constexpr double kOwn = 2.0 / 6.0, kOther = 1.0 / 6.0;  // of linear shapes, times the length

}  // namespace

AssembledBeam::AssembledBeam(std::string name, std::vector<int> nodes, const Bodies& bodies,
                             BeamData data)
    : FlexiblePart(std::move(name), std::move(nodes)), bodies_(bodies), data_(std::move(data)) {
  node_mass_.assign(this->nodes().size(), 0.0);
  for (std::size_t e = 0; e < size(); ++e) {
    const double half = 0.5 * data_.line_mass * data_.elements[e].length;
    node_mass_[e] += half;
    node_mass_[e + 1] += half;
    length_ += data_.elements[e].length;
  }
  is_spatial_ = bodies_[this->nodes().front()].kind == BodyKind::kSpatial;
}

Row<double> AssembledBeam::velocity_of(std::size_t e, const State& s) const {
  Row<double> velocity;
  velocity << bodies_.entries(nodes()[e], s.velocity), bodies_.entries(nodes()[e + 1], s.velocity);
  return velocity;
}

BeamHelix AssembledBeam::helix_of(std::size_t e, const State& s) const {
  return {bodies_.pose(nodes()[e], s.position), bodies_.pose(nodes()[e + 1], s.position)};
}

Places AssembledBeam::places_of(std::size_t e) const {
  Places places;
  const auto& a = bodies_[nodes()[e]].velocity;
  const auto& b = bodies_[nodes()[e + 1]].velocity;
  std::copy(b.begin(), b.end(), std::copy(a.begin(), a.end(), places.begin()));
  return places;
}

Vector6 AssembledBeam::stress(std::size_t e, const State& s) const {
  return helix_of(e, s).stress(data_.elements[e], velocity_of(e, s));
}

Vector6 AssembledBeam::strain(std::size_t e, const State& s) const {
  return helix_of(e, s).strain(data_.elements[e]);
}

double AssembledBeam::kinetic_energy(const State& s) const {
  double energy = 0.0;
  for (std::size_t e = 0; e < size(); ++e) {
    const Row<double> v = velocity_of(e, s);
    const Vector3 va = v.head<3>(), wa = v.segment<3>(3), vb = v.segment<3>(6), wb = v.tail<3>();
    const Matrix3& J = data_.line_inertia;
    energy += data_.elements[e].length / 6.0 *
              (data_.line_mass * (va.dot(va) + va.dot(vb) + vb.dot(vb)) + wa.dot(J * wa) +
               wa.dot(J * wb) + wb.dot(J * wb));
  }
  return energy;
}

double AssembledBeam::elastic_energy(const State& s) const {
  double energy = 0.0;
  for (std::size_t e = 0; e < size(); ++e) {
    const BeamElement& element = data_.elements[e];
    const Vector6 strain = this->strain(e, s);
    energy += 0.5 * element.length * strain.dot(element.stiffness * strain);
  }
  return energy;
}

void AssembledBeam::mass(const State&, SparseMatrix& M) const {
  Matrix6 own = Matrix6::Zero();  // of a section, per length
  own.topLeftCorner<3, 3>().diagonal().setConstant(data_.line_mass);
  own.bottomRightCorner<3, 3>() = data_.line_inertia;
  for (std::size_t e = 0; e < size(); ++e) {
    const double length = data_.elements[e].length;
    Hessian mass;
    mass << kOwn * length * own, kOther * length * own, kOther * length * own, kOwn * length * own;
    add_square(M, places_of(e), &mass);
  }
}

void AssembledBeam::force(const State& s, Vector& F) const {
  for (std::size_t e = 0; e < size(); ++e) {
    const BeamElement& element = data_.elements[e];
    const Row<double> v = velocity_of(e, s);
    Row<double> f = helix_of(e, s).force(element, v);
    const Vector3 weight = 0.5 * element.length * data_.line_mass * data_.gravity;
    f.head<3>() += weight;
    f.segment<3>(6) += weight;
    if (is_spatial_) {
      const Vector3 wa = v.segment<3>(3), wb = v.tail<3>();
      const Vector3 la = data_.line_inertia * wa, lb = data_.line_inertia * wb;
      f.segment<3>(3) -= element.length * cross(wa, Vector3(kOwn * la + kOther * lb));
      f.tail<3>() -= element.length * cross(wb, Vector3(kOther * la + kOwn * lb));
    }
    add_to(F, places_of(e), f);
  }
}

void AssembledBeam::momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                                     SparseMatrix& D) const {
  if (forces == Forces::kReactionsOnly) return;
  for (std::size_t e = 0; e < size(); ++e) {
    const BeamElement& element = data_.elements[e];
    const BeamHelix helix = helix_of(e, s);
    Hessian along = helix.stiffness(element, velocity_of(e, s));
    const Places places = places_of(e);
    if (is_spatial_) {
      for (const int first : {3, 9}) {
        const int place = places[static_cast<std::size_t>(first)];
        const Vector3 phi = c.increment.segment<3>(place);
        if (phi.isZero(0.0)) continue;
        along.middleCols<3>(first) = (along.middleCols<3>(first) * increment_jacobian(phi)).eval();
      }
    }
    add_square(K, places, &along);
    if (!element.damping.isZero(0.0)) {
      const Hessian damping = helix.damping(element);
      add_square(D, places, &damping);
    }
  }
  if (is_spatial_) add_gyroscopic(s, D);
}

void AssembledBeam::add_gyroscopic(const State& s, SparseMatrix& D) const {
  const Matrix3& J = data_.line_inertia;
  for (std::size_t e = 0; e < size(); ++e) {
    const double length = data_.elements[e].length;
    const Row<double> v = velocity_of(e, s);
    const Vector3 omega[2] = {v.segment<3>(3), v.tail<3>()};
    for (std::size_t i = 0; i < 2; ++i) {
      const Vector3 momentum = length * J * (kOwn * omega[i] + kOther * omega[1 - i]);
      const auto rows = std::span(bodies_[nodes()[e + i]].velocity).subspan(3);
      const auto others = std::span(bodies_[nodes()[e + 1 - i]].velocity).subspan(3);
      const Matrix3 turned = length * skew(omega[i]) * J;
      D.add_block(rows, rows, Matrix3(kOwn * turned - skew(momentum)));
      D.add_block(rows, others, Matrix3(kOther * turned));
    }
  }
}

void AssembledBeam::foresee_stress(const State& s, const Vector& along, Vector& stress) const {
  stress.resize(static_cast<Eigen::Index>(6 * size()));
  for (std::size_t e = 0; e < size(); ++e) {
    const BeamElement& element = data_.elements[e];
    const BeamHelix helix = helix_of(e, s);
    Row<double> motion;
    motion << bodies_.entries(nodes()[e], along), bodies_.entries(nodes()[e + 1], along);
    stress.segment<6>(static_cast<Eigen::Index>(6 * e)) =
        element.stiffness * (helix.strain(element) + helix.rate(motion) / element.length);
  }
}

// An element of another initial strain has the stresses that are given.
void AssembledBeam::add_stress_tangent(const State& s, const Vector& stress,
                                       SparseMatrix& K) const {
  const Row<double> rest = Row<double>::Zero();
  for (std::size_t e = 0; e < size(); ++e) {
    const BeamElement& element = data_.elements[e];
    const BeamHelix helix = helix_of(e, s);
    BeamElement stressed = element;
    const Vector6 given = stress.segment<6>(static_cast<Eigen::Index>(6 * e));
    stressed.initial_strain =
        helix.displacement() / element.length - Vector6(element.stiffness.llt().solve(given));
    const Hessian change = helix.stiffness(stressed, rest) - helix.stiffness(element, rest);
    add_square(K, places_of(e), &change);
  }
}

PartQuantity AssembledBeam::of_elements(std::string quantity, std::string unit,
                                        std::string meaning) const {
  PartQuantity result{
      .name = std::move(quantity), .unit = std::move(unit), .meaning = std::move(meaning)};
  for (std::size_t e = 1; e <= size(); ++e)
    result.items.push_back(name() + "." + std::to_string(e));
  return result;
}

// The largest stress along the beam at the outline of a section, positive when it pulls.
double AssembledBeam::outer_stress(std::size_t e, const State& s) const {
  const Vector6 strain = this->strain(e, s);
  double largest = 0.0;
  for (const Vector3& point : data_.outline) {
    const double here = strain(0) + strain(4) * point(2) - strain(5) * point(1);
    if (std::abs(here) > std::abs(largest)) largest = here;
  }
  return data_.modulus * largest;
}

std::vector<PartQuantity> AssembledBeam::quantities() const {
  const std::vector<std::string> axes{"x", "y", "z"};
  const auto halves = [this](Vector6 (AssembledBeam::*what)(std::size_t, const State&) const,
                             int first) {
    return [this, what, first](const State& s, std::vector<double>& to) {
      for (std::size_t e = 0; e < size(); ++e) {
        const Vector6 all = (this->*what)(e, s);
        for (int k = first; k < first + 3; ++k)
          to.push_back(all(k));
      }
    };
  };
  std::vector<PartQuantity> all;
  const auto add = [&](PartQuantity quantity, std::vector<std::string> components, auto values) {
    quantity.components = std::move(components);
    quantity.values = std::move(values);
    all.push_back(std::move(quantity));
  };
  add(of_elements("section_force", "N",
                  "force in the section, in its axes: along the beam (positive when it pulls) and "
                  "two shear forces"),
      axes, halves(&AssembledBeam::stress, 0));
  add(of_elements("section_moment", "N m",
                  "moment in the section, in its axes: torsion and two bending moments"),
      axes, halves(&AssembledBeam::stress, 3));
  add(of_elements("strain", "1", "axial strain and two shear strains"), axes,
      halves(&AssembledBeam::strain, 0));
  add(of_elements("curvature", "1/m", "twist and two curvatures, relative to the unstrained beam"),
      axes, halves(&AssembledBeam::strain, 3));
  if (data_.outline.empty()) return all;
  add(of_elements("stress", "Pa", "largest normal stress at the outline of the section"), {},
      [this](const State& s, std::vector<double>& to) {
        for (std::size_t e = 0; e < size(); ++e)
          to.push_back(outer_stress(e, s));
      });
  return all;
}

PartLine AssembledBeam::line() const {
  return {.kind = "beam",
          .nodes = nodes(),
          .area = data_.area,
          .modulus = data_.modulus,
          .outline = data_.outline};
}

}  // namespace picus
