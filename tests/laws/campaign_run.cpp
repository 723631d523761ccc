// SPDX-License-Identifier: BSD-3-Clause
#include "tests/laws/campaign_run.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

#include <fmt/format.h>

#include "picus/runs/run.h"

namespace picus::campaign {
namespace {

constexpr int kSamples = 200;
constexpr double kPatience = 30.0;  ///< [s of the processor] of a run; they take 0.1 s

// What a sample must obey, whatever the method: bounds are wide, and a law that is broken is broken
// by far.
class LawCheck {
 public:
  LawCheck(const Mechanism& mechanism, const std::vector<std::string>& channels, double allowed)
      : mechanism_(mechanism), allowed_(allowed) {
    for (std::size_t i = 0; i < channels.size(); ++i)
      place_.emplace(channels[i], i);
  }

  void add(double time, std::span<const double> values) {
    values_ = values;
    time_ = time;
    at_most("joints apart", value("solver.constraint_position"), allowed_);
    for (const auto& contact : mechanism_.contacts()) {
      const std::string name = "contacts." + contact.name;
      if (!has(name + ".gap")) continue;
      // a model may start with contacts that are penetrated: they keep the gap they have
      if (is_first_) first_depth_[name] = std::max(0.0, -value(name + ".gap"));
      at_most(name + " penetrates", -value(name + ".gap") - first_depth_[name], allowed_);
      at_most(name + " pulls", -value(name + ".force"), allowed_ * (1.0 + largest_force_));
      largest_force_ = std::max(largest_force_, value(name + ".force"));
    }
    for (const auto& friction : mechanism_.frictions()) {
      const std::string name = "friction." + friction.name;
      if (!has(name + ".force_1")) continue;
      const double limit = value(name + ".limit");
      at_most(name + " beyond its limit", std::abs(value(name + ".force_1")) - limit,
              allowed_ * (1.0 + std::abs(limit)));
    }
    is_first_ = false;
  }
  std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    for (const auto& [law, worst] : worst_)
      all.push_back(fmt::format("{} by {:.3g} at t = {:.6g}, first at {:.6g}", law, worst.size,
                                worst.time, worst.first));
    return all;
  }

 private:
  struct Worst {
    double size = 0.0, time = 0.0, first = 0.0;
  };
  bool has(const std::string& channel) const { return place_.count(channel) > 0; }
  double value(const std::string& channel) const {
    const auto found = place_.find(channel);
    return found == place_.end() ? 0.0 : values_[found->second];
  }
  void at_most(const std::string& law, double size, double bound) {
    if (size <= bound) return;
    auto [found, is_new] = worst_.try_emplace(law, Worst{size, time_, time_});
    if (!is_new && size > found->second.size) {
      found->second.size = size;
      found->second.time = time_;
    }
  }

  const Mechanism& mechanism_;
  double allowed_;
  double largest_force_ = 0.0;
  bool is_first_ = true;
  std::map<std::string, double> first_depth_;  ///< of contacts [m]
  std::map<std::string, std::size_t> place_;
  std::span<const double> values_;
  double time_ = 0.0;
  std::map<std::string, Worst> worst_;
};

// By which a sample may break a law: samples are interpolated within the tolerance, constant steps
// are those of methods of first order at impacts.
double allowed_by(const RunPlan& plan) {
  return plan.adaptive ? std::max(1e-6, 30.0 * plan.control.tolerance) : 2e-2;
}

bool is_position(const std::string& channel) {
  return channel.starts_with("bodies.") && channel.find(".position") != std::string::npos;
}

bool is_orientation(const std::string& channel) {
  return channel.starts_with("bodies.") && channel.find(".orientation.") != std::string::npos;
}

void run_into(CampaignRun& run, LoadedModel& loaded, double end_time) {
  const Mechanism& mechanism = *loaded.mechanism;
  RunPlan plan = plan_of(loaded, true);
  plan.output_interval = end_time / kSamples;
  run.taken = plan.name();
  run.is_adaptive = plan.adaptive;
  run.step = plan.step;
  const Start start = assemble_start(mechanism);
  if (!start.consistency.ok()) {
    run.ending = Ending::kFailed;
    run.message = start.consistency.message;
    return;
  }
  MechanismRecord record(mechanism);
  std::vector<std::string> channels;
  for (const Quantity& quantity : record.quantities())
    for (const std::string& channel : channel_names(quantity))
      channels.push_back(channel);
  std::vector<std::size_t> chosen, speeds;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (is_position(channels[i]) || is_orientation(channels[i])) chosen.push_back(i);
    if (channels[i].starts_with("bodies.") && channels[i].find(".velocity.") != std::string::npos)
      speeds.push_back(i);
  }
  for (const std::size_t i : chosen)
    run.path.names.push_back(channels[i]);
  LawCheck laws(mechanism, channels, allowed_by(plan));
  const std::clock_t begin = std::clock();
  const auto seconds = [&] { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; };
  const RunOutcome outcome = run_mechanism(
      mechanism, start, plan,
      [&](const Sample& sample) {
        const auto values = record.values(sample);
        laws.add(sample.state.time, values);
        // there may be samples at events besides those of the grid
        const double next = static_cast<double>(run.path.times.size()) * plan.output_interval;
        if (std::abs(sample.state.time - next) > 1e-6 * plan.output_interval) return;
        std::vector<double> row;
        for (const std::size_t i : chosen)
          row.push_back(values[i]);
        run.path.times.push_back(sample.state.time);
        run.path.values.push_back(std::move(row));
        for (const std::size_t i : speeds)
          run.fastest = std::max(run.fastest, std::abs(values[i]));
      },
      [&](const Moment&) { return seconds() < kPatience; });
  run.seconds = seconds();
  run.impacts = outcome.impacts;
  run.broken_laws = laws.sentences();
  run.audit_warnings = outcome.audit.warnings;
  run.message = outcome.summary.message;
  if (outcome.summary.ending == Summary::Ending::kStoppedByObserver) {
    run.ending = Ending::kStalled;
    run.message =
        fmt::format("at t = {:.9g} after {} steps", outcome.end.time, outcome.summary.accepted);
  } else if (!outcome.summary.ok()) {
    run.ending = run.message.empty() ? Ending::kSilent : Ending::kFailed;
  } else if (std::abs(outcome.end.time - end_time) > 1e-12 * end_time) {
    run.ending = Ending::kSilent;
    run.message = fmt::format("ended at t = {:.17g}", outcome.end.time);
  }
}

// Quaternions q and -q are the same orientation: each goes on from the sample before.
void follow_orientations(Trajectory& path) {
  for (std::size_t k = 0; k + 3 < path.names.size(); ++k) {
    if (!path.names[k].ends_with("orientation.w")) continue;
    for (std::size_t i = 1; i < path.values.size(); ++i) {
      double product = 0.0;
      for (std::size_t c = k; c < k + 4; ++c)
        product += path.values[i][c] * path.values[i - 1][c];
      if (product < 0.0)
        for (std::size_t c = k; c < k + 4; ++c)
          path.values[i][c] *= -1.0;
    }
  }
}

}  // namespace

std::string Method::text() const {
  return step > 0.0 ? fmt::format("{} h={:.3g}", integrator, step)
                    : fmt::format("{} tol={:.1e}", integrator, tolerance);
}

CampaignRun run_campaign(const RandomMechanism& mechanism, const Method& method) {
  CampaignRun run;
  run.method = method;
  const std::vector<std::string> overrides{fmt::format("run.end_time={:.17g}", mechanism.end_time),
                                           "run.integrator=" + method.integrator,
                                           fmt::format("run.tolerance={:g}", method.tolerance),
                                           fmt::format("run.step={:.17g}", method.step)};
  try {
    LoadedModel loaded = load_model_text(mechanism.name + ".yaml", mechanism.text, overrides);
    run_into(run, loaded, mechanism.end_time);
  } catch (const InputError& error) {
    run.ending = Ending::kRefused;
    run.message = error.what();
  }
  follow_orientations(run.path);
  return run;
}

std::vector<double> difference(const Trajectory& a, const Trajectory& b) {
  std::vector<double> result;
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i) {
    for (std::size_t c = 0; c < a.values[i].size(); ++c) {
      const double d = std::abs(a.values[i][c] - b.values[i][c]);
      largest = std::isnan(d) ? HUGE_VAL : std::max(largest, d);
    }
    result.push_back(largest);
  }
  return result;
}

}  // namespace picus::campaign
