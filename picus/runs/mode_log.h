// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "picus/mechanism/mechanism.h"
#include "picus/results/quantity.h"
#include "picus/simulation/simulate.h"

namespace picus {

/// Tells when contacts and friction elements begin to stick or to slip, open, or close without
/// friction, as events of kind "stick", "slip", "opens" and "closes" whose text is the name. Of
/// methods that stop there; others know it to a step only.
class ModeLog {
 public:
  explicit ModeLog(const Mechanism& mechanism);

  /// Call it for every moment of a run.
  void observe(const Moment& moment, const std::function<void(const Event&)>& report_event);

 private:
  void compare(double time, std::span<const LawMode> modes,
               const std::function<void(const Event&)>& report_event);
  const std::string& name_of(std::size_t law) const;

  std::vector<std::string> contacts_, elements_;  ///< names, as laws are numbered
  std::vector<LawMode> last_;
};

}  // namespace picus
