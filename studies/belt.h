// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The accessory drive of negrut-hht-i3 and the two curves the paper shows of it.

#include <string>
#include <vector>

#include "picus/io/model_file.h"
#include "picus/runs/run.h"

namespace picus::studies {

class Belt {
 public:
  Belt();

  const Mechanism& mechanism() const { return *loaded_.mechanism; }
  const RunPart& run() const { return loaded_.model.run; }
  int segments() const { return segments_; }

  double alternator_speed(const State& s) const;      ///< [rad/s]
  double alternator_reaction(const State& s) const;   ///< X component of the bearing's force [N]
  double crank_angle(const State& s) const;           ///< [rad]
  double tension(int segment, const State& s) const;  ///< in the tie behind segment 1 … [N]
  /// How far the belt's centres of mass have come, over its length: 1 after a revolution.
  double revolutions(const State& s) const;

 private:
  const AssembledJoint& joint(std::string_view name) const;

  LoadedModel loaded_;
  int segments_ = 0;
  double length_ = 0.0, crank_radius_ = 0.0;
};

/// Sampled curves of a run.
struct BeltCurves {
  std::vector<double> time, speed, reaction;
};

/// The reference curves: SUNDIALS IDA with tight tolerances, studies/data/poly_v_belt.csv.
BeltCurves belt_reference();

/// Largest difference over the largest value of the reference.
double peak_difference(const std::vector<double>& found, const std::vector<double>& reference);

/// Root mean square of the difference over the swing of the reference, from its least to its
/// largest value: a constant part of the curve does not flatter it.
double mean_difference(const std::vector<double>& found, const std::vector<double>& reference);

}  // namespace picus::studies
