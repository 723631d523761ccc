// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// When the woodpecker toy switches: its event-driven solution, and the events of a run.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "picus/picus.h"
#include "studies/switching_runs.h"

namespace picus::studies {

/// The event-driven solution, by matrix exponentials between events. Its limit cycle begins where
/// the lower edge begins to slip; an impact that opens at once is one event, so that the twelve
/// incidents of Table VII are nine.
struct WoodpeckerReference {
  static constexpr double kPeriod = 0.14597606514374192, kDescent = 0.01944537928471183;
  static constexpr std::array kCycle{
      0.005820757234809545, 0.016709825280642923, 0.019811178939635743,
      0.02039070047798794,  0.02224539127203207,  0.057533801960155215,
      0.06026253599141468,  0.10638265814428177,  kPeriod};
  /// From the published initial state, to kEnd.
  static constexpr std::array kTransient{
      0.021649270167017835, 0.06122868673733764, 0.06703854857267341, 0.0779071939920417,
      0.08101349738422631,  0.08159724000419775, 0.08344164103739354, 0.11869683364234414,
      0.12134898286523764,  0.16740560334322696, 0.20701551562719123, 0.2128447846454827,
      0.22376032718752703,  0.2268540656233746,  0.22742802078294774, 0.2292934045476067,
      0.26460440459324375,  0.2673845074520229,  0.3135550327083707};
  static constexpr double kEnd = 0.35, kEndHeight = -0.04327053621534703,
                          kEndAngle = -0.2602813649112755;  ///< y and φ_S there
  /// Where the limit cycle begins.
  static State section();
  /// Where the lower edge closes to stay so, event kClosing. At the section the sleeve rests, and
  /// error control has no length to measure its steps by.
  static State closing();
  static constexpr std::size_t kClosing = 6;
};

/// A flip of one bit of σ̂, as Table VII lists them.
struct Incident {
  double time = 0.0;
  double height = 0.0;  ///< of the sleeve
  int contact = 0;      ///< 1, 2, 3 as in the paper
  bool is_normal = true;
  bool is_constraint = true;  ///< from now on
  bool is_impact = false;

  std::string text() const;  ///< "N2 closes"
};

/// Whether law 0 to 5, N1 to N3 and F1 to F3, is in its 'constraint' mode.
bool is_constraint_mode(std::span<const LawMode> modes, int law);

/// Where a force passes through zero, its sign flickers by rounding for some of the smallest steps.
/// A pair of flips that is undone so soon, and is no impact, is none.
std::vector<Incident> incidents_of(const SwitchingRun& run, double h_min);

struct WoodpeckerEvents {
  std::vector<double> time, height;
  State end;
};

/// Of a run with a search for switching points.
WoodpeckerEvents events_of(const SwitchingRun& run, double h_min);

/// Of a method that stops at events.
WoodpeckerEvents run_to_events(const System& system, State start, Stepper& stepper,
                               Controller& controller, double end_time);

/// The largest difference of times; infinite when there are fewer events than times.
double worst_event(const WoodpeckerEvents& events, std::span<const double> times);

}  // namespace picus::studies
