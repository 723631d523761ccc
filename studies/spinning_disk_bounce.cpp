// SPDX-License-Identifier: BSD-3-Clause
// A disk with spin is dropped on rough ground: the laws of Newton and Coulomb at every impact and
// free flight between them give its motion in closed form. It slips at its first impacts and sticks
// at the later ones. Methods that do not locate impacts are of first order on it.
#include <cmath>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/friction_methods.h"
#include "studies/observed_order.h"
#include "studies/problems/impacts.h"
#include "studies/runs.h"

namespace picus::studies {
namespace {

constexpr double kDiskEnd = 1.8, kDiskStep = 5e-4, kDrawnStep = 4e-3, kHeight = 0.5, kSpeed = 1.0,
                 kSpin = 60.0;

struct DiskRun {
  std::vector<double> time, x, y, spin, slip;
  std::vector<Vector> after;                      ///< velocities after impacts
  double position_error = 0.0, spin_error = 0.0;  ///< means over time
  double penetration = 0.0;
};

State disk_start(const problems::SpinningDisk& disk) {
  return disk.at(kHeight, kSpeed, kSpin);
}

DiskRun bounce_disk(const FrictionMethod& method, double h) {
  const problems::SpinningDisk disk;
  const auto system = make_system(disk, "disk");
  const auto stepper = make_stepper(method.stepper);
  FixedStep steps(h);
  DiskRun seen;
  State last = disk_start(disk);
  run(*system, disk_start(disk), *stepper, steps, kDiskEnd, [&](const Moment& moment) {
    const State& s = moment.state;
    const State exact = disk.after(disk_start(disk), s.time);
    seen.position_error += h / kDiskEnd * (s.position - exact.position).head(2).norm();
    seen.spin_error += h / kDiskEnd * std::abs(s.velocity(2) - exact.velocity(2));
    seen.penetration = std::max(seen.penetration, disk.r - s.position(1));
    if (last.velocity(1) < 0.0 && s.velocity(1) > 0.0) seen.after.push_back(s.velocity);
    seen.time.push_back(s.time);
    seen.x.push_back(s.position(0));
    seen.y.push_back(s.position(1));
    seen.spin.push_back(s.velocity(2));
    seen.slip.push_back(s.velocity(0) + disk.r * s.velocity(2));
    last = s;
    return true;
  });
  return seen;
}

// The error depends on where in its step an impact falls: the mean of runs whose steps are nearly
// the same, up to h.
struct DiskErrors {
  double position = 0.0, spin = 0.0;
};

DiskErrors mean_errors(const FrictionMethod& method, double h) {
  constexpr int kRuns = 16;
  constexpr double kSpread = 0.1;
  DiskErrors errors;
  for (int i = 0; i < kRuns; ++i) {
    const DiskRun seen = bounce_disk(method, h * (1.0 - kSpread * i / kRuns));
    errors.position += seen.position_error / kRuns;
    errors.spin += seen.spin_error / kRuns;
  }
  return errors;
}

// The velocities after the first impacts, in closed form.
std::vector<Vector> exact_bounces(int count) {
  const problems::SpinningDisk disk;
  Vector v = disk_start(disk).velocity;
  v(1) = -std::sqrt(2.0 * disk.g * kHeight);
  std::vector<Vector> after;
  for (int i = 0; i < count; ++i) {
    after.push_back(disk.after_impact(v));
    v = after.back();
    v(1) = -v(1);
  }
  return after;
}

DiskRun exact_run() {
  const problems::SpinningDisk disk;
  DiskRun exact;
  constexpr int kPoints = 1800;
  for (int i = 0; i <= kPoints; ++i) {
    const State s = disk.after(disk_start(disk), kDiskEnd * i / kPoints);
    exact.time.push_back(s.time);
    exact.x.push_back(s.position(0));
    exact.y.push_back(s.position(1));
    exact.spin.push_back(s.velocity(2));
    exact.slip.push_back(s.velocity(0) + disk.r * s.velocity(2));
  }
  return exact;
}

using Values = std::vector<double> DiskRun::*;

Panel disk_panel(const char* title, const char* x_label, Values x, const char* y_label, Values y,
                 const std::vector<DiskRun>& runs) {
  Panel panel{.title = title, .x = {.label = x_label}, .y = {.label = y_label}};
  for (std::size_t i = 0; i < runs.size(); ++i)
    panel.curves.push_back({.name = kFrictionMethods[i].name,
                            .x = runs[i].*x,
                            .y = runs[i].*y,
                            .colour = kFrictionMethods[i].colour});
  const DiskRun exact = exact_run();
  panel.curves.push_back({.name = "closed form",
                          .x = exact.*x,
                          .y = exact.*y,
                          .colour = Colour::kPurple,
                          .line = Line::kDashed});
  return panel;
}

void claim_disk_bounces(Report& report, const std::string& who, const DiskRun& seen) {
  constexpr int kCompared = 4;
  const std::vector<Vector> exact = exact_bounces(kCompared);
  Vector worst = Vector::Zero(3);
  for (std::size_t i = 0; i < kCompared; ++i)
    worst = worst.cwiseMax((seen.after.at(i) - exact[i]).cwiseAbs());
  report.claim(who + ": v_x after four impacts [m/s], largest error", below(worst(0), 0.01));
  report.claim(who + ": v_y after four impacts [m/s], largest error", below(worst(1), 0.02));
  report.claim(who + ": spin after four impacts [rad/s], largest error", below(worst(2), 0.2));
}

}  // namespace

void spinning_disk_bounce(Report& report) {
  const problems::SpinningDisk disk;
  const std::vector<Vector> exact = exact_bounces(6);
  int slipping = 0;
  for (const Vector& v : exact)
    slipping += std::abs(v(0) + disk.r * v(2)) > 1e-12 ? 1 : 0;
  report.claim("closed form: impacts at which the disk slips, of six", within(slipping, 2, 0));

  const std::vector<double> steps = halved(4e-3, 5);
  std::vector<std::vector<double>> positions, spins;
  std::vector<DiskRun> shown, drawn;
  for (const FrictionMethod& method : kFrictionMethods) {
    std::vector<double> position, spin;
    for (const double h : steps) {
      const DiskErrors errors = mean_errors(method, h);
      position.push_back(errors.position);
      spin.push_back(errors.spin);
    }
    shown.push_back(bounce_disk(method, kDiskStep));
    drawn.push_back(bounce_disk(method, kDrawnStep));
    const std::string who = method.name;
    claim_disk_bounces(report, who, shown.back());
    report.claim(who + ": slip at the end, sticking impacts behind it [m/s]",
                 below(std::abs(shown.back().slip.back()), 1e-8));
    report.claim(who + ": order of the position, mean over time",
                 within(observed_order(steps, position), 1.0, 0.15));
    report.claim(who + ": order of the spin, mean over time",
                 within(observed_order(steps, spin), 1.0, 0.15));
    if (method.stepper != std::string_view("moreau_jean"))
      report.claim(who + ": deepest penetration [m]", below(shown.back().penetration, 1e-10));
    positions.push_back(position);
    spins.push_back(spin);
  }
  Table errors{{"h", "PVA", "PVV", "Moreau–Jean"}, error_rows(steps, positions)};
  Table spin_errors{errors.columns, error_rows(steps, spins)};
  Table motion{{"t"}, {}};
  for (const FrictionMethod& method : kFrictionMethods)
    for (const char* what : {"x", "y", "spin"})
      motion.columns.push_back(fmt::format("{} {}", what, method.name));
  for (std::size_t k = 0; k < shown[0].time.size(); ++k) {
    motion.rows.push_back({shown[0].time[k]});
    for (const DiskRun& seen : shown)
      for (const double value : {seen.x[k], seen.y[k], seen.spin[k]})
        motion.rows.back().push_back(value);
  }
  report.curves("bounces", std::move(motion));
  report.curves("position-errors", std::move(errors));
  report.curves("spin-errors", std::move(spin_errors));
  Figure figure{
      .title = "A disk with spin on rough ground, h = 4 ms", .columns = 2, .panel_height = 220.0};
  figure.panels.push_back(
      disk_panel("path of the centre", "x [m]", &DiskRun::x, "y [m]", &DiskRun::y, drawn));
  figure.panels.push_back(
      disk_panel("spin", "t [s]", &DiskRun::time, "ω [rad/s]", &DiskRun::spin, drawn));
  figure.panels.push_back(disk_panel("slip of the lowest point", "t [s]", &DiskRun::time, "k [m/s]",
                                     &DiskRun::slip, drawn));
  figure.panels.push_back(
      error_panel("position, mean over time", "error [m]", steps, positions, {1.0}));
  report.figure("spinning-disk-bounce", std::move(figure));
}

}  // namespace picus::studies
