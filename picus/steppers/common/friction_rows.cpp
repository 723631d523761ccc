// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/friction_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {
void FrictionRows::start(const SystemSizes& sizes, const std::vector<ContactLaw>& laws) {
  sizes_ = sizes;
  contacts_.clear();
  contact_of_.assign(static_cast<std::size_t>(sizes.slips), -1);
  for (const ContactLaw& law : laws) {
    const int j = static_cast<int>(contacts_.size());
    if (law.friction < 0.0 || law.slips > 2 || (law.friction > 0.0 && law.slips == 0))
      throw InputError(
          fmt::format("contact {}: found friction {:g} with {} slips, expected a coefficient of at "
                      "least 0, and 1 or 2 slips if it is positive",
                      j, law.friction, law.slips));
    contacts_.emplace_back().law = law;
    for (int i = 0; i < law.slips; ++i)
      contact_of_.at(static_cast<std::size_t>(law.first_slip + i - sizes.rollings())) = j;
  }
  if (std::find(contact_of_.begin(), contact_of_.end(), -1) != contact_of_.end())
    throw InputError("a slip belongs to no contact");
}

// 1 / Σ k_v²/M: the mass that a slip sees, had M only its diagonal; the smaller one of two.
void FrictionRows::estimate_masses(const SparseMatrix& directions, const Vector& diagonal,
                                   double r) {
  for (Contact& contact : contacts_)
    contact.mobility.setZero();
  directions.for_each([&](int row, int col, double value) {
    if (row < sizes_.rollings() || diagonal(col) <= 0.0) return;
    Contact& contact = at(contact_of_[static_cast<std::size_t>(row - sizes_.rollings())]);
    contact.mobility(row - contact.law.first_slip) += value * value / diagonal(col);
  });
  for (Contact& contact : contacts_) {
    const double largest = contact.mobility.maxCoeff();
    contact.mass = largest > 0.0 ? r / largest : r;
  }
}

LawMode FrictionRows::mode_for(const Contact& contact, const Vector2& z, double normal, LawMode now,
                               const Choice& choice) {
  const bool is_new = now.mode == ContactMode::kOpen;
  if (choice.sticking && is_new) return {ContactMode::kStick};
  const double margin = is_new ? 0.0 : contact.mass * choice.blur;
  const double limit = contact.law.friction * std::max(0.0, normal);
  if (z.norm() <= limit + (now.slips() ? -margin : margin)) return {ContactMode::kStick};
  return {ContactMode::kSlip, contact.law.slips == 2 ? 0 : z(0) > 0.0 ? 1 : -1};
}

SlipModes FrictionRows::modes_for(int contact, const SlipValues& values, const SlipModes& now,
                                  const Choice& choice) const {
  const Contact& c = at(contact);
  SlipModes modes;
  if (c.law.friction == 0.0) return modes;
  const Vector2 z = values.total_friction() - c.mass * values.slip;
  modes.velocity = mode_for(c, z, values.impulse_test, now.velocity, choice);
  if (!choice.in_s) return modes;
  if (modes.velocity.slips()) {
    modes.smooth = modes.velocity;
    modes.slides_on = c.law.slips == 2 && c.slid && z.dot(c.slid_towards) > 0.0;
  } else {
    modes.smooth = mode_for(c, values.friction - c.mass * values.slip_rate, values.reaction_test,
                            now.smooth, choice);
  }
  return modes;
}

FrictionRows::Edge FrictionRows::edge_of(LawMode mode, const Vector2& z) {
  Edge edge{Vector2::Zero(), Matrix2::Zero()};
  if (!mode.slips()) return edge;
  edge.direction(0) = mode.side;
  if (const double length = z.norm(); mode.side == 0 && length > 0.0) {
    edge.direction = z / length;
    edge.turn = (Matrix2::Identity() - edge.direction * edge.direction.transpose()) / length;
  }
  return edge;
}

const SlipEquations& FrictionRows::evaluate(int contact, const SlipModes& modes,
                                            const SlipValues& values) {
  Contact& c = at(contact);
  c.modes = modes;
  c.now = SlipEquations{};
  const Edge edge = edge_of(modes.velocity, values.total_friction() - c.mass * values.slip);
  evaluate_velocity_level(c, values, edge);
  evaluate_smooth_motion(c, values, edge);
  return c.now;
}

void FrictionRows::evaluate_velocity_level(Contact& contact, const SlipValues& values,
                                           const Edge& edge) const {
  auto& by = contact.now.velocity_by;
  if (contact.modes.velocity.mode == ContactMode::kStick) {
    contact.now.velocity = values.slip;
    by.slip.setIdentity();
    return;
  }
  const bool whole = !contact.modes.slides_on;
  const double mu = contact.law.friction;
  const Vector2 friction = whole ? values.total_friction() : values.friction_impulse;
  by.impulse.setIdentity();
  if (whole) by.friction.setIdentity();
  contact.now.velocity = friction;
  if (contact.modes.velocity.mode == ContactMode::kOpen) return;
  const double limit = mu * (whole ? values.total() : values.impulse);
  contact.now.velocity -= limit * edge.direction;
  by.normal_impulse = -mu * edge.direction;
  if (whole) by.reaction = by.normal_impulse;
  by.impulse -= limit * edge.turn;
  by.friction -= limit * edge.turn;
  by.slip = limit * contact.mass * edge.turn;
}

void FrictionRows::evaluate_smooth_motion(Contact& contact, const SlipValues& values,
                                          const Edge& edge) const {
  auto& by = contact.now.smooth_by;
  if (contact.modes.smooth.mode == ContactMode::kStick) {
    contact.now.smooth = values.slip_rate;
    by.rate.setIdentity();
    return;
  }
  contact.now.smooth = values.friction;
  by.friction.setIdentity();
  if (contact.modes.smooth.mode == ContactMode::kOpen) return;
  const double mu = contact.law.friction, limit = mu * values.reaction;
  const bool by_velocity = contact.modes.velocity.slips();
  const Edge force = by_velocity ? edge
                                 : edge_of(contact.modes.smooth,
                                           values.friction - contact.mass * values.slip_rate);
  contact.direction = force.direction;
  contact.now.smooth -= limit * force.direction;
  by.reaction = -mu * force.direction;
  by.friction -= limit * force.turn;
  if (by_velocity) {
    by.impulse = -limit * force.turn;
    by.slip = limit * contact.mass * force.turn;
  } else {
    by.rate = limit * contact.mass * force.turn;
  }
}

const Matrix2& FrictionRows::weight(Rows kind, const Contact& contact) const {
  switch (kind) {
    case kSlipAtVelocityLevel:
      return contact.now.velocity_by.slip;
    case kRateOnSmoothMotion:
      return contact.now.smooth_by.rate;
    case kSlipOnSmoothMotion:
      break;
  }
  return contact.now.smooth_by.slip;
}

void FrictionRows::weigh(Rows kind, const SparseMatrix& A, SparseMatrix& result) const {
  result.begin(A.rows(), A.cols());
  A.for_each([&](int row, int col, double value) {
    if (row < sizes_.rollings()) {
      result.add(row, col, kind == kSlipOnSmoothMotion ? 0.0 : value);
      return;
    }
    const Contact& contact = at(contact_of_[static_cast<std::size_t>(row - sizes_.rollings())]);
    const Matrix2& T = weight(kind, contact);
    for (int i = 0; i < contact.law.slips; ++i)
      result.add(contact.law.first_slip + i, col, T(i, row - contact.law.first_slip) * value);
  });
  result.end();
}

const FrictionRows::Pieces& FrictionRows::differentiate(double relaxation) {
  const int slips = sizes_.nonholonomic;
  for (SparseMatrix* piece : {&pieces_.smooth_by_friction, &pieces_.smooth_by_impulse,
                              &pieces_.velocity_by_friction, &pieces_.velocity_by_impulse})
    piece->begin(slips, slips);
  for (SparseMatrix* piece : {&pieces_.smooth_by_reaction, &pieces_.velocity_by_reaction,
                              &pieces_.velocity_by_normal_impulse})
    piece->begin(slips, sizes_.constraints);
  for (std::size_t j = 0; j < contacts_.size(); ++j) {
    const Contact& contact = contacts_[j];
    const auto& smooth = contact.now.smooth_by;
    const auto& velocity = contact.now.velocity_by;
    const bool has_gap = static_cast<int>(j) < sizes_.contacts;
    const int gap = sizes_.joints() + static_cast<int>(j), first = contact.law.first_slip;
    const double softness = relaxation / contact.mass;
    for (int i = 0; i < contact.law.slips; ++i) {
      if (has_gap) {
        pieces_.smooth_by_reaction.add(first + i, gap, smooth.reaction(i));
        pieces_.velocity_by_reaction.add(first + i, gap, velocity.reaction(i));
        pieces_.velocity_by_normal_impulse.add(first + i, gap, velocity.normal_impulse(i));
      }
      for (int k = 0; k < contact.law.slips; ++k) {
        const double unit = i == k ? softness : 0.0;
        pieces_.smooth_by_friction.add(
            first + i, first + k,
            smooth.friction(i, k) +
                (contact.modes.smooth.mode == ContactMode::kStick ? unit : 0.0));
        pieces_.smooth_by_impulse.add(first + i, first + k, smooth.impulse(i, k));
        pieces_.velocity_by_friction.add(first + i, first + k, velocity.friction(i, k));
        pieces_.velocity_by_impulse.add(
            first + i, first + k,
            velocity.impulse(i, k) +
                (contact.modes.velocity.mode == ContactMode::kStick ? unit : 0.0));
      }
    }
  }
  for (SparseMatrix* piece :
       {&pieces_.smooth_by_friction, &pieces_.smooth_by_impulse, &pieces_.velocity_by_friction,
        &pieces_.velocity_by_impulse, &pieces_.smooth_by_reaction, &pieces_.velocity_by_reaction,
        &pieces_.velocity_by_normal_impulse})
    piece->end();
  return pieces_;
}

double FrictionRows::mass_of(Rows kind, int slip) const {
  const Contact& contact = at(contact_of_[static_cast<std::size_t>(slip - sizes_.rollings())]);
  const LawMode mode = kind == kSlipAtVelocityLevel ? contact.modes.velocity : contact.modes.smooth;
  return mode.mode == ContactMode::kStick ? contact.mass : 1.0;
}

void FrictionRows::accept(int contact, const SlipModes& modes) {
  Contact& c = at(contact);
  c.slid = modes.velocity.slips() && modes.smooth.slips();
  if (c.slid) c.slid_towards = c.direction;
}

}  // namespace picus
