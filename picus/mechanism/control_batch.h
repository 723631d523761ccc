// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "picus/dynamics/batch.h"
#include "picus/mechanism/signal.h"

namespace picus {

/// rate_weight · ẋ + value_weight · x − law(signals) = 0 of control `index`: a first-order state
/// (8a), a user variable (8b) or a force state (8c) of negrut-hht-i3.
struct ControlEquation {
  int index = 0;
  double rate_weight = 0.0, value_weight = 0.0;
  Formulation law = {};
};

/// All control equations of a mechanism: d, its derivatives, and the switches of its formulas.
class ControlBatch final : public Batch {
 public:
  ControlBatch(const Bodies& bodies, std::vector<ControlEquation> equations)
      : bodies_(bodies), equations_(std::move(equations)) {}

  void renumber_controls(std::span<const int> place) override;
  void control(const State& s, Vector& d) const override;
  void control_tangent(const State& s, const Chart& c, ControlTangent& tangent) const override;
  int switches() const override;
  void switch_values(const State& s, int first, Vector& values) const override;
  std::string name_of_switch(int index) const override;

 private:
  const Bodies& bodies_;
  std::vector<ControlEquation> equations_;
};

}  // namespace picus
