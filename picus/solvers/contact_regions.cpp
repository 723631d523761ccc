// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/contact_regions.h"

#include <algorithm>

namespace picus {

void ContactRegions::find(const ContactProblem& problem, const Vector& p, double limit, int rings) {
  const auto count = static_cast<std::size_t>(problem.contacts());
  speed_ = problem.residual_speed();
  worst_ = 0.0;
  is_inside_.assign(count, 0);
  places_.resize(count);
  members_.clear();
  for (int i = 0; i < problem.contacts(); ++i) {
    const double miss = contact_violation(problem, i, p.segment<3>(3 * i), problem.velocity(i, p));
    worst_ = std::max(worst_, miss);
    if (miss <= limit) continue;
    is_inside_[static_cast<std::size_t>(i)] = 1;
    members_.push_back(i);
  }
  missing_ = static_cast<int>(members_.size());
  // takes in the neighbours of what is in members_ from `from` on
  const auto spread = [&](std::size_t from, std::size_t to, char mark) {
    for (std::size_t k = from; k < to; ++k)
      for (const int j : problem.W.row(members_[k]).columns) {
        char& inside = is_inside_[static_cast<std::size_t>(j)];
        if (inside == mark || (mark == 2 && inside == 0)) continue;
        inside = mark;
        members_.push_back(j);
      }
  };
  std::size_t from = 0;
  for (int ring = 0; ring < rings; ++ring) {
    const std::size_t to = members_.size();
    spread(from, to, 1);
    from = to;
  }
  // connected contacts, marked 2, become regions
  starts_.assign(1, 0);
  members_.clear();
  for (int i = 0; i < problem.contacts(); ++i) {
    if (is_inside_[static_cast<std::size_t>(i)] != 1) continue;
    const std::size_t begin = members_.size();
    is_inside_[static_cast<std::size_t>(i)] = 2;
    members_.push_back(i);
    for (std::size_t k = begin; k < members_.size(); ++k)
      spread(k, k + 1, 2);
    const auto first = members_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, members_.end());
    for (std::size_t k = begin; k < members_.size(); ++k)
      places_[static_cast<std::size_t>(members_[k])] = static_cast<int>(k - begin);
    starts_.push_back(static_cast<int>(members_.size()));
  }
}

void ContactRegions::pose(const ContactProblem& problem, const Vector& p, int region,
                          ContactProblem& part, Vector& part_p) {
  const std::span<const int> inside = members(region);
  const auto count = static_cast<int>(inside.size());
  part.speed = speed_;
  part.laws.clear();
  part.b.resize(3 * count);
  part_p.resize(3 * count);
  part.W.begin_rows(count);
  for (int k = 0; k < count; ++k) {
    const int i = inside[static_cast<std::size_t>(k)];
    part.laws.push_back(problem.law(i));
    part_p.segment<3>(3 * k) = p.segment<3>(3 * i);
    const BlockMatrix3::Row row = problem.W.row(i);
    columns_.clear();
    for (const int j : row.columns)
      if (is_inside_[static_cast<std::size_t>(j)] != 0)
        columns_.push_back(places_[static_cast<std::size_t>(j)]);
    const std::span<Matrix3> values = part.W.next_row(columns_);
    Vector3 b = problem.b.segment<3>(3 * i);
    std::size_t next = 0;
    for (std::size_t c = 0; c < row.columns.size(); ++c) {
      const int j = row.columns[c];
      if (is_inside_[static_cast<std::size_t>(j)] != 0) {
        values[next++] = row.values[c];
      } else {
        b += row.values[c] * p.segment<3>(3 * j);
      }
    }
    part.b.segment<3>(3 * k) = b;
  }
  part.W.end_rows();
}

void ContactRegions::put_back(int region, const Vector& part_p, Vector& p) const {
  const std::span<const int> inside = members(region);
  for (std::size_t k = 0; k < inside.size(); ++k)
    p.segment<3>(3 * inside[k]) = part_p.segment<3>(3 * static_cast<Eigen::Index>(k));
}

}  // namespace picus
