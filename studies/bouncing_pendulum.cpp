// SPDX-License-Identifier: BSD-3-Clause
// bruls-acary-cardona §6.1, Fig. 5 to 8: a rigid pendulum falls against a wall and bounces until it
// rests. PVA as printed, PVA with complementary open contacts (our default) and PVV, ρ = 0.9 and 1.
//
// The reference is event-driven: quadrature of the energy integral between impacts, at which the
// velocity of the gap is multiplied by -e. Restitution (0.8) and the direction of gravity (+y) are
// not stated in the paper; they are what its figures show.
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "picus/dynamics/consistent_state.h"
#include "picus/steppers/nonsmooth_methods.h"
#include "studies/catalog.h"
#include "studies/problems/impacts.h"

namespace picus::studies {
namespace {

constexpr double kBounceStep = 1e-3, kBounceEnd = 4.0;
constexpr std::array kReferenceImpacts{0.3511865254015655, 0.9447410575195277, 1.443416848405957,
                                       1.858297629619569,  2.200048810225190,  2.479191216271920};
constexpr double kReferenceRest = 3.630238296418;  // where impacts accumulate

struct Bouncer {
  const char* name;
  bool is_pva;
  OpenContacts open;
  double rho;
  Colour colour;
};
constexpr Bouncer kBouncers[] = {
    {"PVA, ρ = 0.9", true, OpenContacts::kComplementary, 0.9, Colour::kBlue},
    {"PVV, ρ = 0.9", false, OpenContacts::kComplementary, 0.9, Colour::kVermilion},
    {"PVA, ρ = 1", true, OpenContacts::kComplementary, 1.0, Colour::kBlue},
    {"PVV, ρ = 1", false, OpenContacts::kComplementary, 1.0, Colour::kVermilion},
    {"PVA as printed, ρ = 0.9", true, OpenContacts::kPaper, 0.9, Colour::kGreen},
};

struct Bounces {
  std::vector<double> time, gap, gap_rate, energy, reaction, force;
  std::vector<double> impacts;  ///< ends of the steps that contain them
  double closed_from = 0.0, rise = 0.0, position = 0.0, velocity = 0.0;
  std::optional<double> failed_at = {};
  Vector impulse, multiplier;  ///< at the end
};

void watch(const System& system, const problems::BouncingPendulum& p, const State& from,
           const State& to, Bounces& seen) {
  Vector before, rate, g;
  system.constraint_velocity(from, before);
  system.constraint_velocity(to, rate);
  system.constraint(to, g);
  if (before(2) < -0.3 && rate(2) > 0.2) seen.impacts.push_back(to.time);
  seen.position = std::max(seen.position, max_abs(Vector(g.head(2))));
  seen.velocity = std::max(seen.velocity, max_abs(Vector(rate.head(2))));
  if (g(2) > 1e-9) seen.closed_from = to.time + kBounceStep;
  seen.rise = std::max(seen.rise, p.energy(to) - p.energy(from));
  seen.time.push_back(to.time);
  seen.gap.push_back(g(2));
  seen.gap_rate.push_back(rate(2));
  seen.energy.push_back(p.energy(to));
}

Bounces bounce(const Bouncer& method) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p, "pendulum");
  NonsmoothAlphaOptions options;
  options.rho = method.rho;
  options.open_contacts = method.open;
  const auto stepper = method.is_pva ? make_nonsmooth_pva(options) : make_nonsmooth_pvv(options);
  State state = p.at(std::numbers::pi / 12.0, 0.0);
  if (const Consistency start = make_consistent(*system, state); !start.ok())
    throw std::runtime_error(start.message);
  stepper->start(*system, state);
  State to = state;
  Bounces seen;
  for (int n = 1; n <= std::lround(kBounceEnd / kBounceStep); ++n) {
    if (!stepper->attempt(*system, state, kBounceStep, to).ok()) {
      seen.failed_at = state.time;
      break;
    }
    stepper->accept();
    to.time = n * kBounceStep;
    watch(*system, p, state, to, seen);
    seen.impulse = *stepper->internal("impulse");
    seen.reaction.push_back(to.multiplier(0));
    seen.force.push_back(seen.impulse(2) / kBounceStep);
    std::swap(state, to);
  }
  seen.multiplier = state.multiplier;
  return seen;
}

// How often λ̃ of the joint changes its direction in the last 100 steps.
double turns(const std::vector<double>& values) {
  double count = 0.0;
  for (std::size_t i = values.size() - 99; i + 1 < values.size(); ++i)
    count += (values[i] - values[i - 1]) * (values[i + 1] - values[i]) < -1e-6 ? 1.0 : 0.0;
  return count;
}

void claim_bounces(Report& report, const std::string& who, const Bounces& seen, bool is_pva) {
  double latest = 0.0;
  for (std::size_t i = 0; i < kReferenceImpacts.size(); ++i)
    latest = std::max(latest, std::abs(seen.impacts.at(i) - kReferenceImpacts[i]) / kBounceStep);
  report.claim(who + ": first six impacts against the reference, in steps", below(latest, 2.5));
  report.claim(who + ": closed from [s]; impacts accumulate at 3.630",
               within(seen.closed_from, kReferenceRest, 0.1));
  report.claim(who + ": joints at position level", below(seen.position, 1e-10));
  report.claim(who + ": joints at velocity level", below(seen.velocity, 1e-10));
  report.claim(who + ": largest rise of the energy in a step [J]", below(seen.rise, 1e-4));
  report.claim(who + ": whole reaction at rest, Λ*₁/h [N]",
               within(seen.impulse(0) / kBounceStep, -10.0, 1e-6));
  report.claim(who + ": contact force at rest, Λ*₃/h [N]",
               within(seen.impulse(2) / kBounceStep, 10.0, 1e-6));
  if (is_pva)
    report.claim(who + ": oscillations of λ̃₁ in the last 100 steps",
                 below(turns(seen.reaction), 1));
}

Figure bounce_figure(const std::vector<Bounces>& runs) {
  Figure figure{.title = "Bouncing pendulum, h = 1 ms", .columns = 2, .panel_height = 220.0};
  const auto add = [&](const char* title, const char* label, auto member, Range range,
                       std::initializer_list<std::size_t> which) {
    Panel panel{.title = title, .x = {.label = "t [s]", .range = range}, .y = {.label = label}};
    for (const std::size_t i : which) {
      const Bounces& run = runs[i];
      Curve curve{.name = kBouncers[i].name, .colour = kBouncers[i].colour};
      for (std::size_t k = 0; k < run.time.size(); ++k) {
        if (run.time[k] < range.low || run.time[k] > range.high) continue;
        curve.x.push_back(run.time[k]);
        curve.y.push_back((run.*member)[k]);
      }
      panel.curves.push_back(std::move(curve));
    }
    figure.panels.push_back(std::move(panel));
  };
  const Range all{0.0, kBounceEnd}, end{3.9, kBounceEnd}, first{0.3, 0.5};
  add("gap", "g₃ [m]", &Bounces::gap, all, {0, 1});
  add("velocity of the gap", "ġ₃ [m/s]", &Bounces::gap_rate, all, {0, 1});
  add("energy about the first impact", "E [J]", &Bounces::energy, first, {0, 4});
  add("smooth reaction at rest, ρ = 1", "λ̃₁ [N]", &Bounces::reaction, end, {2, 3});
  return figure;
}

}  // namespace

void bouncing_pendulum(Report& report) {
  std::vector<Bounces> runs;
  for (const Bouncer& method : kBouncers) {
    runs.push_back(bounce(method));
    const Bounces& seen = runs.back();
    if (method.open == OpenContacts::kComplementary) {
      report.claim(fmt::format("{}: steps that failed", method.name),
                   below(seen.failed_at ? 1.0 : 0.0, 1.0));
      if (!seen.failed_at) claim_bounces(report, method.name, seen, method.is_pva);
      continue;
    }
    report.claim(fmt::format("{}: energy rises after impacts [J]", method.name),
                 near(seen.rise, 1.44e-2, 0.02));
    report.claim(fmt::format("{}: a step without a solution, at [s]", method.name),
                 within(seen.failed_at.value_or(NAN), 3.64, 0.02));
  }
  // PVV leaves the contact out of the smooth motion, and at ρ = 1 nothing damps what impacts start
  report.claim("PVV, ρ = 0.9: λ̃₃ at rest [N]", within(runs[1].multiplier(2), 0.0, 1e-12));
  report.claim("PVA, ρ = 0.9: λ̃₃ at rest [N]", within(runs[0].multiplier(2), 10.0, 1e-6));
  report.claim("PVV, ρ = 1: oscillations of λ̃₁ in the last 100 steps",
               at_least(turns(runs[3].reaction), 90));
  Table table{{"t"}, {}};
  for (const std::size_t i : {0u, 1u}) {
    for (const char* what : {"gap", "gap rate", "energy", "contact force"})
      table.columns.push_back(fmt::format("{} {}", what, kBouncers[i].name));
  }
  for (std::size_t k = 0; k < runs[0].time.size(); ++k) {
    std::vector<double> row{runs[0].time[k]};
    for (const std::size_t i : {0u, 1u})
      for (const double value :
           {runs[i].gap[k], runs[i].gap_rate[k], runs[i].energy[k], runs[i].force[k]})
        row.push_back(value);
    table.rows.push_back(std::move(row));
  }
  report.curves("bounces", std::move(table));
  report.figure("bounces", bounce_figure(runs));
}

}  // namespace picus::studies
