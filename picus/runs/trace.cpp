// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/trace.h"

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

// Velocities that differ by more than this part of the largest so far have jumped.
constexpr double kJump = 1e-9;

// A sample is one of the grid if it is as near to its time, in parts of the interval.
constexpr double kOnGrid = 1e-6;

bool is_continuous(const Quantity& quantity) {
  if (quantity.group == "bodies")
    return quantity.name == "position" || quantity.name == "orientation" ||
           quantity.name == "angle";
  if (quantity.group == "markers") return quantity.name == "position";
  if (quantity.group == "forces") return quantity.unit == "m" || quantity.unit == "rad";
  if (quantity.group == "joints")
    return quantity.name != "force" && quantity.name != "torque" &&
           !quantity.name.ends_with("_rate");
  if (quantity.group == "contacts") return quantity.name == "gap";
  return quantity.group == "energy" && quantity.name == "potential";
}

// Keeps samples, and both sides of jumps of methods that stop at events: there the dense output of
// a step leads up to the impact, and the state is after it.
class Tracer {
 public:
  Tracer(const Mechanism& mechanism, Trace& trace, const std::vector<std::string>& patterns)
      : record_(mechanism),
        trace_(trace),
        contacts_(mechanism.contacts().size()),
        frictions_(mechanism.frictions().size()),
        collisions_(mechanism.collisions().size()) {
    std::vector<std::string> names;
    std::vector<TraceChannel> all;
    for (const Quantity& quantity : record_.quantities())
      for (const std::string& channel : channel_names(quantity)) {
        names.push_back(channel);
        all.push_back({channel, quantity.unit, quantity.group + "." + quantity.name,
                       !is_continuous(quantity)});
      }
    chosen_ = patterns.empty() ? by_default(names) : chosen_channels(names, patterns);
    for (const std::size_t c : chosen_)
      trace_.channels.push_back(all[c]);
    trace_.columns.resize(chosen_.size());
    for (const TraceChannel& channel : all)
      sizes_.push_back(&trace_.sizes[channel.quantity]);
  }

  // Only those on the grid, which is the same for all runs: there may be others at jumps.
  void observe(const Sample& sample) {
    if (!is_next(sample.state.time)) return;
    const auto values = record_.values(sample);
    trace_.times.push_back(sample.state.time);
    for (std::size_t c = 0; c < values.size(); ++c)
      *sizes_[c] = std::max(*sizes_[c], std::abs(values[c]));
    for (std::size_t k = 0; k < chosen_.size(); ++k)
      trace_.columns[k].push_back(values[chosen_[k]]);
  }

  void observe(const Moment& moment) {
    fastest_ = std::max(fastest_, moment.state.velocity.lpNorm<Eigen::Infinity>());
    if (moment.is_first() || !moment.stepper.traits().stops_at_events) return;
    moment.interpolate(1.0, left_);
    const double jump = (left_.velocity - moment.state.velocity).lpNorm<Eigen::Infinity>();
    if (!(jump > kJump * fastest_)) return;
    trace_.jump_times.push_back(moment.state.time);
    trace_.before.push_back(values_at(left_, moment));
    trace_.after.push_back(values_at(moment.state, moment));
  }

 private:
  bool is_next(double time) const {
    if (trace_.times.empty()) return true;
    const double interval = trace_.plan.output_interval;
    const double next = trace_.times.front() + static_cast<double>(trace_.times.size()) * interval;
    return std::abs(time - next) < kOnGrid * interval;
  }

  // What contacts do is not recorded on the two sides: they have their samples alone.
  std::vector<double> values_at(const State& state, const Moment& moment) {
    const auto values = record_.values({.state = state,
                                        .h = moment.h,
                                        .shortest = moment.h,
                                        .longest = moment.h,
                                        .report = moment.report,
                                        .contacts = contacts_,
                                        .frictions = frictions_,
                                        .collisions = collisions_});
    std::vector<double> chosen;
    for (const std::size_t c : chosen_)
      chosen.push_back(values[c]);
    return chosen;
  }
  static std::vector<std::size_t> by_default(const std::vector<std::string>& names) {
    std::vector<std::size_t> chosen;
    for (std::size_t c = 0; c < names.size(); ++c)
      if (std::any_of(traced_by_default().begin(), traced_by_default().end(),
                      [&](const std::string& p) { return matches_pattern(names[c], p); }))
        chosen.push_back(c);
    return chosen;
  }

  MechanismRecord record_;
  Trace& trace_;
  std::vector<ContactStatus> contacts_;
  std::vector<FrictionStatus> frictions_;
  std::vector<CollisionStatus> collisions_;
  std::vector<std::size_t> chosen_;
  std::vector<double*> sizes_;  ///< of the trace, by channel of the record
  double fastest_ = 0.0;
  State left_;
};

bool tells_sides(const TraceChannel& channel) {
  return !channel.name.starts_with("contacts.") && !channel.name.starts_with("friction.") &&
         !channel.name.starts_with("collisions.") && !channel.name.starts_with("touches.");
}

}  // namespace

const std::vector<std::string>& traced_by_default() {
  static const std::vector<std::string> kPatterns{"bodies.*.position.*",
                                                  "bodies.*.velocity.*",
                                                  "joints.*.force.*",
                                                  "joints.*.torque.*",
                                                  "energy.*",
                                                  "outputs.*"};
  return kPatterns;
}

FilledGraph Trace::graph(std::size_t channel, double until, double time_scale) const {
  FilledGraph graph;
  const bool sides = tells_sides(channels[channel]);
  std::size_t jump = 0;
  const auto add_jumps = [&](double time) {
    for (; sides && jump < jump_times.size() && jump_times[jump] <= time; ++jump) {
      graph.add(time_scale * jump_times[jump], before[jump][channel]);
      graph.add(time_scale * jump_times[jump], after[jump][channel]);
    }
  };
  for (std::size_t i = 0; i < times.size() && times[i] <= until; ++i) {
    add_jumps(times[i]);
    graph.add(time_scale * times[i], columns[channel][i]);
  }
  return graph;
}

Trace trace_run(const LoadedModel& loaded, const Start& start, const RunPlan& plan,
                const TraceOptions& options) {
  Trace trace;
  trace.plan = plan;
  trace.plan.output_interval = (plan.end_time - start.state.time) / options.samples;
  Tracer tracer(*loaded.mechanism, trace, options.channels);
  trace.outcome = run_mechanism(
      *loaded.mechanism, start, trace.plan, [&](const Sample& sample) { tracer.observe(sample); },
      [&](const Moment& moment) {
        tracer.observe(moment);
        trace.was_left = options.watch && !options.watch(moment);
        return !trace.was_left;
      });
  return trace;
}

}  // namespace picus
