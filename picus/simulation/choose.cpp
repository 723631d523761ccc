// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/choose.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace picus {

namespace {

// Up to this many contacts without friction events are looked for: half a second of Newton's cradle
// takes 0.6 s with 102 balls and 3 s with 400, where 1e4 steps of moreau_jean take 10 s and 30 s.
constexpr int kFewContacts = 400;
// The same with friction, whose modes change more often than they are worth looking for.
constexpr int kFewFrictions = 20;
// From so many corners on one body the bounces of a fall go on from corner to corner, ever faster:
// events have no end that could be foreseen from one of them.
constexpr int kFace = 3;
// Explicit methods of order five under error control take steps up to about this times the fastest
// rate: 3.3 is the limit of stability of damped motions, and what grows is seen and rejected.
constexpr double kStable = 3.0;
// Nothing is seen at a constant step. Undamped oscillations then grow from a step times rate of
// 0.997 on: where |R(iy)| = 1 for R of [DormandPrince1980], 1 + z + … + z⁵/120 + z⁶/600. The rate
// is known to about a tenth (rates_of).
constexpr double kStableConstant = 0.9;
// A run of so many explicit steps is short in any case. Beyond, implicit methods are taken in
// doubt: they lose a factor of two or three where nothing is stiff, explicit ones any factor where
// it is.
constexpr double kFewSteps = 200.0;
// Steps for the tolerance 1e-6 while the motion changes once: what the pendulum takes.
constexpr double kStepsPerChange = 4.0;
// Of many contacts, with the tolerance of the run: 1e-3 with the default of 1e-5.
constexpr double kPartOfContacts = 100.0, kTightestContacts = 1e-8, kLoosestContacts = 1e-3;
// The least number of steps of a smooth run.
constexpr double kLeastSteps = 100.0;

/// Why explicit methods would or would not do.
struct Stiffness {
  bool is_stiff = false;
  std::string reason;

  const char* word() const { return is_stiff ? "stiff" : "not stiff"; }
};

/// The number of steps of an explicit method of order five that stability wants against the one
/// that accuracy wants; with a constant step, whether that is stable.
Stiffness stiffness_of(const Occasion& occasion) {
  const double fastest = occasion.rates.fastest();
  if (fastest == 0.0) return {false, "not stiff: no springs, dampers or controls act at the start"};
  if (occasion.step > 0.0) {
    const double stable_step = kStableConstant / fastest;
    const bool is_stiff = occasion.step > stable_step;
    return {is_stiff, fmt::format("{}: the step of {:g} s is {} {:.2g} s, the stability limit of "
                                  "explicit methods at the fastest rate, {:.3g}/s",
                                  is_stiff ? "stiff" : "not stiff", occasion.step,
                                  is_stiff ? "above" : "within", stable_step, fastest)};
  }
  const double stable = occasion.duration * fastest / kStable;
  const double accurate = kStepsPerChange * std::pow(1e-6 / occasion.tolerance, 0.2) *
                          std::max(1.0, occasion.duration * occasion.rates.motion);
  const bool is_stiff = stable > std::max(kFewSteps, accurate);
  return {is_stiff, fmt::format("{}: explicit methods need {:.0f} steps for stability (fastest "
                                "rate {:.3g}/s) and about {:.0f} for the tolerance",
                                is_stiff ? "stiff" : "not stiff", std::ceil(stable), fastest,
                                std::ceil(accurate))};
}

std::string what_hits(const System& system) {
  const SystemSizes n = system.sizes();
  if (n.contacts == 0) return "the model has " + friction_elements_of(system);
  return n.contacts == 1 ? "the model has 1 contact"
                         : fmt::format("the model has {} contacts", n.contacts);
}

int few_laws(const System& system) {
  return system.sizes().slips > 0 ? kFewFrictions : kFewContacts;
}

Choice across_many(const System& system, Choice choice) {
  const bool only_friction = system.sizes().contacts == 0 && !system.limits_read_reactions();
  choice.stepper = only_friction ? "nonsmooth_pva" : "moreau_jean";
  choice.adaptive = false;
  choice.reason =
      fmt::format("chosen because {} ({} laws; beyond {}, Picus steps across events): {}",
                  what_hits(system), system.sizes().laws(), few_laws(system),
                  only_friction ? "second order, and sticking contacts do not creep"
                                : "one contact problem per step");
  choice.brief = fmt::format("{}, too many to look for events", what_hits(system));
  return choice;
}

Choice across_corners(const Occasion& occasion, Choice choice) {
  choice.stepper = occasion.step > 0.0 ? "moreau_jean" : "moreau_adaptive";
  choice.reason = fmt::format(
      "chosen because {} contacts with friction join the same bodies: bounces alternate between "
      "them ever faster, and Picus steps across them",
      occasion.corners);
  choice.brief =
      fmt::format("{} contacts with friction are between the same bodies", occasion.corners);
  return choice;
}

Choice across_impacts(const System& system, const Occasion& occasion, Choice choice) {
  if (system.sizes().laws() > few_laws(system)) return across_many(system, choice);
  if (occasion.corners >= kFace) return across_corners(occasion, choice);
  const Stiffness stiffness = stiffness_of(occasion);
  choice.stepper = "event_driven";
  if (stiffness.is_stiff) choice.options = {{"smooth", "radau_iia"}};
  choice.reason = fmt::format(
      "chosen because {} (up to {} laws, Picus locates every event), and the motion between events "
      "is {}",
      what_hits(system), few_laws(system), stiffness.reason);
  choice.brief =
      fmt::format("{}, and the motion between events is {}", what_hits(system), stiffness.word());
  return choice;
}

// Contacts that are found as bodies move: many, most of them redundant, to the accuracy of a method
// of first order.
Choice among_collisions(Choice choice) {
  const double contact_tolerance =
      std::clamp(kPartOfContacts * choice.control.tolerance, kTightestContacts, kLoosestContacts);
  choice.stepper = "moreau_jean";
  choice.options = {{"directions", "explicit"},
                    {"contact_tolerance", fmt::format("{:g}", contact_tolerance)}};
  choice.adaptive = false;
  choice.reason = "chosen because any pair of bodies may collide: one contact problem per step";
  choice.brief = "any pair of bodies may collide";
  return choice;
}

Choice smooth_motion(const System& system, const Occasion& occasion, Choice choice) {
  Stiffness stiffness = stiffness_of(occasion);
  // compliant contacts: explicit methods would be noisy at their limit of stability once they close
  const bool may_be_stiff = !stiffness.is_stiff && system.switches() > 0;
  choice.brief = fmt::format("the motion is smooth and {}",
                             may_be_stiff ? "may be stiff after a switch" : stiffness.word());
  if (may_be_stiff)
    stiffness = {
        true, fmt::format("has {}, after which it may be stiff",
                          system.switches() == 1 ? "a switch"
                                                 : fmt::format("{} switches", system.switches()))};
  choice.reason = "chosen because the motion is smooth and " + stiffness.reason;
  choice.stepper = stiffness.is_stiff ? "radau_iia" : "half_explicit";
  // turns of joints are counted from step to step, and samples between them are interpolated
  choice.control.h_max = occasion.duration / kLeastSteps;
  return choice;
}

}  // namespace

int most_corners(const System& system, const State& state) {
  const SystemSizes n = system.sizes();
  if (n.contacts == 0) return 0;
  SparseMatrix G;
  system.constraint_jacobian(state, G);
  std::vector<std::vector<int>> moved(static_cast<std::size_t>(n.contacts));  // by each contact
  G.for_each([&](int row, int col, double) {
    if (row >= n.joints()) moved[static_cast<std::size_t>(row - n.joints())].push_back(col);
  });
  std::map<std::vector<int>, int> corners;
  int most = 0;
  for (int j = 0; j < n.contacts; ++j) {
    if (system.contact_law(j).slips == 0) continue;
    std::vector<int>& columns = moved[static_cast<std::size_t>(j)];
    std::sort(columns.begin(), columns.end());
    most = std::max(most, ++corners[columns]);
  }
  return most;
}

Choice choose_method(const System& system, const Occasion& occasion) {
  Choice choice;
  choice.control.tolerance = occasion.tolerance;
  if (system.finds_contacts()) return among_collisions(choice);
  if (system.sizes().laws() > 0) return across_impacts(system, occasion, choice);
  return smooth_motion(system, occasion, choice);
}

Choice choose_method(const System& system, double tolerance) {
  return choose_method(system, Occasion{.tolerance = tolerance});
}

}  // namespace picus
