// SPDX-License-Identifier: BSD-3-Clause
#include "studies/linear_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace picus::studies {
namespace {

using Kind = LinearFlow::Event::Kind;

// Velocities and accelerations below these are zero but for rounding.
constexpr double kImpactSpeed = 1e-11, kContactSpeed = 1e-10, kSlipSpeed = 1e-12;
constexpr double kRoundingPart = 1e-10, kRoundingForce = 1e-13;

// No more than two unknowns for each of three contacts.
using ForceMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
using ForceVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

double direction(LinearMode mode) {
  return mode == LinearMode::kForward ? 1.0 : -1.0;
}

}  // namespace

LinearContactModes::LinearContactModes(const LinearContacts& system)
    : system_(system), inverse_(system.mass.inverse()) {
  LinearState x = start();
  enter(x, system.touching, {});
}

LinearState LinearContactModes::start() const {
  LinearState x;
  x << system_.position, system_.velocity, 1.0;
  return x;
}

// The accelerations (or velocities behind an impact) of given modes; whether they obey the laws.
bool LinearContactModes::solve(const Targets& targets, const Modes& modes,
                               Eigen::Vector3d& result) const {
  const LinearContacts& s = system_;
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 6> columns(3, 6);
  Eigen::Matrix<double, Eigen::Dynamic, 3, 0, 6, 3> rows(6, 3);
  ForceVector wanted(6);
  int n = 0;
  std::array<int, 3> at{};
  for (int i = 0; i < 3; ++i) {
    const LinearMode mode = modes[static_cast<std::size_t>(i)];
    if (mode == LinearMode::kOpen) continue;
    at[static_cast<std::size_t>(i)] = n;
    const Eigen::Vector3d normal = s.normal.row(i), tangent = s.tangent.row(i);
    const bool sticks = mode == LinearMode::kStick;
    columns.col(n) =
        inverse_ *
        (sticks ? normal : Eigen::Vector3d(normal - direction(mode) * s.friction * tangent));
    rows.row(n) = normal;
    wanted(n++) = targets.normal(i);
    if (!sticks) continue;
    columns.col(n) = inverse_ * tangent;
    rows.row(n) = tangent;
    wanted(n++) = targets.tangent(i);
  }
  result = targets.free;
  ForceVector force(n);
  if (n > 0) {
    const ForceMatrix A = rows.topRows(n) * columns.leftCols(n);
    force = A.fullPivLu().solve(ForceVector(wanted.head(n) - rows.topRows(n) * targets.free));
    result += columns.leftCols(n) * force;
    if (!result.allFinite()) return false;
  }
  for (int i = 0; i < 3; ++i) {
    const auto contact = static_cast<std::size_t>(i);
    if (!obeys(targets, modes[contact], i, force.data() + at[contact], result)) return false;
  }
  return true;
}

bool LinearContactModes::obeys(const Targets& targets, LinearMode mode, int i, const double* force,
                               const Eigen::Vector3d& result) const {
  const LinearContacts& s = system_;
  const double rounding = kRoundingPart * std::max(1.0, result.cwiseAbs().maxCoeff());
  if (mode == LinearMode::kOpen)
    return !std::isfinite(targets.normal(i)) ||
           s.normal.row(i).dot(result) - targets.normal(i) >= -rounding;
  if (force[0] < -kRoundingForce) return false;
  if (mode == LinearMode::kStick)
    return std::abs(force[1]) <= s.friction * force[0] * (1.0 + kRoundingPart) + 1e-15;
  if (!targets.is_impact && std::abs(targets.slip(i)) > kSlipSpeed) return true;
  const double slip = s.tangent.row(i).dot(result) - targets.tangent(i);
  return direction(mode) * slip >= -rounding;
}

std::vector<LinearContactModes::Modes> LinearContactModes::candidates(
    const Touching& touching, const Targets& targets) const {
  std::vector<Modes> all{{}};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!touching[i]) continue;
    std::vector<LinearMode> options{LinearMode::kOpen};
    const double slip = targets.slip(static_cast<int>(i));
    if (!targets.is_impact && std::abs(slip) > kSlipSpeed)
      options.push_back(slip > 0.0 ? LinearMode::kForward : LinearMode::kBackward);
    else
      options.insert(options.end(),
                     {LinearMode::kStick, LinearMode::kForward, LinearMode::kBackward});
    std::vector<Modes> more;
    for (const LinearMode mode : options) {
      for (Modes modes : all) {
        modes[i] = mode;
        more.push_back(modes);
      }
    }
    all = std::move(more);
  }
  return all;
}

LinearContactModes::Targets LinearContactModes::targets_of(const LinearState& x, bool is_impact,
                                                           const Touching& touching) const {
  const LinearContacts& s = system_;
  const double untouched = -std::numeric_limits<double>::infinity();
  const Eigen::Vector3d u = x.segment<3>(3), rate = s.normal * u;
  Targets t;
  t.is_impact = is_impact;
  t.free = is_impact ? u : Eigen::Vector3d(inverse_ * (s.force - s.stiffness * x.head<3>()));
  t.slip = s.tangent * u;
  t.tangent.setZero();
  for (int i = 0; i < 3; ++i)
    t.normal(i) = !touching[static_cast<std::size_t>(i)] ? untouched
                  : is_impact                            ? -s.restitution(i) * rate(i)
                                                         : 0.0;
  return t;
}

LinearContactModes::Modes LinearContactModes::find(const Targets& targets, const Touching& touching,
                                                   const Forced& forced,
                                                   Eigen::Vector3d& result) const {
  std::vector<Modes> agreeing;
  for (const Modes& modes : candidates(touching, targets))
    if (solve(targets, modes, result)) agreeing.push_back(modes);
  if (agreeing.empty()) throw std::runtime_error("no modes of contacts agree with their laws");
  // at a change between sticking and slipping both agree: the one behind the event is meant
  const Modes* found = &agreeing.front();
  if (forced.modes != nullptr)
    for (const Modes& modes : agreeing)
      if (modes[forced.contact] == (*forced.modes)[forced.contact]) found = &modes;
  solve(targets, *found, result);
  return *found;
}

void LinearContactModes::enter(LinearState& x, Touching touching, const Forced& forced) {
  const LinearContacts& s = system_;
  Eigen::Vector3d result;
  const Eigen::Vector3d before = s.normal * x.segment<3>(3);
  for (std::size_t i = 0; i < 3; ++i) {
    if (!touching[i] || before(static_cast<int>(i)) > -kImpactSpeed) continue;
    find(targets_of(x, true, touching), touching, forced, result);
    x.segment<3>(3) = result;
    break;
  }
  const Eigen::Vector3d after = s.normal * x.segment<3>(3);
  for (std::size_t i = 0; i < 3; ++i)
    touching[i] = touching[i] && std::abs(after(static_cast<int>(i))) <= kContactSpeed;
  modes_ = find(targets_of(x, false, touching), touching, forced, result);
  make_flow();
}

void LinearContactModes::make_flow() {
  const LinearContacts& s = system_;
  auto& acceleration = flow_.acceleration;
  acceleration.setZero();
  acceleration.leftCols<3>() = -inverse_ * s.stiffness;
  acceleration.col(6) = inverse_ * s.force;
  // forces that keep the accelerations of closed contacts zero, as rows over (q, q̇, 1)
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 6> columns(3, 6);
  Eigen::Matrix<double, Eigen::Dynamic, 3, 0, 6, 3> rows(6, 3);
  int n = 0;
  std::array<int, 3> at{};
  for (int i = 0; i < 3; ++i) {
    const LinearMode mode = modes_[static_cast<std::size_t>(i)];
    if (mode == LinearMode::kOpen) continue;
    at[static_cast<std::size_t>(i)] = n;
    const Eigen::Vector3d normal = s.normal.row(i), tangent = s.tangent.row(i);
    const double along = mode == LinearMode::kStick ? 0.0 : -direction(mode) * s.friction;
    columns.col(n) = inverse_ * (normal + along * tangent);
    rows.row(n++) = normal;
    if (mode != LinearMode::kStick) continue;
    columns.col(n) = inverse_ * tangent;
    rows.row(n++) = tangent;
  }
  Eigen::Matrix<double, Eigen::Dynamic, 7, 0, 6, 7> force(n, 7);
  if (n > 0) {
    const ForceMatrix A = rows.topRows(n) * columns.leftCols(n);
    force = A.fullPivLu().solve((-rows.topRows(n) * acceleration).eval());
    acceleration += columns.leftCols(n) * force;
  }
  flow_.events.clear();
  for (int i = 0; i < 3; ++i) {
    const LinearMode mode = modes_[static_cast<std::size_t>(i)];
    const int k = at[static_cast<std::size_t>(i)];
    LinearRow row = LinearRow::Zero();
    if (mode == LinearMode::kOpen) {
      row.head<3>() = s.normal.row(i);
      row(6) = s.gap(i);
      flow_.events.push_back({Kind::kCloses, i, row});
      continue;
    }
    flow_.events.push_back({Kind::kReleases, i, force.row(k)});
    if (mode == LinearMode::kStick) {
      // friction acts against the slip that begins
      flow_.events.push_back(
          {Kind::kSlipsBackward, i, s.friction * force.row(k) - force.row(k + 1)});
      flow_.events.push_back(
          {Kind::kSlipsForward, i, s.friction * force.row(k) + force.row(k + 1)});
    } else {
      row.segment<3>(3) = direction(mode) * s.tangent.row(i);
      flow_.events.push_back({Kind::kSticks, i, row});
    }
  }
}

void LinearContactModes::pass(std::size_t number, LinearState& x) {
  const LinearFlow::Event event = flow_.events.at(number);
  const auto contact = static_cast<std::size_t>(event.contact);
  Touching touching{};
  for (std::size_t i = 0; i < 3; ++i)
    touching[i] = modes_[i] != LinearMode::kOpen;
  touching[contact] = true;
  Modes forced{};
  bool is_forced = true;
  switch (event.kind) {
    case Kind::kReleases:
      forced[contact] = LinearMode::kOpen;
      break;
    case Kind::kSlipsForward:
      forced[contact] = LinearMode::kForward;
      break;
    case Kind::kSlipsBackward:
      forced[contact] = LinearMode::kBackward;
      break;
    case Kind::kSticks: {
      // no slip at all, rounding included, and closed contacts stay closed
      Eigen::Matrix<double, Eigen::Dynamic, 3, 0, 4, 3> rows(4, 3);
      int n = 0;
      for (int i = 0; i < 3; ++i)
        if (touching[static_cast<std::size_t>(i)]) rows.row(n++) = system_.normal.row(i);
      rows.row(n++) = system_.tangent.row(event.contact);
      const auto R = rows.topRows(n);
      const ForceMatrix A = R * inverse_ * R.transpose();
      const ForceVector impulse = A.fullPivLu().solve(ForceVector(R * x.segment<3>(3)));
      x.segment<3>(3) -= inverse_ * R.transpose() * impulse;
      is_forced = false;
      break;
    }
    case Kind::kCloses:
      is_forced = false;
      break;
  }
  enter(x, touching, {is_forced ? &forced : nullptr, contact});
}

}  // namespace picus::studies
