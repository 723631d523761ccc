// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What all Runge–Kutta methods share. They integrate y = (φ, v, x), where q = q₀ ⊕ φ:
//
//     φ̇ = T(φ)⁻¹ v,  v̇ and ẋ from the equations with joints at acceleration level (IndexOne)
//
// On a manifold φ are canonical coordinates around the beginning of the step [MuntheKaas1999], so
// that a method keeps its order; on a vector space φ̇ = v.

#include "picus/steppers/common/error_weights.h"
#include "picus/steppers/common/index_one.h"
#include "picus/steppers/runge_kutta_methods.h"

namespace picus {

/// The base of explicit and implicit Runge–Kutta methods. In each attempt it calls run_stages(),
/// which leaves the end of the step in y_, completes the state there unless the method knows it,
/// and asks for local_error() under error control; accept() calls accept_stages().
class RungeKutta : public Stepper {
 public:
  RungeKutta(const char* name, const RungeKuttaOptions& options) : options_(options), name_(name) {}

  StepperTraits traits() const final;
  void control_error(double tolerance) final { tolerance_ = tolerance; }
  void start(const System& system, const State& state) final;
  StepReport attempt(const System& system, const State& from, double h, State& to) final;
  void accept() final;
  void interpolate(const System& system, double fraction, State& result) const final;

 protected:
  // --- what a method defines -----------------------------------------------------------------

  virtual int order() const = 0;
  /// The error estimate of first-order states is of order h^(error_order + 1).
  virtual int error_order() const = 0;
  /// The same of positions.
  virtual int position_error_order() const { return error_order(); }
  /// Sizes the work space, without allocation when it fits already.
  virtual void start_stages(const System& system) = 0;
  /// y_ at the end of the step from begin_; false leaves the reason in the report.
  virtual bool run_stages(const System& system, StepReport& report) = 0;
  /// True when end_ is complete after run_stages() and place_end().
  virtual bool knows_end() const { return false; }
  /// The difference between two solutions, as y.
  virtual void local_error(Vector& error) = 0;
  virtual void accept_stages() {}
  /// Reactions at a fraction of the step, where the method has its own.
  virtual void reactions_within(double /*fraction*/, State& /*result*/) const {}
  /// The increment, velocities and accelerations there by the stages alone; false to take the
  /// polynomial through both ends.
  virtual bool motion_within(double /*fraction*/, Vector& /*increment*/, State& /*result*/) const {
    return false;
  }
  /// In which the end of the step is projected: that of stiff parts, or none for kinetic energy.
  virtual StiffMetric metric() const { return {}; }
  /// h|λ| of the fastest motion that shows in the error of the step, of explicit methods: from
  /// about one on errors of such motions grow; 0 when it is not known.
  virtual double fastest() const { return 0.0; }

  // --- what a method uses --------------------------------------------------------------------

  int velocities() const { return sizes_.velocities; }
  int states() const { return sizes_.controls - sizes_.variables; }
  bool controls_error() const { return tolerance_ > 0.0; }
  double tolerance() const { return tolerance_; }
  /// Of coordinates, by which errors are judged; zero for those without. Under error control.
  const Vector& scales() const { return weights_.position(); }
  /// increment, velocity and states of s from y; its position too.
  void place(const System& system, const Vector& y, Vector& increment, State& s) const;
  /// ẏ at a complete state.
  template <class Rate>
  void rate_at(const State& s, const Vector& increment_rate, Rate&& rate) const {
    rate.head(velocities()) = increment_rate;
    rate.segment(velocities(), velocities()) = s.acceleration;
    rate.tail(states()) = s.control_rate.head(states());
  }

  RungeKuttaOptions options_;
  SystemSizes sizes_;
  bool is_flat_ = true;
  double h_ = 0.0;
  State begin_, end_;      ///< of the step under way
  Vector y_begin_, y_;     ///< at its beginning, at its end
  Vector increment_;       ///< φ at the end
  Vector increment_rate_;  ///< φ̇ there
  IndexOne equations_;

 private:
  bool projects() const {
    return options_.projection != DriftProjection::kNone &&
           sizes_.constraints + sizes_.nonholonomic > 0;
  }
  void estimate_error(StepReport& report);
  /// Counts the errors of velocities among those of positions.
  void weigh_velocities(StepReport& report);
  /// Counts by how much driven joints are open in the middle of the step.
  void look_within(const System& system, StepReport& report);
  void interpolate_flat(double s, State& result) const;
  void interpolate_curved(double s, State& result) const;

  const char* name_;
  double tolerance_ = 0.0;
  ErrorWeights weights_;
  Vector error_;
  bool is_driven_ = false;  ///< joints may depend on time
  State middle_;            ///< of the step, by dense output
  Vector gap_;              ///< of the constraints there
  mutable Vector along_;
};

}  // namespace picus
