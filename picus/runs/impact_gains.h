// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace picus {

/// Impacts that give energy to the motion.
///
/// Newton's law may do so: it fixes ġ⁺ = −e ġ⁻ whatever friction takes or gives on the way, as
/// Kane's double pendulum shows, and contacts with different e in one impact can do without
/// friction. The work of the impulses, Σ P·(u⁺ + u⁻)/2 over the contacts, tells, also where motions
/// are prescribed: u are velocities of the surfaces against each other.
class ImpactGains {
 public:
  /// One impact: the work on the motion, and Σ |P·u⁻|/2, which it is small against where it is
  /// rounding, or the error of a method that does not know when within a step.
  struct Work {
    double gained = 0.0, incoming = 0.0;   ///< [J]
    double most = 0.0;                     ///< of one contact,
    const std::string* contact = nullptr;  ///< this one
  };
  /// Gains below this part of the incoming work are not reported.
  static constexpr double kReportedAtEvents = 1e-3, kReportedAcross = 2e-2;

  void add(double time, const Work& work, bool at_event);
  /// What to say at the end of a run.
  std::optional<std::string> note() const;

 private:
  long count_ = 0;
  double total_ = 0.0;    ///< of all that are reported
  double largest_ = 0.0;  ///< of them, its part of what came in, time and contact
  double part_ = 0.0, time_ = 0.0;
  std::string contact_;
};

}  // namespace picus
