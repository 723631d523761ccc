// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What formulas make of time, whatever the mechanism does.

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "picus/dynamics/batch.h"
#include "picus/expressions/horizon.h"
#include "picus/mechanism/control_batch.h"

namespace picus {

/// A formula anywhere in a model, with what its inputs are.
struct ScheduledFormula {
  std::shared_ptr<const Expression> expression;
  std::vector<Signal> signals;
  std::string owner = {};  ///< "motion 'drive'", where no other record of it exists
};

/// Bounds how far ahead single moments represent the formulas of a mechanism: System::forcing_time
/// asks it, and steppers and controllers limit their steps by it. Controls that depend on time
/// alone move as time does.
class Schedule final : public Batch {
 public:
  Schedule(const Bodies& bodies, std::vector<ScheduledFormula> formulas,
           const std::vector<ControlEquation>& controls);

  /// False when nothing limits steps.
  bool any() const { return !formulas_.empty(); }
  bool is_linear() const override { return true; }  // it has no equations
  void renumber_controls(std::span<const int> place) override;
  bool has_forcing() const override { return any(); }
  double forcing_time(const State& s) const override;

 private:
  struct Watched {
    ScheduledFormula formula;
    FormulaHorizon horizon;
  };
  struct Clocklike {
    int control;
    bool is_state;
    Watched law;
  };
  int place_of(int control) const;
  bool moves(const Signal& signal) const;
  bool depends_on_time_alone(const ScheduledFormula& formula) const;
  bool reads_controls(const ScheduledFormula& formula) const;
  Watched watch(ScheduledFormula formula) const;
  /// Moving numbers, and how far ahead each of them can be looked at [s].
  struct Movings {
    std::array<Moving, kMaxSignals> value;
    std::array<double, kMaxSignals> time;
  };
  /// The inputs of a formula; `controls` are those of clocklike_.
  void read(const Watched& watched, const State& s, const Movings& controls, Movings& inputs) const;
  static double horizon_of(const Watched& watched, const Movings& inputs);

  const Bodies& bodies_;
  std::vector<Clocklike> clocklike_;  ///< each after those it reads
  std::vector<Watched> formulas_;
};

}  // namespace picus
