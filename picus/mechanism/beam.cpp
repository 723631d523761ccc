// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/beam.h"

#include <array>
#include <cmath>

#include "picus/math/scratch.h"

namespace picus {
namespace {

constexpr std::array<int, 6> kAllStrains{0, 1, 2, 3, 4, 5};
constexpr std::array<int, 3> kPlanarStrains{0, 1, 5};

// Of six strains, those that an element has.
template <class Element>
constexpr auto& own_of() {
  if constexpr (Element::kStrains == 6)
    return kAllStrains;
  else
    return kPlanarStrains;
}

template <class Element>
SmallVector<double, Element::kNodeVelocities> along_node(const Vector3& gravity) {
  SmallVector<double, Element::kNodeVelocities> along;
  along.setZero();
  constexpr int kPlaces = Element::kIsSpatial ? 3 : 2;
  along.template head<kPlaces>() = gravity.head<kPlaces>();
  return along;
}

// The element with the strains that it has.
template <class Element>
Element own_element(const BeamElement& element,
                    const std::shared_ptr<const typename Element::Section>& section) {
  Element own{.length = element.length, .section = section, .turns = element.turns};
  for (int k = 0; k < Element::kStrains; ++k)
    own.initial_strain(k) = element.initial_strain(own_of<Element>()[static_cast<std::size_t>(k)]);
  return own;
}

}  // namespace

template <class Element>
AssembledBeam<Element>::AssembledBeam(std::string name, std::vector<int> nodes,
                                      const Bodies& bodies, const BeamData& data)
    : Base(std::move(name), std::move(nodes), bodies, along_node<Element>(data.gravity)),
      area_(data.area),
      modulus_(data.modulus),
      outline_(data.outline) {
  std::shared_ptr<const typename Element::Section> section;
  if constexpr (Element::kIsSpatial)
    section = std::make_shared<BeamSection>(data.section);
  else
    section = std::make_shared<PlanarBeamSection>(in_plane(data.section));
  int node = 0;
  for (const BeamElement& element : data.elements) {
    this->add(own_element<Element>(element, section), {node, node + 1});
    length_ += element.length;
    ++node;
  }
}

// --- damped modes ------------------------------------------------------------------------------

template <class Element>
void AssembledBeam<Element>::damp_modes(const State& unstrained, const std::vector<double>& ratios,
                                        HeldEnds held) {
  const int n = kEach * static_cast<int>(this->nodes().size());
  const int before = held == HeldEnds::kStart || held == HeldEnds::kBoth ? kEach : 0,
            after = held == HeldEnds::kEnd || held == HeldEnds::kBoth ? kEach : 0;
  const int free = n - before - after;
  if (free <= 0) return;
  constexpr int kBoth = 2 * kEach;
  Matrix M = Matrix::Zero(n, n), K = Matrix::Zero(n, n);
  this->for_each_form(unstrained, [&](std::size_t e, const Form& form) {
    const int first = kEach * static_cast<int>(e);
    K.block<kBoth, kBoth>(first, first) +=
        this->element(e).stiffness(form, Element::Column::Zero());
    M.block<kBoth, kBoth>(first, first) += this->element(e).mass();
  });
  const auto stress = [&](const Vector& motion) {
    Vector whole = Vector::Zero(n), result(kStrains * static_cast<int>(this->size()));
    whole.segment(before, free) = motion;
    this->for_each_form(unstrained, [&](std::size_t e, const Form& form) {
      const Element& element = this->element(e);
      const typename Element::Column along = whole.segment<kBoth>(kEach * static_cast<int>(e));
      result.segment<kStrains>(kStrains * static_cast<int>(e)) =
          element.section->stiffness * element.rate(form, along) / element.length;
    });
    return result;
  };
  modal_ = ModalDamping(M.block(before, before, free, free), K.block(before, before, free, free),
                        ratios, held == HeldEnds::kNone ? kEach : 0, stress);
}

template <class Element>
void AssembledBeam<Element>::find_modal_stress(const State& s, Eigen::Map<Vector>& stress) const {
  Scratch scratch;
  auto rates = scratch.vector(static_cast<int>(stress.size()));
  auto power = scratch.vector(modal_.modes());
  this->for_each_form(s, [&](std::size_t e, const Form& form) {
    rates.segment<kStrains>(kStrains * static_cast<int>(e)) =
        this->element(e).rate(form, this->velocity_of(e, s.velocity));
  });
  modal_.find_stress(rates, power, stress);
}

template <class Element>
void AssembledBeam<Element>::force(const State& s, Vector& F) const {
  Base::force(s, F);
  if (modal_.is_empty()) return;
  Scratch scratch;
  auto stress = scratch.vector(kStrains * static_cast<int>(this->size()));
  find_modal_stress(s, stress);
  this->for_each_form(s, [&](std::size_t e, const Form& form) {
    const Strain own = stress.segment<kStrains>(kStrains * static_cast<int>(e));
    this->scatter(e, this->element(e).force_of(form, own), F);
  });
}

template <class Element>
void AssembledBeam<Element>::momentum_tangent(const State& s, const Chart& c, Batch::Forces forces,
                                              SparseMatrix& K, SparseMatrix& D) const {
  Base::momentum_tangent(s, c, forces, K, D);
  if (modal_.is_empty() || forces == Batch::Forces::kReactionsOnly) return;
  add_modal_tangent(s, c, K, D);
}

// Of Σ_e ratesᵀ σ_e, which couples all nodes: with B = Σ_e ratesᵀ S_e along velocities and the same
// of derivatives of L ε̇ along positions, Σ_modes (2 ζ/ω³) B Bᵀ and B ∂Bᵀ, and what the stress does
// where it stays.
template <class Element>
void AssembledBeam<Element>::add_modal_tangent(const State& s, const Chart& c, SparseMatrix& K,
                                               SparseMatrix& D) const {
  constexpr int kBoth = 2 * kEach;
  const int n = kEach * static_cast<int>(this->nodes().size()), modes = modal_.modes();
  Scratch scratch;
  auto stress = scratch.vector(kStrains * static_cast<int>(this->size()));
  find_modal_stress(s, stress);
  auto by_velocity = scratch.matrix(n, modes), by_place = scratch.matrix(n, modes),
       weighted = scratch.matrix(n, modes), along_v = scratch.matrix(n, n),
       along_q = scratch.matrix(n, n);
  by_velocity.setZero();
  by_place.setZero();
  const TurnTable* turns = Element::kIsSpatial ? &turns_at(this->bodies(), c) : nullptr;
  this->for_each_form(s, [&](std::size_t e, const Form& form) {
    const Element& element = this->element(e);
    const int first = kEach * static_cast<int>(e), strain = kStrains * static_cast<int>(e);
    const typename Element::Rates rates = element.rates(form);
    typename Element::Rates change = element.rate_tangent(form, this->velocity_of(e, s.velocity));
    if constexpr (Element::kIsSpatial) this->to_chart(*turns, e, change);
    const auto own = modal_.stresses().template middleRows<kStrains>(strain);
    by_velocity.template middleRows<kBoth>(first).noalias() += rates.transpose() * own;
    by_place.template middleRows<kBoth>(first).noalias() += change.transpose() * own;
  });
  weighted.noalias() = by_velocity * modal_.factors().asDiagonal();
  along_v.noalias() = weighted * by_velocity.transpose();
  along_q.noalias() = weighted * by_place.transpose();
  this->for_each_form(s, [&](std::size_t e, const Form& form) {
    const int first = kEach * static_cast<int>(e);
    const Strain own = stress.segment<kStrains>(kStrains * static_cast<int>(e));
    typename Element::Square held = this->element(e).stiffness_of(form, own);
    if constexpr (Element::kIsSpatial) this->to_chart(*turns, e, held);
    along_q.template block<kBoth, kBoth>(first, first) += held;
  });
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      K.add(this->place(i), this->place(j), along_q(i, j));
      D.add(this->place(i), this->place(j), along_v(i, j));
    }
  }
}

// --- what is recorded and drawn ----------------------------------------------------------------

template <class Element>
void AssembledBeam<Element>::strains(const State& s, std::vector<Vector6>& to) const {
  to.assign(this->size(), Vector6::Zero());
  this->for_each_form(s, [&](std::size_t e, const Form& form) {
    to[e](own_of<Element>()) = this->element(e).strain(form);
  });
}

template <class Element>
void AssembledBeam<Element>::stresses(const State& s, std::vector<Vector6>& to) const {
  to.assign(this->size(), Vector6::Zero());
  Scratch scratch;
  auto modal = scratch.vector(kStrains * static_cast<int>(this->size()));
  modal.setZero();
  if (!modal_.is_empty()) find_modal_stress(s, modal);
  this->for_each_form(s, [&](std::size_t e, const Form& form) {
    const Element& element = this->element(e);
    to[e](own_of<Element>()) = element.stress(form, this->velocity_of(e, s.velocity)) +
                               modal.template segment<kStrains>(kStrains * static_cast<int>(e));
  });
}

template <class Element>
PartQuantity AssembledBeam<Element>::of_elements(std::string quantity, std::string unit,
                                                 std::string meaning) const {
  PartQuantity result{
      .name = std::move(quantity), .unit = std::move(unit), .meaning = std::move(meaning)};
  for (std::size_t e = 1; e <= this->size(); ++e)
    result.items.push_back(this->name() + "." + std::to_string(e));
  return result;
}

// The largest stress along the beam at the outline of a section, positive when it pulls.
template <class Element>
double AssembledBeam<Element>::outer_stress(const Vector6& strain) const {
  double largest = 0.0;
  for (const Vector3& point : outline_) {
    const double here = strain(0) + strain(4) * point(2) - strain(5) * point(1);
    if (std::abs(here) > std::abs(largest)) largest = here;
  }
  return modulus_ * largest;
}

template <class Element>
std::vector<PartQuantity> AssembledBeam<Element>::quantities() const {
  using Find = void (AssembledBeam::*)(const State&, std::vector<Vector6>&) const;
  const std::vector<std::string> axes{"x", "y", "z"};
  const auto halves = [this](Find what, int first) {
    return [this, what, first](const State& s, std::vector<double>& to) {
      std::vector<Vector6> all;
      (this->*what)(s, all);
      for (const Vector6& one : all)
        for (int k = first; k < first + 3; ++k)
          to.push_back(one(k));
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
      axes, halves(&AssembledBeam::stresses, 0));
  add(of_elements("section_moment", "N m",
                  "moment in the section, in its axes: torsion and two bending moments"),
      axes, halves(&AssembledBeam::stresses, 3));
  add(of_elements("strain", "1", "axial strain and two shear strains"), axes,
      halves(&AssembledBeam::strains, 0));
  add(of_elements("curvature", "1/m", "twist and two curvatures, relative to the unstrained beam"),
      axes, halves(&AssembledBeam::strains, 3));
  if (outline_.empty()) return all;
  add(of_elements("stress", "Pa", "largest normal stress at the outline of the section"), {},
      [this](const State& s, std::vector<double>& to) {
        std::vector<Vector6> strains;
        this->strains(s, strains);
        for (const Vector6& strain : strains)
          to.push_back(outer_stress(strain));
      });
  return all;
}

template <class Element>
PartLine AssembledBeam<Element>::line() const {
  return {.kind = "beam",
          .nodes = this->nodes(),
          .area = area_,
          .modulus = modulus_,
          .outline = outline_};
}

template class AssembledBeam<BeamElement>;
template class AssembledBeam<PlanarBeamElement>;

namespace {

template <class Element>
std::unique_ptr<FlexiblePart> beam_of(std::string name, std::vector<int> nodes,
                                      const Bodies& bodies, const BeamData& data,
                                      const std::optional<ModalDampingPart>& damped,
                                      const State& unstrained) {
  auto beam =
      std::make_unique<AssembledBeam<Element>>(std::move(name), std::move(nodes), bodies, data);
  if (damped) beam->damp_modes(unstrained, damped->ratios, damped->held);
  return beam;
}

}  // namespace

std::unique_ptr<FlexiblePart> make_beam(std::string name, std::vector<int> nodes,
                                        const Bodies& bodies, const BeamData& data,
                                        const std::optional<ModalDampingPart>& damped,
                                        const State& unstrained) {
  const bool is_spatial = bodies[nodes.front()].kind == BodyKind::kSpatial;
  return (is_spatial ? beam_of<BeamElement> : beam_of<PlanarBeamElement>)(std::move(name),
                                                                          std::move(nodes), bodies,
                                                                          data, damped, unstrained);
}

}  // namespace picus
