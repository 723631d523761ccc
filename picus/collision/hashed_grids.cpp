// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/hashed_grids.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "picus/base/contract.h"

namespace picus {
namespace {

constexpr double kFarthestCell = 1e9;  // beyond, cells are one: still correct, only slower

}  // namespace

void HashedGrids::place(std::span<const Vector3> centres, std::span<const double> halves) {
  expects(centres.size() == halves.size(), "a size for every thing");
  centres_ = centres;
  halves_ = halves;
  tests_ = 0;
  found_.clear();
  choose_grids();
  fill_table();
}

// The finest grid fits the smallest thing, each thing the first grid whose cells are as wide as it
// is.
void HashedGrids::choose_grids() {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
  Vector3 top = Vector3::Constant(-std::numeric_limits<double>::infinity());
  corner_ = -top;
  for (std::size_t i = 0; i < centres_.size(); ++i) {
    if (!centres_[i].allFinite() || !std::isfinite(halves_[i])) continue;
    corner_ = corner_.cwiseMin(centres_[i]);
    top = top.cwiseMax(centres_[i]);
    largest = std::max(largest, halves_[i]);
    if (halves_[i] > 0.0) smallest = std::min(smallest, halves_[i]);
  }
  is_flat_ = corner_(2) == top(2);
  smallest = std::clamp(smallest, std::ldexp(largest, 1 - kGrids), std::max(largest, 1e-300));
  for (int k = 0; k < kGrids; ++k)
    width_[k] = std::ldexp(2.0 * smallest, k);
  std::fill(std::begin(is_used_), std::end(is_used_), false);
}

HashedGrids::Cell HashedGrids::cell_at(const Vector3& centre, int grid) const {
  const auto along = [&](int k) {
    const double cell = std::floor((centre(k) - corner_(k)) / width_[grid]);
    return static_cast<std::int32_t>(std::clamp(cell, -kFarthestCell, kFarthestCell));
  };
  return {along(0), along(1), is_flat_ ? 0 : along(2), grid};
}

std::size_t HashedGrids::slot_of(const Cell& cell) const {
  const auto mix = [](std::uint64_t h, std::int32_t value) {
    h = (h ^ static_cast<std::uint32_t>(value)) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
  };
  const std::uint64_t h = mix(mix(mix(mix(0, cell.x), cell.y), cell.z), cell.grid);
  return static_cast<std::size_t>(h) & (table_.size() - 1);
}

void HashedGrids::fill_table() {
  table_.resize(std::max(table_.size(), std::bit_ceil(2 * centres_.size() + 1)));
  std::fill(table_.begin(), table_.end(), -1);
  next_.assign(centres_.size(), -1);
  cells_.resize(centres_.size());
  for (std::size_t i = 0; i < centres_.size(); ++i) {
    cells_[i].grid = -1;
    if (!centres_[i].allFinite() || !std::isfinite(halves_[i])) continue;
    int grid = 0;
    while (width_[grid] < 2.0 * halves_[i])
      ++grid;
    is_used_[grid] = true;
    cells_[i] = cell_at(centres_[i], grid);
    // open addressing: the first thing of a cell marks it
    std::size_t slot = slot_of(cells_[i]);
    while (table_[slot] >= 0 && !(cells_[index(table_[slot])] == cells_[i]))
      slot = (slot + 1) & (table_.size() - 1);
    next_[i] = table_[slot];
    table_[slot] = static_cast<int>(i);
  }
}

void HashedGrids::sort() {
  starts_.assign(centres_.size() + 1, 0);
  for (const Pair& pair : found_)
    ++starts_[index(pair.first) + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i)
    starts_[i] += starts_[i - 1];
  pairs_.resize(found_.size());
  for (const Pair& pair : found_)
    pairs_[index(starts_[index(pair.first)]++)] = pair;
  auto first = pairs_.begin();
  for (std::size_t i = 0; i < centres_.size(); ++i) {
    const auto last = pairs_.begin() + starts_[i];
    std::sort(first, last);
    first = last;
  }
}

}  // namespace picus
