// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/pose_table.h"

#include <array>
#include <cstring>
#include <utility>

namespace picus {
namespace {

// Bits are compared, so that NaN is equal to itself.
bool is_same(const Vector& a, const Vector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

constexpr std::size_t kPoints = 3;  // points per thread

// The table for which is_it() is true; the oldest one, moved to the front, otherwise.
template <class Table, class IsIt>
std::pair<Table*, bool> look_up(std::array<Table*, kPoints>& tables, IsIt&& is_it) {
  for (std::size_t k = 0; k < kPoints; ++k) {
    if (!is_it(*tables[k])) continue;
    for (; k > 0; --k)
      std::swap(tables[k], tables[k - 1]);
    return {tables[0], true};
  }
  for (std::size_t k = kPoints - 1; k > 0; --k)
    std::swap(tables[k], tables[k - 1]);
  return {tables[0], false};
}

template <class Table>
struct Store {
  std::array<Table, kPoints> all;
  std::array<Table*, kPoints> order;
  Store() {
    for (std::size_t k = 0; k < kPoints; ++k)
      order[k] = &all[k];
  }
};

}  // namespace

const PoseTable& poses_at(const Bodies& bodies, const Vector& q) {
  thread_local Store<PoseTable> store;
  thread_local std::uint64_t stamps = 0;
  const auto [table, found] = look_up(store.order, [&](const PoseTable& known) {
    return known.owner_ == bodies.id() && is_same(known.q_, q);
  });
  if (found) return *table;
  table->owner_ = bodies.id();
  table->stamp_ = ++stamps;
  table->q_ = q;
  table->poses_.resize(static_cast<std::size_t>(bodies.size()));
  for (int b = 0; b < bodies.size(); ++b)
    bodies.put_pose(b, q, table->poses_[static_cast<std::size_t>(b)]);
  return *table;
}

const TurnTable& turns_at(const Bodies& bodies, const Chart& chart) {
  thread_local Store<TurnTable> store;
  const auto [table, found] = look_up(store.order, [&](const TurnTable& known) {
    return known.owner_ == bodies.id() && is_same(known.increment_, chart.increment);
  });
  if (found) return *table;
  table->owner_ = bodies.id();
  table->increment_ = chart.increment;
  table->is_turned_.assign(static_cast<std::size_t>(bodies.size()), 0);
  table->turns_.resize(static_cast<std::size_t>(bodies.size()));
  for (int b = 1; b < bodies.size(); ++b) {
    if (bodies[b].kind != BodyKind::kSpatial) continue;
    const Vector3 phi = chart.increment.segment<3>(bodies[b].velocity[3]);
    if (phi.isZero(0.0)) continue;
    table->is_turned_[static_cast<std::size_t>(b)] = 1;
    table->turns_[static_cast<std::size_t>(b)] = increment_jacobian(phi);
  }
  return *table;
}

}  // namespace picus
