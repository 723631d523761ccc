// SPDX-License-Identifier: BSD-3-Clause
// Friction in the nonsmooth generalized-α methods, which bruls-acary-cardona §7 leaves open,
// against closed forms and Moreau–Jean: a block that slides, sticks and slides again under a
// growing push, and a particle whose direction of slip turns. The velocity is continuous at the
// transitions, so that second order survives them; friction whose direction turns is a smooth force
// for PVA alone.
#include <cmath>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/friction_methods.h"
#include "studies/observed_order.h"
#include "studies/problems/friction.h"
#include "studies/runs.h"

namespace picus::studies {
namespace {

constexpr double kBlockEnd = 2.0, kParticleEnd = 0.6, kShownStep = 1e-2;

struct BlockRun {
  std::vector<double> time, velocity, friction, smooth;
  double position_error = 0.0, velocity_error = 0.0, creep = 0.0, force_error = 0.0;
};

BlockRun slide_block(const FrictionMethod& method, double h) {
  const problems::PushedBlock block;
  const auto system = make_system(block, "block");
  const auto stepper = make_stepper(method.stepper);
  FixedStep steps(h);
  BlockRun seen;
  run(*system, block.start(), *stepper, steps, kBlockEnd, [&](const Moment& moment) {
    if (moment.h == 0.0) return true;
    const State& s = moment.state;
    const auto exact = block.at(s.time);
    const double friction = (*stepper->impulses().tangential)(0) / h;
    seen.position_error = std::max(seen.position_error, std::abs(s.position(0) - exact.position));
    seen.velocity_error = std::max(seen.velocity_error, std::abs(s.velocity(0) - exact.velocity));
    const double from = s.time - h;
    const bool sliding = s.time < block.stop() || from > block.slip_again();
    const bool sticking = from > block.stop() && s.time < block.slip_again();
    if (sticking) seen.creep = std::max(seen.creep, std::abs(s.velocity(0)));
    if ((sliding || sticking) && from > 3.0 * h) {
      const double mean = 0.5 * (block.at(from).friction + exact.friction);
      seen.force_error = std::max(seen.force_error, std::abs(friction - mean));
    }
    seen.time.push_back(s.time);
    seen.velocity.push_back(s.velocity(0));
    seen.friction.push_back(friction);
    seen.smooth.push_back(s.nonholonomic_multiplier(0));
    return true;
  });
  return seen;
}

double turn_particle(const FrictionMethod& method, double h) {
  const problems::SlidingParticle particle;
  const auto system = make_system(particle, "particle");
  const auto stepper = make_stepper(method.stepper);
  FixedStep steps(h);
  double worst = 0.0;
  run(*system, particle.start(), *stepper, steps, kParticleEnd, [&](const Moment& moment) {
    const Vector& v = moment.state.velocity;
    const auto [across, down] = particle.velocity(moment.state.time);
    worst = std::max(worst, std::hypot(v(0) - across, v(1) - down));
    return true;
  });
  return worst;
}

Panel block_panel(const char* title, const char* label, std::vector<double> BlockRun::*member,
                  const std::vector<BlockRun>& runs, double problems::PushedBlock::Motion::*exact) {
  Panel panel{.title = title, .x = {.label = "t [s]"}, .y = {.label = label}};
  Curve reference{.name = "closed form", .colour = Colour::kPurple, .line = Line::kDashed};
  const problems::PushedBlock block;
  constexpr int kPoints = 800;
  for (int i = 0; i <= kPoints; ++i) {
    reference.x.push_back(kBlockEnd * i / kPoints);
    reference.y.push_back(block.at(reference.x.back()).*exact);
  }
  for (std::size_t i = 0; i < runs.size(); ++i)
    panel.curves.push_back({.name = kFrictionMethods[i].name,
                            .x = runs[i].time,
                            .y = runs[i].*member,
                            .colour = kFrictionMethods[i].colour});
  panel.curves.push_back(std::move(reference));
  return panel;
}

}  // namespace

void friction_block(Report& report) {
  const std::vector<double> steps = halved(kShownStep, 5), turns = halved(2e-2, 5);
  std::vector<std::vector<double>> positions, velocities, particle;
  std::vector<BlockRun> shown;
  for (const FrictionMethod& method : kFrictionMethods) {
    const bool is_pva = method.stepper == std::string_view("nonsmooth_pva");
    std::vector<double> position, velocity, turned;
    for (const double h : steps) {
      BlockRun seen = slide_block(method, h);
      position.push_back(seen.position_error);
      velocity.push_back(seen.velocity_error);
      if (h == kShownStep) shown.push_back(std::move(seen));
    }
    for (const double h : turns)
      turned.push_back(turn_particle(method, h));
    const std::string who = method.name;
    const BlockRun& coarse = shown.back();
    report.claim(who + ": order of the block's position, transitions included",
                 within(observed_order(steps, position), 2.0, 0.25));
    report.claim(who + ": error of the position [m], h = 10 ms", below(position.front(), 1e-4));
    report.claim(who + ": error of the velocity [m/s], h = 10 ms", below(velocity.front(), 1e-4));
    report.claim(who + ": speed while it sticks [m/s]", below(coarse.creep, 1e-8));
    report.claim(who + ": whole friction impulse over h [N]; the limit is 6",
                 below(coarse.force_error, 1e-6));
    report.claim(who + ": order of the velocity while the direction of slip turns",
                 within(observed_order(turns, turned), is_pva ? 2.0 : 1.0, 0.1));
    positions.push_back(position);
    velocities.push_back(velocity);
    particle.push_back(turned);
  }
  report.claim("PVA: friction on the smooth motion at the end, ψ [N]",
               within(shown[0].smooth.back(), -6.0, 1e-9));
  report.claim("PVV: friction on the smooth motion at the end, ψ [N]",
               within(shown[1].smooth.back(), 0.0, 1e-12));

  Table errors{{"h", "PVA", "PVV", "Moreau–Jean"}, error_rows(steps, positions)};
  Table turning{errors.columns, error_rows(turns, particle)};
  Table motion{{"t"}, {}};
  for (const FrictionMethod& method : kFrictionMethods)
    for (const char* what : {"velocity", "friction"})
      motion.columns.push_back(fmt::format("{} {}", what, method.name));
  for (std::size_t k = 0; k < shown[0].time.size(); ++k) {
    motion.rows.push_back({shown[0].time[k]});
    for (const BlockRun& seen : shown) {
      motion.rows.back().push_back(seen.velocity[k]);
      motion.rows.back().push_back(seen.friction[k]);
    }
  }
  report.curves("block", std::move(motion));
  report.curves("block-errors", std::move(errors));
  report.curves("particle-errors", std::move(turning));
  using Motion = problems::PushedBlock::Motion;
  Figure figure{.title = "Friction: stick and slip, and a direction that turns",
                .columns = 2,
                .panel_height = 220.0};
  figure.panels.push_back(block_panel("velocity of the block, h = 10 ms", "v [m/s]",
                                      &BlockRun::velocity, shown, &Motion::velocity));
  figure.panels.push_back(block_panel("friction on the block, h = 10 ms", "Ψ*/h [N]",
                                      &BlockRun::friction, shown, &Motion::friction));
  figure.panels.push_back(
      error_panel("position of the block", "largest error [m]", steps, positions, {2.0}));
  figure.panels.push_back(error_panel("velocity of a particle that turns downhill",
                                      "largest error [m/s]", turns, particle, {2.0, 1.0}));
  report.figure("friction-block", std::move(figure));
}

}  // namespace picus::studies
