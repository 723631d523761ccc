// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs of systems with contacts, step by step.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "picus/dynamics/consistent_state.h"
#include "picus/steppers/catalog.h"
#include "picus/steppers/resting_contacts.h"

namespace picus::testing {

using Observe = std::function<void(const State& before, const State& after)>;

// Steps of size h until `end`; every failed step fails the test.
inline State step_through(const System& system, State s, Stepper& stepper, double h, double end,
                          const Observe& observe = {}) {
  const Consistency start = make_consistent(system, s);
  EXPECT_TRUE(start.ok()) << start.message;
  solve_resting_contacts(system, s);
  stepper.start(system, s);
  State to = s;
  const long steps = std::lround(end / h);
  for (long n = 1; n <= steps; ++n) {
    double left = h;
    while (left > 1e-12 * h) {  // several times, of methods that stop at events
      const StepReport report = stepper.attempt(system, s, left, to);
      EXPECT_TRUE(report.ok()) << explain(system, report, s.time, left);
      if (!report.ok()) return s;
      stepper.accept();
      left -= report.taken > 0.0 ? report.taken : left;
      to.time = static_cast<double>(n) * h - left;
      if (observe) observe(s, to);
      std::swap(s, to);
    }
  }
  return s;
}

inline std::vector<std::string> methods_for_impacts() {
  std::vector<std::string> names;
  for (const StepperEntry& entry : stepper_catalog())
    if (make_stepper(entry.name)->traits().handles_impacts) names.emplace_back(entry.name);
  return names;
}

/// Methods that find events are better than these tests expect; event_test.cpp expects more.
inline bool finds_events(std::string_view name) {
  return make_stepper(name)->traits().stops_at_events;
}

/// On motions along which no mode changes these are as accurate as their tolerance at any step, and
/// show no order there.
inline bool is_of_high_order(std::string_view name) {
  return make_stepper(name)->traits().order > 2;
}

/// Those that accept sliding velocities, which are nonholonomic equations.
inline std::vector<std::string> methods_with_friction() {
  std::vector<std::string> names = methods_for_impacts();
  std::erase_if(names,
                [](const std::string& name) { return !make_stepper(name)->traits().nonholonomic; });
  return names;
}

}  // namespace picus::testing
