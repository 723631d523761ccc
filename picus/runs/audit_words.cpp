// SPDX-License-Identifier: BSD-3-Clause
// What the audit says.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "picus/runs/audit.h"

namespace picus {
namespace {

// Beyond this part of its bound what is never right is worth a warning.
constexpr double kWorthAWarning = 0.1;

struct Words {
  const char* name;   ///< of the check, in results
  bool never_right;   ///< beyond the bound a run is wrong, whoever asks
  const char* wrong;  ///< {0} the part, {1} the size, {2} its unit
  /// Of lengths and forces, of angles and torques; the same of impulses.
  std::array<std::string_view, 2> units, impulse_units = units;
  double warned = kWorthAWarning;  ///< the part of the bound from which on that is worth a warning
};

constexpr std::array<std::string_view, 2> kLength{"m", "rad"}, kSpeed{"m/s", "rad/s"},
    kForce{"N", "N m"}, kImpulse{"N s", "N m s"}, kPower{"W", "W"}, kEnergy{"J", "J"},
    kTime{"s", "s"};

constexpr std::array<Words, kAuditChecks> kWords{{
    {"joint_position", true, "{0} is open by {1:.3g} {2}", kLength},
    {"joint_velocity", false, "{0} is opening at {1:.3g} {2}", kSpeed},
    {"rolling", false, "{0} slips at {1:.3g} {2} where it should roll", kSpeed},
    {"penetration", true, "{0} penetrates by {1:.3g} {2}", kLength},
    {"pull", true, "{0} pulls with {1:.3g} {2}", kForce, kImpulse},
    {"contact_friction", true, "friction {0} is {1:.3g} {2} off its limit", kForce, kImpulse},
    {"friction", true, "friction {0} is {1:.3g} {2} off its limit", kForce, kImpulse},
    {"contact_slip", true, "friction {0} dissipates {1:.3g} {2} too little", kPower, kEnergy, 1.0},
    {"slip", true, "friction {0} dissipates {1:.3g} {2} too little", kPower, kEnergy, 1.0},
    {"restitution", false, "{0} leaves an impact {1:.3g} {2} too fast, or still approaches",
     kSpeed},
    {"energy", false, "the energy balance is off by {1:.3g} {2}", kEnergy},
    {"energy_in_play", true,
     "the energy grows by {1:.3g} {2} without a cause, more than all energy in play", kEnergy,
     kEnergy, 1.0},
    {"clock", true, "clock and motion differ by {1:.3g} {2}", kTime},
}};

const Words& words_of(std::size_t check) {
  return kWords[check];
}

AuditVerdict verdict_of(std::size_t check, double ratio) {
  if (words_of(check).never_right)
    return ratio > 1.0                      ? AuditVerdict::kRed
           : ratio > words_of(check).warned ? AuditVerdict::kAmber
                                            : AuditVerdict::kGreen;
  return ratio > 1.0 ? AuditVerdict::kAmber : AuditVerdict::kGreen;
}

std::string sentence(std::size_t check, const AuditFinding& finding) {
  return fmt::format(
      "t = {:.9g} s: {} ({:.3g} times the bound)", finding.time,
      fmt::format(fmt::runtime(words_of(check).wrong), finding.part, finding.size, finding.unit),
      finding.ratio);
}

}  // namespace

std::string_view name_of(AuditVerdict verdict) {
  constexpr std::array<std::string_view, 3> names{"green", "amber", "red"};
  return names[static_cast<std::size_t>(verdict)];
}

std::string_view Audit::unit_of(AuditCheck check, bool is_angular, bool is_impulse) {
  const Words& words = words_of(static_cast<std::size_t>(check));
  return (is_impulse ? words.impulse_units : words.units)[is_angular ? 1 : 0];
}

AuditVerdict Audit::verdict() const {
  AuditVerdict worst = AuditVerdict::kGreen;
  for (std::size_t i = 0; i < kAuditChecks; ++i)
    worst = std::max(worst, verdict_of(i, findings_[i].ratio));
  return worst;
}

std::size_t Audit::worst() const {
  std::size_t worst = kAuditChecks;
  const auto rank = [&](std::size_t i) {
    return std::pair(verdict_of(i, findings_[i].ratio), findings_[i].ratio);
  };
  for (std::size_t i = 0; i < kAuditChecks; ++i)
    if (findings_[i].ratio > 0.0 && (worst == kAuditChecks || rank(i) > rank(worst))) worst = i;
  return worst;
}

AuditReport Audit::report() const {
  return {verdict(), text(), warnings(), failure(), advice(), json()};
}

std::string Audit::failure() const {
  if (verdict() != AuditVerdict::kRed) return {};
  return sentence(worst(), findings_[worst()]);
}

std::string Audit::advice() const {
  if (verdict() != AuditVerdict::kRed) return {};
  const bool adaptive = options_.tolerance > 0.0;
  const std::string finer =
      adaptive ? fmt::format("--tolerance {:g}", 0.1 * options_.tolerance) : "half the step";
  const std::string anyway = "; --audit warn reports without stopping the run";
  switch (static_cast<AuditCheck>(worst())) {
    case AuditCheck::kJointPosition:
      if (traits_.position_drift && traits_.handles_impacts)
        return "this method lets joints drift; use nonsmooth_pva, or the option positions = "
               "projected; or " +
               finer + anyway;
      if (traits_.position_drift)
        return "this method lets joints drift; use auto, ggl or radau_iia; or " + finer + anyway;
      return finer + ", or another method" + anyway;
    case AuditCheck::kPenetration:
      return finer + ", or a method that enforces positions (nonsmooth_pva, event_driven)" + anyway;
    default:
      return finer + ", or another method (nonsmooth_pva and moreau_jean step across events)" +
             anyway;
  }
}

std::vector<std::string> Audit::warnings() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < kAuditChecks; ++i)
    if (verdict_of(i, findings_[i].ratio) != AuditVerdict::kGreen)
      all.push_back(sentence(i, findings_[i]));
  return all;
}

std::string Audit::text() const {
  if (options_.mode == AuditMode::kOff) return "audit: off";
  if (verdict() == AuditVerdict::kGreen) return "audit: green";
  return fmt::format("audit: {}, {}", name_of(verdict()), sentence(worst(), findings_[worst()]));
}

std::string Audit::json() const {
  nlohmann::ordered_json json;
  if (options_.mode == AuditMode::kOff) return json.dump();
  json["verdict"] = name_of(verdict());
  json["text"] = text();
  json["checks"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < kAuditChecks; ++i) {
    const AuditFinding& finding = findings_[i];
    if (finding.ratio <= 0.0) continue;
    nlohmann::ordered_json check;
    check["check"] = words_of(i).name;
    check["verdict"] = name_of(verdict_of(i, finding.ratio));
    check["part"] = finding.part;
    check["time"] = finding.time;
    check["size"] = finding.size;
    check["unit"] = finding.unit;
    check["bound"] = finding.bound;
    check["ratio"] = finding.ratio;
    if (i == worst()) json["worst"] = check;
    json["checks"].push_back(std::move(check));
  }
  return json.dump();
}

}  // namespace picus
