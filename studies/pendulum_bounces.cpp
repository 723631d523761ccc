// SPDX-License-Identifier: BSD-3-Clause
#include "studies/pendulum_bounces.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "picus/dynamics/consistent_state.h"
#include "studies/reference_ode.h"

namespace picus::studies {
namespace {

constexpr double kStartAngle = std::numbers::pi / 12.0, kWallAngle = std::numbers::pi / 4.0;

// The pendulum, its method and where it is.
class BouncingRun {
 public:
  BouncingRun(const Bouncer& method, double h, JacobianReuse reuse) : h_(h) {
    NonsmoothAlphaOptions options;
    options.rho = method.rho;
    options.open_contacts = method.open;
    options.r = method.r;
    options.common.newton.jacobian_reuse = reuse;
    stepper_ = method.is_pva ? make_nonsmooth_pva(options) : make_nonsmooth_pvv(options);
    to_ = pendulum_.at(kStartAngle, 0.0);
    if (const Consistency start = make_consistent(*system_, to_); !start.ok())
      throw std::runtime_error(start.message);
    from_ = to_;
    stepper_->start(*system_, to_);
  }

  StepReport step() {
    std::swap(from_, to_);
    const StepReport report = stepper_->attempt(*system_, from_, h_, to_);
    if (!report.ok()) return report;
    stepper_->accept();
    to_.time = ++steps_ * h_;
    system_->constraint_velocity(from_, rate_before_);
    system_->constraint_velocity(to_, rate_);
    return report;
  }

  bool has_impact() const { return rate_before_(2) < 0.0 && rate_(2) > 0.0; }
  const problems::BouncingPendulum& pendulum() const { return pendulum_; }
  const System& system() const { return *system_; }
  const Stepper& stepper() const { return *stepper_; }
  const State& from() const { return from_; }
  const State& to() const { return to_; }
  const Vector& rate() const { return rate_; }

 private:
  problems::BouncingPendulum pendulum_;
  std::unique_ptr<System> system_ = make_system(pendulum_, "pendulum");
  std::unique_ptr<Stepper> stepper_;
  State from_, to_;
  Vector rate_before_, rate_;
  double h_;
  int steps_ = 0;
};

void watch(const BouncingRun& run, Bounces& seen) {
  const State& to = run.to();
  const double energy = run.pendulum().energy(to), before = run.pendulum().energy(run.from());
  Vector g, g_rate_rate;
  run.system().constraint(to, g);
  run.system().constraint_acceleration(to, g_rate_rate);
  seen.impulse = *run.stepper().impulses().normal;
  seen.relative_impulse = *run.stepper().internal("relative_impulse");
  seen.multiplier = to.multiplier;
  if (run.has_impact()) seen.impacts.push_back(to.time);
  seen.position = std::max(seen.position, max_abs(Vector(g.head(2))));
  seen.velocity = std::max(seen.velocity, max_abs(Vector(run.rate().head(2))));
  if (g(2) > 1e-9) seen.closed_from = to.time + kBounceStep;
  seen.rise = std::max(seen.rise, energy - before);
  const double lowest = seen.energy.empty() ? before : seen.energy.back() - seen.above.back();
  seen.time.push_back(to.time);
  seen.gap.push_back(g(2));
  seen.gap_rate.push_back(run.rate()(2));
  seen.energy.push_back(energy);
  seen.above.push_back(energy - std::min(lowest, energy));
  seen.reaction.push_back(to.multiplier(0));
  seen.relative.push_back(seen.relative_impulse(0));
  seen.residual.push_back(std::abs(g_rate_rate(0)));
  seen.force.push_back(seen.impulse(2) / kBounceStep);
}

// θ̈ of the free pendulum with the gravity along +y.
double fall(double angle) {
  const problems::BouncingPendulum p;
  return p.m * p.g * p.L * std::cos(angle) / (p.J + p.m * p.L * p.L);
}

// Of a flight from the wall and back, for a velocity of the gap. With w = θ̇ as the variable the
// energy integral has no singularity: dt = dw/θ̈(w). Simpson's rule.
double flight_time(double gap_rate) {
  const problems::BouncingPendulum p;
  const double sine = std::sin(kWallAngle), w_end = gap_rate / (p.L * sine);
  const auto inverse = [&](double w) {
    return 1.0 / fall(std::asin(sine - (w_end * w_end - w * w) / (2.0 * fall(0.0))));
  };
  constexpr int kIntervals = 400;
  double sum = 0.0;
  for (int i = 0; i <= kIntervals; ++i) {
    const double weight = i % kIntervals == 0 ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    sum += weight * inverse(w_end * (2.0 * i / kIntervals - 1.0));
  }
  return sum * 2.0 * w_end / (3.0 * kIntervals);
}

// -g̈ of the free pendulum at the wall, g = L cos θ - L cos(π/4).
double acceleration_at_wall(double gap_rate) {
  const problems::BouncingPendulum p;
  const double rate = gap_rate / (p.L * std::sin(kWallAngle));
  return p.L * (std::sin(kWallAngle) * fall(kWallAngle) + std::cos(kWallAngle) * rate * rate);
}

// Speed at which the gap closes for the first time.
double first_gap_rate() {
  const problems::BouncingPendulum p;
  return p.L * std::sin(kWallAngle) *
         std::sqrt(2.0 * fall(0.0) * (std::sin(kWallAngle) - std::sin(kStartAngle)));
}

// All impacts at the part σ of their steps.
std::array<double, kImpacts> delays_at(double sigma) {
  const double e = problems::BouncingPendulum{}.e;
  std::array<double, kImpacts> delays{};
  double closing = first_gap_rate(), lack = 0.0, delay = 0.0;
  for (std::size_t k = 0; k < kImpacts; ++k) {
    delay += 1.0 - sigma;
    delays[k] = delay;
    lack = e * (lack + sigma * acceleration_at_wall(closing));
    closing *= e;  // speed of the rebound, and of the next impact
    constexpr double kChange = 1e-4;
    delay -=
        lack * (flight_time(closing + kChange) - flight_time(closing - kChange)) / (2.0 * kChange);
  }
  return delays;
}

}  // namespace

Bounces bounce(const Bouncer& method) {
  BouncingRun run(method, kBounceStep, JacobianReuse::kEveryIteration);
  Bounces seen;
  for (int n = 1; n <= std::lround(kBounceEnd / kBounceStep); ++n) {
    const StepReport report = run.step();
    if (!report.ok()) {
      seen.failed_at = run.from().time;
      break;
    }
    watch(run, seen);
    seen.iterations.push_back(report.newton_iterations);
  }
  return seen;
}

std::array<double, kImpacts> first_impacts(const Bouncer& method, double h) {
  BouncingRun run(method, h, JacobianReuse::kEveryStep);
  std::array<double, kImpacts> times{};
  for (double& time : times) {
    do {
      const StepReport report = run.step();
      if (!report.ok()) throw std::runtime_error(explain(run.system(), report, run.from().time, h));
    } while (!run.has_impact());
    time = run.to().time;
  }
  return times;
}

std::array<ImpactDelay, kImpacts> foreseen_delays() {
  const auto late = delays_at(0.0), mean = delays_at(0.5), early = delays_at(1.0);
  std::array<ImpactDelay, kImpacts> delays{};
  for (std::size_t k = 0; k < kImpacts; ++k)
    delays[k] = {.lowest = early[k], .mean = mean[k], .highest = late[k]};
  return delays;
}

ReferenceBounces reference_bounces(const std::vector<double>& times) {
  const problems::BouncingPendulum p;
  ReferenceBounces reference;
  double begin = 0.0, closing = first_gap_rate(), next = kReferenceImpacts[0];
  Motion launch{kStartAngle, 0.0};
  for (const double time : times) {
    while (time > next && closing > 1e-6) {
      closing *= p.e;
      begin = next;
      launch = {kWallAngle, -closing / (p.L * std::sin(kWallAngle))};
      next += flight_time(closing);
    }
    Motion now{kWallAngle, 0.0};
    if (time <= next && time > begin) {
      const auto free = [](double angle, double) { return fall(angle); };
      now = integrate(free, launch, time - begin, 1 + static_cast<int>(200.0 * (time - begin)));
    }
    reference.gap.push_back(p.L * (std::cos(now.angle) - std::cos(kWallAngle)));
    reference.gap_rate.push_back(-p.L * std::sin(now.angle) * now.rate);
  }
  return reference;
}

}  // namespace picus::studies
