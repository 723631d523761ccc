// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/body_batch.h"

namespace picus {

bool BodyBatch::is_flat() const {
  for (int b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].kind == BodyKind::kSpatial) return false;
  return true;
}

void BodyBatch::retract(const Vector& q, const Vector& dq, Vector& result) const {
  bodies_.retract(q, dq, result);
}

void BodyBatch::increment_rate(const Chart& c, const Vector& v, Vector& rate) const {
  for (int b = 1; b < bodies_.size(); ++b) {
    if (bodies_[b].kind != BodyKind::kSpatial) continue;
    const int first = bodies_[b].velocity[3];
    rate.segment<3>(first) =
        inverse_increment_jacobian(c.increment.segment<3>(first)) * v.segment<3>(first);
  }
}

void BodyBatch::increment_rate_tangent(const Chart& c, const Vector& v,
                                       SparseMatrix& along_increment,
                                       SparseMatrix& along_velocity) const {
  for (int b = 1; b < bodies_.size(); ++b) {
    if (bodies_[b].kind != BodyKind::kSpatial) continue;
    const Vector3 phi = c.increment.segment<3>(bodies_[b].velocity[3]);
    const Vector3 omega = v.segment<3>(bodies_[b].velocity[3]);
    const auto places = std::span(bodies_[b].velocity).subspan(3);
    along_increment.add_block(places, places, inverse_increment_jacobian_tangent(phi, omega));
    along_velocity.add_block(places, places,
                             Matrix3(inverse_increment_jacobian(phi) - Matrix3::Identity()));
  }
}

void BodyBatch::difference(const Vector& from, const Vector& to, Vector& dq) const {
  bodies_.difference(from, to, dq);
}

void BodyBatch::mass(const State&, SparseMatrix& M) const {
  for (int b = 1; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    if (body.is_node) continue;
    for (std::size_t k = 0; k < 3; ++k)
      if (body.velocity[k] >= 0) M.add(body.velocity[k], body.velocity[k], body.mass);
    for (std::size_t k = 3; k < 6; ++k) {
      for (std::size_t l = 3; l < 6; ++l) {
        if (body.velocity[k] < 0 || body.velocity[l] < 0) continue;
        M.add(body.velocity[k], body.velocity[l],
              body.inertia(static_cast<int>(k) - 3, static_cast<int>(l) - 3));
      }
    }
  }
}

void BodyBatch::force(const State& s, Vector& F) const {
  for (int b = 1; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    if (body.is_node) continue;
    for (std::size_t k = 0; k < 3; ++k)
      if (body.velocity[k] >= 0) F(body.velocity[k]) += body.mass * gravity_(static_cast<int>(k));
    if (body.kind != BodyKind::kSpatial) continue;
    const Vector3 omega = s.velocity.segment<3>(body.velocity[3]);
    F.segment<3>(body.velocity[3]) -= cross(omega, Vector3(body.inertia * omega));
  }
}

void BodyBatch::momentum_tangent(const State& s, const Chart&, Forces forces, SparseMatrix&,
                                 SparseMatrix& D) const {
  for (int b = 1; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    if (body.kind != BodyKind::kSpatial || body.is_node) continue;
    const Vector3 omega = s.velocity.segment<3>(body.velocity[3]);
    // ∂(ω × Jω)/∂ω; the gyroscopic torque counts as an applied force
    const Matrix3 gyroscopic =
        forces == Forces::kAll ? Matrix3(skew(omega) * body.inertia - skew(body.inertia * omega))
                               : Matrix3(Matrix3::Zero());
    D.add_block(std::span(body.velocity).subspan(3), std::span(body.velocity).subspan(3),
                gyroscopic);
  }
}

void AngleMemory::retract(const Vector& q, const Vector&, Vector& result) const {
  for (const Term& term : terms_) {
    result(term.memory) = q(term.memory);
    result(term.memory) = measure(bodies_, term, result);
  }
}

}  // namespace picus
