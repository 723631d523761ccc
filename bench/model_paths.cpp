// SPDX-License-Identifier: BSD-3-Clause
#include "bench/model_paths.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/session.h"

namespace picus::bench {
namespace {

constexpr int kSamples = 200;

}  // namespace

std::string Candidate::name() const {
  std::string result = integrator;
  for (const auto& [option, value] : options)
    if (option == "smooth") result += " over " + value;
  return result;
}

ShippedModel::ShippedModel(const std::string& name, double end,
                           const std::vector<std::string>& parameters)
    : name_(name), loaded_(load_model(PICUS_SOURCE_DIR "/models/" + name + ".yaml", parameters)) {
  for (const std::string& parameter : parameters)
    name_ += ", " + parameter;
  run_ = loaded_.model.run;
  if (end > 0.0) run_.end_time = end;
  start_ = assemble_start(*loaded_.mechanism);
  run_.output_interval = duration() / kSamples;
}

ModelPath ShippedModel::run(const Candidate& candidate, double setting, double limit) {
  RunPart part = run_;
  part.integrator.text = candidate.integrator;
  part.options.clear();
  for (const auto& [option, value] : candidate.options)
    part.options.push_back({.name = option, .place = {}, .value = value});
  if (candidate.adaptive) part.tolerance = setting;
  part.step = candidate.adaptive ? 0.0 : setting;
  ModelPath path;
  try {
    const RunPlan plan = plan_of(part, *loaded_.mechanism);
    path.taken = Candidate{plan.integrator, plan.options}.name();
    path.reason = plan.reason;
    const double begin = cpu_seconds();
    bool in_time = true;
    const RunOutcome outcome = run_mechanism(
        *loaded_.mechanism, start_, plan,
        [&](const Sample& sample) { path.positions.push_back(sample.state.position); },
        [&](const Moment&) { return in_time = cpu_seconds() - begin < limit; });
    path.seconds = cpu_seconds() - begin;
    path.steps = outcome.summary.accepted;
    if (!in_time)
      path.trouble = fmt::format("only at {:.3g} s after {:.3g} s", outcome.end.time, limit);
    else if (!outcome.summary.ok())
      path.trouble = outcome.summary.message;
  } catch (const InputError& error) {
    path.trouble = error.what();
  }
  return path;
}

double ShippedModel::distance(const ModelPath& path, const ModelPath& exact) const {
  const System& system = loaded_.mechanism->system();
  Vector d;
  double length = 0.0;
  for (const Vector& q : exact.positions) {
    system.difference(exact.positions.front(), q, d);
    for (int i = 0; i < d.size(); ++i)
      if (system.unit_of(i) == Unit::kLength) length = std::max(length, std::abs(d(i)));
  }
  const auto apart = [&](const Vector& q, const Vector& wanted) {
    system.difference(wanted, q, d);
    double largest = 0.0;
    for (int i = 0; i < d.size(); ++i)
      largest = std::max(
          largest,
          std::abs(d(i)) / (system.unit_of(i) == Unit::kLength && length > 0.0 ? length : 1.0));
    return largest;
  };
  // rounding of the clock may make one sample more, shortly before the end
  double sum = 0.0;
  for (std::size_t k = 0; k < kSamples; ++k)
    sum += apart(path.positions[k], exact.positions[k]);
  return sum / kSamples + apart(path.positions.back(), exact.positions.back());
}

}  // namespace picus::bench
