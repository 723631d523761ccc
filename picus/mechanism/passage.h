// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is narrow in space and may be passed within a step: formulas of positions, and round bodies
// that meet and part again.

#include <vector>

#include "picus/dynamics/batch.h"
#include "picus/mechanism/schedule.h"

namespace picus {

/// The centres of two balls or discs that collide from outside.
struct RoundPair {
  int body_i = Bodies::kGround, body_j = Bodies::kGround;
  Vector3 centre_i, centre_j;  ///< in the frames of the bodies [m]
  double radius_i = 0.0, radius_j = 0.0;
};

/// A point of a body with its velocity, in space.
struct MovingPoint {
  Vector3 point, velocity;
};
MovingPoint moving_point(const Bodies& bodies, int body, const Vector3& local, const State& s);

/// How long two balls may go on: until they meet and by `part` of half the smaller radius, at their
/// relative velocity and an acceleration.
double passing_time(const Vector3& apart, const Vector3& velocity, double radius_i, double radius_j,
                    double acceleration, double part);

/// States how long the present motion may go on before it can pass one of these unseen. Where no
/// force acts no error announces what is to come, and a step may begin before it and end after it.
class Passage final : public Batch {
 public:
  /// `gravity` bounds the acceleration of bodies that are free.
  Passage(const Bodies& bodies, const std::vector<ScheduledFormula>& formulas,
          std::vector<RoundPair> pairs, double gravity);

  bool any() const { return !formulas_.empty() || !pairs_.empty(); }
  bool is_linear() const override { return true; }  // it has no equations
  void renumber_controls(std::span<const int> place) override;
  bool has_passages() const override { return any(); }
  double passing_time(const State& s, double part) const override;

 private:
  struct Watched {
    ScheduledFormula formula;
    FormulaHorizon horizon;
  };
  double time_of(const Watched& watched, const State& s) const;
  double time_of(const RoundPair& pair, const State& s, double part) const;

  const Bodies& bodies_;
  std::vector<Watched> formulas_;
  std::vector<RoundPair> pairs_;
  double gravity_;
};

}  // namespace picus
