// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What contacts do during a run: impulses, modes, impacts.

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "picus/mechanism/mechanism.h"
#include "picus/results/impact.h"
#include "picus/runs/contact_impulse.h"
#include "picus/runs/impact_gains.h"
#include "picus/runs/phase_contacts.h"
#include "picus/simulation/simulate.h"
#include "picus/solvers/contact_problem.h"

namespace picus {

/// What a compliant contact does at a state, but for its impulse. Friction sticks below its
/// slip_speed.
ContactStatus compliant_status(const Bodies& bodies, const AssembledContact& contact,
                               const State& state);

/// Follows the contacts of a mechanism step by step.
///
/// The log of impacts has
///
///  - of methods that stop at events, every contact that takes part in an impact;
///  - of others, contacts that close after a flight, and steps in which a contact gets many times
///    what the steps before and the one after give: an impact that reaches it through other bodies,
///    or one without collision (Painlevé). These are reported one step late.
///
/// Compliant contacts have no impacts.
class ContactWatch {
 public:
  /// Below this part of its largest impulse a contact is open.
  static constexpr double kNone = 1e-9;
  /// A contact that approaches more slowly than this part of the largest gap velocity so far, or
  /// than kStill, is at rest: it has what rounding and the solver of impulses left when it came to
  /// rest.
  static constexpr double kAtRest = 1e-9;
  static constexpr double kStill = 1e-12;  ///< [m/s]
  static constexpr double kSteady = 1e-9;  ///< [m/s²] of a slip that does not begin
  /// A contact that was open for fewer steps has not been seen to fly: methods let contacts with
  /// restitution on curved surfaces hop by the order of a step.
  static constexpr int kFlight = 3;
  /// Times the force before and after makes an impact. The hops give a step the impulse of kFlight.
  static constexpr double kBlow = 10.0;
  /// Contacts with less than this part of the largest impulse take no part in an impact: what their
  /// forces do while it lasts.
  static constexpr double kShare = 1e-6;

  explicit ContactWatch(const Mechanism& mechanism);

  /// A sample was taken: means start over with the next step.
  void begin_interval() { is_sampled_ = true; }
  /// Call it for every moment of a run; `report_impact` receives impacts.
  void observe(const Moment& moment, const std::function<void(const Impact&)>& report_impact);

  /// One per contact of the mechanism.
  std::span<const ContactStatus> status() const { return status_; }
  const ImpactGains& gains() const { return gains_; }
  /// The same within the step seen last; `state` is its dense output at that fraction.
  std::span<const ContactStatus> status_at(const Moment& moment, double fraction,
                                           const State& state);

 private:
  using ReportImpact = std::function<void(const Impact&)>;

  /// Of one contact, besides its status.
  struct Past {
    double largest = 0.0;  ///< impulse of a step so far, relative to which one counts as none
    long open_steps = kFlight;
    std::array<double, kFlight> impulses = {}, durations = {};  ///< of the last steps
    std::size_t oldest = 0;
    std::optional<Impact> blow = {};  ///< of the last step, if the next one agrees
    double blow_duration = 0.0;

    double force() const;
    void add(double impulse, double duration);
  };

  void observe_rates(const Moment& moment);
  void observe_first(const Moment& moment);
  /// The work of impulses in an impact.
  void add_work(const Moment& moment, const std::optional<ImpulsesAtContacts>& impact);
  void observe_rigid(std::size_t index, const Moment& moment, const ReportImpact& report_impact);
  void observe_compliant(const Moment& moment);
  void add_to_interval(std::size_t index, ContactMode mode, const ContactImpulse& impulse);
  ContactMode mode_of(std::size_t index, const ContactImpulse& impulse,
                      std::span<const LawMode> modes) const;
  ContactMode first_mode(const AssembledContact& contact, const ContactImpulse& reaction) const;
  /// Whether it did before the step, or before the impact in it.
  bool approaches(std::size_t index) const;
  Impact impact_of(const AssembledContact& contact, const ContactImpulse& impulse,
                   double time) const;
  void log_impact(const Moment& moment, const ImpulsesAtContacts& impulses,
                  const ReportImpact& report_impact) const;
  void look_for_impact(std::size_t index, bool pushes, const ContactImpulse& impulse,
                       const Moment& moment, const ReportImpact& report_impact);

  const Mechanism& mechanism_;
  std::vector<ContactStatus> status_;
  std::vector<Past> past_;
  std::vector<ContactImpulse> since_sample_;
  double interval_ = 0.0;  ///< time of the steps since the last sample [s]
  bool is_sampled_ = false;
  State between_;
  State before_impact_;
  ContactRates rates_;
  Vector slip_rate_;      ///< at the start
  double fastest_ = 0.0;  ///< gap velocity so far, relative to which a contact rests
  ImpactGains gains_;
  PhaseContacts phase_;  ///< of methods that stop at events
};

}  // namespace picus
