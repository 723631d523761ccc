// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/dynamics/batch.h"
#include "picus/mechanism/signal.h"

namespace picus {

/// A force or torque: a magnitude that works along a direction.
struct ForceComponent {
  Term direction;
  Formulation magnitude;
};

class ForceBatch final : public Batch {
 public:
  ForceBatch(const Bodies& bodies, std::vector<ForceComponent> components)
      : bodies_(bodies), components_(std::move(components)) {}

  void renumber_controls(std::span<const int> place) override;
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void control_tangent(const State& s, const Chart& c, ControlTangent& tangent) const override;
  int switches() const override;
  void switch_values(const State& s, int first, Vector& values) const override;
  std::string name_of_switch(int index) const override;

 private:
  const Bodies& bodies_;
  std::vector<ForceComponent> components_;
};

}  // namespace picus
