// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/mode_log.h"

namespace picus {
namespace {

const char* word_of(ContactMode mode) {
  switch (mode) {
    case ContactMode::kOpen:
      return "opens";
    case ContactMode::kStick:
      return "stick";
    case ContactMode::kSlip:
      return "slip";
    case ContactMode::kClosed:
      return "closes";
  }
  return "";
}

}  // namespace

ModeLog::ModeLog(const Mechanism& mechanism) {
  for (const AssembledContact& contact : mechanism.contacts())
    if (!contact.law) contacts_.push_back(contact.name);
  for (const AssembledFriction& friction : mechanism.frictions())
    if (!friction.is_smooth()) elements_.push_back(friction.name);
}

void ModeLog::observe(const Moment& moment, const std::function<void(const Event&)>& report_event) {
  if (!moment.stepper.traits().stops_at_events) return;
  // after a jump the run has restarted
  if (!moment.is_first())
    compare(moment.state.time - moment.h, moment.stepper.law_modes(), report_event);
  const std::span<const LawMode> next = moment.stepper.next_modes();
  if (!moment.is_first()) compare(moment.state.time, next, report_event);
  last_.assign(next.begin(), next.end());
}

void ModeLog::compare(double time, std::span<const LawMode> modes,
                      const std::function<void(const Event&)>& report_event) {
  for (std::size_t law = 0; law < modes.size() && law < last_.size(); ++law)
    if (modes[law] != last_[law]) report_event({time, word_of(modes[law].mode), name_of(law)});
  last_.assign(modes.begin(), modes.end());
}

const std::string& ModeLog::name_of(std::size_t law) const {
  return law < contacts_.size() ? contacts_[law] : elements_[law - contacts_.size()];
}

}  // namespace picus
