// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/impact_gains.h"

#include <fmt/format.h>

namespace picus {

void ImpactGains::add(double time, const Work& work, bool at_event) {
  if (!(work.gained > (at_event ? kReportedAtEvents : kReportedAcross) * work.incoming)) return;
  ++count_;
  total_ += work.gained;
  if (work.gained <= largest_) return;
  largest_ = work.gained;
  part_ = work.gained / work.incoming;
  time_ = time;
  contact_ = work.contact != nullptr ? *work.contact : "";
}

std::optional<std::string> ImpactGains::note() const {
  if (count_ == 0) return std::nullopt;
  const std::string others =
      count_ == 1 ? "" : fmt::format("; {} impacts added {:.3g} J in all", count_, total_);
  return fmt::format(
      "an impact added energy: {:.3g} J at t = {:.6g} s, contact '{}' ({:.2g} % of the energy "
      "before it){}. Newton's law of restitution can do this with friction, or where contacts "
      "differ in e; 'restitution_law: poisson' cannot",
      largest_, time_, contact_, 100.0 * part_, others);
}

}  // namespace picus
