// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/base/error.h"

namespace picus {
namespace {

void fill_empty(SparseMatrix& A, int rows, int cols) {
  A.begin(rows, cols);
  A.end();
}

// A system that declares a feature must implement it.
void expects_absent(int count, const char* what) {
  expects(count == 0, what);
}

void fit(const char* what, Vector& x, int size) {
  if (x.size() == 0) x = Vector::Zero(size);
  if (x.size() != size) {
    throw InputError(
        fmt::format("state: {} has {} entries, the system expects {}", what, x.size(), size));
  }
}

}  // namespace

void System::retract(const Vector& q, const Vector& dq, Vector& result) const {
  result = q + dq;
}

void System::increment_rate(const Chart&, const Vector& v, Vector& rate) const {
  expects(is_flat(), "a system on a manifold implements increment_rate()");
  rate = v;
}

void System::increment_rate_tangent(const Chart&, const Vector&, SparseMatrix& along_increment,
                                    SparseMatrix& along_velocity) const {
  expects(is_flat(), "a system on a manifold implements increment_rate_tangent()");
  const int n = sizes().velocities;
  fill_empty(along_increment, n, n);
  along_velocity.begin(n, n);
  for (int i = 0; i < n; ++i)
    along_velocity.add(i, i, 1.0);
  along_velocity.end();
}

void System::difference(const Vector& from, const Vector& to, Vector& dq) const {
  expects(is_flat(), "a difference of positions on this manifold");
  dq = to - from;
}

Unit System::unit_of(int) const {
  return Unit::kLength;
}

double System::extent(const State& s) const {
  const SystemSizes n = sizes();
  if (n.positions != n.velocities) return 0.0;  // which positions are lengths is not known
  double largest = 0.0;
  for (int i = 0; i < n.velocities; ++i)
    if (unit_of(i) == Unit::kLength) largest = std::max(largest, std::abs(s.position(i)));
  return largest;
}

void System::switch_values(const State&, Vector& values) const {
  expects_absent(switches(), "a system with switches implements switch_values()");
  resize(values, 0);
}

double System::forcing_time(const State&) const {
  return std::numeric_limits<double>::infinity();
}

std::string System::name_of_switch(int index) const {
  return fmt::format("switch {}", index);
}

void System::constraint(const State&, Vector& g) const {
  expects_absent(sizes().constraints, "a system with constraints implements constraint()");
  resize(g, 0);
}

void System::constraint_velocity(const State&, Vector& rate) const {
  expects_absent(sizes().constraints, "a system with constraints implements constraint_velocity()");
  resize(rate, 0);
}

void System::constraint_acceleration(const State&, Vector& acceleration) const {
  expects_absent(sizes().constraints,
                 "a system with constraints implements constraint_acceleration()");
  resize(acceleration, 0);
}

void System::constraint_jacobian(const State&, SparseMatrix& G) const {
  expects_absent(sizes().constraints, "a system with constraints implements constraint_jacobian()");
  fill_empty(G, 0, sizes().velocities);
}

void System::constraint_tangent(const State& s, const Chart&, SparseMatrix& G) const {
  expects(is_flat(), "a system on a manifold implements constraint_tangent()");
  constraint_jacobian(s, G);
}

void System::constraint_velocity_tangent(const State&, const Chart&,
                                         SparseMatrix& along_position) const {
  expects_absent(sizes().constraints,
                 "a system with constraints implements constraint_velocity_tangent()");
  fill_empty(along_position, 0, sizes().velocities);
}

void System::constraint_acceleration_tangent(const State&, const Chart&,
                                             SparseMatrix& along_position,
                                             SparseMatrix& along_velocity) const {
  expects_absent(sizes().constraints,
                 "a system with constraints implements constraint_acceleration_tangent()");
  fill_empty(along_position, 0, sizes().velocities);
  fill_empty(along_velocity, 0, sizes().velocities);
}

void System::multiplier_tangent(const State&, SparseMatrix& along_multiplier,
                                SparseMatrix& along_nonholonomic) const {
  expects_absent(sizes().constraints + sizes().nonholonomic,
                 "a system with constraints implements multiplier_tangent()");
  fill_empty(along_multiplier, sizes().velocities, 0);
  fill_empty(along_nonholonomic, sizes().velocities, 0);
}

void System::correction_tangent(const State&, const Chart&, SparseMatrix& along_position,
                                SparseMatrix& along_velocity) const {
  expects_absent(sizes().constraints + sizes().nonholonomic,
                 "a system with constraints implements correction_tangent()");
  fill_empty(along_position, sizes().velocities, sizes().velocities);
  fill_empty(along_velocity, sizes().velocities, sizes().velocities);
}

void System::nonholonomic(const State&, Vector& k) const {
  expects_absent(sizes().nonholonomic,
                 "a system with nonholonomic constraints implements nonholonomic()");
  resize(k, 0);
}

void System::nonholonomic_jacobian(const State& s, SparseMatrix& along_velocity) const {
  SparseMatrix unwanted = SparseMatrix::sink();
  const Vector no_increment = Vector::Zero(sizes().velocities);
  nonholonomic_tangent(s, {s.position, no_increment}, unwanted, along_velocity);
}

void System::nonholonomic_rate(const State&, Vector& rate) const {
  expects_absent(sizes().nonholonomic,
                 "a system with nonholonomic constraints implements nonholonomic_rate()");
  resize(rate, 0);
}

void System::nonholonomic_tangent(const State&, const Chart&, SparseMatrix& along_position,
                                  SparseMatrix& along_velocity) const {
  expects_absent(sizes().nonholonomic,
                 "a system with nonholonomic constraints implements nonholonomic_tangent()");
  fill_empty(along_position, 0, sizes().velocities);
  fill_empty(along_velocity, 0, sizes().velocities);
}

void System::nonholonomic_rate_tangent(const State&, const Chart&, SparseMatrix& along_position,
                                       SparseMatrix& along_velocity) const {
  expects_absent(sizes().nonholonomic,
                 "a system with nonholonomic constraints implements nonholonomic_rate_tangent()");
  fill_empty(along_position, 0, sizes().velocities);
  fill_empty(along_velocity, 0, sizes().velocities);
}

void System::control(const State&, Vector& d) const {
  expects_absent(sizes().controls, "a system with controls implements control()");
  resize(d, 0);
}

void System::control_tangent(const State&, const Chart&, ControlTangent& tangent) const {
  expects_absent(sizes().controls, "a system with controls implements control_tangent()");
  const SystemSizes n = sizes();
  for (SparseMatrix* A : {&tangent.position, &tangent.velocity, &tangent.acceleration})
    fill_empty(*A, 0, n.velocities);
  for (SparseMatrix* A : {&tangent.rate, &tangent.control})
    fill_empty(*A, 0, 0);
  fill_empty(tangent.multiplier, 0, n.constraints);
  fill_empty(tangent.force, n.velocities, 0);
}

ContactLaw System::contact_law(int) const {
  return {};
}

bool System::find_contacts(const State&, double, ContactChange&) {
  return false;
}

void System::friction_limits(const State&, Vector& limits) const {
  expects_absent(sizes().friction_elements,
                 "a system with friction elements implements friction_limits()");
  resize(limits, 0);
}

void System::friction_limit_tangent(const State&, SparseMatrix& along_multiplier) const {
  along_multiplier.begin(sizes().friction_elements, sizes().constraints);
  along_multiplier.end();
}

std::string System::name_of(Equation kind, int index) const {
  switch (kind) {
    case Equation::kMomentum:
      return fmt::format("momentum of coordinate {}", index);
    case Equation::kConstraint:
      return fmt::format("constraint {}", index);
    case Equation::kNonholonomic:
      return fmt::format("nonholonomic constraint {}", index);
    case Equation::kControl:
      return fmt::format("control equation {}", index);
  }
  return {};
}

void size_state(const System& system, State& state) {
  const SystemSizes n = system.sizes();
  if (state.position.size() != n.positions) {
    throw InputError(fmt::format("state: position has {} entries, the system expects {}",
                                 state.position.size(), n.positions));
  }
  fit("velocity", state.velocity, n.velocities);
  fit("acceleration", state.acceleration, n.velocities);
  fit("multiplier", state.multiplier, n.constraints);
  fit("nonholonomic_multiplier", state.nonholonomic_multiplier, n.nonholonomic);
  fit("control", state.control, n.controls);
  fit("control_rate", state.control_rate, n.controls);
}

void follow_contacts(const SystemSizes& before, const System& system, const ContactChange& change,
                     State& state) {
  const auto follow = [](Vector& x, int kept, int last, const std::vector<int>& came_from) {
    expects(x.size() == kept + last, "a state that fits the system before the change");
    const Vector old = x.tail(last);
    x.conservativeResize(kept + static_cast<int>(came_from.size()));
    for (std::size_t i = 0; i < came_from.size(); ++i)
      x(kept + static_cast<int>(i)) = came_from[i] < 0 ? 0.0 : old(came_from[i]);
  };
  expects(
      system.sizes().joints() == before.joints() && system.sizes().rollings() == before.rollings(),
      "a change of contacts alone");
  if (state.acceleration.size() == 0) return;  // a bare state
  follow(state.multiplier, before.joints(), before.contacts, change.contacts);
  follow(state.nonholonomic_multiplier, before.rollings(), before.slips, change.slips);
}

void forget_contacts(const System& system, State& state) {
  const SystemSizes n = system.sizes();
  const auto forget = [](Vector& x, int kept, int last) {
    if (x.size() < kept) return;  // a bare state
    x.conservativeResize(kept + last);
    x.tail(last).setZero();
  };
  forget(state.multiplier, n.joints(), n.contacts);
  forget(state.nonholonomic_multiplier, n.rollings(), n.slips);
}

void resize(Vector& x, int size) {
  if (x.size() != size) x.resize(size);
}

}  // namespace picus
