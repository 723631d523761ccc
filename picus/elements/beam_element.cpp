// SPDX-License-Identifier: BSD-3-Clause
#include "picus/elements/beam_element.h"

#include <array>

namespace picus {
namespace {

constexpr double kOwn = 2.0 / 6.0, kOther = 1.0 / 6.0;  // of linear shapes, times the length
constexpr int kInPlane[] = {0, 1, 5};
constexpr std::array kTurning{3, 4, 5, 9, 10, 11};
constexpr std::array kAllInSpace{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
constexpr std::array kAllInPlane{0, 1, 2, 3, 4, 5};

}  // namespace

PlanarBeamSection in_plane(const BeamSection& section) {
  PlanarBeamSection planar{
      .slack = section.slack, .line_mass = section.line_mass, .line_inertia = section.line_inertia};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      planar.stiffness(i, j) = section.stiffness(kInPlane[i], kInPlane[j]);
      planar.damping(i, j) = section.damping(kInPlane[i], kInPlane[j]);
    }
  }
  return planar;
}

// --- from nodes to sections and back -----------------------------------------------------------

template <class Helix>
Helix BeamElementOf<Helix>::form(const Node& a, const Node& b) const {
  if (!turns) return Helix(a, b);
  Pose<double> from = a, to = b;
  from.A = a.A * turns->a;
  to.A = b.A * turns->b;
  return Helix(from, to);
}

template <class Helix>
typename Helix::Velocity BeamElementOf<Helix>::of_sections(const Column& velocity) const {
  Column own = velocity;
  if constexpr (kIsSpatial) {
    if (turns) {
      own.template segment<3>(3) = turns->a.transpose() * velocity.template segment<3>(3);
      own.template tail<3>() = turns->b.transpose() * velocity.template tail<3>();
    }
  }
  return own;
}

template <class Helix>
template <class Numbers>
void BeamElementOf<Helix>::turn_rows(Numbers& of_sections) const {
  if constexpr (kIsSpatial) {
    if (!turns) return;
    of_sections.template middleRows<3>(3) =
        (turns->a * of_sections.template middleRows<3>(3)).eval();
    of_sections.template bottomRows<3>() = (turns->b * of_sections.template bottomRows<3>()).eval();
  }
}

template <class Helix>
template <class Numbers>
void BeamElementOf<Helix>::turn_columns(Numbers& of_sections) const {
  if constexpr (kIsSpatial) {
    if (!turns) return;
    of_sections.template middleCols<3>(3) =
        (of_sections.template middleCols<3>(3) * turns->a.transpose()).eval();
    of_sections.template rightCols<3>() =
        (of_sections.template rightCols<3>() * turns->b.transpose()).eval();
  }
}

// --- elasticity and damping --------------------------------------------------------------------

template <class Helix>
double BeamElementOf<Helix>::energy(const Form& form) const {
  const Strain strain = this->strain(form);
  return 0.5 * length * strain.dot(section->elastic_stress(strain));
}

template <class Helix>
typename Helix::Strain BeamElementOf<Helix>::rate(const Form& form, const Column& velocity) const {
  return form.rate(of_sections(velocity));
}

template <class Helix>
typename Helix::Strain BeamElementOf<Helix>::stress(const Form& form,
                                                    const Column& velocity) const {
  Strain stress = elastic_stress(form);
  if (section->is_damped()) stress += section->damping * rate(form, velocity) / length;
  return stress;
}

template <class Helix>
typename Helix::Velocity BeamElementOf<Helix>::force_of(const Form& form,
                                                        const Strain& stress) const {
  Column force = -form.pull(stress);
  turn_rows(force);
  return force;
}

// The gyroscopic moments of linear velocities: ω × L/6 (2 J ω + J ω_other).
template <class Helix>
typename Helix::Velocity BeamElementOf<Helix>::force(const Form& form,
                                                     const Column& velocity) const {
  Column force = -form.pull(stress(form, velocity));
  if constexpr (kIsSpatial) {
    const Column v = of_sections(velocity);
    const Vector3 wa = v.template segment<3>(3), wb = v.template tail<3>();
    const Vector3 la = section->line_inertia * wa, lb = section->line_inertia * wb;
    force.template segment<3>(3) -= length * cross(wa, Vector3(kOwn * la + kOther * lb));
    force.template tail<3>() -= length * cross(wb, Vector3(kOther * la + kOwn * lb));
  }
  turn_rows(force);
  return force;
}

template <class Helix>
typename Helix::Square BeamElementOf<Helix>::stiffness(const Form& form,
                                                       const Column& velocity) const {
  const typename Helix::Tangent tangent(form);
  const typename Section::Square C = section->stiffness_at(strain(form)) / length;
  Square K = tangent.stiffness(C, stress(form, velocity));
  if (section->is_damped()) {
    const Rates change = section->damping / length * tangent.rate_tangent(of_sections(velocity));
    K.noalias() += tangent.rates().transpose() * change;
  }
  turn_rows(K);
  turn_columns(K);
  return K;
}

template <class Helix>
typename Helix::Square BeamElementOf<Helix>::stiffness_of(const Form& form,
                                                          const Strain& stress) const {
  Square K = typename Helix::Tangent(form).geometric_stiffness(stress);
  turn_rows(K);
  turn_columns(K);
  return K;
}

template <class Helix>
typename Helix::Square BeamElementOf<Helix>::damping(const Form& form,
                                                     const Column& velocity) const {
  Square D = Square::Zero();
  if (section->is_damped()) {
    const Rates rates = typename Helix::Tangent(form).rates();
    const Rates change = section->damping / length * rates;
    D.noalias() = rates.transpose() * change;
  }
  if constexpr (kIsSpatial) {
    const Column v = of_sections(velocity);
    const Matrix3& J = section->line_inertia;
    for (const int own : {3, 9}) {
      const int other = 12 - own;
      const Vector3 omega = v.template segment<3>(own);
      const Vector3 momentum = length * J * (kOwn * omega + kOther * v.template segment<3>(other));
      const Matrix3 turned = length * skew(omega) * J;
      D.template block<3, 3>(own, own) += kOwn * turned - skew(momentum);
      D.template block<3, 3>(own, other) += kOther * turned;
    }
  }
  turn_rows(D);
  turn_columns(D);
  return D;
}

template <class Helix>
std::span<const int> BeamElementOf<Helix>::damped() const {
  if constexpr (kIsSpatial) {
    if (section->is_damped()) return kAllInSpace;
    return kTurning;
  } else {
    if (section->is_damped()) return kAllInPlane;
    return {};
  }
}

template <class Helix>
typename Helix::Rates BeamElementOf<Helix>::rates(const Form& form) const {
  Rates rates = typename Helix::Tangent(form).rates();
  turn_columns(rates);
  return rates;
}

template <class Helix>
typename Helix::Rates BeamElementOf<Helix>::rate_tangent(const Form& form,
                                                         const Column& velocity) const {
  Rates change = typename Helix::Tangent(form).rate_tangent(of_sections(velocity));
  turn_columns(change);
  return change;
}

// --- inertia -----------------------------------------------------------------------------------

template <class Helix>
typename Helix::Square BeamElementOf<Helix>::mass() const {
  constexpr int n = kNodeVelocities, translations = kIsSpatial ? 3 : 2;
  SmallMatrix<double, n, n> own = SmallMatrix<double, n, n>::Zero();  // of a section, per length
  own.diagonal().template head<translations>().setConstant(section->line_mass);
  own.template bottomRightCorner<n - translations, n - translations>() =
      section->line_inertia.template bottomRightCorner<n - translations, n - translations>();
  Square mass;
  mass << kOwn * length * own, kOther * length * own, kOther * length * own, kOwn * length * own;
  turn_rows(mass);
  turn_columns(mass);
  return mass;
}

template <class Helix>
double BeamElementOf<Helix>::kinetic_energy(const Column& velocity) const {
  constexpr int n = kNodeVelocities, translations = kIsSpatial ? 3 : 2,
                rotations = n - translations;
  const Column v = of_sections(velocity);
  const auto va = v.template head<translations>(), vb = v.template segment<translations>(n);
  const auto wa = v.template segment<rotations>(translations), wb = v.template tail<rotations>();
  const SmallMatrix<double, rotations, rotations> J =
      section->line_inertia.template bottomRightCorner<rotations, rotations>();
  return length / 6.0 *
         (section->line_mass * (va.dot(va) + va.dot(vb) + vb.dot(vb)) + wa.dot(J * (wa + wb)) +
          wb.dot(J * wb));
}

template struct BeamElementOf<BeamHelix>;
template struct BeamElementOf<PlanarBeamHelix>;

}  // namespace picus
