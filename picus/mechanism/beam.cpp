// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/beam.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "picus/mechanism/scatter.h"

namespace picus {
namespace {

constexpr double kOwn = 2.0 / 6.0, kOther = 1.0 / 6.0;  // of linear shapes, times the length
constexpr std::array<int, 6> kAll{0, 1, 2, 3, 4, 5};
constexpr std::array<int, 3> kPlanar{0, 1, 5};

// Of six strains or velocities, those that a helix has.
template <class Helix>
constexpr auto& own_of() {
  if constexpr (Helix::kStrains == 6)
    return kAll;
  else
    return kPlanar;
}

// Where a number of a helix's ends is among twelve.
template <class Helix>
int of_twelve(int i) {
  constexpr int half = Helix::kColumns / 2;
  return 6 * (i / half) + own_of<Helix>()[static_cast<std::size_t>(i % half)];
}

Pose<double> section_of(const Pose<double>& node, const Matrix3& turn) {
  Pose<double> section = node;
  section.A = node.A * turn;
  return section;
}

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
    planar_.push_back(in_plane(data_.elements[e]));
  }
  is_spatial_ = bodies_[this->nodes().front()].kind == BodyKind::kSpatial;
}

// --- from elements to nodes --------------------------------------------------------------------

template <class Helix>
const typename Helix::Element& AssembledBeam::element(std::size_t e) const {
  if constexpr (Helix::kStrains == 6)
    return data_.elements[e];
  else
    return planar_[e];
}

template <class Helix, class Visit>
void AssembledBeam::for_each_helix(const State& s, Visit&& visit) const {
  Pose<double> b = bodies_.pose(nodes().front(), s.position);
  for (std::size_t e = 0; e < size(); ++e) {
    const Pose<double> a = b;
    b = bodies_.pose(nodes()[e + 1], s.position);
    if (data_.turns.empty())
      visit(e, Helix(a, b));
    else
      visit(e, Helix(section_of(a, data_.turns[e].a), section_of(b, data_.turns[e].b)));
  }
}

template <class Helix>
AssembledBeam::PlacesOf<Helix> AssembledBeam::places_of(std::size_t e) const {
  PlacesOf<Helix> places;
  auto to = places.begin();
  for (const int node : {nodes()[e], nodes()[e + 1]})
    for (const int k : own_of<Helix>())
      *to++ = bodies_[node].velocity[static_cast<std::size_t>(k)];
  return places;
}

template <class Helix>
typename Helix::Velocity AssembledBeam::velocity_of(std::size_t e, const Vector& v) const {
  const PlacesOf<Helix> places = places_of<Helix>(e);
  typename Helix::Velocity velocity;
  for (std::size_t k = 0; k < places.size(); ++k)
    velocity(static_cast<int>(k)) = v(places[k]);
  if constexpr (Helix::kStrains == 6) {
    if (!data_.turns.empty()) {
      const EndTurns& turns = data_.turns[e];
      velocity.template segment<3>(3) =
          (turns.a.transpose() * velocity.template segment<3>(3)).eval();
      velocity.template tail<3>() = (turns.b.transpose() * velocity.template tail<3>()).eval();
    }
  }
  return velocity;
}

// In the plane sections turn as their nodes do.
template <class Column>
void AssembledBeam::turn_rows(std::size_t e, Column& of_sections) const {
  if constexpr (Column::RowsAtCompileTime == 12) {
    if (data_.turns.empty()) return;
    of_sections.template middleRows<3>(3) =
        (data_.turns[e].a * of_sections.template middleRows<3>(3)).eval();
    of_sections.template bottomRows<3>() =
        (data_.turns[e].b * of_sections.template bottomRows<3>()).eval();
  }
}

template <class Block>
void AssembledBeam::turn_columns(std::size_t e, Block& of_sections) const {
  if constexpr (Block::ColsAtCompileTime == 12) {
    if (data_.turns.empty()) return;
    of_sections.template middleCols<3>(3) =
        (of_sections.template middleCols<3>(3) * data_.turns[e].a.transpose()).eval();
    of_sections.template rightCols<3>() =
        (of_sections.template rightCols<3>() * data_.turns[e].b.transpose()).eval();
  }
}

template <class Block>
void AssembledBeam::to_chart(const Chart& c, const Places& places, Block& along) const {
  for (const int first : {3, 9}) {
    const Vector3 phi = c.increment.segment<3>(places[static_cast<std::size_t>(first)]);
    if (phi.isZero(0.0)) continue;
    along.template middleCols<3>(first) =
        (along.template middleCols<3>(first) * increment_jacobian(phi)).eval();
  }
}

// --- inertia -----------------------------------------------------------------------------------

double AssembledBeam::kinetic_energy(const State& s) const {
  double energy = 0.0;
  for (std::size_t e = 0; e < size(); ++e) {
    Row<double> v;
    if (is_spatial_)
      v = velocity_of<BeamHelix>(e, s.velocity);
    else
      v << bodies_.entries(nodes()[e], s.velocity), bodies_.entries(nodes()[e + 1], s.velocity);
    const Vector3 va = v.head<3>(), wa = v.segment<3>(3), vb = v.segment<3>(6), wb = v.tail<3>();
    const Matrix3& J = data_.line_inertia;
    energy += data_.elements[e].length / 6.0 *
              (data_.line_mass * (va.dot(va) + va.dot(vb) + vb.dot(vb)) + wa.dot(J * wa) +
               wa.dot(J * wb) + wb.dot(J * wb));
  }
  return energy;
}

void AssembledBeam::mass(const State&, SparseMatrix& M) const {
  for (std::size_t e = 0; e < size(); ++e) {
    if (is_spatial_ && !data_.turns.empty()) {
      const Hessian mass = section_mass(e);
      add_square(M, places_of<BeamHelix>(e), &mass);
    } else {
      add_plain_mass(e, M);
    }
  }
}

Hessian AssembledBeam::section_mass(std::size_t e) const {
  Matrix6 own = Matrix6::Zero();  // of a section, per length
  own.topLeftCorner<3, 3>().diagonal().setConstant(data_.line_mass);
  own.bottomRightCorner<3, 3>() = data_.line_inertia;
  const double length = data_.elements[e].length;
  Hessian mass;
  mass << kOwn * length * own, kOther * length * own, kOther * length * own, kOwn * length * own;
  turn_rows(e, mass);
  turn_columns(e, mass);
  return mass;
}

// Entries that are zero in every section are left out.
void AssembledBeam::add_plain_mass(std::size_t e, SparseMatrix& M) const {
  const double length = data_.elements[e].length;
  const std::array<const Body*, 2> ends{&bodies_[nodes()[e]], &bodies_[nodes()[e + 1]]};
  const auto add = [&](std::size_t i, std::size_t j, double per_length) {
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t b = 0; b < 2; ++b) {
        const int row = ends[a]->velocity[i], col = ends[b]->velocity[j];
        if (row >= 0 && col >= 0) M.add(row, col, (a == b ? kOwn : kOther) * length * per_length);
      }
    }
  };
  for (std::size_t k = 0; k < 3; ++k)
    add(k, k, data_.line_mass);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (const double inertia = data_.line_inertia(i, j); inertia != 0.0)
        add(static_cast<std::size_t>(3 + i), static_cast<std::size_t>(3 + j), inertia);
}

void AssembledBeam::subtract_gyroscopic(std::size_t e, const Row<double>& v, Row<double>& f) const {
  const double length = data_.elements[e].length;
  const Vector3 wa = v.segment<3>(3), wb = v.tail<3>();
  const Vector3 la = data_.line_inertia * wa, lb = data_.line_inertia * wb;
  f.segment<3>(3) -= length * cross(wa, Vector3(kOwn * la + kOther * lb));
  f.tail<3>() -= length * cross(wb, Vector3(kOther * la + kOwn * lb));
}

void AssembledBeam::add_gyroscopic(const State& s, SparseMatrix& D) const {
  const Matrix3& J = data_.line_inertia;
  for (std::size_t e = 0; e < size(); ++e) {
    const double length = data_.elements[e].length;
    const Row<double> v = velocity_of<BeamHelix>(e, s.velocity);
    const Vector3 omega[2] = {v.segment<3>(3), v.tail<3>()};
    for (std::size_t i = 0; i < 2; ++i) {
      const Vector3 momentum = length * J * (kOwn * omega[i] + kOther * omega[1 - i]);
      const auto rows = std::span(bodies_[nodes()[e + i]].velocity).subspan(3);
      const auto others = std::span(bodies_[nodes()[e + 1 - i]].velocity).subspan(3);
      const Matrix3 turned = length * skew(omega[i]) * J;
      Matrix3 own = kOwn * turned - skew(momentum), other = kOther * turned;
      if (!data_.turns.empty()) {
        const std::array<const Matrix3*, 2> turn{&data_.turns[e].a, &data_.turns[e].b};
        own = (*turn[i] * own * turn[i]->transpose()).eval();
        other = (*turn[i] * other * turn[1 - i]->transpose()).eval();
      }
      D.add_block(rows, rows, own);
      D.add_block(rows, others, other);
    }
  }
}

// --- elasticity --------------------------------------------------------------------------------

double AssembledBeam::elastic_energy(const State& s) const {
  double energy = 0.0;
  const auto add = [&](auto helix_type) {
    using Helix = typename decltype(helix_type)::type;
    for_each_helix<Helix>(s, [&](std::size_t e, const Helix& helix) {
      energy += element<Helix>(e).energy(helix.strain(element<Helix>(e)));
    });
  };
  is_spatial_ ? add(std::type_identity<BeamHelix>{}) : add(std::type_identity<PlanarBeamHelix>{});
  return energy;
}

template <class Helix>
void AssembledBeam::add_force(const State& s, Vector& F) const {
  load_modal<Helix>(s);
  constexpr int kEnd = Helix::kColumns / 2, kPlaces = Helix::kStrains == 6 ? 3 : 2;
  for_each_helix<Helix>(s, [&](std::size_t e, const Helix& helix) {
    const auto& element = this->element<Helix>(e);
    const typename Helix::Velocity v = velocity_of<Helix>(e, s.velocity);
    typename Helix::Velocity f =
        helix.force(typename Helix::Strain(helix.stress(element, v) + modal_stress<Helix>(e)));
    const Vector3 weight = 0.5 * element.length * data_.line_mass * data_.gravity;
    f.template head<kPlaces>() += weight.head<kPlaces>();
    f.template segment<kPlaces>(kEnd) += weight.head<kPlaces>();
    if constexpr (Helix::kStrains == 6) subtract_gyroscopic(e, v, f);
    turn_rows(e, f);
    add_to(F, places_of<Helix>(e), f);
  });
}

void AssembledBeam::force(const State& s, Vector& F) const {
  is_spatial_ ? add_force<BeamHelix>(s, F) : add_force<PlanarBeamHelix>(s, F);
}

template <class Helix>
void AssembledBeam::add_tangent(const State& s, const Chart& c, SparseMatrix& K,
                                SparseMatrix& D) const {
  load_modal<Helix>(s);
  for_each_helix<Helix>(s, [&](std::size_t e, const Helix& helix) {
    const auto& element = this->element<Helix>(e);
    auto along =
        helix.stiffness(element, velocity_of<Helix>(e, s.velocity), modal_stress<Helix>(e));
    turn_rows(e, along);
    turn_columns(e, along);
    const PlacesOf<Helix> places = places_of<Helix>(e);
    if constexpr (Helix::kStrains == 6) to_chart(c, places, along);
    add_square(K, places, 1.0, along);
    if (element.damping.isZero(0.0)) return;
    auto damping = helix.damping(element);
    turn_rows(e, damping);
    turn_columns(e, damping);
    add_square(D, places, 1.0, damping);
  });
  if (!modal_.is_empty()) add_modal_tangent<Helix>(s, c, K, D);
}

void AssembledBeam::momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                                     SparseMatrix& D) const {
  if (forces == Forces::kReactionsOnly) return;
  if (!is_spatial_) return add_tangent<PlanarBeamHelix>(s, c, K, D);
  add_tangent<BeamHelix>(s, c, K, D);
  add_gyroscopic(s, D);
}

template <class Helix>
void AssembledBeam::foresee(const State& s, const Vector& along, Vector& stress) const {
  constexpr int n = Helix::kStrains;
  stress.resize(static_cast<Eigen::Index>(n * size()));
  for_each_helix<Helix>(s, [&](std::size_t e, const Helix& helix) {
    const auto& element = this->element<Helix>(e);
    stress.segment<n>(n * static_cast<Eigen::Index>(e)) = element.elastic_stress(
        helix.strain(element) + helix.rate(velocity_of<Helix>(e, along)) / element.length);
  });
}

void AssembledBeam::foresee_stress(const State& s, const Vector& along, Vector& stress) const {
  is_spatial_ ? foresee<BeamHelix>(s, along, stress) : foresee<PlanarBeamHelix>(s, along, stress);
}

template <class Helix>
void AssembledBeam::add_geometric(const State& s, const Vector& stress, SparseMatrix& K) const {
  constexpr int n = Helix::kStrains;
  for_each_helix<Helix>(s, [&](std::size_t e, const Helix& helix) {
    const auto& element = this->element<Helix>(e);
    const typename Helix::Strain given = stress.segment<n>(n * static_cast<Eigen::Index>(e));
    auto change = helix.geometric_stiffness(
        typename Helix::Strain(given - element.elastic_stress(helix.strain(element))));
    turn_rows(e, change);
    turn_columns(e, change);
    add_square(K, places_of<Helix>(e), 1.0, change);
  });
}

void AssembledBeam::add_stress_tangent(const State& s, const Vector& stress,
                                       SparseMatrix& K) const {
  is_spatial_ ? add_geometric<BeamHelix>(s, stress, K)
              : add_geometric<PlanarBeamHelix>(s, stress, K);
}

// --- damped modes ------------------------------------------------------------------------------

template <class Helix>
typename Helix::Strain AssembledBeam::modal_stress(std::size_t e) const {
  constexpr int n = Helix::kStrains;
  if (modal_.is_empty()) return Helix::Strain::Zero();
  return modal_.stress().segment<n>(n * static_cast<Eigen::Index>(e));
}

template <class Helix>
void AssembledBeam::load_modal(const State& s) const {
  if (modal_.is_empty()) return;
  constexpr int n = Helix::kStrains;
  strain_rates_.resize(static_cast<Eigen::Index>(n * size()));
  for_each_helix<Helix>(s, [&](std::size_t e, const Helix& helix) {
    strain_rates_.segment<n>(n * static_cast<Eigen::Index>(e)) =
        helix.rate(velocity_of<Helix>(e, s.velocity));
  });
  modal_.load(strain_rates_);
}

// Couples all nodes.
template <class Helix>
void AssembledBeam::add_modal_tangent(const State& s, const Chart& c, SparseMatrix& K,
                                      SparseMatrix& D) const {
  constexpr int half = Helix::kColumns / 2;
  const auto n = static_cast<int>(nodes().size()) * half;
  modal_.clear_tangent(n);
  for_each_helix<Helix>(s, [&](std::size_t e, const Helix& helix) {
    auto rates = helix.rates(), change = helix.rate_tangent(velocity_of<Helix>(e, s.velocity));
    turn_columns(e, rates);
    turn_columns(e, change);
    if constexpr (Helix::kStrains == 6) to_chart(c, places_of<Helix>(e), change);
    modal_.add_tangent(half * static_cast<int>(e), Helix::kStrains * static_cast<int>(e), rates,
                       change);
  });
  modal_.finish_tangent();
  const auto place = [&](int k) {
    const Body& node = bodies_[nodes()[static_cast<std::size_t>(k / half)]];
    return node
        .velocity[static_cast<std::size_t>(own_of<Helix>()[static_cast<std::size_t>(k % half)])];
  };
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      K.add(place(i), place(j), modal_.along_q()(i, j));
      D.add(place(i), place(j), modal_.along_v()(i, j));
    }
  }
}

template <class Helix>
void AssembledBeam::damp_modes_of(const State& unstrained, const std::vector<double>& ratios,
                                  HeldEnds held) {
  constexpr int half = Helix::kColumns / 2, strains = Helix::kStrains;
  const int n = half * static_cast<int>(nodes().size());
  const int before = held == HeldEnds::kStart || held == HeldEnds::kBoth ? half : 0,
            after = held == HeldEnds::kEnd || held == HeldEnds::kBoth ? half : 0;
  const int free = n - before - after;
  if (free <= 0) return;
  Matrix M = Matrix::Zero(n, n), K = Matrix::Zero(n, n);
  for_each_helix<Helix>(unstrained, [&](std::size_t e, const Helix& helix) {
    auto along = helix.stiffness(element<Helix>(e), Helix::Velocity::Zero());
    turn_rows(e, along);
    turn_columns(e, along);
    const Hessian mass = section_mass(e);
    const int first = half * static_cast<int>(e);
    K.block<2 * half, 2 * half>(first, first) += along;
    for (int i = 0; i < 2 * half; ++i)
      for (int j = 0; j < 2 * half; ++j)
        M(first + i, first + j) += mass(of_twelve<Helix>(i), of_twelve<Helix>(j));
  });
  const auto stress = [&](const Vector& motion) {
    Vector whole = Vector::Zero(n), result(strains * static_cast<int>(size()));
    whole.segment(before, free) = motion;
    for_each_helix<Helix>(unstrained, [&](std::size_t e, const Helix& helix) {
      auto rates = helix.rates();
      turn_columns(e, rates);
      const auto& element = this->element<Helix>(e);
      result.segment<strains>(strains * static_cast<int>(e)) =
          element.stiffness * (rates * whole.segment<2 * half>(half * static_cast<int>(e))) /
          element.length;
    });
    return result;
  };
  modal_ = ModalDamping(M.block(before, before, free, free), K.block(before, before, free, free),
                        ratios, held == HeldEnds::kNone ? half : 0, stress);
}

void AssembledBeam::damp_modes(const State& unstrained, const std::vector<double>& ratios,
                               HeldEnds held) {
  is_spatial_ ? damp_modes_of<BeamHelix>(unstrained, ratios, held)
              : damp_modes_of<PlanarBeamHelix>(unstrained, ratios, held);
}

// --- what is recorded --------------------------------------------------------------------------

void AssembledBeam::strains(const State& s, std::vector<Vector6>& to) const {
  to.resize(size());
  for_each_helix<BeamHelix>(
      s, [&](std::size_t e, const BeamHelix& helix) { to[e] = helix.strain(data_.elements[e]); });
}

void AssembledBeam::stresses(const State& s, std::vector<Vector6>& to) const {
  to.assign(size(), Vector6::Zero());
  const auto fill = [&](auto helix_type) {
    using Helix = typename decltype(helix_type)::type;
    load_modal<Helix>(s);
    for_each_helix<Helix>(s, [&](std::size_t e, const Helix& helix) {
      const typename Helix::Strain stress =
          helix.stress(element<Helix>(e), velocity_of<Helix>(e, s.velocity)) +
          modal_stress<Helix>(e);
      for (int k = 0; k < Helix::kStrains; ++k)
        to[e](own_of<Helix>()[static_cast<std::size_t>(k)]) = stress(k);
    });
  };
  is_spatial_ ? fill(std::type_identity<BeamHelix>{}) : fill(std::type_identity<PlanarBeamHelix>{});
}

}  // namespace picus
