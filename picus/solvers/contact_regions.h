// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "picus/solvers/contact_problem.h"

namespace picus {

/// Where a large contact problem is not solved yet: groups of contacts that miss their laws, each
/// with the contacts around it. A group is a contact problem of its own when the impulses outside
/// stay what they are.
class ContactRegions {
 public:
  /// Finds the contacts that miss by more than `limit` [m/s] and those that are up to `rings`
  /// bodies away from one of them; what is connected becomes a region.
  void find(const ContactProblem& problem, const Vector& p, double limit, int rings);

  /// The largest violation in the problem [m/s].
  double worst() const { return worst_; }
  /// Contacts that miss by more than the limit.
  int missing() const { return missing_; }
  int count() const { return static_cast<int>(starts_.size()) - 1; }
  /// Contacts in all regions.
  int contacts() const { return static_cast<int>(members_.size()); }

  /// The problem of one region, and its share of the impulses.
  void pose(const ContactProblem& problem, const Vector& p, int region, ContactProblem& part,
            Vector& part_p);
  void put_back(int region, const Vector& part_p, Vector& p) const;

 private:
  std::span<const int> members(int region) const {
    const auto begin = static_cast<std::size_t>(starts_[static_cast<std::size_t>(region)]);
    const auto end = static_cast<std::size_t>(starts_[static_cast<std::size_t>(region) + 1]);
    return std::span(members_).subspan(begin, end - begin);
  }

  double speed_ = 0.0;  ///< of which residuals are parts, in all regions [m/s]
  double worst_ = 0.0;
  int missing_ = 0;
  std::vector<char> is_inside_;  ///< whether a contact belongs to a region
  std::vector<int> places_;      ///< of a contact in its region
  std::vector<int> members_;     ///< contacts, region by region, ascending
  std::vector<int> starts_;      ///< of regions in members_
  std::vector<int> columns_;
};

}  // namespace picus
