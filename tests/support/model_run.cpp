// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/model_run.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "picus/runs/equilibrium.h"

namespace picus::testing {

ModelRun ModelRun::of(const std::string& name, const Overrides& overrides, const Observe& observe) {
  return of_file(PICUS_SOURCE_DIR "/models/" + name + ".yaml", overrides, observe);
}

ModelRun ModelRun::of_file(const std::string& path, const Overrides& overrides,
                           const Observe& observe) {
  ModelRun result(load_model(path, overrides));
  result.run(observe);
  return result;
}

ModelRun ModelRun::of_text(const std::string& text, const Overrides& overrides,
                           const Observe& observe) {
  ModelRun result(load_model_text("test.yaml", text, overrides));
  result.run(observe);
  return result;
}

void ModelRun::run(const Observe& observe) {
  EXPECT_EQ(loaded_.diagnostics.text(loaded_.document.files), "");
  RunPlan plan = plan_of(loaded_.model.run, mechanism());
  plan.output_interval = -1.0;
  start_ = start_of(loaded_);
  MechanismRecord record(mechanism());
  for (const Quantity& quantity : record.quantities())
    for (const std::string& channel : channel_names(quantity))
      channels_.emplace(channel, channels_.size());
  double first_energy = 0.0;
  outcome_ = run_mechanism(mechanism(), start_, plan, [&](const Sample& sample) {
    const bool is_first = values_.empty();
    const auto values = record.values(sample);
    values_.assign(values.begin(), values.end());
    time_ = sample.state.time;
    if (is_first) first_energy = (*this)("energy.total");
    energy_drift_ = std::max(energy_drift_, std::abs((*this)("energy.total") - first_energy));
    violation_ = std::max(violation_, (*this)("solver.constraint_position"));
    if (observe) observe(*this);
  });
  EXPECT_TRUE(outcome_.summary.ok()) << outcome_.summary.message;
  if (outcome_.summary.condition.empty())
    EXPECT_EQ(time_, plan.end_time);
  else
    EXPECT_EQ(time_, outcome_.end.time);
}

double ModelRun::operator()(const std::string& channel) const {
  const auto found = channels_.find(channel);
  if (found == channels_.end() || values_.empty()) {
    ADD_FAILURE() << "no channel " << channel;
    return std::nan("");
  }
  return values_[found->second];
}

double ModelRun::parameter(const std::string& name) const {
  const Parameter* const found = loaded_.document.find_parameter(name);
  if (found != nullptr && found->known) return found->value;
  ADD_FAILURE() << "no parameter " << name;
  return std::nan("");
}

std::vector<Impact> impacts_of(const ModelRun& run) {
  std::vector<Impact> impacts;
  for (const Event& event : run.outcome().events)
    if (const auto impact = impact_of(event)) impacts.push_back(*impact);
  return impacts;
}

}  // namespace picus::testing
